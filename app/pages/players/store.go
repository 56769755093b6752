package players

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	AuditEvents(ctx context.Context, f models.AuditFilter) ([]models.AuditEvent, bool, error)
	BalanceAt(ctx context.Context, p models.Player, at time.Time) (models.Amount, error)
	CheckUserID(id models.UserID) error
	CreatePlayer(ctx context.Context, by models.Actor, p models.NewPlayer) (models.Player, error)
	DoubtfulPlayers(ctx context.Context, file models.PlayerFile) ([]models.LineError, error)
	Entries(ctx context.Context, player int64, at models.Cursor, limit int) ([]models.Entry, bool, error)
	GameSessions(ctx context.Context, f models.GameSessionFilter) ([]models.GameSession, bool, error)
	Grants(ctx context.Context, f models.GrantFilter) ([]models.Grant, bool, error)
	ImportPlayers(ctx context.Context, by models.Actor, file models.PlayerFile, done func(int)) ([]models.LineError, error)
	PlayerByID(ctx context.Context, id int64) (models.Player, bool, error)
	PlayerSpins(ctx context.Context, playerID int64, at models.Cursor, limit int) ([]models.AttributedSpin, bool, error)
	Players(ctx context.Context, f models.PlayerFilter) ([]models.Player, bool, error)
	Rounds(ctx context.Context, f models.RoundFilter) (models.Page[models.Round], error)
	SearchPlayers(ctx context.Context, text string, limit int) (found models.Found[models.Player], err error)
	SetBlocked(ctx context.Context, by models.Actor, user models.UserID, blocked bool, reason string) error
	TakenPlayers(ctx context.Context, file models.PlayerFile) ([]models.LineError, error)
	Transactions(ctx context.Context, f models.TransactionFilter) (models.Page[models.TransactionLine], error)
	WalletCurrencies(ctx context.Context) ([]models.Currency, error)
}
