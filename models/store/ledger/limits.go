package ledger

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// SumsSince adds up from the ledger what a player staked, won and paid in since a time: what was booked since then and stands
// (models.PlayerLimits).
func SumsSince(tx *gorm.DB, player int64, from time.Time) (sums models.LimitSums, err error) {
	type row struct{ Kind, Bet, Win int64 }
	rows, err := db.All[row](tx, `SELECT e.kind, SUM(e.bet_minor) AS bet, SUM(e.win_minor) AS win
		FROM postings e WHERE e.player_id = @player AND e.claim = 1 AND e.at_us >= @from AND e.free_spin = 0 AND e.kind IN @kinds
		AND NOT EXISTS (SELECT 1 FROM postings r WHERE r.source = e.source AND r.transaction_id = e.transaction_id AND r.claim = 2)
		GROUP BY e.kind`,
		map[string]any{"player": player, "from": db.Micros(from),
			"kinds": []models.OperationKind{models.Bet, models.Win, models.BetWin, models.CashIn}})
	for _, r := range rows {
		if models.OperationKind(r.Kind) == models.CashIn {
			sums.Paid = models.Amount(r.Win)
			continue
		}
		sums.Stake, sums.Won = sums.Stake.Add(models.Amount(r.Bet)), sums.Won.Add(models.Amount(r.Win))
	}
	if err != nil {
		err = fmt.Errorf("player %d: %w", player, err)
	}
	return sums, err
}

// CashOutsOfDay adds up what a player has requested to be paid on the day of an operation, in UTC, with that operation and
// without what was returned.
func CashOutsOfDay(tx *gorm.DB, d models.Decided) (models.Amount, error) {
	return db.Need[models.Amount](tx.Raw(`SELECT COALESCE(SUM(e.bet_minor), 0) FROM postings e WHERE e.player_id = ? AND e.claim = 1
		AND e.kind = ? AND e.at_us >= ? AND NOT EXISTS (SELECT 1 FROM postings r WHERE r.source = e.source
		AND r.transaction_id = e.transaction_id AND r.claim = 2 AND r.kind = e.kind)`, d.PlayerID, models.CashOut,
		db.Micros(cashDay(d.At))), models.ErrPlayerUnknown)
}
