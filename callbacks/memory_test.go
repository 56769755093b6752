package callbacks_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// testStore is a store in which tests can create players and count rows.
type testStore interface {
	callbacks.Store
	create(t testing.TB, user models.UserID, balance models.Amount)
	block(t testing.TB, user models.UserID, blocked bool)
	count(t testing.TB) written
}

// written is what the ledger contains, including the players' opening balances.
type written struct{ entries, spins, transactions, tombstones int64 }

func (w written) minus(before written) written {
	return written{w.entries - before.entries, w.spins - before.spins, w.transactions - before.transactions,
		w.tombstones - before.tombstones}
}

// memory is a testStore without a database, for tests of HTTP only.
type memory struct {
	mu           sync.Mutex
	chain        *models.Chain
	wallets      map[models.UserID]*models.Wallet
	transactions map[transactionKey]*models.Transaction
	tombstones   map[models.Tombstone]bool
	entries      int64
	spins        int64
}

type transactionKey struct {
	source models.Source
	id     models.TransactionID
}

func newMemory() *memory {
	return &memory{
		chain: models.NewChain(nil), wallets: map[models.UserID]*models.Wallet{},
		transactions: map[transactionKey]*models.Transaction{}, tombstones: map[models.Tombstone]bool{},
	}
}

func (m *memory) create(t testing.TB, user models.UserID, balance models.Amount) {
	m.mu.Lock()
	m.wallets[user] = &models.Wallet{PlayerID: int64(len(m.wallets) + 1), Currency: "EUR"}
	m.mu.Unlock()
	r, err := m.Apply(t.Context(), models.Operation{
		Source: models.SourceOwn, Kind: models.Opening, UserID: user, TransactionID: models.TransactionID("opening " + user),
		Win: balance,
	})
	require.NoError(t, err)
	require.Equal(t, models.None, r.Decline)
}

func (m *memory) block(_ testing.TB, user models.UserID, blocked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wallets[user].PlayFrom = time.Time{}
	if blocked {
		m.wallets[user].PlayFrom = models.Permanent
	}
}

func (m *memory) count(testing.TB) written {
	m.mu.Lock()
	defer m.mu.Unlock()
	return written{m.entries, m.spins, int64(len(m.transactions)), int64(len(m.tombstones))}
}

func (m *memory) Apply(_ context.Context, op models.Operation) (models.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.wallets[op.UserID]
	if w == nil {
		return models.Result{Decline: models.UnknownPlayer}, nil
	}
	key, tombstone := transactionKey{op.Source, op.TransactionID},
		models.Tombstone{PlayerID: w.PlayerID, TransactionID: op.TransactionID}
	prior := m.transactions[key]
	o := models.Decide(models.State{Wallet: *w, Prior: prior, Tombstoned: m.tombstones[tombstone]}, op)
	if lines := o.Lines(); len(lines) > 0 {
		p := w.Post(m.chain, o.Posting(&op, prior, time.Time{}), lines)
		m.entries += p.Lines()
		if p.FreeSpin {
			w.AppendSpin(m.chain, models.SpinEntry{Kind: lines[0].Kind, TransactionID: op.TransactionID, RoundID: op.RoundID,
				Spins: lines[0].Spins, Stake: lines[0].Amount})
			m.spins++
		}
	}
	if o.Process {
		m.transactions[key] = &models.Transaction{
			Source: op.Source, TransactionID: op.TransactionID, PlayerID: w.PlayerID, Kind: op.Kind, RoundID: op.RoundID,
			Bet: op.Bet, Win: op.Win, FreeSpin: op.FreeSpin, State: models.Processed,
		}
	}
	if o.Reverse {
		prior.State = models.Reversed
	}
	if o.Tombstone {
		m.tombstones[tombstone] = true
	}
	return models.Result{
		Decline: o.Decline, OtherContents: o.OtherContents, Unexplained: o.Process && op.FreeSpin,
		Balance: models.Balance{Amount: w.Balance, Currency: w.Currency},
	}, nil
}

func (m *memory) KeepRefused(context.Context, string, models.Reading) error { return nil }

func (m *memory) Balance(_ context.Context, user models.UserID) (models.Balance, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.wallets[user]
	if w == nil {
		return models.Balance{}, false, nil
	}
	return models.Balance{Amount: w.Balance, Currency: w.Currency}, true, nil
}

// database is a testStore with a real database.
type database struct{ *store.Store }

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
