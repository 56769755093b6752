package players

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// Reading the callback log. ledger/callback_log.go explains its tables.

// How many callbacks a scan reads for one page before it stops.
const (
	lookAlongReceipts = 50_000
	lookAlongRecords  = 20_000
)

// logScan reads a part of the log in the order of the page.
type logScan struct {
	// read returns about n callbacks after from, where to continue, and whether that was the end.
	read func(ctx context.Context, from models.Cursor, n int) (rows []models.Callback, next models.Cursor, end bool, err error)
	far  int
}

// page returns up to want callbacks that f selects and, if it gave up before that, the place where it stopped.
func (st logScan) page(ctx context.Context, f *models.CallbackFilter,
	want int) (page []models.Callback, stopped models.Cursor, err error) {
	from, looked := f.Page, 0
	for n := want; ; n = min(4*n, 2000) {
		rows, next, end, err := st.read(ctx, from, n)
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
		case looked >= st.far:
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
		applied, ok, err := s.receiptScan(ctx, &f)
		if err != nil {
			return page, err
		}
		if ok {
			scans = append(scans, applied)
		}
	}
	var rows []models.Callback
	var stopped models.Cursor
	for _, st := range scans {
		part, at, err := st.page(ctx, &f, f.Limit+1)
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
	if page.Rows, page.More = db.InOrder(rows, f.Page, f.Limit); !page.More {
		page.Stopped = stopped
	}
	return page, s.describe(ctx, page.Rows)
}

const selectCallbackRecords = `SELECT at_us, request, received_us, kind, verdict, address, user_id, transaction_id, round_id,
	amount, win_amount, free_spin, cause, left_out,
	player_id, seq, spin, result, status, latency_us, balance_minor FROM callback_records`

// scanRecords runs q, which begins with selectCallbackRecords.
func scanRecords(ctx context.Context, q *db.Statement, on db.Queryer) (list []models.Callback, err error) {
	err = q.Query(ctx, on, func(rows *sql.Rows) error {
		var at, received, latency int64
		var address []byte
		var user, transaction, round string
		var a models.Answered
		var had sql.NullInt64
		c := models.Callback{}
		err := rows.Scan(&at, &c.Request.Number, &received, (*uint8)(&c.Kind), (*uint8)(&c.Verdict), &address, &user,
			&transaction, &round, &c.Amount,
			&c.WinAmount, &c.FreeSpin, &c.Cause, &c.LeftOut, &c.PlayerID, &c.Seq, &c.Spin, &a.Result, &a.Status, &latency, &had)
		if err != nil {
			return err
		}
		c.At, c.Request.Received = db.FromMicros(at), db.FromMicros(received)
		if balance := models.Amount(had.Int64); had.Valid {
			c.Had = &balance
		}
		c.UserID, c.TransactionID, c.RoundID = models.UserID(user), models.TransactionID(transaction), models.RoundID(round)
		if len(address) > 0 {
			if err := c.Address.UnmarshalBinary(address); err != nil {
				return err
			}
		}
		if a.Latency = time.Duration(latency) * time.Microsecond; a.Status != 0 {
			c.Answered = &a
		}
		list = append(list, c)
		return nil
	})
	return list, err
}

// recordScans returns scans of callback_records that together find everything that f selects there. They use the index of f's
// most selective filter; each index is also ordered by time.
func (s *Store) recordScans(f *models.CallbackFilter) []logScan {
	one := func(index string, where func(*db.Statement)) logScan {
		return logScan{far: lookAlongRecords,
			read: func(ctx context.Context, from models.Cursor, n int) ([]models.Callback, models.Cursor, bool, error) {
				var q db.Statement
				q.Begin(selectCallbackRecords).Text(db.Path{Index: index}.Hint(s.db.Dialect)).Text(" WHERE ")
				where(&q)
				s.within(&q, f, from, "request")
				list, err := scanRecords(ctx, q.Number(int64(n)), s.db.Pools.Read)
				if err != nil || len(list) < n {
					return list, from, true, err
				}
				next := list[n-1].Cursor()
				next.Newer = from.Newer
				return list, next, false, nil
			}}
	}
	switch {
	case len(f.TransactionIDs) > 0:
		return []logScan{one("callback_records_transaction",
			func(q *db.Statement) { q.Text("transaction_id IN (").Strings(namesOf(f.TransactionIDs)).Text(")") })}
	case f.TransactionID != "":
		return []logScan{one("callback_records_transaction",
			func(q *db.Statement) { q.Text("transaction_id = ").String(string(f.TransactionID)) })}
	case f.UserID != "":
		return []logScan{one("callback_records_user", func(q *db.Statement) { q.Text("user_id = ").String(string(f.UserID)) })}
	case len(f.Verdicts) > 0:
		var scans []logScan
		for _, v := range f.Verdicts {
			scans = append(scans,
				one("callback_records_verdict", func(q *db.Statement) { q.Text("verdict = ").Number(int64(v)) }))
		}
		return scans
	case f.Address.IsValid():
		return []logScan{one("callback_records_address", func(q *db.Statement) { q.Text("address = ").Address(f.Address) })}
	}
	return []logScan{one("", func(q *db.Statement) { q.Text("1 = 1") })}
}

func namesOf(ids []models.TransactionID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	return names
}

// within adds conditions for f's period and for rows after from, ORDER BY, and LIMIT without its number.
func (s *Store) within(q *db.Statement, f *models.CallbackFilter, from models.Cursor, tie string) {
	if !f.Since.IsZero() {
		q.Text(" AND at_us >= ").Number(db.Micros(f.Since))
	}
	if !f.Until.IsZero() {
		q.Text(" AND at_us < ").Number(db.Micros(f.Until))
	}
	past, order := "<", " DESC"
	if from.Newer {
		past, order = ">", ""
	}
	if !from.IsZero() {
		at := db.Micros(from.At)
		q.Text(" AND at_us ").Text(past).Text("= ").Number(at).Text(" AND (at_us ").Text(past).Text(" ").Number(at).
			Text(" OR ").Text(tie).Text(" ").Text(past).Text(" ").Number(from.ID).Text(")")
	}
	q.Text(" ORDER BY at_us").Text(order).Text(", ").Text(tie).Text(order).Text(" LIMIT ")
}

// receiptScan returns a scan that finds every receipt that f selects, or false if f cannot select any.
func (s *Store) receiptScan(ctx context.Context, f *models.CallbackFilter) (logScan, bool, error) {
	if f.UserID == "" && f.TransactionID == "" && len(f.TransactionIDs) == 0 {
		return logScan{far: lookAlongReceipts,
			read: func(ctx context.Context, from models.Cursor, n int) ([]models.Callback, models.Cursor, bool, error) {
				return s.readReceipts(ctx, f, from, n)
			}}, true, nil
	}
	of := models.TransactionFilter{TransactionID: f.TransactionID, TransactionIDs: f.TransactionIDs}
	if f.UserID != "" {
		p, known, err := s.Player(ctx, f.UserID)
		if err != nil || !known {
			return logScan{}, false, err
		}
		of.PlayerID = p.ID
	}
	return logScan{far: lookAlongRecords,
		read: func(ctx context.Context, from models.Cursor, n int) ([]models.Callback, models.Cursor, bool, error) {
			return s.readReceiptsOf(ctx, f, of, from, n)
		}}, true, nil
}

func (s *Store) readPacked(ctx context.Context, q *db.Statement) (list []ledger.Packed, err error) {
	err = q.Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
		var at int64
		var r ledger.Packed
		if err := rows.Scan(&at, &r.First, &r.Lines); err != nil {
			return err
		}
		r.At = db.FromMicros(at)
		list = append(list, r)
		return nil
	})
	return list, err
}

