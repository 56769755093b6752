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
func (b *groupCommit[T]) start(workers, aside int) {
	b.waiting = newQueue(workers, func(batch []*request[T]) { b.settle(batch, 0) })
	if aside > 0 {
		b.aside = &queue[T]{hangsAfter: hangingWallet, oneKey: true, length: queueLength, handle: func(batch []*request[T]) {
			defer b.asideNow.Add(-int64(len(batch)))
			b.settle(batch, 0)
		}}
		b.aside.start(aside)
	}
}

// settle answers a group of callers or, as its last step, sets them aside. If it panics, the callers without an answer get an
// error, and the worker goes on.
func (b *groupCommit[T]) settle(all []*request[T], try int) {
	defer b.rescue(all)
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
	err := b.attempt(ctx, group)
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
		next = b.after(rest, err, try)
	}
	switch next {
	case again:
		db.Pause(ctx, try)
		b.settle(rest, try+1)
	case apart:
		for i := range rest {
			b.settle(rest[i:i+1], try+1)
		}
	case fail:
		for _, r := range rest {
			r.answer(err)
		}
	case setAside:
		for _, r := range rest {
			b.setAside(r)
		}
	}
}

// setAside has a caller settled outside the usual batches.
func (b *groupCommit[T]) setAside(r *request[T]) {
	r.patient = true
	b.asideAll.Add(1)
	b.asideNow.Add(1)
	if err := b.aside.add(r); err != nil {
		b.asideNow.Add(-1)
		if r.unsure {
			err = errors.New("too many operations are waiting for their wallets to find out whether they were applied")
		}
		r.answer(err)
	}
}

// rescue answers those of a group who have no answer after a panic.
func (b *groupCommit[T]) rescue(group []*request[T]) {
	fault := recover()
	if fault == nil {
		return
	}
	b.log.Error("a batch panicked", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
	for _, r := range group {
		select {
		case <-r.done:
		default:
			r.answer(errors.New("internal fault while settling"))
		}
	}
}
