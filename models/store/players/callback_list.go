package players

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Reading the callback log. ledger/callback_log.go explains its tables.

// lookAlong is how many callbacks a scan reads for one page before it stops.
const lookAlong = 20_000

// logScan reads a part of the log in the order of the page. It returns about n callbacks after from, where to continue, and
// whether that was the end.
type logScan func(ctx context.Context, from models.Cursor, n int) (rows []models.Callback, next models.Cursor, end bool, err error)

// page returns up to want callbacks that f selects and, if it gave up before that, the place where it stopped.
func (read logScan) page(ctx context.Context, f *models.CallbackFilter,
	want int) (page []models.Callback, stopped models.Cursor, err error) {
	from, looked := f.Page, 0
	for n := want; ; n = min(4*n, 2000) {
		rows, next, end, err := read(ctx, from, n)
		if err != nil {
			return nil, stopped, err
		}
		for i := range rows {
			if f.Matches(&rows[i]) {
				page = append(page, rows[i])
			}
		}
		looked += len(rows)
		switch {
		case len(page) >= want:
			return page[:want], stopped, nil
		case end:
			return page, stopped, nil
		case looked >= lookAlong:
			return page, next, nil
		}
		from = next
	}
}

// past reports whether c comes after at in the direction of the page.
func past(c *models.Callback, at models.Cursor) bool {
	if at.IsZero() {
		return true
	}
	return comparePlaces(c.Cursor(), at) == direction(at)
}

// direction returns 1 for a page toward newer callbacks and -1 for older ones.
func direction(at models.Cursor) int {
	if at.Newer {
		return 1
	}
	return -1
}

func comparePlaces(a, b models.Cursor) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
}

// inDirection sorts callbacks in the direction of a page.
func inDirection(rows []models.Callback, at models.Cursor) {
	slices.SortFunc(rows, func(a, b models.Callback) int { return direction(at) * comparePlaces(a.Cursor(), b.Cursor()) })
}

// Callbacks returns a page of the callbacks that f selects. If too few of the callbacks that it reads match, it gives up, and
// Stopped is the place where it did.
func (s *Store) Callbacks(ctx context.Context, f models.CallbackFilter) (models.Page[models.Callback], error) {
	page, err := s.callbacks(ctx, f)
	if err != nil {
		return models.Page[models.Callback]{}, fmt.Errorf("list callbacks: %w", err)
	}
	return page, nil
}

func (s *Store) callbacks(ctx context.Context, f models.CallbackFilter) (page models.Page[models.Callback], err error) {
	scans := s.recordScans(&f)
	if f.WithApplied() {
		applied, err := s.receiptScan(ctx, &f)
		if err != nil {
			return page, err
		}
		if applied != nil {
			scans = append(scans, applied)
		}
	}
	var rows []models.Callback
	var stopped models.Cursor
	for _, scan := range scans {
		part, at, err := scan.page(ctx, &f, f.Limit+1)
		if err != nil {
			return page, err
		}
		rows = append(rows, part...)
		if !at.IsZero() && (stopped.IsZero() || comparePlaces(at, stopped) == -direction(f.Page)) {
			stopped = at
		}
	}
	if !stopped.IsZero() {
		stopped.Newer = f.Page.Newer
		rows = slices.DeleteFunc(rows, func(c models.Callback) bool { return past(&c, stopped) })
	}
	inDirection(rows, f.Page)
	if page = db.PageOf(rows, f.Span); !page.More {
		page.Stopped = stopped
	}
	return page, s.describe(ctx, page.Rows)
}

// The columns of a line of the log: of a record, and of a receipt r.
const (
	recordColumns = `at_us, request, received_us, kind, verdict, address, user_id, transaction_id, round_id, amount, win_amount,
		free_spin, cause, left_out, player_id, seq, spin, result, status, latency_us, balance_minor`
	receiptColumns = `r.at_us, r.request, r.received_us, r.kind, 1 AS verdict, r.address, '' AS user_id, '' AS transaction_id,
		'' AS round_id, '' AS amount, '' AS win_amount, 0 AS free_spin, '' AS cause, 0 AS left_out, r.player_id, r.seq, r.spin,
		r.result, r.status, r.latency_us, NULL AS balance_minor`
)

