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

// Rows that authorize money or access are tied to the audit chain, so that nobody can make, change or remove one in the
// database alone.
//
// The audit event of a change carries a state: a keyed digest of the row as the change leaves it behind, covered by the event's
// own hash. The latest event of an object that has a state says what the object's row must be. Three rules make that hold:
//
//   - DB.Check compares a row with its latest event before the program acts on it or changes it, and refuses where they
//     disagree. Without that, the next honest change would bless what somebody has done to the row.
//   - A change of a row that was checked, or that begins with it (DB.Begins), has its event carry the row's new state. The row
//     is read again at the end of the transaction, so that what is covered is what was written and not what was meant.
//   - proof.Verify compares every row with its latest event, and finds rows that no event knows and events whose row is gone.
//
// No guarded table needs a column for this. What an event says of a row it names is worthless for any other row or any other
// event, since object, number and event are part of the digest. An event with a state also names the one whose state it
// replaces. So nobody can take the latest event of a row out, have the program write another one on top of an older state, and
// put the event back: Verify finds the event that was passed over. Who deletes the last events of a row together with what they
// changed is found by the chain (a gap, or another head) and by a checkpoint, not by check.
//
// Callbacks read players' block flags and write no audit events: they pay nothing for this. Verify checks those flags, and so
// does whatever staff do to a player: blocking, corrections, grants.

// Numbered is the ObjectID of a row with a number.
func Numbered(id int64) string { return strconv.FormatInt(id, 10) }

// GuardedRow names a row as audit events do.
type GuardedRow struct{ Object, ID string }

// RowGone is the encoding of a row that is not there, and rowThere begins that of one that is.
const (
	RowGone  = 0
	rowThere = 1
)

// LatestState is what the latest event with a state says of a row; event.ID is 0 where there is none.
type LatestState struct {
	Event  models.AuditEvent // its number, object and object's number
	Salt   models.AuditSalt
	Digest models.Hash
}

// Holds reports whether the row, nil where it is not there, is the one that the event left behind.
func (l LatestState) Holds(chain *models.Chain, row []byte) bool {
	if l.Event.ID == 0 {
		return row == nil
	}
	if row == nil {
		row = []byte{RowGone}
	}
	return chain.State(&l.Event, l.Salt, row) == l.Digest
}

// StatesAtOnce is how many rows are compared with their latest audit events at a time; a list of IDs has no more.
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

// Check returns a models.TamperedError where a row, there or not, is not what its latest audit event says. Inside a change,
// whose caller has locked the row, the change's events of this row carry its new state from then on.
func (s *DB) Check(tx *gorm.DB, object, id string) error {
	_, err := s.Proven(tx, object, id)
	return err
}

// Proven does what check does and returns the row's values, by column and without the lists that belong to it; nil where the
// row is not there. What decides something without a lock is taken from here: a row that was read by itself may be changed back
// before it is checked.
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

// CheckRow returns the number of the row's latest event with a state, 0 where there is none, and the encoded row, nil where it
// is not there, or a models.TamperedError.
func (s *DB) CheckRow(ctx context.Context, tx Queryer, row GuardedRow) (event int64, encoded []byte, err error) {
	encoded, said, err := GuardedByObject[row.Object].stated(ctx, tx, row.ID)
	if err != nil {
		return 0, nil, fmt.Errorf("read %s %s and what the audit log says of it: %w", row.Object, row.ID, err)
	}
	if said.Holds(s.Chain, encoded) {
		return said.Event.ID, encoded, nil
	}
	s.Log.Error("A row was changed in the database and not by Pitboss. What it would authorize is refused. Run pitboss verify.",
		"object", row.Object, "id", row.ID, "event", said.Event.ID)
	return 0, nil, models.TamperedError{Object: row.Object, ObjectID: row.ID, Event: said.Event.ID}
}

// JoinStated returns what a statement needs to read a row of this kind, as t, together with the latest event with a state of it:
// the columns, which StatedRow.Into receives, and the join.
func (s *DB) JoinStated(object string) (columns, join string) {
	g := GuardedByObject[object]
	id := map[Dialect]string{MySQL: "CAST(t.id AS CHAR)", SQLite: "CAST(t.id AS TEXT)"}[s.Dialect]
	return "e.id, e.salts, e.digests, t." + strings.Join(g.columns, ", t."),
		" LEFT JOIN audit_events e ON e.id = (SELECT MAX(id) FROM audit_events WHERE object = '" + object +
			"' AND stated = 1 AND object_id = " + id + ")"
}

// StatedRow is what JoinStated reads.
type StatedRow struct {
	event   sql.NullInt64
	line    models.AuditLine
	columns []sql.NullString
}

// Into returns where Scan puts the columns of JoinStated.
func (r *StatedRow) Into(object string) []any {
	r.columns = make([]sql.NullString, len(GuardedByObject[object].columns))
	into := []any{&r.event, &r.line.Salts, &r.line.Digests}
	for i := range r.columns {
		into = append(into, &r.columns[i])
	}
	return into
}

// comparedLists are the lists of a guarded row, encoded, as they were when they were compared with an event.
type comparedLists struct {
	event int64
	lists string
}

// ProvenJoined does what Proven does for a row that was read with JoinStated, but reads its lists only once for each event. The
// digest covers the row and its lists together, so it is recalculated with the lists as they were then. Whoever uses a list
// compares everything with Check.
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

// CheckMany is check of many rows of one kind, in a few statements.
func (s *DB) CheckMany(tx *gorm.DB, object string, ids []string) error {
	ctx, pool, g := tx.Statement.Context, tx.Statement.ConnPool, GuardedByObject[object]
	said, err := s.statesSaid(ctx, pool, g, func(q *Statement) { q.Text(" AND object_id IN (").Strings(ids).Text(")") })
	if err != nil {
		return fmt.Errorf("read what the audit log says of each %s: %w", object, err)
	}
	rows, err := g.Rows(ctx, pool, ids)
	if err != nil {
		return fmt.Errorf("read each %s: %w", object, err)
	}
	of := make(map[string]LatestState, len(said))
	for _, l := range said {
		of[l.Event.ObjectID] = l
	}
	change := CollectedIn(ctx)
	for _, id := range ids {
		if !of[id].Holds(s.Chain, rows[id]) {
			return s.Check(tx, object, id)
		}
		if change != nil {
			change.Checked(GuardedRow{object, id}, of[id].Event.ID)
		}
	}
	return nil
}

// statesSaid reads the latest state of each row of a kind that the condition selects, in no order that anybody should rely on.
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

// EachState calls fn with the latest states of a kind of row, some at a time.
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

// Begins says that the change under way makes this row: its events carry the row's state.
func (s *DB) Begins(tx *gorm.DB, object, id string) {
	if changed := CollectedIn(tx.Statement.Context); changed != nil {
		changed.Checked(GuardedRow{object, id}, 0)
	}
}

// statedBy finds the events of a change that carry a state: the last one of each row that was checked or begun. Each gets the
// number of the event that it replaces.
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

// statesOf encodes the rows, as they are now, of those events that carry a state; the others get nil.
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
