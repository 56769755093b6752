package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"pitboss/models"
)

// Rows that authorize money or access are tied to the audit chain, so that nobody can make, change or remove one in the database alone.
//
// The audit event of a change carries a state: a keyed digest of the row as the change leaves it behind, covered by the event's own hash.
// The latest event of an object that has a state says what the object's row must be. Three rules make that hold:
//
//   - Store.check compares a row with its latest event before the program acts on it or changes it, and refuses where they disagree. Without
//     that, the next honest change would bless what somebody has done to the row.
//   - A change of a row that was checked, or that begins with it (Store.begins), has its event carry the row's new state. The row is read
//     again at the end of the transaction, so that what is covered is what was written and not what was meant.
//   - Store.Verify compares every row with its latest event, and finds rows that no event knows and events whose row is gone.
//
// No guarded table needs a column for this. What an event says of a row it names is worthless for any other row or any other event, since
// object, number and event are part of the digest. Who deletes the last events of a row together with what they changed is found by the
// chain (a gap, or another head) and by a checkpoint, not by check.
//
// Callbacks read players' block flags and write no audit events: they pay nothing for this. Verify and the pages check those flags.

// guardedTable is the declaration of a kind of row that the audit chain covers.
type guardedTable struct {
	object string // as audit events call it
	from   string // the table, t, with what belongs to the row joined to it
	key    string // the column whose value is the events' ObjectID
	text   bool   // the key is a text
	// The covered columns. One with a 0 or an empty text adds nothing to the digest, so that a column can be added later: the rows that are
	// there keep their digests.
	numbers, texts []string
	// list selects the key and what else belongs to the row, in order; it ends before the keys' list.
	list, listOrder string
	columns         []string
}

// guardedTables are all rows that the audit chain covers. What is left out of a table changes without an audit event and authorizes
// nothing; the README lists it.
var guardedTables = []*guardedTable{
	{
		object: "player", from: "players t JOIN wallets w ON w.player_id = t.id", key: "t.id",
		numbers: []string{"t.test", "t.created_at_us", "w.blocked"}, texts: []string{"t.user_id", "w.currency"},
	},
	{
		object: "correction", from: "corrections t", key: "t.id",
		numbers: []string{"at_us", "kind", "player_id", "amount_minor", "effect_minor", "maker_id", "asked_before_minor", "state", "checker_id",
			"alone", "decided_at_us", "seq", "spin", "before_minor", "after_minor"},
		texts: []string{"transaction_id", "round_id", "reason", "note", "reference", "maker", "maker_role", "checker", "checker_role", "decision_note"},
	},
	{
		object: "staff", from: "staff t", key: "t.id",
		numbers: []string{"must_change_password", "disabled", "created_at_us", "password_set_at_us"},
		texts:   []string{"username", "name", "role", "password_hash", "totp_secret"},
		list:    "SELECT staff_id, code_hash FROM staff_recovery_codes WHERE staff_id", listOrder: "staff_id, code_hash",
	},
	{object: "setting", from: "settings t", key: "t.name", text: true, numbers: []string{"changed_at_us"}, texts: []string{"value"}},
}

var guardedByObject = func() map[string]*guardedTable {
	m := map[string]*guardedTable{}
	for _, g := range guardedTables {
		g.columns = append(slices.Clone(g.numbers), g.texts...)
		m[g.object] = g
	}
	return m
}()

// numbered is the ObjectID of a row with a number.
func numbered(id int64) string { return strconv.FormatInt(id, 10) }

// guardedRow names a row as audit events do.
type guardedRow struct{ object, id string }

// rowGone is the encoding of a row that is not there, and rowThere begins that of one that is.
const (
	rowGone  = 0
	rowThere = 1
)

// rows reads the rows with these keys, encoded for their digests. A key without a row is not in the map.
func (g *guardedTable) rows(ctx context.Context, tx queryer, ids []string) (map[string][]byte, error) {
	rows := make(map[string][]byte, len(ids))
	var q statement
	q.begin("SELECT ").text(g.key)
	for _, column := range g.columns {
		q.comma().text(column)
	}
	q.text(" FROM ").text(g.from).text(" WHERE ").text(g.key)
	if !g.in(&q, ids) {
		return rows, nil
	}
	values := make([]sql.NullString, 1+len(g.columns))
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	err := q.query(ctx, tx, func(r *sql.Rows) error {
		if err := r.Scan(into...); err != nil {
			return err
		}
		row := []byte{rowThere}
		for i, column := range g.columns {
			v := values[1+i]
			switch {
			case !v.Valid:
				row = encodeColumn(append(row, 'n'), column, "")
			case v.String != "" && (i >= len(g.numbers) || v.String != "0"):
				row = encodeColumn(append(row, 'v'), column, v.String)
			}
		}
		rows[values[0].String] = row
		return nil
	})
	if err != nil || g.list == "" {
		return rows, err
	}
	q.begin(g.list)
	g.in(&q, ids)
	return rows, q.text(" ORDER BY ").text(g.listOrder).query(ctx, tx, func(r *sql.Rows) error {
		var key, item string
		if err := r.Scan(&key, &item); err != nil {
			return err
		}
		if row, there := rows[key]; there {
			rows[key] = encodeColumn(append(row, 'l'), "", item)
		}
		return nil
	})
}

// encodeColumn appends a column's name and its value, each with its length.
func encodeColumn(row []byte, name, value string) []byte {
	row = append(append(row, byte(len(name))), name...)
	return append(binary.BigEndian.AppendUint32(row, uint32(len(value))), value...)
}

