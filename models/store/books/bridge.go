package books

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// The bridge between the platform's figures of a statement and our report of the same days. The two count rollbacks differently:
// a statement deducts a rollback from its transaction, a report counts it on the day on which it came. Each row is read from
// where it is booked. What arrived late, or counts on a day outside the statement for another reason, is what remains.

// Bridge returns the bridge of a finished comparison, by currency, with the first and the last of the days that the statement
// touches.
func (s *Store) Bridge(ctx context.Context, st models.Statement,
	run models.StatementRun) (list []*models.Bridge, from, to models.Day, err error) {
	read := s.db.Read.WithContext(ctx)
	first, err := s.dayAt(read, st.Since)
	if err != nil {
		return nil, "", "", err
	}
	last, err := s.dayAt(read, st.Ends().Add(-time.Microsecond))
	if err != nil {
		return nil, "", "", err
	}
	b := bridging{s, st, run, first.From, last.Until, map[models.Currency]*models.Bridge{}}
	b.compared()
	for _, part := range []func(context.Context) error{b.rolledBack, b.since, b.later} {
		if err := part(ctx); err != nil {
			return nil, "", "", fmt.Errorf("bridge statement %d and the days: %w", st.ID, err)
		}
	}
	if err := b.report(ctx, first.Day, last.Day); err != nil {
		return nil, "", "", fmt.Errorf("read the days of statement %d: %w", st.ID, err)
	}
	list = slices.SortedFunc(maps.Values(b.of), func(x, y *models.Bridge) int { return cmp.Compare(x.Currency, y.Currency) })
	for _, bridge := range list {
		bridge.Complete()
	}
	return list, first.Day, last.Day, nil
}

// bridging collects the rows of a bridge.
type bridging struct {
	*Store
	st          models.Statement
	run         models.StatementRun
	from, until time.Time // of the days
	of          map[models.Currency]*models.Bridge
}

func (b *bridging) row(c models.Currency, step models.BridgeStep) *models.BridgeRow {
	if b.of[c] == nil {
		b.of[c] = &models.Bridge{Currency: c}
	}
	return b.of[c].Row(step)
}

// bridgeSum is what the queries return, by currency.
type bridgeSum struct {
	Currency models.Currency
	Mark     bool // what distinguishes two groups of the query
	Reversed bool
	Bet, Win models.Amount
	Other    models.Amount
}

// compared adds what the comparison found.
func (b *bridging) compared() {
	for _, sum := range b.run.Sums {
		if sum.Edge {
			b.row(sum.Currency, models.BridgeAside).Add(sum.Ours.Turnover, sum.Ours.Payout, 0)
			continue
		}
		b.row(sum.Currency, models.BridgeTheirs).Add(sum.Theirs.Turnover, sum.Theirs.Payout, 0)
		b.row(sum.Currency, models.BridgeCompared).Add(sum.Ours.Turnover, sum.Ours.Payout, 0)
		if step := models.BucketSteps[sum.Bucket]; step != 0 {
			b.row(sum.Currency, step).Add(sum.Ours.Turnover.Sub(sum.Theirs.Turnover), sum.Ours.Payout.Sub(sum.Theirs.Payout),
				0)
		}
	}
}

// numbers returns the numbers of the postings between two times, in a condition for postings with this name.
func (b *bridging) numbers(ctx context.Context, name string, from, until time.Time) (string, []any, error) {
	low, err := b.db.NumberAt(ctx, "postings", from.Add(-db.Apart))
	if err != nil {
		return "", nil, err
	}
	high, err := b.db.NumberAt(ctx, "postings", until.Add(db.Apart))
	return name + ".id >= ? AND " + name + ".id < ?", []any{low, high}, err
}

// rolledBack adds rollbacks that the comparison deducted from a transaction of these days but that came later, and deducts
// those that came on these days for earlier transactions. On MySQL, the query names the index that has only rollbacks: the
// primary key would read everything booked on these days.
func (b *bridging) rolledBack(ctx context.Context) error {
	between, args, err := b.numbers(ctx, "r", b.from, b.run.FinishedAt)
	if err != nil {
		return err
	}
	from, until := db.Micros(b.from), db.Micros(b.until)
	since, ends := db.Micros(b.st.Since), db.Micros(b.st.Ends())
	hint := ""
	if b.db.Dialect == db.MySQL {
		hint = " FORCE INDEX (postings_class)"
	}
	args = append([]any{until}, args...)
	args = append(args, models.Bet, models.Win, models.BetWin, models.SourcePlatform, db.Micros(b.run.FinishedAt), until, since,
		ends, from, until, since)
	var sums []bridgeSum
	err = b.db.Read.WithContext(ctx).Raw("SELECT w.currency, CASE WHEN r.at_us >= ? THEN 1 ELSE 0 END AS mark, "+
		`SUM(r.bet_minor) AS bet, SUM(r.win_minor) AS win
		FROM postings r`+hint+` JOIN wallets w ON w.player_id = r.player_id
		LEFT JOIN postings t ON t.source = r.source AND t.transaction_id = r.transaction_id AND t.claim = 1
		WHERE `+between+` AND r.claim = 2 AND r.kind IN (?, ?, ?) AND r.free_spin = 0 AND r.source = ? AND r.at_us < ?
		AND (r.at_us >= ? AND t.at_us >= ? AND t.at_us < ?
			OR r.at_us >= ? AND r.at_us < ? AND (t.at_us IS NULL OR t.at_us < ?))
		GROUP BY w.currency, mark`, args...).Scan(&sums).Error
	for _, sum := range sums {
		bet, win := sum.Bet, sum.Win
		if !sum.Mark {
			bet, win = -bet, -win
		}
		b.row(sum.Currency, models.BridgeRolledBack).Add(bet, win, 0)
	}
	return err
}

