package books

import (
	"cmp"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
)

// Stakes in play at the end of a day. While a day is open, they are calculated from the ledger. When it is closed, they are
// stored, because they are signed with its other figures and a purge may archive the ledger's rows.

// dayStakes is what was in play when a day ended.
type dayStakes struct {
	Day models.Day
	models.Stakes
}

// TableName returns the table's name for GORM.
func (dayStakes) TableName() string { return "day_stakes" }

// stakesOf returns the stakes in play at the end of a day, or now if it has not ended.
func (s *Store) stakesOf(tx *gorm.DB, day models.Day) (stakes []models.Stakes, err error) {
	interval, err := s.dayInterval(tx, day)
	if err != nil {
		return nil, err
	}
	if interval.Digest != "" {
		if err := tx.Model(&dayStakes{}).Where("day = ?", day).Order("currency, test").Find(&stakes).Error; err != nil {
			return nil, fmt.Errorf("read a closed day's stakes in play: %w", err)
		}
		return stakes, nil
	}
	at := interval.Until
	if now := s.db.Now(); now.Before(at) {
		at = now
	}
	return s.rounds.StakesIn(tx, at)
}

// withStakes adds stakes in play to the groups of a day, and returns the groups.
func withStakes(groups []models.DayGroup, stakes []models.Stakes) []models.DayGroup {
	for _, st := range stakes {
		i := slices.IndexFunc(groups, func(g models.DayGroup) bool { return g.Currency == st.Currency && g.Test == st.Test })
		if i < 0 {
			i, groups = len(groups), append(groups, models.DayGroup{Currency: st.Currency, Test: st.Test})
		}
		groups[i].RoundsInPlay, groups[i].InPlay = st.Rounds, st.Sum
	}
	slices.SortFunc(groups, func(a, b models.DayGroup) int {
		test := map[bool]int{true: 1}
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), test[a.Test]-test[b.Test])
	})
	return groups
}

// keepStakes stores the stakes in play at the end of a day that is being closed.
func keepStakes(tx *gorm.DB, day models.Day, groups []models.DayGroup) error {
	for _, g := range groups {
		if g.RoundsInPlay == 0 {
			continue
		}
		row := dayStakes{day, models.Stakes{Currency: g.Currency, Test: g.Test, Rounds: g.RoundsInPlay, Sum: g.InPlay}}
		if err := tx.Create(&row).Error; err != nil {
			return fmt.Errorf("store a day's stakes in play: %w", err)
		}
	}
	return nil
}
