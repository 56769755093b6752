package statements

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

func headerDigest(header []string) string {
	sum := sha256.Sum256([]byte(db.JsonText(header)))
	return hex.EncodeToString(sum[:])
}

// OpenStatement returns the file of a statement, or models.ErrStatementGone if it was deleted.
func (s *Store) OpenStatement(ctx context.Context, st models.Statement) (*io.SectionReader, error) {
	if !st.Kept() {
		return nil, models.ErrStatementGone
	}
	return s.db.OpenFile(ctx, st.File, st.Bytes), nil
}

// CreateStatement stores a statement whose file was uploaded, and returns it with its number, or models.ErrStatementsFull.
func (s *Store) CreateStatement(ctx context.Context, by models.Actor, st models.Statement) (models.Statement, error) {
	var row models.Statement
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		kept, err := db.Value[int64](tx, "SELECT COALESCE(SUM(file_bytes), 0) FROM statements WHERE file_id <> ''")
		if err != nil {
			return err
		}
		if kept+st.Bytes > models.MaxStatementBytes {
			return models.ErrStatementsFull
		}
		row = st
		row.ID, row.At, row.Actor, row.HeaderDigest = 0, s.db.Now(), by.Name, headerDigest(st.Header)
		if row.Header == nil {
			row.Header = []string{} // GORM would store none as NULL
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "statement uploaded", Object: "statement", ObjectID: db.Numbered(row.ID),
			After: db.JsonText(map[string]any{"file": st.FileName, "bytes": st.Bytes, "sha256": st.Digest, "client": st.ClientID}),
		})
	})
	return row, err
}

// LayoutOf returns the layout of the newest other statement of the same side whose file had exactly the same header, or false
// if there is none. So the columns have to be named only once.
func (s *Store) LayoutOf(ctx context.Context, like models.Statement) (models.StatementLayout, bool, error) {
	st, found, err := db.One[models.Statement](s.db.Read.WithContext(ctx).Order("at_us DESC, id DESC").
		Where("header_digest = ? AND since_us > 0 AND client_id = ?", headerDigest(like.Header), like.ClientID))
	return st.Layout, found, err
}

// Statement returns the statement with this number and its newest run, or false if there is none.
func (s *Store) Statement(ctx context.Context, id int64) (models.Statement, bool, error) {
	return db.First(s.statements(ctx, s.db.Read.WithContext(ctx).Where("id = ?", id)))
}

// Statements returns a page of the statements that f selects, newest first, each with its newest run.
func (s *Store) Statements(ctx context.Context, f models.StatementFilter) (models.Page[models.Statement], error) {
	l := db.List{Table: "statements", Index: "statements_at", At: "at_us", ID: "id", Span: f.Span, Filters: []db.Filter{db.If(!f.To.IsZero(),
		"", "client_id = ? AND since_us < ? AND until_us > ?", f.ClientID, db.Micros(f.To), db.Micros(f.From))}}
	list, err := s.statements(ctx, s.db.List(s.db.Read.WithContext(ctx), &l))
	return db.PageOf(list, l), err
}

func (s *Store) statements(ctx context.Context, q *gorm.DB) ([]models.Statement, error) {
	var list []models.Statement
	q = q.Select("statements.*, COALESCE((SELECT name FROM api_clients c WHERE c.id = client_id), '') AS client")
	if err := q.Find(&list).Error; err != nil {
		return nil, err
	}
	at, ids := map[int64]int{}, []int64{0}
	for i, st := range list {
		at[st.ID], ids = i, append(ids, st.ID)
	}
	var runs []models.StatementRun
	var newest []int64 // read first: with a subquery, MariaDB reads all runs
	read := s.db.Read.WithContext(ctx)
	err := read.Raw("SELECT MAX(id) FROM statement_runs WHERE statement_id IN ? GROUP BY statement_id", ids).Scan(&newest).Error
	if err == nil {
		err = read.Where("id IN ?", newest).Find(&runs).Error
	}
	if err != nil {
		return nil, err
	}
	if err := s.countOpen(ctx, runs); err != nil {
		return nil, err
	}
	for _, r := range runs {
		list[at[r.StatementID]].Run = r
	}
	return list, nil
}

// maxOpen is up to how many open cases of differences countOpen counts.
const maxOpen = 1000

