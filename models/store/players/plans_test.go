package players_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models/store/storetest"
)

// SQLite looks up a round's transactions by the round, even if the query also has their kind and state, which thousands of
// other transactions share.
func TestRoundsAreLookedUpByRound(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.SQLite, false)
	x.Open(t)
	for _, query := range []string{
		"SELECT id FROM postings INDEXED BY postings_round WHERE round_id = 'r' AND player_id = 1 AND kind IN (1, 3) " +
			"AND claim = 1",
		"SELECT e.seq FROM postings e WHERE e.at_us > 5 AND (SELECT COALESCE(SUM(3 - 2 * b.claim), 0) " +
			"FROM postings b INDEXED BY postings_round WHERE b.round_id = e.round_id AND b.player_id = e.player_id " +
			"AND b.kind = 2) = 0",
		"SELECT e.seq FROM postings e JOIN postings b INDEXED BY postings_round ON b.round_id = e.round_id " +
			"AND b.player_id = e.player_id AND b.kind = 2 AND b.claim = 1 WHERE e.at_us > 5",
	} {
		rows, err := x.DB.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query)
		require.NoError(t, err)
		var plan []string
		for rows.Next() {
			var id, parent, unused int
			var step string
			require.NoError(t, rows.Scan(&id, &parent, &unused, &step))
			plan = append(plan, step)
		}
		require.NoError(t, rows.Err())
		rows.Close()
		require.Contains(t, strings.Join(plan, "\n"), "USING INDEX postings_round", query)
	}
}
