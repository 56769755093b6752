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

// The callback log: every callback that reached the listener, what was decided, and how it was answered.
//
// A callback is logged once it has been answered, because only then its latency is known: the listener collects callbacks and
// stores them several times per second. So the log costs bets no statement of their own, and what the ledger says never depends
// on it. It has two tables, because applied bets and wins pay for every byte and index:
//
//	callback_receipts  applied bets and wins: who sent them, when they were decided, and how they were answered. Everything else
//	                   is in the posting, which has the same time and player
//	callback_records   all others: rollbacks, and callbacks that were declined, refused or have no definite answer, with what
//	                   was sent and an index for each filter of the list
//
// Both are ordered by time. Applied callbacks of a player or with a transaction ID are found through the indexes of postings. To
// find them by address or endpoint, the log is read in the order of time, up to a limit; the page says where it stopped.

// logAtOnce keeps a statement within SQLite's limit of parameters and MariaDB's of a packet.
const logAtOnce = 500

// LogCallbacks stores callbacks that have been answered. It is safe to store the same callbacks twice.
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
	var receipts, records []*models.Callback
	for i := range list {
		if c := &list[i]; c.IsReceipt() {
			receipts = append(receipts, c)
		} else {
			records = append(records, c)
		}
	}
	var q db.Statement
	for part := range slices.Chunk(receipts, logAtOnce) {
		q.Begin("INSERT INTO callback_receipts (at_us, request, received_us, kind, address, player_id, seq, spin, result, status, " +
			"latency_us) VALUES ")
		for i, c := range part {
			q.Row(i)
			q.Number(c.At.UnixMicro()).Comma().Number(c.Request.Number).Comma().Number(c.Request.Received.UnixMicro()).Comma().
				Number(int64(c.Kind)).Comma().Address(c.Address).Comma().Number(c.PlayerID).Comma().Number(c.Seq).Comma().
				Flag(c.Spin).Comma()
			writeAnswer(&q, c)
			q.Text(")")
		}
		q.Text(s.db.Dialect.OnConflict("at_us, request")).Text("request = callback_receipts.request")
		if err := q.Exec(ctx, tx); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(records, logAtOnce) {
		q.Begin("INSERT INTO callback_records (at_us, request, received_us, kind, verdict, address, user_id, transaction_id, " +
			"round_id, amount, win_amount, free_spin, cause, left_out, player_id, seq, spin, result, status, latency_us, " +
			"balance_minor) VALUES ")
		for i, c := range part {
			q.Row(i)
			q.Number(c.At.UnixMicro()).Comma().Number(c.Request.Number).Comma().Number(c.Request.Received.UnixMicro()).Comma().
				Number(int64(c.Kind)).Comma().Number(int64(c.Verdict)).Comma().Address(c.Address).Comma().
				String(string(c.UserID)).Comma().String(string(c.TransactionID)).Comma().String(string(c.RoundID)).Comma().
				String(c.Amount).Comma().String(c.WinAmount).Comma().Flag(c.FreeSpin).Comma().String(c.Cause).Comma().
				Number(c.LeftOut).Comma().Number(c.PlayerID).Comma().Number(c.Seq).Comma().Flag(c.Spin).Comma()
			writeAnswer(&q, c)
			if c.Had != nil {
				q.Comma().Number(int64(*c.Had)).Text(")")
			} else {
				q.Text(",NULL)")
			}
		}
		q.Text(s.db.Dialect.OnConflict("at_us, request")).Text("request = callback_records.request")
		if err := q.Exec(ctx, tx); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// writeAnswer writes the columns result, status and latency_us.
func writeAnswer(q *db.Statement, c *models.Callback) {
	q.Number(int64(c.Answered.Result)).Comma().Number(int64(c.Answered.Status)).Comma().
		Number(c.Answered.Latency.Microseconds())
}

// PurgeCallbacks deletes the rows of the callback log from before a time, in small steps so that callbacks are not delayed, and
// returns how many it deleted. When ctx ends, it returns ctx's error; what has been deleted stays deleted.
func (s *Store) PurgeCallbacks(ctx context.Context, before time.Time) (deleted int64, err error) {
	const atOnce = 2000
	for _, table := range []string{"callback_receipts", "callback_records"} {
		for {
			var last sql.NullInt64
			err := s.db.Pools.Read.QueryRowContext(ctx,
				"SELECT MAX(at_us) FROM (SELECT at_us FROM "+table+" WHERE at_us < ? ORDER BY at_us LIMIT ?) r",
				db.Micros(before), atOnce).Scan(&last)
			if err != nil {
				return deleted, fmt.Errorf("purge callbacks: %w", err)
			}
			if !last.Valid {
				break
			}
			done, err := s.db.Pools.Write.ExecContext(ctx, "DELETE FROM "+table+" WHERE at_us <= ?", last.Int64)
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
	return deleted, nil
}
