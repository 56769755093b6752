package db

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
)

// Rows that authorize money or access are tied to the audit chain, so that nobody can add, change or delete one directly in the
// database.
//
// The audit event of a change has a state: a keyed digest of the row after the change, covered by the event's own hash. The row
// of an object must match the object's latest event with a state. Three rules ensure that:
//
//   - DB.Check compares a row with its latest event before the program acts on the row or changes it, and returns an error if
//     they differ. Without that, the next honest change would cover a tampered row with a new state.
//   - If a change has checked a row, or creates it (DB.Begins), the change's last event of that row has its new state. The row
//     is read again at the end of the transaction, so that the state covers what was written, not what was intended.
//   - proof.Verify compares every row with its latest event, and finds rows without an event and events whose row is missing.
//
// No guarded table needs a column for this. A state cannot be copied to another row or event, because the object, its number
// and the event's number are part of the digest. An event with a state also names the event whose state it replaces. So it does
// not help to remove the latest event of a row, let the program write a new event on top of an older state, and put the removed
// event back: Verify finds that it was skipped. If somebody deletes the last events of a row and undoes their changes, Check
// does not notice, but the chain (a gap, or another head) and a checkpoint do.
//
// Callbacks read players' block flags unchecked and write no audit events, so they pay nothing for this. The flags are checked
// by Verify and whenever staff act on a player: blocking, corrections, grants.

// Numbered returns the ObjectID of the row with a number.
func Numbered(id int64) string { return strconv.FormatInt(id, 10) }

// GuardedRow identifies a row as audit events do.
type GuardedRow struct{ Object, ID string }

// RowGone is the encoding of a missing row. rowThere is the first byte of the encoding of an existing row.
const (
	RowGone  = 0
	rowThere = 1
)

// LatestState is the state of a row by its latest event with a state. Event.ID is 0 if there is no such event.
type LatestState struct {
	Event  models.AuditEvent // its number, object and object's number
	Salt   models.AuditSalt
	Digest models.Hash
}

// Holds reports whether an encoded row matches the state. The row is nil if it does not exist.
func (l LatestState) Holds(chain *models.Chain, row []byte) bool {
	if l.Event.ID == 0 {
		return row == nil
	}
	if row == nil {
		row = []byte{RowGone}
	}
	return chain.State(&l.Event, l.Salt, row) == l.Digest
}

// StatesAtOnce is how many rows are compared with their latest audit events at a time. No list of IDs is longer.
const StatesAtOnce = 500

const selectStates = "SELECT id, object, object_id, salts, digests FROM audit_events"

func scanState(r *sql.Rows) (l LatestState, err error) {
	var line models.AuditLine
	if err := r.Scan(&line.ID, &line.Object, &line.ObjectID, &line.Salts, &line.Digests); err != nil {
		return l, err
	}
	l.Event = line.AuditEvent
	l.Digest, l.Salt = line.State()
	return l, nil
}

// Check returns a models.TamperedError if a row does not match its latest audit event, or is missing or present contrary to it.
// If it is called within a change, which must have locked the row, the change's last event of this row will have the row's new
// state.
func (s *DB) Check(tx *gorm.DB, object, id string) error {
	_, err := s.Proven(tx, object, id)
	return err
}

// Proven does what Check does and also returns the row's values by column, without the lists that belong to the row, or nil if
// there is no such row. Code that decides something without a lock must use these values: a row that is read separately could
// be tampered with for that read and restored before the check.
func (s *DB) Proven(tx *gorm.DB, object, id string) (map[string]string, error) {
	ctx, row := tx.Statement.Context, GuardedRow{object, id}
	event, encoded, err := s.CheckRow(ctx, tx.Statement.ConnPool, row)
	if err != nil {
		return nil, err
	}
	if changed := CollectedIn(ctx); changed != nil {
		changed.Checked(row, event)
	}
	return decodeRow(encoded), nil
}

// CheckRow returns the number of the row's latest event with a state, or 0 if there is none, and the encoded row, or nil if
// there is no such row. It returns a models.TamperedError if the row does not match the event.
func (s *DB) CheckRow(ctx context.Context, tx Queryer, row GuardedRow) (event int64, encoded []byte, err error) {
	encoded, said, err := GuardedByObject[row.Object].stated(ctx, tx, row.ID)
	if err != nil {
		return 0, nil, fmt.Errorf("read %s %s and its state in the audit log: %w", row.Object, row.ID, err)
	}
	if said.Holds(s.Chain, encoded) {
		return said.Event.ID, encoded, nil
	}
	s.Log.Error("A row was changed in the database, not by Pitboss. What depends on it is refused. Run pitboss verify.",
		"object", row.Object, "id", row.ID, "event", said.Event.ID)
	return 0, nil, models.TamperedError{Object: row.Object, ObjectID: row.ID, Event: said.Event.ID}
}