// readReceipts reads at least n receipts in the order of time, or all if there are fewer.
func (s *Store) readReceipts(ctx context.Context, f *models.CallbackFilter, from models.Cursor,
	n int) (list []models.Callback, next models.Cursor, end bool, err error) {
	next = from
	for batches := 8; len(list) < n && !end; batches *= 2 {
		var q db.Statement
		q.Begin("SELECT at_us, first_request, packed FROM callback_receipts WHERE 1 = 1")
		s.reaching(&q, f, next)
		rows, err := s.readPacked(ctx, q.Number(int64(batches)))
		if err != nil {
			return nil, next, false, err
		}
		if end = len(rows) < batches; !end {
			// Rows with the same time stay together, because their callbacks are sorted.
			last := rows[len(rows)-1].At
			whole := slices.IndexFunc(rows, func(r ledger.Packed) bool { return r.At.Equal(last) })
			if whole == 0 {
				continue // there are more rows with the same time than the limit
			}
			rows = rows[:whole]
		}
		var some []models.Callback
		for _, r := range rows {
			err := r.Receipts(func(c models.Callback) {
				if past(&c, from) {
					some = append(some, c)
				}
			})
			if err != nil {
				return nil, next, false, err
			}
		}
		inDirection(some, from)
		list = append(list, some...)
		if len(rows) > 0 {
			next = models.Cursor{At: rows[len(rows)-1].At, ID: edge(from), Newer: from.Newer}
		}
	}
	return list, next, end, nil
}

// edge returns a number that comes after all others of the same time in the direction of the page.
func edge(at models.Cursor) int64 {
	if at.Newer {
		return math.MaxInt64
	}
	return 1
}

