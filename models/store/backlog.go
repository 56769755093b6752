package store

import (
	"context"
	"strings"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Backlog is the work that waits for people, and when the ledger was last verified. Monitoring reads it at intervals.
type Backlog struct {
	Cases         []models.CaseBacklog // of each rule that has open cases
	Corrections   int64                // that wait for a second person
	CorrectionAt  time.Time            // since when the oldest of them has waited; zero if none waits
	UnsignedDays  map[models.Role]int  // of each role that signs days
	UnknownGrants int64                // grants of unknown outcome that wait for a person
	Notices       int64                // to be sent
	FailedNotices int64                // given up
	CheckpointAt  time.Time            // of the newest checkpoint that was delivered; zero if there is none
	VerifiedAt    time.Time            // end of the newest verification that read the whole ledger; zero if there is none
	Faults        int64                // found by that verification
	Leases        []HeldLease
}

// HeldLease says which instance had a lease last, and whether it still has it.
type HeldLease struct {
	Name, Holder string
	Held         bool
}

// maxCounted is the number at which counting a backlog stops, so that even a long one is read quickly.
const maxCounted = 1000

// maxUnsignedDays is the most unsigned days that are counted.
const maxUnsignedDays = 31

// Backlog returns the current backlog, with the holders of the leases that have these names. It costs a dozen short index
// scans.
func (s *Store) Backlog(ctx context.Context, leases []string) (b Backlog, err error) {
	if b.Cases, err = s.CaseBacklogs(ctx); err != nil {
		return b, err
	}
	b.UnsignedDays = map[models.Role]int{}
	for _, role := range models.DaySigners {
		days, err := s.UnsignedDays(ctx, role, maxUnsignedDays)
		if err != nil {
			return b, err
		}
		b.UnsignedDays[role] = len(days)
	}
	if b.UnknownGrants, err = s.CountUnresolvedGrants(ctx); err != nil {
		return b, err
	}
	var oldest, verified int64
	for _, count := range []struct {
		to    *int64
		query string
		args  []any
	}{
		{&b.Corrections, countWaiting("corrections"), []any{models.ApprovalWaiting, maxCounted}},
		{&b.Notices, countWaiting("notices"), []any{models.NoticeWaiting, maxCounted}},
		{&b.FailedNotices, countWaiting("notices"), []any{models.NoticeFailed, maxCounted}},
		{&oldest, "SELECT COALESCE(MIN(at_us), 0) FROM corrections WHERE state = ?", []any{models.ApprovalWaiting}},
		{&verified, "SELECT COALESCE(MAX(id), 0) FROM verifications WHERE state = ?", []any{models.JobFinished}},
	} {
		if err := s.db.Read.WithContext(ctx).Raw(count.query, count.args...).Scan(count.to).Error; err != nil {
			return b, err
		}
	}
	b.CorrectionAt = db.FromMicros(oldest)
	checkpoint, _, err := s.LastCheckpoint(ctx)
	if err != nil {
		return b, err
	}
	run, _, err := s.VerificationRun(ctx, verified)
	if err != nil {
		return b, err
	}
	b.CheckpointAt, b.VerifiedAt, b.Faults = checkpoint.At, run.FinishedAt, run.Faults
	b.Leases, err = s.heldLeases(ctx, leases)
	return b, err
}

// countWaiting returns a query that counts the rows of a table in a state, up to a number.
func countWaiting(table string) string {
	return "SELECT COUNT(*) FROM (SELECT 1 FROM " + table + " WHERE state = ? LIMIT ?) w"
}

func (s *Store) heldLeases(ctx context.Context, names []string) (list []HeldLease, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	rows, err := db.Find[db.Lease](s.db.Read.WithContext(ctx).Where("name IN ? AND holder <> ''", names).Order("name"))
	if err != nil {
		return nil, err
	}
	now := s.db.Now()
	for _, r := range rows {
		holder := r.Holder
		if i := strings.LastIndexByte(holder, '/'); i > 0 { // jobs.Hold appends a part that differs with each run
			holder = holder[:i]
		}
		list = append(list, HeldLease{Name: r.Name, Holder: holder, Held: !r.Until.Before(now)})
	}
	return list, nil
}
