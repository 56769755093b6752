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

// More writes what belongs to an operation besides the ledger, in the same transaction and after it. It runs again in each
// attempt; its Result is that of the attempt.
type More func(tx *gorm.DB, r models.Result) error

// ApplyWith does what Apply does. If more is not nil, the operation has an attempt of its own, with more.
func (s *Store) ApplyWith(ctx context.Context, op models.Operation, more More) (result models.Result, err error) {
	for number := int64(0); ; {
		number, err = s.wallets.find(ctx, op.UserID, number)
		if err == nil && number == 0 {
			result, err = models.Result{Decline: models.UnknownPlayer}, s.KeepRefused(ctx, op.Signed, op.Reading())
		} else if err == nil {
			result, err = s.ApplyTo(ctx, number, op, more)
		}
		if err != nil {
			return models.Result{}, err
		}
		if number == 0 || result.Decline != models.UnknownPlayer {
			return result, nil
		}
	}
}

// ApplyTo applies an operation to the wallet with this number, whatever the player's name is by now.
func (s *Store) ApplyTo(ctx context.Context, wallet int64, op models.Operation, more More) (models.Result, error) {
	c := newRequest(ctx, wallet, member{op: op, more: more})
	if op.Signed != "" {
		c.asks.digest = s.db.Chain.Signed(op.Signed)
	}
	var err error
	if more == nil {
		err = s.operations.waiting.wait(ctx, c)
	} else {
		c.patient = true // a person waits for the page, so it waits for the wallet's lock
		s.operations.settle([]*caller{c}, 0)
		<-c.done
		err = c.err
	}
	if err != nil {
		return models.Result{}, fmt.Errorf("apply %s to wallet %d: %w", op.Kind, wallet, err)
	}
	return c.asks.result, nil
}

// Settle applies one operation to each wallet, in tx, and returns the results, which are valid only once tx has been committed.
// It waits for wallets that another transaction has locked.
func (s *Store) Settle(ctx context.Context, tx *sql.Tx, wallets []int64, ops []models.Operation) ([]models.Result, error) {
	group, results := make([]*caller, len(ops)), make([]models.Result, len(ops))
	for i, op := range ops {
		group[i] = newRequest(ctx, wallets[i], member{op: op})
		group[i].patient = true
	}
	packet := &db.Packet{Tx: tx}
	err := s.transact(ctx, packet, group)
	if err == nil {
		err = packet.Send(ctx)
	}
	for i, c := range group {
		results[i] = c.asks.result
	}
	return results, err
}

// writeMore runs what belongs to an operation besides the ledger and then writes its audit events, because the head of the
// audit log is locked last.
func (s *Store) writeMore(ctx context.Context, conn *sql.Conn, m *member) error {
	recorded, collected := db.Recording(ctx)
	tx := s.db.Write.WithContext(recorded)
	tx.Statement.ConnPool = conn
	if err := s.db.TakeTurn(tx, collected, true); err != nil {
		return err
	}
	if err := m.more(tx, m.result); err != nil {
		return err
	}
	return s.db.WriteAudit(tx, collected)
}

// Balance returns a player's current balance, or false if there is no such player. It is the answer to a GetBalance, whose text
// is kept if there is no such player: the name may contain an amount, so the text may be that of a Deposit.
func (s *Store) Balance(ctx context.Context, user models.UserID) (b models.Balance, found bool, err error) {
	for number := int64(0); !found; {
		if number, err = s.wallets.find(ctx, user, number); err != nil || number == 0 {
			break
		}
		r := newRequest(ctx, 0, walletBalance{player: number})
		if err = s.reader.waiting.wait(ctx, r); err != nil {
			return b, false, fmt.Errorf("read balance of wallet %d: %w", number, err)
		}
		b, found = r.asks.balance, r.asks.found
	}
	if err == nil && !found {
		err = s.KeepRefused(ctx, string(user),
			models.Reading{Kind: models.OperationKind(models.GetBalance), UserLength: len(user)})
	}
	return b, found, err
}

// walletBalance is a question for a player's balance and its answer.
type walletBalance struct {
	player  int64
	balance models.Balance
	found   bool
}

// walletNumbers caches which wallet belongs to a UserID. A name can only move to another player in one way: the player is
// erased, which marks the wallet forever, and a new player gets the same name. Whoever locks or reads the wallet sees that mark
// in the same row, so an outdated entry costs a second lookup and never affects another player's money. Unknown names are not
// cached. Names that are needed at the same time are looked up together.
type walletNumbers struct {
	known  sync.Map // models.UserID -> int64
	count  atomic.Int64
	lookUp groupCommit[walletNumber]
}

// walletNumber is a question for the wallet of a name and its answer.
type walletNumber struct {
	user   models.UserID
	number int64
	found  bool
}

// knownWallets is how many names are cached at most, at about 100 bytes each.
const knownWallets = 1 << 20

// find returns the number of the user's wallet, or 0 if nobody has the name. Whoever finds that the player of a wallet has been
// erased asks again with its number, erased, which is then looked up and not returned again.
func (w *walletNumbers) find(ctx context.Context, user models.UserID, erased int64) (int64, error) {
	if erased != 0 && w.known.CompareAndDelete(user, erased) {
		w.count.Add(-1)
	}
	if n, ok := w.known.Load(user); ok && n.(int64) != erased {
		return n.(int64), nil
	}
	r := newRequest(ctx, 0, walletNumber{user: user})
	if err := w.lookUp.waiting.wait(ctx, r); err != nil {
		return 0, fmt.Errorf("find player: %w", err)
	}
	if !r.asks.found || r.asks.number == erased {
		return 0, nil
	}
	if w.count.Load() < knownWallets {
		if _, loaded := w.known.LoadOrStore(user, r.asks.number); !loaded {
			w.count.Add(1)
		}
	}
	return r.asks.number, nil
}

// findNumbers looks up the wallets of all callers' names with one statement.
func (s *Store) findNumbers(ctx context.Context, group []*request[walletNumber]) error {
	users := make([]string, len(group))
	for i, r := range group {
		users[i] = string(r.asks.user)
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
		r.asks.number, r.asks.found = numbers[r.asks.user]
	}
	return nil
}

// readBalances reads the balances of all callers with one statement.
func (s *Store) readBalances(ctx context.Context, group []*request[walletBalance]) error {
	numbers := make([]int64, len(group))
	for i, r := range group {
		numbers[i] = r.asks.player
	}
	found := make(map[int64]models.Balance, len(group))
	var q db.Statement
	q.Add("SELECT player_id, balance_minor, currency FROM wallets WHERE erased = 0 AND player_id IN (?)", numbers)
	err := q.Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
		var player int64
		var b models.Balance
		var currency string
		if err := rows.Scan(&player, (*int64)(&b.Amount), &currency); err != nil {
			return err
		}
		b.Currency = models.Currency(currency)
		found[player] = b
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range group {
		r.asks.balance, r.asks.found = found[r.asks.player]
	}
	return nil
}

// afterRead repeats reads while the database is unavailable.
func afterRead[T any](counts db.Retries) func([]*request[T], error, int) step {
	return func(_ []*request[T], err error, _ int) step {
		if !db.IsDown(err) && !db.IsContention(err) {
			return fail
		}
		counts.Count("reads", err)
		return again
	}
}
