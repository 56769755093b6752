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

// isMoney reports whether a column has minor units; the others are counts.
func isMoney(column string) bool { return strings.HasSuffix(column, "_minor") }

// sumOfFigures returns the SELECT expressions for the sum of each figure, named as its column.
func (s *Store) sumOfFigures() string {
	parts := make([]string, len(figureColumns))
	for i, c := range figureColumns {
		sum := "SUM(" + c + ")"
		if isMoney(c) {
			sum = s.db.Dialect.Sum(c)
		}
		parts[i] = "COALESCE(" + sum + ", 0) AS " + c
	}
	return strings.Join(parts, ", ")
}

// figures returns the figures of f in the order of figureColumns. Counts are returned as sums too.
func figures(f *models.DayFigures) []models.Sum {
	count := func(n int64) models.Sum { return models.SumOf(models.Amount(n)) }
	return []models.Sum{
		count(f.Bets), f.Stakes, f.StakesReversed, f.Wins, f.WinsReversed, count(f.Spins), f.SpinStakes, f.SpinWins,
		f.SpinWinsReversed, count(f.Reversals), f.Openings, f.Credits, f.Debits, count(f.Corrections), f.Moved,
		count(f.Players),
	}
}

// countLine adds a line of the money ledger. ofSpins means that it is a win, or a rolled-back win, in a round of free spins.
func countLine(f *models.DayFigures, e *models.Entry, ofSpins bool) {
	line := models.SumOf(e.Amount)
	f.Moved = f.Moved.Plus(line)
	if (e.Kind == models.EntryBetReversed || e.Kind == models.EntryWinReversed) && !e.Second {
		f.Reversals++
	}
	switch e.Kind {
	case models.EntryOpening:
		f.Openings = f.Openings.Plus(line)
	case models.EntryBet:
		f.Bets, f.Stakes, f.Players = f.Bets+1, f.Stakes.Minus(line), 1
	case models.EntryWin:
		if ofSpins {
			f.SpinWins = f.SpinWins.Plus(line)
		} else {
			f.Wins = f.Wins.Plus(line)
		}
	case models.EntryBetReversed:
		f.StakesReversed = f.StakesReversed.Plus(line)
	case models.EntryWinReversed:
		if ofSpins {
			f.SpinWinsReversed = f.SpinWinsReversed.Minus(line)
		} else {
			f.WinsReversed = f.WinsReversed.Minus(line)
		}
	case models.EntryAdjustment:
		f.Corrections++
		if e.Amount < 0 {
			f.Debits = f.Debits.Minus(line)
		} else {
			f.Credits = f.Credits.Plus(line)
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

// addFigures returns the clause that adds inserted figures to those of an existing row.
func (s *Store) addFigures(table string) string {
	parts := make([]string, len(figureColumns))
	for i, c := range figureColumns {
		sum := table + "." + c + " + " + s.db.Dialect.New(c)
		if isMoney(c) {
			sum = s.db.Dialect.Plus(table+"."+c, s.db.Dialect.New(c))
		}
		parts[i] = c + " = " + sum
	}
	return strings.Join(parts, ", ")
}
