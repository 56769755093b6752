package statements

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	BadLines(ctx context.Context, runID int64, after int64, limit int) ([]models.LineError, bool, error)
	BeginStatementRun(ctx context.Context, by models.Actor, st models.Statement) (models.StatementRun, error)
	Differences(ctx context.Context, f models.DifferenceFilter) ([]models.Difference, bool, error)
	LayoutOf(ctx context.Context, header []string) (models.StatementLayout, bool, error)
	SameFile(ctx context.Context, st models.Statement) (models.Statement, bool, error)
	SetRunState(ctx context.Context, by models.Actor, id int64, state models.RunState) error
	Statement(ctx context.Context, id int64) (models.Statement, bool, error)
	StatementRun(ctx context.Context, id int64) (models.StatementRun, bool, error)
	StatementRuns(ctx context.Context, statementID int64, limit int) ([]models.StatementRun, error)
	Statements(ctx context.Context, f models.StatementFilter) ([]models.Statement, bool, error)
}
