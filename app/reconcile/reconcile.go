// Package reconcile compares the statements of the platform, and of API clients that move cash, with our transactions.
package reconcile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"time"

	"pitboss/app/jobs"
	"pitboss/app/sheet"
	"pitboss/models"
	"pitboss/models/store"
)

// Config configures a Service.
type Config struct {
	Store *store.Store
	Every time.Duration // between two updates of progress; 0 means half a second
	Log   *slog.Logger  // nil discards
}

// Service stores the files of statements in the database, and compares them. A comparison is a request of app/jobs. If it is
// cut off, another instance starts it again from the beginning.
type Service struct {
	Config
	requests *jobs.Requests
}

// MaxFile is the greatest size of an uploaded statement in bytes: about ten million lines.
const MaxFile = 1 << 30

// New returns a service. Its Comparisons do the work.
func New(cfg Config) *Service {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Every == 0 {
		cfg.Every = 500 * time.Millisecond
	}
	s := &Service{Config: cfg}
	s.requests = jobs.NewRequests(jobs.Requests{Name: "statement comparisons", AtOnce: atOnce, Log: cfg.Log,
		Open: func(ctx context.Context) ([]int64, error) { return s.Store.OpenJobs(ctx, models.ComparisonJobs) },
		Do: func(ctx context.Context, id int64) error {
			_, err := s.Compare(ctx, id, nil)
			return err
		}})
	return s
}

const atOnce = 2

// Comparisons is the job that compares statements as requested.
func (s *Service) Comparisons() jobs.Job { return s.requests.Job() }

// Wake makes this instance look for requests immediately.
func (s *Service) Wake() { s.requests.Wake() }

// Compare works on a run until it ends. tell, if not nil, is called with its progress. Compare returns the run in its final
// state, with the reason if it failed. An error means that the run can be tried again.
func (s *Service) Compare(ctx context.Context, runID int64,
	tell func(models.RunProgress)) (run models.StatementRun, err error) {
	open, err := s.Store.BeginJob(ctx, models.ComparisonJobs, runID)
	if err != nil && !errors.Is(err, models.ErrJobTries) {
		return run, err
	}
	run, _, readErr := s.Store.StatementRun(ctx, runID)
	if readErr != nil || !open {
		return run, readErr
	}
	st, _, readErr := s.Store.Statement(ctx, run.StatementID)
	if readErr != nil {
		return run, readErr
	}
	c := &comparer{Service: s,
		run: models.StatementRun{Job: models.Job{ID: run.ID}, StatementID: run.StatementID}, st: st, size: st.Bytes, tell: tell}
	c.note = jobs.Noting(ctx, s.Every, func(ctx context.Context, p models.RunProgress) (bool, error) {
		state, err := s.Store.NoteRun(ctx, runID, p)
		return state.Open(), err
	})
	if err == nil {
		err = s.onFile(ctx, c, st)
	}
	switch {
	case errors.Is(err, jobs.ErrStopped):
		ended, _, err := s.Store.StatementRun(ctx, runID)
		return ended, err
	case ctx.Err() != nil:
		return run, context.Cause(ctx)
	case err != nil:
		if c.run.Failure = failure(err); c.run.Failure == "" {
			return run, err
		}
		s.Log.Error("A statement could not be compared.", "statement", st.ID, "run", run.ID, "error", err)
	}
	if c.run.Failure == "" { // an interrupted run will find these again
		if _, err := s.Store.OpenDifferenceCases(ctx, st, c.run); err != nil {
			return run, err
		}
		c.run.Cases = true
	}
	if _, err := s.Store.FinishRun(ctx, c.run); err != nil {
		return run, err
	}
	ended, _, err := s.Store.StatementRun(ctx, runID)
	return ended, err
}

// onFile compares with a temporary folder for data that does not fit into memory.
func (s *Service) onFile(ctx context.Context, c *comparer, st models.Statement) (err error) {
	file, err := s.Store.OpenStatement(ctx, st)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "pitboss-run-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != st.Digest {
		return errChanged
	}
	return c.compare(ctx, file, dir)
}

var errChanged = errors.New("the file has changed since it was uploaded")

// failure returns the reason why a run failed for good, without the error's own words. It is empty if the error may be
// temporary, such as a database that does not answer: then the run is tried again.
func failure(err error) string {
	var path *fs.PathError
	var layout models.LayoutError
	var unreadable sheet.Unreadable
	var unread unreadError
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "The disk for temporary files is full. Ask an administrator to free space, then compare again."
	case errors.As(err, &path):
		return "The folder for temporary files cannot be written. Ask an administrator, then compare again."
	case errors.Is(err, errChanged), errors.As(err, &unreadable), errors.Is(err, errPeriodLarge),
		errors.Is(err, errManyCurrencies), errors.As(err, new(errOtherCase)), errors.Is(err, errNoLine), errors.Is(err, errUnrelated), errors.As(err, &layout),
		errors.As(err, &unread), errors.Is(err, models.ErrJobTries), errors.Is(err, models.ErrStatementGone):
		return strings.ToUpper(err.Error()[:1]) + err.Error()[1:] + "."
	}
	return ""
}

// ErrTooLarge means that a file is not kept.
var ErrTooLarge = errors.New("a statement can be at most 1 GB: upload it in parts, each with its period")

// Keep stores a file, byte for byte, and records who uploaded it. client is the API client whose cash the file has, or 0 for a
// file of the platform. It returns a sheet.Unreadable, ErrTooLarge or models.ErrStatementsFull if it does not keep the file.
func (s *Service) Keep(ctx context.Context, by models.Actor, client int64, name string,
	file io.ReadSeeker) (st models.Statement, err error) {
	st, err = examined(ctx, file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return models.Statement{}, err
	}
	stored := s.Store.NewFile(ctx)
	st.ClientID, st.FileName, st.File, st.Margin = client, name, stored.ID, models.DefaultStatementMargin
	if _, err = io.Copy(stored, file); err == nil {
		err = stored.Close()
	}
	if err == nil {
		st, err = s.Store.CreateStatement(ctx, by, st)
	}
	if err != nil {
		return models.Statement{}, errors.Join(err, s.Store.DeleteFile(context.WithoutCancel(ctx), stored.ID))
	}
	return st, nil
}

// examined returns the size, the digest, the header and the layout of a file.
func examined(ctx context.Context, file io.ReadSeeker) (st models.Statement, err error) {
	sum := sha256.New()
	if st.Bytes, err = io.Copy(sum, io.LimitReader(file, MaxFile+1)); err != nil {
		return st, err
	}
	if st.Bytes > MaxFile {
		return st, ErrTooLarge
	}
	st.Digest = hex.EncodeToString(sum.Sum(nil))
	sample, err := sheet.SampleStatement(ctx, file)
	if err != nil {
		return st, err
	}
	st.Header = sample.Header
	st.Layout = sample.GuessLayout("UTC")
	return st, nil
}