// reaching adds to a query of packed rows conditions for f's period and for rows that can contain callbacks after from, ORDER
// BY, and LIMIT without its number. After a cursor with the number edge there are no callbacks with the cursor's time.
func (s *Store) reaching(q *db.Statement, f *models.CallbackFilter, from models.Cursor) {
	if !f.Since.IsZero() {
		q.Text(" AND at_us >= ").Number(db.Micros(f.Since))
	}
	if !f.Until.IsZero() {
		q.Text(" AND at_us < ").Number(db.Micros(f.Until))
	}
	past, order := "<", " DESC"
	if from.Newer {
		past, order = ">", ""
	}
	if !from.At.IsZero() {
		q.Text(" AND at_us ").Text(past)
		if from.ID != edge(from) {
			q.Text("=")
		}
		q.Text(" ").Number(db.Micros(from.At))
	}
	q.Text(" ORDER BY at_us").Text(order).Text(", first_request").Text(order).Text(" LIMIT ")
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
	var q db.Statement
	type booked struct {
		at     int64
		player int64
	}
	var found []booked
	err = q.Begin("SELECT DISTINCT at_us, player_id FROM postings WHERE id IN (").Numbers(ids).Text(")").Query(ctx,
		s.db.Pools.Read, func(rows *sql.Rows) error {
			var b booked
			err := rows.Scan(&b.at, &b.player)
			found = append(found, b)
			return err
		})
	if err != nil {
		return nil, from, false, err
	}
	slices.SortFunc(found, func(a, b booked) int { return direction(from) * cmp.Compare(a.at, b.at) })
	if end = len(ids) < n+inversions; !end {
		found = found[:min(n, len(found))]
		next = models.Cursor{At: db.FromMicros(found[len(found)-1].at), ID: edge(from), Newer: from.Newer}
	}
	wanted := make(map[booked]bool, len(found))
	var moments []int64
	for _, b := range found {
		wanted[b] = true
		moments = append(moments, b.at)
	}
	rows, err := s.readPacked(ctx,
		q.Begin("SELECT at_us, first_request, packed FROM callback_receipts WHERE at_us IN (").Numbers(slices.Compact(moments)).
			Text(")"))
	if err != nil {
		return nil, from, false, err
	}
	for _, r := range rows {
		err := r.Receipts(func(c models.Callback) {
			if wanted[booked{db.Micros(c.At), c.PlayerID}] && past(&c, from) {
				list = append(list, c)
			}
		})
		if err != nil {
			return nil, from, false, err
		}
	}
	inDirection(list, from)
	return list, next, end, s.describeLedger(ctx, list) // f.Matches needs what it adds
}

// Callback returns the callback at a place in the log, or false if there is none.
func (s *Store) Callback(ctx context.Context, at models.Cursor) (models.Callback, bool, error) {
	var q db.Statement
	q.Begin(selectCallbackRecords).Text(" WHERE at_us = ").Number(db.Micros(at.At)).Text(" AND request = ").Number(at.ID)
	list, err := scanRecords(ctx, &q, s.db.Pools.Read)
	if err == nil && len(list) == 0 {
		list, err = s.receiptsBetween(ctx, at.At, at.At, at.ID)
	}
	if err == nil && len(list) > 0 {
		err = s.describe(ctx, list[:1])
	}
	if err != nil {
		return models.Callback{}, false, fmt.Errorf("read callback: %w", err)
	}
	if len(list) == 0 {
		return models.Callback{}, false, nil
	}
	return list[0], true, nil
}

// decidedWithin is how long after its arrival a callback may be decided or answered.
const decidedWithin = 15 * time.Second

// CallbacksByRequest returns the callbacks logged for a request, oldest first: none, one, or, if the listener answered without
// knowing of the receipt, the receipt and a record of that answer.
func (s *Store) CallbacksByRequest(ctx context.Context, id models.RequestID) ([]models.Callback, error) {
	from, to := id.Received.Add(-time.Second), id.Received.Add(decidedWithin) // a clock may have been set back
	var q db.Statement
	q.Begin(selectCallbackRecords).Text(" WHERE at_us >= ").Number(db.Micros(from)).Text(" AND at_us <= ").
		Number(db.Micros(to)).Text(" AND request = ").Number(id.Number)
	list, err := scanRecords(ctx, &q, s.db.Pools.Read)
	if err == nil {
		var receipts []models.Callback
		receipts, err = s.receiptsBetween(ctx, from, to, id.Number)
		list = append(list, receipts...)
	}
	if err == nil {
		list = slices.DeleteFunc(list, func(c models.Callback) bool { return !c.Request.Received.Equal(id.Received) })
		slices.SortFunc(list, func(a, b models.Callback) int { return a.At.Compare(b.At) })
		err = s.describe(ctx, list)
	}
	if err != nil {
		return nil, fmt.Errorf("look up a request: %w", err)
	}
	return list, nil
}

// receiptsBetween returns a request's receipt if its time is within a period, oldest first.
func (s *Store) receiptsBetween(ctx context.Context, from, to time.Time, number int64) (list []models.Callback, err error) {
	for first := int64(0); ; {
		const atOnce = 64
		var q db.Statement
		q.Begin("SELECT at_us, first_request, packed FROM callback_receipts WHERE at_us >= ").Number(db.Micros(from)).
			Text(" AND at_us <= ").Number(db.Micros(to)).
			Text(" AND (at_us > ").Number(db.Micros(from)).Text(" OR first_request > ").Number(first).
			Text(") ORDER BY at_us, first_request LIMIT ").Number(atOnce)
		rows, err := s.readPacked(ctx, &q)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			err := r.Receipts(func(c models.Callback) {
				if c.Request.Number == number {
					list = append(list, c)
				}
			})
			if err != nil {
				return nil, err
			}
		}
		if len(list) > 0 || len(rows) < atOnce {
			return list, nil
		}
		from, first = rows[len(rows)-1].At, rows[len(rows)-1].First
	}
}
