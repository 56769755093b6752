package control

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

const exportHours = "export hours"

// ExportHours returns for how many hours the files of exports are kept.
func (s *Store) ExportHours(ctx context.Context) (int, error) {
	value, found, err := s.staff.Setting(ctx, exportHours)
	if err != nil || !found {
		return models.DefaultExportHours, err
	}
	hours, err := strconv.Atoi(value)
	if err != nil {
		return 0, fmt.Errorf("read setting %s: %w", exportHours, err)
	}
	return hours, nil
}

// SetExportHours changes for how many hours files are kept, for exports that become ready from now on.
func (s *Store) SetExportHours(ctx context.Context, by models.Actor, hours int) error {
	if err := models.CheckExportHours(hours); err != nil {
		return err
	}
	return s.staff.SetSetting(ctx, by, exportHours, strconv.Itoa(hours), "")
}

func exportsUnderWay() []any { return []any{models.ExportWaiting, models.ExportRunning} }

// CreateExport stores a request for an export, with its audit event. It returns models.ErrExportsWaiting if the same person has
// too many exports under way.
func (s *Store) CreateExport(ctx context.Context, by models.Actor, e models.Export) (models.Export, error) {
	var row models.Export
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		now := s.db.Now()
		// Lock the requester's row, so that two requests at once cannot exceed the limit together.
		var asker int64
		if err := tx.Raw("SELECT id FROM staff WHERE id = ?"+s.db.Dialect.ForUpdate(), e.StaffID).Scan(&asker).
			Error; err != nil {
			return fmt.Errorf("lock the requester: %w", err)
		}
		var waiting int64
		if err := tx.Model(&models.Export{}).Where("staff_id = ? AND state IN ?", e.StaffID, exportsUnderWay()).Count(&waiting).
			Error; err != nil {
			return fmt.Errorf("count exports: %w", err)
		}
		if waiting >= models.MaxExports {
			return models.ErrExportsWaiting
		}
		row = e
		row.ID, row.At, row.Actor, row.State, row.SeenAt = 0, now, by.Name, models.ExportWaiting, now
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
			Actor: by, Action: "export asked for", Object: "export", ObjectID: db.Numbered(row.ID), After: exportWords(e),
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

// updateExport changes an export if it still has one of these states, and reports whether it had.
func (s *Store) updateExport(ctx context.Context, id int64, states []any, values map[string]any) (there bool, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		done := tx.Model(&models.Export{}).Where("id = ? AND state IN ?", id, states).Updates(values)
		there = done.RowsAffected == 1
		return done.Error
	})
	if err != nil {
		return false, fmt.Errorf("write export: %w", err)
	}
	return there, nil
}

// StartExport marks a waiting export as running, and reports whether it was still waiting.
func (s *Store) StartExport(ctx context.Context, id int64) (bool, error) {
	now := db.Micros(s.db.Now())
	return s.updateExport(ctx, id, []any{models.ExportWaiting},
		map[string]any{"state": models.ExportRunning, "started_at_us": now, "seen_at_us": now})
}

// NoteExport stores an export's progress, and reports whether it is still running: it may have been deleted.
func (s *Store) NoteExport(ctx context.Context, id int64, p models.ExportProgress) (bool, error) {
	return s.updateExport(ctx, id, []any{models.ExportRunning},
		map[string]any{"row_count": p.Rows, "reached_at_us": db.Micros(p.Reached), "permille": p.Permille,
			"seen_at_us": db.Micros(s.db.Now())})
}

// SeeExports records that holder is working on these exports.
func (s *Store) SeeExports(ctx context.Context, holder string, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		return tx.Model(&models.Export{}).Where("id IN ? AND state IN ? AND holder = ?", ids, exportsUnderWay(), holder).Update("seen_at_us",
			db.Micros(s.db.Now())).Error
	})
	if err != nil {
		return fmt.Errorf("write a heartbeat: %w", err)
	}
	return nil
}

// FinishExport ends an export under way with its outcome, and reports whether it was still under way. A file is kept from now
// on for as long as the setting says.
func (s *Store) FinishExport(ctx context.Context, id int64, o models.ExportOutcome) (finished bool, err error) {
	hours, err := s.ExportHours(ctx)
	if err != nil {
		return false, err
	}
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.lockExport(tx, id); err != nil {
			return err
		}
		now := s.db.Now()
		values := map[string]any{
			"state": models.ExportFailed, "failure": o.Failure, "row_count": o.Rows, "finished_at_us": db.Micros(now),
			"seen_at_us": db.Micros(now),
		}
		action, after := "export failed", db.JsonText(map[string]any{"why": o.Failure})
		if o.Failure == "" {
			values["state"], values["permille"], values["reached_at_us"] = models.ExportReady, 1000, db.Micros(o.Reached)
			values["file_bytes"], values["digest"], values["file_name"], values["folder"] = o.Bytes, o.Digest, o.File, o.Folder
			values["expires_at_us"] = db.Micros(now.Add(time.Duration(hours) * time.Hour))
			action, after = "export ready", db.JsonText(map[string]any{"rows": o.Rows, "bytes": o.Bytes, "sha256": o.Digest})
		}
		done := tx.Model(&models.Export{}).Where("id = ? AND state IN ?", id, exportsUnderWay()).Updates(values)
		if done.Error != nil {
			return fmt.Errorf("finish export: %w", done.Error)
		}
		if finished = done.RowsAffected == 1; !finished {
			return nil
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: models.System, Action: action, Object: "export", ObjectID: db.Numbered(id), After: after,
		})
	})
	return finished, err
}

