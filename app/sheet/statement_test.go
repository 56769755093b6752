package sheet

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

func TestStatementLayoutIsGuessed(t *testing.T) {
	type columns = map[models.StatementField]string
	for _, c := range []struct {
		text, decimal string
		times         models.TimeShape
		columns       columns
	}{
		{"transactionID,roundID,amount,type,userID\na,r,12.30,Withdraw,anna\n", ".", models.TimesISO,
			columns{"transaction": "transactionID", "amount": "amount", "kind": "type", "player": "userID"}},
		{"\ufeffTx ID;Bet Amount;Win Amount;Created at\na;1.200,00;0,00;19.11.2026 08:00\n", ",", models.TimesDayFirst,
			columns{"transaction": "Tx ID", "bet": "Bet Amount", "win": "Win Amount", "time": "Created at"}},
		{"id\tvalue\ttimestamp\na\t-3\t1763539200000\n", ".", models.TimesUnixMilli,
			columns{"transaction": "id", "amount": "value", "time": "timestamp"}},
		{"Txn Id;Player Login;Curr;Type;Amount;Created (UTC)\na;anna;EUR;Bet;1.00;2026-11-19 8:00:00\n", ".", models.TimesISO,
			columns{"transaction": "Txn Id", "player": "Player Login", "currency": "Curr", "kind": "Type", "amount": "Amount",
				"time": "Created (UTC)"}},
		{"id|amount|time\na|1|11/12/2026 8:00:00\nb|1|11/19/2026 8:00 PM\n", ".", models.TimesMonth,
			columns{"transaction": "id", "amount": "amount", "time": "time"}},
		{"id;amount;time\na;1.000;11/12/2026\n", "", "", columns{"transaction": "id", "amount": "amount", "time": "time"}},
		{"id;amount;time\na;1.000;11/12/2026\nb;5,00;25/12/2026 00:10\n", ",", models.TimesDayFirst,
			columns{"transaction": "id", "amount": "amount", "time": "time"}},
	} {
		file := strings.NewReader(c.text)
		s, err := SampleStatement(t.Context(), file)
		require.NoError(t, err)
		l := s.GuessLayout("UTC")
		require.Equal(t, c.decimal, l.Decimal, c.text)
		require.Equal(t, c.times, l.Times, c.text)
		require.Equal(t, c.columns, l.Columns)
		if c.decimal == "" {
			require.Error(t, l.Check(s.Header))
		} else {
			require.NoError(t, l.Check(s.Header))
		}
	}
}

// readStatement returns the lines of a text, and the numbers of those that cannot be read.
func readStatement(t *testing.T, text string, l models.StatementLayout) (lines []models.StatementLine, bad []int) {
	t.Helper()
	return readLines(t, text, l, false)
}

func readLines(t *testing.T, text string, l models.StatementLayout, cash bool) (lines []models.StatementLine, bad []int) {
	t.Helper()
	r, err := NewStatementReader(t.Context(), strings.NewReader(text), l, cash)
	require.NoError(t, err)
	for {
		line, err := r.Next()
		var wrong models.LineError
		switch {
		case errors.As(err, &wrong):
			bad = append(bad, wrong.Line)
		case err == io.EOF:
			return lines, bad
		default:
			require.NoError(t, err)
			lines = append(lines, line)
		}
	}
}

func TestStatementLines(t *testing.T) {
	l := models.StatementLayout{Decimal: ".", Times: models.TimesISO, Zone: "Europe/Vienna",
		Columns: map[models.StatementField]string{
			models.StatementTransaction: "id", models.StatementAmount: "amount", models.StatementTime: "at", models.StatementPlayer: "who",
		}}
	lines, bad := readStatement(t, "id,amount,at,who\r\n"+
		"a,-1.00,2026-11-19 08:00:00,anna\r\n"+
		"\r\n"+
		`"b ""quoted"", with a comma",2.00,2026-07-19T08:00:00.123456Z,"ö"`+"\n"+
		"a space ,2.00,2026-07-19 08:00:00, \" anna\" \n"+
		`"open,2.00,2026-07-19 08:00:00,anna`+"\n"+
		`x"y,2.00,2026-07-19 08:00:00,anna`+"\n"+
		`"x"y,2.00,2026-07-19 08:00:00,anna`+"\n"+
		"c,0.00,2026-07-19 08:00:00,anna\n"+
		"d,2.00,2026-13-19 08:00:00,anna\n"+
		"e,2.00,2026-07-19 08:00:00,\n"+
		"f,2.00,2026-07-19 08:00:00,anna,more\n"+
		strings.Repeat("z", 80_000)+",2.00,2026-07-19 08:00:00,anna\n"+
		"\x00,2.00,2026-07-19 08:00:00,anna\n"+
		"last,2.00,2026-07-19 08:00:00,anna", l)
	require.Equal(t, []int{6, 8, 9, 10, 11, 12, 13, 14}, bad)
	require.Len(t, lines, 5)
	require.Equal(t, models.StatementLine{Line: 2, TransactionID: "a", Kind: models.Bet, Bet: 100, UserID: "anna",
		At: time.Date(2026, 11, 19, 7, 0, 0, 0, time.UTC)}, lines[0])
	require.Equal(t, models.TransactionID(`b "quoted", with a comma`), lines[1].TransactionID)
	require.Equal(t, time.Date(2026, 7, 19, 8, 0, 0, 123456000, time.UTC), lines[1].At)
	require.Equal(t, models.TransactionID("a space "), lines[2].TransactionID, "IDs are bytes")
	require.Equal(t, models.UserID(" anna"), lines[2].UserID)
	require.Equal(t, models.TransactionID(`x"y`), lines[3].TransactionID)
	require.EqualValues(t, 15, lines[4].Line)
}

