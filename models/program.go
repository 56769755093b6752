package models

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"time"
)

// ProgramRun is a run of the program, to be compared with the next one.
type ProgramRun struct {
	ID      int64
	Place   string // its host and listening addresses, which no other instance can have at the same time
	Version string // of the program
	Schema  int64  `gorm:"column:schema_no"` // the number of the newest migration
	// digests of the non-secret settings, by variable; an unreadable value differs from every other
	Settings map[string]string `gorm:"serializer:jsonOrNone"`
	// a keyed digest of all secrets together: it shows that one has changed, but not which
	Secrets   string
	StartedAt time.Time `gorm:"column:started_at_us;serializer:micros"`
	SeenAt    time.Time `gorm:"column:seen_at_us;serializer:micros"`
	EndedAt   time.Time `gorm:"column:ended_at_us;serializer:micros"` // zero while it runs
}

// Digest returns one digest of all non-secret settings.
func (r ProgramRun) Digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(r.Settings)) {
		h.Write([]byte(name + "=" + r.Settings[name] + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Changed returns the variables whose settings differ between two runs, sorted.
func (r ProgramRun) Changed(earlier ProgramRun) (names []string) {
	for name, digest := range r.Settings {
		if earlier.Settings[name] != digest {
			names = append(names, name)
		}
	}
	for name := range earlier.Settings {
		if _, there := r.Settings[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
