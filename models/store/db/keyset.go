package db

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
)

// Keyset limits a query to the rows next to c in a list that is ordered by column at, a time, and then by column id, newest
// first. It selects one row more than limit, so that InOrder can tell whether more follow.
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

// NameAt returns the text in a column of the row whose number c has: the place of c in a list in the order of this column. It
// returns an empty text for the beginning of the list.
func (s *DB) NameAt(ctx context.Context, table, column string, c models.Cursor) (name string, err error) {
	if c.IsZero() {
		return "", nil
	}
	if err := s.Read.WithContext(ctx).Raw("SELECT "+column+" FROM "+table+" WHERE id = ?", c.ID).Scan(&name).Error; err != nil {
		return "", fmt.Errorf("read a place in a list: %w", err)
	}
	return name, nil
}

// By is an index whose first column is a filter, followed by the columns of the list's order. Asked says whether the list is
// filtered by it.
type By struct {
	Asked bool
	Index string
}

// Along makes a list use the index of the first filter with Asked, or the index named order if there is none. Rows are checked
// against the other filters on the way. Without this, optimizers may read from the end of a list up to a page in its middle, or
// a whole table if a filter seems to match much of it.
func (s *DB) Along(q *gorm.DB, table, order string, filters ...By) *gorm.DB {
	for _, by := range filters {
		if by.Asked {
			order = by.Index
			break
		}
	}
	return q.Table(table + Path{Index: order}.Hint(s.Dialect))
}

// InOrder turns the rows found with Keyset into a page, and reports whether more follow in the direction of c.
func InOrder[T any](rows []T, c models.Cursor, limit int) (page []T, more bool) {
	more = len(rows) > limit
	page = rows[:min(len(rows), limit)]
	if c.Newer {
		slices.Reverse(page)
	}
	return page, more
}
