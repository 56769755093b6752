package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Group commit: operations that arrive at about the same time share one transaction and its flush of the log. While one batch
// commits, the next one fills; an operation that finds no batch under way starts one at once. Each caller is answered after the
// commit, even with a refusal, because that may depend on other operations of the batch.
//
// There are two committers, so that one runs its statements while the other waits for its flush; SQLite has one writer, and so
// one. A committer never waits for a wallet. Operations whose wallet another transaction has locked are set aside, and so are
// those of a batch that failed twice: workers with at most half of the connections settle them wallet by wallet, and then one
// by one, so that no operation stops the others. While the database is unavailable, a batch is repeated until the callers'
// deadlines.

// walletBalance is a question for a player's balance and its answer.
type walletBalance struct {
	player  int64
	balance models.Balance
	found   bool
}

func (s *Store) apply(ctx context.Context, m *Member) error {
	r := newRequest[struct{}](ctx, m.PlayerID)
	r.Member = m
	return s.committers.wait(ctx, r)
}

// ApplyAlone applies an operation with More in an attempt of its own. It waits for the wallet's lock, because a person waits
// for the page.
func (s *Store) ApplyAlone(ctx context.Context, m *Member) error {
	m.patient = true
	r := newRequest[struct{}](ctx, m.PlayerID)
	r.Member = m
	s.settleGroup([]*request[struct{}]{r}, 0)
	<-r.done
	return r.err
}

func (s *Store) balance(ctx context.Context, player int64) (models.Balance, bool, error) {
	r := newRequest[walletBalance](ctx, 0)
	r.value.player = player
	if err := s.reader.wait(ctx, r); err != nil {
		return models.Balance{}, false, err
	}
	return r.value.balance, r.value.found, nil
}

// settleAll settles a batch. If that panics, the callers without an answer get an error, and the committer goes on.
func (s *Store) settleAll(group []*request[struct{}]) {
	defer func() {
		if fault := recover(); fault != nil {
			s.db.Log.Error("a batch panicked", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
			for _, r := range group {
				select {
				case <-r.done:
				default:
					r.answer(errors.New("internal fault while settling"))
				}
			}
		}
	}()
	s.settleGroup(group, 0)
}

// settleGroup settles a group of callers, in smaller groups if that fails. It answers them all or, as its last step, sets them
// aside. A patient group has one wallet; it waits for the wallet's lock and retries until the callers' deadlines.
func (s *Store) settleGroup(group []*request[struct{}], try int) {
	group, latest := waiting(group)
	if len(group) == 0 {
		return
	}
	members := make([]*Member, len(group))
	for i, r := range group {
		members[i] = r.Member
	}
	ctx, cancel := context.WithDeadline(context.Background(), latest)
	defer cancel()
	err := s.attempt(ctx, members)
	s.writable.note(members, err)
	patient := members[0].patient
	if err != nil {
		failure := err
		for _, r := range group {
			r.last.Store(&failure)
		}
		// What an earlier attempt has committed is known now, whatever became of this one.
		if group = slices.DeleteFunc(group, answeredBefore); len(group) == 0 {
			return
		}
	}
	collision := db.IsContention(err) || db.IsDuplicate(err)
	switch {
	case err == nil:
		var aside []*request[struct{}]
		for _, r := range group {
			if r.aside {
				aside = append(aside, r)
			} else {
				r.answer(nil)
			}
		}
		s.setAside(aside)
	case db.IsDown(err), s.db.Dialect == db.SQLite && db.IsContention(err), // affects every group equally
		collision && try == 0 && db.MySQLNumber(err) != db.MySQLLockWait, // the lock wait has taken enough time already
		patient && len(group) == 1 && (db.IsContention(err) || db.IsDuplicate(err) && try < 20):
		s.db.Retries.Count("operations", err)
		db.Pause(ctx, try)
		s.settleGroup(group, try+1)
	case !patient && (collision || len(group) > 1):
		s.db.Retries.Count("operations", err)
		s.setAside(group)
	case len(group) == 1:
		group[0].answer(err)
	default:
		s.db.Retries.Count("operations", err)
		for i := range group {
			s.settleGroup(group[i:i+1], try+1)
		}
	}
}

// answeredBefore answers a caller whose operation an earlier attempt has committed, and reports whether it did.
func answeredBefore(r *request[struct{}]) bool {
	if r.settled {
		r.answer(nil)
	}
	return r.settled
}

// setAside has callers settled outside the committers, wallet by wallet.
func (s *Store) setAside(group []*request[struct{}]) {
	for _, r := range group {
		s.meter.setAside.Add(1)
		s.meter.aside.Add(1)
		r.patient = true
		if err := s.aside.add(r); err != nil {
			s.meter.aside.Add(-1)
			if r.unsure.Seq != 0 {
				err = errors.New("too many operations are waiting for their wallets to find out whether they were applied")
			}
			r.answer(err)
		}
	}
}

// settleAside settles callers with one wallet who were set aside.
func (s *Store) settleAside(group []*request[struct{}]) {
	defer s.meter.aside.Add(-int64(len(group)))
	s.settleAll(group)
}

// waiting answers callers whose deadline has passed, and returns the others and the latest of their deadlines. If an attempt of
// unknown outcome wrote something for an expired caller, the caller's retry finds it.
func waiting[T any](group []*request[T]) (rest []*request[T], latest time.Time) {
	now := time.Now()
	rest = make([]*request[T], 0, len(group))
	for _, r := range group {
		if !r.deadline.After(now) {
			r.answer(r.late(context.DeadlineExceeded))
			continue
		}
		if r.deadline.After(latest) {
			latest = r.deadline
		}
		rest = append(rest, r)
	}
	return rest, latest
}

// reading returns a queue's handler for reads. It reads for all waiting callers at once, and retries until their deadlines
// while the database is unavailable.
func reading[T any](counts db.Retries, read func(context.Context, []*request[T]) error) func([]*request[T]) {
	return func(group []*request[T]) {
		for try := 0; ; try++ {
			var latest time.Time
			if group, latest = waiting(group); len(group) == 0 {
				return
			}
			ctx, cancel := context.WithDeadline(context.Background(), latest)
			err := read(ctx, group)
			if err != nil && (db.IsDown(err) || db.IsContention(err)) {
				failure := err
				for _, r := range group {
					r.last.Store(&failure)
				}
				counts.Count("reads", err)
				db.Pause(ctx, try)
				cancel()
				continue
			}
			cancel()
			for _, r := range group {
				r.answer(err)
			}
			return
		}
	}
}

// readBalances reads the balances of all callers with one statement.
func (s *Store) readBalances(ctx context.Context, group []*request[walletBalance]) error {
	numbers := make([]int64, len(group))
	for i, r := range group {
		numbers[i] = r.value.player
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
		r.value.balance, r.value.found = found[r.value.player]
	}
	return nil
}
