package books

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/players"
)

// The figures of sums, and adding what was read to them, in one transaction.

// heldSum is the SQL of the change of held amounts, fundsSum that of the liability, from the columns of figures.
const (
	heldSum  = "requested_minor - returned_minor - paid_minor"
	fundsSum = "moved_minor + " + heldSum
)

// figureColumns are the columns of the figures, in the order of models.DayFigures.Fields.
var figureColumns = []string{
	"bets", "stake_minor", "stake_reversed_minor", "win_minor", "win_reversed_minor", "spins", "spin_stake_minor",
	"spin_win_minor", "spin_win_reversed_minor",
	"reversals", "opening_minor", "credit_minor", "debit_minor", "corrections", "deposit_minor", "requested_minor",
	"returned_minor", "paid_minor", "moved_minor", "players",
}

// minuteColumns are the columns of models.MoneySums, the figures of a minute.
var minuteColumns = figureColumns[:9]

// sumOfFigures returns the SELECT expressions for the sum of each figure.
func sumOfFigures() string { return sumOf(figureColumns) }

// sumOf returns the SELECT expressions for the sums of columns, named as the columns. A sum that exceeds an int64 is an error:
// SQLite's SUM refuses it, and MySQL's, which is a DECIMAL, does not fit into the field or the column.
func sumOf(columns []string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = "COALESCE(SUM(" + c + "), 0) AS " + c
	}
	return strings.Join(parts, ", ")
}

// figures returns the figures of f in the order of figureColumns, money in minor units.
func figures(f *models.DayFigures) (list []int64) {
	for _, figure := range f.Fields() {
		list = append(list, *figure)
	}
	return list
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
	case models.EntryCashIn:
		f.Deposits = f.Deposits.Add(line)
	case models.EntryCashOut:
		f.Requested = f.Requested.Add(e.Held)
	case models.EntryCashReturned:
		f.Returned = f.Returned.Sub(e.Held)
	case models.EntryCashPaid:
		f.Paid = f.Paid.Sub(e.Held)
	case models.EntryCashBounced:
		f.Paid, f.Returned = f.Paid.Sub(line), f.Returned.Add(line)
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

// writeDays adds the sums in r, which were read at a turn; see lockDays.
func (s *Store) writeDays(ctx context.Context, turn int64, r *dayReading, heads []dayHead) error {
	numbers := make([]int64, len(heads))
	for i, h := range heads {
		numbers[i] = h.PlayerID
	}
	rows := slices.SortedFunc(maps.Values(r.days), func(a, b *dailySum) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.PlayerID, b.PlayerID))
	})
	var days []string
	for _, row := range rows {
		days = append(days, row.Day)
	}
	days = slices.Compact(days)
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.lockDays(tx, turn); err != nil {
			return err
		}
		// A total changes by what its players' rows change, so a player who was active before is not counted again.
		if err := s.addTotals(tx, days, numbers, -1); err != nil {
			return fmt.Errorf("write days: %w", err)
		}
		if err := s.addDaysOfPlayers(ctx, db.Tx(tx), rows); err != nil {
			return fmt.Errorf("write days of players: %w", err)
		}
		if err := s.addTotals(tx, days, numbers, 1); err != nil {
			return fmt.Errorf("write days: %w", err)
		}
		if err := s.addMinutes(ctx, db.Tx(tx), r.minutes); err != nil {
			return fmt.Errorf("write minutes: %w", err)
		}
		if err := s.moveHeads(ctx, db.Tx(tx), heads); err != nil {
			return fmt.Errorf("write heads: %w", err)
		}
		return s.orderEvents(tx, heads)
	})
}

// turns returns how often the sums have been locked since the first time, or -1 before it. If the number is unchanged, so are
// the inputs of the sums.
func (s *Store) turns(tx *gorm.DB) (int64, error) {
	turns, found, err := db.One[int64](tx.Raw("SELECT turns FROM leases WHERE name = ?", string(dayFollower)))
	if !found {
		turns = -1
	}
	return turns, err
}

// lockDays locks the sums. It returns errOvertaken if another run has locked them since the lines were read at this turn: the
// zone, the closed days or the heads may have changed.
func (s *Store) lockDays(tx *gorm.DB, turn int64) error {
	place, err := dayFollower.Lock(s.db, tx)
	if err != nil {
		return err
	}
	now, err := s.turns(tx)
	if err == nil && (place == daysForgotten || now != turn+1) {
		err = errOvertaken
	}
	return err
}

