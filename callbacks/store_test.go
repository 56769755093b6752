package callbacks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// written is what the ledger contains, including the players' opening balances.
type written struct{ entries, spins, transactions, tombstones int64 }

func (w written) minus(before written) written {
	return written{w.entries - before.entries, w.spins - before.spins, w.transactions - before.transactions,
		w.tombstones - before.tombstones}
}

// database is a store in which tests can create players and count rows.
type database struct{ *store.Store }

// newStore opens an empty store, for tests of HTTP that need some store.
func newStore(t testing.TB) database {
	return database{storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite)})}
}

func (d database) create(t testing.TB, user models.UserID, balance models.Amount) {
	_, err := d.CreatePlayer(t.Context(), tester, models.NewPlayer{UserID: user, Currency: "EUR", Balance: balance})
	require.NoError(t, err)
}

func (d database) block(t testing.TB, user models.UserID, blocked bool) {
	if storetest.Release(t, d.Store, user); blocked {
		storetest.Restrict(t, d.Store, user)
	}
}

// count also verifies the ledger.
func (d database) count(t testing.TB) written {
	v, err := d.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, v.Faulty)
	return written{v.Entries, v.SpinEntries, v.Transactions, v.Tombstones}
}

var tester = models.Actor{Name: "tester"}
