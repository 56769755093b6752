package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// Lists of transactions, of any size within milliseconds.
//
// They are ordered by number, which is the order of booking: numbers are given out while the wallets are locked, a few milliseconds
// around the time that is stored beside them. So every index on transactions, which InnoDB ends with the number, is also ordered by it,
// and the table needs none for time, which every callback would pay for: a time is turned into a number by bisection (numberAt).
//
// A filter that an index answers is a path: state, kind and free spin together, since a page of each of their few combinations, merged,
// is a page of them all; or player; or round; or the ID. Other filters are looked for along the path, through so many rows at most, and
// the page says where it stopped.

// How far along a path a page looks for rows that pass the other filters: by number through the table itself, else by an index, whose
// every step reads a row elsewhere.
const (
	lookAlongTable = 50_000
	lookAlongIndex = 20_000
)

// apart is how far the times of two rows may contradict the order of their numbers: waits for locks, which a callback's deadline ends, and
// clocks of several instances.
const apart = 15 * time.Second

type transactionRow struct {
	ID                int64
	Source            uint8
	TransactionID     string
	PlayerID          int64
	Kind              uint8
	RoundID           string
	BetMinor          int64
	WinMinor          int64
	FreeSpin          bool
	State             uint8
	AtUs              int64
	ReversedAtUs      int64
	OtherContentsAtUs int64
	UserID            string
	Test              bool
	Currency          string
}

func (r transactionRow) line() models.TransactionLine {
	return models.TransactionLine{
		Transaction: models.Transaction{
			ID: r.ID, Source: models.Source(r.Source), TransactionID: models.TransactionID(r.TransactionID), PlayerID: r.PlayerID,
			Kind: models.OperationKind(r.Kind), RoundID: models.RoundID(r.RoundID), Bet: models.Amount(r.BetMinor), Win: models.Amount(r.WinMinor),
			FreeSpin: r.FreeSpin, State: models.TransactionState(r.State), At: fromMicros(r.AtUs), ReversedAt: fromMicros(r.ReversedAtUs),
			OtherContents: fromMicros(r.OtherContentsAtUs),
		},
		UserID: models.UserID(r.UserID), Test: r.Test, Currency: models.Currency(r.Currency),
	}
}

const selectTransactionLines = `SELECT t.id, t.source, t.transaction_id, t.player_id, t.kind, t.round_id, t.bet_minor, t.win_minor, t.free_spin, t.state,
	t.at_us, t.reversed_at_us, t.other_contents_at_us, p.user_id, p.test, w.currency
	FROM transactions t JOIN players p ON p.id = t.player_id JOIN wallets w ON w.player_id = t.player_id`

// Transactions lists the transactions that f selects, each with the balance that it left.
func (s *Store) Transactions(ctx context.Context, f models.TransactionFilter) (models.Looked[models.TransactionLine], error) {
	page, err := s.transactions(ctx, f)
	if err != nil {
		return models.Looked[models.TransactionLine]{}, fmt.Errorf("list transactions: %w", err)
	}
	return page, nil
}

func (s *Store) transactions(ctx context.Context, f models.TransactionFilter) (page models.Looked[models.TransactionLine], err error) {
	w, err := s.transactionWalk(ctx, f)
	if err != nil {
		return page, err
	}
	var ids []int64
	if ids, page.More, page.Stopped, err = w.page(ctx, s.read, f.Limit); err != nil || len(ids) == 0 {
		return page, err
	}
	page.Rows, err = s.transactionLines(ctx, ids)
	return page, err
}

