package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"

	"pitboss/models"
)

// Apply decides op and books what follows, durably, before it returns. A refusal is a Result with a Decline. An error means that there
// is no definite answer: op may have been applied or not, and the same op again is safe. ErrBusy and ErrClosed mean that it was not.
// ctx's deadline bounds all waiting and trying again.
func (s *Store) Apply(ctx context.Context, op models.Operation) (models.Result, error) {
	number, ok, err := s.wallets.find(ctx, op.UserID)
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
	number, ok, err := s.wallets.find(ctx, user)
	if err != nil || !ok {
		return models.Balance{}, false, err
	}
	b, ok, err := s.road.balance(ctx, number)
	if err != nil {
		return models.Balance{}, false, fmt.Errorf("read balance: %w", err)
	}
	return b, ok, nil
}

// walletNumbers remembers which wallet belongs to a UserID, which never changes. Names that nobody has are not remembered. Those that are
// asked for together are looked up together.
type walletNumbers struct {
	known  sync.Map // models.UserID -> int64
	count  atomic.Int64
	lookUp *gatherer[walletNumber]
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
	var q statement
	q.begin("SELECT id, user_id FROM players WHERE user_id IN (").strings(users).text(")")
	err := q.query(ctx, s.pools.read, func(rows *sql.Rows) error {
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
