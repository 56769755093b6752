package staff_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
)

// Callbacks of one batch have the same time. A view of one of them is not a view of the other callbacks' players.
func TestViewedCallbackIsOfItsPlayer(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Now().UTC().Truncate(time.Microsecond)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		numbers := map[models.UserID]int64{}
		for _, user := range []models.UserID{"anna", "bert", "cleo"} {
			numbers[user] = storetest.CreatePlayer(t, s, user, 1000).ID
			stake := map[models.UserID]models.Amount{"anna": 100, "bert": 100, "cleo": 5000}[user] // cleo's is refused
			_, c := storetest.Called(t, s, storetest.Bet(user, models.TransactionID("bet-of-"+user), stake))
			require.NoError(t, s.NoteView(t.Context(), models.Actor{Name: "sofia", Session: string(user)}, "callback",
				c.Cursor().String()))
		}
		for user, number := range numbers {
			found, err := s.AuditEvents(t.Context(), models.AuditFilter{PlayerID: number, Span: models.Span{Limit: 50}})
			require.NoError(t, err)
			var viewed []string
			for _, e := range found.Rows {
				if e.Object == "callback" {
					viewed = append(viewed, e.Actor.Session)
				}
			}
			require.Equal(t, []string{string(user)}, viewed)
		}
	})
}
