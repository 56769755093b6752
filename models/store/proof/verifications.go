package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// unread is the column that is left out when reading a verification that has not ended: a manipulated report must not prevent
// the next verification.
const unread = "report"

// RequestVerification requests a verification and returns its number. If another has not ended yet, it returns the number of that
// one and models.ErrVerificationUnderWay.
func (s *Store) RequestVerification(ctx context.Context, by models.Actor) (id int64, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.db.LockLease(tx, "ask for a verification"); err != nil {
			return err
		}
		var open []models.VerificationRun
		if err := tx.Omit(unread).Where("state < ?", models.VerificationEnded).Limit(1).Find(&open).Error; err != nil {
			return err
		}
		if len(open) > 0 {
			id = open[0].ID
			return models.ErrVerificationUnderWay
		}
		row := models.VerificationRun{RequestedAt: s.db.Now(), Actor: by.Name, State: models.VerificationRequested}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		id = row.ID
		s.db.Begins(tx, "verification", db.Numbered(id))
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: "verification asked for", Object: "verification",
			ObjectID: strconv.FormatInt(id, 10)})
	})
	if err != nil && !errors.Is(err, models.ErrVerificationUnderWay) {
		return 0, fmt.Errorf("ask for a verification: %w", err)
	}
	return id, err
}

// VerificationsOpen reports whether a verification is waiting or running.
func (s *Store) VerificationsOpen(ctx context.Context) (bool, error) {
	var n int64
	err := s.db.Read.WithContext(ctx).Raw("SELECT COUNT(*) FROM verifications WHERE state < ?", models.VerificationEnded).
		Scan(&n).Error
	if err != nil {
		return false, fmt.Errorf("look for verifications: %w", err)
	}
	return n > 0, nil
}

// BeginVerification starts the requested verification, or returns false if there is none. The caller holds the lease of
// verifications, so if one is stored as running, its program has died, and it is ended as failed.
func (s *Store) BeginVerification(ctx context.Context) (id int64, found bool, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		now := db.Micros(s.db.Now())
		var lost []models.VerificationRun
		if err := s.db.Locking(tx).Omit(unread).Where("state = ?", models.VerificationRunning).Find(&lost).Error; err != nil {
			return err
		}
		for _, row := range lost {
			if err := s.endVerification(tx, &row, models.Verification{},
				errors.New("the program ended before it was done")); err != nil {
				return err
			}
		}
		asked, any, err := db.One[models.VerificationRun](
			tx.Omit(unread).Where("state = ?", models.VerificationRequested).Order("id"),
			"look for verifications")
		if id, found = asked.ID, any; err != nil || !found {
			return err
		}
		var expected int64
		if err := tx.Raw("SELECT COALESCE(SUM(seq + spin_seq), 0) FROM wallets").Scan(&expected).Error; err != nil {
			return err
		}
		return tx.Exec("UPDATE verifications SET state = ?, started_at_us = ?, lines_expected = ? WHERE id = ?",
			models.VerificationRunning, now, expected, id).Error
	})
	if err != nil {
		return 0, false, fmt.Errorf("begin a verification: %w", err)
	}
	return id, found, nil
}

// VerificationProgress stores how many entries have been read.
func (s *Store) VerificationProgress(ctx context.Context, id, read int64) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE verifications SET lines_read = ? WHERE id = ?", read, id).Error
	})
	if err != nil {
		return fmt.Errorf("note a verification's progress: %w", err)
	}
	return nil
}

// EndVerification stores the result of a verification or, if failed is not nil, why it could not be done.
func (s *Store) EndVerification(ctx context.Context, id int64, v models.Verification, failed error) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		var row models.VerificationRun
		if err := s.db.Locking(tx).Omit(unread).Where("id = ?", id).Take(&row).Error; err != nil {
			return err
		}
		return s.endVerification(tx, &row, v, failed)
	})
	if err != nil {
		return fmt.Errorf("end a verification: %w", err)
	}
	return nil
}

// endVerification writes the result of a verification, with its audit event. A row that was inserted into the database directly
// is ended like others, so that it does not block later verifications; its event does not make it valid, and verify reports it.
func (s *Store) endVerification(tx *gorm.DB, row *models.VerificationRun, v models.Verification, failed error) error {
	id := db.Numbered(row.ID)
	var tampered models.TamperedError
	if _, _, err := db.Load[models.VerificationRun](s.db, tx, row.ID); err != nil && !errors.As(err, &tampered) {
		return err
	}
	row.End(s.db.Now(), v, failed)
	if err := tx.Save(row).Error; err != nil {
		return err
	}
	e := models.AuditEvent{Actor: models.System, Action: "verification ended", Object: "verification", ObjectID: id,
		After: db.JsonText(map[string]any{"faults": row.Faults})}
	if failed != nil {
		e.Action, e.After = "verification failed", db.JsonText(map[string]any{"error": row.Error})
	}
	return s.db.Record(tx, e)
}

// RecordVerification stores a verification done on the command line.
func (s *Store) RecordVerification(ctx context.Context, by models.Actor, started time.Time, v models.Verification) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		row := models.VerificationRun{RequestedAt: started, StartedAt: started, Actor: by.Name, Expected: v.Entries + v.SpinEntries}
		row.End(s.db.Now(), v, nil)
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		s.db.Begins(tx, "verification", db.Numbered(row.ID))
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "ledger verified", Object: "verification", ObjectID: strconv.FormatInt(row.ID, 10),
			After: db.JsonText(map[string]any{"faults": row.Faults}),
		})
	})
	if err != nil {
		return fmt.Errorf("record a verification: %w", err)
	}
	return nil
}

// VerificationRuns lists the verifications before a number, or the newest if it is 0, newest first, and reports whether there
// are more.
func (s *Store) VerificationRuns(ctx context.Context, before int64, limit int) ([]models.VerificationRun, bool, error) {
	read := s.db.Read.WithContext(ctx)
	list, err := db.Once(read, fmt.Sprintf("%d verifications before %d", limit, before),
		func() ([]models.VerificationRun, error) {
			q := read.Order("id DESC").Limit(limit + 1)
			if before > 0 {
				q = q.Where("id < ?", before)
			}
			var list []models.VerificationRun
			if err := q.Find(&list).Error; err != nil {
				return nil, fmt.Errorf("list verifications: %w", err)
			}
			return list, nil
		})
	return slices.Clone(list[:min(len(list), limit)]), len(list) > limit, err
}

// VerificationRun returns the verification with this number, or false if there is none.
func (s *Store) VerificationRun(ctx context.Context, id int64) (models.VerificationRun, bool, error) {
	return db.One[models.VerificationRun](s.db.Read.WithContext(ctx).Where("id = ?", id), "read verification")
}
