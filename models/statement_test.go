package models

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestStatementLayoutIsGuessed(t *testing.T) {
	for _, c := range []struct {
		text, delimiter, decimal string
		times                    TimeShape
		columns                  map[StatementField]string
	}{
		{"transactionID,roundID,amount,type,userID\na,r,12.30,Withdraw,anna\n", ",", ".", TimesISO,
			map[StatementField]string{StatementTransaction: "transactionID", StatementAmount: "amount", StatementKind: "type",
				StatementPlayer: "userID"}},
		{"\ufeffTx ID;Bet Amount;Win Amount;Created at\na;1.200,00;0,00;19.11.2026 08:00\n", ";", ",", TimesDayFirst,
			map[StatementField]string{StatementTransaction: "Tx ID", StatementBet: "Bet Amount", StatementWin: "Win Amount",
				StatementTime: "Created at"}},
		{"id\tvalue\ttimestamp\na\t-3\t1763539200000\n", "\t", ".", TimesUnixMilli,
			map[StatementField]string{StatementTransaction: "id", StatementAmount: "value", StatementTime: "timestamp"}},
		{"Txn Id;Player Login;Curr;Type;Amount;Created (UTC)\na;anna;EUR;Bet;1.00;2026-11-19 08:00:00\n", ";", ".", TimesISO,
			map[StatementField]string{
				StatementTransaction: "Txn Id", StatementPlayer: "Player Login", StatementCurrency: "Curr",
				StatementKind:   "Type",
				StatementAmount: "Amount", StatementTime: "Created (UTC)",
			}},
		{"id|amount|time\na|1|11/19/2026 08:00:00\n", "|", ".", TimesMonth,
			map[StatementField]string{StatementTransaction: "id", StatementAmount: "amount", StatementTime: "time"}},
	} {
		s, err := SampleStatement(strings.NewReader(c.text), "")
		require.NoError(t, err)
		l := s.GuessLayout("UTC")
		require.Equal(t, c.delimiter, l.Delimiter)
		require.Equal(t, c.decimal, l.Decimal, c.text)
		require.Equal(t, c.times, l.Times, c.text)
		require.Equal(t, c.columns, l.Columns)
		require.NoError(t, l.Check(s.Header))
	}
}

// readStatement returns the lines of a text, and the numbers of those that cannot be read.
func readStatement(t *testing.T, text string, l StatementLayout) (lines []StatementLine, bad []int) {
	t.Helper()
	r, err := NewStatementReader(strings.NewReader(text), l)
	require.NoError(t, err)
	for {
		line, err := r.Next()
		var wrong LineError
		switch {
		case errors.As(err, &wrong):
			bad = append(bad, wrong.Line)
		case err == io.EOF:
			require.EqualValues(t, len(text), r.Offset())
			return lines, bad
		default:
			require.NoError(t, err)
			lines = append(lines, line)
		}
	}
}

