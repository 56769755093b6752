package platform

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	CallbackCounts(ctx context.Context, from time.Time, to time.Time) (models.CallbackCounts, error)
	CallbackMinutes(ctx context.Context, from time.Time, to time.Time) ([]models.CallbackMinute, error)
	ClockAhead() time.Duration
	CountUnresolvedGrants(ctx context.Context) (n int64, err error)
	Keyed() bool
	LastCallback(ctx context.Context) (time.Time, bool, error)
	LastGameSync(ctx context.Context, succeeded bool) (models.GameSync, bool, error)
	Migrations(ctx context.Context) ([]models.Migration, error)
	MoneyUpTo(ctx context.Context) (time.Time, error)
	PlatformCalls(ctx context.Context, since time.Time) (log models.PlatformCallLog, err error)
	Restores(ctx context.Context) ([]models.Restore, error)
	SeenIDs(ctx context.Context) (models.SeenIDs, error)
}
