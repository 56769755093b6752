package store

import (
	"context"
	"fmt"
	"slices"

	"pitboss/models"
)

// linePlayers is how many players' lines of a day are read together.
const linePlayers = 50

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
	ledgers := []struct {
		spin  bool
		kinds []int
	}{{false, money}, {true, spins}}
	if f.After.Spin {
		ledgers = ledgers[1:]
	}
	for _, ledger := range ledgers {
		for more = len(ledger.kinds) > 0; more && len(list) <= f.Limit; {
			var found []models.DayLine
			if found, more, err = s.dayLines(ctx, &f, ledger.spin, ledger.kinds); err != nil {
				return nil, false, err
			}
			list = append(list, found...)
		}
		f.After = models.LinePlace{}
	}
	if more = len(list) > f.Limit; more {
		list = list[:f.Limit]
	}
	return list, more, nil
}

// behind are the conditions that a row of a day has lines behind a figure.
var behind = map[models.Figure]string{
	models.FigureTurnover: "d.bets > 0 OR d.stake_reversed_minor <> 0", models.FigurePayout: "d.win_minor <> 0 OR d.win_reversed_minor <> 0",
	models.FigureSpinWins: "d.spin_win_minor <> 0 OR d.spin_win_reversed_minor <> 0", models.FigureRollbacks: "d.reversals > 0",
	models.FigureCorrections: "d.corrections > 0", models.FigureOpenings: "d.opening_minor <> 0",
}

// dayLines reads lines of some players in one ledger after f.After, which it moves behind them, and reports whether there may be others.
func (s *Store) dayLines(ctx context.Context, f *models.DayLineFilter, spin bool, kinds []int) (list []models.DayLine, more bool, err error) {
	conditions, args := ofReport(models.ReportFilter{Currency: f.Currency, Test: f.Test, PlayerID: f.PlayerID})
	for i, c := range conditions {
		conditions[i] = "d." + c
	}
	table, first, last, source, amount := "entries", "from_seq", "to_seq", "e.source", "e.amount_minor"
	if spin {
		table, first, last, source, amount = "spin_entries", "from_spin_seq", "to_spin_seq", fmt.Sprint(uint8(models.SourcePlatform)), "e.stake_minor"
	}
	conditions, args = append(conditions, "d.day = ?", "d."+first+" > 0", "d.player_id >= ?"), append(args, string(f.Day), f.After.PlayerID)
	if rows := behind[f.Figure]; rows != "" {
		conditions = append(conditions, "("+rows+")")
	}
	var players []struct {
		PlayerID int64
		UserID   string
		Test     bool
		Currency string
		FirstSeq int64
		LastSeq  int64
	}
	err = s.read.WithContext(ctx).Raw("SELECT d.player_id, p.user_id, d.test, d.currency, d."+first+" AS first_seq, d."+last+" AS last_seq FROM daily_sums d JOIN players p ON p.id = d.player_id"+
		where(conditions...)+" ORDER BY d.player_id LIMIT ?", append(args, linePlayers)...).Scan(&players).Error
	if err != nil {
		return nil, false, fmt.Errorf("read players of a day: %w", err)
	}
	heads := make([]dayHead, len(players))
	at := map[int64]int{}
	for i, p := range players {
		heads[i] = dayHead{PlayerID: p.PlayerID, Seq: p.FirstSeq - 1, WalletSeq: p.LastSeq}
		if at[p.PlayerID] = i; p.PlayerID == f.After.PlayerID {
			heads[i].Seq = max(heads[i].Seq, f.After.Seq)
		}
	}
	var q statement
	var rows []struct {
		PlayerID      int64
		Seq           int64
		Kind          models.EntryKind
		AtUs          int64
		Number        int64
		TransactionID string
		RoundID       string
		AmountMinor   int64
	}
	if within(q.begin(""), "e.", heads, moneyBounds) {
		err = s.read.WithContext(ctx).Raw("SELECT e.player_id, e.seq, e.kind, e.at_us, COALESCE(t.id, 0) AS number, e.transaction_id, e.round_id, "+amount+" AS amount_minor FROM "+table+
			" e LEFT JOIN transactions t ON t.source = "+source+" AND t.transaction_id = e.transaction_id WHERE ("+string(q.buf)+") AND e.kind IN ? ORDER BY e.player_id, e.seq LIMIT ?", kinds, f.Limit+1).Scan(&rows).Error
		if err != nil {
			return nil, false, fmt.Errorf("read lines of a day: %w", err)
		}
	}
	for _, r := range rows {
		p := players[at[r.PlayerID]]
		list = append(list, models.DayLine{
			PlayerID: r.PlayerID, UserID: models.UserID(p.UserID), Test: p.Test, Spin: spin, Seq: r.Seq, Kind: r.Kind, At: fromMicros(r.AtUs), Transaction: r.Number,
			TransactionID: models.TransactionID(r.TransactionID), RoundID: models.RoundID(r.RoundID), Currency: models.Currency(p.Currency), Amount: models.Amount(r.AmountMinor),
		})
	}
	switch {
	case len(rows) > f.Limit:
		more, f.After = true, models.LinePlace{PlayerID: rows[f.Limit].PlayerID, Seq: rows[f.Limit].Seq}
	case len(players) == linePlayers:
		more, f.After = true, models.LinePlace{PlayerID: players[linePlayers-1].PlayerID, Seq: players[linePlayers-1].LastSeq}
	}
	if f.Figure == models.FigurePayout || f.Figure == models.FigureSpinWins {
		list, err = s.ofSpins(ctx, list, f.Figure == models.FigureSpinWins)
	}
	return list, more, err
}

// ofSpins keeps those lines that are wins of free spins, or those that are not. They are in the order of players and numbers.
func (s *Store) ofSpins(ctx context.Context, list []models.DayLine, keep bool) ([]models.DayLine, error) {
	var heads []dayHead
	for _, l := range list {
		if n := len(heads); n == 0 || heads[n-1].PlayerID != l.PlayerID {
			heads = append(heads, dayHead{PlayerID: l.PlayerID, Seq: l.Seq - 1, WalletSpinSeq: 1})
		}
		heads[len(heads)-1].WalletSeq = l.Seq
	}
	wins, err := winsOfSpins(s.read.WithContext(ctx), heads)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(l models.DayLine) bool { return wins[[2]int64{l.PlayerID, l.Seq}] != keep }), nil
}