// ProvenList does what Proven does for a row with one list, and returns the list's rows, each with the list's columns, and the
// number of the event with which they agree.
func (s *DB) ProvenList(tx *gorm.DB, object, id string) (event int64, rows [][]string, err error) {
	event, encoded, err := s.CheckRow(tx.Statement.Context, tx.Statement.ConnPool, GuardedRow{object, id})
	if err != nil || encoded == nil {
		return event, nil, err
	}
	_, lists := splitRow(encoded)
	for len(lists) > 0 {
		row := make([]string, len(GuardedByObject[object].lists[lists[1]].columns))
		lists = lists[2:]
		for i := range row {
			row[i], lists = splitColumn(lists)
		}
		rows = append(rows, row)
	}
	return event, rows, nil
}

// LatestEvent returns the number of a row's latest event with a state, or 0 if there is none.
func (s *DB) LatestEvent(tx *gorm.DB, object, id string) (event int64, err error) {
	err = tx.Raw("SELECT COALESCE(MAX(id), 0) FROM audit_events WHERE object = ? AND stated = 1 AND object_id = ?", object, id).
		Scan(&event).Error
	if err != nil {
		return 0, fmt.Errorf("read the latest event of %s %s: %w", object, id, err)
	}
	return event, nil
}

// JoinStated returns the columns and the join with which a statement reads rows of this kind, as t, together with the latest
// event with a state of each. StatedRow.Into receives the columns.
func (s *DB) JoinStated(object string) (columns, join string) {
	g := GuardedByObject[object]
	id := map[Dialect]string{MySQL: "CAST(t.id AS CHAR)", SQLite: "CAST(t.id AS TEXT)"}[s.Dialect]
	return "e.id, e.salts, e.digests, t." + strings.Join(g.columns, ", t."),
		" LEFT JOIN audit_events e ON e.id = (SELECT MAX(id) FROM audit_events WHERE object = '" + object +
			"' AND stated = 1 AND object_id = " + id + ")"
}

// StatedRow is a row read with JoinStated.
type StatedRow struct {
	event   sql.NullInt64
	line    models.AuditLine
	columns []sql.NullString
}

// Into returns the arguments of Scan for the columns of JoinStated.
func (r *StatedRow) Into(object string) []any {
	r.columns = make([]sql.NullString, len(GuardedByObject[object].columns))
	into := []any{&r.event, &r.line.Salts, &r.line.Digests}
	for i := range r.columns {
		into = append(into, &r.columns[i])
	}
	return into
}

// comparedLists are the encoded lists of a guarded row at the time when they were compared with an event.
type comparedLists struct {
	event int64
	lists string
}

// ProvenJoined does what Proven does for a row that was read with JoinStated, but reads the row's lists only once for each
// event. The digest covers the row and its lists together, so later calls recalculate it with the lists from that time. Code
// that uses a list must call Check, which reads everything.
func (s *DB) ProvenJoined(tx *gorm.DB, object, id string, r *StatedRow) (map[string]string, error) {
	row, key := GuardedByObject[object].encode(r.columns), GuardedRow{object, id}
	if known, ok := s.compared.Load(key); ok && known.(comparedLists).event == r.event.Int64 {
		said := LatestState{Event: models.AuditEvent{ID: r.event.Int64, Object: object, ObjectID: id}}
		said.Digest, said.Salt = r.line.State()
		if said.Holds(s.Chain, append(row, known.(comparedLists).lists...)) {
			return decodeRow(row), nil
		}
	}
	event, encoded, err := s.CheckRow(tx.Statement.Context, tx.Statement.ConnPool, key)
	if err != nil || encoded == nil {
		return nil, err
	}
	values, lists := splitRow(encoded)
	s.compared.Store(key, comparedLists{event, string(lists)})
	return values, nil
}

// CheckMany does what Check does for many rows of one kind, in a few statements.
func (s *DB) CheckMany(tx *gorm.DB, object string, ids []string) error {
	_, err := s.ProvenMany(tx, object, ids)
	return err
}

