package store

import (
	"context"
	"fmt"
	"slices"

	"pitboss/models"
)

// DayLines returns the lines that a day's figure is the sum of, by player and number, those of free spins after those of money, and
// reports whether more follow. They are found by what the rows of the day say they are the sum of, so they are exactly those that were counted.
func (s *Store) DayLines(ctx context.Context, f models.DayLineFilter) (list []models.DayLine, more bool, err error) {
	var money, spins []int
	for _, k := range f.Figure.Kinds() {
		if k < models.EntrySpin {
			money = append(money, int(k))
		} else {
			spins = append(spins, int(k))
		}
	}
	if len(money) > 0 && !f.After.Spin {
		for more = true; more && len(list) <= f.Limit; {
			var found []models.DayLine
			if found, more, err = s.dayLines(ctx, f, false, money); err != nil {
				return nil, false, err
			}
			if n := len(found); n > 0 {
				f.After = models.LinePlace{PlayerID: found[n-1].PlayerID, Seq: found[n-1].Seq}
			}
			if f.Figure == models.FigurePayout || f.Figure == models.FigureSpinWins {
				if found, err = s.ofSpins(ctx, found, f.Figure == models.FigureSpinWins); err != nil {
					return nil, false, err
				}
			}
			list = append(list, found...)
		}
		f.After = models.LinePlace{}
	}
	if len(spins) > 0 && len(list) <= f.Limit {
		found, _, err := s.dayLines(ctx, f, true, spins)
		if err != nil {
			return nil, false, err
		}
		list = append(list, found...)
	}
	if more = len(list) > f.Limit; more {
		list = list[:f.Limit]
	}
	return list, more, nil
}

// dayLines reads lines of one ledger, one more than the limit, and reports whether there may be others.
func (s *Store) dayLines(ctx context.Context, f models.DayLineFilter, spin bool, kinds []int) ([]models.DayLine, bool, error) {
	conditions, args := ofReport(models.ReportFilter{Currency: f.Currency, Test: f.Test, PlayerID: f.PlayerID})
	for i, c := range conditions {
		conditions[i] = "d." + c
	}
	table, first, last, source, amount := "entries", "d.from_seq", "d.to_seq", "e.source", "e.amount_minor"
	if spin {
		table, first, last, source, amount = "spin_entries", "d.from_spin_seq", "d.to_spin_seq", fmt.Sprint(uint8(models.SourcePlatform)), "e.stake_minor"
	}
	conditions = append(conditions, "d.day = ?", "e.kind IN ?", "p.id = d.player_id", "e.player_id = d.player_id", "e.seq BETWEEN "+first+" AND "+last)
	args = append(args, string(f.Day), kinds)
	if f.After.PlayerID != 0 {
		conditions, args = append(conditions, "d.player_id >= ?", "(d.player_id > ? OR e.seq > ?)"), append(args, f.After.PlayerID, f.After.PlayerID, f.After.Seq)
	}
	var rows []struct {
		PlayerID      int64
		UserID        string
		Test          bool
		Seq           int64
		Kind          models.EntryKind
		AtUs          int64
		Number        int64
		TransactionID string
		RoundID       string
		Currency      string
		AmountMinor   int64
	}
	// The day's rows come first, in the order of their key: SQLite keeps to the order of a CROSS JOIN.
	err := s.read.WithContext(ctx).Raw("SELECT d.player_id, p.user_id, d.test, e.seq, e.kind, e.at_us, COALESCE(t.id, 0) AS number, e.transaction_id, e.round_id, d.currency, "+amount+` AS amount_minor
		FROM daily_sums d CROSS JOIN players p CROSS JOIN `+table+" e LEFT JOIN transactions t ON t.source = "+source+" AND t.transaction_id = e.transaction_id"+
		where(conditions...)+" ORDER BY d.player_id, e.seq LIMIT ?", append(args, f.Limit+1)...).Scan(&rows).Error
	if err != nil {
		return nil, false, fmt.Errorf("read lines of a day: %w", err)
	}
	list := make([]models.DayLine, len(rows))
	for i, r := range rows {
		list[i] = models.DayLine{
			PlayerID: r.PlayerID, UserID: models.UserID(r.UserID), Test: r.Test, Spin: spin, Seq: r.Seq, Kind: r.Kind, At: fromMicros(r.AtUs), Transaction: r.Number,
			TransactionID: models.TransactionID(r.TransactionID), RoundID: models.RoundID(r.RoundID), Currency: models.Currency(r.Currency), Amount: models.Amount(r.AmountMinor),
		}
	}
	return list, len(rows) > f.Limit, nil
}

// ofSpins keeps those lines that are wins of free spins, or those that are not.
func (s *Store) ofSpins(ctx context.Context, list []models.DayLine, keep bool) ([]models.DayLine, error) {
	heads := make([]dayHead, len(list))
	for i, l := range list {
		heads[i] = dayHead{PlayerID: l.PlayerID, Seq: l.Seq - 1, WalletSeq: l.Seq, WalletSpinSeq: 1}
	}
	wins, err := winsOfSpins(s.read.WithContext(ctx), heads)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(l models.DayLine) bool { return wins[[2]int64{l.PlayerID, l.Seq}] != keep }), nil
}
