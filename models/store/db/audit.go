package db

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// The audit log is a single chain with a single row for its head, so audited changes are written one after another. To keep
// that lock short, a change collects its events while it runs and writes them as its last step: it locks the head last, after
// any wallets and grants. A change that waits for a wallet or a grant therefore holds up no other change. Callbacks write no
// audit events and never lock the head.

// collected has the audit events of the current change, and the covered rows (states.go) that it has loaded or creates. Each
// row has the number of the latest event with its state, or 0 if there is none.
type collected struct {
	events []models.AuditEvent
	rows   map[CoveredRow]int64
	wrote  *models.AuditHead // the new head, once it has been written
	began  *int64            // the number of the audit head before the change; nil except on Galera (DB.TakeTurn)
}

// Loaded adds a row to the change, with the number of the event that has the row's latest state.
func (c *collected) Loaded(row CoveredRow, event int64) {
	if _, known := c.rows[row]; !known {
		c.rows[row] = event
	}
}

// collectedKey is the context key of collected.
type collectedKey struct{}

// Recording returns a context in which a change collects its audit events, and the collection itself.
func Recording(ctx context.Context) (context.Context, *collected) {
	c := &collected{rows: map[CoveredRow]int64{}}
	return context.WithValue(ctx, collectedKey{}, c), c
}

// CollectedIn returns what the current change has collected, or nil outside a change.
func CollectedIn(ctx context.Context) *collected {
	c, _ := ctx.Value(collectedKey{}).(*collected)
	return c
}

// Record adds audit events to the current change (DB.Change). They are written in its transaction, as its last step, and get
// their numbers and times then. The player of an event about a covered row is that of the row. It returns an error outside a
// change.
func (s *DB) Record(tx *gorm.DB, events ...models.AuditEvent) error {
	change := CollectedIn(tx.Statement.Context)
	if change == nil {
		return errors.New("an audit event belongs to a change")
	}
	for _, e := range events {
		if e.Object == "player" && e.PlayerID == 0 {
			e.PlayerID, _ = strconv.ParseInt(e.ObjectID, 10, 64)
		}
		if s := e.Actor.Skipped; s.Lines > 0 {
			after := map[string]any{}
			if err := json.Unmarshal([]byte(cmp.Or(e.After, "{}")), &after); err != nil {
				return fmt.Errorf("record skipped lines: %w", err)
			}
			after["skipped_lines"], after["skipped_of"], after["skipped_sha256"] = s.Lines, s.File, s.Digest
			e.After = JsonText(after)
		}
		change.events = append(change.events, e)
	}
	return nil
}

// AuditChunk is the most events that one statement inserts.
const AuditChunk = 500

// WriteAudit appends a change's events to the audit chain, at the end of its transaction, with the states of the covered rows
// that it has changed.
func (s *DB) WriteAudit(tx *gorm.DB, change *collected) error {
	events := change.events
	if len(events) == 0 {
		return nil
	}
	stated := change.statedBy()
	head, err := ReadAuditHead(tx, s.Dialect.ForUpdate())
	if err != nil {
		return err
	}
	if change.began != nil && *change.began != head.Seq {
		return errOvertakenElsewhere
	}
	if err := s.refuseTriggers(tx, stated); err != nil {
		return err
	}
	at := s.Now()
	for from := 0; from < len(events); from += AuditChunk {
		chunk := events[from:min(from+AuditChunk, len(events))]
		states, err := s.statesOf(tx, chunk, stated[from:])
		if err != nil {
			return err
		}
		rows := make([]models.AuditLine, len(chunk))
		for i, e := range chunk {
			e.ID, e.At = head.Seq+1, at
			var salts models.AuditSalts
			for n := range salts {
				rand.Read(salts[n][:])
			}
			rows[i] = s.Chain.AuditLine(head.Hash, e, salts, states[i])
			head.Seq, head.Hash = e.ID, rows[i].Hash
		}
		if err := tx.Create(&rows).Error; err != nil {
			return fmt.Errorf("write audit events: %w", err)
		}
	}
	if err := tx.Exec("UPDATE audit_head SET seq = ?, hash = ? WHERE id = 1", head.Seq, head.Hash[:]).Error; err != nil {
		return fmt.Errorf("write audit head: %w", err)
	}
	change.wrote = &head
	return nil
}

// lookedForWithin is how long a change without an answer is looked for: long enough for a restart of the database.
const lookedForWithin = 10 * time.Second

// errOutcome is returned for a change whose COMMIT got no answer, if its outcome stays unknown.
var errOutcome = errors.New("the database gave no answer to COMMIT, so this may have been saved: look before you repeat it")

// committed reports whether a change was committed although its COMMIT returned an error. It looks for the change's last event,
// whose salts are random, so that nobody else can have written it. If the transaction has not ended yet, the lock on the
// event's row makes it wait. (Another node of Galera does not know that lock.) It returns errOutcome if there is no definite
// answer in time.
func (s *DB) committed(ctx context.Context, change *collected) (bool, error) {
	if change.wrote == nil {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookedForWithin)
	defer cancel()
	for try := 0; ; try++ {
		var found struct{ Hash []byte }
		err := s.Write.WithContext(ctx).Raw("SELECT hash FROM audit_events WHERE id = ?"+s.Dialect.ForShare(),
			change.wrote.Seq).Scan(&found).Error
		if err == nil {
			return StoredHash(found.Hash) == change.wrote.Hash, nil
		}
		if !Pause(ctx, try) {
			return false, fmt.Errorf("%w: %w", errOutcome, err)
		}
	}
}

// refuseTriggers returns a models.TamperedError if the change covers the state of any row and the database has a foreign
// trigger, which may have altered that row.
func (s *DB) refuseTriggers(tx *gorm.DB, stated []bool) error {
	if !slices.Contains(stated, true) {
		return nil
	}
	names, err := s.ForeignTriggers(tx)
	if err != nil || len(names) == 0 {
		return err
	}
	s.Log.Error("The database has a trigger that Pitboss did not create. Drop it: until then, changes that the audit log "+
		"covers are refused.", "trigger", names[0])
	return models.TamperedError{Object: "trigger", ObjectID: names[0]}
}

// ErrAuditHead is returned if the row of the audit chain's head is missing. Until it has been restored, every audited change
// fails.
var ErrAuditHead = errors.New("the audit chain's head is missing, so nothing can be recorded: run pitboss verify, and " +
	"restore the table audit_head from a backup")

// ReadAuditHead reads the audit chain's head. lock is added at the end of the SELECT. It returns ErrAuditHead if there is no
// head.
func ReadAuditHead(tx *gorm.DB, lock string) (h models.AuditHead, err error) {
	var rows []models.AuditHead
	if err := tx.Raw("SELECT seq, hash FROM audit_head WHERE id = 1" + lock).Scan(&rows).Error; err != nil {
		return h, fmt.Errorf("read audit head: %w", err)
	}
	if len(rows) == 0 {
		return h, ErrAuditHead
	}
	return rows[0], nil
}
