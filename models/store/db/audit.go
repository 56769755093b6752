package db

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
)

// The audit log is one chain, so its head is one row, and every change waits there for the one before. So that nobody who waits
// for a wallet or a grant stands in that queue, events are collected while a change is made and written as its last step: the
// head is locked last, behind wallets and grants. A callback writes no audit event and never comes here.

// collected is what the change under way will have recorded, and which guarded rows it has checked or begun, each with the
// latest event that has its state, 0 where there was none (states.go).
type collected struct {
	events []models.AuditEvent
	rows   map[GuardedRow]int64
	wrote  *models.AuditHead // the head that it leaves, once it is written
	began  *int64            // the number of the audit head before the change; nil where that does not matter (DB.TakeTurn)
}

// Checked notes a row whose latest state is that of an event.
func (c *collected) Checked(row GuardedRow, event int64) {
	if _, known := c.rows[row]; !known {
		c.rows[row] = event
	}
}

// collectedKey is the key of a transaction's collected in its context.
type collectedKey struct{}

// Recording gives a transaction a place to collect its audit events.
func Recording(ctx context.Context) (context.Context, *collected) {
	c := &collected{rows: map[GuardedRow]int64{}}
	return context.WithValue(ctx, collectedKey{}, c), c
}

// CollectedIn returns what the change under way has collected, and nil outside of one.
func CollectedIn(ctx context.Context) *collected {
	c, _ := ctx.Value(collectedKey{}).(*collected)
	return c
}

// Record has audit events written in the transaction of the change that they tell of, which is one of DB.Change. They get their
// numbers and times when it ends.
func (s *DB) Record(tx *gorm.DB, events ...models.AuditEvent) error {
	change := CollectedIn(tx.Statement.Context)
	if change == nil {
		return errors.New("an audit event belongs to a change")
	}
	for _, e := range events {
		if reason := []rune(e.Reason); len(reason) > mostReason {
			e.Reason = string(reason[:mostReason]) + "… (cut off)"
		}
		change.events = append(change.events, e)
	}
	return nil
}

// mostReason is how much of a reason an audit event keeps, in characters: more than anybody writes, and less than MySQL has
// room for.
const mostReason = 10_000

// AuditChunk is how many events go into one statement.
const AuditChunk = 500

// WriteAudit chains the events at the end of a transaction, with the states of the guarded rows that it has changed.
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
		states, err := s.statesOf(tx.Statement.Context, tx.Statement.ConnPool, chunk, stated[from:])
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

// committed reports whether a change is in the database although its COMMIT ended with an error: its last event is there.
// Nobody else can have written it, since its salts are random.
func (s *DB) committed(ctx context.Context, change *collected) bool {
	if change.wrote == nil {
		return false
	}
	var hash []byte
	err := s.Write.WithContext(ctx).Raw("SELECT hash FROM audit_events WHERE id = ?", change.wrote.Seq).Scan(&hash).Error
	return err == nil && StoredHash(hash) == change.wrote.Hash
}

// refuseTriggers returns a models.TamperedError where a trigger may have had a hand in rows whose states are about to be
// covered.
func (s *DB) refuseTriggers(tx *gorm.DB, stated []bool) error {
	if !slices.Contains(stated, true) {
		return nil
	}
	names, err := s.ForeignTriggers(tx.Statement.Context, tx.Statement.ConnPool)
	if err != nil || len(names) == 0 {
		return err
	}
	s.Log.Error("The database has a trigger that is not of Pitboss. No change that the audit log covers is made until it is "+
		"dropped.", "trigger", names[0])
	return models.TamperedError{Object: "trigger", ObjectID: names[0]}
}

// ErrAuditHead is returned where the audit chain's head is gone: nothing that has to be recorded can be done until it is looked
// into.
var ErrAuditHead = errors.New("the audit chain's head is gone, so nothing can be recorded: run pitboss verify, and put back " +
	"a backup of the table audit_head")

// ReadAuditHead reads the audit chain's head; lock is what ends the SELECT.
func ReadAuditHead(tx *gorm.DB, lock string) (h models.AuditHead, err error) {
	var rows []struct {
		BeginSeq               int64
		BeginHash, Proof, Hash []byte
		Seq                    int64
	}
	if err := tx.Raw("SELECT begin_seq, begin_hash, proof, seq, hash FROM audit_head WHERE id = 1" + lock).Scan(&rows).
		Error; err != nil {
		return h, fmt.Errorf("read audit head: %w", err)
	}
	if len(rows) == 0 {
		return h, ErrAuditHead
	}
	r := rows[0]
	return models.AuditHead{
		BeginSeq: r.BeginSeq, BeginHash: StoredHash(r.BeginHash), Proof: StoredHash(r.Proof), Seq: r.Seq,
		Hash: StoredHash(r.Hash),
	}, nil
}

// proveAuditBeginning proves the beginning of an audit chain that has no event yet.
func (s *DB) proveAuditBeginning(tx *gorm.DB) error {
	head, err := ReadAuditHead(tx, s.Dialect.ForUpdate())
	if errors.Is(err, ErrAuditHead) {
		return nil // verify says so, and callbacks are served
	}
	if err != nil || head.Seq != head.BeginSeq || head.Proof != (models.Hash{}) {
		return err
	}
	proof := s.Chain.AuditBeginning(head.BeginSeq, head.BeginHash)
	if err := tx.Exec("UPDATE audit_head SET proof = ? WHERE id = 1", proof[:]).Error; err != nil {
		return fmt.Errorf("begin audit chain: %w", err)
	}
	return nil
}
