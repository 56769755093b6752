package integrity

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	AuditEvents(ctx context.Context, f models.AuditFilter) ([]models.AuditEvent, bool, error)
	Chain() *models.Chain
	Checkpoint(ctx context.Context, number int64) (models.WrittenCheckpoint, bool, error)
	Checkpoints(ctx context.Context, before int64, limit int) ([]models.WrittenCheckpoint, bool, error)
	ConfirmRestore(ctx context.Context, by models.Signer, id int64) (r models.Restore, err error)
	Keyed() bool
	LastCheckpoint(ctx context.Context) (models.WrittenCheckpoint, bool, error)
	ListStaff(ctx context.Context, f models.StaffFilter) ([]models.Staff, bool, error)
	NoteView(ctx context.Context, by models.Actor, object string, objectID string) error
	RestoreWallets(ctx context.Context, id int64, after int64, limit int) ([]models.RestoreWallet, error)
	Restores(ctx context.Context) ([]models.Restore, error)
	Ties(ctx context.Context) (models.Ties, error)
	Unguarded(ctx context.Context) ([]string, error)
	VerificationRun(ctx context.Context, id int64) (models.VerificationRun, bool, error)
	VerificationRuns(ctx context.Context, before int64, limit int) ([]models.VerificationRun, bool, error)
}
