package staff

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// OpenWork returns the unfinished work of a staff member.
func (s *Store) OpenWork(ctx context.Context, of models.Staff) (models.OpenWork, error) {
	return s.openWork(s.db.Read.WithContext(ctx), &of)
}

func (s *Store) openWork(tx *gorm.DB, of *models.Staff) (w models.OpenWork, err error) {
	numbers := func(query string, args ...any) (ids []int64) {
		if err == nil {
			ids, err = db.All[int64](tx, query, args...)
		}
		return ids
	}
	w.Cases = numbers("SELECT id FROM cases WHERE owner = ? AND state = ? ORDER BY id", of.Username, uint8(models.CaseOpen))
	w.Corrections = numbers("SELECT id FROM corrections WHERE assignee = ? AND state = ? ORDER BY id", of.Username, models.ApprovalWaiting)
	w.Campaigns = numbers("SELECT id FROM campaigns WHERE actor = ? AND job_state IN ? ORDER BY id", of.Username,
		append([]models.JobState{models.JobPaused}, models.OpenJobStates...))
	for object, table := range ownRequests {
		if ids := numbers("SELECT id FROM "+table+" WHERE maker_id = ? AND state = ? ORDER BY id", of.ID, models.ApprovalWaiting); len(ids) > 0 {
			if w.Requests == nil {
				w.Requests = map[string][]int64{}
			}
			w.Requests[object] = ids
		}
	}
	return w, err
}

// ownRequests are the tables of the requests that staff make, by the Object of their audit events.
var ownRequests = map[string]string{"correction": "corrections", "campaign": "campaigns", "restriction": "restrictions",
	"change": "change_requests"}

// unassign unassigns a staff member's open cases and the corrections that wait for their decision. One event lists these and
// all other unfinished work, and colleagues with the same role are notified of it.
func (s *Store) unassign(tx *gorm.DB, by models.Actor, from *models.Staff) error {
	left, err := s.openWork(tx, from)
	if err != nil {
		return err
	}
	if left.Cases, err = s.reassign(tx, by, "case", "case handed over", from.Username); err != nil {
		return err
	}
	left.Corrections, err = s.reassign(tx, by, "correction", "correction assigned", from.Username)
	if err != nil || left.None() {
		return err
	}
	return s.db.Record(tx, models.AuditEvent{Actor: by, Action: models.WorkUnassigned, Object: "staff", ObjectID: db.Numbered(from.ID),
		Before: db.JsonText(left)})
}

// reassign unassigns open cases, or waiting corrections, each with its own audit event, and returns their numbers.
func (s *Store) reassign(tx *gorm.DB, by models.Actor, object, action, from string) ([]int64, error) {
	rows, column, state := tx.Model(&models.Case{}), "owner", uint8(models.CaseOpen)
	if object == "correction" {
		rows, column, state = tx.Model(&models.Correction{}), "assignee", uint8(models.ApprovalWaiting)
	}
	ids, err := db.Find[int64](s.db.Locking(rows).Where(column+" = ? AND state = ?", from, state).Order("id").Select("id"))
	if err != nil {
		return nil, fmt.Errorf("lock the work of %s: %w", from, err)
	}
	for _, id := range ids {
		if _, err := s.db.LoadObjects(tx, object, []string{db.Numbered(id)}); err != nil {
			return nil, err
		}
		if err := tx.Table(object+"s").Where("id = ?", id).Update(column, "").Error; err != nil {
			return nil, fmt.Errorf("unassign %s %d: %w", object, id, err)
		}
		err := s.db.Record(tx, models.AuditEvent{Actor: by, Action: action, Object: object, ObjectID: db.Numbered(id),
			Before: from})
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}
