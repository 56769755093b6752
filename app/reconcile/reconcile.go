// Package reconcile holds the platform's statements against our transactions, as work that goes on in the background or at the
// command line.
package reconcile

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"pitboss/app/folder"
	"pitboss/app/jobs"
	"pitboss/models"
)

// Store is what comparisons read and write. models/store is one.
type Store interface {
	jobs.Leases
	CreateStatement(ctx context.Context, by models.Actor, st models.Statement) (models.Statement, error)
	Statement(ctx context.Context, id int64) (models.Statement, bool, error)
	ForgetStatementFile(ctx context.Context, by models.Actor, id int64) error
	RunsUnderWay(ctx context.Context) ([]models.StatementRun, error)
	StatementRun(ctx context.Context, id int64) (models.StatementRun, bool, error)
	NoteRun(ctx context.Context, id int64, p models.RunProgress) (models.RunState, error)
	ClearRun(ctx context.Context, id int64) error
	AddFindings(ctx context.Context, runID int64, differences []models.Difference, bad []models.LineError) error
	OpenDifferenceCases(ctx context.Context, st models.Statement, runID int64) (int, error)
	FinishRun(ctx context.Context, run models.StatementRun) (bool, error)
	PlatformTransactions(ctx context.Context,
		ids []models.TransactionID) (map[models.TransactionID]*models.TransactionLine, error)
	PlayersNamed(ctx context.Context, users []models.UserID) (map[models.UserID]models.Player, error)
	TransactionNumbers(ctx context.Context, since, until time.Time) (low, high int64, err error)
	PlatformTransactionsFrom(ctx context.Context, low, high int64, limit int) ([]models.TransactionLine, error)
	WhoPlayed(ctx context.Context, lines []models.TransactionLine) error
	LeftAtEdges(ctx context.Context, st models.Statement, numbers []int64) (map[int64]bool, error)
}

// Config is what a Service needs.
type Config struct {
	Store Store
	// the folder of uploaded files, made where it is missing; empty for comparing files that lie elsewhere alone
	Dir    string
	Holder string // names this instance
	// between two notes of progress, and two looks at whether a person has halted a run; 0 means half a second
	Every time.Duration
	Log   *slog.Logger // nil discards
	// Tick makes a channel that receives at intervals, and its end; nil means a time.Ticker.
	Tick func(every time.Duration) (tick <-chan time.Time, stop func())
}

// Service keeps the files of statements and compares them.
//
// Files lie in one folder, as those of exports do: several instances share it, or each has its own and compares what was
// uploaded to it. The folder carries a name, by which an instance knows whether it has a file. One instance at a time works on
// a run, by a lease; where it ends in the middle, whatever ended it, another or the next start takes the run up from its
// beginning: what was found so far is found again.
type Service struct {
	Config
	wake   chan struct{}
	places chan struct{} // a place in it is the right to work on a run

	mu    sync.Mutex
	under map[int64]bool // runs that are worked on here
}

// ErrElsewhere is returned for a file that another instance's folder holds.
var ErrElsewhere = errors.New("the file is in another instance's folder")

// ErrBusy is returned where somebody else works on the run.
var ErrBusy = errors.New("another instance works on this run")

// MaxFile is how large an uploaded statement may be, in bytes: some ten million lines.
const MaxFile = 1 << 30

// New returns a service. Run does its work.
func New(cfg Config) *Service {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Every == 0 {
		cfg.Every = 500 * time.Millisecond
	}
	if cfg.Tick == nil {
		cfg.Tick = func(every time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(every)
			return t.C, t.Stop
		}
	}
	return &Service{Config: cfg, wake: make(chan struct{}, 1), places: make(chan struct{}, atOnce), under: map[int64]bool{}}
}

// Wake has the service look for runs at once.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// How runs are looked for, and held while one is worked on.
const (
	atOnce    = 2 // without paused ones
	lookEvery = 10 * time.Second
	held      = 30 * time.Second
)