// FuzzStatement reads any file: every line is read or reported by its number, and none twice.
func FuzzStatement(f *testing.F) {
	f.Add("id,amount\na,1.00\n")
	f.Add("id;amount\n\"a;1,00\n\xff\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := strings.NewReader(text)
		s, err := SampleStatement(t.Context(), file)
		if err != nil {
			return
		}
		r, err := NewStatementReader(t.Context(), file, s.GuessLayout("UTC"), false)
		if err != nil {
			return
		}
		for last := int64(1); ; {
			line, err := r.Next()
			var bad models.LineError
			number := line.Line
			switch {
			case err == io.EOF:
				return
			case errors.As(err, &bad):
				number = int64(bad.Line)
			case err != nil:
				t.Fatal(err)
			case models.CheckID(string(line.TransactionID)) != nil:
				t.Fatalf("%q is not an ID", line.TransactionID)
			}
			if number <= last {
				t.Fatalf("line %d after line %d", number, last)
			}
			last = number
		}
	})
}

// A client's statement has deposits and cash-outs, in the words of cashiers or of the API.
func TestCashLines(t *testing.T) {
	l := models.StatementLayout{Decimal: ".", Times: models.TimesISO, Zone: "UTC", Columns: map[models.StatementField]string{
		models.StatementTransaction: "id", models.StatementKind: "kind", models.StatementAmount: "amount", models.StatementStateOf: "state"}}
	lines, bad := readLines(t, "id,kind,amount,state\n1,deposit,1.00,deposited\n2,payout,2.00,paid\n3,cash-out,3.00,approved\n"+
		"4,return,2.00,\n5,deposit,1.00,lost\n6,bonus,1.00,paid\n7,bet-win,1.00,paid\n"+strings.Repeat("8", models.MaxCashID+1)+
		",deposit,1.00,paid\n", l, true)
	require.Equal(t, []int{6, 7, 8, 9}, bad, "an unknown state, an unknown kind, both in one, and an ID that no client can have")
	require.Len(t, lines, 4)
	for i, want := range []models.StatementLine{{Kind: models.CashIn, Win: 100, Standing: models.StandingApplied},
		{Kind: models.CashOut, Bet: 200, Standing: models.StandingApplied},
		{Kind: models.CashOut, Bet: 300, Standing: models.StandingRequested},
		{Kind: models.Rollback, NoAmount: true, Standing: models.StandingRolledBack}} {
		want.Line, want.TransactionID = int64(i+2), models.TransactionID(fmt.Sprint(i+1))
		require.Equal(t, want, lines[i])
	}
}

func TestStatementTimes(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	eight := time.Date(2026, 11, 19, 8, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		text string
		zone *time.Location
		want time.Time // zero if the text is refused
	}{
		{"2026/11/19 8:00", time.UTC, eight}, {"2026-11-19 8:00 am", time.UTC, eight},
		{"2026-11-19", time.UTC, eight.Add(-8 * time.Hour)}, {"2026-11-19 24:30", time.UTC, time.Time{}},
		{"2026-11-19 09:00:00 +01:00", time.UTC, eight}, {"2026-11-19T09:00:00+0100", time.UTC, eight},
		{"2026-11-19T08:00:00Z", vienna, eight}, {"2026-11-19 09:00:00", vienna, eight},
		{"2026-11-19 09:00:00 CET", vienna, time.Time{}}, // an abbreviation can mean several zones
		{"2026-10-25 00:59:59.9", vienna, time.Date(2026, 10, 24, 22, 59, 59, 900_000_000, time.UTC)},
	} {
		at, err := (&timeReader{shape: models.TimesISO, zone: row.zone}).parse(Cell{Text: row.text})
		if row.want.IsZero() {
			require.Error(t, err, "%s in %s: %s", row.text, row.zone, at)
		} else {
			require.NoError(t, err, "%s in %s", row.text, row.zone)
			require.Equal(t, row.want, at, "%s in %s", row.text, row.zone)
		}
	}
	at, err := (&timeReader{shape: models.TimesMonth, zone: time.UTC}).parse(Cell{Text: "11/19/2026 08:00:00 AM"})
	require.NoError(t, err)
	require.Equal(t, eight, at)
}

// TestStatementHeaderOfOneName refuses files without a line that can be the names of columns.
func TestStatementHeaderOfOneName(t *testing.T) {
	long := strings.Repeat("n", 300)
	for _, text := range []string{"", "\n\n", long + "," + long + "\n", "one\n"} {
		_, err := SampleStatement(t.Context(), strings.NewReader(text))
		require.ErrorIs(t, err, ErrHeader)
	}
}
