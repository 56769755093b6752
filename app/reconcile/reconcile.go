// Package reconcile compares the platform's statements with our transactions, in the background or on the command line.
package reconcile

import (
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
	"pitboss/app/sheet"
	"pitboss/models"
)

// Store is what comparisons read and write. models/store implements it.
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
	ErasedUsers(ctx context.Context, users []models.UserID) (map[models.UserID]bool, error)
	PlayersNamed(ctx context.Context, users []models.UserID) (map[models.UserID]models.Player, error)
	TransactionNumbers(ctx context.Context, since, until time.Time) (low, high int64, err error)
	PlatformTransactionsFrom(ctx context.Context, low, high int64, limit int) ([]models.TransactionLine, error)
	WhoPlayed(ctx context.Context, lines []models.TransactionLine) error
	LeftAtEdges(ctx context.Context, st models.Statement, numbers []int64) (map[int64]bool, error)
}

// Config configures a Service.
type Config struct {
	Store  Store
	Dir    string // the folder for uploaded files, created if missing
	Holder string // identifies this instance
	// between two updates of progress and two checks for a pause; 0 means half a second
	Every time.Duration
	Log   *slog.Logger // nil discards
	// Tick returns a channel that receives at intervals, and a function that stops it; nil means a time.Ticker.
	Tick func(every time.Duration) (tick <-chan time.Time, stop func())
}

// Service stores the files of statements and compares them.
//
// As for exports, several instances share a folder, or each has its own and compares what was uploaded to it. The folder has an
// ID, by which an instance knows whether it has a file. A lease ensures that one instance at a time works on a run. If it is
// interrupted, another instance or the next start begins the run again: everything found so far will be found again.
type Service struct {
	Config
	wake   chan struct{}
	places chan struct{} // limits how many runs are worked on

	mu    sync.Mutex
	under map[int64]bool // runs that this instance works on
}

// ErrElsewhere means that the file is in another instance's folder.
var ErrElsewhere = errors.New("the file is in another instance's folder")

// ErrBusy means that another instance is working on the run.
var ErrBusy = errors.New("another instance works on this run")

// MaxFile is the greatest size of an uploaded statement in bytes: about ten million lines.
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

// Wake makes the service look for runs immediately.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// How runs are looked for and leased.
const (
	atOnce    = 2 // without paused ones
	lookEvery = 10 * time.Second
	held      = 30 * time.Second
)

