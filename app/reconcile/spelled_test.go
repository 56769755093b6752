package reconcile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// One transaction under two spellings is one difference without a credit, each side counts in its own currency, and nobody who
// was erased is named again.
func TestSpellingsCurrenciesAndErasedPlayers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		b.later(since.Add(10 * time.Hour).Sub(b.now()))
		ctx := t.Context()
		_, err := b.store.CreatePlayer(ctx, finance, models.NewPlayer{UserID: "ann", Currency: "EUR", Balance: 10_000})
		require.NoError(t, err)
		gone, err := b.store.CreatePlayer(ctx, finance, models.NewPlayer{UserID: "gone", Currency: "EUR"})
		require.NoError(t, err)
		for _, op := range []models.Operation{
			{Kind: models.Win, UserID: "ann", TransactionID: "Win-7", RoundID: "r", Win: 1050},
			{Kind: models.Bet, UserID: "ann", TransactionID: "bet", RoundID: "r", Bet: 200},
		} {
			op.Source = models.SourcePlatform
			result, err := b.store.Apply(ctx, op)
			require.NoError(t, err)
			require.Equal(t, models.None, result.Decline)
		}
		storetest.Restrict(t, b.store, gone.UserID)
		_, err = b.store.ErasePlayer(ctx, finance, "gone", "asked to")
		require.NoError(t, err)
		const at = "19.11.2026 10:00:00"
		_, run := b.keep(header + "\n" + strings.Join([]string{
			"'win-7;Deposit;;10,50;ok;ann;EUR;" + at + ";no",
			"bet;Withdraw;2,00;;ok;ann;TRY;" + at + ";no",
			"lost;Deposit;;5,00;ok;gone;EUR;" + at + ";no",
		}, "\n") + "\n")
		run = b.compare(run)
		require.Equal(t, models.JobFinished, run.State, run.Failure)
		require.EqualValues(t, 1, run.Erased)
		found := b.found(run)
		require.Len(t, found, 2)
		require.Equal(t, models.TransactionID("'win-7"), found["Win-7"].TheirID)
		for id, words := range map[string]string{"Win-7": `the transaction ID: platform "'win-7", here "Win-7"`,
			"bet": "the currency: platform TRY, here EUR"} {
			d := found[id]
			require.Equal(t, words, d.Words())
			require.Equal(t, models.RemedyLook, d.Remedy)
			require.Zero(t, d.RemedyAmount)
		}
		sums := map[models.Currency]models.StatementSum{}
		for _, s := range run.Sums {
			if s.Bucket == models.AmountDiffers {
				sums[s.Currency] = s
			}
		}
		require.Equal(t, models.BookSum{Turnover: models.Amount(200)}, sums["TRY"].Theirs)
		require.Equal(t, models.BookSum{Payout: models.Amount(1050)}, sums["EUR"].Theirs)
		require.Equal(t, models.BookSum{Turnover: models.Amount(200), Payout: models.Amount(1050)}, sums["EUR"].Ours)
		cases, err := b.store.Cases(ctx, models.CaseFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, cases.Rows, 2, "nobody who was erased has a case")
	})
}

// A file whose IDs are in capitals is matched once the layout ignores the case. Before, IDs that differ only in it are said
// once, without cases, and a file without any other ID fails with what to do.
func TestCaseOfIDs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		b := open(t, url)
		b.later(since.Add(10 * time.Hour).Sub(b.now()))
		ctx := t.Context()
		_, err := b.store.CreatePlayer(ctx, finance, models.NewPlayer{UserID: "ann", Currency: "EUR", Balance: 10_000})
		require.NoError(t, err)
		var lines []string
		for _, id := range []models.TransactionID{"plain", "Mixed-Case", "b2", "b1", "b3"} {
			result, err := b.store.Apply(ctx, models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: "ann", TransactionID: id,
				RoundID: "r", Bet: 200})
			require.NoError(t, err)
			require.Equal(t, models.None, result.Decline)
			lines = append(lines, string(id)+";Withdraw;2,00;;ok;ann;EUR;19.11.2026 10:00:00;no")
		}
		compare := func(ignore bool, lines ...string) models.StatementRun {
			t.Helper()
			st, err := b.service.Keep(ctx, finance, 0, "day.csv", strings.NewReader(header+"\n"+strings.Join(lines, "\n")+"\n"))
			require.NoError(t, err)
			st.Layout.Zone, st.Layout.IgnoreCase, st.Since, st.Until = "Europe/Vienna", ignore, since, until
			run, err := b.service.Compare(ctx, b.ask(st).ID, nil)
			require.NoError(t, err)
			return run
		}
		upper := func(lines ...string) (list []string) {
			for _, line := range lines {
				id, rest, _ := strings.Cut(line, ";")
				list = append(list, strings.ToUpper(id)+";"+rest)
			}
			return list
		}
		cases := func() int {
			list, err := b.store.Cases(ctx, models.CaseFilter{Span: models.Span{Limit: 100}})
			require.NoError(t, err)
			return len(list.Rows)
		}
		some := compare(false, append(upper(lines[1:]...), lines[0])...)
		require.Equal(t, models.JobFinished, some.State, some.Failure)
		require.EqualValues(t, 0, some.Differences)
		require.EqualValues(t, 4, some.Respelled)
		require.Zero(t, cases())
		all := compare(false, upper(lines...)...)
		require.Equal(t, models.JobFailed, all.State)
		require.Contains(t, all.Failure, "only in case: B1 is b1 here")
		require.Zero(t, cases())
		ignoring := compare(true, append(upper(lines...), "NEW;Withdraw;2,00;;ok;ann;EUR;19.11.2026 10:00:00;no")...)
		require.Equal(t, models.JobFinished, ignoring.State, ignoring.Failure)
		require.EqualValues(t, 0, ignoring.Respelled)
		require.EqualValues(t, 1, ignoring.Differences)
		require.Contains(t, b.found(ignoring), "NEW")
		require.Equal(t, 1, cases())
	})
}
