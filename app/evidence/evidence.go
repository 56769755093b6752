// Package evidence produces proof of the ledger in the background: it writes checkpoints, by schedule or on request, to a
// folder, and it verifies the ledger.
package evidence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pitboss/app/jobs"
	"pitboss/models"
	"pitboss/models/store"
)

// Config configures the service.
type Config struct {
	Store  *store.Store
	Dir    string        // PITBOSS_CHECKPOINT_DIR: the folder for files; empty for none
	Every  time.Duration // PITBOSS_CHECKPOINT_EVERY; 0 means no schedule
	Holder string        // identifies this instance in leases
	Log    *slog.Logger
}

// Service writes checkpoints and verifies the ledger.
type Service struct {
	Config
	requests *jobs.Requests // verifications

	// older.go
	looking sync.Mutex
	newest  File // the newest that was read
	mu      sync.Mutex
	newer   *File
}

// New returns a service. Verifications, VerifyDaily, WriteDue and Look do its work.
func New(cfg Config) *Service {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{Config: cfg}
	s.requests = jobs.NewRequests(jobs.Requests{Name: "verifications", AtOnce: 1, Do: s.verify, Log: cfg.Log,
		Open: func(ctx context.Context) ([]int64, error) { return s.Store.OpenJobs(ctx, models.VerificationJobs) }})
	return s
}

// ErrNowhere means that no folder is configured.
var ErrNowhere = errors.New("there is no folder for checkpoints: set PITBOSS_CHECKPOINT_DIR")

// ErrBusy means that another checkpoint is being written.
var ErrBusy = errors.New("another checkpoint is being written: try again in a moment")

// Configured reports whether there is a folder.
func (s *Service) Configured() bool { return s.Dir != "" }

// Verifications is the job that runs requested verifications.
func (s *Service) Verifications() jobs.Job { return s.requests.Job() }

// verifyEvery is how often the whole ledger is verified without a request.
const verifyEvery = 24 * time.Hour

// VerifyDaily requests a verification if the last one is a day old.
func (s *Service) VerifyDaily(ctx context.Context) error {
	due, err := s.Store.VerificationDue(ctx, verifyEvery)
	if err != nil || !due {
		return err
	}
	if _, err = s.Ask(ctx, models.System); errors.Is(err, models.ErrVerificationUnderWay) {
		return nil
	}
	return err
}

// Scheduled reports whether checkpoints are written by schedule.
func (s *Service) Scheduled() bool { return s.Configured() && s.Every > 0 }

// WriteDue writes a checkpoint if the last delivered one is older than Every.
func (s *Service) WriteDue(ctx context.Context) error {
	last, found, err := s.Store.LastCheckpoint(ctx)
	if err != nil || found && time.Since(last.At).Abs() < s.Every { // a clock may have been put back
		return err
	}
	if _, err = s.Write(ctx, models.System); errors.Is(err, ErrBusy) {
		return nil
	}
	return err
}

// Write writes a checkpoint, in one instance at a time, and delivers it to the folder. The database records it first, so if the
// folder has a checkpoint that the database does not know, the database is older. If Write returns a checkpoint with an error,
// the checkpoint was recorded but not delivered.
func (s *Service) Write(ctx context.Context, by models.Actor) (cp models.Checkpoint, err error) {
	if !s.Configured() {
		return cp, ErrNowhere
	}
	held, err := jobs.Hold(ctx, s.Store, "checkpoint", s.Holder, 30*time.Second, func(ctx context.Context) (err error) {
		cp, err = s.write(ctx, by)
		return err
	})
	if err == nil && !held {
		err = ErrBusy
	}
	return cp, err
}

