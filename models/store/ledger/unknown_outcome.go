package ledger

import (
	"context"
	"database/sql"
	"slices"

	"pitboss/models/store/db"
)

// resolve finds out whether earlier attempts of unknown outcome were committed. The wallets are locked. On a single server that
// makes the answer final, because such an attempt had locked them too and so has ended. db/galera.go says why it is final on a
// cluster.
func (b *ledgerBatch) resolve(ctx context.Context, tx transaction, members []*Member) error {
	var unsure []*Member
	for _, m := range members {
		if m.unsure.Seq != 0 {
			unsure = append(unsure, m)
		}
	}
	if len(unsure) == 0 {
		return nil
	}
	type place struct {
		player, last int64
		spin         bool
	}
	hashes := map[place]string{}
	for chunk := range slices.Chunk(unsure, db.MaxAlternatives/2) {
		for _, spin := range []bool{false, true} {
			q, n := b.stmt.Begin("SELECT player_id, seq, hash FROM postings WHERE free_spin = 0 AND ("), 0
			if spin {
				q = b.stmt.Begin("SELECT player_id, seq, hash FROM spin_entries WHERE (")
			}
			for _, m := range chunk {
				if m.unsure.Spin != spin {
					continue
				}
				if n++; n > 1 {
					q.Text(" OR ")
				}
				q.Text("player_id = ").Number(m.PlayerID).Text(" AND seq = ").Number(m.unsure.last)
			}
			if n == 0 {
				continue
			}
			err := q.Text(")").Query(ctx, tx, func(rows *sql.Rows) error {
				p := place{spin: spin}
				var hash []byte
				err := rows.Scan(&p.player, &p.last, &hash)
				hashes[p] = string(hash)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	for _, m := range unsure {
		if hashes[place{m.PlayerID, m.unsure.last, m.unsure.Spin}] == string(m.unsure.hash[:]) {
			m.Result, m.settled = m.unsure.result, true
		}
		m.unsure = mark{}
	}
	return nil
}
