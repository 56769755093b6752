package play

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site asks of the database.
type Store interface {
	Callbacks(ctx context.Context, f models.CallbackFilter) (models.Page[models.Callback], error)
	Game(ctx context.Context, id models.GameID) (models.Game, bool, error)
	GameByID(ctx context.Context, id int64) (models.Game, bool, error)
	GameChanges(ctx context.Context, f models.GameChangeFilter) ([]models.GameChange, bool, error)
	GameKinds(ctx context.Context) (providers []string, types []string, err error)
	GameSession(ctx context.Context, id int64) (models.GameSession, bool, error)
	GameSessions(ctx context.Context, f models.GameSessionFilter) ([]models.GameSession, bool, error)
	GameSyncs(ctx context.Context, page models.Cursor, limit int) ([]models.GameSync, bool, error)
	Games(ctx context.Context, f models.GameFilter) ([]models.Game, bool, error)
	Grants(ctx context.Context, f models.GrantFilter) ([]models.Grant, bool, error)
	LastGameSync(ctx context.Context, succeeded bool) (models.GameSync, bool, error)
	LaunchedSession(ctx context.Context, actor string, launch string) (models.GameSession, bool, error)
	PlayedUntil(ctx context.Context, g models.GameSession) (time.Time, error)
	Player(ctx context.Context, user models.UserID) (models.Player, bool, error)
	Players(ctx context.Context, f models.PlayerFilter) ([]models.Player, bool, error)
}
