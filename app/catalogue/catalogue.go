// Package catalogue keeps our games in sync with the platform's list.
package catalogue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"pitboss/app/platform"
	"pitboss/models"
	"pitboss/models/store"
)

// Config configures a Service.
type Config struct {
	Store    *store.Store
	Platform *platform.Client
	Every    time.Duration    // time between scheduled synchronizations; 0 means an hour
	Now      func() time.Time // the clock; nil means the system's
	Log      *slog.Logger     // nil discards
}

// Service synchronizes the games.
type Service struct {
	Config
	started bool // Follow has run
}

// New returns a service.
func New(config Config) *Service {
	if config.Every == 0 {
		config.Every = time.Hour
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{Config: config}
}

// ErrEmptyList means that the platform's list has no usable game. That is more likely a fault than the truth, so the games stay
// as they are.
var ErrEmptyList = errors.New("the platform's list has no usable game, so our list was not changed")

// Sync gets the platform's list and updates our games. It also records a failure, which leaves the games unchanged. Its error
// is the platform's, ErrEmptyList, or one of the database.
func (s *Service) Sync(ctx context.Context, by models.Actor) (models.GameSync, error) {
	sync := models.GameSync{At: s.Now()}
	list, failure := s.Platform.GameList(ctx)
	sync.Latency, sync.Unusable = s.Now().Sub(sync.At), list.Unusable
	if failure == nil && len(list.Games) == 0 {
		failure = ErrEmptyList
	}
	if failure != nil {
		sync.Error = failure.Error()
	}
	recorded, err := s.Store.SyncGames(context.WithoutCancel(ctx), by, sync, list.Games)
	if err = errors.Join(failure, err); err != nil {
		return recorded, fmt.Errorf("synchronize games: %w", err)
	}
	s.Log.Info("The games were synchronized.", "offered", recorded.Offered, "added", recorded.Added, "changed",
		recorded.Changed,
		"gone", recorded.Gone, "returned", recorded.Returned, "unusable", recorded.Unusable, "latency", recorded.Latency)
	return recorded, nil
}

// RetryAfter is how soon a failed synchronization is tried again. A starting instance synchronizes only if the last
// synchronization is older than this, because several instances may start together.
const RetryAfter = time.Minute

// Follow synchronizes the games if that is due: when the program starts, and on schedule. One goroutine calls it, every
// RetryAfter.
func (s *Service) Follow(ctx context.Context) error {
	last, found, err := s.Store.LastGameSync(ctx, false)
	if err != nil {
		return err
	}
	wait := s.Every
	if !s.started || last.Error != "" {
		wait = min(RetryAfter, s.Every)
	}
	s.started = true
	// A time in the future comes from a clock that was wrong, so it does not say when the list was fetched.
	if since := s.Now().Sub(last.At); found && since >= 0 && since < wait {
		return nil
	}
	_, err = s.Sync(ctx, models.System)
	return err
}