// Run compares statements as they are asked for until ctx ends.
func (s *Service) Run(ctx context.Context) {
	tick, stop := s.Tick(lookEvery)
	defer stop()
	var group sync.WaitGroup
	defer group.Wait()
	for {
		if err := s.begin(ctx, &group); err != nil && ctx.Err() == nil {
			s.Log.Error("Statements to compare could not be looked for.", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		case <-s.wake:
		}
	}
}

// begin takes up what waits and lies here.
func (s *Service) begin(ctx context.Context, group *sync.WaitGroup) error {
	runs, err := s.Store.RunsUnderWay(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		st, found, err := s.Store.Statement(ctx, run.StatementID)
		if err != nil {
			return err
		}
		if !found || !s.has(st) || !s.mine(run.ID, true) {
			continue
		}
		group.Go(func() {
			defer s.mine(run.ID, false)
			if _, err := s.Compare(ctx, run.ID, nil); err != nil && !errors.Is(err, ErrBusy) && ctx.Err() == nil {
				s.Log.Error("A statement could not be compared; it will be tried again.", "statement", st.ID, "run", run.ID,
					"error", err)
			}
		})
	}
	return nil
}

// mine notes that a run is worked on here, or no longer, and reports whether that is a change.
func (s *Service) mine(run int64, is bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.under[run] == is {
		return false
	}
	if s.under[run] = is; !is {
		delete(s.under, run)
	}
	return true
}

// has reports whether the folder here is the one that holds the statement's file.
func (s *Service) has(st models.Statement) bool {
	name, err := folder.Marked(s.Dir, markFile)
	return st.Kept() && err == nil && name == st.Folder
}

// Compare works on a run whose statement's file lies here until it ends; tell is called now and then and may be nil. It returns
// ErrBusy, or the run as it ended: why it failed stands in it, and the error is for what may be tried again.
func (s *Service) Compare(ctx context.Context, runID int64, tell func(models.RunProgress)) (models.StatementRun, error) {
	return s.compare(ctx, runID, func(st models.Statement) (io.ReadCloser, error) { return s.Open(st) }, tell)
}

// CompareFile is Compare with a file that is not kept here.
func (s *Service) CompareFile(ctx context.Context, runID int64, path string,
	tell func(models.RunProgress)) (models.StatementRun, error) {
	return s.compare(ctx, runID, func(models.Statement) (io.ReadCloser, error) { return os.Open(path) }, tell)
}

func (s *Service) compare(ctx context.Context, runID int64, open func(models.Statement) (io.ReadCloser, error),
	tell func(models.RunProgress)) (run models.StatementRun, err error) {
	free, err := jobs.Hold(ctx, s.Store, fmt.Sprintf("statement run %d", runID), s.Holder, held,
		func(ctx context.Context) error {
			run, err = s.hold(ctx, runID, open, tell)
			return err
		})
	if err == nil && !free {
		err = ErrBusy
	}
	return run, err
}

func (s *Service) hold(ctx context.Context, runID int64, open func(models.Statement) (io.ReadCloser, error),
	tell func(models.RunProgress)) (models.StatementRun, error) {
	run, found, err := s.Store.StatementRun(ctx, runID)
	if err != nil || !found || run.State.Ended() {
		return run, err
	}
	st, _, err := s.Store.Statement(ctx, run.StatementID)
	if err != nil {
		return run, err
	}
	select {
	case s.places <- struct{}{}:
	case <-ctx.Done():
		return run, context.Cause(ctx)
	}
	defer func() { <-s.places }()
	began := time.Now()
	c := &comparer{Service: s,
		run: models.StatementRun{ID: run.ID, StatementID: run.StatementID,
			RunProgress: models.RunProgress{Phase: models.PhaseReading}}, st: st, size: st.Bytes, tell: tell}
	err = s.onFile(ctx, c, st, open)
	switch {
	case errors.Is(err, errEnded):
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
	if c.run.Failure == "" { // those of a run that is cut off here are found again by the next
		if _, err := s.Store.OpenDifferenceCases(ctx, st, runID); err != nil {
			return run, err
		}
		c.run.Cases = true
	}
	c.run.Took = time.Since(began)
	if _, err := s.Store.FinishRun(ctx, c.run); err != nil {
		return run, err
	}
	ended, _, err := s.Store.StatementRun(ctx, runID)
	return ended, err
}

// onFile compares with a folder for what does not fit into memory, which goes afterwards.
func (s *Service) onFile(ctx context.Context, c *comparer, st models.Statement,
	open func(models.Statement) (io.ReadCloser, error)) (err error) {
	file, err := open(st)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if s.Dir != "" {
		s.sweep(c.run.ID)
	}
	dir, err := os.MkdirTemp(s.Dir, fmt.Sprintf("run-%d-", c.run.ID))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sum := sha256.New()
	if err = c.compare(ctx, io.TeeReader(file, sum), dir); err != nil && !errors.Is(err, errNoLine) {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != st.Digest {
		return errChanged
	}
	return err
}

// sweep deletes what earlier attempts at a run that were cut off have left.
func (s *Service) sweep(runID int64) {
	left, err := filepath.Glob(filepath.Join(s.Dir, fmt.Sprintf("run-%d-*", runID)))
	if err != nil {
		return
	}
	for _, dir := range left {
		if err := os.RemoveAll(dir); err != nil {
			s.Log.Warn("The remains of an interrupted comparison could not be deleted.", "folder", dir, "error", err)
		}
	}
}

var errChanged = errors.New("the file has changed since it was uploaded")

// failure says why a run failed for good, to those who may not see the error itself. It is empty for what may go away by
// itself, such as a database that does not answer: then the run is taken up again.
func failure(err error) string {
	var path *fs.PathError
	var layout models.LayoutError
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "The disk of the folder of statements is full. Ask an administrator for room, then compare again."
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &path):
		return "The file, or the folder of statements (PITBOSS_STATEMENT_DIR), cannot be read or written. Ask an " +
			"administrator, then compare again or upload it again."
	case errors.Is(err, errChanged), errors.Is(err, models.ErrStatementHeader), errors.Is(err, errPeriodLarge),
		errors.Is(err, errManyCurrencies), errors.Is(err, errNoLine), errors.Is(err, errStrangers), errors.As(err, &layout):
		return strings.ToUpper(err.Error()[:1]) + err.Error()[1:] + "."
	}
	return ""
}

// markFile is the file by which a folder is told from another.
const markFile = ".pitboss-statements"

// place makes the folder where it is missing and returns what it is called.
func (s *Service) place() (string, error) { return folder.Name(s.Dir, markFile) }

// ErrTooLarge is returned for a file above MaxFile.
var ErrTooLarge = errors.New("a statement is 1 GB at most: upload it in parts, each with its period")

// Keep stores a file, byte for byte, and writes down who uploaded it. It returns models.ErrStatementHeader or ErrTooLarge for
// what is no statement.
func (s *Service) Keep(ctx context.Context, by models.Actor, name string, file io.Reader) (models.Statement, error) {
	folder, err := s.place()
	if err != nil {
		return models.Statement{}, err
	}
	stored := "statement-" + rand.Text() + ".csv"
	path := filepath.Join(s.Dir, stored)
	st, err := copyTo(path, file)
	if err == nil {
		st.FileName, st.Folder, st.File, st.Margin = name, folder, stored, models.DefaultStatementMargin
		st, err = s.Store.CreateStatement(ctx, by, st)
	}
	if err != nil {
		return models.Statement{}, errors.Join(err, os.RemoveAll(path))
	}
	return st, nil
}

func copyTo(path string, file io.Reader) (st models.Statement, err error) {
	to, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return st, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	sum, begin := sha256.New(), &beginning{}
	if st.Bytes, err = io.Copy(io.MultiWriter(to, sum, begin), io.LimitReader(file, MaxFile+1)); err != nil {
		return st, err
	}
	if st.Bytes > MaxFile {
		return st, ErrTooLarge
	}
	st.Digest = hex.EncodeToString(sum.Sum(nil))
	sample, err := models.SampleStatement(&begin.Buffer, "")
	if err != nil {
		return st, err
	}
	st.Header, st.Layout = sample.Header, sample.GuessLayout("UTC")
	return st, to.Sync()
}

// beginning keeps the first bytes that are written to it.
type beginning struct{ bytes.Buffer }

// Write keeps what there is room for.
func (b *beginning) Write(p []byte) (int, error) {
	if room := 128<<10 - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// Describe reads a file that is not kept: its digest, size and header, and a sample of its lines.
func Describe(path, delimiter string) (st models.Statement, sample models.StatementSample, err error) {
	file, err := os.Open(path)
	if err != nil {
		return st, sample, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum, begin := sha256.New(), &beginning{}
	if st.Bytes, err = io.Copy(io.MultiWriter(sum, begin), file); err != nil {
		return st, sample, err
	}
	st.FileName, st.Digest = filepath.Base(path), hex.EncodeToString(sum.Sum(nil))
	sample, err = models.SampleStatement(&begin.Buffer, delimiter)
	st.Header = sample.Header
	return st, sample, err
}

// Open opens the file of a statement. It returns ErrElsewhere, models.ErrStatementGone, or fs.ErrNotExist for a file that
// somebody deleted.
func (s *Service) Open(st models.Statement) (*os.File, error) {
	if !st.Kept() {
		return nil, models.ErrStatementGone
	}
	folder, err := s.place()
	if err != nil {
		return nil, err
	}
	if folder != st.Folder {
		return nil, ErrElsewhere
	}
	if filepath.Base(st.File) != st.File || !strings.HasPrefix(st.File, "statement-") {
		return nil, fs.ErrNotExist
	}
	return os.Open(filepath.Join(s.Dir, st.File))
}

// Forget deletes the file of a statement; what was found stays. It returns models.ErrRunUnderWay while it is being compared,
// and ErrElsewhere.
func (s *Service) Forget(ctx context.Context, by models.Actor, st models.Statement) error {
	f, err := s.Open(st)
	if errors.Is(err, fs.ErrNotExist) {
		return s.Store.ForgetStatementFile(ctx, by, st.ID)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), s.Store.ForgetStatementFile(ctx, by, st.ID)); err != nil {
		return err
	}
	return os.Remove(filepath.Join(s.Dir, st.File))
}
