package proof

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// WriteCheckpoint writes the current state of the ledger to w, from one snapshot, while players play. It becomes a checkpoint
// when RecordCheckpoint has recorded it.
func (s *Store) WriteCheckpoint(ctx context.Context, w io.Writer) (cp models.Checkpoint, err error) {
	tx, err := s.db.Snapshot(ctx)
	if err != nil {
		return cp, err
	}
	defer tx.Rollback()
	last, _, err := db.One[models.WrittenCheckpoint](tx.Order("number DESC"))
	if err != nil {
		return cp, err
	}
	cp.Number, cp.Previous, cp.At = last.Number+1, last.Digest, s.db.Now()
	head, err := db.ReadAuditHead(tx, "")
	if err != nil {
		return cp, err
	}
	cp.AuditSeq, cp.Audit = head.Seq, head.Hash
	file, err := models.NewCheckpointWriter(w, s.db.Chain, cp)
	if err != nil {
		return cp, err
	}
	err = db.Each(tx, func(rows *sql.Rows) error {
		var w models.Wallet
		err := rows.Scan(&w.PlayerID, (*string)(&w.Currency), (*int64)(&w.Balance), (*int64)(&w.Held), &w.Seq,
			&w.Head, &w.SpinSeq, &w.SpinHead)
		if err != nil {
			return err
		}
		return file.Wallet(&w)
	}, "SELECT player_id, currency, balance_minor, held_minor, seq, head, spin_seq, spin_head FROM wallets ORDER BY player_id")
	if err != nil {
		return cp, err
	}
	return file.Close()
}

// RecordCheckpoint records a checkpoint in the database, before it is delivered. It returns models.ErrCheckpointTaken if
// another checkpoint was recorded after this one was begun.
func (s *Store) RecordCheckpoint(ctx context.Context, by models.Actor, cp models.Checkpoint, size int64,
	fileName string) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		row := models.WrittenCheckpoint{Checkpoint: cp, Actor: by.Name, Size: size, FileName: fileName}
		return db.Create(s.db, tx, &row, models.AuditEvent{Actor: by, Action: "checkpoint written",
			After: db.JsonText(map[string]any{"digest": fmt.Sprintf("%x", cp.Digest), "wallets": cp.Wallets,
				"entries": cp.Entries, "spin_entries": cp.SpinEntries, "audit_seq": cp.AuditSeq}),
		})
	})
	if db.IsDuplicate(err) {
		return models.ErrCheckpointTaken
	}
	return err
}

// CheckpointKept records that a checkpoint's file is in its folder.
func (s *Store) CheckpointKept(ctx context.Context, number int64) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE checkpoints SET kept_at_us = ? WHERE number = ?", db.Micros(s.db.Now()), number).Error
	})
	if err != nil {
		return fmt.Errorf("record the delivery of checkpoint %d: %w", number, err)
	}
	return nil
}

// HasCheckpoint reports whether the database has a checkpoint's row that matches the audit log. One that was inserted or
// changed in the database directly does not count: it could hide a restored backup.
func (s *Store) HasCheckpoint(ctx context.Context, number int64, digest models.Hash) (bool, error) {
	cp, found, err := db.Load[models.WrittenCheckpoint](s.db, s.db.Read.WithContext(ctx), number)
	if errors.As(err, new(models.TamperedError)) {
		return false, nil
	}
	return found && cp.Digest == digest, err
}

func olderState(cp models.Checkpoint, fileName string) string {
	return db.JsonText(map[string]any{"checkpoint": cp.Number, "written": cp.At, "file": fileName, "digest": fmt.Sprintf("%x", cp.Digest)})
}

// OlderStateRecorded reports whether RecordOlderState has recorded this checkpoint.
func (s *Store) OlderStateRecorded(ctx context.Context, cp models.Checkpoint, fileName string) (bool, error) {
	_, found, err := db.One[int64](s.db.Read.WithContext(ctx).Table("audit_events").Select("id").
		Where("action = ? AND after_text = ?", models.OlderState, olderState(cp, fileName)))
	return found, err
}

// RecordOlderState records in the audit log that a checkpoint has a later state than the database. It also ends all sessions
// and voids all one-time links, because some of them may have been ended or used since.
func (s *Store) RecordOlderState(ctx context.Context, cp models.Checkpoint, fileName string) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.staff.EndAccess(tx, models.System); err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{Actor: models.System, Action: models.OlderState, Object: "database",
			After: olderState(cp, fileName)})
	})
}

// Checkpoints returns a page of the checkpoints, newest first.
func (s *Store) Checkpoints(ctx context.Context, span models.Span) (models.Page[models.WrittenCheckpoint], error) {
	list := db.List{Table: "checkpoints", ID: "number", Span: span}
	return db.FindPage[models.WrittenCheckpoint](s.db, s.db.Read.WithContext(ctx), list)
}

// Checkpoint returns the checkpoint with this number, or false if there is none.
func (s *Store) Checkpoint(ctx context.Context, number int64) (models.WrittenCheckpoint, bool, error) {
	return s.oneCheckpoint(ctx, "number = ?", number)
}

// LastCheckpoint returns the newest checkpoint that was delivered, or false if there is none.
func (s *Store) LastCheckpoint(ctx context.Context) (models.WrittenCheckpoint, bool, error) {
	return s.oneCheckpoint(ctx, "kept_at_us > 0")
}

func (s *Store) oneCheckpoint(ctx context.Context, where string, args ...any) (models.WrittenCheckpoint, bool, error) {
	return db.One[models.WrittenCheckpoint](s.db.Read.WithContext(ctx).Where(where, args...).Order("number DESC"))
}
