package players_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Exports read lists a thousand rows at a time. The balances, ledger lines and answers of these rows are looked up together.
func TestLongLists(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		const long = 1050
		now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		p := storetest.CreatePlayer(t, s, "anna", 100000)
		for i := range long {
			now = now.Add(time.Minute) // so that each answer has its own time
			op := storetest.Bet(p.UserID, models.TransactionID(fmt.Sprint("t-", i)), 10)
			r, _ := storetest.Called(t, s, op)
			require.Equal(t, models.None, r.Decline)
		}

		callbacks, err := s.Callbacks(t.Context(), models.CallbackFilter{Span: models.Span{Limit: long}})
		require.NoError(t, err)
		require.Len(t, callbacks.Rows, long)
		for _, c := range callbacks.Rows {
			require.NotNil(t, c.After, "%+v", c)
			require.NotZero(t, c.Answered, "%+v", c)
		}
		transactions, err := s.Transactions(t.Context(), models.TransactionFilter{Span: models.Span{Limit: long}})
		require.NoError(t, err)
		require.Len(t, transactions.Rows, long)
		for _, line := range transactions.Rows {
			require.NotNil(t, line.After, "%+v", line)
		}
	})
}