// ProvenMany does what Proven does for up to StatesAtOnce rows of one kind, in a few statements, and returns their values by ID.
func (s *DB) ProvenMany(tx *gorm.DB, object string, ids []string) (map[string]map[string]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	ctx, pool, g := tx.Statement.Context, tx.Statement.ConnPool, GuardedByObject[object]
	said, err := s.statesSaid(ctx, pool, g, func(q *Statement) { q.Text(" AND object_id IN (").Strings(ids).Text(")") })
	if err != nil {
		return nil, fmt.Errorf("read the state of each %s in the audit log: %w", object, err)
	}
	rows, err := g.Rows(ctx, pool, ids)
	if err != nil {
		return nil, fmt.Errorf("read each %s: %w", object, err)
	}
	of := make(map[string]LatestState, len(said))
	for _, l := range said {
		of[l.Event.ObjectID] = l
	}
	change := CollectedIn(ctx)
	proven := make(map[string]map[string]string, len(ids))
	for _, id := range ids {
		if !of[id].Holds(s.Chain, rows[id]) { // it may have been changed between the two statements
			if proven[id], err = s.Proven(tx, object, id); err != nil {
				return nil, err
			}
			continue
		}
		if proven[id] = decodeRow(rows[id]); change != nil {
			change.Checked(GuardedRow{object, id}, of[id].Event.ID)
		}
	}
	return proven, nil
}

// statesSaid returns the latest state of each row of a kind that the condition selects, up to StatesAtOnce of them.
func (s *DB) statesSaid(ctx context.Context, tx Queryer, g *GuardedTable,
	condition func(*Statement)) (said []LatestState, err error) {
	var q Statement
	var latest []int64
	q.Begin("SELECT MAX(id) FROM audit_events WHERE object = ").String(g.Object).Text(" AND stated = 1")
	condition(&q)
	q.Text(" GROUP BY object_id ORDER BY object_id LIMIT ").Number(StatesAtOnce)
	err = q.Query(ctx, tx, func(r *sql.Rows) error {
		latest = append(latest, 0)
		return r.Scan(&latest[len(latest)-1])
	})
	if err != nil || len(latest) == 0 {
		return nil, err
	}
	q.Begin(selectStates).Text(" WHERE id IN (").Numbers(latest).Text(") ORDER BY object_id")
	err = q.Query(ctx, tx, func(r *sql.Rows) error {
		l, err := scanState(r)
		said = append(said, l)
		return err
	})
	return said, err
}

// EachState calls fn with the latest states of all rows of a kind, up to StatesAtOnce at a time.
func (s *DB) EachState(ctx context.Context, tx Queryer, g *GuardedTable, fn func([]LatestState) error) error {
	for last := ""; ; {
		said, err := s.statesSaid(ctx, tx, g, func(q *Statement) { q.Text(" AND object_id > ").String(last) })
		if err == nil && len(said) > 0 {
			last = said[len(said)-1].Event.ObjectID
			err = fn(said)
		}
		if err != nil || len(said) < StatesAtOnce {
			return err
		}
	}
}

// Begins declares that the current change creates this row, so that the change's last event of the row has its state.
func (s *DB) Begins(tx *gorm.DB, object, id string) {
	if changed := CollectedIn(tx.Statement.Context); changed != nil {
		changed.Checked(GuardedRow{object, id}, 0)
	}
}

// statedBy reports which events of a change have a state: the last event of each row that was checked or created. It sets the
// Replaces of each to the event whose state it replaces.
func (c *collected) statedBy() []bool {
	stated := make([]bool, len(c.events))
	if len(c.rows) == 0 {
		return stated
	}
	for i := len(c.events) - 1; i >= 0; i-- {
		row := GuardedRow{c.events[i].Object, c.events[i].ObjectID}
		if replaces, checked := c.rows[row]; checked {
			stated[i], c.events[i].Replaces = true, replaces
			delete(c.rows, row)
		}
	}
	return stated
}

// statesOf returns for each event with a state the current row, encoded, and nil for the other events.
func (s *DB) statesOf(ctx context.Context, tx Queryer, events []models.AuditEvent, stated []bool) ([][]byte, error) {
	ids := map[string][]string{}
	for i, e := range events {
		if stated[i] {
			ids[e.Object] = append(ids[e.Object], e.ObjectID)
		}
	}
	encoded := map[GuardedRow][]byte{}
	for object, list := range ids {
		rows, err := GuardedByObject[object].Rows(ctx, tx, list)
		if err != nil {
			return nil, fmt.Errorf("read each %s that was changed: %w", object, err)
		}
		for id, row := range rows {
			encoded[GuardedRow{object, id}] = row
		}
	}
	states := make([][]byte, len(events))
	for i, e := range events {
		if !stated[i] {
			continue
		}
		if states[i] = encoded[GuardedRow{e.Object, e.ObjectID}]; states[i] == nil {
			states[i] = []byte{RowGone}
		}
	}
	return states, nil
}
