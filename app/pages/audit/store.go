package audit

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	AuditEvent(ctx context.Context, id int64) (models.AuditEvent, bool, error)
	AuditEvents(ctx context.Context, f models.AuditFilter) ([]models.AuditEvent, bool, error)
	AuditLog(ctx context.Context, f models.AuditFilter) (models.Page[models.AuditEvent], error)
	AuditSame(ctx context.Context, f models.AuditFilter, e models.AuditEvent) (models.Page[models.AuditEvent], error)
	AuditWords(ctx context.Context) (actions []string, objects []string, err error)
	WalletBeginning(ctx context.Context, player int64) (models.Beginning, bool, error)
}
