package bonus

import (
	"cmp"
	"compress/gzip"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pitboss/models"
)

// Sheet is a sheet of grants in preparation; nothing in it has been granted.
type Sheet struct {
	ID       string `json:"-"`
	StaffID  int64  `json:"-"`
	FileName string
	Reason   string
	Rows     []models.GrantRow
	Notes    []string // how the file was read, in sentences
	ImportID int64    // the import made from it; 0 if there is none yet
	RestOf   int64    // the import that left these lines out, or 0
}

// Sheets stores sheets in a folder, one file each, for the staff member who uploaded them. Instances share the folder, or each
// has its own. A sheet is deleted 12 hours after its last change, and somebody's oldest if they have more than 20.
type Sheets struct {
	Dir string
	Now func() time.Time // nil means time.Now
	mu  sync.Mutex
}

const (
	sheetLasts  = 12 * time.Hour
	sheetsOfOne = 20
)

// ErrSheetGone means that a sheet does not exist or belongs to somebody else.
var ErrSheetGone = errors.New("there is no such sheet")

var sheetID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

func (s *Sheets) path(staffID int64, id string) string {
	return filepath.Join(s.Dir, strconv.FormatInt(staffID, 10)+"-"+id+".json.gz")
}

// Add stores a new sheet and returns its ID.
func (s *Sheets) Add(sheet Sheet) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of sheets: %w", err)
	}
	if err := s.sweep(sheet.StaffID); err != nil {
		return "", fmt.Errorf("delete old sheets: %w", err)
	}
	sheet.ID = rand.Text()
	return sheet.ID, s.write(sheet)
}

// Sheet returns a staff member's sheet, or ErrSheetGone.
func (s *Sheets) Sheet(staffID int64, id string) (Sheet, error) {
	sheet := Sheet{ID: id, StaffID: staffID}
	if !sheetID.MatchString(id) {
		return sheet, ErrSheetGone
	}
	f, err := os.Open(s.path(staffID, id))
	if errors.Is(err, fs.ErrNotExist) {
		return sheet, ErrSheetGone
	}
	if err != nil {
		return sheet, fmt.Errorf("open a sheet: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err == nil {
		err = json.NewDecoder(z).Decode(&sheet)
	}
	if err != nil {
		return sheet, fmt.Errorf("read a sheet: %w", err)
	}
	return sheet, nil
}

// RestOf returns a staff member's sheet of the lines that an import left out, or false if there is none or it was imported.
func (s *Sheets) RestOf(staffID, importID int64) (Sheet, bool, error) {
	found, err := filepath.Glob(s.path(staffID, "*"))
	if err != nil {
		return Sheet{}, false, fmt.Errorf("list sheets: %w", err)
	}
	for _, name := range found {
		id := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), strconv.FormatInt(staffID, 10)+"-"), ".json.gz")
		sheet, err := s.Sheet(staffID, id)
		// Skip sheets that cannot be read; their own page shows the error.
		if err == nil && sheet.RestOf == importID && sheet.ImportID == 0 {
			return sheet, true, nil
		}
	}
	return Sheet{}, false, nil
}

// Change changes a staff member's sheet.
func (s *Sheets) Change(staffID int64, id string, change func(*Sheet)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	sheet, err := s.Sheet(staffID, id)
	if err != nil {
		return err
	}
	change(&sheet)
	return s.write(sheet)
}

// write replaces a sheet's file atomically.
func (s *Sheets) write(sheet Sheet) (err error) {
	f, err := os.CreateTemp(s.Dir, "new-")
	if err != nil {
		return fmt.Errorf("write a sheet: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write a sheet: %w", errors.Join(err, os.Remove(f.Name())))
		}
	}()
	z := gzip.NewWriter(f)
	err = json.NewEncoder(z).Encode(sheet)
	if err = errors.Join(err, z.Close(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), s.path(sheet.StaffID, sheet.ID))
}

// sweep deletes expired sheets, and the oldest ones of a staff member who is about to add one.
func (s *Sheets) sweep(staffID int64) error {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return err
	}
	type file struct {
		name string
		at   time.Time
	}
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	var own []file
	var failed error
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue // another instance was quicker
		}
		if now().Sub(info.ModTime()) > sheetLasts {
			failed = errors.Join(failed, os.Remove(filepath.Join(s.Dir, entry.Name())))
		} else if strings.HasPrefix(entry.Name(), strconv.FormatInt(staffID, 10)+"-") {
			own = append(own, file{entry.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(own, func(a, b file) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.name, b.name)) })
	for _, f := range own[:max(0, len(own)-sheetsOfOne+1)] {
		failed = errors.Join(failed, os.Remove(filepath.Join(s.Dir, f.name)))
	}
	return failed
}
