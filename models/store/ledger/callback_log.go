package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// The callback log: every callback that reached the listener, what was decided, and how it was answered. One that was applied
// is its posting, which has the request and the address. callback_records has all others, with what was sent and an index for
// each filter of the list. A callback is recorded once it has been answered: the listener collects callbacks and stores them
// several times per second, so what the ledger says never depends on the log.

// logAtOnce keeps a statement within SQLite's limit of parameters and MariaDB's of a packet.
const logAtOnce = 500

// LogCallbacks stores callbacks that were not applied, once they have been answered. It is safe to store the same callbacks
// twice.
func (s *Store) LogCallbacks(ctx context.Context, list []models.Callback) error {
	if err := s.logCallbacks(ctx, list); err != nil {
		return fmt.Errorf("log callbacks: %w", err)
	}
	return nil
}

func (s *Store) logCallbacks(ctx context.Context, list []models.Callback) error {
	tx, err := s.db.Pools.Write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	for part := range slices.Chunk(list, logAtOnce) {
		var q db.Statement
		q.Add("INSERT INTO callback_records (at_us, request, received_us, kind, verdict, address, user_id, transaction_id, round_id, amount, " +
			"win_amount, free_spin, cause, left_out, player_id, seq, result, status, balance_minor) VALUES ")
		for i, c := range part {
			var had any
			if c.Had != nil {
				had = *c.Had
			}
			q.Row(i, "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", c.At.UnixMicro(), c.Request.Number, c.Request.Received.UnixMicro(), c.Kind,
				c.Verdict, c.Address, c.UserID, c.TransactionID, c.RoundID, c.Amount, c.WinAmount, c.FreeSpin, c.Cause, c.LeftOut, c.PlayerID,
				c.Seq, c.Answered.Result, c.Answered.Status, had)
		}
		q.Add(s.db.Dialect.OnConflict("at_us, request") + "request = callback_records.request")
		if err := q.Exec(ctx, tx); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// PurgeCallbacks deletes the records from before a time, in small steps so that callbacks are not delayed, and returns how many
// it deleted. When ctx ends, it returns ctx's error; what has been deleted stays deleted.
func (s *Store) PurgeCallbacks(ctx context.Context, before time.Time) (deleted int64, err error) {
	const atOnce = 2000
	for {
		var last sql.NullInt64
		err := s.db.Pools.Read.QueryRowContext(ctx,
			"SELECT MAX(at_us) FROM (SELECT at_us FROM callback_records WHERE at_us < ? ORDER BY at_us LIMIT ?) r",
			db.Micros(before), atOnce).Scan(&last)
		if err != nil {
			return deleted, fmt.Errorf("purge callbacks: %w", err)
		}
		if !last.Valid {
			return deleted, nil
		}
		done, err := s.db.Pools.Write.ExecContext(ctx, "DELETE FROM callback_records WHERE at_us <= ?", last.Int64)
		if err == nil {
			var n int64
			n, err = done.RowsAffected()
			deleted += n
		}
		if err != nil && !db.IsContention(err) {
			return deleted, fmt.Errorf("purge callbacks: %w", err)
		}
		if !db.Pause(ctx, 0) {
			return deleted, ctx.Err()
		}
	}
}
