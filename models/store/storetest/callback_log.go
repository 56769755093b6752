package storetest

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// RequireReceipts requires that each transaction of the platform has one receipt, which points at its first ledger line, and
// that there are no other receipts.
func RequireReceipts(t testing.TB, db *sql.DB) {
	t.Helper()
	read := func(query string, scan func(*sql.Rows) error) {
		rows, err := db.QueryContext(t.Context(), query)
		require.NoError(t, err)
		defer rows.Close()
		for rows.Next() {
			require.NoError(t, scan(rows))
		}
		require.NoError(t, rows.Err())
	}
	lines := map[string]string{} // transaction ID and time by ledger line
	for prefix, query := range map[string]string{
		"": "SELECT player_id, CASE WHEN kind = 3 THEN seq - 1 ELSE seq END, transaction_id, at_us FROM postings " +
			"WHERE free_spin = 0",
		"s": "SELECT player_id, seq, transaction_id, at_us FROM spin_entries",
	} {
		read(query, func(rows *sql.Rows) error {
			var player, seq, at int64
			var id string
			err := rows.Scan(&player, &seq, &id, &at)
			lines[fmt.Sprint(player, " ", prefix, seq)] = fmt.Sprint(id, " ", at)
			return err
		})
	}
	transactions := map[string]bool{}
	read("SELECT transaction_id, at_us FROM postings WHERE source = 1 AND claim = 1", func(rows *sql.Rows) error {
		var at int64
		var id string
		err := rows.Scan(&id, &at)
		transactions[fmt.Sprint(id, " ", at)] = true
		return err
	})
	numbers := map[int64]bool{}
	read("SELECT at_us, first_request, callbacks, packed FROM callback_receipts", func(rows *sql.Rows) error {
		var at, first int64
		var n int
		var packed string
		if err := rows.Scan(&at, &first, &n, &packed); err != nil {
			return err
		}
		require.Equal(t, n, strings.Count(packed, "\n"))
		for line := range strings.Lines(packed) {
			var request int64
			var player, kind, place, before string
			_, err := fmt.Sscan(line, &request, &player, &kind, &place, &before)
			require.NoError(t, err)
			transaction := lines[player+" "+place]
			require.True(t, strings.HasSuffix(transaction, fmt.Sprint(" ", at)), "the receipt %q does not match the line %q",
				line,
				transaction)
			require.True(t, transactions[transaction], "a second receipt, or one without a transaction: %q, %q", line,
				transaction)
			delete(transactions, transaction)
			require.False(t, numbers[first+request], "a request with two receipts: %d", first+request)
			numbers[first+request] = true
		}
		return nil
	})
	require.Empty(t, transactions, "transactions without a receipt")
}
