package players_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// A list since midnight shows the whole day even if a backup was restored while an instance was running, so that the day's rows
// get numbers that rows of the day before had.
func TestListsSinceMidnightAfterARestore(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		midnight := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
		s, now := x.OpenAt(t, midnight.Add(-time.Hour))
		storetest.CreatePlayer(t, s, "anna", 100000)
		book := func(ids ...models.TransactionID) {
			t.Helper()
			for _, id := range ids {
				*now = now.Add(time.Minute)
				require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", id, 100)).Decline)
			}
		}
		today := func() (ids []models.TransactionID) {
			t.Helper()
			page, err := s.Transactions(t.Context(), models.TransactionFilter{Span: models.Span{Since: midnight, Limit: 50}})
			require.NoError(t, err)
			for _, l := range page.Rows {
				ids = append(ids, l.TransactionID)
			}
			return ids
		}
		book("y1", "y2", "y3", "y4", "y5", "y6")
		*now = midnight
		book("t1", "t2")
		for range 2 {
			require.Equal(t, []models.TransactionID{"t2", "t1"}, today())
		}
		book("t3")
		require.Equal(t, []models.TransactionID{"t3", "t2", "t1"}, today())

		storetest.DropTriggers(t, x.Config.URL)
		x.Exec(t, "DELETE FROM postings WHERE transaction_id IN ('y3', 'y4', 'y5', 'y6', 't1', 't2')")
		x.Exec(t, "UPDATE postings SET id = id - 6 WHERE transaction_id = 't3'")
		require.Equal(t, []models.TransactionID{"t3"}, today())
		book("t4")
		require.Equal(t, []models.TransactionID{"t4", "t3"}, today())
	})
}
