package db

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// A lease says which instance does a job of which there is one. It saves work, and nothing rests on it: two holders at once, by
// clocks that are apart or a pause of the whole program, do twice what is safe to do twice.
//
// The same table has a row for each lock by name (LockLease), and for each job that remembers how far it has come (Follower).

// Lease is a row of leases. No type of the domain is one: what a lease is for is nobody's business but the instances'.
type Lease struct {
	Name     string `gorm:"primaryKey"`
	Holder   string
	Until    time.Time `gorm:"column:until_us;serializer:micros"`
	Position int64     // of a Follower
}

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

// LockLease locks the row of a name for the transaction, made where it is missing: whoever else locks it waits. It counts a
// turn in the row, since Galera compares what transactions of two nodes have written.
func (s *DB) LockLease(tx *gorm.DB, name string) error {
	lock := "INSERT INTO leases (name, holder, until_us, position) VALUES (?, '', 0, 0)" + s.Dialect.OnConflict("name") +
		"turns = leases.turns + 1"
	if err := tx.Exec(lock, name).Error; err != nil {
		return fmt.Errorf("lock %s: %w", name, err)
	}
	return nil
}

// Follower is a job that goes through what happens, on one instance or another, and remembers how far it has come: its position
// is in the row of leases with its name. What a position counts is the job's own affair: a time in microseconds, or the number
// of a row. It is 0 before the job has run.
type Follower string

// Position returns how far the job has come.
func (f Follower) Position(read *gorm.DB) (position int64, err error) {
	if err := read.Raw("SELECT position FROM leases WHERE name = ?", string(f)).Scan(&position).Error; err != nil {
		return 0, fmt.Errorf("read how far %s have come: %w", f, err)
	}
	return position, nil
}

// Lock locks the job for the transaction, as LockLease does, and returns how far it has come.
func (f Follower) Lock(s *DB, tx *gorm.DB) (position int64, err error) {
	if err := s.LockLease(tx, string(f)); err != nil {
		return 0, err
	}
	return f.Position(tx)
}

// Move writes how far the job has come, in a transaction that has locked it.
func (f Follower) Move(tx *gorm.DB, position int64) error {
	if err := tx.Exec("UPDATE leases SET position = ? WHERE name = ?", position, string(f)).Error; err != nil {
		return fmt.Errorf("write how far %s have come: %w", f, err)
	}
	return nil
}
