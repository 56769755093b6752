package ledger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"pitboss/models/store/db"
)

// Group commit: callers that arrive at about the same time share one attempt, such as a transaction and its flush of the log.
// While one batch is under way, the next one fills; a caller that finds none under way starts one at once. Each caller is
// answered after its attempt. This file knows who waits and for how long, and nothing of what an attempt does.
//
// A batch never waits for what another transaction has locked. Callers for whom something is locked are set aside, and so are
// those of a batch that failed twice: other workers settle them key by key, and then one by one, so that no caller stops the
// others. While the database is unavailable, a batch is repeated until the callers' deadlines.

// step is what becomes of callers whose attempt has failed.
type step int

const (
	fail     step = iota // they get the error
	again                // another attempt for all of them
	apart                // an attempt for each of them
	setAside             // they are settled key by key, and wait for what is locked
)

// groupCommit settles callers in attempts.
type groupCommit[T any] struct {
	attempt func(context.Context, []*request[T]) error         // sets settled, aside and unsure
	after   func(group []*request[T], err error, try int) step // decides what happens after an attempt failed
	log     *slog.Logger
	waiting *queue[T]
	aside   *queue[T] // nil if attempts set nobody aside

	asideNow atomic.Int64
	asideAll atomic.Uint64
}

// start starts workers, and more for callers that are set aside.
func (g *groupCommit[T]) start(workers, aside int) {
	g.waiting = newQueue(workers, func(batch []*request[T]) { g.settle(batch, 0) })
	if aside > 0 {
		g.aside = &queue[T]{hangsAfter: hangingWallet, oneKey: true, length: queueLength, handle: func(batch []*request[T]) {
			defer g.asideNow.Add(-int64(len(batch)))
			g.settle(batch, 0)
		}}
		g.aside.start(aside)
	}
}

// settle answers a group of callers or, as its last step, sets them aside.
func (g *groupCommit[T]) settle(all []*request[T], try int) {
	// Callers whose deadline has passed are answered. If an attempt of unknown outcome was for one of them, the caller's retry
	// finds it.
	group, now, latest := make([]*request[T], 0, len(all)), time.Now(), time.Time{}
	for _, r := range all {
		if !r.deadline.After(now) {
			r.answer(r.late(context.DeadlineExceeded))
			continue
		}
		group = append(group, r)
		if r.deadline.After(latest) {
			latest = r.deadline
		}
	}
	if len(group) == 0 {
		return
	}
	ctx, cancel := context.WithDeadline(context.Background(), latest)
	defer cancel()
	err := g.try(ctx, group)
	rest := slices.DeleteFunc(group, func(r *request[T]) bool {
		done := r.settled || err == nil && !r.aside
		if done {
			r.answer(nil)
		} else if err != nil {
			failure := err
			r.last.Store(&failure)
		}
		return done
	})
	next := setAside
	if err != nil && len(rest) > 0 {
		next = g.after(rest, err, try)
	}
	switch next {
	case again:
		db.Pause(ctx, try)
		g.settle(rest, try+1)
	case apart:
		for i := range rest {
			g.settle(rest[i:i+1], try+1)
		}
	case fail:
		for _, r := range rest {
			r.answer(err)
		}
	case setAside:
		for _, r := range rest {
			g.setAside(r)
		}
	}
}

// setAside has a caller settled outside the usual batches.
func (g *groupCommit[T]) setAside(r *request[T]) {
	r.patient = true
	g.asideAll.Add(1)
	g.asideNow.Add(1)
	if err := g.aside.add(r); err != nil {
		g.asideNow.Add(-1)
		if r.unsure {
			err = errors.New("too many operations are waiting for their wallets to find out whether they were applied")
		}
		r.answer(err)
	}
}

// try makes an attempt. A panic is an error like any other, so a caller whose attempts panic stops no one else.
func (g *groupCommit[T]) try(ctx context.Context, group []*request[T]) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			g.log.Error("An attempt panicked.", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
			err = errors.New("internal fault while settling")
		}
	}()
	return g.attempt(ctx, group)
}
