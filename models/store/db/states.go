package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"pitboss/models"
)

// Rows that authorize money or access are tied to the audit chain, so that nobody can add, change or delete one directly in the
// database.
//
// The audit event of a change has a state: a keyed digest of the row after the change (encodeCovered), covered by the event's
// own hash. The row of an object must match the object's latest event with a state. Three rules ensure that:
//
//   - Load and Locked compare the rows that they return with their latest events, and return an error if they differ. Without
//     that, the next honest change would cover a tampered row with a new state.
//   - If a change has loaded a row, or creates it (DB.Begins), the change's last event of that row has its new state. The row
//     is read again at the end of the transaction, so that the state covers what was written, not what was intended.
//   - proof.Verify compares every row with its latest event, and finds rows without an event and events whose row is missing.
//
// No covered table needs a column for this. A state cannot be copied to another row or event, because the object, its number
// and the event's number are part of the digest. An event with a state also names the event whose state it replaces. So it does
// not help to remove the latest event of a row, let the program write a new event on top of an older state, and put the removed
// event back: Verify finds that it was skipped. If somebody deletes the last events of a row and undoes their changes, Load
// does not notice, but the chain (a gap, or another head) and a checkpoint do.
//
// Callbacks read restrictions of players and freezes unchecked and write no audit events, so they pay nothing for this. Both
// are checked by Verify and whenever staff act on them: restrictions, corrections, grants, launches.

// Numbered returns the ObjectID of the row with a number.
func Numbered(id int64) string { return strconv.FormatInt(id, 10) }

// CoveredRow identifies a row as audit events do.
type CoveredRow struct{ Object, ID string }

// rowGone stands for a missing row in the digest of its state.
const rowGone = "gone"

// unreadable is why a row cannot be read into its type: somebody has changed it in the database.
type unreadable struct{ error }

// LatestState is the state of a row by its latest event with a state. Event.ID is 0 if there is no such event.
type LatestState struct {
	Event  models.AuditEvent // its number, object and object's number
	Salt   models.AuditSalt
	Digest models.Hash
}

// Holds reports whether a row matches the state. The row is nil if it does not exist.
func (l LatestState) Holds(chain *models.Chain, row any) bool {
	if l.Event.ID == 0 {
		return row == nil
	}
	switch row.(type) {
	case nil:
		return l.Removed(chain)
	case unreadable:
		return false
	}
	return chain.State(&l.Event, l.Salt, encodeCovered(row)) == l.Digest
}

// Removed reports whether the event removed the row.
func (l LatestState) Removed(chain *models.Chain) bool {
	return chain.State(&l.Event, l.Salt, []byte(rowGone)) == l.Digest
}

// CoveredAtOnce is how many rows are compared with their latest audit events at a time.
const CoveredAtOnce = 500

// Load returns the row with this ID, or false if there is none. It returns a models.TamperedError if the row does not match its
// latest audit event, or is missing or present contrary to it. Within a change, the change's last event of this row gets the
// row's new state.
func Load[T any, K ~int64 | ~string](s *DB, tx *gorm.DB, id K) (T, bool, error) {
	return First(LoadMany[T](s, tx, []K{id}))
}

// LoadMany is Load for many rows. It returns those that exist, in the order of ids.
func LoadMany[T any, K ~int64 | ~string](s *DB, tx *gorm.DB, ids []K) (list []T, err error) {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = fmt.Sprint(id)
	}
	rows, err := s.loadRows(tx, kindFor(reflect.TypeFor[T]()), names)
	for _, row := range rows {
		if row != nil {
			list = append(list, row.(T))
		}
	}
	return list, err
}

// Locked is Load, but it locks the row until the transaction ends, and returns the error missing if there is no such row.
func Locked[T any, K ~int64 | ~string](s *DB, tx *gorm.DB, id K, missing error) (T, error) {
	locking := s.Locking(tx.Session(&gorm.Session{NewDB: true})).Session(&gorm.Session{})
	row, found, err := Load[T](s, locking, id)
	if err == nil && !found {
		err = missing
	}
	return row, err
}

// LoadObjects is LoadMany for rows of any kind. A row that does not exist is nil.
func (s *DB) LoadObjects(tx *gorm.DB, object string, ids []string) (list []any, err error) {
	return s.loadRows(tx, kindOf(object), ids)
}

