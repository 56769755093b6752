package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	// digests of the settings, by variable; those of secrets are keyed. An unreadable value differs from every other
	Settings  map[string]string `gorm:"serializer:jsonOrNone"`
	StartedAt time.Time         `gorm:"column:started_at_us;serializer:micros"`
	SeenAt    time.Time         `gorm:"column:seen_at_us;serializer:micros"`
	EndedAt   time.Time         `gorm:"column:ended_at_us;serializer:micros"` // zero while it runs
}

// Digest returns one digest of all settings.
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

// Conflict returns the variable of a key that two programs on one database need in common and do not have, or "". The
// platform's secret key is rotated in steps, in which each program accepts two keys: one of them is enough.
func (r ProgramRun) Conflict(other ProgramRun) string {
	const session, secret, previous = "PITBOSS_SESSION_KEY", "PITBOSS_SECRET_KEY", "PITBOSS_SECRET_KEY_PREVIOUS"
	key, theirs := r.Settings[secret], other.Settings[secret]
	switch {
	case r.Settings[session] != other.Settings[session]:
		return session
	case key != theirs && key != other.Settings[previous] && theirs != r.Settings[previous]:
		return secret
	}
	return ""
}

// KeyConflictError means that a program may not start, because another one that is running has another key.
type KeyConflictError struct {
	Variable string
	Other    ProgramRun
}

// Error says which instance has another key and what to do.
func (e KeyConflictError) Error() string {
	return fmt.Sprintf("%s is not the key of the instance at %s, which was running at %s. All instances need the same key. To "+
		"change it, follow the steps in the handbook under Keys; an instance that was killed counts as running for 3 minutes",
		e.Variable, e.Other.Place, e.Other.SeenAt.UTC().Format("15:04:05 UTC"))
}
