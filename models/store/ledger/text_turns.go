package ledger

import (
	"bytes"
	"context"
	"slices"

	"pitboss/models"
)

// takeTextTurns makes attempts of other nodes that have one of the members' texts wait for this one, or fail. It runs before
// other readings are looked up. Digests are sorted to avoid deadlocks.
func (b *ledgerBatch) takeTextTurns(ctx context.Context, tx transaction, members []*Member) error {
	var digests []models.SignedDigest
	for _, m := range members {
		if !m.settled && m.Op.Source == models.SourcePlatform && m.Op.Signed != "" {
			digests = append(digests, b.digest(m))
		}
	}
	if len(digests) == 0 {
		return nil
	}
	slices.SortFunc(digests, func(x, y models.SignedDigest) int { return bytes.Compare(x[:], y[:]) })
	digests = slices.Compact(digests)
	q := b.stmt.Begin("INSERT INTO text_turns (digest) VALUES ")
	for i, d := range digests {
		q.Row(i)
		q.Digest(d).Text(")")
	}
	if err := q.Exec(ctx, tx); err != nil {
		return err
	}
	return b.stmt.Begin("DELETE FROM text_turns WHERE digest IN (").Digests(digests).Text(")").Exec(ctx, tx)
}
