package books

import (
	"strings"

	"pitboss/models"
)

// figureColumns are the columns of the figures, in the order of FigureSums.list.
var figureColumns = []string{
	"bets", "stake_minor", "stake_reversed_minor", "win_minor", "win_reversed_minor", "spins", "spin_stake_minor",
	"spin_win_minor", "spin_win_reversed_minor",
	"reversals", "opening_minor", "credit_minor", "debit_minor", "corrections", "moved_minor", "players",
}

// isMoney reports whether a column holds minor units; the others count something.
func isMoney(column string) bool { return strings.HasSuffix(column, "_minor") }

// sumOfFigures selects the sums of the figures under their own names.
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

// FigureSums are the columns of the figures. GORM reads what is embedded only where its name is exported.
type FigureSums struct {
	Bets                 int64
	StakeMinor           models.Sum
	StakeReversedMinor   models.Sum
	WinMinor             models.Sum
	WinReversedMinor     models.Sum
	Spins                int64
	SpinStakeMinor       models.Sum
	SpinWinMinor         models.Sum
	SpinWinReversedMinor models.Sum
	Reversals            int64
	OpeningMinor         models.Sum
	CreditMinor          models.Sum
	DebitMinor           models.Sum
	Corrections          int64
	MovedMinor           models.Sum
	Players              int64
}

// list returns the figures in the order of figureColumns, those that count something as sums too.
func (f *FigureSums) list() []models.Sum {
	count := func(n int64) models.Sum { return models.SumOf(models.Amount(n)) }
	return []models.Sum{
		count(f.Bets), f.StakeMinor, f.StakeReversedMinor, f.WinMinor, f.WinReversedMinor, count(f.Spins), f.SpinStakeMinor,
		f.SpinWinMinor, f.SpinWinReversedMinor,
		count(f.Reversals), f.OpeningMinor, f.CreditMinor, f.DebitMinor, count(f.Corrections), f.MovedMinor, count(f.Players),
	}
}

func (f *FigureSums) add(g *FigureSums) {
	f.Bets, f.Spins, f.Reversals, f.Corrections, f.Players = f.Bets+g.Bets, f.Spins+g.Spins, f.Reversals+g.Reversals,
		f.Corrections+g.Corrections, f.Players+g.Players
	f.StakeMinor, f.StakeReversedMinor = f.StakeMinor.Plus(g.StakeMinor), f.StakeReversedMinor.Plus(g.StakeReversedMinor)
	f.WinMinor, f.WinReversedMinor = f.WinMinor.Plus(g.WinMinor), f.WinReversedMinor.Plus(g.WinReversedMinor)
	f.SpinStakeMinor, f.SpinWinMinor = f.SpinStakeMinor.Plus(g.SpinStakeMinor), f.SpinWinMinor.Plus(g.SpinWinMinor)
	f.SpinWinReversedMinor, f.OpeningMinor = f.SpinWinReversedMinor.Plus(g.SpinWinReversedMinor),
		f.OpeningMinor.Plus(g.OpeningMinor)
	f.CreditMinor, f.DebitMinor, f.MovedMinor = f.CreditMinor.Plus(g.CreditMinor), f.DebitMinor.Plus(g.DebitMinor),
		f.MovedMinor.Plus(g.MovedMinor)
}

func (f *FigureSums) figures() models.DayFigures {
	return models.DayFigures{
		MoneySums: models.MoneySums{
			Bets: f.Bets, Stakes: f.StakeMinor, StakesReversed: f.StakeReversedMinor, Wins: f.WinMinor,
			WinsReversed: f.WinReversedMinor, Spins: f.Spins,
			SpinStakes: f.SpinStakeMinor, SpinWins: f.SpinWinMinor, SpinWinsReversed: f.SpinWinReversedMinor,
		},
		Reversals: f.Reversals, Openings: f.OpeningMinor, Credits: f.CreditMinor, Debits: f.DebitMinor,
		Corrections: f.Corrections, Moved: f.MovedMinor, Players: f.Players,
	}
}

// count adds one line of the money ledger; ofSpins says that it is a win in a round of free spins, or one taken back.
func (f *FigureSums) count(kind models.EntryKind, amount models.Amount, ofSpins bool) {
	line := models.SumOf(amount)
	f.MovedMinor = f.MovedMinor.Plus(line)
	switch kind {
	case models.EntryOpening:
		f.OpeningMinor = f.OpeningMinor.Plus(line)
	case models.EntryBet:
		f.Bets, f.StakeMinor, f.Players = f.Bets+1, f.StakeMinor.Minus(line), 1
	case models.EntryWin:
		if ofSpins {
			f.SpinWinMinor = f.SpinWinMinor.Plus(line)
		} else {
			f.WinMinor = f.WinMinor.Plus(line)
		}
	case models.EntryBetReversed:
		f.Reversals, f.StakeReversedMinor = f.Reversals+1, f.StakeReversedMinor.Plus(line)
	case models.EntryWinReversed:
		f.Reversals++
		if ofSpins {
			f.SpinWinReversedMinor = f.SpinWinReversedMinor.Minus(line)
		} else {
			f.WinReversedMinor = f.WinReversedMinor.Minus(line)
		}
	case models.EntryAdjustment:
		f.Corrections++
		if amount < 0 {
			f.DebitMinor = f.DebitMinor.Minus(line)
		} else {
			f.CreditMinor = f.CreditMinor.Plus(line)
		}
	}
}

// addFigures is the clause that adds incoming figures to those that stand in a table.
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
