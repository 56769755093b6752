package thumbnails

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// suffix ends the names of cached pictures. Other files in the folder are not touched.
const suffix = ".thumbnail"

func (s *Service) file(key string) string { return filepath.Join(s.Dir, key+suffix) }

func newImage(kind string, contents []byte) Image {
	sum := sha256.Sum256(contents)
	return Image{Type: kind, Bytes: contents, Tag: hex.EncodeToString(sum[:8])}
}

// kept returns a cached picture and when it was fetched. It determines the type from the bytes again, so that a damaged or
// manipulated file is never served as anything but an image.
func (s *Service) kept(key string) (picture Image, at time.Time, found bool) {
	info, err := os.Stat(s.file(key))
	if err != nil || info.Size() > s.Bytes {
		return Image{}, time.Time{}, false
	}
	contents, err := os.ReadFile(s.file(key))
	if err != nil {
		return Image{}, time.Time{}, false
	}
	kind, err := check(contents)
	if err != nil {
		return Image{}, time.Time{}, false
	}
	return newImage(kind, contents), info.ModTime(), true
}

// keep writes a picture to the cache atomically, and removes the oldest ones if the cache is full.
func (s *Service) keep(key string, contents []byte) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.Dir, "fetched-*"+suffix)
	if err != nil {
		return err
	}
	_, err = f.Write(contents)
	if closed := f.Close(); err == nil {
		err = closed
	}
	now := s.Now()
	if err == nil {
		err = os.Chtimes(f.Name(), now, now)
	}
	if err == nil {
		err = os.Rename(f.Name(), s.file(key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	return s.trim()
}

// trim removes the oldest pictures until the rest fits. Another instance may do the same at the same time, so a missing file is
// not an error.
func (s *Service) trim() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	type keptFile struct {
		name string
		size int64
		at   time.Time
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return err
	}
	var list []keptFile
	var total int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && filepath.Ext(e.Name()) == suffix {
			list = append(list, keptFile{e.Name(), info.Size(), info.ModTime()})
			total += info.Size()
		}
	}
	slices.SortFunc(list, func(a, b keptFile) int { return a.at.Compare(b.at) })
	for _, f := range list {
		if total <= s.Cache {
			break
		}
		if err := os.Remove(filepath.Join(s.Dir, f.name)); err != nil && !os.IsNotExist(err) {
			return err
		}
		total -= f.size
	}
	return nil
}
