package books

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// DayLines returns the lines that make up a figure of a day, ordered by player and number, money before free spins, and reports
// whether there are more. Each row of the day stores which lines it covers, so these are exactly the lines that were counted.
func (s *Store) DayLines(ctx context.Context, f models.DayLineFilter) (list []models.DayLine, more bool, err error) {
	kinds := f.Figure.Kinds()
	if !f.After.Spin && slices.Min(kinds) < models.EntrySpin {
		if list, more, err = s.moneyLines(ctx, f, kinds); err != nil {
			return nil, false, fmt.Errorf("read lines of a day: %w", err)
		}
		f.After = models.LinePlace{}
	}
	if !more && slices.Max(kinds) >= models.EntrySpin {
		spins, err := s.spinLines(ctx, f)
		if err != nil {
			return nil, false, fmt.Errorf("read free spins of a day: %w", err)
		}
		list = append(list, spins...)
	}
	if len(list) > f.Limit {
		list, more = list[:f.Limit], true
	}
	return list, more, nil
}

// behind has, for each figure, the condition for rows of a day that have lines for it.
var behind = map[models.Figure]string{
	models.FigureTurnover: "d.bets > 0 OR d.stake_reversed_minor <> 0",
	models.FigurePayout:   "d.win_minor <> 0 OR d.win_reversed_minor <> 0",
	models.FigureSpinWins: "d.spin_win_minor <> 0 OR d.spin_win_reversed_minor <> 0", models.FigureRollbacks: "d.reversals > 0",
	models.FigureCorrections: "d.corrections > 0", models.FigureOpenings: "d.opening_minor <> 0",
}

// linesOfDay returns a query for rows e of a ledger that rows d of a day cover, after a place. source is that of e.
func (s *Store) linesOfDay(f models.DayLineFilter, columns, ledger, bounds, source string,
	more ...string) (query string, args []any) {
	conditions, args := ofReport(models.ReportFilter{Currency: f.Currency, Test: f.Test, PlayerID: f.PlayerID})
	for i, c := range conditions {
		conditions[i] = "d." + c
	}
	conditions = append(conditions, "d.day = ?", "(d.player_id > ? OR d.player_id = ? AND e.seq > ?)")
	args = append(args, f.Day, f.After.PlayerID, f.After.PlayerID, f.After.Seq)
	if rows := behind[f.Figure]; rows != "" {
		conditions = append(conditions, "("+rows+")")
	}
	join := s.db.Dialect.JoinInOrder()
	return "SELECT d.player_id, p.user_id, d.test, d.currency, " + columns + " FROM daily_sums d" + join +
		"players p ON p.id = d.player_id" + join + "wallets w ON w.player_id = d.player_id" + join + ledger +
		" e ON e.player_id = d.player_id AND " + bounds + " LEFT JOIN postings t ON t.source = " + source + `
		AND t.transaction_id = e.transaction_id AND t.claim = 1` +
		where(append(conditions, more...)...) + " ORDER BY d.player_id, e.seq LIMIT ?", append(args, f.Limit+1)
}

// moneyLines reads the lines of money, and reports whether there are more.
func (s *Store) moneyLines(ctx context.Context, f models.DayLineFilter,
	kinds []models.EntryKind) (list []models.DayLine, more bool, err error) {
	var any []string
	for _, k := range kinds {
		if postings := postingsOf[k]; postings != "" {
			any = append(any, postings)
		}
	}
	conditions := []string{"e.free_spin = 0", "(" + strings.Join(any, " OR ") + ")"}
	switch f.Figure {
	case models.FigurePayout:
		conditions = append(conditions, ofSpins(s.db.Dialect)+" = 0")
	case models.FigureSpinWins:
		conditions = append(conditions, ofSpins(s.db.Dialect)+" = 1")
	}
	// A bet with a win has two lines and the number of the second. If only the first was read in time for a day that was then
	// closed, the second counts on the next day.
	query, args := s.linesOfDay(f, "d.from_seq, d.to_seq, COALESCE(t.id, 0), "+ledger.SelectOf("e"), "postings",
		fmt.Sprintf("e.seq >= d.from_seq AND (e.seq <= d.to_seq OR e.seq = d.to_seq + 1 AND e.kind = %d)", models.BetWin),
		"e.source", append(conditions, "d.from_seq > 0")...)
	rows, err := s.db.Read.WithContext(ctx).Raw(query, args...).Rows()
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for n := 1; rows.Next(); n++ {
		var line models.DayLine
		var from, to int64
		p, err := ledger.ScanPosting(rows, &line.PlayerID, &line.UserID, &line.Test, &line.Currency, &from, &to,
			&line.Transaction)
		if err != nil {
			return nil, false, err
		}
		for _, e := range p.Entries("") {
			if !slices.Contains(kinds, e.Kind) || e.Seq < from || e.Seq > to ||
				e.PlayerID == f.After.PlayerID && e.Seq <= f.After.Seq {
				continue
			}
			line.Seq, line.Kind, line.At, line.Amount = e.Seq, e.Kind, e.At, e.Amount
			line.TransactionID, line.RoundID = e.TransactionID, e.RoundID
			list = append(list, line)
		}
		more = n > f.Limit
	}
	return list, more, rows.Err()
}

// postingsOf has, for each kind of line, the condition for postings e that have such a line.
var postingsOf = map[models.EntryKind]string{
	models.EntryBet: ledger.AreBets, models.EntryWin: ledger.AreWins, models.EntryBetReversed: ledger.AreBetsReversed,
	models.EntryWinReversed: ledger.AreWinsReversed,
	models.EntryOpening:     fmt.Sprintf("e.kind = %d", models.Opening),
	models.EntryAdjustment:  fmt.Sprintf("e.kind = %d", models.Adjustment),
	models.EntryTombstone:   "e.claim IS NULL",
}

// spinLines reads the lines of free spins. Every figure with such lines has all kinds of them, except rollbacks.
func (s *Store) spinLines(ctx context.Context, f models.DayLineFilter) (list []models.DayLine, err error) {
	kinds := fmt.Sprintf("e.kind IN (%d, %d)", models.EntrySpin, models.EntrySpinReversed)
	if f.Figure == models.FigureRollbacks {
		kinds = fmt.Sprintf("e.kind = %d", models.EntrySpinReversed)
	}
	query, args := s.linesOfDay(f, "e.seq, e.kind, e.at_us, COALESCE(t.id, 0), e.transaction_id, e.round_id, e.stake_minor",
		"spin_entries", "e.seq >= d.from_spin_seq AND e.seq <= d.to_spin_seq", fmt.Sprint(int(models.SourcePlatform)),
		kinds, "d.from_spin_seq > 0")
	rows, err := s.db.Read.WithContext(ctx).Raw(query, args...).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		l, at := models.DayLine{Spin: true}, int64(0)
		if err := rows.Scan(&l.PlayerID, &l.UserID, &l.Test, &l.Currency, &l.Seq, &l.Kind, &at, &l.Transaction, &l.TransactionID,
			&l.RoundID, (*int64)(&l.Amount)); err != nil {
			return nil, err
		}
		l.At = db.FromMicros(at)
		list = append(list, l)
	}
	return list, rows.Err()
}
