package staff

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// One rule for all two-person requests: Decided locks a request and decides it, in the transaction that puts the decision into
// effect.

// CheckSigner checks that a staff member has confirmed their password if that was required, still has the role of their
// session, and has an account that is enabled, confirmed and matches the audit log. It returns a models.ApprovalError or a
// models.TamperedError.
func (s *Store) CheckSigner(tx *gorm.DB, by models.Signer) error {
	if by.Unproven {
		return models.ApprovalError{Why: models.ErrUnproven}
	}
	row, found, err := db.Load[models.Staff](s.db, tx, by.StaffID)
	if err != nil {
		return err
	}
	if !found || row.Disabled || len(row.Unconfirmed) > 0 || row.Role != by.Role {
		return models.ApprovalError{Why: models.ErrSignerChanged}
	}
	return nil
}

// Seen identifies the state of a request as it was read, and of the player whom it concerns: see models.Decision.
func (s *Store) Seen(ctx context.Context, r models.Requested) (string, error) {
	return s.seen(s.db.Read.WithContext(ctx), r)
}

func (s *Store) seen(tx *gorm.DB, r models.Requested) (string, error) {
	digest := db.Seen(r)
	if id := r.Concerns(); id != 0 {
		p, _, err := db.Load[models.Player](s.db, tx, id)
		return digest + "." + db.Seen(p), err
	}
	return digest, nil
}

// Decided locks a request and records in it what a person decides. The caller writes the request, with its audit event, and
// puts it into effect in the same transaction. Decided returns missing, an ApprovalError, or a models.TamperedError if the
// request differs from the audit log. The reason of the ApprovalError is a models.SeenChangedError if the request, or the
// player whom it concerns, differs from what the person saw.
func Decided[T any, R interface {
	*T
	models.Requested
}](s *Store, tx *gorm.DB, by models.Signer, d models.Decision, missing error) (row T, err error) {
	if row, err = db.Locked[T](s.db, tx, d.ID, missing); err != nil {
		return row, err
	}
	r := R(&row)
	if err := r.Asked().Undecided(); err != nil {
		return row, err
	}
	if err := s.CheckSigner(tx, by); err != nil {
		return row, err
	}
	if err := r.Asked().May(d.Do, r.Rule(), by, s.db.Now()); err != nil {
		return row, err
	}
	now, err := s.seen(tx, r)
	if err != nil {
		return row, err
	}
	if now != d.Seen {
		return row, s.seenChanged(tx, r, d, now)
	}
	return row, r.Asked().Decide(r.Rule(), by, d.Do, d.Why, s.db.Now())
}

// seenChanged returns the latest change of the request, or of the player if a person saw the request as it is now.
func (s *Store) seenChanged(tx *gorm.DB, r models.Requested, d models.Decision, now string) error {
	changed := db.CoveredRow{Object: d.Kind, ID: db.Numbered(d.ID)}
	if request, _, about := strings.Cut(now, "."); about && strings.HasPrefix(d.Seen, request+".") {
		changed = db.CoveredRow{Object: "player", ID: db.Numbered(r.Concerns())}
	}
	latest, err := s.db.LatestEvent(tx, changed)
	if err != nil {
		return err
	}
	event, err := db.Need[models.AuditEvent](tx.Session(&gorm.Session{NewDB: true}).Where("id = ?", latest),
		models.ErrSignerChanged)
	if err != nil {
		return err
	}
	return models.ApprovalError{Why: models.SeenChangedError{Latest: event}}
}
