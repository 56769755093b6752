package staff

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// AuditEvents lists the audit events that f selects, newest first, along the index of the most selective filter. It applies the
// other filters to the events along that index, up to a maximum, and the page says where it stopped.
func (s *Store) AuditEvents(ctx context.Context, f models.AuditFilter) (page models.Page[models.AuditEvent], err error) {
	w, err := s.auditWalk(ctx, f)
	if err != nil {
		return page, fmt.Errorf("list audit events: %w", err)
	}
	var ids []int64
	ids, page.More, page.Stopped, err = w.Page(ctx, s.db.Read, f.Limit)
	if err == nil && len(ids) > 0 {
		err = s.db.Read.WithContext(ctx).Where("id IN ?", ids).Order("id DESC").Find(&page.Rows).Error
	}
	if err != nil {
		return models.Page[models.AuditEvent]{}, fmt.Errorf("list audit events: %w", err)
	}
	return page, nil
}

// differencesOfPlayer returns the SQL that selects a row for each bucket in which a statement has a difference of a player.
// Each bucket is searched separately, because the index by players begins with run and bucket. With a list of buckets, or
// without these hints, MariaDB reads all differences.
func differencesOfPlayer(d db.Dialect) string {
	var each []string
	for _, bucket := range models.Buckets {
		each = append(each, fmt.Sprintf("SELECT 1 FROM statement_runs r%s%sstatement_differences t%s "+
			"ON t.run_id = r.id AND t.bucket = %d AND t.player_id = ? WHERE r.statement_id = NUMBER",
			db.Path{Index: "statement_runs_statement"}.Hint(d), d.JoinInOrder(),
			db.Path{Index: "statement_differences_bucket"}.Hint(d), bucket))
	}
	return strings.Join(each, " UNION ALL ")
}

// aboutPlayer restricts the walk to the events that concern a player: those that name the player, and those about a campaign or
// a statement whose lines do, which may be as many as there are players.
func (s *Store) aboutPlayer(w *db.Walk, player int64) {
	w.Paths = []db.Path{{Index: "audit_events_player", Where: "player_id = ?", Args: []any{player}}}
	of, args := "player_id = ?", []any{player}
	number := s.db.Dialect.Number("audit_events.object_id")
	for _, lines := range []struct{ object, of string }{
		{"campaign", "SELECT 1 FROM campaign_lines t WHERE t.campaign_id = NUMBER AND t.player_id = ?"},
		{"statement", differencesOfPlayer(s.db.Dialect)},
	} {
		w.Paths = append(w.Paths, db.Path{Index: "audit_events_kind", Where: "object = ?", Args: []any{lines.object}})
		of += " OR player_id = 0 AND object = '" + lines.object + "' AND EXISTS (" + strings.ReplaceAll(lines.of, "NUMBER", number) + ")"
		args = append(args, slices.Repeat([]any{player}, strings.Count(lines.of, "?"))...)
	}
	w.Also("("+of+")", args...)
}

// timelineKind returns an SQL expression for AuditEvent.Timeline.
func timelineKind() string {
	kind := fmt.Sprintf("CASE WHEN action LIKE '%%%s' THEN %d WHEN action = '%s' OR action LIKE '%s%%' THEN %d WHEN action = '%s' THEN %d",
		models.Viewed, models.TimelineViews, models.PlayerLimitsSet, models.PlayerRestriction, models.TimelineLimits,
		models.PlayerTold, models.TimelineAnswers)
	for _, k := range models.TimelineKinds {
		if objects := models.TimelineObjects[k]; objects != nil {
			kind += fmt.Sprintf(" WHEN object IN ('%s') THEN %d", strings.Join(objects, "', '"), k)
		}
	}
	return kind + fmt.Sprintf(" ELSE %d END", models.TimelineOther)
}