// Run compares statements as requested until ctx ends.
func (s *Service) Run(ctx context.Context) {
	tick, stop := s.Tick(lookEvery)
	defer stop()
	var group sync.WaitGroup
	defer group.Wait()
	for {
		if err := s.begin(ctx, &group); err != nil && ctx.Err() == nil {
			s.Log.Error("Looking for statements to compare failed.", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		case <-s.wake:
		}
	}
}

// begin starts the waiting runs whose file this instance has.
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

// mine notes that this instance works on a run, or no longer does, and reports whether that is a change.
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

// has reports whether the statement's file is in this instance's folder.
func (s *Service) has(st models.Statement) bool {
	name, err := folder.Marked(s.Dir, markFile)
	return st.Kept() && err == nil && name == st.Folder
}

// Compare works on a run until it ends. The statement's file must be here. tell is called from time to time and may be nil. It
// returns ErrBusy, or the run in its final state, which says why it failed. Any other error means that the run can be tried
// again.
func (s *Service) Compare(ctx context.Context, runID int64,
	tell func(models.RunProgress)) (run models.StatementRun, err error) {
	free, err := jobs.Hold(ctx, s.Store, fmt.Sprintf("statement run %d", runID), s.Holder, held,
		func(ctx context.Context) error {
			run, err = s.hold(ctx, runID, tell)
			return err
		})
	if err == nil && !free {
		err = ErrBusy
	}
	return run, err
}

func (s *Service) hold(ctx context.Context, runID int64, tell func(models.RunProgress)) (models.StatementRun, error) {
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
	err = s.onFile(ctx, c, st)
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
	if c.run.Failure == "" { // an interrupted run will find these again
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

// onFile compares with a temporary folder for data that does not fit into memory.
func (s *Service) onFile(ctx context.Context, c *comparer, st models.Statement) (err error) {
	file, err := s.Open(st)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	s.sweep(c.run.ID)
	dir, err := os.MkdirTemp(s.Dir, fmt.Sprintf("run-%d-", c.run.ID))
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

// sweep deletes the temporary folders of interrupted attempts at a run.
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

// failure returns why a run failed for good, for people who must not see the error itself. It is empty if the error may be
// temporary, such as a database that does not answer: then the run is tried again.
func failure(err error) string {
	var path *fs.PathError
	var layout models.LayoutError
	var unreadable sheet.Unreadable
	var unread unreadError
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "The disk with the folder of statements is full. Ask an administrator to free space, then compare again."
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &path):
		return "The file, or the folder of statements (PITBOSS_STATEMENT_DIR), cannot be read or written. Ask an " +
			"administrator, then compare again or upload it again."
	case errors.Is(err, errChanged), errors.As(err, &unreadable), errors.Is(err, errPeriodLarge),
		errors.Is(err, errManyCurrencies), errors.Is(err, errNoLine), errors.Is(err, errUnrelated), errors.As(err, &layout),
		errors.As(err, &unread):
		return strings.ToUpper(err.Error()[:1]) + err.Error()[1:] + "."
	}
	return ""
}

// markFile is the file with the folder's ID.
const markFile = ".pitboss-statements"

// place creates the folder if necessary and returns its ID.
func (s *Service) place() (string, error) { return folder.Name(s.Dir, markFile) }

// Why a file is not kept.
var (
	ErrTooLarge = errors.New("a statement is 1 GB at most: upload it in parts, each with its period")
	// ErrFolderFull protects the disk, on which other files of Pitboss or of the database may be.
	ErrFolderFull = errors.New("the files of statements take 20 GB, the most that is kept. Delete files of earlier statements " +
		"on their pages; their results stay")
)

// MaxFolder is how many bytes of statements are kept.
const MaxFolder = 20 << 30

// Keep stores a file, byte for byte, and records who uploaded it. It returns a sheet.Unreadable, ErrTooLarge or
// ErrFolderFull if it does not keep the file.
func (s *Service) Keep(ctx context.Context, by models.Actor, name string, file io.Reader) (models.Statement, error) {
	folder, err := s.place()
	if err != nil {
		return models.Statement{}, err
	}
	stored := "statement-" + rand.Text() + ".csv"
	path := filepath.Join(s.Dir, stored)
	st, err := copyTo(path, file)
	if err == nil {
		err = s.checkRoom()
	}
	if err == nil {
		st.FileName, st.Folder, st.File, st.Margin = name, folder, stored, models.DefaultStatementMargin
		st, err = s.Store.CreateStatement(ctx, by, st)
	}
	if err != nil {
		return models.Statement{}, errors.Join(err, os.RemoveAll(path))
	}
	return st, nil
}

// checkRoom returns ErrFolderFull if the files of statements, those that others are uploading included, take too much.
func (s *Service) checkRoom() error {
	files, err := os.ReadDir(s.Dir)
	if err != nil {
		return err
	}
	var total int64
	for _, f := range files {
		if info, err := f.Info(); err == nil { // it may have just been deleted
			total += info.Size()
		}
	}
	if total > MaxFolder {
		return ErrFolderFull
	}
	return nil
}

func copyTo(path string, file io.Reader) (st models.Statement, err error) {
	to, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return st, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	sum := sha256.New()
	if st.Bytes, err = io.Copy(io.MultiWriter(to, sum), io.LimitReader(file, MaxFile+1)); err != nil {
		return st, err
	}
	if st.Bytes > MaxFile {
		return st, ErrTooLarge
	}
	st.Digest = hex.EncodeToString(sum.Sum(nil))
	sample, err := sheet.SampleStatement(to)
	if err != nil {
		return st, err
	}
	st.Header = sample.Header
	if st.Layout, _, err = sample.GuessLayout(to, "UTC"); err != nil {
		return st, err
	}
	return st, to.Sync()
}

// Open opens the file of a statement. It returns ErrElsewhere, models.ErrStatementGone, or fs.ErrNotExist if the file was
// deleted.
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

// Forget deletes the file of a statement, but not its findings. It returns models.ErrRunUnderWay while it is being compared,
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
