package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

func (r auditRow) event() models.AuditEvent {
	return models.AuditEvent{
		ID: r.ID, At: fromMicros(r.AtUs), Action: r.Action,
		Actor:  models.Actor{Name: r.Actor, Channel: models.Channel(r.Channel), OSUser: r.OsUser, Address: r.Address, Session: r.Session},
		Object: r.Object, ObjectID: r.ObjectID, Before: r.BeforeText, After: r.AfterText, Reason: r.Reason,
	}
}

// AuditEvents lists the audit events that f selects, the newest first, and reports whether more follow. It is for the events of one thing,
// which it always finds: see AuditLog for filters that may not be followed through the whole log.
func (s *Store) AuditEvents(ctx context.Context, f models.AuditFilter) ([]models.AuditEvent, bool, error) {
	page, err := s.AuditLog(ctx, f)
	return page.Rows, page.More, err
}

// AuditLog lists the audit events that f selects, the newest first, along the index that tells most of them apart. Other filters are looked
// for along that way, through so many events at most, and the page says where it stopped.
func (s *Store) AuditLog(ctx context.Context, f models.AuditFilter) (models.Looked[models.AuditEvent], error) {
	page, err := s.auditLog(ctx, f)
	if err != nil {
		return models.Looked[models.AuditEvent]{}, fmt.Errorf("list audit events: %w", err)
	}
	return page, nil
}

func (s *Store) auditLog(ctx context.Context, f models.AuditFilter) (page models.Looked[models.AuditEvent], err error) {
	w, err := s.auditWalk(ctx, f)
	if err != nil {
		return page, err
	}
	var ids []int64
	if ids, page.More, page.Stopped, err = w.page(ctx, s.read, f.Limit); err != nil || len(ids) == 0 {
		return page, err
	}
	var rows []auditRow
	if err := s.read.WithContext(ctx).Where("id IN ?", ids).Order("id DESC").Find(&rows).Error; err != nil {
		return page, err
	}
	for _, r := range rows {
		page.Rows = append(page.Rows, r.event())
	}
	return page, nil
}

func (s *Store) auditWalk(ctx context.Context, f models.AuditFilter) (*walk, error) {
	w := &walk{table: "audit_events", dialect: s.dialect, newer: f.Page.Newer, from: f.Page.ID}
	// The first that is asked for is the way, the others are looked for along it.
	for _, by := range []struct {
		asked bool
		path  path
	}{
		{f.Object != "" && f.ObjectID != "", path{"audit_events_object", "object = ? AND object_id = ?", []any{f.Object, f.ObjectID}}},
		{f.Session != "", path{"audit_events_session", "session = ?", []any{f.Session}}},
		{f.Address != "", path{"audit_events_address", "address = ?", []any{f.Address}}},
		{f.Action != "", path{"audit_events_action", "action = ?", []any{f.Action}}},
		{f.Actor != "", path{"audit_events_actor", "actor = ?", []any{f.Actor}}},
		{f.Object != "" && f.ObjectID == "", path{"audit_events_kind", "object = ?", []any{f.Object}}},
		{f.Object == "" && f.ObjectID != "", path{"", "object_id = ?", []any{f.ObjectID}}},
		{f.Reason != "", path{"", "LOWER(reason) LIKE LOWER(?) ESCAPE '!'", []any{"%" + likeLiteral.Replace(f.Reason) + "%"}}},
	} {
		switch {
		case !by.asked:
		case by.path.index != "" && w.paths == nil:
			w.paths = []path{by.path}
		default:
			w.also(by.path.where, by.path.args...)
		}
	}
	if w.filter != "" {
		w.far = lookAlongIndex
	}
	if w.paths == nil {
		w.paths = []path{{}}
		if w.filter != "" {
			w.far = lookAlongTable
		}
	}
	if err := s.between(ctx, w, f.Since, f.Until); err != nil {
		return nil, err
	}
	if !f.Since.IsZero() {
		w.also("at_us >= ?", micros(f.Since))
	}
	if !f.Until.IsZero() {
		w.also("at_us < ?", micros(f.Until))
	}
	return w, nil
}

// also adds a condition that rows must pass besides.
func (w *walk) also(condition string, args ...any) {
	if w.filter != "" {
		w.filter += " AND "
	}
	w.filter += condition
	w.args = append(w.args, args...)
}

// AuditWords returns the actions and kinds of things that stand in the log, for filters to choose from.
func (s *Store) AuditWords(ctx context.Context) (actions, objects []string, err error) {
	for column, list := range map[string]*[]string{"action": &actions, "object": &objects} {
		if *list, err = s.distinct(ctx, "audit_events", column); err != nil {
			return nil, nil, fmt.Errorf("list what the audit log speaks of: %w", err)
		}
	}
	return actions, objects, nil
}

// distinct lists the few values of an indexed column in their order, from one to the next, without a look at the rows between them.
func (s *Store) distinct(ctx context.Context, table, column string) (values []string, err error) {
	for last, first := "", true; ; first = false {
		condition, args := "", []any{}
		if !first {
			condition, args = " WHERE "+column+" > ?", []any{last}
		}
		var next []string
		err := s.read.WithContext(ctx).Raw("SELECT "+column+" FROM "+table+condition+" ORDER BY "+column+" LIMIT 1", args...).Scan(&next).Error
		if err != nil || len(next) == 0 {
			return values, err
		}
		last = next[0]
		values = append(values, last)
	}
}

// AuditEvent returns the audit event with this number, and false where there is none.
func (s *Store) AuditEvent(ctx context.Context, id int64) (models.AuditEvent, bool, error) {
	var rows []auditRow
	if err := s.read.WithContext(ctx).Where("id = ?", id).Find(&rows).Error; err != nil {
		return models.AuditEvent{}, false, fmt.Errorf("read audit event: %w", err)
	}
	if len(rows) == 0 {
		return models.AuditEvent{}, false, nil
	}
	return rows[0].event(), true, nil
}

// viewsApart is how long somebody may look at one thing, in one staff session, before that is recorded again.
const viewsApart = time.Hour

// NoteView records that somebody looked at what belongs to a player: the thing itself, "player viewed" or the like, once an hour for each
// staff session.
func (s *Store) NoteView(ctx context.Context, by models.Actor, object, objectID string) error {
	action := object + models.Viewed
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

// NoteRequestShown records that somebody was shown a transaction's callback as a request that can be sent again, each time.
func (s *Store) NoteRequestShown(ctx context.Context, by models.Actor, transaction int64) error {
	err := s.change(ctx, func(tx *gorm.DB) error {
		return s.record(tx, models.AuditEvent{Actor: by, Action: "request copied", Object: "transaction", ObjectID: strconv.FormatInt(transaction, 10)})
	})
	if err != nil {
		return fmt.Errorf("record a request shown: %w", err)
	}
	return nil
}
