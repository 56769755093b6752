package bonus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"pitboss/app/jobs"
	"pitboss/app/platform"
	"pitboss/models"
)

// Upload is a file of grants with what is common to its lines.
type Upload struct {
	FileName string
	Contents []byte
	Reason   string
	Role     models.Role // whose limits apply
	Again    bool        // although this file was granted before, and to players with a grant of unknown outcome
	Repeats  int64       // with Again, the newest import of this file that whoever asks has seen; 0 for any
}

// maxLines is how many lines a file may have.
const maxLines = 100_000

// Check reads a file of grants and returns its lines, or what is wrong with each bad one. Nothing is kept.
func (s *Service) Check(ctx context.Context, by models.Actor, u Upload) ([]models.GrantLine, []models.LineError, error) {
	lines, bad, err := models.ReadGrants(bytes.NewReader(u.Contents))
	switch {
	case err != nil:
		return nil, nil, err
	case len(lines)+len(bad) == 0:
		return nil, nil, errors.New("the file has a header and no lines")
	case len(lines) > maxLines:
		return nil, nil, fmt.Errorf("the file has %d lines; at most %d are granted from one file", len(lines), maxLines)
	}
	impossible, err := s.Store.CheckGrantLines(ctx, by, u.Role, u.Again, lines)
	bad = append(bad, impossible...)
	slices.SortStableFunc(bad, func(a, b models.LineError) int { return a.Line - b.Line })
	return lines, bad, err
}

// Create checks a file whole and keeps it, ready to run, or returns what is wrong with its lines and keeps nothing. It sends nothing: see
// Run. A file that was kept before is refused with a models.ImportedError unless u.Again.
func (s *Service) Create(ctx context.Context, by models.Actor, u Upload) (models.GrantImport, []models.LineError, error) {
	if !u.Again { // the reason that explains all others
		before, found, err := s.Store.GrantImportOf(ctx, Digest(u.Contents))
		if err == nil && found {
			err = models.ImportedError{ID: before.ID, At: before.At}
		}
		if err != nil {
			return models.GrantImport{}, nil, err
		}
	}
	lines, bad, err := s.Check(ctx, by, u)
	if err != nil || len(bad) > 0 {
		return models.GrantImport{}, bad, err
	}
	return s.Store.CreateGrantImport(ctx, by, models.GrantImport{
		Role: u.Role, FileName: u.FileName, Digest: Digest(u.Contents), Reason: u.Reason, Again: u.Again, Repeats: u.Repeats,
	}, lines)
}

// Digest names a file by its contents.
func Digest(contents []byte) string {
	sum := sha256.Sum256(contents)
	return hex.EncodeToString(sum[:])
}

// ErrElsewhere is returned by Run while another instance is at an import.
var ErrElsewhere = errors.New("another instance is granting this file")

// importBatch is how many lines are looked up at a time, and after how many it is seen that an import was paused.
const importBatch = 20

// Run grants the lines of an import that have no outcome yet, one after the other, until all have one, the import is paused or stopped, or
// ctx ends: the line under way is finished first. Each line has one grant at most, which is sent at most once, however often and wherever
// Run is called. Lines that were under way when a former run was killed become unknown. While the circuit to the platform is open nothing
// is sent, and Run waits. When a slow database costs Run its lease, it asks for it again and goes on, unless another instance has taken over:
// then it returns ErrElsewhere. progress, where given, is called after each line. It returns the import as it is then.
func (s *Service) Run(ctx context.Context, id int64, progress func(models.GrantImport)) (models.GrantImport, error) {
	imp, found, err := s.Store.GrantImport(ctx, id)
	if err == nil && !found {
		err = models.ErrImportUnknown
	}
	if err != nil {
		return imp, err
	}
	var held bool
	for lost := true; lost; lost = errors.Is(err, jobs.ErrLeaseLost) && ctx.Err() == nil {
		held, err = jobs.Hold(ctx, s.Store, fmt.Sprintf("grant import %d", id), s.Holder, s.LeaseTTL, func(ctx context.Context) error {
			return s.run(ctx, imp, progress)
		})
	}
	if err == nil && !held {
		err = ErrElsewhere
	}
	after, _, readErr := s.Store.GrantImport(context.WithoutCancel(ctx), id)
	return after, errors.Join(err, readErr)
}

