package db

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// A lease says which instance runs a job that only one instance needs to run. It saves work, but nothing depends on it: if
// differing clocks or a pause of the whole program lead to two holders, the job runs twice, which is safe.
//
// The same table has a row for each named lock (LockLease), and for each job that remembers its position (Follower).

// Lease is a row of leases. It is not a type of the domain, because only instances use it.
type Lease struct {
	Name     string `gorm:"primaryKey"`
	Holder   string
	Until    time.Time `gorm:"column:until_us;serializer:micros"`
	Position int64     // of a Follower
}

// Lease takes or renews the lease called name for ttl from now, and reports whether holder has it. It returns false while
// another holder's lease has not expired.
func (s *DB) Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	held := false
	err := s.Change(ctx, func(tx *gorm.DB) error {
		now := s.Now() // not earlier: waiting for the database may take a good part of ttl
		done := tx.Exec("UPDATE leases SET holder = ?, until_us = ? WHERE name = ? AND (holder = ? OR until_us < ?)",
			holder, Micros(now.Add(ttl)), name, holder, Micros(now))
		if held = done.RowsAffected == 1; held || done.Error != nil {
			return done.Error
		}
		err := tx.Create(&Lease{Name: name, Holder: holder, Until: now.Add(ttl)}).Error
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

// LockLease locks the row called name until the transaction ends, and creates the row if it is missing. It also increments a
// counter in the row, because Galera only detects conflicts between rows that two nodes have written.
func (s *DB) LockLease(tx *gorm.DB, name string) error {
	lock := "INSERT INTO leases (name, holder, until_us, position) VALUES (?, '', 0, 0)" + s.Dialect.OnConflict("name") +
		"turns = leases.turns + 1"
	if err := tx.Exec(lock, name).Error; err != nil {
		return fmt.Errorf("lock %s: %w", name, err)
	}
	return nil
}

// Follower is the name of a job that works through events, on one instance or another, and stores its position in the row of
// leases with its name. The job defines what a position is: a time in microseconds, or the number of a row. It is 0 before the
// job has run.
type Follower string

// Position returns the job's position.
func (f Follower) Position(read *gorm.DB) (position int64, err error) {
	if err := read.Raw("SELECT position FROM leases WHERE name = ?", string(f)).Scan(&position).Error; err != nil {
		return 0, fmt.Errorf("read the position of %s: %w", f, err)
	}
	return position, nil
}

// Lock locks the job until the transaction ends, as LockLease does, and returns its position.
func (f Follower) Lock(s *DB, tx *gorm.DB) (position int64, err error) {
	if err := s.LockLease(tx, string(f)); err != nil {
		return 0, err
	}
	return f.Position(tx)
}

// Move stores the job's new position, in a transaction that has locked it.
func (f Follower) Move(tx *gorm.DB, position int64) error {
	if err := tx.Exec("UPDATE leases SET position = ? WHERE name = ?", position, string(f)).Error; err != nil {
		return fmt.Errorf("write the position of %s: %w", f, err)
	}
	return nil
}
