package staff

import (
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// unassign takes the open cases from a staff member, and the corrections that wait for their decision. One event names them, of which
// colleagues with the same role are notified.
func (s *Store) unassign(tx *gorm.DB, by models.Actor, from *models.Staff) error {
	cases, err := s.reassign(tx, by, "case", "case handed over", from.Username)
	if err != nil {
		return err
	}
	corrections, err := s.reassign(tx, by, "correction", "correction assigned", from.Username)
	if err != nil || len(cases)+len(corrections) == 0 {
		return err
	}
	return s.db.Record(tx, models.AuditEvent{Actor: by, Action: models.WorkUnassigned, Object: "staff", ObjectID: db.Numbered(from.ID),
		Before: db.JsonText(map[string]any{"open cases": cases, "corrections to decide": corrections})})
}

// reassign unassigns open cases, or waiting corrections, each with its own audit event, and returns their numbers.
func (s *Store) reassign(tx *gorm.DB, by models.Actor, object, action, from string) ([]int64, error) {
	rows, column, state := tx.Model(&models.Case{}), "owner", uint8(models.CaseOpen)
	if object == "correction" {
		rows, column, state = tx.Model(&models.Correction{}), "assignee", uint8(models.ApprovalWaiting)
	}
	var ids []int64
	err := s.db.Locking(rows).Where(column+" = ? AND state = ?", from, state).Order("id").Pluck("id", &ids).Error
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