// logLine has the columns above.
type logLine struct {
	AtUs, Request, ReceivedUs      int64
	Kind                           models.CallbackKind
	Verdict                        models.Verdict
	Address                        []byte
	UserID, TransactionID, RoundID string
	Amount, WinAmount              string
	FreeSpin                       bool
	Cause                          string
	LeftOut, PlayerID, Seq         int64
	Spin                           bool
	Result, Status                 int
	LatencyUs                      int64
	BalanceMinor                   *int64
}

func (l *logLine) callback() models.Callback {
	c := models.Callback{
		At: db.FromMicros(l.AtUs), Request: models.RequestID{Received: db.FromMicros(l.ReceivedUs), Number: l.Request},
		Kind: l.Kind, Verdict: l.Verdict,
		Answered: models.Answered{Result: l.Result, Status: l.Status, Latency: time.Duration(l.LatencyUs) * time.Microsecond},
		UserID:   models.UserID(l.UserID), TransactionID: models.TransactionID(l.TransactionID),
		RoundID: models.RoundID(l.RoundID), Amount: l.Amount, WinAmount: l.WinAmount, FreeSpin: l.FreeSpin, Cause: l.Cause,
		LeftOut: l.LeftOut, PlayerID: l.PlayerID, Seq: l.Seq, Spin: l.Spin, Had: (*models.Amount)(l.BalanceMinor),
	}
	c.Address, _ = netip.AddrFromSlice(l.Address)
	return c
}

// readLog runs a query for lines of the log.
func readLog(q *gorm.DB) ([]models.Callback, error) {
	var lines []logLine
	err := q.Scan(&lines).Error
	list := make([]models.Callback, len(lines))
	for i := range lines {
		list[i] = lines[i].callback()
	}
	return list, err
}

// records and receipts return queries for lines of the two tables.
func (s *Store) records(ctx context.Context, index string) *gorm.DB {
	return s.db.Read.WithContext(ctx).Table("callback_records" + db.Path{Index: index}.Hint(s.db.Dialect)).Select(recordColumns)
}

func (s *Store) receipts(ctx context.Context) *gorm.DB {
	return s.db.Read.WithContext(ctx).Table("callback_receipts r").Select(receiptColumns)
}

// inPeriod adds the conditions for f's period.
func inPeriod(q *gorm.DB, f *models.CallbackFilter) *gorm.DB {
	if !f.Since.IsZero() {
		q = q.Where("at_us >= ?", db.Micros(f.Since))
	}
	if !f.Until.IsZero() {
		q = q.Where("at_us < ?", db.Micros(f.Until))
	}
	return q
}

// scan returns a scan of the lines that a query selects and that are in f's period.
func scan(f *models.CallbackFilter, query func(ctx context.Context) *gorm.DB) logScan {
	return func(ctx context.Context, from models.Cursor, n int) ([]models.Callback, models.Cursor, bool, error) {
		list, err := readLog(db.Keyset(inPeriod(query(ctx), f), "at_us", "request", from, n-1))
		if err != nil || len(list) < n {
			return list, from, true, err
		}
		next := list[n-1].Cursor()
		next.Newer = from.Newer
		return list, next, false, nil
	}
}

// recordScans returns scans of callback_records that together find everything that f selects there. They use the index of f's
// most selective filter; each index is also ordered by time.
func (s *Store) recordScans(f *models.CallbackFilter) []logScan {
	one := func(index, where string, value any) logScan {
		return scan(f, func(ctx context.Context) *gorm.DB { return s.records(ctx, index).Where(where, value) })
	}
	switch {
	case f.TransactionID != "":
		return []logScan{one("callback_records_transaction", "transaction_id = ?", f.TransactionID)}
	case f.UserID != "":
		return []logScan{one("callback_records_user", "user_id = ?", f.UserID)}
	case len(f.Verdicts) > 0:
		var scans []logScan
		for _, v := range f.Verdicts {
			scans = append(scans, one("callback_records_verdict", "verdict = ?", v))
		}
		return scans
	case f.Address.IsValid():
		return []logScan{one("callback_records_address", "address = ?", f.Address.AsSlice())}
	}
	return []logScan{scan(f, func(ctx context.Context) *gorm.DB { return s.records(ctx, "") })}
}

