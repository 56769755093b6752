package corrections

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	ApproveCorrection(ctx context.Context, by models.Signer, id int64, seen models.CorrectionBasis) (models.Correction, error)
	AskCorrection(ctx context.Context, by models.Signer, r models.CorrectionRequest) (models.Correction, error)
	AssignCorrection(ctx context.Context, by models.Signer, id int64, seen string, assignee string) error
	BookCorrectionAlone(ctx context.Context, by models.Signer, id int64, seen models.CorrectionBasis) (models.Correction, error)
	BookedAlone(ctx context.Context, staffID int64, currency models.Currency) (models.Amount, error)
	Case(ctx context.Context, id int64) (c models.Case, notes []models.CaseNote, found bool, err error)
	Correction(ctx context.Context, id int64) (models.Correction, bool, error)
	CorrectionLimits(ctx context.Context) (models.AloneLimits, error)
	CorrectionOutlook(ctx context.Context, r models.CorrectionRequest) (models.Correction, models.CorrectionOutlook, error)
	Corrections(ctx context.Context, f models.CorrectionFilter) ([]models.Correction, bool, error)
	DecidedCorrections(ctx context.Context, since time.Time, limit int) ([]models.Correction, error)
	ListStaff(ctx context.Context, f models.StaffFilter) ([]models.Staff, bool, error)
	NewestCorrection(ctx context.Context, playerID int64) (int64, error)
	Outlook(ctx context.Context, c models.Correction) (models.CorrectionOutlook, error)
	Player(ctx context.Context, user models.UserID) (models.Player, bool, error)
	RefuseCorrection(ctx context.Context, by models.Signer, id int64, why string) (models.Correction, error)
	Round(ctx context.Context, playerID int64, id models.RoundID) (models.Round, bool, error)
	Staff(ctx context.Context, id int64) (models.Staff, bool, error)
	StaffNamed(ctx context.Context, username string) (models.Staff, bool, error)
	Ties(ctx context.Context) (models.Ties, error)
	Transaction(ctx context.Context, id int64) (models.TransactionLine, bool, error)
	Transactions(ctx context.Context, f models.TransactionFilter) (models.Page[models.TransactionLine], error)
	WaitingByMaker(ctx context.Context) (map[int64]int64, error)
	WithdrawCorrection(ctx context.Context, by models.Signer, id int64, why string) (models.Correction, error)
}