func (s *Service) write(ctx context.Context, by models.Actor) (cp models.Checkpoint, err error) {
	if err := s.Look(ctx); err != nil { // afterwards, the newest checkpoint is this one
		return cp, err
	}
	if err := os.MkdirAll(s.Dir, 0o750); err != nil {
		return cp, fmt.Errorf("the folder for checkpoints: %w", err)
	}
	// The file is created in the folder, so that it can be renamed atomically.
	file, err := os.CreateTemp(s.Dir, ".checkpoint-*.part")
	if err != nil {
		return cp, fmt.Errorf("the folder for checkpoints: %w", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if cp, err = s.Store.WriteCheckpoint(ctx, file); err != nil {
		return cp, err
	}
	if err := errors.Join(file.Chmod(0o640), file.Sync()); err != nil {
		return cp, fmt.Errorf("write checkpoint: %w", err)
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return cp, err
	}
	name := fileName(&cp)
	if err := s.Store.RecordCheckpoint(ctx, by, cp, size, name); err != nil {
		return cp, err
	}
	return cp, s.keep(ctx, file.Name(), name, cp.Number)
}

const (
	filePrefix = "checkpoint-"
	fileSuffix = ".jsonl.gz"
)

// fileName returns the name of a checkpoint's file. Names sort by time, because numbers repeat after an older state was
// restored.
func fileName(cp *models.Checkpoint) string {
	return fmt.Sprintf("%s%s-%06d%s", filePrefix, cp.At.Format("20060102T150405.000000Z"), cp.Number, fileSuffix)
}

// keep moves a checkpoint's file into the folder.
func (s *Service) keep(ctx context.Context, from, name string, number int64) error {
	if err := os.Rename(from, filepath.Join(s.Dir, name)); err != nil {
		return fmt.Errorf("the folder for checkpoints: %w", err)
	}
	folder, err := os.Open(s.Dir)
	if err != nil {
		return fmt.Errorf("the folder for checkpoints: %w", err)
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil {
		return fmt.Errorf("the folder for checkpoints: %w", err)
	}
	return s.Store.CheckpointKept(ctx, number)
}

// ErrNoFile means that a checkpoint's file is not in this instance's folder.
var ErrNoFile = errors.New("the checkpoint's file is not in the folder of this instance")

// Open opens a checkpoint's file in the folder, or returns ErrNoFile.
func (s *Service) Open(cp models.WrittenCheckpoint) (*os.File, error) {
	// The name comes from the database, which may have been manipulated, so it must be a name in the folder.
	if s.Dir == "" || cp.FileName == "" || filepath.Base(cp.FileName) != cp.FileName ||
		!strings.HasPrefix(cp.FileName, filePrefix) {
		return nil, ErrNoFile
	}
	file, err := os.Open(filepath.Join(s.Dir, cp.FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoFile
	}
	return file, err
}

// Ask requests a verification and returns its number, or the number of the current one with models.ErrVerificationUnderWay.
func (s *Service) Ask(ctx context.Context, by models.Actor) (int64, error) {
	id, err := s.Store.RequestVerification(ctx, by)
	if err == nil {
		s.requests.Wake()
	}
	return id, err
}

// verify runs a requested verification. If ctx ends first, the verification starts again later.
func (s *Service) verify(ctx context.Context, id int64) error {
	open, failed := s.Store.BeginJob(ctx, models.VerificationJobs, id)
	if failed != nil && !errors.Is(failed, models.ErrJobTries) || failed == nil && !open {
		return failed
	}
	var v models.Verification
	if failed == nil {
		v, failed = s.verifyWhole(ctx, id)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if failed == nil && !v.OK() {
		s.Log.Error("The ledger does not verify.", "verification", id, "faults", v.Faults())
	}
	return s.Store.EndVerification(ctx, id, v, failed)
}

// rest is the ratio of a verification's pauses to its work, so that it takes at most a quarter of a processor from callbacks.
const rest = 3

// verifyWhole verifies everything, also against the newest checkpoint in the folder if there is one.
func (s *Service) verifyWhole(ctx context.Context, id int64) (models.Verification, error) {
	var checkpoint *models.CheckpointReader
	names, err := s.checkpointFiles()
	if err == nil && len(names) > 0 {
		var file *os.File
		if file, checkpoint, err = s.openFile(names[0]); err == nil {
			defer file.Close()
		}
	}
	if err != nil {
		return models.Verification{}, fmt.Errorf("the newest checkpoint, %w", err)
	}
	expected, err := s.Store.ExpectedLines(ctx)
	if err == nil {
		err = s.Store.NoteVerification(ctx, id, 0, expected)
	}
	if err != nil {
		return models.Verification{}, err
	}
	note := jobs.Noting(ctx, time.Second, func(ctx context.Context, read int64) (bool, error) {
		return true, s.Store.NoteVerification(ctx, id, read, expected)
	})
	return s.Store.VerifyGently(ctx, checkpoint, rest, func(read int64) {
		if err := note(read); err != nil && ctx.Err() == nil {
			s.Log.Warn("A verification's progress could not be stored.", "error", err)
		}
	})
}
