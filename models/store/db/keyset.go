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

// InOrder turns the rows that keyset found into a page, and reports whether more follow in the direction of c.
func InOrder[T any](rows []T, c models.Cursor, limit int) (page []T, more bool) {
	more = len(rows) > limit
	page = rows[:min(len(rows), limit)]
	if c.Newer {
		slices.Reverse(page)
	}
	return page, more
}
