package web

import (
	"context"
	"iter"

	"pitboss/app/export"
	"pitboss/models"
)

// Rows reads a whole list for a file, most rows at a time and in the order of its page.
func Rows[T any](p *Page, l *Listed, list models.Listing[T], most int,
	rows func(context.Context, []T) ([]export.Row, error)) func(context.Context, func([]export.Row) error) error {
	return func(ctx context.Context, next func([]export.Row) error) error {
		pages := list.Pages(ctx, most)
		if l.Order == Oldest {
			pages = list.OldestFirst(ctx, most, p.Now)
		}
		return eachPage(ctx, pages, rows, next)
	}
}

func eachPage[T any](ctx context.Context, pages iter.Seq2[models.Page[T], error],
	rows func(context.Context, []T) ([]export.Row, error), next func([]export.Row) error) error {
	for page, err := range pages {
		if err != nil {
			return err
		}
		made, err := rows(ctx, page.Rows)
		if err == nil {
			err = next(made)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// AmountRows is Rows for a list that can be ordered by amount. If the order is by amount and the list has too many rows for it,
// Instead says so.
func AmountRows[T any](ctx context.Context, p *Page, l *Listed, list models.Listing[T], of Amounts[T],
	rows func(context.Context, []T) ([]export.Row, error)) (func(context.Context, func([]export.Row) error) error, error) {
	if l.Order != Largest || l.Instead != nil {
		return Rows(p, l, list, ExportPage, rows), nil
	}
	all, err := of.ordered(ctx, p, l, list)
	return func(ctx context.Context, next func([]export.Row) error) error {
		return eachPage(ctx, func(yield func(models.Page[T], error) bool) { yield(models.Page[T]{Rows: all}, nil) }, rows, next)
	}, err
}