// countOpen counts the differences of runs that still have open cases. It begins with the open cases, which are few if people
// work on them: a run may have millions of differences.
func (s *Store) countOpen(ctx context.Context, runs []models.StatementRun) error {
	at, ids := map[int64]int{}, []int64{}
	for i, r := range runs {
		if runs[i].Open = r.Differences; r.Cases && r.Differences > 0 {
			at[r.ID], ids = i, append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	read := s.db.Read.WithContext(ctx)
	open, err := db.Find[int64](s.db.Filtered(read, db.List{Table: "cases", Index: "cases_rule"}).
		Where("rule = ? AND state = ?", models.CaseStatement, models.CaseOpen).Limit(maxOpen + 1).Select("id"))
	if err != nil {
		return err
	}
	if len(open) > maxOpen {
		return nil
	}
	for _, i := range at {
		runs[i].Open = 0
	}
	if len(open) == 0 {
		return nil
	}
	var counts []struct{ RunID, N int64 }
	err = read.Raw(`SELECT d.run_id, COUNT(*) AS n FROM cases c JOIN statement_differences d
		ON d.transaction_id = c.transaction_id AND d.case_id = c.id WHERE c.id IN ? AND d.run_id IN ? GROUP BY d.run_id`, open,
		ids).Scan(&counts).Error
	if err != nil {
		return err
	}
	for _, c := range counts {
		runs[at[c.RunID]].Open = c.N
	}
	return nil
}

// StatementRuns lists the runs of a statement, the newest first, up to limit.
func (s *Store) StatementRuns(ctx context.Context, statementID int64, limit int) ([]models.StatementRun, error) {
	return s.runs(s.db.Read.WithContext(ctx).Where("statement_id = ?", statementID).Order("id DESC").Limit(limit))
}

// StatementRun returns the run with this number, or false if there is none.
func (s *Store) StatementRun(ctx context.Context, id int64) (models.StatementRun, bool, error) {
	return db.First(s.runs(s.db.Read.WithContext(ctx).Where("id = ?", id)))
}

func (s *Store) runs(q *gorm.DB) ([]models.StatementRun, error) {
	list, err := db.Find[models.StatementRun](q)
	if err != nil {
		return nil, err
	}
	return list, s.countOpen(q.Statement.Context, list)
}

// BeginStatementRun starts a comparison of a statement, and stores the layout and period in st with it. It returns
// models.ErrRunUnderWay if another comparison is running, or ErrStatementUnknown.
func (s *Store) BeginStatementRun(ctx context.Context, by models.Actor, st models.Statement) (models.StatementRun, error) {
	var run models.StatementRun
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		row, err := db.Need[models.Statement](s.db.Locking(tx).Where("id = ?", st.ID), models.ErrStatementUnknown)
		if err != nil {
			return err
		}
		var under int64
		err = tx.Model(&models.StatementRun{}).Where("statement_id = ? AND state IN ?", st.ID, models.OpenJobStates).Count(&under).Error
		if err != nil {
			return err
		}
		if under > 0 {
			return models.ErrRunUnderWay
		}
		row.Layout, row.Since, row.Until, row.Margin = st.Layout, st.Since, st.Until, st.Margin
		if err := tx.Save(&row).Error; err != nil {
			return err
		}
		run = models.StatementRun{
			Job: models.Job{At: s.db.Now(), Actor: by.Name, State: models.JobWaiting}, StatementID: st.ID,
			Sums: []models.StatementSum{}, Bad: []models.BadLine{},
		}
		if err := tx.Create(&run).Error; err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "statement compared", Object: "statement", ObjectID: db.Numbered(st.ID),
			After: db.JsonText(map[string]any{
				"run": run.ID, "file": row.FileName, "sha256": row.Digest, "since": st.Since.UTC().Format(time.RFC3339),
				"until": st.Until.UTC().Format(time.RFC3339), "margin_minutes": st.Margin.Minutes(),
				"read_as": st.Layout.Words(), "zone": st.Layout.Zone,
			}),
		})
	})
	return run, err
}

// StopRun stops a run for good. It returns models.ErrRunEnded if the run has ended.
func (s *Store) StopRun(ctx context.Context, by models.Actor, run models.StatementRun) error {
	ended, err := s.db.EndJob(ctx, models.ComparisonJobs, run.ID, map[string]any{"state": models.JobStopped}, models.AuditEvent{
		Actor: by, Action: "statement stopped", Object: "statement", ObjectID: db.Numbered(run.StatementID),
		After: db.JsonText(map[string]any{"run": run.ID}),
	})
	if err == nil && !ended {
		err = models.ErrRunEnded
	}
	return err
}

