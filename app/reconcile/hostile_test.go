package reconcile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestHostileLines compares a file with hostile lines. Each of them is reported by its number, and nothing is compared: the
// transactions of lines that cannot be read would be reported as missing.
func TestHostileLines(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		line := func(id, kind, bet, win, state, user, currency, at, free string) string {
			return strings.Join([]string{id, kind, bet, win, state, user, currency, at, free}, ";")
		}
		good := func(id string) string {
			return line(id, "Withdraw", "1,00", "", "ok", "anna", "EUR", "19.11.2026 08:00:00", "no")
		}
		long := strings.Repeat("\u200b", 20_000)
		rows := []string{
			good("first"), // line 2
			line("currency", "Withdraw", "1,00", "", "ok", "anna", long, "19.11.2026 08:00:00", "no"),
			line("plain", "Withdraw", "1,00", "", "ok", "anna", strings.Repeat("A", 65_000), "19.11.2026 08:00:00", "no"),
			line(long, "Withdraw", "1,00", "", "ok", "anna", "EUR", "19.11.2026 08:00:00", "no"),
			line("user", "Withdraw", "1,00", "", "ok", long, "EUR", "19.11.2026 08:00:00", "no"),
			line("kind", long, "1,00", "", "ok", "anna", "EUR", "19.11.2026 08:00:00", "no"),
			line("state", "Withdraw", "1,00", "", long, "anna", "EUR", "19.11.2026 08:00:00", "no"),
			line("time", "Withdraw", "1,00", "", "ok", "anna", "EUR", long, "no"),
			line("flag", "Withdraw", "1,00", "", "ok", "anna", "EUR", "19.11.2026 08:00:00", long),
			line("amount", "Withdraw", strings.Repeat("9", 30_000), "", "ok", "anna", "EUR", "19.11.2026 08:00:00", "no"),
			line("formula", "=1+1", "1,00", "", "ok", "anna", "EUR", "19.11.2026 08:00:00", "no"),
			line("exponent", "Withdraw", "1e3", "", "ok", "anna", "EUR", "19.11.2026 08:00:00", "no"),
			line("wide", "Withdraw", "１２", "", "ok", "anna", "EUR", "19.11.2026 08:00:00", "no"),
			line("mill", "Withdraw", "0,001", "", "ok", "anna", "EUR", "19.11.2026 08:00:00", "no"),
			line("border", "Withdraw", "1000000000000,00", "", "ok", "anna", "EUR", "19.11.2026 08:00:00", "no"),
			"\xff\xfeU\x00T\x00F\x00",
			`"open` + strings.Repeat("x", 1<<20),
			strings.Repeat("10 MB", 2<<20),
			strings.Repeat("x;", 300),
			`"open;Withdraw`,
			";Withdraw;1,00;0,00;ok;anna;EUR;19.11.2026 10:00:00;no",
			"point;Withdraw;1.00;0,00;ok;anna;EUR;19.11.2026 10:00:00;no",
			"iso;Withdraw;1,00;0,00;ok;anna;EUR;2026-11-19 10:00:00;no",
			"\ufeff" + good("bom"),
			good("last"),
		}
		_, run := b.keep(header + "\n" + strings.Join(rows, "\n"))
		run, err := b.service.Compare(t.Context(), run.ID, nil)
		require.NoError(t, err)
		require.Equal(t, models.JobFailed, run.State)
		require.Contains(t, run.Failure, " of the file's lines cannot be read. The first is line 3: ")
		require.EqualValues(t, len(rows), run.Lines)
		var numbers []int
		for _, l := range run.Bad {
			numbers = append(numbers, l.Line)
			require.LessOrEqual(t, len(l.Why), 600, "line %d", l.Line)
		}
		var want []int
		for n := 3; n < 25; n++ {
			want = append(want, n)
		}
		require.Equal(t, want, numbers)
		require.Empty(t, b.found(run))
	})
}

// TestAttackStatementsFillTheDatabase uploads statements until there are as many as are kept.
func TestAttackStatementsFillTheDatabase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		large, _ := b.keep(header + "\n")
		b.exec("UPDATE statements SET file_bytes = ? WHERE id = ?", int64(models.MaxStatementBytes), large.ID)
		_, err := b.service.Keep(t.Context(), finance, 0, "one-more.csv", strings.NewReader(header+"\n"))
		require.ErrorIs(t, err, models.ErrStatementsFull)
		b.exec("UPDATE statements SET file_bytes = 1 WHERE id = ?", large.ID)
		_, err = b.service.Keep(t.Context(), finance, 0, "one-more.csv", strings.NewReader(header+"\n"))
		require.NoError(t, err)
	})
}

// TestManyCurrencies compares a file with a different currency on each line, which are more than a result has room for.
func TestManyCurrencies(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		var rows []string
		for n := range 1000 {
			rows = append(rows, fmt.Sprintf("c%d;Withdraw;1,00;;ok;anna;C%07d;19.11.2026 08:00:00;no", n, n))
		}
		_, run := b.keep(header + "\n" + strings.Join(rows, "\n"))
		run, err := b.service.Compare(t.Context(), run.ID, nil)
		require.NoError(t, err)
		require.Equal(t, models.JobFailed, run.State)
		require.Contains(t, run.Failure, "currencies")
	})
}

// TestNoLineCouldBeRead compares a file with the wrong layout. No line would match what was played here, and every bet and win
// would become a case. Instead the run has no result.
func TestNoLineCouldBeRead(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		for n := range 3 {
			b.ours = append(b.ours, b.played(n, since.Add(8*time.Hour)))
		}
		b.book()
		_, run := b.keep(header +
			"\na;Withdraw;1,00;;ok;anna;EUR;19.11.2025 08:00:00;no\nb;Withdraw;1,00;;ok;anna;EUR;19.11.2025 08:00:00;no\n")
		run, err := b.service.Compare(t.Context(), run.ID, nil)
		require.NoError(t, err)
		require.Equal(t, models.JobFailed, run.State)
		require.Contains(t, run.Failure, "None of the file's lines could be read")
		require.Len(t, run.Bad, 2, "the errors of the lines are listed all the same")
		cases, err := b.store.Cases(t.Context(), models.CaseFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Empty(t, cases.Rows)

		_, run = b.keep(header + "\n") // a statement without transactions is valid
		require.EqualValues(t, 3, b.compare(run).Differences+b.compare(run).Edges)
	})
}

// TestStatementOfStrangers compares a file with the wrong column of IDs. None of its transactions is ours, but what was played
// here does not become cases.
func TestStatementOfStrangers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		for n := range 20 {
			o := b.played(n, since.Add(8*time.Hour))
			o.reversed = false
			b.ours = append(b.ours, o)
			other := o
			other.id = fmt.Sprint("round-", n)
			b.rows = append(b.rows, other.row())
		}
		one := b.ours[7].row()
		b.book()
		_, run := b.keep(b.file())
		run, err := b.service.Compare(t.Context(), run.ID, nil)
		require.NoError(t, err)
		require.Equal(t, models.JobFailed, run.State)
		require.Contains(t, run.Failure, "column of transaction IDs")
		cases, err := b.store.Cases(t.Context(), models.CaseFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Empty(t, cases.Rows)

		b.rows = append(b.rows, one) // one is enough to show that it is a statement of ours
		_, run = b.keep(b.file())
		require.EqualValues(t, 20+19, b.compare(run).Differences)
	})
}