// addDaysOfPlayers adds rows to the sums that the players have already.
func (s *Store) addDaysOfPlayers(ctx context.Context, tx db.Execer, rows []*dailySum) error {
	var q db.Statement
	for chunk := range slices.Chunk(rows, players.ImportChunk) {
		q.Begin("INSERT INTO daily_sums (day, player_id, currency, test, from_seq, to_seq, from_spin_seq, to_spin_seq, " +
			strings.Join(figureColumns, ", ") + ", largest_win_minor, largest_win_seq) VALUES ")
		for i, row := range chunk {
			q.Row(i, "(?,?,?,?,?,?,?,?,?,?,?)", row.Day, row.PlayerID, row.Currency, row.Test, row.FromSeq, row.ToSeq, row.FromSpinSeq,
				row.ToSpinSeq, figures(&row.DayFigures), row.LargestWinMinor, row.LargestWinSeq)
		}
		q.Add(s.db.Dialect.OnConflict("day, player_id"))
		for _, c := range []string{"from_seq", "from_spin_seq"} {
			q.Add(c + " = CASE WHEN daily_sums." + c + " = 0 THEN " + s.db.Dialect.New(c) + " ELSE daily_sums." + c + " END, ")
		}
		for _, c := range []string{"to_seq", "to_spin_seq"} {
			q.Add(c + " = CASE WHEN " + s.db.Dialect.New(c) + " = 0 THEN daily_sums." + c + " ELSE " + s.db.Dialect.New(c) +
				" END, ")
		}
		// MySQL assigns from left to right: the amount changes last, because the other column is compared with it.
		for _, c := range []string{"largest_win_seq", "largest_win_minor"} {
			q.Add(c + " = CASE WHEN " + s.db.Dialect.New("largest_win_minor") + " > daily_sums.largest_win_minor THEN " +
				s.db.Dialect.New(c) + " ELSE daily_sums." + c + " END, ")
		}
		was, is := "daily_sums.players", s.db.Dialect.New("players") // 0 or 1
		q.Add("players = CASE WHEN " + was + " > " + is + " THEN " + was + " ELSE " + is + " END, ")
		if err := q.Add(s.addFigures("daily_sums", figureColumns[:len(figureColumns)-1])).Exec(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// addTotals adds the rows of these players and days, times sign, to the totals of days.
func (s *Store) addTotals(tx *gorm.DB, days []string, numbers []int64, sign int) error {
	if len(days) == 0 {
		return nil
	}
	times := fmt.Sprintf(") * %d", sign)
	return tx.Exec("INSERT INTO daily_totals (day, currency, test, "+strings.Join(figureColumns, ", ")+") "+
		"SELECT day, currency, test, SUM("+strings.Join(figureColumns, times+", SUM(")+times+
		" FROM daily_sums WHERE day IN ? AND player_id IN ? GROUP BY day, currency, test"+
		s.db.Dialect.OnConflict("day, currency, test")+s.addFigures("daily_totals", figureColumns), days, numbers).Error
}

// addMinutes adds the sums of minutes with play.
func (s *Store) addMinutes(ctx context.Context, tx db.Execer, minutes map[minuteKey]*models.DayFigures) error {
	maps.DeleteFunc(minutes, func(_ minuteKey, f *models.DayFigures) bool { return f.MoneySums == models.MoneySums{} })
	keys := slices.SortedFunc(maps.Keys(minutes), func(a, b minuteKey) int {
		return cmp.Or(cmp.Compare(a.us, b.us), cmp.Compare(a.currency, b.currency), cmp.Compare(a.day, b.day))
	})
	var q db.Statement
	for chunk := range slices.Chunk(keys, players.ImportChunk) {
		q.Begin("INSERT INTO money_minutes (minute_us, currency, test, day, " + strings.Join(minuteColumns, ", ") + ") VALUES ")
		for i, k := range chunk {
			q.Row(i, "(?,?,?,?,?)", k.us, k.currency, k.test, k.day, figures(minutes[k])[:len(minuteColumns)])
		}
		q.Add(s.db.Dialect.OnConflict("minute_us, currency, test, day"))
		if err := q.Add(s.addFigures("money_minutes", minuteColumns)).Exec(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// addFigures returns the clause that adds inserted figures to an existing row. A figure that exceeds an int64 is an error:
// MySQL refuses the addition, and SQLite refuses its result, a REAL, in a column of a STRICT table.
func (s *Store) addFigures(table string, columns []string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = c + " = " + table + "." + c + " + " + s.db.Dialect.New(c)
	}
	return strings.Join(parts, ", ")
}

// moveHeads stores how far the players' lines have been added.
func (s *Store) moveHeads(ctx context.Context, tx db.Execer, heads []dayHead) error {
	var q db.Statement
	q.Begin("INSERT INTO daily_heads (player_id, currency, test, seq, balance_minor, held_minor, day, spin_seq, spin_day) VALUES ")
	for i, h := range heads {
		q.Row(i, "(?,?,?,?,?,?,?,?,?)", h.PlayerID, h.Currency, h.Test, h.Seq, h.BalanceMinor, h.HeldMinor, h.Day, h.SpinSeq, h.SpinDay)
	}
	q.Upsert("player_id", s.db.Dialect, "seq", "balance_minor", "held_minor", "day", "spin_seq", "spin_day")
	return q.Exec(ctx, tx)
}
