package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

func (r auditRow) event() models.AuditEvent {
	return models.AuditEvent{
		ID: r.ID, At: fromMicros(r.AtUs), Actor: models.Actor{Name: r.Actor, Address: r.Address, Session: r.Session}, Action: r.Action,
		Object: r.Object, ObjectID: r.ObjectID, Before: r.BeforeText, After: r.AfterText, Reason: r.Reason,
	}
}

// AuditEvents lists the audit events that f selects, the newest first, and reports whether more follow.
func (s *Store) AuditEvents(ctx context.Context, f models.AuditFilter) ([]models.AuditEvent, bool, error) {
	q := s.read.WithContext(ctx).Where("object = ? AND object_id = ?", f.Object, f.ObjectID).Limit(f.Limit + 1)
	switch {
	case f.Page.IsZero():
		q = q.Order("id DESC")
	case f.Page.Newer:
		q = q.Order("id").Where("id > ?", f.Page.ID)
	default:
		q = q.Order("id DESC").Where("id < ?", f.Page.ID)
	}
	var rows []auditRow
	if err := q.Find(&rows).Error; err != nil {
		return nil, false, fmt.Errorf("list audit events: %w", err)
	}
	rows, more := inOrder(rows, f.Page, f.Limit)
	list := make([]models.AuditEvent, len(rows))
	for i, r := range rows {
		list[i] = r.event()
	}
	return list, more, nil
}

// viewsApart is how long somebody may look at one thing, in one staff session, before that is recorded again.
const viewsApart = time.Hour

// NoteView records that somebody looked at what belongs to a player: the thing itself, "player viewed" or the like, once an hour for each
// staff session.
func (s *Store) NoteView(ctx context.Context, by models.Actor, object, objectID string) error {
	action := object + " viewed"
	// The last views of it, whoever looked: where more than these were within the hour, one too many is recorded.
	latest, _, err := s.AuditEvents(ctx, models.AuditFilter{Object: object, ObjectID: objectID, Limit: 50})
	if err != nil {
		return err
	}
	since := s.now().Add(-viewsApart)
	if slices.ContainsFunc(latest, func(e models.AuditEvent) bool {
		return e.Action == action && e.Actor.Name == by.Name && e.Actor.Session == by.Session && e.At.After(since)
	}) {
		return nil
	}
	err = s.change(ctx, func(tx *gorm.DB) error {
		return s.record(tx, models.AuditEvent{Actor: by, Action: action, Object: object, ObjectID: objectID})
	})
	if err != nil {
		return fmt.Errorf("record a view: %w", err)
	}
	return nil
}

// IsView reports an event that NoteView wrote.
func IsView(e models.AuditEvent) bool { return strings.HasSuffix(e.Action, " viewed") }
