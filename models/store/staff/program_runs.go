package staff

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Starts and stops of the program are audit events, and so are differences from the run before: an upgrade, another
// configuration, a migrated schema. (The command migrate up may run without the ledger's key, and then cannot write to the
// audit chain.) A program that is killed cannot record its end. The next program in its place does or, if there is none, any
// other that has not heard of it for programSilence.

// programSilence is how long a program may be silent before it counts as gone. Programs report every minute.
const programSilence = 10 * time.Minute

// programSeen is how long a program counts as running after its last report.
const programSeen = 3 * time.Minute

// CheckProgramRun returns a models.KeyConflictError if a program that is running elsewhere has other keys than run.
func (s *Store) CheckProgramRun(ctx context.Context, run models.ProgramRun) error {
	return s.checkKeys(s.db.Read.WithContext(ctx), run)
}

func (s *Store) checkKeys(tx *gorm.DB, run models.ProgramRun) error {
	var others []models.ProgramRun
	err := tx.Where("ended_at_us = 0 AND seen_at_us > ? AND place <> ?", db.Micros(s.db.Now().Add(-programSeen)), run.Place).
		Find(&others).Error
	if err != nil {
		return fmt.Errorf("look for other instances: %w", err)
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
		now := s.db.Now()
		if err := s.db.LockLease(tx, "program runs"); err != nil {
			return err
		}
		if err := s.checkKeys(tx, run); err != nil {
			return err
		}
		var earlier []models.ProgramRun
		if err := tx.Raw("SELECT * FROM program_runs ORDER BY place = ? DESC, id DESC LIMIT 1", run.Place).Scan(&earlier).
			Error; err != nil {
			return err
		}
		if err := s.loseProgramRuns(tx, now, run.Place); err != nil {
			return err
		}
		row := run
		row.ID, row.StartedAt, row.SeenAt, row.EndedAt = 0, now, now, time.Time{}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		id = row.ID
		events := []models.AuditEvent{
			programEvent("program started", id, nil,
				map[string]any{"version": run.Version, "place": run.Place, "configuration": run.Digest(),
					"schema": run.Schema}),
		}
		if len(earlier) > 0 {
			events = append(events, programChanges(id, earlier[0], run)...)
		}
		return s.db.Record(tx, events...)
	})
	if err != nil {
		return 0, fmt.Errorf("record the start of the program: %w", err)
	}
	return id, nil
}

// programChanges returns the events for the differences between two runs.
func programChanges(id int64, earlier, run models.ProgramRun) (events []models.AuditEvent) {
	if earlier.Version != run.Version {
		events = append(events,
			programEvent("program upgraded", id, map[string]any{"version": earlier.Version},
				map[string]any{"version": run.Version}))
	}
	if earlier.Schema != run.Schema {
		events = append(events,
			programEvent("schema migrated", id, map[string]any{"schema": earlier.Schema}, map[string]any{"schema": run.Schema}))
	}
	if changed := run.Changed(earlier); len(changed) > 0 {
		events = append(events, programEvent("program reconfigured", id, map[string]any{"configuration": earlier.Digest()},
			map[string]any{"configuration": run.Digest(), "changed": changed}))
	}
	return events
}

func programEvent(action string, id int64, before, after map[string]any) models.AuditEvent {
	e := models.AuditEvent{Actor: models.System, Action: action, Object: "program", ObjectID: strconv.FormatInt(id, 10)}
	if before != nil {
		e.Before = db.JsonText(before)
	}
	if after != nil {
		e.After = db.JsonText(after)
	}
	return e
}

// loseProgramRuns records which runs ended without a shutdown: those in a place that another program has now taken, and those
// that were silent for programSilence.
func (s *Store) loseProgramRuns(tx *gorm.DB, now time.Time, place string) error {
	var gone []models.ProgramRun
	err := s.db.Locking(tx).Where("ended_at_us = 0 AND (seen_at_us < ? OR place = ?)", db.Micros(now.Add(-programSilence)),
		place).Order("id").Find(&gone).Error
	if err != nil {
		return err
	}
	for _, row := range gone {
		if err := tx.Exec("UPDATE program_runs SET ended_at_us = ? WHERE id = ?", db.Micros(now), row.ID).Error; err != nil {
			return err
		}
		event := programEvent("program lost", row.ID, map[string]any{"version": row.Version, "place": row.Place},
			map[string]any{"last heard of": row.SeenAt.Format(time.RFC3339)})
		event.Reason = "It did not end in order: it was killed, or its machine or its connection to the database failed."
		if err := s.db.Record(tx, event); err != nil {
			return err
		}
	}
	return nil
}

// SeeProgramRun notes that a program is running, and records which others have been silent too long.
func (s *Store) SeeProgramRun(ctx context.Context, id int64) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		now := s.db.Now()
		if err := tx.Exec("UPDATE program_runs SET seen_at_us = ?, ended_at_us = 0 WHERE id = ?", db.Micros(now), id).
			Error; err != nil {
			return err
		}
		return s.loseProgramRuns(tx, now, "")
	})
	if err != nil {
		return fmt.Errorf("note that the program is running: %w", err)
	}
	return nil
}

// EndProgramRun records that a program stops. failed means that an error ended it.
func (s *Store) EndProgramRun(ctx context.Context, id int64, failed bool) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		ended := tx.Exec("UPDATE program_runs SET ended_at_us = ? WHERE id = ?", db.Micros(s.db.Now()), id)
		if ended.Error != nil || ended.RowsAffected == 0 {
			return ended.Error
		}
		event := programEvent("program stopped", id, nil, nil)
		if failed {
			event.Reason = "An error ended it; see the log."
		}
		return s.db.Record(tx, event)
	})
	if err != nil {
		return fmt.Errorf("record the end of the program: %w", err)
	}
	return nil
}

// RecordFiguresRebuilt records that figures were recalculated from the ledger.
func (s *Store) RecordFiguresRebuilt(ctx context.Context, by models.Actor) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: "figures rebuilt", Object: "figures"})
	})
}
