package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// CreateExport stores a request for an export, with its audit event. It returns models.ErrExportsWaiting if the same person has
// too many exports under way, or ErrExportsFull.
func (s *Store) CreateExport(ctx context.Context, by models.Actor, e models.Export) (models.Export, error) {
	var row models.Export
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		var waiting int64
		if err := tx.Model(&models.Export{}).Where("staff_id = ? AND state IN ?", e.StaffID, models.OpenJobStates).Count(&waiting).
			Error; err != nil {
			return fmt.Errorf("count exports: %w", err)
		}
		if waiting >= models.MaxExports {
			return models.ErrExportsWaiting
		}
		var kept int64
		if err := tx.Raw("SELECT COALESCE(SUM(file_bytes), 0) FROM exports WHERE state = ?", models.JobFinished).Scan(&kept).
			Error; err != nil {
			return fmt.Errorf("add up exports: %w", err)
		}
		if kept >= models.MaxExportBytes {
			return models.ErrExportsFull
		}
		row = e
		row.Job = models.Job{At: s.db.Now(), Actor: by.Name, State: models.JobWaiting}
		if row.Filters == nil {
			row.Filters = []models.ExportFilter{}
		}
		if err := tx.Create(&row).Error; err != nil {
			return fmt.Errorf("write export: %w", err)
		}
		if err := s.recordPack(tx, by, row, "requested"); err != nil {
			return err
		}
		s.db.Begins(tx, "export", db.Numbered(row.ID))
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "export requested", Object: "export", ObjectID: db.Numbered(row.ID), After: exportWords(e),
		})
	})
	if err != nil {
		return models.Export{}, err
	}
	return row, nil
}

// recordPack adds an audit event to the player of a pack: what was done with it, such as "data-access pack requested", and why
// it was made. It does nothing for other exports.
func (s *Store) recordPack(tx *gorm.DB, by models.Actor, e models.Export, done string) error {
	player, isPack := e.PackOf()
	if !isPack {
		return nil
	}
	return s.db.Record(tx, models.AuditEvent{Actor: by, Action: strings.ToLower(e.Title) + " " + done, Object: "player",
		ObjectID: strconv.FormatInt(player, 10), Reason: e.Why()})
}

// exportWords returns what an audit event says about an export.
func exportWords(e models.Export) string {
	filters := []string{}
	for _, f := range e.Filters {
		filters = append(filters, f.Label+": "+f.Value)
	}
	return db.JsonText(struct {
		List    string              `json:"list"`
		Filters []string            `json:"filters"`
		Format  models.ExportFormat `json:"format"`
	}{e.List, filters, e.Format})
}

// NoteExport stores an export's progress, and reports whether it is still open: it may have been deleted.
func (s *Store) NoteExport(ctx context.Context, id int64, p models.ExportProgress) (bool, error) {
	state, err := s.db.NoteJob(ctx, models.ExportJobs, id, map[string]any{"row_count": p.Rows,
		"reached_at_us": db.Micros(p.Reached), "permille": p.Permille})
	return state.Open(), err
}

// FinishExport ends an export with its outcome, and reports whether it was still open. A file is kept from now on for
// models.ExportLasts.
func (s *Store) FinishExport(ctx context.Context, id int64, o models.ExportOutcome) (finished bool, err error) {
	values := map[string]any{"state": models.JobFailed, "failure": o.Failure, "row_count": o.Rows}
	event := models.AuditEvent{Actor: models.System, Action: "export failed", Object: "export", ObjectID: db.Numbered(id),
		After: db.JsonText(map[string]any{"why": o.Failure})}
	if o.Failure == "" {
		values = map[string]any{"state": models.JobFinished, "row_count": o.Rows, "permille": 1000,
			"reached_at_us": db.Micros(o.Reached), "file_bytes": o.Bytes, "digest": o.Digest, "file_id": o.File,
			"expires_at_us": db.Micros(s.db.Now().Add(models.ExportLasts))}
		event.Action = "export ready"
		event.After = db.JsonText(map[string]any{"rows": o.Rows, "bytes": o.Bytes, "sha256": o.Digest})
	}
	return s.db.EndJob(ctx, models.ExportJobs, id, values, event)
}

// NewFile returns a writer for a new file in the database.
func (s *Store) NewFile(ctx context.Context) *db.FileWriter { return s.db.NewFile(ctx) }

// DeleteFile deletes a file from the database.
func (s *Store) DeleteFile(ctx context.Context, id string) error { return s.db.DeleteFile(ctx, id) }

