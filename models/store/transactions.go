package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// Lists of transactions, of any size within milliseconds.
//
// A transaction is the posting that applied it; it is rolled back where there is a posting that says so. Lists are ordered by the postings'
// numbers, which is the order of booking: numbers are given out while the wallets are locked, a few milliseconds around the time that is
// stored beside them. Transactions that were rolled back are listed in the order of their rollbacks. A time is turned into a number by
// bisection (numberAt).
//
// A filter that an index answers is a path: claim, kind and free spin together, since a page of each of their few combinations, merged,
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
	Place             int64
	ID                int64
	Source            uint8
	TransactionID     string
	PlayerID          int64
	Kind              uint8
	RoundID           string
	BetMinor          int64
	WinMinor          int64
	FreeSpin          bool
	AfterMinor        int64
	AtUs              int64
	ReversedAtUs      int64
	OtherContentsAtUs int64
	UserID            string
	Test              bool
	Currency          string
}

func (r transactionRow) line() models.TransactionLine {
	l := models.TransactionLine{
		Place: r.Place,
		Transaction: models.Transaction{
			ID: r.ID, Source: models.Source(r.Source), TransactionID: models.TransactionID(r.TransactionID), PlayerID: r.PlayerID,
			Kind: models.OperationKind(r.Kind), RoundID: models.RoundID(r.RoundID), Bet: models.Amount(r.BetMinor), Win: models.Amount(r.WinMinor),
			FreeSpin: r.FreeSpin, State: models.Processed, At: fromMicros(r.AtUs), ReversedAt: fromMicros(r.ReversedAtUs),
			OtherContents: fromMicros(r.OtherContentsAtUs),
		},
		UserID: models.UserID(r.UserID), Test: r.Test, Currency: models.Currency(r.Currency),
	}
	if r.ReversedAtUs != 0 {
		l.State = models.Reversed
	}
	if after := models.Amount(r.AfterMinor); !r.FreeSpin {
		l.After = &after
	}
	return l
}

// rolledBack joins the posting v that rolled the transaction t back.
const rolledBack = " LEFT JOIN postings v ON v.source = t.source AND v.transaction_id = t.transaction_id AND v.claim = 2"

// transactionColumns are those of a posting t that applied a transaction, and of its rollback v.
const transactionColumns = `t.id, t.source, t.transaction_id, t.player_id, t.kind, t.round_id, t.bet_minor, t.win_minor, t.free_spin,
	t.after_minor, t.at_us, COALESCE(v.at_us, 0) AS reversed_at_us`

// otherContents is when a transaction's ID first came with other contents, as far back as the callback log reaches.
var otherContents = fmt.Sprintf(`COALESCE((SELECT MIN(r.at_us) FROM callback_records r WHERE r.transaction_id = t.transaction_id
	AND r.verdict = %d AND t.source = %d), 0) AS other_contents_at_us`, models.VerdictOtherContents, models.SourcePlatform)

// selectTransactionLines begins at postings a: those that applied transactions, or that rolled them back.
var selectTransactionLines = "SELECT a.id AS place, " + transactionColumns + ", " + otherContents + `, p.user_id, p.test, w.currency
	FROM postings a JOIN postings t ON t.source = a.source AND t.transaction_id = a.transaction_id AND t.claim = 1` + rolledBack + `
	JOIN players p ON p.id = t.player_id JOIN wallets w ON w.player_id = t.player_id`

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

// transactionLines reads transactions by the numbers of their postings, or of their rollbacks, the newest first.
func (s *Store) transactionLines(ctx context.Context, ids []int64) ([]models.TransactionLine, error) {
	var rows []transactionRow
	if err := s.read.WithContext(ctx).Raw(selectTransactionLines+" WHERE a.id IN ? ORDER BY a.id DESC", ids).Scan(&rows).Error; err != nil {
		return nil, err
	}
	lines := make([]models.TransactionLine, len(rows))
	for i, r := range rows {
		lines[i] = r.line()
	}
	return lines, nil
}