// NoteRun stores a run's progress, and returns its state: a person may have stopped it.
func (s *Store) NoteRun(ctx context.Context, id int64, p models.RunProgress) (models.JobState, error) {
	return s.db.NoteJob(ctx, models.ComparisonJobs, id, map[string]any{"permille": p.Permille,
		"line_count": p.Lines, "bad_lines": p.BadLines})
}

// clearedAtOnce is how many rows of an earlier attempt are deleted in one transaction.
const clearedAtOnce = 2000

// ClearRun deletes what an earlier attempt at a run has written. A run that was cut off starts again.
func (s *Store) ClearRun(ctx context.Context, id int64) error {
	for {
		var last []int64
		err := s.db.Change(ctx, func(tx *gorm.DB) error {
			last = nil
			err := tx.Raw("SELECT number FROM statement_differences WHERE run_id = ? ORDER BY number LIMIT ?", id, clearedAtOnce).
				Scan(&last).Error
			if err != nil || len(last) == 0 {
				return err
			}
			return tx.Exec("DELETE FROM statement_differences WHERE run_id = ? AND number <= ?", id, last[len(last)-1]).Error
		})
		if err != nil {
			return fmt.Errorf("clear run %d: %w", id, err)
		}
		if len(last) < clearedAtOnce {
			return nil
		}
	}
}

// writtenAtOnce is how many differences are in one INSERT.
const writtenAtOnce = 500

// AddDifferences stores differences of a run.
func (s *Store) AddDifferences(ctx context.Context, runID int64, differences []models.Difference) error {
	if len(differences) == 0 {
		return nil
	}
	for i := range differences {
		differences[i].RunID = runID
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error { return tx.CreateInBatches(differences, writtenAtOnce).Error })
}

// FinishRun ends a run with its result, or with run.Failure. It reports false if a person has ended the run meanwhile.
func (s *Store) FinishRun(ctx context.Context, run models.StatementRun) (finished bool, err error) {
	values := map[string]any{
		"state": models.JobFinished, "permille": 1000, "line_count": run.Lines, "bad_lines": run.BadLines,
		"differences": run.Differences, "respelled": run.Respelled, "edges": run.Edges, "erased_lines": run.Erased, "failure": run.Failure,
		"cases": run.Cases, "sums": db.JsonText(run.Sums), "bad": db.JsonText(run.Bad),
	}
	action, after := "statement comparison finished",
		map[string]any{"run": run.ID, "lines": run.Lines, "bad_lines": run.BadLines, "differences": run.Differences}
	if run.Failure != "" {
		values["state"] = models.JobFailed
		action, after = "statement comparison failed", map[string]any{"run": run.ID, "why": run.Failure}
	}
	return s.db.EndJob(ctx, models.ComparisonJobs, run.ID, values, models.AuditEvent{
		Actor: models.System, Action: action, Object: "statement", ObjectID: db.Numbered(run.StatementID),
		After: db.JsonText(after),
	})
}

// Differences returns a page of the differences that f selects, in the order of their times.
func (s *Store) Differences(ctx context.Context, f models.DifferenceFilter) (models.Page[models.Difference], error) {
	list := db.List{Table: "statement_differences", At: "at_us", ID: "number", Up: true, Span: f.Span, Filters: []db.Filter{
		db.If(f.Bucket != 0, "statement_differences_bucket_at", "bucket = ?", f.Bucket), db.If(true, "statement_differences_at", "run_id = ?", f.RunID)}}
	page, err := db.FindPage[models.Difference](s.db, s.db.Read.WithContext(ctx), list)
	if err == nil {
		err = s.addSettled(ctx, page.Rows)
	}
	return page, err
}

