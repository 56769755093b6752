package db

import (
	"slices"

	"gorm.io/gorm"

	"pitboss/models"
)

// Keyset narrows a query to the rows next to c in a list that is ordered by the time in column at and then number, newest
// first. It asks for one row more than limit, by which InOrder sees whether more follow.
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

// By is an index, and whether a list is asked for what it begins with. It goes on with the list's order.
type By struct {
	Asked bool
	Index string
}

// Along has a list read along the index of the first filter that is asked for, or along the last index, which is that of its
// order, if none is: other filters are looked for on the way. Left to themselves, optimizers read from the end of a list to the
// page in its middle, or a whole table where a filter seems to select much of it.
func (s *DB) Along(q *gorm.DB, table, order string, filters ...By) *gorm.DB {
	for _, by := range filters {
		if by.Asked {
			order = by.Index
			break
		}
	}
	return q.Table(table + Path{Index: order}.Hint(s.Dialect))
}

// InOrder turns the rows that keyset found into a page, and reports whether more follow in the direction of c.
func InOrder[T any](rows []T, c models.Cursor, limit int) (page []T, more bool) {
	more = len(rows) > limit
	page = rows[:min(len(rows), limit)]
	if c.Newer {
		slices.Reverse(page)
	}
	return page, more
}
