package spins

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// campaignDraft is a row of campaign_drafts. The draft itself is a file in file_chunks, as JSON.
type campaignDraft struct {
	ID      string `gorm:"primaryKey"`
	StaffID int64
	At      time.Time `gorm:"column:at_us;serializer:micros"`
}

// AddCampaignDraft stores a new draft and returns its ID.
func (s *Store) AddCampaignDraft(ctx context.Context, draft models.CampaignDraft) (id string, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.deleteOldDrafts(tx, draft.StaffID); err != nil {
			return err
		}
		draft.ID = rand.Text()
		if err := tx.Create(&campaignDraft{draft.ID, draft.StaffID, s.db.Now()}).Error; err != nil {
			return err
		}
		file := &db.FileWriter{ID: draft.ID, Change: func(fn func(tx *gorm.DB) error) error { return fn(tx) }}
		if err := json.NewEncoder(file).Encode(draft); err != nil {
			return err
		}
		return file.Close()
	})
	if err != nil {
		return "", fmt.Errorf("store a draft: %w", err)
	}
	return draft.ID, nil
}

// CampaignDraft returns a staff member's draft, or models.ErrDraftGone.
func (s *Store) CampaignDraft(ctx context.Context, staffID int64, id string) (models.CampaignDraft, error) {
	draft := models.CampaignDraft{ID: id, StaffID: staffID}
	_, err := db.Need[campaignDraft](s.db.Write.WithContext(ctx).Where("id = ? AND staff_id = ? AND at_us >= ?", db.Ascii(id), staffID,
		db.Micros(s.db.Now().Add(-models.CampaignDraftLasts))), models.ErrDraftGone, "find a draft")
	if err != nil {
		return draft, err
	}
	file := io.NewSectionReader(&db.FileReader{Tx: s.db.Write.WithContext(ctx), ID: id}, 0, math.MaxInt64)
	if err := json.NewDecoder(file).Decode(&draft); err != nil {
		return draft, fmt.Errorf("read a draft: %w", err)
	}
	return draft, nil
}

// deleteOldDrafts deletes expired sheets, and the oldest ones of a staff member who is about to add one.
func (s *Store) deleteOldDrafts(tx *gorm.DB, staffID int64) error {
	var old, own []string
	err := tx.Model(&campaignDraft{}).Where("at_us < ?", db.Micros(s.db.Now().Add(-models.CampaignDraftLasts))).
		Pluck("id", &old).Error
	if err != nil {
		return err
	}
	err = tx.Model(&campaignDraft{}).Where("staff_id = ?", staffID).Order("at_us DESC, id").Pluck("id", &own).Error
	if err != nil {
		return err
	}
	old = append(old, own[min(len(own), models.MaxCampaignDraftsOf-1):]...)
	if len(old) == 0 {
		return nil
	}
	if err := tx.Where("id IN ?", old).Delete(&campaignDraft{}).Error; err != nil {
		return err
	}
	return db.DeleteFiles(tx, old...)
}
