package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Requests is a kind of work that people request, such as exports. One instance does all work of a kind, under the lease of its
// Job. If that instance ends, another one starts the unfinished work again.
type Requests struct {
	Name   string // of the Job
	AtOnce int    // the most at the same time
	// Open returns the numbers of the work that has not ended, oldest first.
	Open func(context.Context) ([]int64, error)
	// Do does one of them. If it returns before the work has ended, the work is tried again later.
	Do   func(ctx context.Context, id int64) error
	Log  *slog.Logger
	wake chan struct{}
}

const (
	lookEvery  = 2 * time.Second  // for new requests
	againAfter = 10 * time.Second // after an error
)

// NewRequests returns r, ready for Job and Wake.
func NewRequests(r Requests) *Requests {
	if r.Log == nil {
		r.Log = slog.New(slog.DiscardHandler)
	}
	r.wake = make(chan struct{}, 1)
	return &r
}

// Wake makes this instance look for requests immediately.
func (r *Requests) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Job returns the job that does the work.
func (r *Requests) Job() Job {
	return Job{Name: r.Name, Every: lookEvery, Wake: r.wake, Work: r.work, Due: func(ctx context.Context) (bool, error) {
		open, err := r.Open(ctx)
		return len(open) > 0, err
	}}
}

type ended struct {
	id  int64
	err error
}

// work works until no request is open, or the open ones must wait after an error. It returns that error.
func (r *Requests) work(ctx context.Context) (failed error) {
	running, rests, ends := map[int64]bool{}, map[int64]time.Time{}, make(chan ended)
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		open, err := r.Open(ctx)
		if err != nil {
			failed = err
		}
		for _, id := range open {
			if len(running) < r.AtOnce && !running[id] && time.Now().After(rests[id]) && ctx.Err() == nil {
				running[id] = true
				go func() {
					ends <- ended{id, guarded(ctx, func(ctx context.Context) error { return r.Do(ctx, id) })}
				}()
			}
		}
		if len(running) == 0 {
			return errors.Join(failed, ctx.Err())
		}
		select {
		case end := <-ends:
			delete(running, end.id)
			rests[end.id] = time.Now().Add(lookEvery) // if it is still open
			if end.err != nil && ctx.Err() == nil {
				rests[end.id], failed = time.Now().Add(againAfter), end.err
				r.Log.Error("Requested work was cut off, and will be tried again.", "job", r.Name, "number", end.id,
					"error", end.err)
			}
		case <-tick.C:
		case <-r.wake:
		}
	}
}

// ErrStopped ends work that a person has stopped.
var ErrStopped = errors.New("a person stopped this work")

// Noting returns a function that notes progress, at most once in an interval. note reports whether the work is still wanted;
// if not, the function returns ErrStopped.
func Noting[P any](ctx context.Context, every time.Duration, note func(context.Context, P) (bool, error)) func(P) error {
	noted := time.Now()
	return func(now P) error {
		if time.Since(noted) < every {
			return ctx.Err()
		}
		noted = time.Now()
		wanted, err := note(ctx, now)
		if err == nil && !wanted {
			err = ErrStopped
		}
		return err
	}
}