// addSettled fills in what people have done about differences.
func (s *Store) addSettled(ctx context.Context, rows []models.Difference) error {
	cases, transactions, references := []int64{}, []string{}, []string{}
	for _, d := range rows {
		transactions = append(transactions, string(d.TransactionID))
		if d.CaseID != 0 {
			cases, references = append(cases, d.CaseID), append(references, models.CaseReference(d.CaseID))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	read := s.db.Read.WithContext(ctx)
	closed, err := db.Find[models.Case](read.Select("id", "state").Where("id IN ?", cases))
	if err != nil {
		return err
	}
	states := map[int64]models.CaseState{}
	for _, c := range closed {
		states[c.ID] = c.State
	}
	run, _, err := db.One[models.StatementRun](read.Where("id = ?", rows[0].RunID))
	if err != nil {
		return err
	}
	const columns = "SELECT id, at_us, kind, state, player_id, transaction_id, amount_minor, effect_minor, reference FROM corrections WHERE "
	found, err := db.All[models.Correction](read, columns+"reference IN ? AND state IN ? UNION "+
		columns+"transaction_id IN ? AND state IN ? ORDER BY id", references, booked, transactions, booked)
	if err != nil {
		return err
	}
	for i := range rows {
		d := &rows[i]
		d.CaseState = states[d.CaseID]
		d.Settled = d.CaseState > models.CaseOpen
		for _, c := range found {
			since := !c.At.Before(run.At)
			if named := models.CaseOf(c.Reference); named != 0 && named == d.CaseID ||
				since && c.TransactionID != "" && c.TransactionID == d.TransactionID && c.PlayerID == d.PlayerID {
				c.Currency = d.Currency
				d.Corrections = append(d.Corrections, c)
				d.Settled = d.Settled || since && c.State == models.ApprovalApproved
			}
		}
	}
	return nil
}

// booked are the states of corrections that are booked, or wait for approval.
var booked = []models.ApprovalState{models.ApprovalWaiting, models.ApprovalApproved}

// DifferenceOf returns the difference that has this case, from the newest run that found it, or false if its runs are gone.
func (s *Store) DifferenceOf(ctx context.Context, c models.Case) (models.Difference, bool, error) {
	return DifferenceOf(s.db.Read.WithContext(ctx), c)
}

// DifferenceOf is Store.DifferenceOf in a transaction.
func DifferenceOf(q *gorm.DB, c models.Case) (models.Difference, bool, error) {
	return db.One[models.Difference](q.Order("run_id DESC").
		Where("transaction_id = ? AND case_id = ?", c.TransactionID, c.ID))
}

// ForgetStatementFile deletes the file of a statement, but not its findings. It returns models.ErrRunUnderWay if a run needs
// it, or ErrStatementGone if it was deleted before.
func (s *Store) ForgetStatementFile(ctx context.Context, by models.Actor, id int64) error {
	var row models.Statement
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.db.Locking(tx).Where("id = ?", id).Take(&row).Error; err != nil {
			return err
		}
		var under int64
		err := tx.Model(&models.StatementRun{}).Where("statement_id = ? AND state IN ?", id, models.OpenJobStates).Count(&under).Error
		switch {
		case err != nil:
			return err
		case under > 0:
			return models.ErrRunUnderWay
		case !row.Kept():
			return models.ErrStatementGone
		}
		if err := tx.Model(&models.Statement{}).Where("id = ?", id).Update("file_id", "").Error; err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: "statement file deleted", Object: "statement", ObjectID: db.Numbered(id),
			Before: db.JsonText(map[string]any{"file": row.FileName, "sha256": row.Digest}),
		})
	})
	if err != nil {
		return err
	}
	return s.db.DeleteFile(ctx, row.File)
}

// NewFile returns a writer for a new file in the database.
func (s *Store) NewFile(ctx context.Context) *db.FileWriter { return s.db.NewFile(ctx) }

// DeleteFile deletes a file from the database.
func (s *Store) DeleteFile(ctx context.Context, id string) error { return s.db.DeleteFile(ctx, id) }

// DeleteLostFiles deletes the files that no statement has a day after they were begun: whoever wrote them was killed. The IDs
// of other files, such as drafts, do not begin with a time.
func (s *Store) DeleteLostFiles(ctx context.Context) error {
	lost, err := db.All[string](s.db.Write.WithContext(ctx), `SELECT DISTINCT file_id FROM file_chunks c WHERE file_id > '2' AND file_id < ?
		AND NOT EXISTS (SELECT 1 FROM statements t WHERE t.file_id = c.file_id)`, db.FileBefore(s.db.Now().Add(-24*time.Hour)))
	if err != nil {
		return err
	}
	for _, id := range lost {
		if err := s.db.DeleteFile(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
