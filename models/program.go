package models

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"time"
)

// ProgramRun is one start of the program, as it is compared with the next one.
type ProgramRun struct {
	ID      int64
	Place   string // the host and the addresses on which it listens: nobody else is there while it runs
	Version string // of the program
	Schema  int64  `gorm:"column:schema_no"` // the number of the newest migration
	// digests of the settings that are not secret, by variable; ones that cannot be read differ from all others
	Settings map[string]string `gorm:"serializer:jsonOrNone"`
	// a keyed digest of all secrets together: it shows that one has changed, not which, and nothing of any
	Secrets   string
	StartedAt time.Time `gorm:"column:started_at_us;serializer:micros"`
	SeenAt    time.Time `gorm:"column:seen_at_us;serializer:micros"`
	EndedAt   time.Time `gorm:"column:ended_at_us;serializer:micros"` // zero while it runs
}

// Digest is one digest of all settings that are not secret.
func (r ProgramRun) Digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(r.Settings)) {
		h.Write([]byte(name + "=" + r.Settings[name] + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Changed names the variables whose settings differ between two runs, in order.
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
