package db

import (
	"context"

	"gorm.io/gorm"

	"pitboss/models"
)

// also is an addition to the next change.
type also struct {
	run  func(tx *gorm.DB, events []models.AuditEvent) error
	done bool // a change with it has been committed
}

type alsoKey struct{}

// Also returns a context in which the first change that is committed also runs fn: in its transaction, after its own function,
// with the audit events that it has recorded. If fn returns an error, nothing is changed.
func Also(ctx context.Context, fn func(tx *gorm.DB, events []models.AuditEvent) error) context.Context {
	return context.WithValue(ctx, alsoKey{}, &also{run: fn})
}
