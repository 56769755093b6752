package models

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"
)

// Span says which part of a list to read. Filters of lists embed it.
type Span struct {
	Since, Until time.Time // rows at Since or later, and before Until; zero for no limit
	Page         Cursor    // where the page begins
	Limit        int       // the most rows
}

// span returns the part that a filter selects.
func (s *Span) span() *Span { return s }

// Earliest returns the earlier of two times that limit a list; zero means no limit.
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

// Next returns where the page after this one begins, or zero if this one is the last.
func (p Page[T]) Next(place func(T) Cursor) Cursor {
	if n := len(p.Rows); p.More && n > 0 {
		return place(p.Rows[n-1])
	}
	return p.Stopped
}

// Listing reads the rows that a reader has chosen with filters: a page of them, or all of them for a file.
type Listing[T any] struct {
	Span  // the chosen times, and how many rows a page shows; Page is not used
	Read  func(context.Context, Span) (Page[T], error)
	Place func(T) Cursor // a row's place in the list
}

// List returns the listing of what a filter selects. read reads a page of it, and place returns a row's place in it.
func List[F, T any, P interface {
	*F
	span() *Span
}](filter F, read func(context.Context, F) (Page[T], error), place func(T) Cursor) Listing[T] {
	return Listing[T]{
		Span: *P(&filter).span(),
		Read: func(ctx context.Context, s Span) (Page[T], error) {
			part := filter
			*P(&part).span() = s
			return read(ctx, part)
		},
		Place: place,
	}
}

// next reads a page of the listing in the direction of its span, and returns the span of the page after it.
func (l Listing[T]) next(ctx context.Context, span Span) (Page[T], Span, error) {
	page, err := l.Read(ctx, span)
	newer := span.Page.Newer
	if newer { // a page is newest first in either direction
		slices.Reverse(page.Rows)
	}
	span.Page = page.Next(l.Place)
	span.Page.Newer = newer
	return page, span, err
}

// walk reads the listing from a span on, page by page.
func (l Listing[T]) walk(ctx context.Context, span Span) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		for {
			page, next, err := l.next(ctx, span)
			if !yield(page, err) || err != nil || next.Page.IsZero() {
				return
			}
			span = next
		}
	}
}

// Pages reads the whole listing, newest first, page by page. Rows added in the meantime are not read.
func (l Listing[T]) Pages(ctx context.Context, rows int) iter.Seq2[Page[T], error] {
	return l.walk(ctx, Span{Since: l.Since, Until: l.Until, Limit: rows})
}

// OldestFirst is Pages in the opposite order. It reads no rows from until on, so that it ends while rows are added.
func (l Listing[T]) OldestFirst(ctx context.Context, rows int, until time.Time) iter.Seq2[Page[T], error] {
	return l.walk(ctx, Span{Since: l.Since, Until: Earliest(l.Until, until), Limit: rows, Page: Cursor{Newer: true}})
}

// mostAtOnce is the most rows that Sift reads at once.
const mostAtOnce = 1000

// Sift returns a page of what pick makes of the rows of a listing: those that match a condition that the database cannot check.
// It reads l.Limit rows at first and then more and more at once, until the page is full or it has read most rows.
func Sift[R, T any](ctx context.Context, l Listing[R], span Span, most int, pick func([]R) ([]T, error)) (page Page[T], err error) {
	looked, part := 0, span
	for part.Limit = l.Limit; ; part.Limit = min(2*part.Limit, mostAtOnce, most-looked) {
		read, next, err := l.next(ctx, part)
		if err != nil {
			return Page[T]{}, err
		}
		picked, err := pick(read.Rows)
		if err != nil {
			return Page[T]{}, err
		}
		page.Rows, looked = append(page.Rows, picked...), looked+part.Limit
		if page.More = len(page.Rows) > span.Limit; page.More {
			page.Rows = page.Rows[:span.Limit]
		} else if looked >= most {
			page.Stopped = next.Page
		}
		if page.More || looked >= most || next.Page.IsZero() {
			break
		}
		part = next
	}
	if span.Page.Newer {
		slices.Reverse(page.Rows)
	}
	return page, nil
}

// Merge makes a page of the pages of several lists in one order, which begin where the span does or before. place returns a
// row's place in that order.
func Merge[T any](span Span, place func(T) Cursor, pages ...Page[T]) (merged Page[T]) {
	// past reports whether a is after b in the direction of the page.
	past := func(a, b Cursor) bool {
		order := cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
		return span.Page.Newer && order > 0 || !span.Page.Newer && order < 0
	}
	for _, p := range pages {
		merged.Rows, merged.More = append(merged.Rows, p.Rows...), merged.More || p.More
		if at := p.Stopped; !at.IsZero() && (merged.Stopped.IsZero() || past(merged.Stopped, at)) {
			merged.Stopped = at
		}
	}
	merged.Rows = slices.DeleteFunc(merged.Rows, func(row T) bool {
		return !span.Page.IsZero() && !past(place(row), span.Page) || !merged.Stopped.IsZero() && past(place(row), merged.Stopped)
	})
	slices.SortFunc(merged.Rows, func(a, b T) int {
		switch at, other := place(a), place(b); {
		case past(other, at):
			return -1
		case past(at, other):
			return 1
		}
		return 0
	})
	if len(merged.Rows) > span.Limit {
		merged.Rows, merged.More = merged.Rows[:span.Limit], true
	} else if !merged.Stopped.IsZero() {
		merged.More = false
	}
	if merged.More {
		merged.Stopped = Cursor{}
	}
	if span.Page.Newer {
		slices.Reverse(merged.Rows)
	}
	return merged
}