// ExportFile returns the file of a finished export.
func (s *Store) ExportFile(ctx context.Context, e models.Export) *io.SectionReader {
	return s.db.OpenFile(ctx, e.File, e.Bytes)
}

// DeleteOldFiles deletes the files of exports whose time is over, and those that no export and no statement has a day after they
// were begun: whoever wrote them was killed.
func (s *Store) DeleteOldFiles(ctx context.Context) error {
	var old, lost []string
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		expired := func() *gorm.DB {
			return tx.Model(&models.Export{}).Where("state = ? AND expires_at_us <= ?", models.JobFinished, db.Micros(s.db.Now()))
		}
		if err := expired().Pluck("file_id", &old).Error; err != nil {
			return err
		}
		return expired().Update("state", models.JobExpired).Error
	})
	if err == nil { // the IDs of other files, such as sheets, do not begin with a time
		err = s.db.Write.WithContext(ctx).Raw(`SELECT DISTINCT file_id FROM file_chunks c WHERE file_id > '2' AND file_id < ?
			AND NOT EXISTS (SELECT 1 FROM exports e WHERE e.file_id = c.file_id AND e.state = ?)
			AND NOT EXISTS (SELECT 1 FROM statements t WHERE t.file_id = c.file_id)`,
			db.FileBefore(s.db.Now().Add(-24*time.Hour)), models.JobFinished).Scan(&lost).Error
	}
	if err != nil {
		return fmt.Errorf("look for old files: %w", err)
	}
	for _, id := range append(old, lost...) {
		if err := s.db.DeleteFile(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// DeleteExport deletes an export with its file, or stops it if it is open, and reports whether there was anything to delete.
func (s *Store) DeleteExport(ctx context.Context, by models.Actor, id int64) (deleted bool, err error) {
	var row models.Export
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.db.Locking(tx).Where("id = ?", id).Take(&row).Error; err != nil {
			return fmt.Errorf("read export: %w", err)
		}
		if deleted = row.State.Open() || row.State == models.JobFinished; !deleted {
			return nil
		}
		if err := tx.Model(&models.Export{}).Where("id = ?", id).
			Updates(map[string]any{"state": models.JobStopped, "finished_at_us": db.Micros(s.db.Now())}).Error; err != nil {
			return fmt.Errorf("delete export: %w", err)
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "export deleted", Object: "export", ObjectID: db.Numbered(id),
			Before: db.JsonText(map[string]string{"state": row.State.String()}),
			After:  db.JsonText(map[string]string{"state": "deleted"}),
		})
	})
	if err == nil && deleted {
		err = s.db.DeleteFile(ctx, row.File)
	}
	return deleted, err
}

// NoteDownload records that somebody is downloading the file of an export. It is called before the file is sent.
func (s *Store) NoteDownload(ctx context.Context, by models.Actor, e models.Export) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if _, err := db.Locked[models.Export](s.db, tx, e.ID, gorm.ErrRecordNotFound); err != nil {
			return err
		}
		if err := s.recordPack(tx, by, e, "downloaded"); err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "export downloaded", Object: "export", ObjectID: db.Numbered(e.ID),
			After: db.JsonText(map[string]any{"file": e.FileName(), "rows": e.Rows, "sha256": e.Digest}),
		})
	})
}

// Export returns the export with this number, or false if there is none. It returns a models.TamperedError if the row does not
// match the audit log, because the row says who may download the file.
func (s *Store) Export(ctx context.Context, id int64) (models.Export, bool, error) {
	return db.Load[models.Export](s.db, s.db.Read.WithContext(ctx), id)
}

// Exports returns a page of the exports that f selects, the newest first. A row that does not match the audit log is Altered,
// so that it hides no others.
func (s *Store) Exports(ctx context.Context, f models.ExportSelection) (models.Page[models.Export], error) {
	order := db.Order{Table: "exports", At: "at_us", ID: "id", Index: "exports_at"}
	q := s.db.List(s.db.Read.WithContext(ctx), order, f.Span,
		db.If(f.StaffID != 0, "exports_staff", "staff_id = ?", f.StaffID))
	page, err := db.FindPage[models.Export](q, f.Span, "list exports")
	if err != nil {
		return page, err
	}
	for i, e := range page.Rows {
		row, found, err := s.Export(ctx, e.ID)
		if err != nil && !errors.As(err, new(models.TamperedError)) {
			return page, err
		}
		if page.Rows[i] = row; err != nil || !found {
			page.Rows[i] = models.Export{Job: models.Job{ID: e.ID, At: e.At}, Altered: true}
		}
	}
	return page, nil
}
