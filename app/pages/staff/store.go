package staff

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	Alerts(ctx context.Context, of models.Staff, limit int) ([]models.AuditEvent, error)
	CreateStaff(ctx context.Context, actor models.Actor, staff models.Staff) (models.Staff, error)
	ListStaff(ctx context.Context, f models.StaffFilter) ([]models.Staff, bool, error)
	MakeStaffLink(ctx context.Context, actor models.Actor, link models.StaffLink) error
	NoteLooked(ctx context.Context, staffID int64, upTo models.AuditEvent) error
	RecoveryCodesLeft(ctx context.Context, id int64) (int64, error)
	ResetStaffTOTP(ctx context.Context, actor models.Actor, id int64) error
	RevokeStaffSessions(ctx context.Context, actor models.Actor, staffID int64, keep string) error
	SetStaffDisabled(ctx context.Context, actor models.Actor, id int64, disabled bool, reason string) error
	SetStaffEmail(ctx context.Context, actor models.Actor, id int64, email string) error
	SetStaffRole(ctx context.Context, actor models.Actor, id int64, role models.Role) error
	SignInLock(ctx context.Context, username string) (models.SignInLock, error)
	Staff(ctx context.Context, id int64) (models.Staff, bool, error)
	StaffLink(ctx context.Context, staffID int64) (models.StaffLink, bool, error)
	StaffSessions(ctx context.Context, staffID int64) ([]models.StaffSession, error)
	TwoPeople(ctx context.Context) (models.TwoPeople, error)
	UnlockSignIn(ctx context.Context, actor models.Actor, staffID int64) error
}
