// Package jobs runs background work at intervals, in one of several instances or in each.
package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Leases decide which instance runs a job. models/store implements them.
type Leases interface {
	Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error)
	EndLease(ctx context.Context, name, holder string) error
}

// ErrLeaseLost means that Hold could not renew the lease during work, so another instance may be doing it now.
var ErrLeaseLost = errors.New("the lease was lost")

// Hold calls work while it holds the lease called name, and reports whether the lease was free. The lease lasts for ttl and is
// renewed during work; if that fails, work's context ends and the error is ErrLeaseLost. If work panics, that is an error.
// holder is stored in the database for information; two calls never share a lease, whatever their holder.
func Hold(ctx context.Context, leases Leases, name, holder string, ttl time.Duration,
	work func(context.Context) error) (held bool, err error) {
	holder += "/" + rand.Text()
	until := time.Now().Add(ttl) // from before the request, because the answer may take long
	if held, err = leases.Lease(ctx, name, holder, ttl); err != nil || !held {
		return held, err
	}
	working, stop := context.WithCancelCause(ctx)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		tick := time.NewTicker(ttl / 3)
		defer tick.Stop()
		for {
			select {
			case <-working.Done():
				return
			case <-tick.C:
			}
			prolonged := time.Now().Add(ttl)
			asking, cancel := context.WithDeadline(working, until)
			still, err := leases.Lease(asking, name, holder, ttl)
			cancel()
			switch {
			case err == nil && still:
				until = prolonged
			case err == nil, !time.Now().Before(until):
				stop(ErrLeaseLost)
				return
			}
		}
	}()
	err = guarded(working, work)
	lost := errors.Is(context.Cause(working), ErrLeaseLost)
	stop(nil)
	<-kept
	if lost {
		// The database may still have our lease. End it, so that the next instance gets it.
		return true, errors.Join(ErrLeaseLost, err, leases.EndLease(ctx, name, holder))
	}
	return true, errors.Join(err, leases.EndLease(context.WithoutCancel(ctx), name, holder))
}

// guarded calls work and returns a panic as an error, because background work must not end the program.
func guarded(ctx context.Context, work func(context.Context) error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	return work(ctx)
}

// Job is work that one instance does at intervals, or each instance for itself.
type Job struct {
	Name       string // of its lease, and in the log
	Every      time.Duration
	Everywhere bool // each instance does it, without a lease
	Waits      bool // for its first interval; other jobs run at once
	// Rest limits a job's share of time: after a run, it waits for at least Rest times as long as the run took, but at most a
	// minute. It is for jobs that read what callbacks write, so that their load on the database stays bounded.
	Rest int
	// Due reports whether there is work, and is asked before the lease is taken; nil means always.
	Due  func(context.Context) (bool, error)
	Wake <-chan struct{} // makes the job run now; may be nil
	Work func(context.Context) error
}

const longestRest = time.Minute

// Schedule runs jobs.
type Schedule struct {
	Leases Leases
	Holder string        // identifies this instance, in at most 30 ASCII characters
	TTL    time.Duration // of a lease; 0 means 30 s
	Log    *slog.Logger
	Meter  *Meter // nil for no counts
	// Tick returns a channel that receives at intervals, and a function that stops it; nil means a time.Ticker.
	Tick func(every time.Duration) (tick <-chan time.Time, stop func())
}

// Run runs each job immediately, unless it waits, and then at its interval until ctx ends. Different jobs may run at the same
// time, but the same job never twice. It skips a job that another instance is running. It logs a failed job and tries it again
// at its next interval.
func (s Schedule) Run(ctx context.Context, jobs ...Job) {
	if s.Tick == nil {
		s.Tick = func(every time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(every)
			return t.C, t.Stop
		}
	}
	if s.TTL == 0 {
		s.TTL = 30 * time.Second
	}
	s.Meter.add(jobs)
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Go(func() {
			tick, stop := s.Tick(job.Every)
			defer stop()
			for waits := job.Waits; ; waits = false {
				begun := time.Now()
				if !waits {
					s.run(ctx, job)
				}
				ended := time.Now()
				rest := min(time.Duration(job.Rest)*ended.Sub(begun), longestRest)
				for resting := true; resting; resting = time.Since(ended) < rest {
					select {
					case <-ctx.Done():
						return
					case <-tick:
					case <-job.Wake:
					}
				}
			}
		})
	}
	group.Wait()
}

// run runs a job once if it is due, unless another instance is running it.
func (s Schedule) run(ctx context.Context, job Job) {
	begun, due, held, err := time.Now(), true, true, error(nil)
	if job.Due != nil {
		due, err = job.Due(ctx)
	}
	switch {
	case due && job.Everywhere:
		err = guarded(ctx, job.Work)
	case due:
		held, err = Hold(ctx, s.Leases, job.Name, s.Holder, s.TTL, job.Work)
	}
	if ctx.Err() != nil {
		return
	}
	s.Meter.ran(job.Name, begun, held, err)
	if err != nil {
		s.Log.Error("A background job failed.", "job", job.Name, "error", err)
	}
}
