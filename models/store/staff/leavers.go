package staff

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// OpenWork returns what waits for a staff member, or was requested by them and waits for others.
func (s *Store) OpenWork(ctx context.Context, who models.Staff) (w models.OpenWork, err error) {
	for _, part := range []struct {
		to    *[]int64
		query string
		args  []any
	}{
		{&w.Cases, "SELECT id FROM cases WHERE owner = ? AND state = ? ORDER BY found_at_us, id",
			[]any{who.Username, models.CaseOpen}},
		{&w.ToDecide, "SELECT id FROM corrections WHERE assignee = ? AND state = ? ORDER BY id",
			[]any{who.Username, models.ApprovalWaiting}},
		{&w.Corrections, "SELECT id FROM corrections WHERE maker_id = ? AND state = ? ORDER BY id",
			[]any{who.ID, models.ApprovalWaiting}},
		{&w.Held, "SELECT id FROM campaigns WHERE maker_id = ? AND state = ? AND expires_at_us > ? ORDER BY id",
			[]any{who.ID, models.ApprovalWaiting, db.Micros(s.db.Now())}},
		{&w.Changes, "SELECT id FROM change_requests WHERE maker_id = ? AND state = ? ORDER BY id",
			[]any{who.ID, models.ApprovalWaiting}},
		{&w.Imports, "SELECT id FROM campaigns WHERE actor = ? AND job_state IN ? ORDER BY id",
			[]any{who.Username, []int{int(models.JobRunning), int(models.JobPaused)}}},
	} {
		if err := s.db.Read.WithContext(ctx).Raw(part.query, part.args...).Scan(part.to).Error; err != nil {
			return w, fmt.Errorf("read the open work of %s: %w", who.Username, err)
		}
	}
	return w, nil
}

// handOver assigns the open cases of a staff member to a colleague, or to nobody if to is empty, and the corrections that wait
// for the member's decision to nobody. It returns what it did in words, or models.ErrHandOver.
func (s *Store) handOver(tx *gorm.DB, by models.Actor, from, to string) (string, error) {
	if to != "" {
		named := tx.Model(&models.Staff{}).Select("id").Where("username = ?", db.Ascii(to))
		id, err := db.Need[int64](named, models.ErrHandOver, "find a colleague")
		if err != nil {
			return "", err
		}
		colleague, err := db.Locked[models.Staff](s.db, tx, id, models.ErrHandOver)
		if err != nil {
			return "", err
		}
		if colleague.Disabled || colleague.Username != to || to == from {
			return "", models.ErrHandOver
		}
	}
	cases, err := s.reassign(tx, by, "case", "case handed over", from, to)
	if err != nil {
		return "", err
	}
	corrections, err := s.reassign(tx, by, "correction", "correction assigned", from, "")
	if err != nil {
		return "", err
	}
	var did []string
	if cases > 0 && to != "" {
		did = append(did, fmt.Sprintf("Open cases handed over to %s: %d.", to, cases))
	} else if cases > 0 {
		did = append(did, fmt.Sprintf("Open cases, now unassigned: %d.", cases))
	}
	if corrections > 0 {
		did = append(did, fmt.Sprintf("Corrections to decide, now unassigned: %d.", corrections))
	}
	return strings.Join(did, " "), nil
}

// reassign changes whose open cases, or waiting corrections, they are, each with its own audit event, and returns how many.
func (s *Store) reassign(tx *gorm.DB, by models.Actor, object, action, from, to string) (int, error) {
	rows, column, state := tx.Model(&models.Case{}), "owner", uint8(models.CaseOpen)
	if object == "correction" {
		rows, column, state = tx.Model(&models.Correction{}), "assignee", uint8(models.ApprovalWaiting)
	}
	var ids []int64
	err := s.db.Locking(rows).Where(column+" = ? AND state = ?", from, state).Order("id").Pluck("id", &ids).Error
	if err != nil {
		return 0, fmt.Errorf("lock the work of %s: %w", from, err)
	}
	for _, id := range ids {
		if _, err := s.db.LoadObjects(tx, object, []string{db.Numbered(id)}); err != nil {
			return 0, err
		}
		if err := tx.Table(object+"s").Where("id = ?", id).Update(column, to).Error; err != nil {
			return 0, fmt.Errorf("hand over %s %d: %w", object, id, err)
		}
		err := s.db.Record(tx, models.AuditEvent{Actor: by, Action: action, Object: object, ObjectID: db.Numbered(id),
			Before: from, After: to})
		if err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}
