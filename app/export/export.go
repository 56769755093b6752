package export

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"pitboss/app/folder"
	"pitboss/models"
)

// An export is written by the instance that got the request, two at a time and the others after them. In the meantime, its row
// says how far it has come, and the instance reports that it is alive. If it stops reporting, any instance marks the export as
// failed, and it can be requested again. An export is never resumed, because a file has to be read in one go.
//
// Files are in a folder. Several instances share it, or each has its own. In the latter case a file can only be downloaded from
// the instance that wrote it, so the load balancer has to keep a browser on one instance. The folder has an ID, which is stored
// in the row, so that an instance knows whether it has a file. Each instance deletes expired files from its folder.

// Store is where exports are stored. models/store implements it.
type Store interface {
	CreateExport(ctx context.Context, by models.Actor, e models.Export) (models.Export, error)
	StartExport(ctx context.Context, id int64) (bool, error)
	NoteExport(ctx context.Context, id int64, p models.ExportProgress) (bool, error)
	FinishExport(ctx context.Context, id int64, o models.ExportOutcome) (bool, error)
	SeeExports(ctx context.Context, holder string, ids []int64) error
	FailAbandonedExports(ctx context.Context, before time.Time, why string) (int, error)
	ExpireExports(ctx context.Context) error
	Export(ctx context.Context, id int64) (models.Export, bool, error)
}

// Config configures a Service.
type Config struct {
	Store Store
	Dir   string           // the folder for files, created if missing
	Log   *slog.Logger     // nil means no log
	Now   func() time.Time // nil means the system's clock
	// Tick returns a channel that receives at intervals, and a function that stops it; nil means a time.Ticker.
	Tick func(every time.Duration) (tick <-chan time.Time, stop func())
}

// Service writes exports.
type Service struct {
	Config
	holder string // this run of the program
	queue  chan job

	mu    sync.Mutex
	under map[int64]bool // the exports that wait in the queue or are being written
}

type job struct {
	export models.Export
	list   List
}

// List is what to export.
type List struct {
	About   []Remark // information about the file besides its filters
	Columns []Column
	// Read calls page with the list's rows, page by page, and returns its error. It may read as many rows at once as it likes,
	// but its memory must not grow with the list.
	Read func(ctx context.Context, page func(Page) error) error
	// Sums returns the totals of what Read has read so far; nil for none.
	Sums func() []Sum
	// File writes the whole file itself, with a folder for temporary files, and calls note with its progress. It is nil for a
	// list, which is written from Columns and Read.
	File func(ctx context.Context, to io.Writer, temporary string, note func(models.ExportProgress) error) error
}

// Page is some rows of a list, and how much of the list has been read with them.
type Page struct {
	Rows     []Row
	Reached  time.Time
	Permille int
}

// Limits and intervals of the work.
const (
	atOnce    = 2
	waiting   = 100              // requests in memory; more are refused
	notes     = time.Second      // between two updates of progress
	life      = 20 * time.Second // between two reports that the instance is alive
	abandoned = 2 * time.Minute  // without a report
	farewell  = 10 * time.Second
)

// Why an export failed, in words.
const (
	interrupted = "Pitboss stopped, or lost the database, while the file was being written. Nothing is wrong with the " +
		"data. Request the export again."
	full = "The disk with the folder of exports is full. Ask an administrator to free space, then request the " +
		"export again."
	unwritable = "The folder of exports (PITBOSS_EXPORT_DIR) cannot be written to. Ask an administrator, then request the " +
		"export again."
	failed = "Something failed during the export. The log has the error. Bets and wins are not affected. Request " +
		"the export again."
)

// ErrBusy means that too many exports are waiting.
var ErrBusy = errors.New("too many exports are waiting: try again in a few minutes")

// ErrElsewhere means that the file is in another instance's folder.
var ErrElsewhere = errors.New("the file is in another instance's folder")

// New returns a service. Run does its work.
func New(cfg Config) *Service {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Tick == nil {
		cfg.Tick = func(every time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(every)
			return t.C, t.Stop
		}
	}
	return &Service{Config: cfg, holder: rand.Text(), queue: make(chan job, waiting), under: map[int64]bool{}}
}

// Ask stores a request for an export and queues it. by and e say who requested what; list is its contents. It returns ErrBusy,
// or models.ErrExportsWaiting if too many exports of the same person are in progress.
func (s *Service) Ask(ctx context.Context, by models.Actor, e models.Export, list List) (models.Export, error) {
	if len(s.queue) == cap(s.queue) {
		return models.Export{}, ErrBusy
	}
	e.Holder = s.holder
	made, err := s.Store.CreateExport(ctx, by, e)
	if err != nil {
		return models.Export{}, err
	}
	s.work(made.ID, true)
	select {
	case s.queue <- job{export: made, list: list}:
		return made, nil
	default:
		s.work(made.ID, false)
		_, err := s.Store.FinishExport(ctx, made.ID, models.ExportOutcome{Failure: sentence(ErrBusy)})
		return made, errors.Join(ErrBusy, err)
	}
}

