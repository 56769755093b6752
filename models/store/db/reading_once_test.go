package db_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
)

// A request that only reads sees the same state each time it asks for something. The next request sees the new one, and so does
// a change that began with the first request's context.
func TestReadingOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 0)
		anna, _, err := s.Player(t.Context(), "anna")
		require.NoError(t, err)
		require.NoError(t, s.SetReportZone(t.Context(), storetest.Tester, "Europe/Vienna"))
		_, err = s.CreateStaff(t.Context(), models.System, models.Staff{Username: "sofia", Name: "Sofia", Role: models.Support})
		require.NoError(t, err)

		page := s.ReadingOnce(t.Context())
		open := models.CaseFilter{State: models.CaseOpen}
		reads := func() (string, int64) {
			zone, err := s.ReportZone(page)
			require.NoError(t, err)
			n, err := s.CountCases(page, open, 100)
			require.NoError(t, err)
			return zone, n
		}
		zone, n := reads()
		require.Equal(t, "Europe/Vienna", zone)
		require.Zero(t, n)

		_, err = s.OpenComplaint(t.Context(), models.Actor{Name: "sofia"}, models.NewComplaint{PlayerID: anna.ID,
			Reference: "ADR-7", Due: time.Now().Add(time.Hour).Truncate(time.Second), Text: "anna never saw the win of 12.50."})
		require.NoError(t, err)
		require.NoError(t, s.SetReportZone(t.Context(), storetest.Tester, "Asia/Tokyo"))
		zone, n = reads()
		require.Equal(t, "Europe/Vienna", zone)
		require.Zero(t, n)
		one, err := s.CountCases(page, models.CaseFilter{State: models.CaseOpen, PlayerID: anna.ID}, 100)
		require.NoError(t, err)
		require.EqualValues(t, 1, one, "another question")

		// A caller may change the list that it gets.
		for range 2 {
			list, err := s.ListStaff(page, models.StaffFilter{Span: models.Span{Limit: 10}})
			require.NoError(t, err)
			require.Len(t, list.Rows, 1)
			require.Equal(t, "sofia", list.Rows[0].Username)
			clear(list.Rows)
		}

		zone, err = s.ReportZone(t.Context())
		require.NoError(t, err)
		require.Equal(t, "Asia/Tokyo", zone)
		require.NoError(t, s.SetReportZone(page, storetest.Tester, "UTC"))
		events, err := s.AuditEvents(t.Context(), models.AuditFilter{Object: "setting", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Equal(t, "Asia/Tokyo", events.Rows[0].Before)
	})
}
