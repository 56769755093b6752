package books

import (
	"cmp"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
)

// Stakes in play at the end of a day. While a day is open, they are calculated from the ledger. When it is closed, they are
// stored, because they are signed with its other figures and a purge may archive the ledger's rows.

// stakesOf returns the stakes in play at the end of a day, or now if it has not ended.
func (s *Store) stakesOf(tx *gorm.DB, day models.Day) ([]models.Stakes, error) {
	interval, err := s.dayInterval(tx, day)
	if err != nil {
		return nil, err
	}
	if interval.Digest != "" {
		return interval.Stakes, nil
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

// stakesIn returns the stakes in play of a day's groups.
func stakesIn(groups []models.DayGroup) []models.Stakes {
	list := []models.Stakes{} // GORM would store none as NULL
	for _, g := range groups {
		if g.RoundsInPlay > 0 {
			list = append(list, models.Stakes{Currency: g.Currency, Test: g.Test, Rounds: g.RoundsInPlay, Sum: g.InPlay})
		}
	}
	return list
}
