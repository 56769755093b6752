package export

import (
	"context"
	"io"
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
	l.Read = func(ctx context.Context, page func(Page) error) error {
		return all(ctx, func(p Page) error {
			for i, row := range p.Rows {
				kept := make(Row, 0, len(l.Columns))
				for j, value := range row {
					if !hidden(columns[j]) {
						kept = append(kept, value)
					}
				}
				p.Rows[i] = kept
			}
			return page(p)
		})
	}
	return l
}

// WriteCSV writes a whole list and returns its number of rows. It calls note with the number of rows written so far, and stops
// if note returns an error.
func WriteCSV(ctx context.Context, to io.Writer, head Head, list List, note func(rows int64) error) (rows int64, err error) {
	w, err := newCSV(to, head, list.Columns)
	if err != nil {
		return 0, err
	}
	err = list.Read(ctx, func(page Page) error {
		for _, r := range page.Rows {
			if err := w.row(r); err != nil {
				return err
			}
		}
		rows += int64(len(page.Rows))
		return note(rows)
	})
	if err != nil {
		return rows, err
	}
	var sums []Sum
	if list.Sums != nil {
		sums = list.Sums()
	}
	return rows, w.finish(rows, sums)
}
