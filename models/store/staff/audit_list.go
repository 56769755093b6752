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
	along, lines := s.aboutPlayer(f.PlayerID)
	list := db.List{Table: "audit_events", Index: db.Primary, ID: "id", Events: true, Span: f.Span, Filters: []db.Filter{
		along, lines,
		db.If(f.Object != "" && f.ObjectID != "", "audit_events_object", "object = ? AND object_id = ?", f.Object, f.ObjectID),
		db.If(f.Session != "", "audit_events_session", "session = ?", f.Session),
		db.If(f.Address != "", "audit_events_address", "address = ?", f.Address),
		db.If(f.Action != "", "audit_events_action", "action = ?", f.Action),
		db.If(f.Actor != "", "audit_events_actor", "actor = ?", f.Actor),
		db.If(f.Object != "" && f.ObjectID == "", "audit_events_kind", "object = ?", f.Object),
		db.If(f.Object == "" && f.ObjectID != "", "", "object_id = ?", f.ObjectID),
		db.If(f.Reason != "", "", "LOWER(reason) LIKE LOWER(?) ESCAPE '!'", "%"+db.LikeLiteral.Replace(f.Reason)+"%"),
		db.If(f.Changes, "", "action NOT LIKE ?", "%"+models.Viewed),
		db.If(f.Timeline != nil, "", timelineKind()+" IN ?", db.Ints(f.Timeline)),
	}}
	return db.FindPage[models.AuditEvent](s.db, s.db.Read.WithContext(ctx), list)
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

// aboutPlayer selects the events that concern a player: those that name the player, and those about a campaign or a statement
// whose lines do, which may be as many as there are players. along has the parts of the log to read, and lines is checked on
// the way.
func (s *Store) aboutPlayer(player int64) (along, lines db.Filter) {
	along = db.Along(player != 0, []db.Path{{Index: "audit_events_player", Where: "player_id = ?", Args: []any{player}}}, "")
	lines = db.If(player != 0, "", "player_id = ?", player)
	number := s.db.Dialect.Number("audit_events.object_id")
	for _, of := range []struct{ object, query string }{
		{"campaign", "SELECT 1 FROM campaign_lines t WHERE t.campaign_id = NUMBER AND t.player_id = ?"},
		{"statement", differencesOfPlayer(s.db.Dialect)},
	} {
		along.Paths = append(along.Paths, db.Path{Index: "audit_events_kind", Where: "object = ? AND player_id = 0", Args: []any{of.object}})
		lines.Where += " OR object = '" + of.object + "' AND EXISTS (" + strings.ReplaceAll(of.query, "NUMBER", number) + ")"
		lines.Args = append(lines.Args, slices.Repeat([]any{player}, strings.Count(of.query, "?"))...)
	}
	lines.Where = "(" + lines.Where + ")"
	return along, lines
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

// AuditWords returns the actions and objects in the log, for filters to choose from.
func (s *Store) AuditWords(ctx context.Context) (actions, objects []string, err error) {
	for column, list := range map[string]*[]string{"action": &actions, "object": &objects} {
		if *list, err = s.db.Distinct(s.db.Read.WithContext(ctx), "audit_events", column); err != nil {
			return nil, nil, err
		}
	}
	return actions, objects, nil
}

// AuditEvent returns the audit event with this number, or false if there is none.
func (s *Store) AuditEvent(ctx context.Context, id int64) (models.AuditEvent, bool, error) {
	return db.One[models.AuditEvent](s.db.Read.WithContext(ctx).Where("id = ?", id))
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
	seen, err := db.Value[bool](s.db.Read.WithContext(ctx), "SELECT EXISTS (SELECT 1 FROM (SELECT action, actor, session, at_us "+
		"FROM audit_events"+
		db.Path{Index: "audit_events_object"}.Hint(s.db.Dialect)+
		" WHERE object = ? AND object_id = ? ORDER BY id DESC LIMIT 50) e WHERE action = ? AND actor = ? AND session = ? "+
		"AND at_us > ?)", object, objectID, action, by.Name, by.Session, db.Micros(s.db.Now().Add(-viewsApart)))
	if err != nil {
		return err
	}
	if seen {
		return nil
	}
	return s.Note(ctx, models.AuditEvent{Actor: by, Action: action, Object: object, ObjectID: objectID, PlayerID: player})
}
