package store

import (
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
)

type auditRow struct {
	ID         int64
	AtUs       int64
	Actor      string
	Address    string
	Session    string
	Action     string
	Object     string
	ObjectID   string
	BeforeText string
	AfterText  string
	Reason     string
}

// TableName names the table.
func (auditRow) TableName() string { return "audit_events" }

// record writes an audit event in the transaction of the change that it tells of.
func (s *Store) record(tx *gorm.DB, e models.AuditEvent) error {
	row := s.auditRow(e)
	if err := tx.Create(&row).Error; err != nil {
		return fmt.Errorf("write audit event: %w", err)
	}
	return nil
}

func (s *Store) auditRow(e models.AuditEvent) auditRow {
	return auditRow{
		AtUs: micros(s.now()), Actor: e.Actor.Name, Address: e.Actor.Address, Session: e.Actor.Session, Action: e.Action,
		Object: e.Object, ObjectID: e.ObjectID, BeforeText: e.Before, AfterText: e.After, Reason: e.Reason,
	}
}