// transactionLines reads transactions by their numbers, the newest first.
func (s *Store) transactionLines(ctx context.Context, ids []int64) ([]models.TransactionLine, error) {
	var rows []transactionRow
	err := s.read.WithContext(ctx).Raw(selectTransactionLines+" WHERE t.id IN ? ORDER BY t.id DESC", ids).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	lines := make([]models.TransactionLine, len(rows))
	for i, r := range rows {
		lines[i] = r.line()
	}
	for part := range slices.Chunk(lines, maxAlternatives) {
		if err := s.balancesAfter(ctx, part); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// balancesAfter looks up the balance that each of some transactions left. Its ledger line has the transaction's own time, kind and amount.
func (s *Store) balancesAfter(ctx context.Context, lines []models.TransactionLine) error {
	var where []string
	var args []any
	for _, t := range lines {
		kind, amount := models.EntryBet, -t.Bet
		switch t.Kind {
		case models.Win, models.BetWin:
			kind, amount = models.EntryWin, t.Win
		case models.Opening:
			kind, amount = models.EntryOpening, t.Win
		case models.Adjustment:
			kind, amount = models.EntryAdjustment, t.Effect()
		}
		if !t.FreeSpin {
			where = append(where, "(at_us = ? AND kind = ? AND amount_minor = ? AND player_id = ?)")
			args = append(args, micros(t.At), uint8(kind), int64(amount), t.PlayerID)
		}
	}
	if len(where) == 0 {
		return nil
	}
	var rows []struct {
		PlayerID      int64
		Source        uint8
		TransactionID string
		AfterMinor    int64
	}
	err := s.read.WithContext(ctx).Raw("SELECT player_id, source, transaction_id, after_minor FROM entries WHERE "+strings.Join(where, " OR "), args...).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("look balances up: %w", err)
	}
	after := map[transactionKey]*models.Amount{}
	for _, r := range rows {
		a := models.Amount(r.AfterMinor)
		after[transactionKey{models.Source(r.Source), models.TransactionID(r.TransactionID)}] = &a
	}
	for i, t := range lines {
		if !t.FreeSpin {
			lines[i].After = after[transactionKey{t.Source, t.TransactionID}]
		}
	}
	return nil
}

// Transaction returns the transaction with this number, and false where there is none.
func (s *Store) Transaction(ctx context.Context, id int64) (models.TransactionLine, bool, error) {
	lines, err := s.transactionLines(ctx, []int64{id})
	if err != nil {
		return models.TransactionLine{}, false, fmt.Errorf("read transaction: %w", err)
	}
	if len(lines) == 0 {
		return models.TransactionLine{}, false, nil
	}
	return lines[0], true, nil
}

// NeighbouringTransactions returns the player's transactions right before and after one, nil where there is none.
func (s *Store) NeighbouringTransactions(ctx context.Context, t models.Transaction) (before, after *models.TransactionLine, err error) {
	for _, side := range []struct {
		newer bool
		to    **models.TransactionLine
	}{{false, &before}, {true, &after}} {
		page, err := s.Transactions(ctx, models.TransactionFilter{PlayerID: t.PlayerID, Page: models.Cursor{ID: t.ID, Newer: side.newer}, Limit: 1})
		if err != nil {
			return nil, nil, err
		}
		if len(page.Rows) > 0 {
			*side.to = &page.Rows[0]
		}
	}
	return before, after, nil
}

// TransactionEntries returns the lines that a transaction has in the money ledger, its rollback's too, in their order, each held against
// its predecessor.
func (s *Store) TransactionEntries(ctx context.Context, t models.TransactionLine) ([]models.LinkedEntry, error) {
	var rows []entryRow
	err := s.read.WithContext(ctx).Raw("SELECT * FROM entries WHERE at_us IN ? AND player_id = ? AND source = ? AND transaction_id = ? ORDER BY seq",
		timesOf(t.Transaction), t.PlayerID, uint8(t.Source), string(t.TransactionID)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read entries of a transaction: %w", err)
	}
	list := make([]models.LinkedEntry, len(rows))
	for i, r := range rows {
		var before []entryRow
		err := s.read.WithContext(ctx).Raw("SELECT * FROM entries WHERE player_id = ? AND seq = ?", r.PlayerID, r.Seq-1).Scan(&before).Error
		if err != nil {
			return nil, fmt.Errorf("read the entry before: %w", err)
		}
		if len(before) == 0 && r.Seq > 1 { // its front was purged
			err := s.read.WithContext(ctx).Raw("SELECT head AS hash FROM ledger_beginnings WHERE player_id = ? AND seq = ?", r.PlayerID, r.Seq-1).Scan(&before).Error
			if err != nil {
				return nil, fmt.Errorf("read where a ledger begins: %w", err)
			}
		}
		var head models.Hash
		if len(before) > 0 {
			copy(head[:], before[0].Hash)
		}
		e := r.entry(t.Currency)
		list[i] = models.LinkedEntry{Entry: e, Holds: s.chain.Entry(head, &e) == e.Hash && (len(before) > 0 || r.Seq == 1)}
	}
	return list, nil
}

func timesOf(t models.Transaction) []int64 {
	times := []int64{micros(t.At)}
	if !t.ReversedAt.IsZero() {
		times = append(times, micros(t.ReversedAt))
	}
	return times
}

// TransactionsBeginning returns up to limit transactions whose TransactionID begins so, by that ID.
func (s *Store) TransactionsBeginning(ctx context.Context, beginning string, limit int) ([]models.TransactionLine, error) {
	var ids []int64
	for _, source := range []models.Source{models.SourcePlatform, models.SourceOwn} {
		var rows []struct {
			ID            int64
			TransactionID string
		}
		err := s.read.WithContext(ctx).Raw("SELECT id, transaction_id FROM transactions WHERE source = ? AND transaction_id >= ? ORDER BY transaction_id LIMIT ?",
			uint8(source), beginning, limit).Scan(&rows).Error
		if err != nil {
			return nil, fmt.Errorf("look transactions up: %w", err)
		}
		for _, r := range rows {
			if strings.HasPrefix(r.TransactionID, beginning) && len(ids) < limit {
				ids = append(ids, r.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := s.transactionLines(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("look transactions up: %w", err)
	}
	slices.SortStableFunc(list, func(a, b models.TransactionLine) int {
		return strings.Compare(string(a.TransactionID), string(b.TransactionID))
	})
	return list, nil
}

// walk is a way through a table of what happened, transactions above all, in the order of its numbers.
type walk struct {
	table  string
	paths  []path
	filter string // what a row must pass besides
	args   []any
	newer  bool
	from   int64 // the number to begin behind; 0 for the end of the list
	low    int64 // numbers below are out of the question
	high   int64 // and these and above; 0 for none
	far    int64 // how many rows to look through at most; 0 for no end

	dialect dialect
	stopped models.Cursor
}

// path is an index, and the part of it in which numbers ascend.
type path struct {
	index string
	where string
	args  []any
}

// hint is how a statement is held to the path: left to themselves, optimisers walk the whole table where a page of it may come quicker.
func (r path) hint(d dialect) string {
	switch {
	case d == mysqlDialect && r.index == "":
		return " FORCE INDEX (PRIMARY)"
	case d == mysqlDialect:
		return " FORCE INDEX (" + r.index + ")"
	case r.index == "":
		return " NOT INDEXED"
	case r.index == "transactions_key":
		return "" // SQLite's own index for a unique key cannot be named
	}
	return " INDEXED BY " + r.index
}

func (s *Store) transactionWalk(ctx context.Context, f models.TransactionFilter) (*walk, error) {
	w := &walk{table: "transactions", dialect: s.dialect, newer: f.Page.Newer, from: f.Page.ID}
	var filter []string
	also := func(condition string, args ...any) {
		filter = append(filter, condition)
		w.args = append(w.args, args...)
	}
	classes := f.Kind != 0 || f.State != 0 || f.With != 0
	switch {
	case f.TransactionID != "":
		for _, source := range []models.Source{models.SourcePlatform, models.SourceOwn} {
			w.paths = append(w.paths, path{"transactions_key", "source = ? AND transaction_id = ?", []any{uint8(source), string(f.TransactionID)}})
		}
	case f.RoundID != "":
		w.paths = []path{{"transactions_round", "round_id = ?", []any{string(f.RoundID)}}}
	case f.PlayerID != 0:
		w.paths = []path{{"transactions_player", "player_id = ?", []any{f.PlayerID}}}
	case classes:
		w.paths = classPaths(f)
	default:
		w.paths = []path{{}}
	}
	if f.PlayerID != 0 && (f.TransactionID != "" || f.RoundID != "") {
		also("player_id = ?", f.PlayerID)
	}
	if f.RoundID != "" && f.TransactionID != "" {
		also("round_id = ?", string(f.RoundID))
	}
	if classes && (f.TransactionID != "" || f.RoundID != "" || f.PlayerID != 0) {
		if f.Kind != 0 {
			also("kind = ?", uint8(f.Kind))
		}
		if f.State != 0 {
			also("state = ?", uint8(f.State))
		}
		if f.With != 0 {
			also("free_spin = ?", f.With == models.FreeSpins)
		}
	}
	if f.AmountFrom != nil {
		also("ABS(win_minor - bet_minor) >= ?", int64(*f.AmountFrom))
	}
	if f.AmountTo != nil {
		also("ABS(win_minor - bet_minor) <= ?", int64(*f.AmountTo))
	}
	if f.OtherContents {
		also("other_contents_at_us > 0")
	}
	if len(filter) > 0 {
		w.far = lookAlongIndex
		if len(w.paths) > 0 && w.paths[0].index == "" {
			w.far = lookAlongTable
		}
	}
	if err := s.between(ctx, w, f.Since, f.Until); err != nil {
		return nil, err
	}
	// Times are no filter to get lost behind: numbers bound them but for seconds.
	if !f.Since.IsZero() {
		also("at_us >= ?", micros(f.Since))
	}
	if !f.Until.IsZero() {
		also("at_us < ?", micros(f.Until))
	}
	w.filter = strings.Join(filter, " AND ")
	return w, nil
}

// classPaths are the combinations of state, kind and free spin that exist and that f selects.
func classPaths(f models.TransactionFilter) (paths []path) {
	for _, state := range []models.TransactionState{models.Processed, models.Reversed} {
		for _, kind := range []models.OperationKind{models.Bet, models.Win, models.BetWin, models.Opening, models.Adjustment} {
			for _, with := range []models.PlayedWith{models.RealMoney, models.FreeSpins} {
				if f.State != 0 && f.State != state || f.Kind != 0 && f.Kind != kind || f.With != 0 && f.With != with || with == models.FreeSpins && kind != models.Bet {
					continue
				}
				paths = append(paths, path{"transactions_class", "state = ? AND kind = ? AND free_spin = ?", []any{uint8(state), uint8(kind), with == models.FreeSpins}})
			}
		}
	}
	return paths
}

// between turns a range of time into one of numbers.
func (s *Store) between(ctx context.Context, w *walk, since, until time.Time) (err error) {
	if !since.IsZero() {
		if w.low, err = s.numberAt(ctx, w.table, since.Add(-apart)); err != nil {
			return err
		}
	}
	if !until.IsZero() {
		if w.high, err = s.numberAt(ctx, w.table, until.Add(apart)); err == nil && w.high == 0 {
			w.high = 1
		}
	}
	return err
}

// numberAt returns a number such that the table's row before it is of before at, and the one from it on of at or after at. All
// others lie on the same side, but for those that are apart from their order.
func (s *Store) numberAt(ctx context.Context, table string, at time.Time) (int64, error) {
	read := s.read.WithContext(ctx)
	var last int64
	if err := read.Raw("SELECT COALESCE(MAX(id), 0) FROM " + table).Scan(&last).Error; err != nil {
		return 0, err
	}
	low, high := int64(0), last+1
	for low < high {
		middle := low + (high-low)/2
		var rows []placed
		if err := read.Raw("SELECT id, at_us FROM "+table+" WHERE id >= ? AND id < ? ORDER BY id LIMIT 1", middle, high).Scan(&rows).Error; err != nil {
			return 0, err
		}
		if len(rows) == 0 || rows[0].AtUs >= micros(at) {
			high = middle
		} else {
			low = rows[0].ID + 1
		}
	}
	return low, nil
}

// window is the part of the list in which the page lies.
func (w *walk) window() (string, []any) {
	where, args := "id >= ?", []any{w.low}
	if w.high != 0 {
		where, args = where+" AND id < ?", append(args, w.high)
	}
	switch {
	case w.from == 0:
	case w.newer:
		where, args = where+" AND id > ?", append(args, w.from)
	default:
		where, args = where+" AND id < ?", append(args, w.from)
	}
	return where, args
}

func (w *walk) order() string {
	if w.newer {
		return " ORDER BY id"
	}
	return " ORDER BY id DESC"
}

// bound finds how far the walk goes, and stops it there: no row beyond is looked at on any path.
func (w *walk) bound(ctx context.Context, read *gorm.DB) error {
	if w.far == 0 {
		return nil
	}
	for _, r := range w.paths {
		end, err := w.end(ctx, read, r)
		if err != nil {
			return err
		}
		if end.ID != 0 && (w.stopped.ID == 0 || w.newer == (end.ID < w.stopped.ID)) {
			w.stopped = models.Cursor{At: fromMicros(end.AtUs), ID: end.ID, Newer: w.newer}
		}
	}
	switch {
	case w.stopped.ID == 0:
	case w.newer:
		w.high = w.stopped.ID + 1
	default:
		w.low = w.stopped.ID
	}
	return nil
}

type placed struct{ ID, AtUs int64 }

// end returns the row at which a path is left, and none where it is not so long.
func (w *walk) end(ctx context.Context, read *gorm.DB, r path) (placed, error) {
	where, args := w.window()
	if r.where != "" {
		where, args = where+" AND "+r.where, append(args, r.args...)
	}
	from := "FROM " + w.table + r.hint(w.dialect) + " WHERE " + where + w.order()
	offset := w.far
	if r.index == "" {
		// Numbers of the table itself have hardly any gaps: the end is reckoned instead of walked to.
		var first []int64
		if err := read.WithContext(ctx).Raw("SELECT id "+from+" LIMIT 1", args...).Scan(&first).Error; err != nil || len(first) == 0 {
			return placed{}, err
		}
		far := "id <= ?"
		at := first[0] - w.far
		if w.newer {
			far, at = "id >= ?", first[0]+w.far
		}
		from, args, offset = strings.Replace(from, where, where+" AND "+far, 1), append(args, at), 0
	}
	var ends []placed
	if err := read.WithContext(ctx).Raw("SELECT id, at_us "+from+" LIMIT 1 OFFSET ?", append(args, offset)...).Scan(&ends).Error; err != nil || len(ends) == 0 {
		return placed{}, err
	}
	return ends[0], nil
}

// page returns the numbers of a page of up to limit rows, whether more follow, and otherwise where looking stopped before the end.
func (w *walk) page(ctx context.Context, read *gorm.DB, limit int) (ids []int64, more bool, stopped models.Cursor, err error) {
	ids, err = w.ids(ctx, read, limit+1)
	if err == nil && len(ids) > limit {
		return ids[:limit], true, models.Cursor{}, nil
	}
	return ids, false, w.stopped, err
}

// ids returns up to limit numbers along the walk, in its own direction.
func (w *walk) ids(ctx context.Context, read *gorm.DB, limit int) (ids []int64, err error) {
	if len(w.paths) == 0 {
		return nil, nil // no class is such
	}
	if err := w.bound(ctx, read); err != nil {
		return nil, err
	}
	where, windowArgs := w.window()
	var parts []string
	var args []any
	for _, r := range w.paths {
		part := "SELECT id FROM " + w.table + r.hint(w.dialect) + " WHERE " + where
		args = append(args, windowArgs...)
		if r.where != "" {
			part += " AND " + r.where
			args = append(args, r.args...)
		}
		if w.filter != "" {
			part += " AND " + w.filter
			args = append(args, w.args...)
		}
		parts = append(parts, "SELECT * FROM ("+part+w.order()+" LIMIT ?) r")
		args = append(args, limit)
	}
	err = read.WithContext(ctx).Raw(strings.Join(parts, " UNION ALL ")+w.order()+" LIMIT ?", append(args, limit)...).Scan(&ids).Error
	return ids, err
}