func TestStatementLines(t *testing.T) {
	l := StatementLayout{Delimiter: ",", Decimal: ".", Times: TimesISO, Zone: "Europe/Vienna",
		Columns: map[StatementField]string{
			StatementTransaction: "id", StatementAmount: "amount", StatementTime: "at", StatementPlayer: "who",
		}}
	lines, bad := readStatement(t, "id,amount,at,who\r\n"+
		"a,-1.00,2026-11-19 08:00:00,anna\r\n"+
		"\r\n"+
		`"b ""quoted"", with a comma",2.00,2026-07-19T08:00:00.123456Z,"ö"`+"\n"+
		"a space ,2.00,2026-07-19 08:00:00, anna\n"+
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
	require.Equal(t, StatementLine{Line: 2, TransactionID: "a", Kind: Bet, Bet: 100, UserID: "anna",
		At: time.Date(2026, 11, 19, 7, 0, 0, 0, time.UTC)}, lines[0])
	require.Equal(t, TransactionID(`b "quoted", with a comma`), lines[1].TransactionID)
	require.Equal(t, time.Date(2026, 7, 19, 8, 0, 0, 123456000, time.UTC), lines[1].At)
	require.Equal(t, TransactionID("a space "), lines[2].TransactionID, "IDs are bytes")
	require.Equal(t, UserID(" anna"), lines[2].UserID)
	require.Equal(t, TransactionID(`x"y`), lines[3].TransactionID)
	require.EqualValues(t, 15, lines[4].Line)
}

func TestStatementLayoutChecks(t *testing.T) {
	good := func() StatementLayout {
		return StatementLayout{Delimiter: ",", Decimal: ".", Times: TimesISO, Zone: "UTC",
			Columns: map[StatementField]string{StatementTransaction: "id", StatementAmount: "amount"}}
	}
	header := []string{"id", "amount", "twice", "twice", "bet"}
	l := good()
	require.NoError(t, l.Check(header))
	for part, change := range map[string]func(*StatementLayout){
		"delimiter": func(l *StatementLayout) { l.Delimiter = "x" }, "decimal": func(l *StatementLayout) { l.Decimal = "" },
		"times":       func(l *StatementLayout) { l.Times = "" },
		"zone":        func(l *StatementLayout) { l.Zone = "Local" },
		"transaction": func(l *StatementLayout) { delete(l.Columns, StatementTransaction) },
		"amount":      func(l *StatementLayout) { l.Columns[StatementBet] = "bet" },
		"player":      func(l *StatementLayout) { l.Columns[StatementPlayer] = "twice" },
		"time":        func(l *StatementLayout) { l.Columns[StatementTime] = "none" },
		"shoe":        func(l *StatementLayout) { l.Columns["shoe"] = "id" },
	} {
		l := good()
		change(&l)
		var wrong LayoutError
		require.ErrorAs(t, l.Check(header), &wrong, part)
		require.Equal(t, part, wrong.Part)
	}
}

// TestStatementLinesSurviveTheDisk writes lines as the sorter does and reads them back.
func TestStatementLinesSurviveTheDisk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []StatementLine
		var b []byte
		for range rapid.IntRange(0, 5).Draw(t, "lines") {
			l := StatementLine{
				Line: rapid.Int64Min(1).Draw(t, "line"), TransactionID: TransactionID(rapid.String().Draw(t, "id")),
				Kind: OperationKind(rapid.IntRange(0, 4).Draw(t, "kind")),
				Bet:  Amount(rapid.Int64().Draw(t, "bet")), Win: Amount(rapid.Int64().Draw(t, "win")),
				Standing: Standing(rapid.IntRange(0, 3).Draw(t, "standing")),
				UserID:   UserID(rapid.String().Draw(t, "user")),
				Currency: Currency(rapid.StringN(0, 8, 8).Draw(t, "currency")),
				NoAmount: rapid.Bool().Draw(t, "no amount"),
			}
			if rapid.Bool().Draw(t, "timed") {
				l.At = time.UnixMicro(rapid.Int64Range(1, 1<<50).Draw(t, "at")).UTC()
			}
			if rapid.Bool().Draw(t, "says") {
				free := rapid.Bool().Draw(t, "free")
				l.FreeSpin = &free
			}
			want, b = append(want, l), l.AppendBinary(b)
		}
		var got []StatementLine
		for r := bufio.NewReader(bytes.NewReader(b)); ; {
			l, err := ReadStatementLine(r)
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			got = append(got, l)
		}
		require.Equal(t, want, got)
	})
}

// FuzzStatement reads any file: every line is read or reported by its number, and none twice.
func FuzzStatement(f *testing.F) {
	f.Add("id,amount\na,1.00\n", ",")
	f.Add("id;amount\n\"a;1,00\n\xff\n", ";")
	f.Fuzz(func(t *testing.T, text, delimiter string) {
		s, err := SampleStatement(strings.NewReader(text), delimiter)
		if err != nil {
			return
		}
		l := s.GuessLayout("UTC")
		r, err := NewStatementReader(strings.NewReader(text), l)
		if err != nil {
			return
		}
		for last := int64(1); ; {
			line, err := r.Next()
			var bad LineError
			number := line.Line
			switch {
			case err == io.EOF:
				return
			case errors.As(err, &bad):
				number = int64(bad.Line)
			case err != nil:
				t.Fatal(err)
			case CheckID(string(line.TransactionID)) != nil:
				t.Fatalf("%q is not an ID", line.TransactionID)
			}
			if number <= last {
				t.Fatalf("line %d after line %d", number, last)
			}
			last = number
		}
	})
}