// receiptScan returns a scan that finds every receipt that f selects, or nil if f cannot select any. Receipts have an index of
// times only; those of a player or of transactions are found along the ledger.
func (s *Store) receiptScan(ctx context.Context, f *models.CallbackFilter) (logScan, error) {
	if f.UserID == "" && f.TransactionID == "" {
		return scan(f, s.receipts), nil
	}
	of := models.TransactionFilter{TransactionID: f.TransactionID}
	if f.UserID != "" {
		p, known, err := s.Player(ctx, f.UserID)
		if err != nil || !known {
			return nil, err
		}
		of.PlayerID = p.ID
	}
	return func(ctx context.Context, from models.Cursor, n int) ([]models.Callback, models.Cursor, bool, error) {
		return s.readReceiptsOf(ctx, f, of, from, n)
	}, nil
}

// inversions is the most places by which a transaction's positions in the orders by number and by time may differ.
const inversions = 20

// readReceiptsOf reads the receipts of about n transactions that the filter selects.
func (s *Store) readReceiptsOf(ctx context.Context, f *models.CallbackFilter, of models.TransactionFilter, from models.Cursor,
	n int) (list []models.Callback, next models.Cursor, end bool, err error) {
	of.Since, of.Until, of.Page.Newer = f.Since, f.Until, from.Newer
	switch {
	case from.IsZero():
	case from.Newer:
		if of.Since.Before(from.At) {
			of.Since = from.At
		}
	default:
		if until := from.At.Add(time.Microsecond); of.Until.IsZero() || until.Before(of.Until) {
			of.Until = until
		}
	}
	walk, err := s.transactionWalk(ctx, of)
	if err != nil {
		return nil, from, false, err
	}
	ids, err := walk.IDs(ctx, s.db.Read, n+inversions)
	if err != nil || len(ids) == 0 {
		return nil, from, true, err
	}
	var times []int64
	err = s.db.Read.WithContext(ctx).Raw("SELECT at_us FROM postings WHERE id IN ?", ids).Scan(&times).Error
	if err != nil {
		return nil, from, false, err
	}
	slices.SortFunc(times, func(a, b int64) int { return direction(from) * cmp.Compare(a, b) })
	if end = len(ids) < n+inversions; !end {
		next = models.Cursor{At: db.FromMicros(times[n-1]), ID: edge(from), Newer: from.Newer}
	}
	list, err = readLog(s.receipts(ctx).Distinct(receiptColumns).
		Joins("JOIN postings p ON p.at_us = r.at_us AND p.player_id = r.player_id").Where("p.id IN ?", ids))
	if err != nil {
		return nil, from, false, err
	}
	list = slices.DeleteFunc(list, func(c models.Callback) bool {
		return !past(&c, from) || !end && past(&c, next)
	})
	inDirection(list, from)
	return list, next, end, s.describeLedger(ctx, list) // f.Matches needs what it adds
}

// edge returns a number that comes after all others of the same time in the direction of the page.
func edge(at models.Cursor) int64 {
	if at.Newer {
		return math.MaxInt64
	}
	return 1
}

// Callback returns the callback at a place in the log, or false if there is none.
func (s *Store) Callback(ctx context.Context, at models.Cursor) (models.Callback, bool, error) {
	list, err := s.logged(ctx, at.At, at.At, at.ID)
	if err != nil || len(list) == 0 {
		return models.Callback{}, false, err
	}
	return list[0], true, nil
}

// decidedWithin is how long after its arrival a callback may be decided or answered.
const decidedWithin = 15 * time.Second

// CallbackByRequest returns the callback logged for a request, or false if there is none.
func (s *Store) CallbackByRequest(ctx context.Context, id models.RequestID) (models.Callback, bool, error) {
	// A clock may have been set back.
	list, err := s.logged(ctx, id.Received.Add(-time.Second), id.Received.Add(decidedWithin), id.Number)
	list = slices.DeleteFunc(list, func(c models.Callback) bool { return !c.Request.Received.Equal(id.Received) })
	if err != nil || len(list) == 0 {
		return models.Callback{}, false, err
	}
	return list[0], true, nil
}

// logged returns the callbacks with a request's number whose times are within a period.
func (s *Store) logged(ctx context.Context, from, to time.Time, number int64) (list []models.Callback, err error) {
	for _, q := range []*gorm.DB{s.records(ctx, ""), s.receipts(ctx)} {
		some, err := readLog(q.Where("at_us BETWEEN ? AND ? AND request = ?", db.Micros(from), db.Micros(to), number))
		if err != nil {
			return nil, fmt.Errorf("look up a callback: %w", err)
		}
		list = append(list, some...)
	}
	return list, s.describe(ctx, list)
}
