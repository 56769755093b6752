package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// each runs fn on both engines, with batches and without.
func each(t *testing.T, fn func(t *testing.T, s *store.Store)) {
	storetest.Each(t, func(t *testing.T, url string) {
		for name, unbatched := range map[string]bool{"batched": false, "unbatched": true} {
			t.Run(name, func(t *testing.T) {
				fn(t, storetest.Open(t, store.Config{URL: url, LedgerKey: []byte("ledger key of the tests"), Unbatched: unbatched}))
			})
		}
	})
}

func create(t *testing.T, s *store.Store, user models.UserID, balance models.Amount) models.Player {
	t.Helper()
	p, err := s.CreatePlayer(t.Context(), models.Actor{Name: "tester"}, models.NewPlayer{UserID: user, Currency: "EUR", Balance: balance})
	require.NoError(t, err)
	return p
}

func apply(t *testing.T, s *store.Store, op models.Operation) models.Result {
	t.Helper()
	r, err := s.Apply(t.Context(), op)
	require.NoError(t, err)
	return r
}

func bet(user models.UserID, id models.TransactionID, stake models.Amount) models.Operation {
	return models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: user, TransactionID: id, RoundID: "r-" + models.RoundID(id), Bet: stake}
}

func rollback(user models.UserID, id models.TransactionID) models.Operation {
	return models.Operation{Source: models.SourcePlatform, Kind: models.Rollback, UserID: user, TransactionID: id}
}

func requireWhole(t *testing.T, s *store.Store) store.Verification {
	t.Helper()
	v, err := s.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, v.Faulty)
	return v
}

func TestApply(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		anna, bert := models.UserID("anna-"+t.Name()), models.UserID("bert-"+t.Name())
		create(t, s, anna, 10000)
		create(t, s, bert, 500)
		id := func(n string) models.TransactionID { return models.TransactionID(t.Name() + n) }

		require.Equal(t, models.Result{Balance: models.Balance{Amount: 7500, Currency: "EUR"}}, apply(t, s, bet(anna, id("1"), 2500)))
		require.Equal(t, models.Duplicate, apply(t, s, bet(anna, id("1"), 2500)).Decline)
		other := apply(t, s, bet(anna, id("1"), 2600))
		require.True(t, other.OtherContents)
		require.EqualValues(t, 7500, other.Balance.Amount)
		require.Equal(t, models.Duplicate, apply(t, s, bet(bert, id("1"), 2500)).Decline, "one key space over all players")
		require.Equal(t, models.InsufficientFunds, apply(t, s, bet(bert, id("2"), 501)).Decline)
		require.Equal(t, models.None, apply(t, s, bet(bert, id("2"), 500)).Decline, "a refused one may come again")
		require.Equal(t, models.NotFound, apply(t, s, rollback(bert, id("1"))).Decline, "not bert's")
		require.Equal(t, models.None, apply(t, s, rollback(anna, id("1"))).Decline)
		require.Equal(t, models.RolledBack, apply(t, s, rollback(anna, id("1"))).Decline)
		require.Equal(t, models.RolledBack, apply(t, s, bet(bert, id("1"), 1)).Decline, "whatever asks")
		require.Equal(t, models.NotFound, apply(t, s, rollback(anna, id("3"))).Decline)
		require.Equal(t, models.NotFound, apply(t, s, rollback(anna, id("3"))).Decline)
		require.Equal(t, models.RolledBack, apply(t, s, bet(anna, id("3"), 100)).Decline, "the late original")
		require.Equal(t, models.None, apply(t, s, bet(bert, id("3"), 0)).Decline, "another player's original")
		require.Equal(t, models.UnknownPlayer, apply(t, s, bet("Anna", id("4"), 100)).Decline)

		b, ok, err := s.Balance(t.Context(), anna)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, models.Balance{Amount: 10000, Currency: "EUR"}, b)
		v := requireWhole(t, s)
		require.True(t, v.Keyed)
	})
}
