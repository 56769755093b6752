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

// Adding what was read to the sums of days, in one transaction.

// writeDays adds the sums in r. It returns errOvertaken if another run has already added these lines, or if the zone or the
// closed days have changed since they were read.
func (s *Store) writeDays(ctx context.Context, rules dayRules, r *dayReading, heads []dayHead) error {
	numbers := make([]int64, len(heads))
	for i, h := range heads {
		numbers[i] = h.PlayerID
	}
	keys := slices.SortedFunc(maps.Keys(r.sums), func(a, b dayKey) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.player, b.player))
	})
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.lockDays(tx, rules, r.before, numbers); err != nil {
			return err
		}
		played, err := playedAlready(tx, keys, numbers)
		if err != nil {
			return err
		}
		rows := make([]dailySum, 0, len(keys))
		for _, k := range keys {
			row := *r.sums[k]
			if played[k] {
				row.Players = 0
			}
			rows = append(rows, row)
		}
		if err := s.addDaysOfPlayers(ctx, db.Tx(tx), rows); err != nil {
			return fmt.Errorf("write days of players: %w", err)
		}
		if err := s.addTotals(ctx, db.Tx(tx), rows); err != nil {
			return fmt.Errorf("write days: %w", err)
		}
		if err := s.moveHeads(ctx, db.Tx(tx), heads); err != nil {
			return fmt.Errorf("write heads: %w", err)
		}
		return nil
	})
}

// lockDays locks the follower's place and the heads of some players. It returns errOvertaken unless the rules and the heads are
// those with which the lines were read.
func (s *Store) lockDays(tx *gorm.DB, rules dayRules, before map[int64]dayHead, numbers []int64) error {
	place, err := dayFollower.Lock(s.db, tx)
	if err != nil {
		return err
	}
	now, err := s.dayRules(tx)
	if err != nil {
		return err
	}
	var known []dayHead
	if err := tx.Raw("SELECT player_id, seq, spin_seq FROM daily_heads WHERE player_id IN ?"+s.db.Dialect.ForUpdate(),
		numbers).Scan(&known).Error; err != nil {
		return err
	}
	moved := place == daysForgotten || now.zoneName != rules.zoneName || now.firstOpen != rules.firstOpen
	there := map[int64]dayHead{}
	for _, h := range known {
		there[h.PlayerID] = h
	}
	for _, p := range numbers {
		moved = moved || there[p].Seq != before[p].Seq || there[p].SpinSeq != before[p].SpinSeq
	}
	if moved {
		return errOvertaken
	}
	return nil
}

// addDaysOfPlayers adds rows to the sums that the players have already.
func (s *Store) addDaysOfPlayers(ctx context.Context, tx db.Execer, rows []dailySum) error {
	var q db.Statement
	for chunk := range slices.Chunk(rows, players.ImportChunk) {
		q.Begin("INSERT INTO daily_sums (day, player_id, currency, test, from_seq, to_seq, from_spin_seq, to_spin_seq, " +
			strings.Join(figureColumns, ", ") + ") VALUES ")
		for i, row := range chunk {
			q.Row(i)
			q.String(row.Day).Comma().Number(row.PlayerID).Comma().String(row.Currency).Comma().Flag(row.Test).Comma().
				Numbers([]int64{row.FromSeq, row.ToSeq, row.FromSpinSeq, row.ToSpinSeq}).Comma().
				Numbers(figures(&row.DayFigures)).Text(")")
		}
		q.Text(s.db.Dialect.OnConflict("day, player_id"))
		for _, c := range []string{"from_seq", "from_spin_seq"} {
			q.Text(c + " = CASE WHEN daily_sums." + c + " = 0 THEN " + s.db.Dialect.New(c) + " ELSE daily_sums." + c + " END, ")
		}
		for _, c := range []string{"to_seq", "to_spin_seq"} {
			q.Text(c + " = CASE WHEN " + s.db.Dialect.New(c) + " = 0 THEN daily_sums." + c + " ELSE " + s.db.Dialect.New(c) +
				" END, ")
		}
		if err := q.Text(s.addFigures("daily_sums")).Exec(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// addTotals adds the players' rows to the totals of days.
func (s *Store) addTotals(ctx context.Context, tx db.Execer, rows []dailySum) error {
	type group struct {
		day      string
		currency string
		test     bool
	}
	totals := map[group]*models.DayFigures{}
	for _, row := range rows {
		g := group{row.Day, row.Currency, row.Test}
		if totals[g] == nil {
			totals[g] = &models.DayFigures{}
		}
		totals[g].Add(row.DayFigures)
	}
	if len(totals) == 0 {
		return nil
	}
	var q db.Statement
	q.Begin("INSERT INTO daily_totals (day, currency, test, " + strings.Join(figureColumns, ", ") + ") VALUES ")
	for i, g := range slices.SortedFunc(maps.Keys(totals),
		func(a, b group) int { return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.currency, b.currency)) }) {
		q.Row(i)
		q.String(g.day).Comma().String(g.currency).Comma().Flag(g.test).Comma().Numbers(figures(totals[g])).Text(")")
	}
	return q.Text(s.db.Dialect.OnConflict("day, currency, test")+s.addFigures("daily_totals")).Exec(ctx, tx)
}

// moveHeads stores how far the players' lines have been added.
func (s *Store) moveHeads(ctx context.Context, tx db.Execer, heads []dayHead) error {
	var q db.Statement
	q.Begin("INSERT INTO daily_heads (player_id, currency, test, seq, balance_minor, day, spin_seq, spin_day) VALUES ")
	for i, h := range heads {
		q.Row(i)
		q.Number(h.PlayerID).Comma().String(h.Currency).Comma().Flag(h.Test).Comma().Number(h.Seq).Comma().
			Number(h.BalanceMinor).Comma().String(h.Day).Comma().Number(h.SpinSeq).Comma().String(h.SpinDay).Text(")")
	}
	q.Text(s.db.Dialect.OnConflict("player_id"))
	for i, c := range []string{"seq", "balance_minor", "day", "spin_seq", "spin_day"} {
		if i > 0 {
			q.Comma()
		}
		q.Text(s.db.Dialect.Incoming(c))
	}
	return q.Exec(ctx, tx)
}

// playedAlready returns the days on which these players are already counted as active.
func playedAlready(tx *gorm.DB, keys []dayKey, numbers []int64) (map[dayKey]bool, error) {
	days := map[string]bool{}
	for _, k := range keys {
		days[string(k.day)] = true
	}
	played := map[dayKey]bool{}
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(days)), players.ImportChunk) {
		var rows []struct {
			Day      string
			PlayerID int64
		}
		if err := tx.Raw("SELECT day, player_id FROM daily_sums WHERE day IN ? AND player_id IN ? AND players > 0", chunk,
			numbers).Scan(&rows).Error; err != nil {
			return nil, err
		}
		for _, r := range rows {
			played[dayKey{models.Day(r.Day), r.PlayerID}] = true
		}
	}
	return played, nil
}
