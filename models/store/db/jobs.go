package db

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
)

// WholeRun is a condition for the report of a verification that read the whole ledger: others say since when they read.
const WholeRun = `report NOT LIKE '%"Since":%'`

// OpenJobs returns the numbers of the jobs of a kind that have not ended, oldest first, up to 100.
func (s *DB) OpenJobs(ctx context.Context, kind models.JobKind) (ids []int64, err error) {
	err = s.Write.WithContext(ctx).Table(string(kind)).Where("state IN ?", models.OpenJobStates).Order("id").Limit(100).
		Pluck("id", &ids).Error
	return ids, err
}

// BeginJob notes that an instance begins a job, and reports whether it is still open. It returns models.ErrJobTries if the job
// was begun too often.
func (s *DB) BeginJob(ctx context.Context, kind models.JobKind, id int64) (open bool, err error) {
	var tries int
	err = s.Change(ctx, func(tx *gorm.DB) (err error) {
		open, err = updateJob(tx, kind, id, models.OpenJobStates, map[string]any{"state": models.JobRunning, "started_at_us": Micros(s.Now()),
			"tries": gorm.Expr("tries + 1")})
		if err != nil || !open {
			return err
		}
		return tx.Table(string(kind)).Where("id = ?", id).Pluck("tries", &tries).Error
	})
	if err == nil && tries > models.MaxJobTries {
		err = models.ErrJobTries
	}
	return open, err
}

// NoteJob writes columns of an open job, such as its progress, and returns the job's state: a person may have stopped it,
// and then nothing is written.
func (s *DB) NoteJob(ctx context.Context, kind models.JobKind, id int64, values map[string]any) (state models.JobState, err error) {
	err = s.Change(ctx, func(tx *gorm.DB) error {
		if _, err := updateJob(tx, kind, id, models.OpenJobStates, values); err != nil {
			return err
		}
		return tx.Raw("SELECT state FROM "+string(kind)+" WHERE id = ?", id).Scan(&state).Error
	})
	return state, err
}

// EndJob writes the outcome of a job, with its state and its audit event, and reports whether it had not ended. Otherwise it
// writes nothing. A row that somebody else wrote into the database is ended like others, so that no instance works on it again;
// the event does not make it valid, and verify reports it.
func (s *DB) EndJob(ctx context.Context, kind models.JobKind, id int64, values map[string]any,
	event models.AuditEvent) (ended bool, err error) {
	err = s.Change(ctx, func(tx *gorm.DB) (err error) {
		var locked int64
		err = tx.Raw("SELECT id FROM "+string(kind)+" WHERE id = ?"+s.Dialect.ForUpdate(), id).Scan(&locked).Error
		if err != nil {
			return err
		}
		if kindOf(event.Object) != nil {
			_, err := s.LoadObjects(tx, event.Object, []string{event.ObjectID})
			if err != nil && !errors.As(err, new(models.TamperedError)) {
				return err
			}
		}
		values["finished_at_us"] = Micros(s.Now())
		if ended, err = updateJob(tx, kind, id, models.OpenJobStates, values); err != nil || !ended {
			return err
		}
		return s.Record(tx, event)
	})
	return ended, err
}

// updateJob changes a job if it has one of these states, and reports whether it has.
func updateJob(tx *gorm.DB, kind models.JobKind, id int64, states []models.JobState, values map[string]any) (has bool, err error) {
	done := tx.Table(string(kind)).Where("id = ? AND state IN ?", id, states).Updates(values)
	if done.Error != nil {
		return false, fmt.Errorf("write job %d of %s: %w", id, kind, done.Error)
	}
	return done.RowsAffected == 1, nil
}