// work notes whether this instance works on an export. One that nobody works on is failed after a while, even if its outcome
// could not be stored.
func (s *Service) work(id int64, under bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if under {
		s.under[id] = true
	} else {
		delete(s.under, id)
	}
}

func sentence(err error) string {
	s := err.Error()
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// Run writes requested exports and deletes expired files until ctx ends. Exports in progress are then marked as failed.
func (s *Service) Run(ctx context.Context) {
	var group errgroup.Group
	for range atOnce {
		group.Go(func() error {
			for {
				select {
				case <-ctx.Done():
					return nil
				case j := <-s.queue:
					s.write(ctx, j)
				}
			}
		})
	}
	group.Go(func() error {
		tick, stop := s.Tick(life)
		defer stop()
		for {
			if err := s.tidy(ctx); err != nil && ctx.Err() == nil {
				s.Log.Error("Cleaning up exports failed.", "error", err)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-tick:
			}
		}
	})
	group.Wait()
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	for {
		select {
		case j := <-s.queue:
			s.end(leaving, j.export.ID, models.ExportOutcome{Failure: interrupted})
		default:
			return
		}
	}
}

// tidy reports which exports this instance works on, fails abandoned exports, and deletes expired files.
func (s *Service) tidy(ctx context.Context) error {
	s.mu.Lock()
	under := slices.Collect(maps.Keys(s.under))
	s.mu.Unlock()
	if err := s.Store.SeeExports(ctx, s.holder, under); err != nil {
		return err
	}
	if _, err := s.Store.FailAbandonedExports(ctx, s.Now().Add(-abandoned), interrupted); err != nil {
		return err
	}
	if err := s.Store.ExpireExports(ctx); err != nil {
		return err
	}
	return s.sweep(ctx)
}

// sweep deletes files from the folder that no row refers to.
func (s *Service) sweep(ctx context.Context) error {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the folder of exports: %w", err)
	}
	for _, entry := range entries {
		id, ours := numberOf(entry.Name())
		if !ours {
			continue
		}
		e, found, err := s.Store.Export(ctx, id)
		if errors.As(err, new(models.TamperedError)) {
			continue // nobody can download the file; it is kept until somebody has looked into it
		}
		if err != nil {
			return err
		}
		if found && (e.State.Under() || e.State == models.ExportReady && e.File == entry.Name()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(s.Dir, entry.Name())); err != nil {
			return fmt.Errorf("delete the file of export %d: %w", id, err)
		}
	}
	return nil
}

// Files are named export-NUMBER-RANDOM, with the format's extension when ready. Temporary files are in a folder of that name
// without an extension.
const prefix = "export-"

func numberOf(name string) (int64, bool) {
	rest, ours := strings.CutPrefix(name, prefix)
	number, _, parts := strings.Cut(rest, "-")
	id, err := strconv.ParseInt(number, 10, 64)
	return id, ours && parts && err == nil
}

// markFile is the file with the folder's ID.
const markFile = ".pitboss-exports"

// place creates the folder if necessary and returns its ID.
func (s *Service) place() (string, error) { return folder.Name(s.Dir, markFile) }

// errStopped ends the writing of an export that was deleted in the meantime.
var errStopped = errors.New("export: it was deleted")

