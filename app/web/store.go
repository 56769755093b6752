package web

import (
	"context"
	"time"

	"pitboss/models"
)

// Store has the database methods that every page needs: sessions, sign-in rules, second factors and saved views.
type Store interface {
	BeginForm(ctx context.Context, session, form string) (first bool, ledTo string, err error)
	BeginSignIn(ctx context.Context, t models.SignInTry) (wait time.Duration, counted models.SignInTry, err error)
	CreateStaffSession(ctx context.Context, session models.StaffSession, of models.Staff) error
	EndAlteredSession(ctx context.Context, row models.StaffSession) error
	EndForm(ctx context.Context, session, form, ledTo string) error
	EndStaffSession(ctx context.Context, hash string) error
	ListStaff(ctx context.Context, f models.StaffFilter) ([]models.Staff, bool, error)
	NoteSignInFailure(ctx context.Context, by models.Actor, staffID int64, action string) error
	Now() time.Time
	ReadingOnce(ctx context.Context) context.Context
	SaveStaffSession(ctx context.Context, hash string, data string, mac string) (bool, error)
	SeeStaffSession(ctx context.Context, hash string, at time.Time) error
	SignInRules(ctx context.Context) (models.SignInRules, error)
	StaffSession(ctx context.Context, hash string) (models.StaffSession, models.Staff, bool, error)
	SucceedSignIn(ctx context.Context, t models.SignInTry, tries int) error
	UseRecoveryCode(ctx context.Context, actor models.Actor, id int64, code string) (used bool, err error)
	UseTOTPStep(ctx context.Context, id int64, step int64) (bool, error)
	Views(ctx context.Context, page string, staffID int64) ([]models.SavedView, error)
}
