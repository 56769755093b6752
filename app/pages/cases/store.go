package cases

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	OpenComplaint(ctx context.Context, by models.Actor, c models.NewComplaint) (id int64, err error)
	Player(ctx context.Context, user models.UserID) (models.Player, bool, error)
	Case(ctx context.Context, id int64) (c models.Case, notes []models.CaseNote, found bool, err error)
	Cases(ctx context.Context, f models.CaseFilter) ([]models.Case, bool, error)
	CommentCase(ctx context.Context, by models.Actor, id int64, text string) error
	CountCases(ctx context.Context, f models.CaseFilter, most int) (n int64, err error)
	DecideCase(ctx context.Context, by models.Actor, id int64, to models.CaseState, reason string) error
	DecideCases(ctx context.Context, by models.Actor, f models.CaseFilter, to models.CaseState, reason string,
		most int) (closed int, err error)
	DifferenceOf(ctx context.Context, c models.Case) (models.Difference, bool, error)
	Grant(ctx context.Context, id int64) (models.Grant, bool, error)
	OpenCaseGroups(ctx context.Context, f models.CaseFilter, reader string,
		most int) (groups []models.CaseGroup, newest int64, more bool, err error)
	OwnCase(ctx context.Context, by models.Actor, id int64, seen string, owner string) error
	Round(ctx context.Context, playerID int64, id models.RoundID) (models.Round, bool, error)
	SimilarToCase(ctx context.Context, c models.Case, kind models.CorrectionKind) (models.Similar, error)
	SearchComplaints(ctx context.Context, text string, limit int) (models.Found[models.Case], error)
	Transaction(ctx context.Context, id int64) (models.TransactionLine, bool, error)
}