func (s *DB) loadRows(tx *gorm.DB, k *CoveredKind, ids []string) (list []any, err error) {
	for chunk := range slices.Chunk(ids, CoveredAtOnce) {
		rows, err := s.loadChunk(tx, k, chunk)
		if err != nil {
			return nil, err
		}
		list = append(list, rows...)
	}
	return list, nil
}

// loadTries is how often a row is read until it matches its event. A change that commits between reading the row and its event
// makes them differ once; tampering makes them differ each time.
const loadTries = 4

func (s *DB) loadChunk(tx *gorm.DB, k *CoveredKind, ids []string) (list []any, err error) {
	for try := 1; ; try++ {
		rows, err := s.Rows(tx, k, ids)
		if err != nil {
			return nil, err
		}
		said, err := s.latestStates(tx, k, "object_id IN ?", ids)
		if err != nil {
			return nil, err
		}
		latest := make(map[string]LatestState, len(said))
		for _, l := range said {
			latest[l.Event.ObjectID] = l
		}
		wrong := slices.IndexFunc(ids, func(id string) bool { return !latest[id].Holds(s.Chain, rows[id]) })
		if wrong >= 0 && try < loadTries {
			continue
		}
		if wrong >= 0 {
			event := latest[ids[wrong]].Event.ID
			s.Log.Error("A row was changed in the database, not by Pitboss. What depends on it is refused. Run pitboss verify.",
				"object", k.Object, "id", ids[wrong], "event", event)
			return nil, models.TamperedError{Object: k.Object, ObjectID: ids[wrong], Event: event}
		}
		change := CollectedIn(tx.Statement.Context)
		for _, id := range ids {
			list = append(list, rows[id])
			if change != nil {
				change.Loaded(CoveredRow{k.Object, id}, latest[id].Event.ID)
			}
		}
		return list, nil
	}
}

// Rows returns the rows with these IDs that exist, by ID, without comparing them. One that cannot be read matches no state.
func (s *DB) Rows(tx *gorm.DB, k *CoveredKind, ids []string) (map[string]any, error) {
	keys := k.keys(ids)
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := k.read(tx, k.Key, keys)
	switch {
	case isUnreadable(err) && len(ids) == 1:
		return map[string]any{ids[0]: unreadable{err}}, nil
	case isUnreadable(err):
		rows = make(map[string]any, len(ids))
		for _, id := range ids {
			one, err := s.Rows(tx, k, []string{id})
			if err != nil {
				return nil, err
			}
			maps.Copy(rows, one)
		}
	case err != nil:
		return nil, fmt.Errorf("read each %s: %w", k.Object, err)
	}
	return rows, nil
}

