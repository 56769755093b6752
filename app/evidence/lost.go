package evidence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pitboss/models"
)

// If an older state of the database was restored, the checkpoint folder has files that the database does not know. Every
// instance checks this at its start and once per minute, and reports it until the restore is declared (pitboss restore
// declare). It also pauses campaigns and voids waiting ones, which could grant again what was granted after the
// backup.

// checkpointFiles returns the names of the checkpoints in the folder, newest first.
func (s *Service) checkpointFiles() (names []string, err error) {
	if s.Dir == "" {
		return nil, nil
	}
	list, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the folder for checkpoints: %w", err)
	}
	for _, entry := range list {
		if name := entry.Name(); strings.HasPrefix(name, filePrefix) && strings.HasSuffix(name, fileSuffix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names, nil
}

// Checkpoints are open checkpoint files.
type Checkpoints []models.LostFile

// Close closes the files.
func (c Checkpoints) Close() {
	for _, f := range c {
		f.File.Close()
	}
}

// Lost opens the checkpoints in the folder that this ledger's key has signed and that the database does not know, newest first:
// somebody has restored an older state and not declared it. It ignores files of other ledgers.
func (s *Service) Lost(ctx context.Context) (lost Checkpoints, err error) {
	names, err := s.checkpointFiles()
	if err != nil || len(names) == 0 {
		return nil, err
	}
	known, err := s.Store.KnownCheckpoints(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			lost.Close()
			lost = nil
		}
	}()
	for _, name := range names {
		if known.Files[name] {
			continue
		}
		f, err := s.OpenFile(filepath.Join(s.Dir, name))
		switch {
		case errors.Is(err, models.ErrCheckpointKey), errors.Is(err, models.ErrCheckpointBroken), errors.Is(err, fs.ErrNotExist):
			continue // of another ledger, or still being copied
		case err != nil:
			return lost, err
		}
		if known.Digests[fmt.Sprintf("%x", f.Digest)] {
			f.File.Close()
			continue
		}
		lost = append(lost, f)
	}
	return lost, nil
}

// OpenFile opens a checkpoint's file. It returns the errors of models.OpenCheckpoint.
func (s *Service) OpenFile(path string) (models.LostFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return models.LostFile{}, err
	}
	r, err := s.Store.OpenCheckpoint(file)
	if err != nil {
		file.Close()
		return models.LostFile{}, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return models.LostFile{CheckpointReader: r, Name: filepath.Base(path), File: file}, nil
}

// Base opens the newest checkpoint in the folder that the database knows, or returns false if there is none.
func (s *Service) Base(ctx context.Context) (base models.LostFile, found bool, err error) {
	names, err := s.checkpointFiles()
	if err != nil {
		return base, false, err
	}
	for _, name := range names {
		f, err := s.OpenFile(filepath.Join(s.Dir, name))
		if errors.Is(err, models.ErrCheckpointBroken) || errors.Is(err, models.ErrCheckpointKey) {
			continue
		}
		if err != nil {
			return base, false, err
		}
		known, err := s.Store.HasCheckpoint(ctx, f.Checkpoint)
		if err != nil || known {
			return f, known, err
		}
		f.File.Close()
	}
	return base, false, nil
}

// Undeclared returns the checkpoints that the database did not know at the last Look, newest first.
func (s *Service) Undeclared() []models.Checkpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.undeclared
}

// Look looks for checkpoints that the database does not know, and logs when that changes. When it finds one, it pauses campaigns
// of grants and voids waiting ones.
func (s *Service) Look(ctx context.Context) error {
	list, err := s.unknown(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	hold := len(list) > 0 && list[0].Digest != s.heldFor
	s.mu.Unlock()
	if hold {
		// Another node of Galera may have written the checkpoint a moment ago.
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
		if list, err = s.unknown(ctx); err != nil {
			return err
		}
	}
	s.mu.Lock()
	before := s.undeclared
	s.undeclared = list
	s.mu.Unlock()
	if hold && len(list) > 0 {
		s.hold(ctx, list[0].Digest)
	}
	switch {
	case len(list) > 0 && (len(before) == 0 || before[0].Digest != list[0].Digest):
		s.Log.Error("The checkpoint folder has a later state than the database: an older one was restored, or the end of a "+
			"chain was deleted. "+
			"Run pitboss restore plan, then pitboss restore declare.", "checkpoint", list[0].Number, "written", list[0].At,
			"files", len(list))
	case len(list) == 0 && len(before) > 0:
		s.Log.Info("The database knows every checkpoint in the folder again, or a restore was declared.")
	}
	return nil
}

// unknown returns the checkpoints of Lost.
func (s *Service) unknown(ctx context.Context) ([]models.Checkpoint, error) {
	lost, err := s.Lost(ctx)
	if err != nil {
		return nil, err
	}
	defer lost.Close()
	list := make([]models.Checkpoint, len(lost))
	for i, f := range lost {
		list[i] = f.Checkpoint
	}
	return list, nil
}

// hold pauses campaigns and voids waiting ones, because an older state of the database was restored. If that
// fails, the next Look tries it again.
func (s *Service) hold(ctx context.Context, newest models.Hash) {
	campaigns, err := s.Store.PauseCampaigns(ctx, models.System)
	for _, id := range campaigns {
		s.Log.Warn("a campaign is paused, because an older state of the database was restored.", "campaign", id)
	}
	void, voidErr := s.Store.VoidCampaigns(ctx)
	for _, id := range void {
		s.Log.Warn("A campaign that waited for approval is void, because an older state of the database was restored.",
			"campaign", id)
	}
	if err := errors.Join(err, voidErr); err != nil {
		s.Log.Error("An older state of the database was restored, and some campaigns could not be paused or "+
			"voided. This is tried again in a minute.", "error", err)
		return
	}
	s.mu.Lock()
	s.heldFor = newest
	s.mu.Unlock()
}
