package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Apply decides op and books what follows, durably, before it returns. A refusal is a Result with a Decline. An error means
// that there is no definite answer: op may have been applied or not, and the same op again is safe. ErrBusy and ErrClosed mean
// that it was not. ctx's deadline bounds all waiting and trying again.
func (s *Store) Apply(ctx context.Context, op models.Operation) (models.Result, error) {
	result := models.Result{Decline: models.UnknownPlayer}
	err := s.wallets.try(ctx, op.UserID, func(number int64) (bool, error) {
		m := &Member{Op: op, PlayerID: number}
		if err := s.applier.apply(ctx, m); err != nil {
			return false, fmt.Errorf("apply %s: %w", op.Kind, err)
		}
		result = m.Result
		return result.Decline != models.UnknownPlayer, nil
	})
	if err == nil && result.Decline == models.UnknownPlayer {
		err = s.keepUnknown(ctx, &op)
	}
	if err != nil {
		return models.Result{}, err
	}
	return result, nil
}

// Balance reads what a player has now; false means that there is no such player.
func (s *Store) Balance(ctx context.Context, user models.UserID) (b models.Balance, found bool, err error) {
	err = s.wallets.try(ctx, user, func(number int64) (bool, error) {
		if b, found, err = s.applier.balance(ctx, number); err != nil {
			return false, fmt.Errorf("read balance: %w", err)
		}
		return found, nil
	})
	return b, found, err
}

// walletNumbers remembers which wallet belongs to a UserID, as a hint. A name changes hands in one way only: a player is
// erased, which marks the wallet for good, and another player is made under the same name. Whoever locks or reads the wallet
// sees that mark in the same row, so an outdated hint costs a second look and never reaches another player's money, and a
// current one costs no statement. Names that nobody has are not remembered. Those that are asked for together are looked up
// together.
type walletNumbers struct {
	known  sync.Map // models.UserID -> int64
	count  atomic.Int64
	lookUp *queue[walletNumber]
}

// try calls use with the number of the user's wallet, and again with a fresh one while use reports that the wallet's player has
// been erased and another player has the name. It calls nothing where nobody has the name.
func (w *walletNumbers) try(ctx context.Context, user models.UserID, use func(number int64) (current bool, err error)) error {
	for last := int64(0); ; {
		number, found, err := w.find(ctx, user)
		if err != nil || !found || number == last {
			return err
		}
		current, err := use(number)
		if err != nil || current {
			return err
		}
		if w.known.CompareAndDelete(user, number) {
			w.count.Add(-1)
		}
		last = number
	}
}

// walletNumber is asked for by name and answered where a player has it.
type walletNumber struct {
	user   models.UserID
	number int64
	found  bool
}

// knownWallets is how many names are remembered at most, some 100 bytes each.
const knownWallets = 1 << 20

func (w *walletNumbers) find(ctx context.Context, user models.UserID) (int64, bool, error) {
	if n, ok := w.known.Load(user); ok {
		return n.(int64), true, nil
	}
	r := newRequest[walletNumber](ctx)
	r.value.user = user
	if err := w.lookUp.wait(ctx, r); err != nil {
		return 0, false, fmt.Errorf("find player: %w", err)
	}
	if r.value.found && w.count.Load() < knownWallets {
		if _, loaded := w.known.LoadOrStore(user, r.value.number); !loaded {
			w.count.Add(1)
		}
	}
	return r.value.number, r.value.found, nil
}

// findNumbers looks up the wallets of all names that are asked for in one statement.
func (s *Store) findNumbers(ctx context.Context, group []*request[walletNumber]) error {
	users := make([]string, len(group))
	for i, r := range group {
		users[i] = string(r.value.user)
	}
	numbers := make(map[models.UserID]int64, len(group))
	var q db.Statement
	q.Begin("SELECT p.id, p.user_id FROM players p JOIN wallets w ON w.player_id = p.id WHERE w.erased = 0 AND p.user_id IN (").
		Strings(users).Text(")")
	err := q.Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
		var id int64
		var user string
		if err := rows.Scan(&id, &user); err != nil {
			return err
		}
		numbers[models.UserID(user)] = id
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range group {
		r.value.number, r.value.found = numbers[r.value.user]
	}
	return nil
}
