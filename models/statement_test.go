package models

import (
	"bufio"
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestStatementLayoutChecks(t *testing.T) {
	good := func() StatementLayout {
		return StatementLayout{Decimal: ".", Times: TimesISO, Zone: "UTC",
			Columns: map[StatementField]string{StatementTransaction: "id", StatementAmount: "amount"}}
	}
	header := []string{"id", "amount", "twice", "twice", "bet"}
	l := good()
	require.NoError(t, l.Check(header))
	for part, change := range map[string]func(*StatementLayout){
		"decimal":     func(l *StatementLayout) { l.Decimal = "" },
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
