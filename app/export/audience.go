package export

import (
	"context"
	"slices"
)

// Audience is who may read a column in a pack about a player (app/pack). Exports for staff have every column.
type Audience int

// The audiences, from the widest.
const (
	Player  Audience = iota // the player, arbiters and staff
	Arbiter                 // arbiters and staff: what staff did and why
	Staff                   // only staff, such as network addresses of colleagues
)

// For returns the list without the columns that the reader may not see.
func (l List) For(reader Audience) List {
	columns, all := l.Columns, l.Read
	hidden := func(c Column) bool { return c.Audience > reader }
	l.Columns = slices.DeleteFunc(slices.Clone(columns), hidden)
	l.Read = func(ctx context.Context, page func([]Row) error) error {
		return all(ctx, func(rows []Row) error {
			for i, row := range rows {
				kept := make(Row, 0, len(l.Columns))
				for j, value := range row {
					if !hidden(columns[j]) {
						kept = append(kept, value)
					}
				}
				rows[i] = kept
			}
			return page(rows)
		})
	}
	return l
}