// in ends a WHERE with those keys that the table could have, and reports whether there is any.
func (g *guardedTable) in(q *statement, ids []string) bool {
	q.text(" IN (")
	n := 0
	for _, id := range ids {
		number, err := strconv.ParseInt(id, 10, 64)
		if !g.text && err != nil {
			continue
		}
		if n++; n > 1 {
			q.comma()
		}
		if g.text {
			q.string(id)
		} else {
			q.number(number)
		}
	}
	q.text(")")
	return n > 0
}

// objects names what the audit log covers rows of.
func objects() (names []string) {
	for _, g := range guardedTables {
		names = append(names, g.object)
	}
	return names
}

// latestState is what the latest event with a state says of a row; event.ID is 0 where there is none.
type latestState struct {
	event  models.AuditEvent // its number, object and object's number
	salt   models.AuditSalt
	digest models.Hash
}

// holds reports whether the row, nil where it is not there, is the one that the event left behind.
func (l latestState) holds(chain *models.Chain, row []byte) bool {
	if l.event.ID == 0 {
		return row == nil
	}
	if row == nil {
		row = []byte{rowGone}
	}
	return chain.State(&l.event, l.salt, row) == l.digest
}

const selectStates = "SELECT id, object, object_id, salts, digests FROM audit_events"

// state reads what the audit log says of one row.
func (s *Store) state(ctx context.Context, tx queryer, row guardedRow) (l latestState, err error) {
	var q statement
	q.begin(selectStates).text(" WHERE object = ").string(row.object).text(" AND stated = 1 AND object_id = ").string(row.id).
		text(" ORDER BY id DESC LIMIT 1")
	err = q.query(ctx, tx, func(r *sql.Rows) error {
		var err error
		l, err = scanState(r)
		return err
	})
	return l, err
}

func scanState(r *sql.Rows) (l latestState, err error) {
	var line models.AuditLine
	var salts, digests sql.RawBytes
	if err := r.Scan(&line.ID, &line.Object, &line.ObjectID, &salts, &digests); err != nil {
		return l, err
	}
	splitTexts(&line, salts, digests)
	l.event = line.AuditEvent
	l.digest, l.salt = line.State()
	return l, nil
}

// check returns a models.TamperedError where a row, there or not, is not what its latest audit event says. Inside a change, whose caller has
// locked the row, the change's events of this row carry its new state from then on.
func (s *Store) check(tx *gorm.DB, object, id string) error {
	ctx, row := tx.Statement.Context, guardedRow{object, id}
	if err := s.checkRow(ctx, tx.Statement.ConnPool, row); err != nil {
		return err
	}
	if changed := collectedIn(ctx); changed != nil {
		changed.rows[row] = true
	}
	return nil
}

func (s *Store) checkRow(ctx context.Context, tx queryer, row guardedRow) error {
	g := guardedByObject[row.object]
	for {
		said, err := s.state(ctx, tx, row)
		if err != nil {
			return fmt.Errorf("read what the audit log says of %s %s: %w", row.object, row.id, err)
		}
		rows, err := g.rows(ctx, tx, []string{row.id})
		if err != nil {
			return fmt.Errorf("read %s %s: %w", row.object, row.id, err)
		}
		if said.holds(s.chain, rows[row.id]) {
			return nil
		}
		// Where the row is not locked, a change may have been committed between the two reads: it has left a newer event.
		again, err := s.state(ctx, tx, row)
		if err != nil {
			return fmt.Errorf("read what the audit log says of %s %s: %w", row.object, row.id, err)
		}
		if again.event.ID == said.event.ID {
			tampered := models.TamperedError{Object: row.object, ObjectID: row.id, Event: said.event.ID}
			s.log.Error("A row was changed in the database and not by Pitboss. What it would authorize is refused. Run pitboss verify.",
				"object", row.object, "id", row.id, "event", said.event.ID)
			return tampered
		}
	}
}

// begins says that the change under way makes this row: its events carry the row's state.
func (s *Store) begins(tx *gorm.DB, object, id string) {
	if changed := collectedIn(tx.Statement.Context); changed != nil {
		changed.rows[guardedRow{object, id}] = true
	}
}

// statedBy finds the events of a change that carry a state: the last one of each row that was checked or begun.
func (c *collected) statedBy() []bool {
	stated := make([]bool, len(c.events))
	if len(c.rows) == 0 {
		return stated
	}
	for i := len(c.events) - 1; i >= 0; i-- {
		row := guardedRow{c.events[i].Object, c.events[i].ObjectID}
		if c.rows[row] {
			stated[i] = true
			delete(c.rows, row)
		}
	}
	return stated
}

// statesOf encodes the rows, as they are now, of those events that carry a state; the others get nil.
func (s *Store) statesOf(ctx context.Context, tx queryer, events []models.AuditEvent, stated []bool) ([][]byte, error) {
	ids := map[string][]string{}
	for i, e := range events {
		if stated[i] {
			ids[e.Object] = append(ids[e.Object], e.ObjectID)
		}
	}
	encoded := map[guardedRow][]byte{}
	for object, list := range ids {
		rows, err := guardedByObject[object].rows(ctx, tx, list)
		if err != nil {
			return nil, fmt.Errorf("read each %s that was changed: %w", object, err)
		}
		for id, row := range rows {
			encoded[guardedRow{object, id}] = row
		}
	}
	states := make([][]byte, len(events))
	for i, e := range events {
		if !stated[i] {
			continue
		}
		if states[i] = encoded[guardedRow{e.Object, e.ObjectID}]; states[i] == nil {
			states[i] = []byte{rowGone}
		}
	}
	return states, nil
}