// TestStatementTimesThatAreNone refuses times that would be misread: with an unknown zone abbreviation, and a time of day that
// the clocks skipped.
func TestStatementTimesThatAreNone(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	eight := time.Date(2026, 11, 19, 8, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		text string
		zone *time.Location
		want time.Time // zero if the text is refused
	}{
		{"2026-11-19 08:00:00 UTC", vienna, eight},
		{"2026-11-19 08:00:00 GMT", vienna, eight},
		{"2026-11-19 09:00:00 CET", vienna, eight},
		{"2026-11-19 09:00:00 +0100", time.UTC, time.Time{}},
		{"2026-11-19 09:00:00 +01:00", time.UTC, eight},
		{"2026-11-19T09:00:00+0100", time.UTC, eight},
		{"2026-11-19 09:00:00", vienna, eight},
		{"2026-11-19 09:00:00 CET", time.UTC, time.Time{}},
		{"2026-11-19 03:00:00 EST", vienna, time.Time{}},
		{"2026-11-19 03:00:00 ABC", vienna, time.Time{}},
		{"2026-03-29 01:59:59.9", vienna, time.Date(2026, 3, 29, 0, 59, 59, 900_000_000, time.UTC)},
		{"2026-03-29 02:30:00", vienna, time.Time{}},
		{"2026-03-29 02:30:00", time.UTC, time.Date(2026, 3, 29, 2, 30, 0, 0, time.UTC)},
		{"2026-03-29 02:30:00+01:00", vienna, time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC)},
		{"2026-03-29 03:00:00", vienna, time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC)},
		{"2026-10-25 02:30:00", vienna, time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)},
	} {
		at, err := TimesISO.parse(row.text, row.zone)
		if row.want.IsZero() {
			require.Error(t, err, "%s in %s: %s", row.text, row.zone, at)
		} else {
			require.NoError(t, err, "%s in %s", row.text, row.zone)
			require.Equal(t, row.want, at, "%s in %s", row.text, row.zone)
		}
	}
	_, err = TimesDayFirst.parse("29.03.2026 02:30:00", vienna)
	require.ErrorContains(t, err, "skipped")
	at, err := TimesMonth.parse("10/25/2026 02:30:00 AM", vienna)
	require.NoError(t, err)
	require.Equal(t, time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC), at)
}

// TestStatementHeaderOfOneName refuses a first line that cannot be the names of columns.
func TestStatementHeaderOfOneName(t *testing.T) {
	long := strings.Repeat("n", 300)
	_, err := SampleStatement(strings.NewReader(long+",amount\na,1.00\n"), "")
	require.ErrorIs(t, err, ErrStatementHeader)
	_, err = NewStatementReader(strings.NewReader(long+",amount\na,1.00\n"), StatementLayout{
		Delimiter: ",", Decimal: ".", Times: TimesISO, Zone: "UTC",
		Columns: map[StatementField]string{StatementTransaction: long, StatementAmount: "amount"},
	})
	require.ErrorIs(t, err, ErrStatementHeader)
}

// TestPeriodsOfWholeDays parses periods with days on which the clocks change.
func TestPeriodsOfWholeDays(t *testing.T) {
	for _, c := range []struct{ zone, from, to, since, until string }{
		{"Europe/Vienna", "2026-10-25", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"},
		{"Africa/Cairo", "2024-04-25", "2024-04-26", "2024-04-24T22:00:00Z", "2024-04-26T21:00:00Z"},
		{"Africa/Cairo", "2024-04-26", "2024-04-26", "2024-04-25T22:00:00Z", "2024-04-26T21:00:00Z"},
		{"America/Havana", "2024-11-03", "2024-11-03", "2024-11-03T04:00:00Z", "2024-11-04T05:00:00Z"},
		{"America/Havana", "2024-11-02 12:00", "2024-11-02", "2024-11-02T16:00:00Z", "2024-11-03T04:00:00Z"},
		{"America/Santiago", "2024-09-07", "2024-09-07", "2024-09-07T04:00:00Z", "2024-09-08T04:00:00Z"},
		{"America/Santiago", "2024-09-08", "2024-09-08", "2024-09-08T04:00:00Z", "2024-09-09T03:00:00Z"},
	} {
		zone, err := time.LoadLocation(c.zone)
		require.NoError(t, err)
		since, until, err := ParsePeriod(c.from, c.to, zone)
		require.NoError(t, err)
		require.Equal(t, c.since, since.UTC().Format(time.RFC3339), "%s from %s", c.zone, c.from)
		require.Equal(t, c.until, until.UTC().Format(time.RFC3339), "%s to %s", c.zone, c.to)
	}
}

// TestCompareFarApart keeps the remedy of two amounts at either end of the range within the range.
func TestCompareFarApart(t *testing.T) {
	ours := &TransactionLine{Transaction: Transaction{TransactionID: "a", Kind: Bet, Bet: MaxAmount, State: Processed},
		Currency: "EUR"}
	c := Compare(ours, &StatementLine{TransactionID: "a", Kind: Win, Win: MaxAmount, Standing: StandingApplied})
	require.Equal(t, RemedyGiveBack, c.Remedy)
	require.Equal(t, MaxAmount, c.RemedyAmount)
}
