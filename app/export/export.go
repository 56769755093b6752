package export

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"syscall"
	"time"

	"pitboss/app/jobs"
	"pitboss/models"
	"pitboss/models/store"
)

// An export is a request of app/jobs: one instance writes two exports at a time, and the others after them. Its row has what to
// read: the list's path, the filters, and who requested it. So if that instance ends, another begins the export again. The file
// is written into the database, so that each instance has it, and is deleted when its time is over.

// Config configures a Service.
type Config struct {
	Store *store.Store
	// List returns what an export has to write, or an Error. The site sets it.
	List func(context.Context, models.Export) (List, error)
	Log  *slog.Logger // nil means no log
}

// Service writes exports.
type Service struct {
	Config
	requests *jobs.Requests
}

// List is what to export.
type List struct {
	About   []Remark // information about the file besides its filters
	Columns []Column
	// Read calls page with the list's rows, page by page, and returns its error. It may read as many rows at once as it likes,
	// but its memory must not grow with the list.
	Read func(ctx context.Context, page func(Page) error) error
	// File writes the whole file itself, and calls note with its progress. It is nil for a list, which is written from Columns
	// and Read.
	File func(ctx context.Context, to io.Writer, note func(models.ExportProgress) error) error
}

// Page is some rows of a list, and how much of the list has been read with them.
type Page struct {
	Rows     []Row
	Reached  time.Time
	Permille int
}

const (
	atOnce   = 2
	notes    = time.Second // between two updates of progress
	tidies   = time.Minute
	farewell = 10 * time.Second
)

// Error is why an export failed, in words for the person who requested it.
type Error string

// Error returns the words.
func (e Error) Error() string { return string(e) }

const (
	errFailed = Error("Something failed during the export. Bets and wins are not affected. Request the export again. If it " +
		"fails again, ask an administrator to look at the log.")
	errCutOff = Error("Pitboss stopped, or lost the database, five times while the file was being written. Nothing is wrong " +
		"with the data. Export fewer rows, or ask an administrator to look at the log.")
	errFull   = Error("The disk for temporary files is full. Ask an administrator to free space, then request the export again.")
	errNoRoom = Error("The database has no space left for the file. Bets and wins may fail too. Ask an administrator to free " +
		"space, then request the export again.")
	errXLSXFull = Error("An XLSX file has at most 1,048,575 rows. Export fewer rows, or choose CSV.")
	errLong     = Error("The file would have more than 10 GB, the most that is kept. Export fewer rows.")
)

// New returns a service. Its Jobs do the work.
func New(cfg Config) *Service {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{Config: cfg}
	s.requests = jobs.NewRequests(jobs.Requests{Name: "exports", AtOnce: atOnce, Do: s.write, Log: cfg.Log,
		Open: func(ctx context.Context) ([]int64, error) { return s.Store.OpenJobs(ctx, models.ExportJobs) }})
	return s
}

// Ask stores a request for an export. by and e say who requested what. It returns the errors of Store.CreateExport.
func (s *Service) Ask(ctx context.Context, by models.Actor, e models.Export) (models.Export, error) {
	made, err := s.Store.CreateExport(ctx, by, e)
	if err == nil {
		s.requests.Wake()
	}
	return made, err
}

// Jobs write requested exports and delete old files.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{s.requests.Job(), {Name: "old files", Every: tidies, Work: s.Store.DeleteOldFiles}}
}

// write writes one export. Its row ends with a file or with why there is none, unless ctx ends: then the export is begun again.
func (s *Service) write(ctx context.Context, id int64) error {
	open, err := s.Store.BeginJob(ctx, models.ExportJobs, id)
	if errors.Is(err, models.ErrJobTries) {
		err = errCutOff
	} else if err != nil || !open {
		return err
	}
	var o models.ExportOutcome
	if err == nil {
		o, err = s.file(ctx, id)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	wanted := err == nil
	if err != nil && ctx.Err() == nil && !errors.Is(err, jobs.ErrStopped) {
		s.Log.Error("An export failed.", "export", id, "error", err)
		_, err = s.Store.FinishExport(ending, id, models.ExportOutcome{ExportProgress: o.ExportProgress, Failure: words(err)})
	} else if err == nil {
		wanted, err = s.Store.FinishExport(ending, id, o)
	}
	if !wanted && o.File != "" {
		err = errors.Join(err, s.Store.DeleteFile(ending, o.File))
	}
	if errors.Is(err, jobs.ErrStopped) {
		return nil
	}
	return err
}

// words returns why an export failed, for people who must not see the error itself.
func words(err error) string {
	var known Error
	switch {
	case errors.As(err, &known):
		return string(known)
	case errors.Is(err, models.ErrNoRoom):
		return string(errNoRoom)
	case errors.Is(err, syscall.ENOSPC):
		return string(errFull)
	}
	return string(errFailed)
}

// file writes an export's file into the database. It returns the file's ID even if it fails.
func (s *Service) file(ctx context.Context, id int64) (o models.ExportOutcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("export: panic: %v", p)
		}
	}()
	e, _, err := s.Store.Export(ctx, id)
	if err != nil {
		return o, err
	}
	list, err := s.List(ctx, e)
	if err != nil {
		return o, err
	}
	file := s.Store.NewFile(ctx)
	o.File = file.ID
	sum, counted := sha256.New(), &counter{}
	buffer := bufio.NewWriterSize(io.MultiWriter(counted, sum, file), 64<<10)
	note := jobs.Noting(ctx, notes, func(ctx context.Context, p models.ExportProgress) (bool, error) {
		return s.Store.NoteExport(ctx, id, p)
	})
	noted := func(p models.ExportProgress) error {
		o.ExportProgress = p
		return note(p)
	}
	if list.File != nil {
		err = list.File(ctx, buffer, noted)
	} else {
		zone, wrong := time.LoadLocation(e.Zone)
		if wrong != nil {
			zone = time.UTC
		}
		head := Head{Title: e.Title, Filters: e.Filters, About: list.About, Actor: e.Actor, At: e.At, Zone: zone}
		_, err = Write(ctx, buffer, e.Format, head, list, noted)
	}
	if err == nil {
		err = buffer.Flush()
	}
	if err == nil {
		err = file.Close()
	}
	o.Bytes, o.Digest = counted.n, hex.EncodeToString(sum.Sum(nil))
	return o, err
}

// Write writes the file of a list and returns its number of rows. It calls note with its progress, and stops if note returns an error.
func Write(ctx context.Context, to io.Writer, format models.ExportFormat, head Head, list List,
	note func(models.ExportProgress) error) (rows int64, err error) {
	var w writer
	if format == models.XLSX {
		w, err = newXLSX(to, head, list.Columns)
	} else {
		w, err = newCSV(to, head, list.Columns)
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	err = list.Read(ctx, func(page Page) error {
		for _, r := range page.Rows {
			if err := w.row(r); err != nil {
				return err
			}
		}
		rows += int64(len(page.Rows))
		return note(models.ExportProgress{Rows: rows, Reached: page.Reached, Permille: page.Permille})
	})
	if err != nil {
		return rows, err
	}
	return rows, w.finish(rows)
}

// counter counts the bytes of a file, and refuses more than are kept.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	if c.n += int64(len(p)); c.n > models.MaxExportBytes {
		return 0, errLong
	}
	return len(p), nil
}
