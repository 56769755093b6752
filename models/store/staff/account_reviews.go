package staff

import (
	"context"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Reviews of accounts; see models/account_review.go.

// reviewedAccounts is the subject of reviews. A review is overtaken if an account was added, or has another role, before it was
// confirmed.
var reviewedAccounts = changeSubject{
	current: func(s *Store, tx *gorm.DB, _ string) (string, error) {
		accounts, err := s.usable(tx)
		var roles []models.ReviewedRole
		for _, a := range accounts {
			roles = append(roles, models.ReviewedRole{ID: a.ID, Role: a.Role})
		}
		return db.JsonText(roles), err
	},
	check: func(value string) error {
		_, err := models.ParseAccountReview(value)
		return err
	},
	apply: func(*Store, *gorm.DB, models.Actor, *models.ChangeRequest) error { return nil },
}

// usable returns the accounts that are not disabled, by username.
func (s *Store) usable(tx *gorm.DB) ([]models.Staff, error) {
	ids, err := db.All[int64](tx, "SELECT id FROM staff WHERE disabled = 0 ORDER BY username")
	if err != nil {
		return nil, err
	}
	return db.LoadMany[models.Staff](s.db, tx, ids)
}

// UsableAccounts returns the accounts that are not disabled, by username. A review covers these.
func (s *Store) UsableAccounts(ctx context.Context) ([]models.Staff, error) {
	return s.usable(s.db.Read.WithContext(ctx))
}

// LastReview returns the last review of accounts that a second administrator has confirmed, or false before the first one.
func (s *Store) LastReview(ctx context.Context) (models.ChangeRequest, bool, error) {
	return db.First(s.changeRequests(s.db.Read.WithContext(ctx).Where("state = ? AND subject = ?", models.ApprovalApproved,
		models.ChangeAccounts).Limit(1)))
}

// ReviewDue returns when the next review of accounts is due.
func (s *Store) ReviewDue(ctx context.Context) (time.Time, error) {
	last, found, err := s.LastReview(ctx)
	if err != nil || found {
		return models.ReviewDue(last.DecidedAt), err
	}
	oldest, _, err := db.First(db.All[int64](s.db.Read.WithContext(ctx), "SELECT COALESCE(MIN(created_at_us), 0) FROM staff"))
	return models.ReviewDue(db.FromMicros(oldest)), err
}
