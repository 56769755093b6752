package control

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/books"
)

// caseWindow is a span of time in which a rule looks, in microseconds.
type caseWindow struct{ from, until int64 }

// caseWindows returns where a rule that has come to place looks. again is the span that has meanwhile become so old that no
// more rows appear in it, in whole minutes; it is read a second time. next is the new span.
func caseWindows(place, until int64) (again, next caseWindow) {
	minute, late := time.Minute.Microseconds(), books.MoneyLateness.Microseconds()
	switch {
	case place == 0:
		return caseWindow{}, caseWindow{until - caseReach.Microseconds(), until}
	case until <= place:
		return caseWindow{}, caseWindow{} // the rule now waits longer than it did
	}
	return caseWindow{place - place%minute - late, min(until-until%minute-late, place)}, caseWindow{place, until}
}

// casePlaces reads how far the rules have come.
func (s *Store) casePlaces(ctx context.Context) (map[models.CaseRule]int64, error) {
	var rows []struct{ Rule, Place int64 }
	if err := s.db.Read.WithContext(ctx).Raw("SELECT rule, place FROM case_places").Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("read how far rules have looked: %w", err)
	}
	places := map[models.CaseRule]int64{}
	for _, r := range rows {
		places[models.CaseRule(r.Rule)] = r.Place
	}
	return places, nil
}

// noteCasePlaces stores how far the rules have come.
func (s *Store) noteCasePlaces(ctx context.Context, places map[models.CaseRule]int64) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		for _, rule := range slices.Sorted(maps.Keys(places)) {
			err := tx.Exec("INSERT INTO case_places (rule, place) VALUES (?, ?) "+s.db.Dialect.OnConflict("rule")+
				s.db.Dialect.Incoming("place"), rule, places[rule]).Error
			if err != nil {
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
