package db

import (
	"cmp"
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// Far is how many rows along a path a page of a list looks through for rows that match the other filters. Through the table itself
// it can look further than through an index, where each step reads a row from another place.
type Far struct {
	AlongTable, AlongIndex int64
}

// Apart is the most by which the times of two rows may contradict the order of their numbers. It allows for waits for locks,
// which a callback's deadline limits, and for the different clocks of several instances.
const Apart = 15 * time.Second

// Walk reads a table of events, such as postings, in the order of its row numbers.
type Walk struct {
	Table  string
	Paths  []Path
	Filter string // a condition that rows must also meet
	Args   []any
	Newer  bool
	From   int64 // the number after which to begin; 0 for the end of the list
	Low    int64 // lower numbers are excluded
	High   int64 // this number and higher ones are excluded; 0 for no limit
	Far    int64 // the most rows to look through; 0 for no limit

	Dialect Dialect
	Stopped models.Cursor
}

// Also adds a condition that rows must meet.
func (w *Walk) Also(condition string, args ...any) {
	if w.Filter != "" {
		w.Filter += " AND "
	}
	w.Filter += condition
	w.Args = append(w.Args, args...)
}

// Primary is the index of a table's row numbers.
const Primary = "PRIMARY"

// Path is a part of an index in which row numbers ascend.
type Path struct {
	Index string
	Where string
	Args  []any
}

// BySeq reports whether the path's index is ordered by seq before the row number. Numbers ascend with seq.
func (r Path) BySeq() bool { return r.Index == "postings_player" }

// Hint returns the index hint that makes a statement use the path. Without it, optimizers read the whole table if they estimate
// that a page of matching rows is found sooner that way.
func (r Path) Hint(d Dialect) string {
	index := cmp.Or(r.Index, Primary)
	if d == SQLite && index == Primary {
		return " NOT INDEXED"
	}
	return d.pick(" FORCE INDEX ("+index+")", " INDEXED BY "+index)
}

// Between limits the walk to a range of times. It sets Low and High.
func (s *DB) Between(ctx context.Context, w *Walk, since, until time.Time) (err error) {
	if !since.IsZero() {
		if w.Low, err = s.NumberAt(ctx, w.Table, since.Add(-Apart)); err != nil {
			return err
		}
	}
	if !until.IsZero() {
		if w.High, err = s.NumberAt(ctx, w.Table, until.Add(Apart)); err == nil && w.High == 0 {
			w.High = 1
		}
	}
	return err
}

// NumberAt returns the number that divides the table's rows by time: the last row with a lower number is from before at, and
// the first row from that number on is from at or later. The other rows lie on the same sides, except those whose times
// contradict the order of their numbers (Apart).
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

// Window returns the condition for the part of the list in which the page lies, and its arguments.
func (w *Walk) Window() (string, []any) {
	where, args := "id >= ?", []any{w.Low}
	if w.High != 0 {
		where, args = where+" AND id < ?", append(args, w.High)
	}
	if past := map[bool]string{true: " AND id > ?", false: " AND id < ?"}; w.From != 0 {
		where, args = where+past[w.Newer], append(args, w.From)
	}
	return where, args
}

// order returns the order of the walk in the columns of the path's index.
func (w *Walk) order(r Path) string {
	down := " DESC"
	if w.Newer {
		down = ""
	}
	if r.BySeq() {
		return " ORDER BY seq" + down + ", id" + down
	}
	return " ORDER BY id" + down
}

// Bound finds the row at which the first path has used up Far, and limits the walk to it on all paths.
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

// end returns the row after w.Far rows of a path, or none if the path is shorter.
func (w *Walk) end(ctx context.Context, read *gorm.DB, r Path) (placed, error) {
	where, args := w.Window()
	if r.Where != "" {
		where, args = where+" AND "+r.Where, append(args, r.Args...)
	}
	from := "FROM " + w.Table + r.Hint(w.Dialect) + " WHERE " + where + w.order(r)
	offset := w.Far
	if r.Index == "" {
		// The table's own numbers have hardly any gaps, so the end is calculated without reading the rows before it.
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

// Page returns the numbers of up to limit rows and whether more follow. If not, stopped is the place at which it stopped
// looking before the end of the list.
func (w *Walk) Page(ctx context.Context, read *gorm.DB, limit int) (ids []int64, more bool, stopped models.Cursor, err error) {
	ids, err = w.IDs(ctx, read, limit+1)
	if err == nil && len(ids) > limit {
		return ids[:limit], true, models.Cursor{}, nil
	}
	return ids, false, w.Stopped, err
}

// IDs returns the numbers of up to limit rows, in the direction of the walk.
func (w *Walk) IDs(ctx context.Context, read *gorm.DB, limit int) (ids []int64, err error) {
	if len(w.Paths) == 0 {
		return nil, nil // no row can match
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
		parts = append(parts, "SELECT * FROM ("+part+w.order(r)+" LIMIT ?) r")
		args = append(args, limit)
	}
	rows, err := read.WithContext(ctx).
		Raw(strings.Join(parts, " UNION ALL ")+w.order(Path{})+" LIMIT ?", append(args, limit)...).Rows()
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
