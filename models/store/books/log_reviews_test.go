package books_test

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Compliance and administrators mark a casino day of the audit log as reviewed, once, after it has ended in the casino's zone.
func TestReviewLog(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		zone, err := time.LoadLocation("America/Sao_Paulo") // at UTC−3
		require.NoError(t, err)
		const day = models.Day("2026-11-20")
		clock.Set(day.Begin(zone).Add(-time.Hour))
		x.Config.Now = clock.Now
		s := x.Open(t)
		chloe, farid := storetest.SignerNamed(t, s, "chloe", models.Compliance), storetest.SignerNamed(t, s, "farid", models.Finance)
		ann := storetest.SignerNamed(t, s, "ann", models.Administrator)
		storetest.SetZone(t, s, zone.String())
		note := func(at time.Time, who models.Signer) {
			clock.Set(at)
			require.NoError(t, s.Note(ctx, models.AuditEvent{Actor: who.Actor, Action: "list viewed", Object: "list"}))
		}
		note(day.Begin(zone).Add(-time.Microsecond), chloe)
		note(day.Begin(zone), chloe)
		note(day.Begin(zone).Add(12*time.Hour), chloe)
		note(day.End(zone).Add(-time.Microsecond), farid)

		require.ErrorIs(t, s.ReviewLog(ctx, chloe, day, ""), models.ErrLogRuns, "its last microsecond is not over")
		note(day.End(zone), farid)
		require.ErrorIs(t, s.ReviewLog(ctx, farid, day, ""), models.ErrLogReviewer)
		require.ErrorIs(t, s.ReviewLog(ctx, models.Signer{Actor: farid.Actor, StaffID: farid.StaffID, Role: models.Compliance}, day, ""),
			models.ErrSignerChanged)
		require.ErrorIs(t, s.ReviewLog(ctx, chloe, day.Add(1), ""), models.ErrLogRuns)
		require.ErrorIs(t, s.ReviewLog(ctx, chloe, day.Add(1000), ""), models.ErrLogRuns)
		require.ErrorIs(t, s.ReviewLog(ctx, chloe, day.Add(-400), ""), models.ErrLogEmpty)
		require.ErrorIs(t, s.ReviewLog(ctx, chloe, day, strings.Repeat("é", models.MaxChangeReason+1)), models.ErrLogNote)
		_, found, err := s.LogReview(ctx, day)
		require.NoError(t, err)
		require.False(t, found)

		head := x.Number(t, "SELECT MAX(id) FROM audit_events")
		var hash []byte
		require.NoError(t, x.DB.QueryRowContext(ctx, "SELECT hash FROM audit_head").Scan(&hash))
		require.NoError(t, s.ReviewLog(ctx, chloe, day, "Nothing unusual."))
		_, found, err = s.LogReview(ctx, day.Add(-1))
		require.NoError(t, err)
		require.False(t, found)
		r, found, err := s.LogReview(ctx, day)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, []any{"chloe", "Nothing unusual.", int64(3), int64(2), head, hex.EncodeToString(hash), head + 1, clock.Now()},
			[]any{r.By, r.Note, r.Events, r.Own, r.Head, r.Hash, r.EventID, r.At.UTC()})
		require.True(t, r.Mostly(), "and the mark says that it is the reviewer's own work")
		event, found, err := s.AuditEvent(ctx, r.EventID)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, []string{models.LogReviewed, models.DayOfLog, string(day), "chloe"},
			[]string{event.Action, event.Object, event.ObjectID, event.Actor.Name})
		require.True(t, json.Valid([]byte(event.After)))

		var again models.LogReviewedError
		require.ErrorAs(t, s.ReviewLog(ctx, ann, day, ""), &again)
		require.EqualError(t, again, "the log of 20 Nov 2026 was already marked as reviewed, by chloe")
		require.NoError(t, s.ReviewLog(ctx, ann, day.Add(-1), ""))
		require.Equal(t, head+2, x.Number(t, "SELECT MAX(id) FROM audit_events"), "what was refused is not recorded")
		storetest.RequireWhole(t, s)
	})
}

// Of several people who mark a day at once, one does.
func TestReviewLogAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		var signers []models.Signer
		for _, name := range []string{"a", "b", "c", "d"} {
			signers = append(signers, storetest.SignerNamed(t, s, name, models.Compliance))
		}
		clock := &storetest.Clock{}
		clock.Set(time.Now().UTC().AddDate(0, 0, 2))
		x.Config.Now = clock.Now
		later, day := x.Open(t), models.DayOf(time.Now(), time.UTC)
		errs := make([]error, len(signers))
		storetest.Together(len(signers), func(i int) { errs[i] = later.ReviewLog(t.Context(), signers[i], day, "") })
		marked := 0
		for _, err := range errs {
			var again models.LogReviewedError
			if err == nil {
				marked++
			} else {
				require.ErrorAs(t, err, &again)
			}
		}
		require.Equal(t, 1, marked)
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE action = 'log reviewed'"))
	})
}