// since adds what was booked on these days after the comparison, except cash, which the platform does not know.
func (b *bridging) since(ctx context.Context) error {
	if !b.run.FinishedAt.Before(b.until) {
		return nil
	}
	between, args, err := b.numbers(ctx, "p", b.run.FinishedAt, b.until)
	if err != nil {
		return err
	}
	args = append([]any{models.CorrectRollback, models.CorrectWin, models.ApprovalApproved}, args...)
	args = append(args, db.Micros(b.run.FinishedAt), db.Micros(b.until), models.Opening, models.SourceClient)
	var sums []bridgeSum
	adjusts := fmt.Sprintf("p.kind = %d", models.Adjustment)
	played := func(column string) string {
		return "SUM(CASE WHEN " + adjusts + " THEN 0 ELSE p." + column + " END)"
	}
	err = b.db.Read.WithContext(ctx).Raw("SELECT w.currency, CASE WHEN c.id IS NOT NULL OR "+adjusts+
		" THEN 1 ELSE 0 END AS mark, CASE WHEN p.claim = 2 THEN 1 ELSE 0 END AS reversed, "+played("bet_minor")+" AS bet, "+
		played("win_minor")+" AS win, "+
		"SUM(CASE WHEN "+adjusts+` THEN p.win_minor - p.bet_minor ELSE 0 END) AS other
		FROM postings p JOIN wallets w ON w.player_id = p.player_id
		LEFT JOIN corrections c ON c.transaction_id = p.transaction_id AND c.player_id = p.player_id
			AND c.kind = CASE WHEN p.claim = 2 THEN ? ELSE ? END AND c.state = ?
		WHERE `+between+` AND p.claim IS NOT NULL AND p.free_spin = 0 AND p.at_us >= ? AND p.at_us < ? AND p.kind <> ? AND p.source <> ?
		GROUP BY w.currency, mark, reversed`, args...).Scan(&sums).Error
	for _, sum := range sums {
		step := models.BridgeCallbacks
		if sum.Mark {
			step = models.BridgeCorrected
		}
		bet, win := sum.Bet, sum.Win
		if sum.Reversed {
			bet, win = -bet, -win
		}
		b.row(sum.Currency, step).Add(bet, win, sum.Other)
		b.row(sum.Currency, models.BridgeAdjustments).Add(0, 0, -sum.Other)
	}
	return err
}

// later adds the corrections that were booked after these days and after the comparison: rollbacks of these days' transactions,
// wins that are only in the file, and credits and debits for the comparison's cases.
func (b *bridging) later(ctx context.Context) error {
	read := b.db.Read.WithContext(ctx)
	var cases []int64
	if err := read.Raw("SELECT case_id FROM statement_differences WHERE run_id = ? AND case_id > 0", b.run.ID).
		Scan(&cases).Error; err != nil {
		return err
	}
	references := []string{""}
	for _, id := range cases {
		references = append(references, models.CaseReference(id))
	}
	after := b.until
	if b.run.FinishedAt.After(after) {
		after = b.run.FinishedAt
	}
	isRollback, isWin := fmt.Sprintf("c.kind = %d", models.CorrectRollback), fmt.Sprintf("c.kind = %d", models.CorrectWin)
	var sums []bridgeSum
	err := read.Raw("SELECT w.currency, CASE WHEN "+isRollback+" THEN 1 ELSE 0 END AS reversed, "+
		"SUM(COALESCE(t.bet_minor, 0)) AS bet, "+
		"SUM(CASE WHEN "+isWin+" THEN c.amount_minor ELSE COALESCE(t.win_minor, 0) END) AS win, "+
		"SUM(CASE WHEN "+isRollback+" OR "+isWin+` THEN 0 ELSE c.effect_minor END) AS other
		FROM corrections c JOIN wallets w ON w.player_id = c.player_id
		LEFT JOIN postings t ON `+isRollback+` AND t.source = ? AND t.transaction_id = c.transaction_id AND t.claim = 1
		WHERE c.state = ? AND c.decided_at_us >= ? AND (`+
		isRollback+" AND t.free_spin = 0 AND t.at_us >= ? AND t.at_us < ? OR "+
		isWin+` AND EXISTS (SELECT 1 FROM statement_differences d WHERE d.transaction_id = c.transaction_id AND d.run_id = ?)
			OR NOT (`+isRollback+" OR "+isWin+`) AND c.reference <> '' AND c.reference IN ?)
		GROUP BY w.currency, reversed`, models.SourcePlatform, models.ApprovalApproved, db.Micros(after),
		db.Micros(b.st.Since), db.Micros(b.st.Ends()), b.run.ID, references).Scan(&sums).Error
	for _, sum := range sums {
		bet, win := sum.Bet, sum.Win
		if sum.Reversed {
			bet, win = -bet, -win
		}
		b.row(sum.Currency, models.BridgeLater).Add(bet, win, sum.Other)
	}
	return err
}

// report adds the figures of the days as they are now.
func (b *bridging) report(ctx context.Context, first, last models.Day) error {
	var days []dayTotal
	err := b.db.Read.WithContext(ctx).Raw("SELECT currency, "+sumOfFigures()+
		" FROM daily_totals WHERE day >= ? AND day <= ? GROUP BY currency", first, last).Scan(&days).Error
	for _, d := range days {
		wins := d.Payout().Add(d.SpinPayout())
		b.row(d.Currency, models.BridgeReport).Add(d.Turnover(), wins, d.Corrected().Add(d.Openings))
		b.row(d.Currency, models.BridgeAdjustments).Add(0, 0, d.Corrected())
		b.row(d.Currency, models.BridgeOpenings).Add(0, 0, d.Openings)
	}
	return err
}
