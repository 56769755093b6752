package staff_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestAuditLog(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		begun := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		now := begun
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		staff := make([]models.Actor, 3)
		for i := range staff {
			name := fmt.Sprint("staff", i)
			staff[i] = models.Actor{Name: name, Address: fmt.Sprint("203.0.113.", i%2), Session: fmt.Sprint("aa", i)}
		}
		for i := range 60 {
			now = now.Add(time.Second)
			by := staff[i%3]
			switch i % 4 {
			case 0:
				require.NoError(t, s.NoteView(t.Context(), by, "player", strconv.Itoa(i), 0))
			case 1:
				require.NoError(t, s.SetSetting(t.Context(), by, "s", strconv.Itoa(i), "because of 50% Más"))
			case 2:
				require.NoError(t, s.SetSetting(t.Context(), by, "S", strconv.Itoa(i), "for_the record"))
			default:
				require.NoError(t, s.NoteView(t.Context(), by, "round", strconv.Itoa(i), 0))
			}
		}
		list := func(f models.AuditFilter) []models.AuditEvent {
			f.Limit = 7
			return storetest.Pages(t, 7, func(e models.AuditEvent) models.Cursor { return models.Cursor{ID: e.ID} },
				func(at models.Cursor) models.Page[models.AuditEvent] {
					f.Page = at
					page, err := s.AuditEvents(t.Context(), f)
					require.NoError(t, err)
					return page
				})
		}
		all := list(models.AuditFilter{})
		require.Len(t, all, 60)
		since, until := begun.Add(10*time.Second), begun.Add(40*time.Second)
		for name, c := range map[string]struct {
			filter models.AuditFilter
			keep   func(models.AuditEvent) bool
		}{
			"actor": {models.AuditFilter{Actor: "staff1"},
				func(e models.AuditEvent) bool { return e.Actor.Name == "staff1" }},
			"action": {models.AuditFilter{Action: "round viewed"},
				func(e models.AuditEvent) bool { return e.Action == "round viewed" }},
			"kind": {models.AuditFilter{Object: "setting"},
				func(e models.AuditEvent) bool { return e.Object == "setting" }},
			"thing": {models.AuditFilter{Object: "setting", ObjectID: "S"},
				func(e models.AuditEvent) bool { return e.ObjectID == "S" }},
			"number alone": {models.AuditFilter{ObjectID: "s"}, func(e models.AuditEvent) bool { return e.ObjectID == "s" }},
			"address": {models.AuditFilter{Address: "203.0.113.1"},
				func(e models.AuditEvent) bool { return e.Actor.Address == "203.0.113.1" }},
			"session": {models.AuditFilter{Session: "aa2"},
				func(e models.AuditEvent) bool { return e.Actor.Session == "aa2" }},
			"reason": {models.AuditFilter{Reason: "FOR_THE"},
				func(e models.AuditEvent) bool { return strings.HasPrefix(e.Reason, "for_the") }},
			"a sign in it": {models.AuditFilter{Reason: "50%"},
				func(e models.AuditEvent) bool { return strings.Contains(e.Reason, "50%") }},
			"no other reason": {models.AuditFilter{Reason: "for%the"}, func(models.AuditEvent) bool { return false }},
			"times": {models.AuditFilter{Span: models.Span{Since: since, Until: until}},
				func(e models.AuditEvent) bool { return !e.At.Before(since) && e.At.Before(until) }},
			"who, what and why": {models.AuditFilter{Actor: "staff1", Object: "setting", Reason: "50", Span: models.Span{Since: since}},
				func(e models.AuditEvent) bool {
					return e.Actor.Name == "staff1" && e.ObjectID == "s" && !e.At.Before(since)
				}},
			"two ways at once": {models.AuditFilter{Actor: "staff0", Session: "aa0", Address: "203.0.113.0",
				Action: "player viewed"},
				func(e models.AuditEvent) bool { return e.Actor.Name == "staff0" && e.Action == "player viewed" }},
			"nobody": {models.AuditFilter{Actor: "Staff1"}, func(models.AuditEvent) bool { return false }},
		} {
			t.Run(name, func(t *testing.T) {
				var want []models.AuditEvent
				for _, e := range all {
					if c.keep(e) {
						want = append(want, e)
					}
				}
				require.Equal(t, want, list(c.filter))
			})
		}
		actions, objects, err := s.AuditWords(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"player viewed", "round viewed", "setting changed"}, actions)
		require.Equal(t, []string{"player", "round", "setting"}, objects)
		e, found, err := s.AuditEvent(t.Context(), all[5].ID)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, all[5], e)
		_, found, err = s.AuditEvent(t.Context(), 1<<40)
		require.NoError(t, err)
		require.False(t, found)
	})
}
