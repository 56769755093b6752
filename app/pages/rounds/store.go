package rounds

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	PlayerByID(ctx context.Context, id int64) (models.Player, bool, error)
	Round(ctx context.Context, playerID int64, id models.RoundID) (models.Round, bool, error)
	Rounds(ctx context.Context, f models.RoundFilter) (models.Page[models.Round], error)
	SearchRounds(ctx context.Context, text string, limit int) (found models.Found[models.Round], err error)
	Transaction(ctx context.Context, id int64) (models.TransactionLine, bool, error)
	Transactions(ctx context.Context, f models.TransactionFilter) (models.Page[models.TransactionLine], error)
}
