package books

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// checkMinutes compares the sums of minutes with the ledger. It skips the last
// hours, which FollowMoney may still recalculate, and all hours up to that of the latest line that a purge has archived.
func (s *Store) checkMinutes(read *gorm.DB, c *models.DaysCheck) error {
	place, err := moneyFollower.Position(s.db, read)
	if err != nil {
		return err
	}
	var purged int64
	if err := read.Raw("SELECT COALESCE(MAX(at_us), 0) FROM ledger_beginnings").Scan(&purged).Error; err != nil {
		return fmt.Errorf("read how far the ledger is purged: %w", err)
	}
	var from time.Time
	if purged > 0 {
		from = db.FromMicros(purged).Truncate(moneyChunk).Add(moneyChunk)
	}
	if place == 0 {
		return nil
	}
	for until := db.FromMicros(place).Add(-MoneyLateness - moneySecondLook).Truncate(moneyChunk); ; {
		var next *int64
		err := read.Raw(`SELECT MIN(us) FROM (SELECT MIN(at_us) AS us FROM postings WHERE at_us >= ?
			UNION ALL SELECT MIN(at_us) FROM spin_entries WHERE at_us >= ?
			UNION ALL SELECT MIN(minute_us) FROM money_minutes WHERE minute_us >= ?) f`,
			db.Micros(from), db.Micros(from), db.Micros(from)).Scan(&next).Error
		if err != nil {
			return fmt.Errorf("look for the next minute: %w", err)
		}
		if next == nil || !db.FromMicros(*next).Before(until) {
			return nil
		}
		from = time.UnixMicro(*next).UTC().Truncate(moneyChunk)
		to := from.Add(moneyChunk)
		if err := s.checkHour(read, c, from, to); err != nil {
			return err
		}
		from = to
	}
}

// checkHour compares one hour's minutes with the ledger.
func (s *Store) checkHour(read *gorm.DB, c *models.DaysCheck, from, to time.Time) error {
	minutes, err := s.sumMinutes(read, from, to)
	if err != nil {
		return err
	}
	var known []moneyMinute
	if err := read.Where("minute_us >= ? AND minute_us < ?", db.Micros(from), db.Micros(to)).Find(&known).Error; err != nil {
		return fmt.Errorf("read minutes: %w", err)
	}
	at := func(us int64) string { return db.FromMicros(us).Format("2006-01-02 15:04") }
	for _, row := range known {
		c.Minutes++
		fresh := minutes[row.key()]
		delete(minutes, row.key())
		if fresh == nil || *fresh != row {
			c.Add("the minute %s in %s is not the sum of its lines", at(row.MinuteUs), row.Currency)
		}
	}
	for k := range minutes {
		c.Add("the minute %s in %s is missing", at(k.minuteUs), k.currency)
	}
	return nil
}
