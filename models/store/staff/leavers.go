package staff

import (
	"fmt"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// unassign takes the open cases from a staff member, and the corrections that wait for their decision. It returns what it did in words.
func (s *Store) unassign(tx *gorm.DB, by models.Actor, from string) (string, error) {
	cases, err := s.reassign(tx, by, "case", "case handed over", from)
	if err != nil {
		return "", err
	}
	corrections, err := s.reassign(tx, by, "correction", "correction assigned", from)
	var did []string
	if cases > 0 {
		did = append(did, fmt.Sprintf("Open cases, now unassigned: %d.", cases))
	}
	if corrections > 0 {
		did = append(did, fmt.Sprintf("Corrections to decide, now unassigned: %d.", corrections))
	}
	return strings.Join(did, " "), err
}

// reassign unassigns open cases, or waiting corrections, each with its own audit event, and returns how many.
func (s *Store) reassign(tx *gorm.DB, by models.Actor, object, action, from string) (int, error) {
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
		if err := tx.Table(object+"s").Where("id = ?", id).Update(column, "").Error; err != nil {
			return 0, fmt.Errorf("unassign %s %d: %w", object, id, err)
		}
		err := s.db.Record(tx, models.AuditEvent{Actor: by, Action: action, Object: object, ObjectID: db.Numbered(id),
			Before: from})
		if err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}
