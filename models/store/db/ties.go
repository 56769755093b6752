package db

import (
	"encoding/json"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
)

// Tie keeps that an actor did something to somebody's account. What the system does by itself ties nobody; whoever came by any
// other way than the pages might be anybody.
func (s *DB) Tie(tx *gorm.DB, by models.Actor, on int64, act models.TieAct) error {
	if by.Channel == models.ChannelSystem {
		return nil
	}
	row := models.Tie{StaffID: on, ByID: models.SomebodyAtTheCommandLine, Act: act, At: s.Now()}
	if by.Channel == models.ChannelBrowser {
		var ids []int64
		if err := tx.Raw("SELECT id FROM staff WHERE username = ?", by.Name).Scan(&ids).Error; err != nil {
			return fmt.Errorf("read staff: %w", err)
		}
		if len(ids) == 1 {
			row.ByID = ids[0]
		}
	}
	if row.ByID == on {
		return nil
	}
	if err := tx.Create(&row).Error; err != nil {
		return fmt.Errorf("write tie: %w", err)
	}
	return nil
}

// RenewTie starts the period of whoever made somebody's latest link again, now that it is used: a link may be valid for as long
// as the period lasts, and its maker might be the one who uses it.
func (s *DB) RenewTie(tx *gorm.DB, staffID int64) error {
	q := tx.Select("staff_id, by_id, act").Where("staff_id = ? AND act = ?", staffID, models.TieReset).Order("id DESC")
	row, found, err := One[models.Tie](q, "read tie")
	if err != nil || !found {
		return err
	}
	row.At = s.Now()
	if err := tx.Create(&row).Error; err != nil {
		return fmt.Errorf("write tie: %w", err)
	}
	return nil
}

// ProvenTies is ReadTies for a decision: every account is first compared with the audit log, since a tie that was deleted
// leaves no row to look at. It returns a models.TamperedError.
func (s *DB) ProvenTies(tx *gorm.DB) (models.Ties, error) {
	var ids []string
	if err := tx.Raw("SELECT id FROM staff").Scan(&ids).Error; err != nil {
		return nil, fmt.Errorf("read staff: %w", err)
	}
	for chunk := range slices.Chunk(ids, StatesAtOnce) {
		if err := s.CheckMany(tx, "staff", chunk); err != nil {
			return nil, err
		}
	}
	return s.ReadTies(tx)
}

// ReadTies returns the ties between members of staff that keep one from approving the other's requests.
func (s *DB) ReadTies(tx *gorm.DB) (models.Ties, error) {
	rules, err := s.ReadTwoPeople(tx)
	if err != nil {
		return nil, err
	}
	var ties models.Ties
	err = tx.Raw(`SELECT t.*, COALESCE(a.name, 'somebody') AS staff, COALESCE(b.name, 'somebody') AS by_name FROM staff_ties t
		LEFT JOIN staff a ON a.id = t.staff_id LEFT JOIN staff b ON b.id = t.by_id WHERE t.at_us > ? ORDER BY t.at_us DESC,
		t.id DESC`,
		Micros(s.Now().Add(-rules.Period()))).Scan(&ties).Error
	if err != nil {
		return nil, fmt.Errorf("read ties: %w", err)
	}
	for i := range ties {
		ties[i].Until = ties[i].At.Add(rules.Period())
	}
	return ties, nil
}

// ReadTwoPeople returns the settings of what takes two people, or their defaults.
func (s *DB) ReadTwoPeople(tx *gorm.DB) (models.TwoPeople, error) {
	rules := models.DefaultTwoPeople
	value, found, err := s.ReadSetting(tx, string(models.ChangeTwoPeople))
	if err != nil || !found {
		return rules, err
	}
	if err := json.Unmarshal([]byte(value), &rules); err != nil {
		return rules, fmt.Errorf("read setting %s: %w", models.ChangeTwoPeople, err)
	}
	return rules, nil
}
