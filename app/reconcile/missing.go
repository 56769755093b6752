package reconcile

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"pitboss/app/sheet"
	"pitboss/models"
)

// Ledger looks up our transactions by ID.
type Ledger interface {
	OurTransactions(ctx context.Context, client int64,
		ids []models.TransactionID) (map[models.TransactionID]*models.TransactionLine, error)
}

// Missing returns what a platform's statement has and our ledger does not, ordered by time: transactions with an effect, and
// rollbacks of transactions that are not rolled back here. After a restore the platform has to send these again, or they have
// to be booked by corrections. It only writes to dir, an empty folder for data that does not fit into memory. It returns a
// models.LineError for the first line that cannot be read.
func Missing(ctx context.Context, ours Ledger, file io.ReadSeeker, layout models.StatementLayout,
	dir string) (missing []models.Comparison, err error) {
	in, err := sheet.NewStatementReader(file, layout, false)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	sorted := &sorter{dir: dir}
	for {
		line, err := in.Next()
		if err == io.EOF {
			return missingOf(ctx, ours, sorted)
		}
		if err == nil {
			err = sorted.add(line)
		}
		if err != nil {
			return nil, err
		}
	}
}

func missingOf(ctx context.Context, ours Ledger, sorted *sorter) (missing []models.Comparison, err error) {
	var group []models.StatementLine
	lookUp := func() error {
		ids := make([]models.TransactionID, len(group))
		for i := range group {
			ids[i] = group[i].TransactionID
		}
		found, err := ours.OurTransactions(ctx, 0, ids)
		if err != nil {
			return err
		}
		for i := range group {
			c := models.Compare(found[group[i].TransactionID], &group[i])
			if c.Bucket == models.OnlyTheirs ||
				c.Bucket == models.StateDiffers && c.Theirs.Standing == models.StandingRolledBack {
				missing = append(missing, c)
			}
		}
		group = group[:0]
		return nil
	}
	err = sorted.each(ctx, func(next models.StatementLine) error {
		if n := len(group); n > 0 && group[n-1].TransactionID == next.TransactionID {
			if !group[n-1].Join(next) {
				return fmt.Errorf("line %d has the transaction ID of line %d, and other contents", next.Line, group[n-1].Line)
			}
			return nil
		}
		if len(group) == lookedUp {
			if err := lookUp(); err != nil {
				return err
			}
		}
		group = append(group, next)
		return nil
	})
	if err == nil && len(group) > 0 {
		err = lookUp()
	}
	slices.SortFunc(missing, func(a, b models.Comparison) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Line, b.Line))
	})
	return missing, err
}
