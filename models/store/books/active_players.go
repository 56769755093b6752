package books

import (
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// activePlayer is a row of active_players. The domain only counts them.
type activePlayer struct {
	QuarterUs int64
	PlayerID  int64
	Currency  string
	Test      bool
	FirstAtUs int64
}

type activePlayerKey struct{ quarterUs, playerID int64 }

func (r activePlayer) key() activePlayerKey { return activePlayerKey{r.QuarterUs, r.PlayerID} }

// activeIn returns who has played in the quarters of an hour of a period, and since when, according to the ledger.
func activeIn(read *gorm.DB, d db.Dialect, from, to time.Time) (rows []activePlayer, err error) {
	err = read.Raw(`SELECT e.quarter_us, e.player_id, w.currency, p.test, e.first_at_us FROM (
			SELECT quarter_us, player_id, MIN(first_at_us) AS first_at_us FROM (
				SELECT at_us - at_us % ? AS quarter_us, player_id, MIN(at_us) AS first_at_us FROM postings e
				WHERE at_us >= ? AND at_us < ? AND `+ledger.AreBets+` GROUP BY quarter_us, player_id
				UNION ALL SELECT at_us - at_us % ? AS quarter_us, player_id, MIN(at_us) FROM spin_entries
				WHERE at_us >= ? AND at_us < ? AND kind = ? GROUP BY quarter_us, player_id) played
			GROUP BY quarter_us, player_id) e`+ofWhom(d),
		quarter.Microseconds(), db.Micros(from), db.Micros(to),
		quarter.Microseconds(), db.Micros(from), db.Micros(to), models.EntrySpin).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list active players: %w", err)
	}
	return rows, nil
}

// newlyActive returns who has played in the quarters of an hour of a period, according to the ledger, and is not in
// active_players yet or is there with a later time.
func newlyActive(read *gorm.DB, d db.Dialect, from, to time.Time) ([]activePlayer, error) {
	rows, err := activeIn(read, d, from, to)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	var known []activePlayer
	err = read.Select("quarter_us", "player_id", "first_at_us").Where("quarter_us >= ? AND quarter_us < ?",
		db.Micros(from.Truncate(quarter)), db.Micros(to)).Find(&known).Error
	if err != nil {
		return nil, fmt.Errorf("read active players: %w", err)
	}
	first := make(map[activePlayerKey]int64, len(known))
	for _, r := range known {
		first[r.key()] = r.FirstAtUs
	}
	return slices.DeleteFunc(rows, func(r activePlayer) bool {
		at, there := first[r.key()]
		return there && at <= r.FirstAtUs
	}), nil
}
