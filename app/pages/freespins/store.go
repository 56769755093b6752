package freespins

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	AttributedSpins(ctx context.Context, grantID int64, limit int) ([]models.AttributedSpin, error)
	CountUnresolvedGrants(ctx context.Context) (n int64, err error)
	Game(ctx context.Context, id models.GameID) (models.Game, bool, error)
	Grant(ctx context.Context, id int64) (models.Grant, bool, error)
	GrantException(ctx context.Context, id int64) (models.GrantException, bool, error)
	GrantExceptions(ctx context.Context, f models.ExceptionFilter) ([]models.GrantException, bool, error)
	GrantRules(ctx context.Context) (models.GrantRules, error)
	GrantTaken(ctx context.Context, playerID int64, actor string, role models.Role) (models.GrantTaken, error)
	Grants(ctx context.Context, f models.GrantFilter) ([]models.Grant, bool, error)
	ListSpinWins(ctx context.Context, grantID int64, limit int) ([]models.SpinWin, error)
	Observations(ctx context.Context, grantID int64, page models.Cursor, limit int) ([]models.Observation, bool, error)
	Player(ctx context.Context, user models.UserID) (models.Player, bool, error)
	RefuseGrantException(ctx context.Context, by models.Signer, id int64, note string) error
	ReportZone(ctx context.Context) (string, error)
	SearchGrants(ctx context.Context, text string, limit int) (found models.Found[models.Grant], err error)
	SpinWins(ctx context.Context, grantID int64) (models.SpinWins, error)
	SpinWinsOf(ctx context.Context, grants []int64) (map[int64]models.SpinWins, error)
	Ties(ctx context.Context) (models.Ties, error)
	UnattributedSpins(ctx context.Context, playerID int64, since time.Time) (n int64, err error)
	WaitingExceptions(ctx context.Context) (map[int64]int64, error)
	WithdrawGrantException(ctx context.Context, by models.Signer, id int64) error
}
