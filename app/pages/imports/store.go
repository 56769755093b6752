package imports

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	Games(ctx context.Context, f models.GameFilter) ([]models.Game, bool, error)
	GrantImport(ctx context.Context, id int64) (models.GrantImport, bool, error)
	GrantImportOf(ctx context.Context, digest string) (models.GrantImport, bool, error)
	GrantImports(ctx context.Context, f models.ImportFilter) ([]models.GrantImport, bool, error)
	GrantRules(ctx context.Context) (models.GrantRules, error)
	GrantTaken(ctx context.Context, playerID int64, actor string, role models.Role) (models.GrantTaken, error)
	ImportLines(ctx context.Context, f models.ImportLineFilter) ([]models.ImportLine, bool, error)
	PlayersNamed(ctx context.Context, users []models.UserID) (map[models.UserID]models.Player, error)
	Players(ctx context.Context, f models.PlayerFilter) ([]models.Player, bool, error)
}
