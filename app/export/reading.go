package export

import (
	"context"

	"pitboss/models"
)

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
