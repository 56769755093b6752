package control_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

func exportEvents(t *testing.T, s *store.Store) (actions []string) {
	t.Helper()
	list, err := s.AuditEvents(t.Context(), models.AuditFilter{Object: "export", Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	for _, e := range list.Rows {
		actions = append(actions, e.ObjectID+" "+e.Action)
	}
	return actions
}

func TestExportsAreWrittenDown(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		ctx := t.Context()
		state := func(id int64) models.Export {
			e, found, err := s.Export(ctx, id)
			require.NoError(t, err)
			require.True(t, found)
			return e
		}

		e := storetest.RequestExport(t, s, 1)
		require.Equal(t, models.JobWaiting, e.State)
		require.Equal(t, "pitboss-transactions-20260314-120000.csv", e.FileName())
		require.Equal(t, e, state(e.ID))
		for range 2 { // the second instance begins what the first has left
			open, err := s.BeginJob(ctx, models.ExportJobs, e.ID)
			require.NoError(t, err)
			require.True(t, open)
		}
		wanted, err := s.NoteExport(ctx, e.ID, models.ExportProgress{Rows: 10, Reached: now, Permille: 300})
		require.NoError(t, err)
		require.True(t, wanted)
		require.Equal(t, 300, state(e.ID).Permille)
		outcome := models.ExportOutcome{ExportProgress: models.ExportProgress{Rows: 20, Reached: now}, Bytes: 99, Digest: "d",
			File: "f"}
		done, err := s.FinishExport(ctx, e.ID, outcome)
		require.NoError(t, err)
		require.True(t, done)
		done, err = s.FinishExport(ctx, e.ID, outcome)
		require.NoError(t, err)
		require.False(t, done)
		require.Equal(t, now.Add(24*time.Hour), state(e.ID).ExpiresAt)
		require.NoError(t, s.NoteDownload(ctx, models.Actor{Name: "chloe"}, state(e.ID)))

		// Each file is kept for a day.
		now = now.Add(2 * time.Hour)
		second := storetest.RequestExport(t, s, 1)
		_, err = s.FinishExport(ctx, second.ID, outcome)
		require.NoError(t, err)
		now = now.Add(models.ExportLasts - 2*time.Hour)
		require.NoError(t, s.DeleteOldFiles(ctx))
		require.Equal(t, models.JobExpired, state(e.ID).State)
		require.Equal(t, models.JobFinished, state(second.ID).State)

		// One that was cut off too often is not begun again.
		third, fourth := storetest.RequestExport(t, s, 1), storetest.RequestExport(t, s, 2)
		for range models.MaxJobTries {
			_, err = s.BeginJob(ctx, models.ExportJobs, third.ID)
			require.NoError(t, err)
		}
		_, err = s.BeginJob(ctx, models.ExportJobs, third.ID)
		require.ErrorIs(t, err, models.ErrJobTries)
		_, err = s.FinishExport(ctx, third.ID, models.ExportOutcome{Failure: "cut off"})
		require.NoError(t, err)
		require.Equal(t, "cut off", state(third.ID).Failure)
		now = now.Add(time.Minute)
		fifth := storetest.RequestExport(t, s, 1)

		// An export that is deleted while it runs is no longer wanted.
		_, err = s.BeginJob(ctx, models.ExportJobs, fifth.ID)
		require.NoError(t, err)
		deleted, err := s.DeleteExport(ctx, models.Actor{Name: "ann"}, fifth.ID)
		require.NoError(t, err)
		require.True(t, deleted)
		wanted, err = s.NoteExport(ctx, fifth.ID, models.ExportProgress{})
		require.NoError(t, err)
		require.False(t, wanted)
		deleted, err = s.DeleteExport(ctx, models.Actor{Name: "ann"}, third.ID)
		require.NoError(t, err)
		require.False(t, deleted)

		list, err := s.Exports(ctx, models.ExportSelection{StaffID: 1, Span: models.Span{Limit: 3}})
		require.NoError(t, err)
		require.True(t, list.More)
		require.Equal(t, []int64{fifth.ID, third.ID, second.ID}, []int64{list.Rows[0].ID, list.Rows[1].ID, list.Rows[2].ID})
		list, err = s.Exports(ctx, models.ExportSelection{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, list.Rows, 5)
		require.Equal(t, fourth.ID, list.Rows[1].ID)
		require.Equal(t, []string{
			"5 export deleted", "5 export requested", "3 export failed", "4 export requested", "3 export requested",
			"2 export ready", "2 export requested", "1 export downloaded", "1 export ready", "1 export requested",
		}, exportEvents(t, s))
	})
}

// TestExportsOfOnePerson: nobody can fill the queue.
func TestExportsOfOnePerson(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		for range models.MaxExports {
			storetest.RequestExport(t, s, 1)
		}
		_, err := s.CreateExport(t.Context(), models.Actor{Name: "bob"}, models.Export{StaffID: 1, List: "/audit", Format: models.XLSX})
		require.ErrorIs(t, err, models.ErrExportsWaiting)
		storetest.RequestExport(t, s, 2)
	})
}
