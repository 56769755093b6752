package things

import (
	"context"
	"time"

	"pitboss/models"
)

// Store has the database methods that showing things needs.
type Store interface {
	AuditEvents(ctx context.Context, f models.AuditFilter) ([]models.AuditEvent, bool, error)
	Callbacks(ctx context.Context, f models.CallbackFilter) (models.Page[models.Callback], error)
	Cases(ctx context.Context, f models.CaseFilter) ([]models.Case, bool, error)
	Correction(ctx context.Context, id int64) (models.Correction, bool, error)
	Corrections(ctx context.Context, f models.CorrectionFilter) ([]models.Correction, bool, error)
	Game(ctx context.Context, id models.GameID) (models.Game, bool, error)
	GameByID(ctx context.Context, id int64) (models.Game, bool, error)
	GameSessions(ctx context.Context, f models.GameSessionFilter) ([]models.GameSession, bool, error)
	Games(ctx context.Context, f models.GameFilter) ([]models.Game, bool, error)
	GamesTyped(ctx context.Context, texts []string) (map[string]models.GameID, error)
	GrantDay(ctx context.Context) (models.Day, time.Time, error)
	Grants(ctx context.Context, f models.GrantFilter) ([]models.Grant, bool, error)
	ListStaff(ctx context.Context, f models.StaffFilter) ([]models.Staff, bool, error)
	NoteView(ctx context.Context, by models.Actor, object string, objectID string) error
	OldPasswords(ctx context.Context, staffID int64, limit int) ([]string, error)
	Player(ctx context.Context, user models.UserID) (models.Player, bool, error)
	PlayerByID(ctx context.Context, id int64) (models.Player, bool, error)
	RequestChange(ctx context.Context, by models.Signer, subject models.ChangeSubject, value any,
		reason string) (models.ChangeRequest, error)
	SpinWinsOf(ctx context.Context, grants []int64) (map[int64]models.SpinWins, error)
	Ties(ctx context.Context) (models.Ties, error)
	StaffNamed(ctx context.Context, username string) (models.Staff, bool, error)
	StaffUsernames(ctx context.Context, ids []int64) (map[int64]string, error)
	UserIDs(ctx context.Context, ids []int64) (map[int64]models.UserID, error)
	WalletCurrencies(ctx context.Context) ([]models.Currency, error)
	TransactionIDsLike(ctx context.Context, text string) ([]models.TransactionID, error)
	VerificationRuns(ctx context.Context, before int64, limit int) ([]models.VerificationRun, bool, error)
}
