package signin

import (
	"context"
	"time"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	BeginSignIn(ctx context.Context, t models.SignInTry) (wait time.Duration, counted models.SignInTry, err error)
	DisableUnused(ctx context.Context, id int64) (done bool, err error)
	NoteSignIn(ctx context.Context, actor models.Actor, staffID int64, device string) error
	NoteSignInFailure(ctx context.Context, by models.Actor, staffID int64, action string) error
	Staff(ctx context.Context, id int64) (models.Staff, bool, error)
	StaffLink(ctx context.Context, staffID int64) (models.StaffLink, bool, error)
	StaffNamed(ctx context.Context, username string) (models.Staff, bool, error)
	SucceedSignIn(ctx context.Context, t models.SignInTry, tries int) error
	UseStaffLink(ctx context.Context, actor models.Actor, used models.StaffLink, hash string, device string) error
}
