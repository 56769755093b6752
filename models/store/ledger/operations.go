package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Apply decides op and commits it before it returns. A refusal is a Result with a Decline. After an error the outcome is
// unknown, and applying the same op again is safe; after ErrBusy and ErrClosed nothing was applied. ctx's deadline limits all
// waiting and retrying.
func (s *Store) Apply(ctx context.Context, op models.Operation) (models.Result, error) {
	return s.ApplyWith(ctx, op, nil)
}

// More writes what belongs to an operation besides the ledger, in its transaction and after it was decided; see Member.More.
type More func(tx *gorm.DB, r models.Result) error

// ApplyWith does what Apply does, in an attempt of its own with what more writes besides the ledger (Member.More). more may be
// nil.
func (s *Store) ApplyWith(ctx context.Context, op models.Operation, more More) (models.Result, error) {
	result, digest := models.Result{Decline: models.UnknownPlayer}, models.SignedDigest{}
	if op.Signed != "" {
		digest = s.db.Chain.Signed(op.Signed)
	}
	err := s.wallets.try(ctx, op.UserID, func(number int64) (bool, error) {
		m := &Member{Op: op, PlayerID: number, digest: digest}
		apply := s.apply
		if more != nil {
			m.More = func(tx *gorm.DB) error { return more(tx, m.Result) }
			apply = s.ApplyAlone
		}
		if err := apply(ctx, m); err != nil {
			return false, fmt.Errorf("apply %s to wallet %d: %w", op.Kind, number, err)
		}
		result = m.Result
		return result.Decline != models.UnknownPlayer, nil
	})
	if err == nil && result.Decline == models.UnknownPlayer {
		err = s.KeepRefused(ctx, op.Signed, op.Reading())
	}
	if err != nil {
		return models.Result{}, err
	}
	return result, nil
}

// Balance returns a player's current balance, or false if there is no such player. It is the answer to a GetBalance, whose text
// is kept if there is no such player: the name may contain an amount, so the text may be that of a Deposit.
func (s *Store) Balance(ctx context.Context, user models.UserID) (b models.Balance, found bool, err error) {
	err = s.wallets.try(ctx, user, func(number int64) (bool, error) {
		if b, found, err = s.balance(ctx, number); err != nil {
			return false, fmt.Errorf("read balance of wallet %d: %w", number, err)
		}
		return found, nil
	})
	if err == nil && !found {
		err = s.KeepRefused(ctx, string(user),
			models.Reading{Kind: models.OperationKind(models.GetBalance), UserLength: len(user)})
	}
	return b, found, err
}

// walletNumbers caches which wallet belongs to a UserID. A name can only move to another player in one way: the player is
// erased, which marks the wallet forever, and a new player gets the same name. Whoever locks or reads the wallet sees that mark
// in the same row, so an outdated entry costs a second lookup and never affects another player's money. Unknown names are not
// cached. Names that are needed at the same time are looked up together.
type walletNumbers struct {
	known  sync.Map // models.UserID -> int64
	count  atomic.Int64
	lookUp *queue[walletNumber]
}

// try calls use with the number of the user's wallet. If use reports that the wallet's player has been erased, it looks the
// name up again and calls use with the new number. If nobody has the name, it returns without calling use.
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

// walletNumber is a question for the wallet of a name and its answer.
type walletNumber struct {
	user   models.UserID
	number int64
	found  bool
}

// knownWallets is how many names are cached at most, at about 100 bytes each.
const knownWallets = 1 << 20

func (w *walletNumbers) find(ctx context.Context, user models.UserID) (int64, bool, error) {
	if n, ok := w.known.Load(user); ok {
		return n.(int64), true, nil
	}
	r := newRequest[walletNumber](ctx, 0)
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

// findNumbers looks up the wallets of all callers' names with one statement.
func (s *Store) findNumbers(ctx context.Context, group []*request[walletNumber]) error {
	users := make([]string, len(group))
	for i, r := range group {
		users[i] = string(r.value.user)
	}
	numbers := make(map[models.UserID]int64, len(group))
	var q db.Statement
	q.Add("SELECT p.id, p.user_id FROM players p JOIN wallets w ON w.player_id = p.id WHERE w.erased = 0 AND p.user_id IN (?)", users)
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
