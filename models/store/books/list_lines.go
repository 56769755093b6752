package books

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// linePlayers is how many players' lines of a day are read at once.
const linePlayers = 50

// DayLines returns a page of the lines that make up a figure of a day, ordered by player and number, money before free
// spins. Each row of the day stores which lines it covers, so these are exactly the lines that were counted.
func (s *Store) DayLines(ctx context.Context, f models.DayLineFilter) (page models.Page[models.DayLine], err error) {
	var list []models.DayLine
	var money, spins []models.EntryKind
	for _, k := range f.Figure.Kinds() {
		if k < models.EntrySpin {
			money = append(money, k)
		} else {
			spins = append(spins, k)
		}
	}
	ledgers := []struct {
		spin  bool
		kinds []models.EntryKind
	}{{false, money}, {true, spins}}
	if f.After.Spin {
		ledgers = ledgers[1:]
	}
	for _, ledger := range ledgers {
		for more := len(ledger.kinds) > 0; more && len(list) <= f.Limit; {
			var found []models.DayLine
			if found, more, err = s.dayLines(ctx, &f, ledger.spin, ledger.kinds); err != nil {
				return page, err
			}
			list = append(list, found...)
		}
		f.After = models.LinePlace{}
	}
	return db.PageOf(list, models.Span{Limit: f.Limit}), nil
}

// behind has, for each figure, the condition for rows of a day that have lines for it.
var behind = map[models.Figure]string{
	models.FigureTurnover: "d.bets > 0 OR d.stake_reversed_minor <> 0",
	models.FigurePayout:   "d.win_minor <> 0 OR d.win_reversed_minor <> 0",
	models.FigureSpinWins: "d.spin_win_minor <> 0 OR d.spin_win_reversed_minor <> 0", models.FigureRollbacks: "d.reversals > 0",
	models.FigureCorrections: "d.corrections > 0", models.FigureOpenings: "d.opening_minor <> 0",
	models.FigureDeposits: "d.deposit_minor <> 0", models.FigureCashOuts: "d.paid_minor <> 0 OR d.returned_minor <> 0",
}

// dayLines reads lines of some players in one ledger, starting after f.After. It moves f.After past the lines that it has read,
// and reports whether there may be more.
func (s *Store) dayLines(ctx context.Context, f *models.DayLineFilter, spin bool,
	kinds []models.EntryKind) (list []models.DayLine, more bool, err error) {
	conditions, args := ofReport(models.ReportFilter{Currency: f.Currency, Test: f.Test, PlayerID: f.PlayerID})
	for i, c := range conditions {
		conditions[i] = "d." + c
	}
	first, last := "from_seq", "to_seq"
	if spin {
		first, last = "from_spin_seq", "to_spin_seq"
	}
	conditions, args = append(conditions, "d.day = ?", "d."+first+" > 0", "d.player_id >= ?"),
		append(args, f.Day, f.After.PlayerID)
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
	err = s.db.Read.WithContext(ctx).
		Raw("SELECT d.player_id, p.user_id, d.test, d.currency, d."+first+" AS first_seq, d."+last+
			" AS last_seq FROM daily_sums d JOIN players p ON p.id = d.player_id"+
			where(conditions...)+" ORDER BY d.player_id LIMIT ?", append(args, linePlayers)...).Scan(&players).Error
	if err != nil {
		return nil, false, fmt.Errorf("read players of a day: %w", err)
	}
	heads := make([]dayHead, len(players))
	at := map[int64]int{}
	for i, p := range players {
		h := dayHead{PlayerID: p.PlayerID, Seq: p.FirstSeq - 1, WalletSeq: p.LastSeq}
		if at[p.PlayerID] = i; p.PlayerID == f.After.PlayerID {
			h.Seq = max(h.Seq, f.After.Seq)
		}
		h.SpinSeq, h.WalletSpinSeq = h.Seq, h.WalletSeq // only the bounds of one ledger are used
		heads[i] = h
	}
	var found []models.DayLine
	var end models.LinePlace
	if spin {
		found, end, err = s.spinLines(ctx, heads, kinds, f.Limit)
	} else {
		found, end, err = s.moneyLines(ctx, heads, kinds, f)
	}
	if err != nil {
		return nil, false, fmt.Errorf("read lines of a day: %w", err)
	}
	for _, l := range found {
		p := players[at[l.PlayerID]]
		l.UserID, l.Test, l.Spin, l.Currency = models.UserID(p.UserID), p.Test, spin, models.Currency(p.Currency)
		list = append(list, l)
	}
	switch {
	case end != (models.LinePlace{}):
		more, f.After = true, end
	case len(players) == linePlayers:
		more, f.After = true, models.LinePlace{PlayerID: players[linePlayers-1].PlayerID, Seq: players[linePlayers-1].LastSeq}
	}
	return list, more, nil
}

