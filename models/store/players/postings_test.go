package players_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestPlayerPostings reads what was booked for a player, and the audit events about the player, by kind, page by page and of a
// period.
func TestPlayerPostings(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, now := x.OpenAt(t, time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC))
		anna := storetest.CreatePlayer(t, s, "anna", 10_000)
		storetest.CreatePlayer(t, s, "bert", 10_000)
		var ids []models.TransactionID
		book := func(op models.Operation) {
			*now = now.Add(time.Minute)
			storetest.Apply(t, s, op)
			storetest.Apply(t, s, storetest.Bet("bert", "b-"+op.TransactionID+models.TransactionID(op.Kind.String()), 1))
			ids = append(ids, op.TransactionID)
		}
		for _, op := range []models.Operation{storetest.Bet("anna", "bet", 100), storetest.FreeSpin("anna", "spin-1", 50),
			storetest.FreeSpin("anna", "spin-2", 50), storetest.Win("anna", "win", 70), storetest.Rollback("anna", "spin-1"),
			storetest.BetWin("anna", "both", 20, 30), storetest.Rollback("anna", "bet"), storetest.Rollback("anna", "early")} {
			book(op)
		}
		storetest.ApplyCash(t, s, storetest.Cash("anna", "in", 500).Deposit())
		play := []models.TransactionID{"early", "bet", "both", "win", "bet"}
		spins := []models.TransactionID{"spin-1", "spin-2", "spin-1"}
		list := func(kinds []models.TimelineKind, since, until time.Time) (found []models.TransactionID) {
			for limit := 1; limit < 4; limit++ {
				found = nil
				for _, p := range storetest.Pages(t, limit, func(p models.Posting) models.Cursor { return models.Cursor{At: p.At, ID: p.ID} },
					func(at models.Cursor) models.Page[models.Posting] {
						page, err := s.PlayerPostings(t.Context(), anna.ID, kinds, models.Span{Page: at, Limit: limit, Since: since, Until: until})
						require.NoError(t, err)
						return page
					}) {
					require.Contains(t, kinds, p.Timeline())
					found = append(found, p.TransactionID)
				}
			}
			return found
		}
		all := list(models.TimelineKinds, time.Time{}, time.Time{})
		slices.Reverse(ids)
		require.Equal(t, ids, all[1:len(all)-1], "between the deposit and the opening balance")
		require.Equal(t, play, list([]models.TimelineKind{models.TimelinePlay}, time.Time{}, time.Time{}))
		require.Equal(t, spins, list([]models.TimelineKind{models.TimelineSpins}, time.Time{}, time.Time{}))
		require.Equal(t, all[:1], list([]models.TimelineKind{models.TimelineCash}, time.Time{}, time.Time{}))
		require.Equal(t, all[len(all)-1:], list([]models.TimelineKind{models.TimelineCorrections}, time.Time{}, time.Time{}))
		from := time.Date(2026, 3, 10, 12, 2, 0, 0, time.UTC)
		require.Equal(t, []models.TransactionID{"win", "spin-2", "spin-1"}, list(models.TimelineKinds, from, from.Add(3*time.Minute)))

		storetest.Restrict(t, s, "anna")
		require.NoError(t, s.SetLanguage(t.Context(), models.System, anna.ID, "it", ""))
		require.NoError(t, s.NoteView(t.Context(), models.System, "player", strconv.FormatInt(anna.ID, 10), anna.ID))
		require.NoError(t, s.TellPlayer(t.Context(), models.System, anna.ID, 0, "Your bet was refunded."))
		for kind, actions := range map[models.TimelineKind][]string{
			models.TimelineLimits:  {"player restriction set", "restriction set"},
			models.TimelineAccount: {"player language set", "player created"},
			models.TimelineViews:   {"player viewed"},
			models.TimelineCases:   nil,
			models.TimelineAnswers: {models.PlayerTold},
		} {
			page, err := s.AuditEvents(t.Context(), models.AuditFilter{PlayerID: anna.ID, Timeline: []models.TimelineKind{kind},
				Span: models.Span{Limit: 10}})
			require.NoError(t, err)
			var found []string
			for _, e := range page.Rows {
				require.Equal(t, kind, e.Timeline(), e.Action)
				found = append(found, e.Action)
			}
			require.Equal(t, actions, found, kind)
		}
	})
}
