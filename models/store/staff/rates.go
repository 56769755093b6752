package staff

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// The inputs of reports: the base currency, its rates, and the theoretical returns of games; and the thresholds that open
// cases.

// changedRates are rates of some days. Nothing is stored but the request: Rates reads it.
var changedRates = changeSubject{
	// The base currency at the time of the request is its value before, so a request is overtaken if it changes.
	current: func(s *Store, tx *gorm.DB, _ string) (string, error) {
		base, err := s.baseCurrency(tx)
		return string(base), err
	},
	check: func(value string) error {
		sheet, err := rateSheet(value)
		if err != nil {
			return err
		}
		return sheet.Check()
	},
	apply: func(*Store, *gorm.DB, models.Actor, *models.ChangeRequest) error { return nil },
	// The rates of different days can wait at the same time.
	about: func(value string) int64 {
		sheet, err := rateSheet(value)
		if err != nil || sheet.Check() != nil {
			return 0
		}
		return sheet.First().Begin(time.UTC).Unix()
	},
}

func rateSheet(value string) (sheet models.RateSheet, err error) {
	err = json.Unmarshal([]byte(value), &sheet)
	return sheet, err
}

// firstRate returns the first day of a request for exchange rates, by which Rates finds it.
func firstRate(subject models.ChangeSubject, value string) models.Day {
	if sheet, err := rateSheet(value); subject == models.ChangeRates && err == nil {
		return sheet.First()
	}
	return ""
}

// Rates returns the base currency, and the confirmed rates from one day to another.
func (s *Store) Rates(ctx context.Context, from, to models.Day) (rates models.Rates, err error) {
	read := s.db.Read.WithContext(ctx)
	if rates.Base, err = s.baseCurrency(read); err != nil || rates.Base == "" {
		return rates, err
	}
	ids, err := db.Find[int64](read.Model(&models.ChangeRequest{}).Where("subject = ? AND day > ? AND day <= ? AND state = ?",
		models.ChangeRates, from.Add(-models.MaxRateDays), to, models.ApprovalApproved).Order("decided_at_us, id").Select("id"))
	if err != nil {
		return rates, err
	}
	// Only rates covered by the audit log are used: nobody can add one directly in the database.
	requests, err := db.LoadMany[models.ChangeRequest](s.db, read, ids)
	if err != nil {
		return rates, err
	}
	for _, r := range requests {
		sheet, err := rateSheet(r.After)
		if err != nil {
			return rates, fmt.Errorf("read the exchange rates of change request %d: %w", r.ID, err)
		}
		if sheet.Base != rates.Base || r.State != models.ApprovalApproved {
			continue // they are of an earlier base currency
		}
		for _, rate := range sheet.Rates {
			if rate.Day >= from && rate.Day <= to {
				rates.Add(rate, r.ID)
			}
		}
	}
	return rates, nil
}

func (s *Store) baseCurrency(tx *gorm.DB) (models.Currency, error) {
	return db.SettingOf(s.db, tx, string(models.ChangeBaseCurrency), models.Currency(""))
}

// GameReturns returns the theoretical returns of games.
func (s *Store) GameReturns(ctx context.Context) (models.GameReturns, error) {
	return db.SettingOf(s.db, s.db.Read.WithContext(ctx), string(models.ChangeGameReturns), models.GameReturns{})
}

// Thresholds returns the thresholds that open cases.
func (s *Store) Thresholds(ctx context.Context) (models.Thresholds, error) {
	return db.SettingOf(s.db, s.db.Read.WithContext(ctx), string(models.ChangeThresholds), models.Thresholds{})
}
