// Package activity keeps the figures of the moment up to date: what is staked and won, who plays, how callbacks are answered.
// What they are made of, and what they promise, stands at the tables' own code in models/store.
package activity

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"pitboss/app/jobs"
	"pitboss/models"
)

// Store is what the figures need of the storage.
type Store interface {
	FollowMoney(ctx context.Context) (time.Time, error)
	AddCallbacks(ctx context.Context, at time.Time, more models.CallbackCounts) error
	ForgetCallbacks(ctx context.Context, before time.Time) error
}

// Config is what a Service needs.
type Config struct {
	Store Store
	// Counts returns what this instance has counted at the callbacks' door since it started.
	Counts func() models.CallbackCounts
	Now    func() time.Time // the clock; nil means the system's
	Log    *slog.Logger
}

// Service keeps the figures.
type Service struct {
	Config
	recorded models.CallbackCounts
}

// New makes a service.
func New(config Config) *Service {
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Service{Config: config}
}

const (
	// Every is how often the figures are brought up to date.
	Every = 5 * time.Second
	// kept is how long it is known how callbacks were answered: five weeks, so that any day can be seen beside that of a month
	// before.
	kept = 35 * 24 * time.Hour
)

// Jobs are what one instance of several does.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{
		{Name: "money minutes", Every: Every, Rest: 20, Work: func(ctx context.Context) error {
			_, err := s.Store.FollowMoney(ctx)
			return err
		}},
		{Name: "old callback counts", Every: time.Hour, Work: func(ctx context.Context) error {
			return s.Store.ForgetCallbacks(ctx, s.Now().Add(-kept))
		}},
	}
}

// Record adds what this instance counts to the database, every few seconds until ctx ends. Each instance does this for itself.
// What was counted after the last time is left to Flush.
func (s *Service) Record(ctx context.Context) {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := s.Flush(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("Counts of callbacks were not recorded; they are added with the next ones.", "error", err)
		}
	}
}

// Flush adds what came since it last succeeded. What it could not write comes with the next: should a write have succeeded
// whose answer was lost, it counts twice. It must not be called by two at once.
func (s *Service) Flush(ctx context.Context) error {
	now := s.Counts()
	more := now.Since(s.recorded)
	if more.Empty() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*Every)
	defer cancel()
	if err := s.Store.AddCallbacks(ctx, s.Now(), more); err != nil {
		return fmt.Errorf("record counts of callbacks: %w", err)
	}
	s.recorded = now
	return nil
}
