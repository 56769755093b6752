package ledger

import (
	"context"
	"database/sql"

	"pitboss/models"
)

// resolve finds out whether earlier attempts of unknown outcome were committed. The wallets are locked. On a single server that
// makes the answer final, because such an attempt had locked them too and so has ended. db/galera.go says why it is final on a
// cluster.
func (b *ledgerBatch) resolve(ctx context.Context, tx transaction, members []*Member) error {
	for _, m := range members {
		if m.unsure.Seq == 0 {
			continue
		}
		from := "postings WHERE free_spin = 0 AND"
		if m.unsure.Spin {
			from = "spin_entries WHERE"
		}
		q := b.stmt.Begin("SELECT hash FROM ").Text(from).Text(" player_id = ").Number(m.PlayerID).Text(" AND seq = ").
			Number(m.unsure.last)
		err := q.Query(ctx, tx, func(rows *sql.Rows) error {
			var hash models.Hash
			err := rows.Scan(&hash)
			m.settled = hash == m.unsure.hash
			return err
		})
		if err != nil {
			return err
		}
		if m.settled {
			m.Result = m.unsure.result
		}
		m.unsure = mark{}
	}
	return nil
}
