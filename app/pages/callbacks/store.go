package callbacks

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	Callback(ctx context.Context, at models.Cursor) (models.Callback, bool, error)
	Callbacks(ctx context.Context, f models.CallbackFilter) (models.Page[models.Callback], error)
	CallbacksByRequest(ctx context.Context, id models.RequestID) ([]models.Callback, error)
	NoteView(ctx context.Context, by models.Actor, object string, objectID string) error
	Player(ctx context.Context, user models.UserID) (models.Player, bool, error)
	SearchRefused(ctx context.Context, text string, limit int) (found models.Found[models.Callback], err error)
	Transaction(ctx context.Context, id int64) (models.TransactionLine, bool, error)
}