// moneyLines reads the lines of these kinds within the bounds of some wallets, in the order of players and numbers. If it stops
// after a little more than limit lines, it returns the place where it stopped. The query is ordered by one index of its first
// table, so that it stops early.
func (s *Store) moneyLines(ctx context.Context, heads []dayHead, kinds []models.EntryKind,
	f *models.DayLineFilter) (list []models.DayLine, end models.LinePlace, err error) {
	var q db.Statement
	q.Begin("SELECT COALESCE(t.id, 0), " + ledger.SelectOf("e") + " FROM postings e" + s.db.Dialect.JoinInOrder() +
		`wallets w ON w.player_id = e.player_id
		LEFT JOIN postings t ON t.source = e.source AND t.transaction_id = e.transaction_id AND t.claim = 1
		WHERE e.free_spin = 0 AND (`)
	if !within(&q, "e.", heads, postingBounds) {
		return nil, end, nil
	}
	q.Text(") AND (")
	for i, k := range kinds {
		if i > 0 {
			q.Text(" OR ")
		}
		q.Text(postingsOf[k])
	}
	of := make(map[int64]*dayHead, len(heads))
	for i := range heads {
		of[heads[i].PlayerID] = &heads[i]
	}
	q.Text(")")
	switch f.Figure {
	case models.FigurePayout:
		q.Text(" AND " + ofSpins(s.db.Dialect) + " = 0")
	case models.FigureSpinWins:
		q.Text(" AND " + ofSpins(s.db.Dialect) + " = 1")
	}
	n := 0
	q.Text(" ORDER BY e.player_id, e.seq LIMIT ").Number(int64(f.Limit) + 1)
	err = q.Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
		var number int64
		p, err := ledger.ScanPosting(rows, &number)
		if err != nil {
			return err
		}
		for _, e := range p.Entries("") {
			if h := of[e.PlayerID]; slices.Contains(kinds, e.Kind) && e.Seq > h.Seq && e.Seq <= h.WalletSeq {
				if f.Figure == models.FigureCashOuts && e.Kind == models.EntryCashPaid {
					e.Amount = e.Held // the balance was reduced when it was requested
				}
				list = append(list, models.DayLine{
					PlayerID: e.PlayerID, Seq: e.Seq, Kind: e.Kind, At: e.At, Transaction: number,
					TransactionID: e.TransactionID, RoundID: e.RoundID, Amount: e.Amount,
				})
			}
		}
		if n++; n > f.Limit {
			end = models.LinePlace{PlayerID: p.PlayerID, Seq: p.Seq}
		}
		return nil
	})
	return list, end, err
}

// postingsOf has, for each kind of line, the condition for postings e that have such a line.
var postingsOf = map[models.EntryKind]string{
	models.EntryBet: ledger.AreBets, models.EntryWin: ledger.AreWins, models.EntryBetReversed: ledger.AreBetsReversed,
	models.EntryWinReversed: ledger.AreWinsReversed,
	models.EntryOpening:     fmt.Sprintf("e.kind = %d", models.Opening),
	models.EntryAdjustment:  fmt.Sprintf("e.kind = %d", models.Adjustment),
	models.EntryTombstone:   "e.claim IS NULL",

	models.EntryCashIn:       fmt.Sprintf("e.kind = %d", models.CashIn),
	models.EntryCashOut:      fmt.Sprintf("e.claim = 1 AND e.kind = %d", models.CashOut),
	models.EntryCashPaid:     fmt.Sprintf("e.kind = %d", models.CashPaid),
	models.EntryCashBounced:  fmt.Sprintf("e.kind = %d", models.CashBounced),
	models.EntryCashReturned: fmt.Sprintf("e.claim = 2 AND e.kind = %d", models.CashOut),
}

// spinLines is moneyLines for the free-spin ledger.
func (s *Store) spinLines(ctx context.Context, heads []dayHead, kinds []models.EntryKind,
	limit int) (list []models.DayLine, end models.LinePlace, err error) {
	var q db.Statement
	if !within(q.Begin(""), "e.", heads, spinBounds) {
		return nil, end, nil
	}
	var rows []struct {
		PlayerID      int64
		Seq           int64
		Kind          models.EntryKind
		AtUs          int64
		Number        int64
		TransactionID string
		RoundID       string
		StakeMinor    int64
	}
	numbers := make([]int, len(kinds))
	for i, k := range kinds {
		numbers[i] = int(k)
	}
	err = s.db.Read.WithContext(ctx).
		Raw(`SELECT e.player_id, e.seq, e.kind, e.at_us, COALESCE(t.id, 0) AS number, e.transaction_id, e.round_id,
			e.stake_minor
		FROM spin_entries e LEFT JOIN postings t ON t.source = ? AND t.transaction_id = e.transaction_id AND t.claim = 1
		WHERE (`+string(q.Buf)+") AND e.kind IN ? ORDER BY e.player_id, e.seq LIMIT ?", models.SourcePlatform, numbers,
			limit+1).Scan(&rows).Error
	for _, r := range rows {
		list = append(list, models.DayLine{
			PlayerID: r.PlayerID, Seq: r.Seq, Kind: r.Kind, At: db.FromMicros(r.AtUs), Transaction: r.Number,
			TransactionID: models.TransactionID(r.TransactionID),
			RoundID:       models.RoundID(r.RoundID), Amount: models.Amount(r.StakeMinor),
		})
	}
	if len(rows) > limit {
		end = models.LinePlace{PlayerID: rows[limit].PlayerID, Seq: rows[limit].Seq}
	}
	return list, end, err
}
