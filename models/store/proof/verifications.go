package proof

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// RequestVerification requests a verification and returns its number. If another one has not ended yet, it returns that one's
// number and models.ErrVerificationUnderWay.
func (s *Store) RequestVerification(ctx context.Context, by models.Actor) (id int64, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.db.LockLease(tx, "ask for a verification"); err != nil {
			return err
		}
		open, err := db.Find[int64](tx.Model(&models.VerificationRun{}).Where("state IN ?", models.OpenJobStates).Limit(1).
			Select("id"))
		if err != nil {
			return err
		}
		if len(open) > 0 {
			id = open[0]
			return models.ErrVerificationUnderWay
		}
		row := models.VerificationRun{Job: models.Job{At: s.db.Now(), Actor: by.Name, State: models.JobWaiting}}
		err = db.Create(s.db, tx, &row, models.AuditEvent{Actor: by, Action: "verification requested"})
		id = row.ID
		return err
	})
	if err != nil && !errors.Is(err, models.ErrVerificationUnderWay) {
		return 0, err
	}
	return id, err
}

// VerificationDue reports whether the last request for a verification of the whole ledger, or else the beginning of the ledger,
// is longer ago than every.
func (s *Store) VerificationDue(ctx context.Context, every time.Duration) (bool, error) {
	last, err := db.Need[int64](s.db.Read.WithContext(ctx).Raw("SELECT COALESCE((SELECT at_us FROM verifications WHERE "+db.WholeRun+
		" OR state <> ? ORDER BY id DESC LIMIT 1), (SELECT begun_at_us FROM ledgers WHERE id = 1))", models.JobFinished),
		errors.New("the ledger has not begun"))
	return s.db.Now().Sub(db.FromMicros(last)).Abs() >= every, err
}

// ExpectedLines returns about how many entries a verification will read.
func (s *Store) ExpectedLines(ctx context.Context) (expected int64, err error) {
	return db.Value[int64](s.db.Read.WithContext(ctx), "SELECT COALESCE(SUM(seq + spin_seq), 0) FROM wallets")
}

// NoteVerification stores how many entries have been read, of how many.
func (s *Store) NoteVerification(ctx context.Context, id, read, expected int64) error {
	_, err := s.db.NoteJob(ctx, models.VerificationJobs, id, map[string]any{"lines_read": read, "lines_expected": expected})
	return err
}

// EndVerification stores the result of a verification or, if failed is not nil, why it could not be done.
func (s *Store) EndVerification(ctx context.Context, id int64, v models.Verification, failed error) error {
	var row models.VerificationRun
	row.End(s.db.Now(), v, failed)
	values := map[string]any{"state": row.State, "faults": row.Faults, "failure": row.Failure}
	e := models.AuditEvent{Actor: models.System, Action: "verification failed", Object: "verification",
		ObjectID: db.Numbered(id), After: db.JsonText(map[string]any{"error": row.Failure})}
	if failed == nil {
		values["lines_read"], values["report"] = row.Read, db.JsonText(row.Report)
		e.Action, e.After = "verification ended", db.JsonText(map[string]any{"faults": row.Faults})
	}
	_, err := s.db.EndJob(ctx, models.VerificationJobs, id, values, e)
	return err
}

// RecordVerification stores a verification done on the command line.
func (s *Store) RecordVerification(ctx context.Context, by models.Actor, started time.Time, v models.Verification) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		row := models.VerificationRun{Job: models.Job{At: started, StartedAt: started, Actor: by.Name},
			Expected: v.Entries + v.SpinEntries}
		row.End(s.db.Now(), v, nil)
		return db.Create(s.db, tx, &row, models.AuditEvent{Actor: by, Action: "ledger verified",
			After: db.JsonText(map[string]any{"faults": row.Faults})})
	})
}

// VerificationRuns returns a page of the verifications, newest first.
func (s *Store) VerificationRuns(ctx context.Context, span models.Span) (models.Page[models.VerificationRun], error) {
	list := db.List{Table: "verifications", ID: "id", Span: span}
	return db.FindPage[models.VerificationRun](s.db, s.db.Read.WithContext(ctx), list)
}

// VerificationRun returns the verification with this number, or false if there is none.
func (s *Store) VerificationRun(ctx context.Context, id int64) (models.VerificationRun, bool, error) {
	return db.One[models.VerificationRun](s.db.Read.WithContext(ctx).Where("id = ?", id))
}
