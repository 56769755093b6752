package sessions

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	Callbacks(ctx context.Context, f models.CallbackFilter) (models.Page[models.Callback], error)
	Game(ctx context.Context, id models.GameID) (models.Game, bool, error)
	GameSession(ctx context.Context, id int64) (models.GameSession, bool, error)
	GameSessions(ctx context.Context, f models.GameSessionFilter) ([]models.GameSession, bool, error)
	LaunchedSession(ctx context.Context, actor string, launch string) (models.GameSession, bool, error)
	PlayedUntil(ctx context.Context, g models.GameSession) (time.Time, error)
	Player(ctx context.Context, user models.UserID) (models.Player, bool, error)
	Players(ctx context.Context, f models.PlayerFilter) ([]models.Player, bool, error)
}
