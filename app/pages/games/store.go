package games

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	Game(ctx context.Context, id models.GameID) (models.Game, bool, error)
	GameByID(ctx context.Context, id int64) (models.Game, bool, error)
	GameChanges(ctx context.Context, f models.GameChangeFilter) ([]models.GameChange, bool, error)
	GameKinds(ctx context.Context) (providers []string, types []string, err error)
	GameSessions(ctx context.Context, f models.GameSessionFilter) ([]models.GameSession, bool, error)
	GameSyncs(ctx context.Context, page models.Cursor, limit int) ([]models.GameSync, bool, error)
	Games(ctx context.Context, f models.GameFilter) ([]models.Game, bool, error)
	Grants(ctx context.Context, f models.GrantFilter) ([]models.Grant, bool, error)
	LastGameSync(ctx context.Context, succeeded bool) (models.GameSync, bool, error)
}
