package staff

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// changeSubject has the functions that read, check and apply a subject of change requests.
type changeSubject struct {
	current func(s *Store, tx *gorm.DB, after string) (string, error) // the value that would become after
	check   func(value string) error
	apply   func(s *Store, tx *gorm.DB, by models.Actor, r *models.ChangeRequest) error
	// about returns a number for a value: requests with different numbers can wait at the same time. If it is nil, only one
	// request can wait.
	about func(value string) int64
}

// changeSubjects are the subjects that are not simply the setting of the same name.
var changeSubjects = map[models.ChangeSubject]changeSubject{
	models.ChangeReportZone: changedZone,
	models.ChangeAPIClient:  changedClient,
	models.ChangeAPISecret:  changedSecret,
	models.ChangeRates:      changedRates,
	models.ChangeAccounts:   reviewedAccounts,
}

// subjectOf returns the functions of a subject, or false if there is no such subject.
func subjectOf(subject models.ChangeSubject) (changeSubject, bool) {
	if own, found := changeSubjects[subject]; found {
		return own, true
	}
	kind, known := subject.Kind()
	return changeSubject{
		current: func(s *Store, tx *gorm.DB, _ string) (string, error) {
			value, found, err := s.db.ReadSetting(tx, string(subject))
			if err == nil && !found {
				value = kind.Preset
			}
			return value, err
		},
		check: kind.Check,
		apply: func(s *Store, tx *gorm.DB, by models.Actor, r *models.ChangeRequest) error {
			return s.db.WriteSetting(tx, by, string(subject), r.After, r.AppliedReason())
		},
	}, known
}

// maxChangeValue is how many bytes of a value are stored.
const maxChangeValue = 60_000

// changedZone recalculates the days that are not closed. Closed days keep the hours of their zone.
var changedZone = changeSubject{
	current: func(s *Store, tx *gorm.DB, _ string) (string, error) {
		name, err := s.db.ReadReportZone(tx)
		return db.JsonText(name), err
	},
	check: func(text string) error {
		var name string
		if err := json.Unmarshal([]byte(text), &name); err != nil {
			return err
		}
		return models.CheckZone(name)
	},
	apply: func(s *Store, tx *gorm.DB, by models.Actor, r *models.ChangeRequest) error {
		var name string
		if err := json.Unmarshal([]byte(r.After), &name); err != nil {
			return err
		}
		if _, err := db.DaySums.Lock(s.db, tx); err != nil {
			return err
		}
		if err := s.db.WriteSetting(tx, by, models.ReportZoneSetting, name, r.AppliedReason()); err != nil {
			return err
		}
		return db.DaySums.Move(s.db, tx, db.DaysForgotten)
	},
}

// RequestChange requests a change. It takes effect only after a second person approves it. value is the subject's new
// value; it is stored as JSON. It returns an ApprovalError, models.ErrChangeInvalid, ErrChangeReason, ErrChangeSame or a
// ChangePendingError.
func (s *Store) RequestChange(ctx context.Context, by models.Signer, subject models.ChangeSubject, value any,
	reason string) (models.ChangeRequest, error) {
	kind, known := subjectOf(subject)
	text := db.JsonText(value)
	if !known || len(text) > maxChangeValue || kind.check(text) != nil {
		return models.ChangeRequest{}, models.ErrChangeInvalid
	}
	if n := utf8.RuneCountInString(reason); n == 0 || n > models.MaxChangeReason {
		return models.ChangeRequest{}, models.ErrChangeReason
	}
	var r models.ChangeRequest
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := subject.Rule().MayRequest(by); err != nil {
			return err
		}
		if err := s.CheckSigner(tx, by); err != nil {
			return err
		}
		if err := s.db.LockLease(tx, changeLock); err != nil {
			return err
		}
		waiting, err := db.Find[models.ChangeRequest](tx.Where("state = ? AND subject = ?", models.ApprovalWaiting, subject))
		if err != nil {
			return err
		}
		for _, w := range waiting {
			if kind.about == nil || kind.about(w.After) == kind.about(text) {
				return models.ChangePendingError{ID: w.ID}
			}
		}
		before, err := kind.current(s, tx, text)
		if err != nil {
			return err
		}
		if before == text {
			return models.ErrChangeSame
		}
		r = models.ChangeRequest{At: s.db.Now(), Subject: subject, Before: before, After: text, Reason: reason,
			Day: firstRate(subject, text), Approval: models.Approval{Maker: by.Signature(), State: models.ApprovalWaiting}}
		return db.Create(s.db, tx, &r, changeEvent(by.Actor, r, "requested", reason))
	})
	return r, err
}

// changeLock names the lease that requests lock, so that only one is written at a time.
const changeLock = "change requests"

func changeEvent(by models.Actor, r models.ChangeRequest, done, reason string) models.AuditEvent {
	action := "change " + done
	if kind, _ := r.Subject.Kind(); kind.Figures { // administrators are not alerted of these
		action = "figures " + done
	}
	if reason == "" { // approvals and withdrawals have no reason
		reason = "Requested by " + r.Maker.Username + ": " + r.Reason
	}
	return models.AuditEvent{Actor: by, Action: action,
		Before: db.JsonText(map[string]any{"value": asJSON(r.Before)}),
		After: db.JsonText(map[string]any{"subject": r.Subject, "value": asJSON(r.After),
			"requested_by": r.Maker.Username}),
		Reason: reason,
	}
}

// asJSON returns the stored value of a setting for the audit log: as JSON if it is JSON, so that the audit log can compare its
// fields, or as a string.
func asJSON(value string) any {
	if json.Valid([]byte(value)) {
		return json.RawMessage(value)
	}
	return value
}

// DecideChange decides a change, and applies it if it is approved. It returns models.ErrChangeUnknown, ErrChangeOvertaken,
// ErrChangeInvalid or the errors of Decided.
func (s *Store) DecideChange(ctx context.Context, by models.Signer, d models.Decision) (r models.ChangeRequest, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.db.LockLease(tx, changeLock); err != nil {
			return err
		}
		if r, err = Decided[models.ChangeRequest](s, tx, by, d, models.ErrChangeUnknown); err != nil {
			return err
		}
		if d.Do == models.ApprovalApproved {
			if err := s.applyChange(tx, by.Actor, &r); err != nil {
				return err
			}
		}
		return db.Save(s.db, tx, &r, changeEvent(by.Actor, r, r.State.String(), r.DecisionText))
	})
	return r, err
}

func (s *Store) applyChange(tx *gorm.DB, by models.Actor, r *models.ChangeRequest) error {
	kind, known := subjectOf(r.Subject)
	if !known || kind.check(r.After) != nil {
		return models.ErrChangeInvalid
	}
	current, err := kind.current(s, tx, r.After)
	if err != nil {
		return err
	}
	if current != r.Before {
		return models.ErrChangeOvertaken
	}
	return kind.apply(s, tx, by, r)
}

// ChangeRequest returns the change request with this number, or false if there is none.
func (s *Store) ChangeRequest(ctx context.Context, id int64) (models.ChangeRequest, bool, error) {
	return db.First(s.changeRequests(s.db.Read.WithContext(ctx).Where("id = ?", id)))
}

// WaitingChanges lists the waiting change requests, newest first.
func (s *Store) WaitingChanges(ctx context.Context) ([]models.ChangeRequest, error) {
	return s.changeRequests(s.db.Read.WithContext(ctx).Where("state = ?", models.ApprovalWaiting))
}

func (s *Store) changeRequests(q *gorm.DB) ([]models.ChangeRequest, error) {
	return db.Find[models.ChangeRequest](q.Order("id DESC").Limit(100))
}
