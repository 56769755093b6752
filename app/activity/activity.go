// Package activity keeps counts of the answers to callbacks. models/store/books explains the tables.
package activity

import (
	"context"
	"fmt"
	"time"

	"pitboss/models"
)

// Store has the database methods that the service needs.
type Store interface {
	AddCallbacks(ctx context.Context, at time.Time, more models.CallbackCounts) error
	ForgetCallbacks(ctx context.Context, before time.Time) error
}

// Config configures a Service.
type Config struct {
	Store Store
	// Counts returns what this instance's callback listener has counted since it started.
	Counts func() models.CallbackCounts
	Now    func() time.Time // the clock; nil means the system's
}

// Service keeps the counts up to date.
type Service struct {
	Config
	recorded models.CallbackCounts
}

// New returns a service.
func New(config Config) *Service {
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Service{Config: config}
}

const (
	// Every is how often Flush is called.
	Every = 5 * time.Second
	// kept is how long the counts of callbacks are kept: five weeks, so that any day can be compared with the same weekday a
	// month before.
	kept = 35 * 24 * time.Hour
)

// Forget deletes counts that are too old.
func (s *Service) Forget(ctx context.Context) error {
	return s.Store.ForgetCallbacks(ctx, s.Now().Add(-kept))
}

// Flush adds what has been counted since the last success. After an error, these counts are added the next time. If the failed
// write did succeed after all, they count twice. Flush must not be called concurrently.
func (s *Service) Flush(ctx context.Context) error {
	now := s.Counts()
	more := now.Since(s.recorded)
	if more.Empty() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*Every)
	defer cancel()
	if err := s.Store.AddCallbacks(ctx, s.Now(), more); err != nil {
		return fmt.Errorf("store counts of callbacks: %w", err)
	}
	s.recorded = now
	return nil
}
