package exports

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	Case(ctx context.Context, id int64) (models.Case, []models.CaseNote, bool, error)
	Chain() *models.Chain
	DeleteExport(ctx context.Context, by models.Actor, id int64) (deleted bool, err error)
	Export(ctx context.Context, id int64) (models.Export, bool, error)
	ExportHours(ctx context.Context) (int, error)
	Exports(ctx context.Context, f models.ExportSelection) ([]models.Export, bool, error)
	NoteDownload(ctx context.Context, by models.Actor, e models.Export) error
	Player(ctx context.Context, user models.UserID) (models.Player, bool, error)
}
