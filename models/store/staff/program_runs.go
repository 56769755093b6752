package staff

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Starts and stops of the program are audit events. The event of a start has the differences from the run before: an upgrade,
// another configuration, a migrated schema. (The command migrate up may run without the ledger's key, and then cannot write to
// the audit chain.) A program that is killed cannot record its end; the next start in its place says so.

// programSeen is how long a program counts as running after its last report.
const programSeen = 3 * time.Minute

// CheckProgramRun returns a models.KeyConflictError if a program that is running elsewhere has other keys than run.
func (s *Store) CheckProgramRun(ctx context.Context, run models.ProgramRun) error {
	return s.checkKeys(s.db.Read.WithContext(ctx), run)
}

func (s *Store) checkKeys(tx *gorm.DB, run models.ProgramRun) error {
	others, err := db.Find[models.ProgramRun](tx.Where("ended_at_us = 0 AND seen_at_us > ? AND place <> ?",
		db.Micros(s.db.Now().Add(-programSeen)), run.Place))
	if err != nil {
		return err
	}
	for _, other := range others {
		if variable := run.Conflict(other); variable != "" {
			return models.KeyConflictError{Variable: variable, Other: other}
		}
	}
	return nil
}

// BeginProgramRun records that the program has started, and what differs from its last run. It returns the run's number, for
// SeeProgramRun and EndProgramRun, or the error of CheckProgramRun.
func (s *Store) BeginProgramRun(ctx context.Context, run models.ProgramRun) (id int64, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.db.LockLease(tx, "program runs"); err != nil {
			return err
		}
		if err := s.checkKeys(tx, run); err != nil {
			return err
		}
		earlier, ran, err := db.First(db.All[models.ProgramRun](tx,
			"SELECT * FROM program_runs ORDER BY place = ? DESC, id DESC LIMIT 1", run.Place))
		if err != nil {
			return err
		}
		if err := tx.Exec("UPDATE program_runs SET ended_at_us = ? WHERE ended_at_us = 0 AND place = ?", db.Micros(s.db.Now()), run.Place).
			Error; err != nil {
			return err
		}
		row := run
		row.ID, row.StartedAt, row.SeenAt, row.EndedAt = 0, s.db.Now(), s.db.Now(), time.Time{}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		id = row.ID
		event := models.AuditEvent{Actor: models.System, Action: "program started", Object: "program", ObjectID: db.Numbered(id)}
		after := programState(run)
		if ran {
			event.Before, after["changed"] = db.JsonText(programState(earlier)), run.Changed(earlier)
		}
		if ran && earlier.Place == run.Place && earlier.EndedAt.IsZero() {
			event.Reason = fmt.Sprintf("Run %d did not shut down cleanly: it was killed, or its machine or its connection to the "+
				"database failed. It was last seen at %s.", earlier.ID, earlier.SeenAt.Format(time.RFC3339))
		}
		event.After = db.JsonText(after)
		return s.db.Record(tx, event)
	})
	return id, err
}

func programState(run models.ProgramRun) map[string]any {
	return map[string]any{"version": run.Version, "place": run.Place, "configuration": run.Digest(), "schema": run.Schema}
}

// SeeProgramRun records that a program is still running.
func (s *Store) SeeProgramRun(ctx context.Context, id int64) error {
	return s.db.Write.WithContext(ctx).Exec("UPDATE program_runs SET seen_at_us = ? WHERE id = ?", db.Micros(s.db.Now()), id).
		Error
}

// EndProgramRun records that a program stops. failed means that an error ended it.
func (s *Store) EndProgramRun(ctx context.Context, id int64, failed bool) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		ended := tx.Exec("UPDATE program_runs SET ended_at_us = ? WHERE id = ?", db.Micros(s.db.Now()), id)
		if ended.Error != nil || ended.RowsAffected == 0 {
			return ended.Error
		}
		event := models.AuditEvent{Actor: models.System, Action: "program stopped", Object: "program", ObjectID: db.Numbered(id)}
		if failed {
			event.Reason = "An error ended it; see the log."
		}
		return s.db.Record(tx, event)
	})
}

// RecordFiguresRebuilt records that figures were recalculated from the ledger.
func (s *Store) RecordFiguresRebuilt(ctx context.Context, by models.Actor) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: "figures rebuilt", Object: "figures"})
	})
}
