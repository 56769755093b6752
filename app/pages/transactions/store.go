package transactions

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	Callbacks(ctx context.Context, f models.CallbackFilter) (models.Page[models.Callback], error)
	AdjacentTransactions(ctx context.Context,
		t models.Transaction) (before *models.TransactionLine, after *models.TransactionLine, err error)
	NoteRequestShown(ctx context.Context, by models.Actor, transaction int64) error
	PlayerByID(ctx context.Context, id int64) (models.Player, bool, error)
	Round(ctx context.Context, playerID int64, id models.RoundID) (models.Round, bool, error)
	SearchTransactions(ctx context.Context, text string, limit int) (found models.Found[models.TransactionLine], err error)
	Transaction(ctx context.Context, id int64) (models.TransactionLine, bool, error)
	TransactionEntries(ctx context.Context, t models.TransactionLine) ([]models.LinkedEntry, error)
	TransactionSpins(ctx context.Context, t models.Transaction) ([]models.AttributedSpin, error)
	Transactions(ctx context.Context, f models.TransactionFilter) (models.Page[models.TransactionLine], error)
}
