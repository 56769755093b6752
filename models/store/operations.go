package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"pitboss/models"
)

// Apply decides op and books what follows, durably, before it returns. A refusal is a Result with a Decline. An error means that there
// is no definite answer: op may have been applied or not, and the same op again is safe. ErrBusy and ErrClosed mean that it was not.
// ctx's deadline bounds all waiting and trying again.
func (s *Store) Apply(ctx context.Context, op models.Operation) (models.Result, error) {
	number, ok, err := s.wallets.find(ctx, s, op.UserID)
	if err != nil {
		return models.Result{}, err
	}
	if !ok {
		return models.Result{Decline: models.UnknownPlayer}, nil
	}
	m := &member{op: op, playerID: number}
	if err := s.road.apply(ctx, m); err != nil {
		return models.Result{}, fmt.Errorf("apply %s: %w", op.Kind, err)
	}
	return m.result, nil
}

// Balance reads what a player has now; false means that there is no such player.
func (s *Store) Balance(ctx context.Context, user models.UserID) (models.Balance, bool, error) {
	number, ok, err := s.wallets.find(ctx, s, user)
	if err != nil || !ok {
		return models.Balance{}, false, err
	}
	b, ok, err := s.road.balance(ctx, number)
	if err != nil {
		return models.Balance{}, false, fmt.Errorf("read balance: %w", err)
	}
	return b, ok, nil
}

// walletNumbers remembers which wallet belongs to a UserID, which never changes. Names that nobody has are not remembered.
type walletNumbers struct {
	known sync.Map // models.UserID -> int64
	count atomic.Int64
}

// knownWallets is how many names are remembered at most, some 100 bytes each.
const knownWallets = 1 << 20

func (w *walletNumbers) find(ctx context.Context, s *Store, user models.UserID) (int64, bool, error) {
	if n, ok := w.known.Load(user); ok {
		return n.(int64), true, nil
	}
	pool, err := s.read.DB()
	if err != nil {
		return 0, false, err
	}
	for try := 0; ; try++ {
		var number int64
		err := pool.QueryRowContext(ctx, "SELECT id FROM players WHERE user_id = ?", string(user)).Scan(&number)
		switch {
		case err == nil:
			if w.count.Load() < knownWallets {
				if _, loaded := w.known.LoadOrStore(user, number); !loaded {
					w.count.Add(1)
				}
			}
			return number, true, nil
		case errors.Is(err, sql.ErrNoRows):
			return 0, false, nil
		case !isDown(err) && !isContention(err) || !pause(ctx, try):
			return 0, false, fmt.Errorf("find player: %w", err)
		}
	}
}
