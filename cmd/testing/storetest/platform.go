package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/ledger"
)

var CrashPlayers = []models.UserID{"anna", "bert", "carl", "dora"}

// Platform repeats each operation until it gets a definite answer, as the platform does, and counts the answers.
type Platform struct {
	S        *store.Store
	mu       sync.Mutex
	Applied  map[models.TransactionID]models.Operation
	answers  atomic.Int64
	failures atomic.Int64
}

// play applies ops in order. Only a repeated operation may be answered as a duplicate or as already rolled back.
func (p *Platform) play(ctx context.Context, ops func(i int) models.Operation) error {
	for i := 0; ctx.Err() == nil; i++ {
		op := ops(i)
		for repeated := false; ; repeated = true {
			wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2500*time.Millisecond)
			r, err := p.S.Apply(wait, op)
			cancel()
			if err != nil {
				if errors.Is(err, ledger.ErrClosed) {
					return err
				}
				p.failures.Add(1)
				continue
			}
			again := models.Duplicate
			if op.Kind == models.Rollback {
				again = models.RolledBack
			}
			if r.Decline != models.None && (!repeated || r.Decline != again) {
				return fmt.Errorf("%s %s: %s (repeated: %v)", op.Kind, op.TransactionID, r.Decline, repeated)
			}
			break
		}
		p.mu.Lock()
		switch op.Kind {
		case models.Rollback, models.CashReturned:
			delete(p.Applied, op.TransactionID)
		case models.CashPaid:
		default:
			p.Applied[op.TransactionID] = op
		}
		p.mu.Unlock()
		p.answers.Add(1)
	}
	return nil
}

// Play has several workers play a mix of operations for each of the players. It returns a function that stops play and waits
// for its end. Each worker books bets, wins, bets with wins and free spins and rolls back every fourth. It also books deposits
// and cash-outs, pays half of the cash-outs, and returns the rest.
func (p *Platform) Play(t testing.TB, players []models.UserID, workers int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	for w := range workers {
		done.Go(func() {
			user := players[w%len(players)]
			err := p.play(ctx, func(i int) models.Operation {
				id := models.TransactionID(fmt.Sprintf("w%d-%d", w, i))
				switch i % 8 {
				case 0:
					return Bet(user, id, 7)
				case 1:
					return Win(user, id, 5)
				case 2:
					return BetWin(user, id, 3, 4)
				case 3:
					return FreeSpin(user, id, 11)
				}
				switch i % 8 {
				case 5:
					return Cash(user, string(id), 9).Deposit()
				case 6:
					return Cash(user, string(id), 4).CashOut()
				case 7:
					how := []models.OperationKind{models.CashPaid, models.CashReturned}[i/8%2]
					return models.Operation{Source: models.SourceClient, Kind: how, UserID: user,
						TransactionID: CashID(fmt.Sprintf("w%d-%d", w, i-1))}
				}
				return Rollback(user, models.TransactionID(fmt.Sprintf("w%d-%d", w, i-1-(i/8)%4)))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	return func() {
		cancel()
		done.Wait()
	}
}

// Await waits until the platform has had this many more answers.
func (p *Platform) Await(t testing.TB, more int64) {
	t.Helper()
	from := p.answers.Load()
	require.Eventually(t, func() bool { return p.answers.Load() >= from+more || t.Failed() }, 3*Patience, 5*time.Millisecond,
		"no answers came")
}

// RequireBooks compares balances and transactions with the answers that the platform got.
func (p *Platform) RequireBooks(t testing.TB, db *sql.DB, players []models.UserID, opening models.Amount) {
	t.Helper()
	want := map[models.UserID]models.Amount{}
	for _, op := range p.Applied {
		if !op.FreeSpin {
			want[op.UserID] += op.Win - op.Bet
		}
	}
	for _, user := range players {
		require.Equal(t, opening+want[user], Balance(t, p.S, user), user)
	}
	var standing int
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT COALESCE(SUM(3 - 2 * claim), 0) FROM postings "+
		"WHERE source IN (1, 3) AND kind <> 9").
		Scan(&standing))
	require.Equal(t, len(p.Applied), standing)
	RequireWhole(t, p.S)
}