// isUnreadable reports whether err is about a value that the database returned, not from the database or the connection.
func isUnreadable(err error) bool {
	return err != nil && MySQLNumber(err) == 0 && SQLiteCode(err) == 0 && !IsDown(err) && !errors.Is(err, sql.ErrTxDone) &&
		!errors.Is(err, sql.ErrConnDone) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// latestStates returns the latest states of the rows of a kind that the condition selects, up to CoveredAtOnce, by ObjectID.
func (s *DB) latestStates(tx *gorm.DB, k *CoveredKind, condition string, value any) ([]LatestState, error) {
	var lines []models.AuditLine
	err := tx.Session(&gorm.Session{NewDB: true}).Raw(`SELECT e.id, e.object, e.object_id, e.salts, e.digests FROM
		(SELECT MAX(id) AS latest FROM audit_events WHERE object = ? AND stated = 1 AND `+condition+`
		GROUP BY object_id ORDER BY object_id LIMIT ?) l JOIN audit_events e ON e.id = l.latest ORDER BY e.object_id`,
		k.Object, value, CoveredAtOnce).Scan(&lines).Error
	if err != nil {
		return nil, fmt.Errorf("read the state of each %s in the audit log: %w", k.Object, err)
	}
	said := make([]LatestState, len(lines))
	for i, l := range lines {
		said[i] = LatestState{Event: l.AuditEvent}
		said[i].Digest, said[i].Salt = l.State()
	}
	return said, nil
}

// EachState calls fn with the latest states of all rows of a kind, up to CoveredAtOnce at a time.
func (s *DB) EachState(tx *gorm.DB, k *CoveredKind, fn func([]LatestState) error) error {
	for last := ""; ; {
		said, err := s.latestStates(tx, k, "object_id > ?", last)
		if err == nil && len(said) > 0 {
			last = said[len(said)-1].Event.ObjectID
			err = fn(said)
		}
		if err != nil || len(said) < CoveredAtOnce {
			return err
		}
	}
}

// LatestEvent returns the number of a row's latest event with a state, or 0 if there is none.
func (s *DB) LatestEvent(tx *gorm.DB, row CoveredRow) (event int64, err error) {
	err = tx.Raw("SELECT COALESCE(MAX(id), 0) FROM audit_events WHERE object = ? AND stated = 1 AND object_id = ?",
		row.Object, row.ID).Scan(&event).Error
	if err != nil {
		return 0, fmt.Errorf("read the latest event of %s %s: %w", row.Object, row.ID, err)
	}
	return event, nil
}

// Begins declares that the current change creates this row, so that the change's last event of the row has its state.
func (s *DB) Begins(tx *gorm.DB, object, id string) {
	if changed := CollectedIn(tx.Statement.Context); changed != nil {
		changed.Loaded(CoveredRow{object, id}, 0)
	}
}

// Create writes a new row that the audit log covers, and records the event about it.
func Create[T any](s *DB, tx *gorm.DB, row *T, e models.AuditEvent) error {
	if err := tx.Omit(JoinedNames...).Create(row).Error; err != nil {
		return err
	}
	k := kindFor(reflect.TypeFor[T]())
	e.Object, e.ObjectID = k.Object, k.id(*row)
	s.Begins(tx, e.Object, e.ObjectID)
	return s.Record(tx, e)
}

// Save writes a changed row that the audit log covers, and records the event about it.
func Save[T any](s *DB, tx *gorm.DB, row *T, e models.AuditEvent) error {
	if err := tx.Omit(JoinedNames...).Save(row).Error; err != nil {
		return err
	}
	k := kindFor(reflect.TypeFor[T]())
	e.Object, e.ObjectID = k.Object, k.id(*row)
	return s.Record(tx, e)
}

// statedBy reports which events of a change have a state: the last event of each row that was loaded or created. It sets the
// Replaces of each to the event whose state it replaces.
func (c *collected) statedBy() []bool {
	stated := make([]bool, len(c.events))
	if len(c.rows) == 0 {
		return stated
	}
	for i := len(c.events) - 1; i >= 0; i-- {
		row := CoveredRow{c.events[i].Object, c.events[i].ObjectID}
		if replaces, loaded := c.rows[row]; loaded {
			stated[i], c.events[i].Replaces = true, replaces
			delete(c.rows, row)
		}
	}
	return stated
}

// statesOf returns for each event with a state the current row, encoded, and nil for the other events. It sets the player whom
// the events of each row concern.
func (s *DB) statesOf(tx *gorm.DB, events []models.AuditEvent, stated []bool) ([][]byte, error) {
	ids := map[string][]string{}
	for i, e := range events {
		if stated[i] {
			ids[e.Object] = append(ids[e.Object], e.ObjectID)
		}
	}
	rows := map[string]map[string]any{}
	for object, list := range ids {
		var err error
		if rows[object], err = s.Rows(tx, kindOf(object), list); err != nil {
			return nil, err
		}
	}
	states := make([][]byte, len(events))
	for i, e := range events {
		if row := reflect.ValueOf(rows[e.Object][e.ObjectID]); row.Kind() == reflect.Struct && row.FieldByName("PlayerID").IsValid() {
			events[i].PlayerID = row.FieldByName("PlayerID").Int()
		}
		if !stated[i] {
			continue
		}
		switch row := rows[e.Object][e.ObjectID].(type) {
		case nil:
			states[i] = []byte(rowGone)
		case unreadable:
			return nil, fmt.Errorf("read %s %s: %w", e.Object, e.ObjectID, row.error)
		default:
			states[i] = encodeCovered(row)
		}
	}
	return states, nil
}