// Transaction returns the transaction with this number, and false where there is none.
func (s *Store) Transaction(ctx context.Context, id int64) (models.TransactionLine, bool, error) {
	lines, err := s.transactionLines(ctx, []int64{id})
	if err != nil {
		return models.TransactionLine{}, false, fmt.Errorf("read transaction: %w", err)
	}
	if len(lines) == 0 || lines[0].ID != id {
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
	list, err := s.transactionEntries(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("read entries of a transaction: %w", err)
	}
	return list, nil
}

func (s *Store) transactionEntries(ctx context.Context, t models.TransactionLine) (list []models.LinkedEntry, err error) {
	var q statement
	postings, err := s.readPostings(ctx, q.begin(selectPostings+" WHERE source = ").number(int64(t.Source)).text(" AND transaction_id = ").
		string(string(t.TransactionID)).text(" AND claim IN (1, 2) AND free_spin = 0 ORDER BY claim"))
	if err != nil {
		return nil, err
	}
	for i := range postings {
		p := &postings[i]
		head, found, err := s.headBefore(ctx, p)
		if err != nil {
			return nil, err
		}
		holds := found && s.chain.Posting(head, t.Currency, p) == p.Hash
		for _, e := range p.Entries(t.Currency) {
			list = append(list, models.LinkedEntry{Entry: e, Holds: holds})
		}
	}
	return list, nil
}

// headBefore returns the hash that p's follows from, and false where the line before p is missing.
func (s *Store) headBefore(ctx context.Context, p *models.Posting) (head models.Hash, found bool, err error) {
	last := p.Seq - p.Lines()
	if last == 0 {
		return head, true, nil
	}
	var q statement
	err = q.begin("SELECT hash FROM postings WHERE player_id = ").number(p.PlayerID).text(" AND seq = ").number(last).text(" AND free_spin = 0").
		text(" UNION ALL SELECT head FROM ledger_beginnings WHERE player_id = ").number(p.PlayerID).text(" AND seq = ").number(last).
		query(ctx, s.pools.read, func(rows *sql.Rows) error {
			var hash sql.RawBytes
			err := rows.Scan(&hash)
			head, found = storedHash(hash), true
			return err
		})
	return head, found, err
}

func timesOf(t models.Transaction) []int64 {
	times := []int64{micros(t.At)}
	if !t.ReversedAt.IsZero() {
		times = append(times, micros(t.ReversedAt))
	}
	return times
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

// bySeq reports whether numbers ascend with seq on the path, which its index has before them.
func (r path) bySeq() bool { return r.index == "postings_player" }

// nearEnough is how many lines of a wallet a page may read in vain.
const nearEnough = 1000

// ofPlayer is the path through a wallet's postings, narrowed to those near the walk's window.
func (s *Store) ofPlayer(ctx context.Context, player int64, w *walk) (path, error) {
	low, high := w.low, w.high
	if w.newer {
		low = max(low, w.from)
	} else if w.from != 0 && (high == 0 || w.from < high) {
		high = w.from
	}
	r := path{"postings_player", "player_id = ?", []any{player}}
	var last int64
	if low > 0 || high > 0 {
		if err := s.read.WithContext(ctx).Raw("SELECT seq FROM wallets WHERE player_id = ?", player).Scan(&last).Error; err != nil {
			return r, err
		}
	}
	if last <= nearEnough {
		return r, nil
	}
	// near returns two lines, at most so far apart, between which a number's place is.
	near := func(id int64) (from, to int64, err error) {
		for to = last; to-from > nearEnough; {
			middle := from + (to-from)/2
			var ids []int64
			err := s.read.WithContext(ctx).Raw("SELECT id FROM postings WHERE player_id = ? AND seq >= ? ORDER BY seq, id LIMIT 1", player, middle).Scan(&ids).Error
			if err != nil {
				return 0, 0, err
			}
			if len(ids) == 0 || ids[0] >= id {
				to = middle
			} else {
				from = middle
			}
		}
		return from, to, nil
	}
	if low > 0 {
		from, _, err := near(low)
		if err != nil {
			return r, err
		}
		r.where, r.args = r.where+" AND seq >= ?", append(r.args, from)
	}
	if high > 0 {
		_, to, err := near(high)
		if err != nil {
			return r, err
		}
		r.where, r.args = r.where+" AND seq <= ?", append(r.args, to)
	}
	return r, nil
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
	}
	return " INDEXED BY " + r.index
}

func (s *Store) transactionWalk(ctx context.Context, f models.TransactionFilter) (w *walk, err error) {
	w = &walk{table: "postings", dialect: s.dialect, newer: f.Page.Newer, from: f.Page.ID}
	var filter []string
	also := func(condition string, args ...any) {
		filter = append(filter, condition)
		w.args = append(w.args, args...)
	}
	claim := models.ClaimApplied
	if f.State == models.Reversed {
		claim = models.ClaimRolledBack
	}
	classes := f.Kind != 0 || f.State == models.Reversed || f.With != 0
	switch {
	case len(f.TransactionIDs) > 0:
		for _, source := range []models.Source{models.SourcePlatform, models.SourceOwn} {
			w.paths = append(w.paths, path{"postings_key", "source = ? AND transaction_id IN ?", []any{uint8(source), f.TransactionIDs}})
		}
	case f.TransactionID != "":
		for _, source := range []models.Source{models.SourcePlatform, models.SourceOwn} {
			w.paths = append(w.paths, path{"postings_key", "source = ? AND transaction_id = ?", []any{uint8(source), string(f.TransactionID)}})
		}
	case f.RoundID != "":
		w.paths = []path{{"postings_round", "round_id = ?", []any{string(f.RoundID)}}}
	case f.PlayerID != 0:
		w.paths = []path{{"postings_player", "player_id = ?", []any{f.PlayerID}}}
	case classes:
		w.paths = classPaths(f, claim)
	default:
		w.paths = []path{{}}
	}
	named := f.TransactionID != "" || len(f.TransactionIDs) > 0
	if f.PlayerID != 0 && (named || f.RoundID != "") {
		also("player_id = ?", f.PlayerID)
	}
	if f.RoundID != "" && named {
		also("round_id = ?", string(f.RoundID))
	}
	if classes && (named || f.RoundID != "" || f.PlayerID != 0) {
		if f.Kind != 0 {
			also("kind = ?", uint8(f.Kind))
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
		also(cameAgain)
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
	if len(w.paths) == 1 && w.paths[0].bySeq() {
		if w.paths[0], err = s.ofPlayer(ctx, f.PlayerID, w); err != nil {
			return nil, err
		}
	}
	// These are no filters to get lost behind: most postings pass, and times are bounded by numbers but for seconds.
	also("claim = ?", uint8(claim))
	if f.State == models.Processed {
		also(standing)
	}
	if !f.Since.IsZero() {
		also("at_us >= ?", micros(f.Since))
	}
	if !f.Until.IsZero() {
		also("at_us < ?", micros(f.Until))
	}
	w.filter = strings.Join(filter, " AND ")
	return w, nil
}

// Conditions of a posting that applied a transaction.
var (
	standing = "NOT EXISTS (SELECT 1 FROM postings v WHERE v.source = postings.source AND v.transaction_id = postings.transaction_id AND v.claim = 2)"
	// cameAgain: with other contents, says the callback log.
	cameAgain = fmt.Sprintf("source = %d AND EXISTS (SELECT 1 FROM callback_records r WHERE r.transaction_id = postings.transaction_id AND r.verdict = %d)",
		models.SourcePlatform, models.VerdictOtherContents)
)

// classPaths are the combinations of kind and free spin that exist and that f selects, of postings of one claim.
func classPaths(f models.TransactionFilter, claim models.Claim) (paths []path) {
	for _, kind := range []models.OperationKind{models.Bet, models.Win, models.BetWin, models.Opening, models.Adjustment} {
		for _, with := range []models.PlayedWith{models.RealMoney, models.FreeSpins} {
			if f.Kind != 0 && f.Kind != kind || f.With != 0 && f.With != with || with == models.FreeSpins && kind != models.Bet {
				continue
			}
			paths = append(paths, path{"postings_class", "claim = ? AND kind = ? AND free_spin = ?", []any{uint8(claim), uint8(kind), with == models.FreeSpins}})
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

// orderOf is order as the path's index has it.
func (w *walk) orderOf(r path) string {
	switch {
	case !r.bySeq():
		return w.order()
	case w.newer:
		return " ORDER BY seq, id"
	}
	return " ORDER BY seq DESC, id DESC"
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
	from := "FROM " + w.table + r.hint(w.dialect) + " WHERE " + where + w.orderOf(r)
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
		parts = append(parts, "SELECT * FROM ("+part+w.orderOf(r)+" LIMIT ?) r")
		args = append(args, limit)
	}
	err = read.WithContext(ctx).Raw(strings.Join(parts, " UNION ALL ")+w.order()+" LIMIT ?", append(args, limit)...).Scan(&ids).Error
	return ids, err
}
