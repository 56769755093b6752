package db

import (
	"cmp"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
)

// Order is the order of a list: by a column of times and then by one of numbers, newest first, along an index of a table.
type Order struct{ Table, At, ID, Index string }

// Filter is a condition of a list, if it is Set. Its index, if there is one, begins with the column of the condition, followed
// by the columns of the list's order.
type Filter struct {
	Set   bool
	Index string
	Where string // empty if another filter has the condition
	Args  []any
}

// If returns a filter.
func If(set bool, index, where string, args ...any) Filter { return Filter{set, index, where, args} }

// List adds to a query what selects a page of a list: its filters, its order, and where it begins and ends. The page is read
// along the index of the first filter that is Set and has one, or of the order if there is none; rows are checked against the
// other filters on the way. Without this, optimizers may read from the end of a list up to a page in its middle, or a whole table
// if a filter seems to match much of it. PageOf makes the rows found into a page.
func (s *DB) List(q *gorm.DB, o Order, span models.Span, filters ...Filter) *gorm.DB {
	q = s.Filtered(Keyset(q, o.At, o.ID, span.Page, span.Limit), o.Table, o.Index, filters...)
	if !span.Since.IsZero() {
		q = q.Where(o.At+" >= ?", Micros(span.Since))
	}
	if !span.Until.IsZero() {
		q = q.Where(o.At+" < ?", Micros(span.Until))
	}
	return q
}

// Filtered adds filters to a query of a table, and the index of the first that is Set and has one, or else this index.
func (s *DB) Filtered(q *gorm.DB, table, index string, filters ...Filter) *gorm.DB {
	along := ""
	for _, f := range filters {
		if !f.Set {
			continue
		}
		along = cmp.Or(along, f.Index)
		if f.Where != "" {
			q = q.Where(f.Where, f.Args...)
		}
	}
	return q.Table(table + Path{Index: cmp.Or(along, index)}.Hint(s.Dialect))
}

// Keyset limits a query to the rows next to c in a list that is ordered by column at, a time, and then by column id, newest
// first. It selects one row more than limit, so that PageOf can tell whether more follow.
func Keyset(q *gorm.DB, at, id string, c models.Cursor, limit int) *gorm.DB {
	q = q.Limit(limit + 1)
	if c.Newer {
		q = q.Order(at + ", " + id)
	} else {
		q = q.Order(at + " DESC, " + id + " DESC")
	}
	if c.IsZero() {
		return q
	}
	past := "<"
	if c.Newer {
		past = ">"
	}
	us := Micros(c.At)
	return q.Where(at+" "+past+"= ? AND ("+at+" "+past+" ? OR "+id+" "+past+" ?)", us, us, c.ID)
}

// OldestFirst is Keyset for a list that begins with its oldest row. With the span that OldestFirst returns, PageOf makes the rows
// found into a page in the opposite order.
func OldestFirst(q *gorm.DB, at, id string, span models.Span) (*gorm.DB, models.Span) {
	span.Page.Newer = !span.Page.Newer
	return Keyset(q, at, id, span.Page, span.Limit), span
}

// HighestFirst limits a query to a page of a list that is ordered by a column of numbers, highest first.
func HighestFirst(q *gorm.DB, column string, span models.Span) *gorm.DB {
	return byNumber(q, column, span, !span.Page.Newer)
}

// LowestFirst is HighestFirst for a list that begins with the lowest number.
func LowestFirst(q *gorm.DB, column string, span models.Span) *gorm.DB {
	return byNumber(q, column, span, span.Page.Newer)
}

func byNumber(q *gorm.DB, column string, span models.Span, down bool) *gorm.DB {
	order, past := column, ">"
	if down {
		order, past = column+" DESC", "<"
	}
	if !span.Page.IsZero() {
		q = q.Where(column+" "+past+" ?", span.Page.ID)
	}
	return q.Order(order).Limit(span.Limit + 1)
}

// ByName limits a query to a page of a list that is ordered by a column of texts and then by id.
func (s *DB) ByName(q *gorm.DB, table, column string, span models.Span) (*gorm.DB, error) {
	at, err := s.NameAt(q, table, column, span.Page)
	if err != nil {
		return nil, err
	}
	order, past := column+", id", ">"
	if span.Page.Newer {
		order, past = column+" DESC, id DESC", "<"
	}
	if at != "" {
		q = q.Where(column+" "+past+"= ? AND ("+column+" "+past+" ? OR id "+past+" ?)", at, at, span.Page.ID)
	}
	return q.Order(order).Limit(span.Limit + 1), nil
}

// NameAt returns the text in a column of the row whose number c has: the place of c in a list in the order of this column. It
// returns an empty text for the beginning of the list.
func (s *DB) NameAt(read *gorm.DB, table, column string, c models.Cursor) (name string, err error) {
	if c.IsZero() {
		return "", nil
	}
	if err := read.Raw("SELECT "+column+" FROM "+table+" WHERE id = ?", c.ID).Scan(&name).Error; err != nil {
		return "", fmt.Errorf("read a place in a list: %w", err)
	}
	return name, nil
}

// PageOf turns the rows found, one more than span.Limit if there are more, into a page.
func PageOf[T any](rows []T, span models.Span) models.Page[T] {
	more := len(rows) > span.Limit
	rows = rows[:min(len(rows), span.Limit)]
	if span.Page.Newer {
		slices.Reverse(rows)
	}
	return models.Page[T]{Rows: rows, More: more}
}

// FindPage reads a page of what List selects. what is what it does, for errors.
func FindPage[T any](q *gorm.DB, span models.Span, what string) (page models.Page[T], err error) {
	var rows []T
	if err := q.Find(&rows).Error; err != nil {
		return page, fmt.Errorf("%s: %w", what, err)
	}
	return PageOf(rows, span), nil
}
