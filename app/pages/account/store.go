package account

import (
	"context"

	"pitboss/models"
)

// Store is what this part of the site needs from the database.
type Store interface {
	ClearStaffTOTP(ctx context.Context, actor models.Actor, id int64, keep string) error
	RecoveryCodesLeft(ctx context.Context, id int64) (int64, error)
	RevokeStaffSession(ctx context.Context, actor models.Actor, staffID int64, id int64) (revoked bool, err error)
	RevokeStaffSessions(ctx context.Context, actor models.Actor, staffID int64, keep string) error
	SetRecoveryCodes(ctx context.Context, actor models.Actor, id int64, codes []string, session string) error
	SetStaffPassword(ctx context.Context, actor models.Actor, id int64, hash string, keep string) error
	SetStaffProfile(ctx context.Context, id int64, p models.Profile) error
	SetStaffTOTP(ctx context.Context, actor models.Actor, id int64, factor models.SecondFactor, keep string) error
	StaffSessions(ctx context.Context, staffID int64) ([]models.StaffSession, error)
}
