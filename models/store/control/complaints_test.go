package control_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// A complaint is a case that a person opens: one per reference, however many people press the button. It is covered by the
// audit chain, found by its deadline, and erased with the player.
func TestComplaint(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 0)
		storetest.CreatePlayer(t, s, "bert", 0)
		anna, _, err := s.Player(t.Context(), "anna")
		require.NoError(t, err)
		bert, _, err := s.Player(t.Context(), "bert")
		require.NoError(t, err)
		sofia, now := models.Actor{Name: "sofia"}, time.Now()
		complaint := models.NewComplaint{PlayerID: anna.ID, Reference: "ADR-7/şikâyet",
			Due:  now.Add(time.Hour).Truncate(time.Second),
			Text: "anna never saw the win of 12.50."}

		var mu sync.Mutex
		var ids, known []int64
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				id, err := s.OpenComplaint(t.Context(), sofia, complaint)
				mu.Lock()
				defer mu.Unlock()
				var there models.ComplaintKnownError
				if assert.True(t, err == nil || assert.ErrorAs(t, err, &there)) && err == nil {
					ids = append(ids, id)
				} else {
					known = append(known, there.CaseID)
				}
			})
		}
		both.Wait()
		require.Len(t, ids, 1)
		require.Equal(t, ids, known, "the other caller gets the number of the case")

		c, notes, found, err := s.Case(t.Context(), ids[0])
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, models.CaseComplaint, c.Rule)
		require.Equal(t, complaint.Reference, c.Reference)
		require.True(t, complaint.Due.Equal(c.Due))
		require.Equal(t, "sofia", notes[0].Actor)
		require.Equal(t, complaint.Text, notes[0].Text)
		require.False(t, c.Overdue(now))
		require.True(t, c.Overdue(c.Due))

		postponed := complaint.Due.Add(48 * time.Hour)
		var refused models.DueError
		require.ErrorAs(t, s.MoveDue(t.Context(), sofia, c.ID, now.Add(-time.Hour), "it was yesterday"), &refused, "a past date")
		require.ErrorAs(t, s.MoveDue(t.Context(), sofia, c.ID, complaint.Due, "no change"), &refused, "the same date")
		require.NoError(t, s.MoveDue(t.Context(), sofia, c.ID, postponed, "the arbiter gave two days"))
		c, notes, _, err = s.Case(t.Context(), c.ID)
		require.NoError(t, err)
		require.True(t, postponed.Equal(c.Due))
		require.Equal(t, "the arbiter gave two days", notes[len(notes)-1].Text)
		moved, err := s.AuditEvents(t.Context(), models.AuditFilter{Action: "case due date changed", Span: models.Span{Limit: 2}})
		require.NoError(t, err)
		require.Len(t, moved.Rows, 1, "what was refused has left no event")
		require.Equal(t, []string{string(models.DueDay(complaint.Due)), string(models.DueDay(postponed)), "the arbiter gave two days"},
			[]string{moved.Rows[0].Before, moved.Rows[0].After, moved.Rows[0].Reason})
		require.NoError(t, s.MoveDue(t.Context(), sofia, c.ID, complaint.Due, "they changed their mind"))

		// Another player's complaint may have the same reference. A complaint of an unknown player is refused.
		complaint.PlayerID, complaint.Due = bert.ID, now.Add(48*time.Hour)
		later, err := s.OpenComplaint(t.Context(), sofia, complaint)
		require.NoError(t, err)
		complaint.PlayerID = 999
		_, err = s.OpenComplaint(t.Context(), sofia, complaint)
		require.ErrorIs(t, err, models.ErrPlayerUnknown)
		require.Len(t, everyCase(t, s, models.CaseFilter{DueBefore: now.Add(2 * time.Hour)}), 1)
		require.Len(t, everyCase(t, s, models.CaseFilter{DueBefore: now.Add(72 * time.Hour)}), 2)

		// It is worked on like every other case.
		require.NoError(t, s.OwnCase(t.Context(), sofia, later, "", "farid", ""))
		require.NoError(t, s.DecideCase(t.Context(), sofia, later, models.CaseExplained, "Our books are right."))
		storetest.RequireWhole(t, s)
		x.Exec(t, "UPDATE cases SET due_us = due_us + 1 WHERE id = ?", ids[0])
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, 1, v.Rows.Total, "the deadline is covered")
		x.Exec(t, "UPDATE cases SET due_us = due_us - 1 WHERE id = ?", ids[0])

		storetest.Restrict(t, s, "anna")
		_, err = s.ErasePlayer(t.Context(), sofia, "anna", "asked to")
		require.NoError(t, err)
		storetest.RequireWhole(t, s)
		c, notes, _, err = s.Case(t.Context(), ids[0])
		require.NoError(t, err)
		require.Empty(t, c.Reference)
		require.Empty(t, notes[0].Text)
	})
}
