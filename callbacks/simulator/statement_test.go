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
)

// statementOf returns the platform's statement of a day, by default today's.
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

// What a person plays is in the statement, with states that follow from the answers.
func TestStatementOfTheGamePage(t *testing.T) {
	now := time.Date(2026, 11, 19, 23, 59, 0, 0, time.UTC)
	p := newPlatform(t, newFakeWallet(testBalances), func(c *Config) { c.Now = func() time.Time { return now } })
	slot := p.gameOfType("slots")
	p.ask("assignFreeSpin", grantRequest("ana", slot, 1))
	session := p.open("ana", slot)
	p.page(session, http.StatusOK)
	p.play(session, "spin", "1.00", "lose")
	p.play(session, "void", "5.00", "chance")
	p.play(session, "retry", "5.00", "chance")
	p.play(session, "freespin", "1.00", "lose")
	p.play(session, "spin", "1000000.00", "win") // refused
	now = now.Add(time.Hour)
	p.play(p.open("dora", p.gameOfType("table")), "betwin", "5.00", "lose")

	header, rows := p.statementOf("?day=2026-11-19")
	require.Equal(t, []string{"Time (UTC)", "Transaction ID", "Round ID", "Player", "Currency", "Type", "Bet", "Win",
		"Free spin", "Status"}, header)
	var said []string
	for _, r := range rows {
		assert.Equal(t, "2026-11-19 23:59:00.000", r[0])
		said = append(said, strings.Join(r[3:], " "))
	}
	require.Equal(t, []string{"ana EUR bet 1.00  no settled", "ana EUR bet 5.00  no rolled back",
		"ana EUR bet 0.20  yes settled", "ana EUR bet 1000000.00  no failed"}, said)
	_, next := p.statementOf("")
	require.Len(t, next, 1)
	require.Equal(t, []string{"dora", "EUR", "bet and win", "5.00", "0.00", "no", "settled"}, next[0][3:])
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

// To the platform, a bet without a definite answer has failed.
func TestStatementWithoutAWallet(t *testing.T) {
	p := newPlatform(t, http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}), nil)
	session := p.open("ana", p.gameOfType("slots"))
	p.play(session, "spin", "1.00", "win")
	_, rows := p.statementOf("")
	require.Len(t, rows, 1)
	require.Equal(t, []string{"bet", "1.00", "", "no", "failed"}, rows[0][5:])
}

func TestStatementLines(t *testing.T) {
	const kept = 50
	s, at := newStatement(kept), time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)
	bet := func(id string, amount minor) call {
		return call{endpoint: withdraw, userID: "ana", transactionID: id, bet: amount}
	}
	s.write(at, bet("refused, then taken", 100), lineFailed)
	s.write(at, bet("refused, then taken", 200), lineSettled)
	s.write(at, bet("taken, then changed", 100), lineSettled)
	s.write(at, bet("taken, then changed", 300), lineSettled)
	s.write(at, bet("rolled back for good", 100), lineRolledBack)
	s.write(at, bet("rolled back for good", 100), lineSettled)
	s.writeRollback("never played")
	var said []string
	for _, line := range s.between(at, at.Add(1)) {
		said = append(said, fmt.Sprint(line.call.transactionID, " ", line.call.bet, " ", line.state))
	}
	require.Equal(t, []string{"refused, then taken 2.00 settled", "taken, then changed 1.00 settled",
		"rolled back for good 1.00 rolled back"}, said)
	require.Empty(t, s.between(at.Add(1), at.Add(2)))

	for i := range 2 * kept {
		s.write(at, bet(fmt.Sprint(i), 1), lineSettled)
	}
	require.Len(t, s.between(at, at.Add(1)), kept)
	require.Len(t, s.lines, kept, "the oldest make room")
}
