package db

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// A lease says which instance runs a job that only one instance needs to run. It saves work, but nothing depends on it: if
// differing clocks or a pause of the whole program lead to two holders, the job runs twice, which is safe.
//
// The same table has a row for each named lock (LockLease), and for each job that remembers its position (Follower).

// Lease is a row of leases. It is not a type of the domain, because only instances use it.
type Lease struct {
	Name     string `gorm:"primaryKey"`
	Holder   string
	Until    time.Time   `gorm:"column:until_us;serializer:micros"`
	Position int64       // of a Follower
	MAC      models.Hash // proves that the program has stored the position
}

// leaseSkew is how much longer than its ttl a lease of another instance may seem to last, because clocks differ.
const leaseSkew = time.Minute

// Lease takes or renews the lease called name for ttl from now, and reports whether holder has it. It returns false while
// another holder's lease has not expired. A lease that lasts longer than any instance takes one was written into the database
// by somebody else, so that the job would never run: it does not count.
func (s *DB) Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	held := false
	err := s.Change(ctx, func(tx *gorm.DB) error {
		now := s.Now() // not earlier: waiting for the database may take a good part of ttl
		done := tx.Exec("UPDATE leases SET holder = ?, until_us = ? WHERE name = ? AND (holder = ? OR until_us < ? OR until_us > ?)",
			holder, Micros(now.Add(ttl)), name, holder, Micros(now), Micros(now.Add(ttl+leaseSkew)))
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
// job has run, and the job then starts from the beginning.
//
// A keyed code proves that the program has stored the position. Otherwise somebody could move a job past what it must find.
type Follower string

// Position returns the job's position. One that was changed in the database counts as 0.
func (f Follower) Position(s *DB, read *gorm.DB) (int64, error) {
	row, _, err := One[Lease](read.Where("name = ?", string(f)))
	if err != nil {
		return 0, err
	}
	if row.Position != 0 && row.MAC != s.Chain.Position(string(f), row.Position) {
		s.Log.Error("The position of a job was changed in the database, not by Pitboss. The job starts from the beginning.",
			"job", string(f), "position", row.Position)
		return 0, nil
	}
	return row.Position, nil
}

// Lock locks the job until the transaction ends, as LockLease does, and returns its position.
func (f Follower) Lock(s *DB, tx *gorm.DB) (position int64, err error) {
	if err := s.LockLease(tx, string(f)); err != nil {
		return 0, err
	}
	return f.Position(s, tx)
}

// Move stores the job's new position.
func (f Follower) Move(s *DB, tx *gorm.DB, position int64) error {
	mac := s.Chain.Position(string(f), position)
	err := tx.Exec("INSERT INTO leases (name, holder, until_us, position, mac) VALUES (?, '', 0, ?, ?)"+
		s.Dialect.OnConflict("name")+s.Dialect.Incoming("position")+", "+s.Dialect.Incoming("mac"), string(f), position, mac[:]).Error
	if err != nil {
		return fmt.Errorf("write the position of %s: %w", f, err)
	}
	return nil
}

// WatcherFaults returns changes in the database that would stop jobs or hide what others did from administrators: positions
// that the program has not stored, leases that last longer than any instance takes one, and alerts marked as seen in the
// future.
func (s *DB) WatcherFaults(tx *gorm.DB) (faults []string, err error) {
	var leases []Lease
	if err := tx.Order("name").Find(&leases).Error; err != nil {
		return nil, err
	}
	for _, l := range leases {
		if l.Position != 0 && l.MAC != s.Chain.Position(l.Name, l.Position) {
			faults = append(faults, fmt.Sprintf("the position of the job %s was changed in the database", l.Name))
		}
		if l.Until.After(s.Now().Add(longestLease)) {
			faults = append(faults, fmt.Sprintf("the lease %s is taken until %s, which is longer than any instance takes one: the "+
				"database's clock was ahead, or somebody changed the row", l.Name, l.Until.Format("2006-01-02 15:04:05 UTC")))
		}
	}
	return faults, nil
}

// longestLease is longer than any lease lasts.
const longestLease = 10 * time.Minute
