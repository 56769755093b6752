package account

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site asks of the database.
type Store interface {
	BeginSignIn(ctx context.Context, t models.SignInTry) (wait time.Duration, counted models.SignInTry, err error)
	ClearStaffTOTP(ctx context.Context, actor models.Actor, id int64, keep string) error
	DisableUnused(ctx context.Context, id int64) (done bool, err error)
	NoteSignIn(ctx context.Context, actor models.Actor, staffID int64, device string) error
	NoteSignInFailure(ctx context.Context, by models.Actor, staffID int64, action string) error
	OldPasswords(ctx context.Context, staffID int64, limit int) ([]string, error)
	RecoveryCodesLeft(ctx context.Context, id int64) (int64, error)
	RevokeStaffSession(ctx context.Context, actor models.Actor, staffID int64, id int64) (revoked bool, err error)
	RevokeStaffSessions(ctx context.Context, actor models.Actor, staffID int64, keep string) error
	SetRecoveryCodes(ctx context.Context, actor models.Actor, id int64, codes []string, session string) error
	SetStaffPassword(ctx context.Context, actor models.Actor, id int64, hash string, keep string) error
	SetStaffProfile(ctx context.Context, id int64, p models.Profile) error
	SetStaffTOTP(ctx context.Context, actor models.Actor, id int64, factor models.SecondFactor, keep string) error
	Staff(ctx context.Context, id int64) (models.Staff, bool, error)
	StaffLink(ctx context.Context, staffID int64) (models.StaffLink, bool, error)
	StaffNamed(ctx context.Context, username string) (models.Staff, bool, error)
	StaffSessions(ctx context.Context, staffID int64) ([]models.StaffSession, error)
	SucceedSignIn(ctx context.Context, t models.SignInTry, tries int) error
	UseStaffLink(ctx context.Context, actor models.Actor, used models.StaffLink, hash string, device string) error
}
