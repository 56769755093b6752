package storetest

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"
)

// ledgerViews let tests count and read what the postings mean: lines of money, transactions in their current state, and
// tombstones.
var ledgerViews = []string{
	`CREATE VIEW entries AS
		SELECT player_id, seq, kind, source, transaction_id, round_id, amount_minor, after_minor - amount_minor AS before_minor,
			after_minor, at_us, hash, held_minor FROM (
			SELECT player_id, CASE WHEN kind = 3 THEN seq - 1 ELSE seq END AS seq,
				CASE WHEN claim IS NULL THEN 6 WHEN kind = 7 THEN 8 WHEN kind = 8 AND claim = 1 THEN 9 WHEN kind = 9 THEN 10 WHEN kind = 8 THEN 11 WHEN claim = 2 AND kind = 2 THEN 5 WHEN claim = 2 THEN 4 WHEN kind IN (1,
					3) THEN 2 WHEN kind = 2 THEN 3 WHEN kind = 5 THEN 1 ELSE 7 END AS kind,
				source, transaction_id, round_id,
				CASE WHEN claim IS NULL OR kind = 9 THEN 0 WHEN kind = 3 AND claim = 2 THEN bet_minor WHEN kind = 3 THEN -bet_minor WHEN claim = 2 THEN bet_minor - win_minor ELSE win_minor - bet_minor END AS amount_minor,
				CASE WHEN kind = 3 AND claim = 2 THEN after_minor + win_minor WHEN kind = 3 THEN after_minor - win_minor ELSE after_minor END AS after_minor, at_us, hash,
				CASE WHEN kind = 8 AND claim = 1 THEN bet_minor WHEN kind IN (8, 9) THEN -bet_minor ELSE 0 END AS held_minor
			FROM postings WHERE free_spin = 0) one
		UNION ALL SELECT player_id, seq, CASE WHEN claim = 2 THEN 5 ELSE 3 END, source, transaction_id, round_id,
			CASE WHEN claim = 2 THEN -win_minor ELSE win_minor END,
			CASE WHEN claim = 2 THEN after_minor + win_minor ELSE after_minor - win_minor END, after_minor, at_us,
				hash, 0 FROM postings WHERE free_spin = 0 AND kind = 3`,
	`CREATE VIEW transactions AS
		SELECT t.id, t.source, t.transaction_id, t.player_id, t.kind, t.round_id, t.bet_minor, t.win_minor, t.free_spin,
			CASE WHEN v.id IS NULL THEN 1 ELSE 2 END AS state,
			t.at_us, COALESCE(v.at_us, 0) AS reversed_at_us
		FROM postings t LEFT JOIN postings v ON v.source = t.source AND v.transaction_id = t.transaction_id AND v.claim = 2 WHERE t.claim = 1`,
	`CREATE VIEW tombstones AS SELECT transaction_id, player_id, at_us FROM postings WHERE claim IS NULL`,
}

func createLedgerViews(t testing.TB, db *sql.DB) {
	t.Helper()
	for _, view := range ledgerViews {
		_, err := db.ExecContext(t.Context(), view)
		require.NoError(t, err)
	}
}
