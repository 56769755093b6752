package books

import (
	"strings"

	"pitboss/models"
)

// figureColumns are the columns of the figures, in the order in which figures returns them.
var figureColumns = []string{
	"bets", "stake_minor", "stake_reversed_minor", "win_minor", "win_reversed_minor", "spins", "spin_stake_minor",
	"spin_win_minor", "spin_win_reversed_minor",
	"reversals", "opening_minor", "credit_minor", "debit_minor", "corrections", "moved_minor", "players",
}

// sumOfFigures returns the SELECT expressions for the sum of each figure, named as its column. A sum that exceeds an int64 is
// an error: SQLite's SUM refuses it, and MySQL's, which is a DECIMAL, does not fit into the field or the column.
func sumOfFigures() string {
	parts := make([]string, len(figureColumns))
	for i, c := range figureColumns {
		parts[i] = "COALESCE(SUM(" + c + "), 0) AS " + c
	}
	return strings.Join(parts, ", ")
}

// figures returns the figures of f in the order of figureColumns, money in minor units.
func figures(f *models.DayFigures) []int64 {
	return []int64{
		f.Bets, int64(f.Stakes), int64(f.StakesReversed), int64(f.Wins), int64(f.WinsReversed), f.Spins, int64(f.SpinStakes),
		int64(f.SpinWins), int64(f.SpinWinsReversed), f.Reversals, int64(f.Openings), int64(f.Credits), int64(f.Debits),
		f.Corrections, int64(f.Moved), f.Players,
	}
}

// countLine adds a line of the money ledger. ofSpins means that it is a win, or a rolled-back win, in a round of free spins.
func countLine(f *models.DayFigures, e *models.Entry, ofSpins bool) {
	line := e.Amount
	f.Moved = f.Moved.Add(line)
	if (e.Kind == models.EntryBetReversed || e.Kind == models.EntryWinReversed) && !e.Second {
		f.Reversals++
	}
	switch e.Kind {
	case models.EntryOpening:
		f.Openings = f.Openings.Add(line)
	case models.EntryBet:
		f.Bets, f.Stakes, f.Players = f.Bets+1, f.Stakes.Sub(line), 1
	case models.EntryWin:
		if ofSpins {
			f.SpinWins = f.SpinWins.Add(line)
		} else {
			f.Wins = f.Wins.Add(line)
		}
	case models.EntryBetReversed:
		f.StakesReversed = f.StakesReversed.Add(line)
	case models.EntryWinReversed:
		if ofSpins {
			f.SpinWinsReversed = f.SpinWinsReversed.Sub(line)
		} else {
			f.WinsReversed = f.WinsReversed.Sub(line)
		}
	case models.EntryAdjustment:
		f.Corrections++
		if e.Amount < 0 {
			f.Debits = f.Debits.Sub(line)
		} else {
			f.Credits = f.Credits.Add(line)
		}
	}
}

// countSpin adds a line of the free-spin ledger.
func countSpin(f *models.DayFigures, e *models.SpinEntry) {
	f.Spins, f.SpinStakes = f.Spins+e.Spins, f.SpinStakes.Add(e.Stake)
	if e.Spins > 0 {
		f.Players = 1
	} else {
		f.Reversals++
	}
}

// addFigures returns the clause that adds inserted figures to those of an existing row. A figure that exceeds an int64 is an
// error: MySQL refuses the addition, and SQLite refuses its result, a REAL, in a column of a STRICT table.
func (s *Store) addFigures(table string) string {
	parts := make([]string, len(figureColumns))
	for i, c := range figureColumns {
		parts[i] = c + " = " + table + "." + c + " + " + s.db.Dialect.New(c)
	}
	return strings.Join(parts, ", ")
}
