package simulator

import (
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// statementOf returns the platform's statement of a day, today's by default.
func (p *platform) statementOf(query string) (header []string, rows [][]string) {
	p.t.Helper()
	response, err := http.Get(p.url + "/simulator/statement.csv" + query)
	require.NoError(p.t, err)
	defer response.Body.Close()
	require.Equal(p.t, http.StatusOK, response.StatusCode)
	require.Equal(p.t, "text/csv; charset=utf-8", response.Header.Get("Content-Type"))
	all, err := csv.NewReader(response.Body).ReadAll()
	require.NoError(p.t, err)
	return all[0], all[1:]
}

// A round played by hand is in the statement, and its states follow from the wallet's answers.
func TestStatementOfTheGamePage(t *testing.T) {
	now := time.Date(2026, 11, 19, 23, 59, 0, 0, time.UTC)
	p := newPlatform(t, newFakeWallet(testBalances), func(c *Config) { c.Now = func() time.Time { return now } })
	p.ask("assignFreeSpin", grantRequest("ana", "20001", 1))
	address := p.launch("ana", "20001")
	for _, kind := range []string{"losing spin", "stranded bet", "free spin of no grant", "sign used twice"} {
		p.table(address, kind)
	}
	now = now.Add(time.Hour)
	p.table(p.launch("dora", "20001"), "losing spin")

	header, rows := p.statementOf("?day=2026-11-19")
	require.Equal(t, []string{"Time (UTC)", "Transaction ID", "Round ID", "Player", "Currency", "Type", "Bet", "Win",
		"Free spin", "Status"}, header)
	var said []string
	for _, r := range rows {
		assert.Equal(t, "2026-11-19 23:59:00.000", r[0])
		said = append(said, strings.Join(r[3:], " "))
	}
	require.Regexp(t, `^ana EUR bet 2\.50  no settled\nana EUR bet [0-9.]+  no failed\nana EUR bet 0\.20  yes settled\n`+
		`ana EUR bet 1[0-9]{4}\.[0-9]{2}  no failed$`, strings.Join(said, "\n"))
	_, next := p.statementOf("")
	require.Len(t, next, 1)
	require.Equal(t, []string{"dora", "EUR", "bet", "2.50", "", "no", "settled"}, next[0][3:])
	_, none := p.statementOf("?day=2020-01-01")
	require.Empty(t, none)
	response, err := http.Get(p.url + "/simulator/statement.csv?day=yesterday")
	require.NoError(t, err)
	defer response.Body.Close()
	reason, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusBadRequest, response.StatusCode)
	require.Contains(t, string(reason), "like 2026-11-19")
}

func TestStatementLines(t *testing.T) {
	s, err := openBooks("")
	require.NoError(t, err)
	at := time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)
	bet := func(id string, amount models.Amount) call {
		return call{Endpoint: wire.Withdraw, UserID: "ana", TransactionID: id, Bet: amount}
	}
	s.write(at, bet("refused, then taken", 100), lineFailed)
	s.write(at, bet("refused, then taken", 200), lineSettled)
	s.write(at, bet("taken, then changed", 100), lineSettled)
	s.write(at, bet("taken, then changed", 300), lineSettled)
	s.write(at, bet("rolled back for good", 100), lineRolledBack)
	s.write(at, bet("rolled back for good", 100), lineSettled)
	var said []string
	for _, line := range s.lines {
		said = append(said, fmt.Sprint(line.Call.TransactionID, " ", line.Call.Bet, " ", line.State))
	}
	require.Equal(t, []string{"refused, then taken 2.00 settled", "taken, then changed 1.00 settled",
		"rolled back for good 1.00 rolled back"}, said)
}
