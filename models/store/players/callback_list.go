package players

import (
	"context"
	"database/sql"
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

// Callbacks returns a page of the callbacks that f selects. If too few of the callbacks that it reads match, it gives up, and
// Stopped is the place where it did.
//
// The log is two tables merged in the order of time, and one of them, postings, is numbered in another order.
func (s *Store) Callbacks(ctx context.Context, f models.CallbackFilter) (page models.Page[models.Callback], err error) {
	reads := []func(context.Context, models.CallbackFilter) (models.Page[models.Callback], error){s.callbackRecords}
	if f.WithApplied() {
		reads = append(reads, s.appliedCallbacks)
	}
	pages := make([]models.Page[models.Callback], len(reads))
	for i, read := range reads {
		list := models.List(f, read, models.Callback.Cursor)
		list.Limit = f.Limit + 1
		pages[i], err = models.Sift(ctx, list, f.Span, int(s.db.Far.AlongIndex), func(rows []models.Callback) ([]models.Callback, error) {
			return slices.DeleteFunc(rows, func(c models.Callback) bool { return !f.Matches(&c) }), nil
		})
		if err != nil {
			return page, err
		}
	}
	page = models.Merge(f.Span, models.Callback.Cursor, pages...)
	err = s.describe(ctx, page.Rows)
	return page, err
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

// callbackRecords returns a page of callback_records along the index of f's most selective filter. Matches applies the others.
func (s *Store) callbackRecords(ctx context.Context, f models.CallbackFilter) (page models.Page[models.Callback], err error) {
	along := db.If(f.Address.IsValid(), "callback_records_address", "address = ?", f.Address.AsSlice())
	switch {
	case f.TransactionID != "":
		along = db.If(true, "callback_records_transaction", "transaction_id = ?", f.TransactionID)
	case f.UserID != "":
		along = db.If(true, "callback_records_user", "user_id = ?", f.UserID)
	case len(f.Verdicts) > 0:
		var paths []db.Path
		for _, v := range f.Verdicts {
			paths = append(paths, db.Path{Index: "callback_records_verdict", Where: "verdict = ?", Args: []any{v}})
		}
		along = db.Along(true, paths, "")
	}
	l := db.List{Table: "callback_records", Index: db.Primary, At: "at_us", ID: "request", Span: f.Span, Filters: []db.Filter{along}}
	list, err := readRecords(s.db.List(s.db.Read.WithContext(ctx), &l))
	return db.PageOf(list, l), err
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

// areApplied selects the postings that are callbacks in the log. Tombstones, whose rollbacks were declined, and postings whose
// callback got no definite answer have records instead.
const areApplied = "request IS NOT NULL AND claim IS NOT NULL AND NOT EXISTS (SELECT 1 FROM callback_records c " +
	"WHERE c.transaction_id = postings.transaction_id AND c.request = postings.request)"

// readApplied reads the applied callbacks of postings, of which from is the rest of a query.
func (s *Store) readApplied(ctx context.Context, from string, args ...any) (list []models.Callback, err error) {
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
	}, "SELECT request, received_us, address, "+ledger.SelectOf("postings")+" FROM "+from, args...)
	if err == nil {
		err = s.nameWallets(ctx, list) // CallbackFilter.Matches needs the players' names
	}
	return list, err
}

// along returns the rest of a query of postings along an index.
func (s *Store) along(index, where string) string {
	return "postings" + db.Path{Index: index}.Hint(s.db.Dialect) + " WHERE " + where
}

// appliedCallbacks returns a page of the applied callbacks among about f.Limit postings of f's time, player or transaction.
// Matches applies the other filters.
func (s *Store) appliedCallbacks(ctx context.Context, f models.CallbackFilter) (page models.Page[models.Callback], err error) {
	span := f.Span
	switch at := f.Page; {
	case at.IsZero():
	case at.Newer && span.Since.Before(at.At):
		span.Since = at.At
	case !at.Newer:
		span.Until = models.Earliest(span.Until, at.At.Add(time.Microsecond))
	}
	switch {
	case f.TransactionID != "":
		page.Rows, err = s.readApplied(ctx, s.along("postings_key", "source = ? AND transaction_id = ? AND "+areApplied),
			models.SourcePlatform, f.TransactionID)
	case f.UserID != "":
		p, known, noPlayer := s.Player(ctx, f.UserID)
		if noPlayer != nil || !known {
			return page, noPlayer
		}
		page, err = s.appliedOfPlayer(ctx, p.ID, span)
	default:
		page, err = s.appliedOfTime(ctx, span)
	}
	span.Limit = len(page.Rows)
	return models.Merge(span, models.Callback.Cursor, page), err
}

// appliedOfTime reads the applied callbacks among about span.Limit postings of a period, in whole moments. It stops there, or
// at the end of the period.
func (s *Store) appliedOfTime(ctx context.Context, span models.Span) (page models.Page[models.Callback], err error) {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if !span.Since.IsZero() {
		low = db.Micros(span.Since)
	}
	if !span.Until.IsZero() {
		high = db.Micros(span.Until)
	}
	// The moment of the place may have many postings.
	const where = "at_us >= ? AND at_us < ?"
	end, found, err := db.One[int64](s.db.Read.WithContext(ctx).Raw("SELECT at_us FROM "+s.along("postings_at", where)+
		" AND at_us <> ? ORDER BY at_us"+map[bool]string{false: " DESC"}[span.Page.Newer]+" LIMIT 1 OFFSET ?",
		low, high, db.Micros(span.Page.At), span.Limit-1))
	if err != nil {
		return page, err
	}
	if found {
		page.Stopped = edge(end, span.Page)
		if span.Page.Newer {
			high = end + 1
		} else {
			low = end
		}
	}
	page.Rows, err = s.readApplied(ctx, s.along("postings_at", where+" AND "+areApplied), low, high)
	return page, err
}

// inversions is the most places by which a wallet's postings may differ in the orders by number and by time.
const inversions = 20

// appliedOfPlayer is appliedOfTime for a player's postings.
func (s *Store) appliedOfPlayer(ctx context.Context, player int64, span models.Span) (page models.Page[models.Callback], err error) {
	n := span.Limit
	l := db.List{Table: "postings", ID: "id", Events: true, Span: span}
	l.Span.Page, l.Span.Limit = models.Cursor{Newer: span.Page.Newer}, n+inversions-1
	path, err := s.playerPath(ctx, player, l.Span)
	if err != nil {
		return page, err
	}
	l.Filters = []db.Filter{db.Along(true, []db.Path{path}, ""), db.Most(areApplied)}
	from, args, err := s.db.From(ctx, &l)
	if err != nil {
		return page, err
	}
	rows, err := s.readApplied(ctx, from, args...)
	all := len(rows)
	page = models.Merge(models.Span{Page: l.Span.Page, Limit: all}, models.Callback.Cursor, models.Page[models.Callback]{Rows: rows})
	if all == n+inversions {
		last := page.Rows[n-1]
		if span.Page.Newer {
			last = page.Rows[all-n]
		}
		page.Stopped = edge(db.Micros(last.At), span.Page)
	}
	return page, err
}

// edge returns the place after all others of a moment in the direction of the page.
func edge(us int64, at models.Cursor) models.Cursor {
	at.At, at.ID = db.FromMicros(us), 1
	if at.Newer {
		at.ID = math.MaxInt64
	}
	return at
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
	list, err := readRecords(s.db.Read.WithContext(ctx).Table("callback_records").
		Where(where, db.Micros(from), db.Micros(to), number))
	if err == nil {
		var applied []models.Callback
		applied, err = s.readApplied(ctx, s.along("postings_at", where+" AND "+areApplied), db.Micros(from), db.Micros(to), number)
		list = append(list, applied...)
	}
	if err != nil {
		return nil, err
	}
	return list, s.describe(ctx, list)
}
