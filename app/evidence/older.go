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

// If a backup was restored, the database does not know the newest checkpoint in the folder. Every instance checks this when it
// starts, once a minute and before it writes a checkpoint. It records a restore in the audit log and the program's log, pauses
// campaigns and voids waiting ones, which could repeat grants made after the backup.

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

// File is a checkpoint in the folder.
type File struct {
	models.Checkpoint
	Name string
}

// newestFile returns the newest checkpoint in the folder that this ledger's key has signed; its name is empty if there is none.
// It passes over files of other ledgers.
func (s *Service) newestFile() (f File, err error) {
	names, err := s.checkpointFiles()
	for _, name := range names {
		if name == s.newest.Name {
			return s.newest, nil // it was read before
		}
		file, r, err := s.openFile(name)
		switch {
		case errors.Is(err, models.ErrCheckpointKey), errors.Is(err, models.ErrCheckpointBroken), errors.Is(err, fs.ErrNotExist):
			continue // of another ledger, or still being copied
		case err != nil:
			return f, err
		}
		file.Close()
		s.newest = File{r.Checkpoint, name}
		return s.newest, nil
	}
	return f, err
}

// openFile opens a checkpoint in the folder by its name. It returns the errors of models.OpenCheckpoint.
func (s *Service) openFile(name string) (*os.File, *models.CheckpointReader, error) {
	file, err := os.Open(filepath.Join(s.Dir, name))
	if err != nil {
		return nil, nil, err
	}
	r, err := s.Store.OpenCheckpoint(file)
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, r, nil
}

// Newer returns the newest checkpoint in the folder if the database did not know it at the last Look, or nil.
func (s *Service) Newer() *File {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newer
}

// Look checks whether the newest checkpoint in the folder is newer than the database. If so, it records that in the audit log,
// ends staff sessions, pauses campaigns and voids waiting ones. If that fails, the next Look tries again.
func (s *Service) Look(ctx context.Context) error {
	s.looking.Lock()
	defer s.looking.Unlock()
	f, err := s.newestFile()
	if err != nil {
		return err
	}
	known := f.Name == ""
	if !known {
		known, err = s.Store.HasCheckpoint(ctx, f.Number, f.Digest)
	}
	before := s.Newer()
	switch {
	case err != nil:
		return err
	case known:
		if before != nil {
			s.Log.Info("The database knows the newest checkpoint in the folder again.")
		}
		s.setNewer(nil)
		return nil
	case before != nil && before.Digest == f.Digest:
		return nil
	}
	select { // another node of Galera may have written the checkpoint a moment ago
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Second):
	}
	if known, err = s.Store.HasCheckpoint(ctx, f.Number, f.Digest); err != nil || known {
		return err
	}
	s.Log.Error("The checkpoint folder has a later state than the database: an older one was restored, or the newest rows were "+
		"deleted. Compare them: pitboss verify --checkpoint FILE, and follow Backup in the handbook.", "checkpoint", f.Number,
		"written", f.At, "file", f.Name)
	if err := s.hold(ctx, f); err != nil {
		return err
	}
	s.setNewer(&f)
	return nil
}

func (s *Service) setNewer(f *File) {
	s.mu.Lock()
	s.newer = f
	s.mu.Unlock()
}

// hold takes, once, the precautions after a restored backup.
func (s *Service) hold(ctx context.Context, f File) error {
	if done, err := s.Store.OlderStateRecorded(ctx, f.Checkpoint, f.Name); err != nil || done {
		return err
	}
	campaigns, err := s.Store.PauseCampaigns(ctx, models.System)
	for _, id := range campaigns {
		s.Log.Warn("A campaign is paused, because an older state of the database was restored.", "campaign", id)
	}
	void, voidErr := s.Store.VoidCampaigns(ctx)
	for _, id := range void {
		s.Log.Warn("A campaign that waited for approval is void, because an older state of the database was restored.",
			"campaign", id)
	}
	return errors.Join(err, voidErr, s.Store.RecordOlderState(ctx, f.Checkpoint, f.Name))
}
