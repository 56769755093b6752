package control

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// caseWindow is a span of time in which a rule looks, in microseconds.
type caseWindow struct{ from, until int64 }

// caseLateness is how late a row may appear after its own time.
const caseLateness = 3 * time.Minute

// caseWindows returns where a rule that has come to place looks. again is the span that has meanwhile become so old that no
// more rows appear in it, in whole minutes; it is read a second time. next is the new span.
func caseWindows(place, until int64) (again, next caseWindow) {
	minute, late := time.Minute.Microseconds(), caseLateness.Microseconds()
	switch {
	case place == 0:
		return caseWindow{}, caseWindow{until - caseReach.Microseconds(), until}
	case until <= place:
		return caseWindow{}, caseWindow{} // the rule now waits longer than it did
	}
	return caseWindow{place - place%minute - late, min(until-until%minute-late, place)}, caseWindow{place, until}
}

// caseFollower is how far a rule has come: a time in microseconds.
func caseFollower(rule models.CaseRule) db.Follower {
	return db.Follower(fmt.Sprintf("case rule %d", rule))
}

// noteCasePlaces stores how far the rules have come.
func (s *Store) noteCasePlaces(ctx context.Context, places map[models.CaseRule]int64) error {
	if len(places) == 0 {
		return nil
	}
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		for _, rule := range slices.Sorted(maps.Keys(places)) {
			if err := caseFollower(rule).Move(s.db, tx, places[rule]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note how far rules have looked: %w", err)
	}
	return nil
}
