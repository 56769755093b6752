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

	"pitboss/models"
)

// An older state of the database that was restored shows in the folder for checkpoints: it has files that the database does not
// know. Every instance looks when it starts and once a minute, and says so until the restore is declared (pitboss restore
// declare).

// checkpointFiles lists the names of the checkpoints in the folder, the newest first.
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

// Checkpoints are files that are open.
type Checkpoints []models.LostFile

// Close closes the files.
func (c Checkpoints) Close() {
	for _, f := range c {
		f.File.Close()
	}
}

// Lost opens the checkpoints in the folder that this ledger's key has signed and the database does not know, the newest first.
// Somebody has restored an older state, and has not declared it. Files of other ledgers are none of these.
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
		if known.File(name) || s.isForeign(name) {
			continue
		}
		f, err := s.OpenFile(filepath.Join(s.Dir, name))
		switch {
		case errors.Is(err, models.ErrCheckpointBroken), errors.Is(err, models.ErrCheckpointKey),
			errors.Is(err, fs.ErrNotExist):
			s.setForeign(name)
			continue
		case err != nil:
			return lost, err
		}
		if known.Digest(f.Digest) {
			f.File.Close()
			continue
		}
		lost = append(lost, f)
	}
	return lost, nil
}

// OpenFile opens a checkpoint's file. The errors are those of models.OpenCheckpoint.
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

// Base opens the newest checkpoint in the folder that the database knows; false means that there is none.
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
		known, err := s.Store.KnowsCheckpoint(ctx, f.Checkpoint)
		if err != nil || known {
			return f, known, err
		}
		f.File.Close()
	}
	return base, false, nil
}

func (s *Service) isForeign(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.foreign[name]
}

func (s *Service) setForeign(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.foreign[name] = true
}

// Undeclared returns the checkpoints that the database did not know when this instance looked last, the newest first.
func (s *Service) Undeclared() []models.Checkpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.undeclared
}

// Look looks for checkpoints that the database does not know, and has those who run the program hear of it when that changes.
func (s *Service) Look(ctx context.Context) error {
	lost, err := s.Lost(ctx)
	if err != nil {
		return err
	}
	defer lost.Close()
	list := make([]models.Checkpoint, len(lost))
	for i, f := range lost {
		list[i] = f.Checkpoint
	}
	s.mu.Lock()
	before := s.undeclared
	s.undeclared = list
	s.mu.Unlock()
	switch {
	case len(list) > 0 && (len(before) == 0 || before[0].Digest != list[0].Digest):
		s.Log.Error("The folder for checkpoints knows a later state of the database: an older one was restored, or somebody "+
			"cut its end off. "+
			"Run pitboss restore plan, then pitboss restore declare.", "checkpoint", list[0].Number, "written", list[0].At,
			"files", len(list))
	case len(list) == 0 && len(before) > 0:
		s.Log.Info("The database knows every checkpoint in the folder again, or a restore was declared.")
	}
	return nil
}
