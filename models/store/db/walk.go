package db

import (
	"context"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// How far along a path a page of a list looks for rows that pass the other filters: by number through the table itself, else by
// an index, whose every step reads a row elsewhere.
const (
	LookAlongTable = 50_000
	LookAlongIndex = 20_000
)

// Apart is how far the times of two rows may contradict the order of their numbers: waits for locks, which a callback's
// deadline ends, and clocks of several instances.
const Apart = 15 * time.Second

// Walk is a way through a table of what happened, transactions above all, in the order of its numbers.
type Walk struct {
	Table  string
	Paths  []Path
	Filter string // what a row must pass besides
	Args   []any
	Newer  bool
	From   int64 // the number to begin behind; 0 for the end of the list
	Low    int64 // numbers below are out of the question
	High   int64 // and these and above; 0 for none
	Far    int64 // how many rows to look through at most; 0 for no end

	Dialect Dialect
	Stopped models.Cursor
}

// Also adds a condition that rows must pass besides.
func (w *Walk) Also(condition string, args ...any) {
	if w.Filter != "" {
		w.Filter += " AND "
	}
	w.Filter += condition
	w.Args = append(w.Args, args...)
}

// Path is an index, and the part of it in which numbers ascend.
type Path struct {
	Index string
	Where string
	Args  []any
}

// BySeq reports whether numbers ascend with seq on the path, which its index has before them.
func (r Path) BySeq() bool { return r.Index == "postings_player" }

// Hint is how a statement is held to the path: left to themselves, optimisers walk the whole table where a page of it may come
// quicker.
func (r Path) Hint(d Dialect) string {
	switch {
	case d == MySQL && r.Index == "":
		return " FORCE INDEX (PRIMARY)"
	case d == MySQL:
		return " FORCE INDEX (" + r.Index + ")"
	case r.Index == "":
		return " NOT INDEXED"
	}
	return " INDEXED BY " + r.Index
}

// JoinInOrder joins the table after it to those before it, whose rows are read first. Optimizers choose the order by estimates,
// which are sometimes wrong by far.
func (d Dialect) JoinInOrder() string {
	if d == MySQL {
		return " STRAIGHT_JOIN "
	}
	return " CROSS JOIN "
}

// Between turns a range of time into one of numbers.
func (s *DB) Between(ctx context.Context, w *Walk, since, until time.Time) (err error) {
	if !since.IsZero() {
		if w.Low, err = s.boundary(ctx, w.Table, since.Add(-Apart)); err != nil {
			return err
		}
	}
	if !until.IsZero() {
		if w.High, err = s.boundary(ctx, w.Table, until.Add(Apart)); err == nil && w.High == 0 {
			w.High = 1
		}
	}
	return err
}

// mostBoundaries is how many answers of boundary are remembered.
const mostBoundaries = 1000

// boundaries are numbers of rows by their table and time.
type boundaries struct {
	mu    sync.Mutex
	known map[boundaryOf]int64
}

type boundaryOf struct {
	table string
	atUs  int64
}

// boundary is NumberAt, which takes some twenty statements, remembered: page after page asks for the beginning of a day. One
// statement sees whether the number still is the answer, since a purge, a restored backup or a replica that lags behind may have
// changed that.
func (s *DB) boundary(ctx context.Context, table string, at time.Time) (int64, error) {
	of, b := boundaryOf{table, Micros(at)}, &s.boundaries
	b.mu.Lock()
	number, known := b.known[of]
	b.mu.Unlock()
	if known {
		var neighbors []struct {
			Later bool
			AtUs  int64
		}
		if err := s.Read.WithContext(ctx).Raw("SELECT * FROM (SELECT 0 AS later, at_us FROM "+table+
			" WHERE id < ? ORDER BY id DESC LIMIT 1) a UNION ALL SELECT * FROM (SELECT 1 AS later, at_us FROM "+table+
			" WHERE id >= ? ORDER BY id LIMIT 1) b", number, number).Scan(&neighbors).Error; err != nil {
			return 0, err
		}
		holds, followed := true, false
		for _, row := range neighbors {
			holds, followed = holds && row.Later == (row.AtUs >= of.atUs), followed || row.Later
		}
		if holds && followed {
			return number, nil
		}
	}
	number, err := s.NumberAt(ctx, table, at)
	if err != nil {
		return 0, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known == nil || len(b.known) >= mostBoundaries {
		b.known = map[boundaryOf]int64{}
	}
	b.known[of] = number
	return number, nil
}

// NumberAt returns a number such that the table's row before it is of before at, and the one from it on of at or after at. All
// others lie on the same side, but for those that are apart from their order.
func (s *DB) NumberAt(ctx context.Context, table string, at time.Time) (int64, error) {
	read := s.Read.WithContext(ctx)
	var last int64
	if err := read.Raw("SELECT COALESCE(MAX(id), 0) FROM " + table).Scan(&last).Error; err != nil {
		return 0, err
	}
	low, high := int64(0), last+1
	for low < high {
		middle := low + (high-low)/2
		var rows []placed
		if err := read.Raw("SELECT id, at_us FROM "+table+" WHERE id >= ? AND id < ? ORDER BY id LIMIT 1", middle, high).
			Scan(&rows).Error; err != nil {
			return 0, err
		}
		if len(rows) == 0 || rows[0].AtUs >= Micros(at) {
			high = middle
		} else {
			low = rows[0].ID + 1
		}
	}
	return low, nil
}

// Window is the part of the list in which the page lies.
func (w *Walk) Window() (string, []any) {
	where, args := "id >= ?", []any{w.Low}
	if w.High != 0 {
		where, args = where+" AND id < ?", append(args, w.High)
	}
	switch {
	case w.From == 0:
	case w.Newer:
		where, args = where+" AND id > ?", append(args, w.From)
	default:
		where, args = where+" AND id < ?", append(args, w.From)
	}
	return where, args
}

func (w *Walk) order() string {
	if w.Newer {
		return " ORDER BY id"
	}
	return " ORDER BY id DESC"
}

// orderOf is order as the path's index has it.
func (w *Walk) orderOf(r Path) string {
	switch {
	case !r.BySeq():
		return w.order()
	case w.Newer:
		return " ORDER BY seq, id"
	}
	return " ORDER BY seq DESC, id DESC"
}

// Bound finds how far the walk goes, and stops it there: no row beyond is looked at on any path.
func (w *Walk) Bound(ctx context.Context, read *gorm.DB) error {
	if w.Far == 0 {
		return nil
	}
	for _, r := range w.Paths {
		end, err := w.end(ctx, read, r)
		if err != nil {
			return err
		}
		if end.ID != 0 && (w.Stopped.ID == 0 || w.Newer == (end.ID < w.Stopped.ID)) {
			w.Stopped = models.Cursor{At: FromMicros(end.AtUs), ID: end.ID, Newer: w.Newer}
		}
	}
	switch {
	case w.Stopped.ID == 0:
	case w.Newer:
		w.High = w.Stopped.ID + 1
	default:
		w.Low = w.Stopped.ID
	}
	return nil
}

type placed struct{ ID, AtUs int64 }

// end returns the row at which a path is left, and none where it is not so long.
func (w *Walk) end(ctx context.Context, read *gorm.DB, r Path) (placed, error) {
	where, args := w.Window()
	if r.Where != "" {
		where, args = where+" AND "+r.Where, append(args, r.Args...)
	}
	from := "FROM " + w.Table + r.Hint(w.Dialect) + " WHERE " + where + w.orderOf(r)
	offset := w.Far
	if r.Index == "" {
		// Numbers of the table itself have hardly any gaps: the end is reckoned instead of walked to.
		var first []int64
		if err := read.WithContext(ctx).Raw("SELECT id "+from+" LIMIT 1", args...).Scan(&first).
			Error; err != nil || len(first) == 0 {
			return placed{}, err
		}
		far := "id <= ?"
		at := first[0] - w.Far
		if w.Newer {
			far, at = "id >= ?", first[0]+w.Far
		}
		from, args, offset = strings.Replace(from, where, where+" AND "+far, 1), append(args, at), 0
	}
	var ends []placed
	if err := read.WithContext(ctx).Raw("SELECT id, at_us "+from+" LIMIT 1 OFFSET ?", append(args, offset)...).Scan(&ends).
		Error; err != nil || len(ends) == 0 {
		return placed{}, err
	}
	return ends[0], nil
}

// Page returns the numbers of a page of up to limit rows, whether more follow, and otherwise where looking stopped before the
// end.
func (w *Walk) Page(ctx context.Context, read *gorm.DB, limit int) (ids []int64, more bool, stopped models.Cursor, err error) {
	ids, err = w.IDs(ctx, read, limit+1)
	if err == nil && len(ids) > limit {
		return ids[:limit], true, models.Cursor{}, nil
	}
	return ids, false, w.Stopped, err
}

// IDs returns up to limit numbers along the walk, in its own direction.
func (w *Walk) IDs(ctx context.Context, read *gorm.DB, limit int) (ids []int64, err error) {
	if len(w.Paths) == 0 {
		return nil, nil // no class is such
	}
	if err := w.Bound(ctx, read); err != nil {
		return nil, err
	}
	where, windowArgs := w.Window()
	var parts []string
	var args []any
	for _, r := range w.Paths {
		part := "SELECT id FROM " + w.Table + r.Hint(w.Dialect) + " WHERE " + where
		args = append(args, windowArgs...)
		if r.Where != "" {
			part += " AND " + r.Where
			args = append(args, r.Args...)
		}
		if w.Filter != "" {
			part += " AND " + w.Filter
			args = append(args, w.Args...)
		}
		parts = append(parts, "SELECT * FROM ("+part+w.orderOf(r)+" LIMIT ?) r")
		args = append(args, limit)
	}
	rows, err := read.WithContext(ctx).Raw(strings.Join(parts, " UNION ALL ")+w.order()+" LIMIT ?", append(args, limit)...).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
