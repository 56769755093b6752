package export

import "pitboss/models"

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
