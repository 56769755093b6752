package export

import (
	"context"
	"time"

	"pitboss/models"
)

// NewestFirst reads a whole list by cursors, most rows at a time; rows added in the meantime are before its beginning and are
// not read. Its progress is the share of time between the newest row and the oldest or, if the filters have one, the time since
// which it reads.
func NewestFirst[T any](list models.Listing[T], most int,
	rows func(context.Context, []T) ([]Row, error)) func(context.Context, func(Page) error) error {
	return func(ctx context.Context, page func(Page) error) error {
		since := list.Since
		if since.IsZero() {
			oldest, err := list.Read(ctx, models.Span{Page: models.Cursor{Newer: true}, Limit: most, Until: list.Until})
			if err != nil {
				return err
			}
			if n := len(oldest.Rows); n > 0 {
				since = list.Place(oldest.Rows[n-1]).At
			}
		}
		var newest time.Time
		for found, err := range list.Pages(ctx, most) {
			if err != nil {
				return err
			}
			if len(found.Rows) > 0 && newest.IsZero() {
				newest = list.Place(found.Rows[0]).At
			}
			at := found.Next(list.Place).At
			next := Page{Reached: at, Permille: permille(newest, at, since)}
			if next.Rows, err = rows(ctx, found.Rows); err != nil {
				return err
			}
			if err := page(next); err != nil {
				return err
			}
		}
		return nil
	}
}

// permille returns how much of the time from newest back to oldest has been read, in thousandths; 0 if unknown.
func permille(newest, at, oldest time.Time) int {
	if at.IsZero() || oldest.IsZero() || !oldest.Before(newest) {
		return 0
	}
	return int(max(0, min(999, 1000*newest.Sub(at).Seconds()/newest.Sub(oldest).Seconds())))
}

// Each returns a function that converts rows one by one.
func Each[T any](row func(T) Row) func(context.Context, []T) ([]Row, error) {
	return func(_ context.Context, list []T) ([]Row, error) {
		rows := make([]Row, len(list))
		for i, v := range list {
			rows[i] = row(v)
		}
		return rows, nil
	}
}

// AmountOrNone returns a cell with an amount, or an empty cell for nil.
func AmountOrNone(a *models.Amount) any {
	if a == nil {
		return nil
	}
	return *a
}

// CountOrNone returns a cell with a count, or an empty cell for models.NoCount.
func CountOrNone(n int64) any {
	if n == models.NoCount {
		return nil
	}
	return n
}

// NumberOrNone returns a cell with a row's number, or an empty cell for zero.
func NumberOrNone(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}
