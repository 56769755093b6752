package models

import (
	"context"
	"time"
)

// Span says which part of a list to read.
type Span struct {
	Since, Until time.Time // rows at Since or later, and before Until; zero for no limit
	Page         Cursor    // where the page begins
	Limit        int       // the most rows
}

// Earliest returns the earlier of two times that limit a list, of which zero means no limit.
func Earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Page is a page of a list. If few rows of a large table match the filter, the page may not be full, because the search stops
// early instead of reading the whole table at once.
type Page[T any] struct {
	Rows    []T
	More    bool   // more rows follow, in the direction of the page
	Stopped Cursor // where the search stopped early, and the next page begins; zero if it did not stop early
}

// Paged returns a page of a list that never stops early.
func Paged[T any](rows []T, more bool, err error) (Page[T], error) {
	return Page[T]{Rows: rows, More: more}, err
}

// Listing reads the rows that a reader has chosen with filters: a page of them, or all of them for a file.
type Listing[T any] struct {
	Span  // the chosen times, and how many rows a page shows; Page is not used
	Read  func(context.Context, Span) (Page[T], error)
	Place func(T) Cursor // a row's place in the list

	// First returns the time of the first row of a span, or zero if there is none. If First is nil, that is the time of the
	// first row's place.
	First func(context.Context, Span) (time.Time, error)
}

// FirstTime returns the time of the first row of a span, or zero if there is none.
func (l Listing[T]) FirstTime(ctx context.Context, s Span) (time.Time, error) {
	if l.First != nil {
		return l.First(ctx, s)
	}
	s.Limit = 1
	found, err := l.Read(ctx, s)
	if err != nil || len(found.Rows) == 0 {
		return time.Time{}, err
	}
	return l.Place(found.Rows[0]).At, nil
}
