package spins

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// grantSheet is a row of grant_sheets. The sheet itself is a file in file_chunks, as JSON.
type grantSheet struct {
	ID        string `gorm:"primaryKey"`
	StaffID   int64
	RestOf    int64
	ImportID  int64
	ChangedAt time.Time `gorm:"column:changed_at_us;serializer:micros"`
}

// AddGrantSheet stores a new sheet and returns its ID.
func (s *Store) AddGrantSheet(ctx context.Context, sheet models.GrantSheet) (id string, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.deleteOldSheets(tx, sheet.StaffID); err != nil {
			return err
		}
		sheet.ID = rand.Text()
		return s.writeSheet(tx, sheet)
	})
	if err != nil {
		return "", fmt.Errorf("store a sheet: %w", err)
	}
	return sheet.ID, nil
}

// GrantSheet returns a staff member's sheet, or models.ErrSheetGone.
func (s *Store) GrantSheet(ctx context.Context, staffID int64, id string) (models.GrantSheet, error) {
	var sheet models.GrantSheet
	// One transaction, so that the chunks are those of one version.
	err := s.db.Write.WithContext(ctx).Transaction(func(tx *gorm.DB) (err error) {
		sheet, err = s.readSheet(tx, tx, staffID, id)
		return err
	})
	return sheet, err
}

// GrantSheetOfRest returns a staff member's sheet of the lines that an import left out, or false if there is none or it was
// imported.
func (s *Store) GrantSheetOfRest(ctx context.Context, staffID, importID int64) (models.GrantSheet, bool, error) {
	var ids []string
	err := s.db.Write.WithContext(ctx).Model(&grantSheet{}).
		Where("staff_id = ? AND rest_of = ? AND import_id = 0", staffID, importID).Limit(1).Pluck("id", &ids).Error
	if err != nil || len(ids) == 0 {
		return models.GrantSheet{}, false, err
	}
	sheet, err := s.GrantSheet(ctx, staffID, ids[0])
	if errors.Is(err, models.ErrSheetGone) {
		return sheet, false, nil
	}
	return sheet, err == nil, err
}

// ChangeGrantSheet changes a staff member's sheet. change may run more than once, each time with the sheet as it is stored.
func (s *Store) ChangeGrantSheet(ctx context.Context, staffID int64, id string, change func(*models.GrantSheet)) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		sheet, err := s.readSheet(tx, s.db.Locking(tx), staffID, id)
		if err != nil {
			return err
		}
		change(&sheet)
		return s.writeSheet(tx, sheet)
	})
}

func (s *Store) readSheet(tx, row *gorm.DB, staffID int64, id string) (models.GrantSheet, error) {
	sheet := models.GrantSheet{ID: id, StaffID: staffID}
	var rows []grantSheet
	err := row.Where("id = ? AND staff_id = ? AND changed_at_us >= ?", db.Ascii(id), staffID,
		db.Micros(s.db.Now().Add(-models.GrantSheetLasts))).Find(&rows).Error
	if err != nil {
		return sheet, fmt.Errorf("find a sheet: %w", err)
	}
	if len(rows) == 0 {
		return sheet, models.ErrSheetGone
	}
	file := io.NewSectionReader(&db.FileReader{Tx: tx, ID: id}, 0, math.MaxInt64)
	if err := json.NewDecoder(file).Decode(&sheet); err != nil {
		return sheet, fmt.Errorf("read a sheet: %w", err)
	}
	return sheet, nil
}

// writeSheet replaces a sheet.
func (s *Store) writeSheet(tx *gorm.DB, sheet models.GrantSheet) error {
	err := tx.Save(&grantSheet{sheet.ID, sheet.StaffID, sheet.RestOf, sheet.ImportID, s.db.Now()}).Error
	if err == nil {
		err = db.DeleteFiles(tx, sheet.ID)
	}
	if err != nil {
		return err
	}
	file := &db.FileWriter{ID: sheet.ID, Change: func(fn func(tx *gorm.DB) error) error { return fn(tx) }}
	if err := json.NewEncoder(file).Encode(sheet); err != nil {
		return err
	}
	return file.Close()
}

// deleteOldSheets deletes expired sheets, and the oldest ones of a staff member who is about to add one.
func (s *Store) deleteOldSheets(tx *gorm.DB, staffID int64) error {
	var old, own []string
	err := tx.Model(&grantSheet{}).Where("changed_at_us < ?", db.Micros(s.db.Now().Add(-models.GrantSheetLasts))).
		Pluck("id", &old).Error
	if err != nil {
		return err
	}
	err = tx.Model(&grantSheet{}).Where("staff_id = ?", staffID).Order("changed_at_us DESC, id").Pluck("id", &own).Error
	if err != nil {
		return err
	}
	old = append(old, own[min(len(own), models.MaxGrantSheetsOf-1):]...)
	if len(old) == 0 {
		return nil
	}
	if err := tx.Where("id IN ?", old).Delete(&grantSheet{}).Error; err != nil {
		return err
	}
	return db.DeleteFiles(tx, old...)
}