func (s *Service) run(ctx context.Context, imp models.GrantImport, progress func(models.GrantImport)) error {
	if imp.State != models.ImportRunning {
		return nil
	}
	by := models.Actor{Name: imp.Actor, Channel: models.ChannelSystem} // who asked for it; the program does it
	if err := s.Store.CloseImportInFlight(ctx, imp.ID); err != nil {
		return err
	}
	for {
		current, _, err := s.Store.GrantImport(ctx, imp.ID)
		if err != nil || current.State != models.ImportRunning {
			return err
		}
		lines, _, err := s.Store.ImportLines(ctx, models.ImportLineFilter{ImportID: imp.ID, ToGo: true, Limit: importBatch})
		if err != nil {
			return err
		}
		if len(lines) == 0 {
			return s.Store.SetImportState(ctx, models.System, imp.ID, models.ImportFinished, "")
		}
		for _, line := range lines {
			if err := s.awaitPlatform(ctx); err != nil {
				return err
			}
			outcome, err := s.runLine(ctx, by, imp, line)
			if err != nil {
				return err
			}
			tally(&current, outcome, line.Spins)
			if progress != nil {
				progress(current)
			}
		}
	}
}

// runLine grants one line and returns the state that it has then.
func (s *Service) runLine(ctx context.Context, by models.Actor, imp models.GrantImport, line models.ImportLine) (models.GrantState, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	g, err := s.Store.RequestImportLine(ctx, by, imp, line)
	if err != nil {
		return 0, err
	}
	if g.ID == 0 {
		return models.GrantRefused, nil
	}
	g, err = s.send(ctx, by, g)
	if errors.Is(err, models.ErrGrantState) { // somebody else has sent it
		return 0, nil
	}
	return g.State, err
}

// tally moves a line from those to go to those of its outcome.
func tally(imp *models.GrantImport, outcome models.GrantState, spins int64) {
	count := map[models.GrantState]*models.ImportCount{
		models.GrantActive: &imp.Granted, models.GrantRefused: &imp.Refused, models.GrantUnknown: &imp.Unknown,
	}[outcome]
	if count == nil {
		return
	}
	count.Lines, count.Spins = count.Lines+1, count.Spins+spins
	imp.ToGo.Lines, imp.ToGo.Spins = imp.ToGo.Lines-1, imp.ToGo.Spins-spins
}

// awaitPlatform waits until calls are sent: an outage holds an import up and does not use its lines up.
func (s *Service) awaitPlatform(ctx context.Context) error {
	for {
		err := s.Platform.Probe(ctx, platform.CallAssignFreeSpin)
		if err == nil {
			return nil
		}
		pause := time.NewTimer(time.Second)
		select {
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		case <-pause.C:
		}
	}
}

// Pause halts an import after the line under way; Resume lets it go on; Stop ends it for good: the lines to go are never sent. They return
// models.ErrImportUnknown or ErrImportEnded.
func (s *Service) Pause(ctx context.Context, by models.Actor, id int64, reason string) error {
	return s.Store.SetImportState(ctx, by, id, models.ImportPaused, reason)
}

// Resume lets a paused import go on.
func (s *Service) Resume(ctx context.Context, by models.Actor, id int64, reason string) error {
	return s.Store.SetImportState(ctx, by, id, models.ImportRunning, reason)
}

// Stop ends an import for good.
func (s *Service) Stop(ctx context.Context, by models.Actor, id int64, reason string) error {
	return s.Store.SetImportState(ctx, by, id, models.ImportStopped, reason)
}

// runImports goes on with the oldest import that is running and that nobody is at.
func (s *Service) runImports(ctx context.Context) error {
	running, _, err := s.Store.GrantImports(ctx, models.ImportFilter{State: models.ImportRunning, Limit: 100})
	if err != nil {
		return err
	}
	for i := len(running) - 1; i >= 0; i-- {
		if _, err := s.Run(ctx, running[i].ID, nil); err != nil && !errors.Is(err, ErrElsewhere) {
			return err
		}
	}
	return nil
}
