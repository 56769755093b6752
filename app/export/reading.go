package export

import (
	"context"
	"maps"
	"slices"
	"time"

	"pitboss/models"
)

// NewestFirst reads a list by cursors, to its end: rows that come in meanwhile stand above where it began. How far it has come
// is told by time, between its newest row and its oldest or, where the filters name one, the time since which it reads.
func NewestFirst[T any](since time.Time, read func(ctx context.Context, at models.Cursor) (models.Page[T], error),
	place func(T) models.Cursor,
	rows func(context.Context, []T) ([]Row, error)) func(context.Context, func(Page) error) error {
	return func(ctx context.Context, page func(Page) error) error {
		if since.IsZero() {
			oldest, err := read(ctx, models.Cursor{Newer: true})
			if err != nil {
				return err
			}
			if n := len(oldest.Rows); n > 0 {
				since = place(oldest.Rows[n-1]).At
			}
		}
		var newest time.Time
		var at models.Cursor
		for {
			found, err := read(ctx, at)
			if err != nil {
				return err
			}
			next := Page{}
			if next.Rows, err = rows(ctx, found.Rows); err != nil {
				return err
			}
			if n := len(found.Rows); n > 0 {
				if newest.IsZero() {
					newest = place(found.Rows[0]).At
				}
				at = place(found.Rows[n-1])
			}
			if !found.More {
				at = found.Stopped
			}
			next.Reached, next.Permille = at.At, permille(newest, at.At, since)
			if err := page(next); err != nil {
				return err
			}
			if at.IsZero() {
				return nil
			}
			at.Newer = false
		}
	}
}

// permille is how much of the time from newest back to oldest is behind at; 0 where nobody can say.
func permille(newest, at, oldest time.Time) int {
	if at.IsZero() || oldest.IsZero() || !oldest.Before(newest) {
		return 0
	}
	return int(max(0, min(999, 1000*newest.Sub(at).Seconds()/newest.Sub(oldest).Seconds())))
}

// Looked makes a page of a list that never gives up.
func Looked[T any](list []T, more bool, err error) (models.Page[T], error) {
	return models.Page[T]{Rows: list, More: more}, err
}

// Each makes rows one by one.
func Each[T any](row func(T) Row) func(context.Context, []T) ([]Row, error) {
	return func(_ context.Context, list []T) ([]Row, error) {
		rows := make([]Row, len(list))
		for i, v := range list {
			rows[i] = row(v)
		}
		return rows, nil
	}
}

// Sums adds amounts up by label and currency.
type Sums struct {
	labels []string
	of     map[models.Currency]map[string]models.Sum
}

// NewSums returns empty sums under these labels, shown in their order.
func NewSums(labels ...string) *Sums {
	return &Sums{labels, map[models.Currency]map[string]models.Sum{}}
}

// Add adds a sum in a currency under a label.
func (s *Sums) Add(c models.Currency, label string, more models.Sum) {
	if s.of[c] == nil {
		s.of[c] = map[string]models.Sum{}
	}
	s.of[c][label] = s.of[c][label].Plus(more)
}

// AddAmount adds an amount in a currency under a label.
func (s *Sums) AddAmount(c models.Currency, label string, a models.Amount) {
	s.Add(c, label, models.SumOf(a))
}

// List returns the sums by currency and label.
func (s *Sums) List() (list []Sum) {
	for _, c := range slices.Sorted(maps.Keys(s.of)) {
		for _, label := range s.labels {
			list = append(list, Sum{Label: label, Currency: c, Amount: s.of[c][label]})
		}
	}
	return list
}

// AmountOrNone is a cell with an amount, empty for none.
func AmountOrNone(a *models.Amount) any {
	if a == nil {
		return nil
	}
	return *a
}

// CountOrNone is a cell with a count, empty for zero.
func CountOrNone(n int64) any {
	if n == models.NoCount {
		return nil
	}
	return n
}

// NumberOrNone is a cell with the number of a row, empty for none.
func NumberOrNone(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}