func (s *Store) auditWalk(ctx context.Context, f models.AuditFilter) (*db.Walk, error) {
	w := &db.Walk{Table: "audit_events", Dialect: s.db.Dialect, Newer: f.Page.Newer, From: f.Page.ID}
	if f.PlayerID != 0 {
		s.aboutPlayer(w, f.PlayerID)
	}
	// The first filter with an index is the path, unless a player is selected. The others are applied along it.
	for _, by := range []struct {
		asked bool
		path  db.Path
	}{
		{f.Object != "" && f.ObjectID != "",
			db.Path{Index: "audit_events_object", Where: "object = ? AND object_id = ?", Args: []any{f.Object, f.ObjectID}}},
		{f.Session != "", db.Path{Index: "audit_events_session", Where: "session = ?", Args: []any{f.Session}}},
		{f.Address != "", db.Path{Index: "audit_events_address", Where: "address = ?", Args: []any{f.Address}}},
		{f.Action != "", db.Path{Index: "audit_events_action", Where: "action = ?", Args: []any{f.Action}}},
		{f.Actor != "", db.Path{Index: "audit_events_actor", Where: "actor = ?", Args: []any{f.Actor}}},
		{f.Object != "" && f.ObjectID == "", db.Path{Index: "audit_events_kind", Where: "object = ?", Args: []any{f.Object}}},
		{f.Object == "" && f.ObjectID != "", db.Path{Index: "", Where: "object_id = ?", Args: []any{f.ObjectID}}},
		{f.Reason != "", db.Path{Index: "", Where: "LOWER(reason) LIKE LOWER(?) ESCAPE '!'",
			Args: []any{"%" + db.LikeLiteral.Replace(f.Reason) + "%"}}},
	} {
		switch {
		case !by.asked:
		case by.path.Index != "" && w.Paths == nil:
			w.Paths = []db.Path{by.path}
		default:
			w.Also(by.path.Where, by.path.Args...)
		}
	}
	if f.Changes {
		w.Also("action NOT LIKE ?", "%"+models.Viewed)
	}
	if f.Timeline != nil {
		w.Also(timelineKind()+" IN ?", models.TimelineNumbers(f.Timeline))
	}
	if w.Filter != "" {
		w.Far = s.db.Far.AlongIndex
	}
	if w.Paths == nil {
		w.Paths = []db.Path{{}}
		if w.Filter != "" {
			w.Far = s.db.Far.AlongTable
		}
	}
	if err := s.db.Between(ctx, w, f.Since, f.Until); err != nil {
		return nil, err
	}
	if !f.Since.IsZero() {
		w.Also("at_us >= ?", db.Micros(f.Since))
	}
	if !f.Until.IsZero() {
		w.Also("at_us < ?", db.Micros(f.Until))
	}
	return w, nil
}

// AuditWords returns the actions and objects in the log, for filters to choose from.
func (s *Store) AuditWords(ctx context.Context) (actions, objects []string, err error) {
	for column, list := range map[string]*[]string{"action": &actions, "object": &objects} {
		if *list, err = s.db.Distinct(s.db.Read.WithContext(ctx), "audit_events", column); err != nil {
			return nil, nil, fmt.Errorf("list the actions and objects of the audit log: %w", err)
		}
	}
	return actions, objects, nil
}

// AuditEvent returns the audit event with this number, or false if there is none.
func (s *Store) AuditEvent(ctx context.Context, id int64) (models.AuditEvent, bool, error) {
	return db.One[models.AuditEvent](s.db.Read.WithContext(ctx).Where("id = ?", id), "read audit event")
}

// Note records an event that changes nothing else, such as a download.
func (s *Store) Note(ctx context.Context, e models.AuditEvent) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error { return s.db.Record(tx, e) })
}

// viewsApart is how long after a recorded view of an object further views in the same staff session are not recorded.
const viewsApart = time.Hour

// NoteView records that somebody viewed an object, such as a case, once an hour for each staff session. player is 0 if the
// object concerns nobody.
func (s *Store) NoteView(ctx context.Context, by models.Actor, object, objectID string, player int64) error {
	action := object + models.Viewed
	// Only the object's last 50 events are searched. If it had more within the hour, one view too many is recorded.
	var seen bool
	err := s.db.Read.WithContext(ctx).Raw("SELECT EXISTS (SELECT 1 FROM (SELECT action, actor, session, at_us "+
		"FROM audit_events"+
		db.Path{Index: "audit_events_object"}.Hint(s.db.Dialect)+
		" WHERE object = ? AND object_id = ? ORDER BY id DESC LIMIT 50) e WHERE action = ? AND actor = ? AND session = ? "+
		"AND at_us > ?)", object, objectID, action, by.Name, by.Session, db.Micros(s.db.Now().Add(-viewsApart))).
		Scan(&seen).Error
	if err != nil {
		return fmt.Errorf("look for a view: %w", err)
	}
	if seen {
		return nil
	}
	if err := s.Note(ctx, models.AuditEvent{Actor: by, Action: action, Object: object, ObjectID: objectID, PlayerID: player}); err != nil {
		return fmt.Errorf("record a view: %w", err)
	}
	return nil
}