// write writes one export. Whatever happens, its row ends with a file or with why there is none.
func (s *Service) write(ctx context.Context, j job) {
	id := j.export.ID
	defer s.work(id, false)
	mine, err := s.Store.StartExport(ctx, id)
	if err == nil && !mine {
		return // it was deleted while waiting
	}
	var o models.ExportOutcome
	if err == nil {
		o, err = s.file(ctx, j)
	}
	if errors.Is(err, errStopped) {
		return
	}
	if err != nil {
		o = models.ExportOutcome{ExportProgress: o.ExportProgress, Failure: words(ctx, err)}
		s.Log.Error("An export failed.", "export", id, "list", j.export.List, "error", err)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	s.end(ending, id, o)
}

// words returns why an export failed, for people who must not see the error itself.
func words(ctx context.Context, err error) string {
	var path *fs.PathError
	switch {
	case ctx.Err() != nil:
		return interrupted
	case errors.Is(err, syscall.ENOSPC):
		return full
	case errors.As(err, &path):
		return unwritable
	}
	return failed
}

// end stores an outcome, and tries again until ctx ends. If that fails, it leaves the file to sweep, because the row may want it.
func (s *Service) end(ctx context.Context, id int64, o models.ExportOutcome) {
	for {
		finished, err := s.Store.FinishExport(ctx, id, o)
		if err == nil && !finished && o.File != "" { // it was deleted
			os.Remove(filepath.Join(s.Dir, o.File))
		}
		if err == nil {
			return
		}
		s.Log.Error("The outcome of an export could not be stored.", "export", id, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
}

// file writes an export's file.
func (s *Service) file(ctx context.Context, j job) (o models.ExportOutcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("export: panic: %v", p)
		}
	}()
	if o.Folder, err = s.place(); err != nil {
		return o, err
	}
	name := prefix + strconv.FormatInt(j.export.ID, 10) + "-" + rand.Text()
	work := filepath.Join(s.Dir, name)
	if err := os.Mkdir(work, 0o700); err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	part := filepath.Join(work, "file")
	if err := s.fill(ctx, j, part, work, &o); err != nil {
		return o, err
	}
	o.File = name + "." + string(j.export.Format)
	return o, os.Rename(part, filepath.Join(s.Dir, o.File))
}

func (s *Service) fill(ctx context.Context, j job, path, temporary string, o *models.ExportOutcome) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := sha256.New()
	counted := &counter{}
	buffer := bufio.NewWriterSize(io.MultiWriter(f, sum, counted, until{ctx}), 256<<10)
	if j.list.File != nil {
		err = j.list.File(ctx, buffer, temporary, s.noting(ctx, j.export.ID, &o.ExportProgress))
	} else {
		err = s.fillList(ctx, j, buffer, temporary, &o.ExportProgress)
	}
	if err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	o.Bytes, o.Digest = counted.n, hex.EncodeToString(sum.Sum(nil))
	return f.Sync()
}

// fillList writes the file of a list.
func (s *Service) fillList(ctx context.Context, j job, buffer io.Writer, temporary string,
	p *models.ExportProgress) (err error) {
	zone, err := time.LoadLocation(j.export.Zone)
	if err != nil {
		zone = time.UTC
	}
	head := Head{Title: j.export.Title, Filters: j.export.Filters, About: j.list.About, Actor: j.export.Actor, At: j.export.At,
		Zone: zone}
	var w writer
	if j.export.Format == models.XLSX {
		w, err = newXLSX(buffer, head, j.list.Columns, temporary)
	} else {
		w, err = newCSV(buffer, head, j.list.Columns)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := s.rows(ctx, j, w, p); err != nil {
		return err
	}
	var sums []Sum
	if j.list.Sums != nil {
		sums = j.list.Sums()
	}
	return w.finish(p.Rows, sums)
}

// rows writes the list's rows, and updates the progress from time to time.
func (s *Service) rows(ctx context.Context, j job, w writer, p *models.ExportProgress) error {
	note := s.noting(ctx, j.export.ID, p)
	return j.list.Read(ctx, func(page Page) error {
		for _, r := range page.Rows {
			if err := w.row(r); err != nil {
				return err
			}
		}
		return note(models.ExportProgress{Rows: p.Rows + int64(len(page.Rows)), Reached: page.Reached, Permille: page.Permille})
	})
}

// noting returns a function that notes the progress in p and, from time to time, in the export's row. It returns errStopped if
// the export was deleted.
func (s *Service) noting(ctx context.Context, id int64, p *models.ExportProgress) func(models.ExportProgress) error {
	noted := time.Now()
	return func(now models.ExportProgress) error {
		*p = now
		if time.Since(noted) < notes {
			return ctx.Err()
		}
		noted = time.Now()
		wanted, err := s.Store.NoteExport(ctx, id, now)
		if err == nil && !wanted {
			err = errStopped
		}
		return err
	}
}

// Open opens the file of a finished export for a download. It returns ErrElsewhere, or fs.ErrNotExist if the file is gone.
func (s *Service) Open(e models.Export) (*os.File, error) {
	folder, err := s.place()
	if err != nil {
		return nil, err
	}
	if folder != e.Folder {
		return nil, ErrElsewhere
	}
	if id, ours := numberOf(e.File); !ours || id != e.ID || filepath.Base(e.File) != e.File {
		return nil, fs.ErrNotExist
	}
	return os.Open(filepath.Join(s.Dir, e.File))
}

// Remove deletes the file of an export if this instance has it.
func (s *Service) Remove(e models.Export) error {
	f, err := s.Open(e)
	if errors.Is(err, ErrElsewhere) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(filepath.Join(s.Dir, e.File)))
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// until is a writer that fails once its context has ended.
type until struct{ ctx context.Context }

func (u until) Write(p []byte) (int, error) { return len(p), u.ctx.Err() }