// FailAbandonedExports marks exports under way as failed if their holder has sent no heartbeat since before, and returns how
// many.
func (s *Store) FailAbandonedExports(ctx context.Context, before time.Time, why string) (n int, err error) {
	var ids []int64
	err = s.db.Read.WithContext(ctx).Model(&models.Export{}).Where("state IN ? AND seen_at_us < ?", exportsUnderWay(),
		db.Micros(before)).Order("id").Limit(100).Pluck("id", &ids).Error
	if err != nil {
		return 0, fmt.Errorf("look for abandoned exports: %w", err)
	}
	for _, id := range ids {
		failed := false
		err := s.db.Change(ctx, func(tx *gorm.DB) error {
			// Check again: a heartbeat may have come since.
			done := tx.Model(&models.Export{}).Where("id = ? AND state IN ? AND seen_at_us < ?", id, exportsUnderWay(),
				db.Micros(before)).
				Updates(map[string]any{"state": models.ExportFailed, "failure": why, "finished_at_us": db.Micros(s.db.Now())})
			if failed = done.RowsAffected == 1; !failed || done.Error != nil {
				return done.Error
			}
			return s.db.Record(tx, models.AuditEvent{
				Actor: models.System, Action: "export failed", Object: "export", ObjectID: db.Numbered(id),
				After: db.JsonText(map[string]any{"why": why}),
			})
		})
		if err != nil {
			return n, fmt.Errorf("end an abandoned export: %w", err)
		}
		if failed {
			n++
		}
	}
	return n, nil
}

// ExpireExports marks exports whose time is over as expired. The instances that have their files delete them.
func (s *Store) ExpireExports(ctx context.Context) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		return tx.Model(&models.Export{}).Where("state = ? AND expires_at_us <= ?", models.ExportReady, db.Micros(s.db.Now())).
			Update("state", models.ExportExpired).Error
	})
	if err != nil {
		return fmt.Errorf("expire exports: %w", err)
	}
	return nil
}

// DeleteExport deletes an export, or stops it if it is under way, and reports whether there was anything to delete.
func (s *Store) DeleteExport(ctx context.Context, by models.Actor, id int64) (deleted bool, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		var row models.Export
		if err := s.db.Locking(tx).Where("id = ?", id).Take(&row).Error; err != nil {
			return fmt.Errorf("read export: %w", err)
		}
		if deleted = row.State.Under() || row.State == models.ExportReady; !deleted {
			return nil
		}
		if err := tx.Model(&models.Export{}).Where("id = ?", id).
			Updates(map[string]any{"state": models.ExportDeleted, "finished_at_us": db.Micros(s.db.Now())}).Error; err != nil {
			return fmt.Errorf("delete export: %w", err)
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "export deleted", Object: "export", ObjectID: db.Numbered(id),
			Before: db.JsonText(map[string]string{"state": row.State.String()}),
			After:  db.JsonText(map[string]string{"state": models.ExportDeleted.String()}),
		})
	})
	return deleted, err
}

// lockExport locks an export, and returns a models.TamperedError if it does not match the audit log.
func (s *Store) lockExport(tx *gorm.DB, id int64) error {
	_, err := db.Locked[models.Export](s.db, tx, id, gorm.ErrRecordNotFound)
	return err
}

// NoteDownload records that somebody is downloading the file of an export. It is called before the file is sent.
func (s *Store) NoteDownload(ctx context.Context, by models.Actor, e models.Export) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.lockExport(tx, e.ID); err != nil {
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

// Exports lists the exports that f selects, the newest first, and reports whether more follow. A row that does not match the
// audit log is Altered, so that it hides no others.
func (s *Store) Exports(ctx context.Context, f models.ExportSelection) ([]models.Export, bool, error) {
	q := s.db.Along(db.Keyset(s.db.Read.WithContext(ctx), "at_us", "id", f.Page, f.Limit), "exports", "exports_at",
		db.By{Asked: f.StaffID != 0, Index: "exports_staff"})
	if f.StaffID != 0 {
		q = q.Where("staff_id = ?", f.StaffID)
	}
	var rows []models.Export
	if err := q.Find(&rows).Error; err != nil {
		return nil, false, fmt.Errorf("list exports: %w", err)
	}
	list, more := db.InOrder(rows, f.Page, f.Limit)
	ids := make([]int64, len(list))
	for i, e := range list {
		ids[i] = e.ID
	}
	loaded, err := db.LoadMany[models.Export](s.db, s.db.Read.WithContext(ctx), ids)
	if !errors.As(err, new(models.TamperedError)) {
		return loaded, more, err
	}
	for i, e := range list {
		row, found, err := s.Export(ctx, e.ID)
		if err != nil && !errors.As(err, new(models.TamperedError)) {
			return nil, false, err
		}
		if list[i] = row; err != nil || !found {
			list[i] = models.Export{ID: e.ID, At: e.At, Altered: true}
		}
	}
	return list, more, nil
}
