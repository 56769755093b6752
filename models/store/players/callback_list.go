package players

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// Reading the callback log: postings and callback_records. ledger/callback_log.go explains them.

// logScan reads part of the log in the order of the page. It returns about n callbacks after from, the place to continue from,
// and whether the log ends there.
type logScan func(ctx context.Context, from models.Cursor, n int) (rows []models.Callback, next models.Cursor, end bool, err error)

// page returns up to want callbacks that match f and, if it gave up after far others, the place where it stopped.
func (read logScan) page(ctx context.Context, f *models.CallbackFilter, want int,
	far int64) (page []models.Callback, stopped models.Cursor, err error) {
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
		looked += n
		switch {
		case len(page) >= want:
			return page[:want], stopped, nil
		case end:
			return page, stopped, nil
		case int64(looked) >= far:
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

// Callbacks returns a page of the callbacks that match f. If too few callbacks match, it stops reading, and Stopped is the
// place.
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
		applied, err := s.appliedScan(ctx, &f)
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
		part, at, err := scan.page(ctx, &f, f.Limit+1, s.db.Far.AlongIndex)
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

// record is a row of callback_records.
type record struct {
	AtUs, Request, ReceivedUs      int64
	Kind                           models.CallbackKind
	Verdict                        models.Verdict
	Address                        []byte
	UserID, TransactionID, RoundID string
	Amount, WinAmount              string
	FreeSpin                       bool
	Cause                          string
	LeftOut, PlayerID, Seq         int64
	Result, Status                 int
	BalanceMinor                   *int64
}

func (l *record) callback() models.Callback {
	c := models.Callback{
		At: db.FromMicros(l.AtUs), Request: models.RequestID{Received: db.FromMicros(l.ReceivedUs), Number: l.Request},
		Kind: l.Kind, Verdict: l.Verdict,
		Answered: models.Answered{Result: l.Result, Status: l.Status},
		UserID:   models.UserID(l.UserID), TransactionID: models.TransactionID(l.TransactionID),
		RoundID: models.RoundID(l.RoundID), Amount: l.Amount, WinAmount: l.WinAmount, FreeSpin: l.FreeSpin, Cause: l.Cause,
		LeftOut: l.LeftOut, PlayerID: l.PlayerID, Seq: l.Seq, Had: (*models.Amount)(l.BalanceMinor),
	}
	c.Address, _ = netip.AddrFromSlice(l.Address)
	return c
}

// readRecords runs a query for records.
func readRecords(q *gorm.DB) ([]models.Callback, error) {
	var lines []record
	err := q.Scan(&lines).Error
	list := make([]models.Callback, len(lines))
	for i := range lines {
		list[i] = lines[i].callback()
	}
	return list, err
}

// records returns a query for records along an index.
func (s *Store) records(ctx context.Context, index string) *gorm.DB {
	return s.db.Read.WithContext(ctx).Table("callback_records" + db.Path{Index: index}.Hint(s.db.Dialect))
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

// scan returns a scan of the records that a query selects and that are in f's period.
func scan(f *models.CallbackFilter, query func(ctx context.Context) *gorm.DB) logScan {
	return func(ctx context.Context, from models.Cursor, n int) ([]models.Callback, models.Cursor, bool, error) {
		list, err := readRecords(db.Keyset(inPeriod(query(ctx), f), "at_us", "request", from, n-1))
		if err != nil || len(list) < n {
			return list, from, true, err
		}
		next := list[n-1].Cursor()
		next.Newer = from.Newer
		return list, next, false, nil
	}
}

// recordScans returns scans of callback_records that together find all rows that match f. They use the index of f's most
// selective filter; each index is also ordered by time.
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

// areApplied selects the postings that are callbacks in the log. Tombstones, whose rollbacks were declined, and postings whose
// callback got no definite answer have records instead.
const areApplied = "request IS NOT NULL AND claim IS NOT NULL AND NOT EXISTS (SELECT 1 FROM callback_records c " +
	"WHERE c.transaction_id = postings.transaction_id AND c.request = postings.request)"

// readApplied reads the applied callbacks of the postings that a condition selects along an index.
func (s *Store) readApplied(ctx context.Context, index, where string, args ...any) (list []models.Callback, err error) {
	err = db.Each(s.db.Read.WithContext(ctx), func(rows *sql.Rows) error {
		c := models.Callback{Verdict: models.Applied, Answered: models.Answered{Status: 200}}
		var received int64
		var address []byte
		p, err := ledger.ScanPosting(rows, &c.Request.Number, &received, &address)
		if err != nil {
			return err
		}
		c.At, c.Request.Received, c.PlayerID, c.Spin = p.At, db.FromMicros(received), p.PlayerID, p.FreeSpin
		c.TransactionID, c.Kind = p.TransactionID, models.RollbackTransaction
		c.Address, _ = netip.AddrFromSlice(address)
		if !p.FreeSpin {
			before, after := p.Before(), p.After
			c.Seq, c.Before, c.After = p.Seq-p.Lines()+1, &before, &after
		}
		if p.Claim == models.ClaimApplied {
			c.Kind, c.RoundID, c.FreeSpin = models.CallbackKind(p.Kind), p.RoundID, p.FreeSpin
			switch p.Kind {
			case models.Win:
				c.Amount = p.Win.String()
			case models.BetWin:
				c.WinAmount = p.Win.String()
				fallthrough
			default:
				c.Amount = p.Bet.String()
			}
		}
		list = append(list, c)
		return nil
	}, "SELECT request, received_us, address, "+ledger.SelectOf("postings")+" FROM postings"+
		db.Path{Index: index}.Hint(s.db.Dialect)+" WHERE "+where, args...)
	if err == nil {
		err = s.nameWallets(ctx, list) // CallbackFilter.Matches needs the players' names
	}
	return list, err
}

// appliedScan returns a scan of the applied callbacks that match f, or nil if none can.
func (s *Store) appliedScan(ctx context.Context, f *models.CallbackFilter) (logScan, error) {
	read := s.appliedOfTime
	switch {
	case f.TransactionID != "":
		return func(ctx context.Context, from models.Cursor, _ int) ([]models.Callback, models.Cursor, bool, error) {
			list, err := s.readApplied(ctx, "postings_key", "source = ? AND transaction_id = ? AND "+areApplied,
				models.SourcePlatform, f.TransactionID)
			return between(list, from, models.Cursor{}), from, true, err
		}, nil
	case f.UserID != "":
		p, known, err := s.Player(ctx, f.UserID)
		if err != nil || !known {
			return nil, err
		}
		read = func(ctx context.Context, span models.Span, n int) ([]models.Callback, models.Cursor, error) {
			return s.appliedOfPlayer(ctx, p.ID, span, n)
		}
	}
	return func(ctx context.Context, from models.Cursor, n int) ([]models.Callback, models.Cursor, bool, error) {
		span := models.Span{Since: f.Since, Until: f.Until, Page: from}
		switch {
		case from.IsZero():
		case from.Newer:
			if span.Since.Before(from.At) {
				span.Since = from.At
			}
		default:
			if until := from.At.Add(time.Microsecond); span.Until.IsZero() || until.Before(span.Until) {
				span.Until = until
			}
		}
		list, next, err := read(ctx, span, n)
		return between(list, from, next), next, next.IsZero(), err
	}, nil
}

// between returns the callbacks after one place and not after another, sorted in the direction of the page.
func between(list []models.Callback, from, next models.Cursor) []models.Callback {
	list = slices.DeleteFunc(list, func(c models.Callback) bool {
		return !past(&c, from) || !next.IsZero() && past(&c, next)
	})
	inDirection(list, from)
	return list
}

// appliedOfTime reads the applied callbacks among about n postings of a period, in whole moments, and returns where to
// continue, or a zero Cursor at the end.
func (s *Store) appliedOfTime(ctx context.Context, span models.Span, n int) (list []models.Callback, next models.Cursor, err error) {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if !span.Since.IsZero() {
		low = db.Micros(span.Since)
	}
	if !span.Until.IsZero() {
		high = db.Micros(span.Until)
	}
	where, args, order := "at_us >= ? AND at_us < ?", []any{low, high}, " DESC"
	if span.Page.Newer {
		order = ""
	}
	ends, args := where, slices.Clone(args)
	if !span.Page.IsZero() { // the moment of the place may have many postings
		ends, args = ends+" AND at_us <> ?", append(args, db.Micros(span.Page.At))
	}
	end, found, err := db.One[int64](s.db.Read.WithContext(ctx).Raw("SELECT at_us FROM postings"+
		db.Path{Index: "postings_at"}.Hint(s.db.Dialect)+" WHERE "+ends+" ORDER BY at_us"+order+" LIMIT 1 OFFSET ?",
		append(args, n-1)...), "read a place in the callback log")
	if err != nil {
		return nil, next, err
	}
	if found {
		next = models.Cursor{At: db.FromMicros(end), ID: edge(span.Page), Newer: span.Page.Newer}
		if span.Page.Newer {
			high = end + 1
		} else {
			low = end
		}
	}
	list, err = s.readApplied(ctx, "postings_at", where+" AND "+areApplied, low, high)
	return list, next, err
}

// inversions is the most places by which a wallet's postings may differ in the orders by number and by time.
const inversions = 20

// appliedOfPlayer is appliedOfTime for a player's postings.
func (s *Store) appliedOfPlayer(ctx context.Context, player int64, span models.Span,
	n int) (list []models.Callback, next models.Cursor, err error) {
	w := &db.Walk{Table: "postings", Dialect: s.db.Dialect, Newer: span.Page.Newer}
	if err := s.db.Between(ctx, w, span.Since, span.Until); err != nil {
		return nil, next, err
	}
	path, err := s.playerPath(ctx, player, w, span)
	if err != nil {
		return nil, next, err
	}
	w.Paths = []db.Path{path}
	w.Also(areApplied)
	if !span.Since.IsZero() {
		w.Also("at_us >= ?", db.Micros(span.Since))
	}
	if !span.Until.IsZero() {
		w.Also("at_us < ?", db.Micros(span.Until))
	}
	ids, err := w.IDs(ctx, s.db.Read, n+inversions)
	if err != nil || len(ids) == 0 {
		return nil, next, err
	}
	if list, err = s.readApplied(ctx, db.Primary, "id IN ?", ids); err != nil {
		return nil, next, err
	}
	if inDirection(list, span.Page); len(list) >= n && len(ids) == n+inversions {
		next = models.Cursor{At: list[n-1].At, ID: edge(span.Page), Newer: span.Page.Newer}
	}
	return list, next, nil
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
func (s *Store) logged(ctx context.Context, from, to time.Time, number int64) ([]models.Callback, error) {
	const where = "at_us BETWEEN ? AND ? AND request = ?"
	list, err := readRecords(s.records(ctx, "").Where(where, db.Micros(from), db.Micros(to), number))
	if err == nil {
		var applied []models.Callback
		applied, err = s.readApplied(ctx, "postings_at", where+" AND "+areApplied, db.Micros(from), db.Micros(to), number)
		list = append(list, applied...)
	}
	if err != nil {
		return nil, fmt.Errorf("look up a callback: %w", err)
	}
	return list, s.describe(ctx, list)
}
