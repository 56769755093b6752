package db

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// A lease says which instance does a job of which there is one. It saves work, and nothing rests on it: two holders at once, by
// clocks that are apart or a pause of the whole program, do twice what is safe to do twice.

// LeaseRow is a row of leases.
type LeaseRow struct {
	Name     string `gorm:"primaryKey"`
	Holder   string
	UntilUs  int64
	Position int64
}

// TableName names the table.
func (LeaseRow) TableName() string { return "leases" }

// Lease takes the lease called name for ttl from now, or prolongs it, and reports whether holder has it. While somebody else's
// has not run out it is false.
func (s *DB) Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	held := false
	err := s.Change(ctx, func(tx *gorm.DB) error {
		now := s.Now() // not earlier: waiting for the database may take a good part of ttl
		done := tx.Exec("UPDATE leases SET holder = ?, until_us = ? WHERE name = ? AND (holder = ? OR until_us < ?)",
			holder, Micros(now.Add(ttl)), name, holder, Micros(now))
		if held = done.RowsAffected == 1; held || done.Error != nil {
			return done.Error
		}
		err := tx.Create(&LeaseRow{Name: name, Holder: holder, UntilUs: Micros(now.Add(ttl))}).Error
		if held = err == nil; IsDuplicate(err) {
			return nil
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("take lease %s: %w", name, err)
	}
	return held, nil
}

// EndLease gives a lease back, if holder has it.
func (s *DB) EndLease(ctx context.Context, name, holder string) error {
	err := s.Change(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE leases SET until_us = 0 WHERE name = ? AND holder = ?", name, holder).Error
	})
	if err != nil {
		return fmt.Errorf("end lease %s: %w", name, err)
	}
	return nil
}

// LockLease locks the row of a name for the transaction, made where it is missing, and returns how far its job has come. It
// counts a turn in the row, since Galera compares what transactions of two nodes have written.
func (s *DB) LockLease(tx *gorm.DB, name string) (position int64, err error) {
	lock := "INSERT INTO leases (name, holder, until_us, position) VALUES (?, '', 0, 0)" + s.Dialect.OnConflict("name") +
		"turns = leases.turns + 1"
	if err := tx.Exec(lock, name).Error; err != nil {
		return 0, fmt.Errorf("lock %s: %w", name, err)
	}
	err = tx.Raw("SELECT position FROM leases WHERE name = ?"+s.Dialect.ForUpdate(), name).Scan(&position).Error
	return position, err
}
