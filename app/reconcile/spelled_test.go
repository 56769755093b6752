package reconcile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
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
