package models

import (
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

// Pages reads the whole listing, newest first, page by page. Rows added in the meantime are not read.
func (l Listing[T]) Pages(ctx context.Context, rows int) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		for span := (Span{Since: l.Since, Until: l.Until, Limit: rows}); ; {
			page, err := l.Read(ctx, span)
			span.Page = page.Next(l.Place)
			if !yield(page, err) || err != nil || span.Page.IsZero() {
				return
			}
		}
	}
}

// OldestFirst is Pages in the opposite order. It reads no rows from until on, so that it ends while rows are added.
func (l Listing[T]) OldestFirst(ctx context.Context, rows int, until time.Time) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		span := Span{Since: l.Since, Until: Earliest(l.Until, until), Limit: rows, Page: Cursor{Newer: true}}
		for {
			page, err := l.Read(ctx, span) // a page is newest first in either direction
			slices.Reverse(page.Rows)
			span.Page = page.Next(l.Place)
			ends := span.Page.IsZero()
			span.Page.Newer = true
			if !yield(page, err) || err != nil || ends {
				return
			}
		}
	}
}
