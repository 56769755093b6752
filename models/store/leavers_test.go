package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// TestLeaverHandsOver disables people who have open work: their cases go to a colleague, or to nobody, in the same transaction.
func TestLeaverHandsOver(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		ctx := t.Context()
		clock := &hands{}
		clock.set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.cfg.Now = clock.now
		s := x.open(t)
		d := newDesk(t, s, 10_000)
		findings := []models.Finding{{Rule: models.CaseOverflow, Key: "1", At: clock.now()},
			{Rule: models.CaseOverflow, Key: "2", At: clock.now()}, {Rule: models.CaseOverflow, Key: "3", At: clock.now()}}
		_, _, err := s.OpenCases(ctx, findings)
		require.NoError(t, err)
		for id := int64(1); id <= 3; id++ {
			require.NoError(t, s.OwnCase(ctx, tester, id, "", "sofia"))
		}
		require.NoError(t, s.DecideCase(ctx, tester, 3, models.CaseExplained, "It was nothing."))
		c := d.ask(d.sofia, d.adjust(models.CorrectCredit, 300, "goodwill"))
		require.NoError(t, s.AssignCorrection(ctx, d.jonas, c.ID, "", "mira"))
		sofia, _, err := s.Staff(ctx, d.sofia.StaffID)
		require.NoError(t, err)
		work, err := s.OpenWork(ctx, sofia)
		require.NoError(t, err)
		require.Equal(t, []int64{1, 2}, work.Cases)
		require.Equal(t, []int64{c.ID}, work.Corrections)
		require.True(t, work.Any())

		owners := func() (list []string) {
			for id := int64(1); id <= 3; id++ {
				c, _, _, err := s.Case(ctx, id)
				require.NoError(t, err)
				list = append(list, c.Owner)
			}
			return list
		}
		for _, to := range []string{"nobody-of-this-name", "sofia"} {
			require.ErrorIs(t, s.DisableStaff(ctx, tester, d.sofia.StaffID, to, "left"), models.ErrHandOver)
		}
		sofia, _, err = s.Staff(ctx, d.sofia.StaffID)
		require.NoError(t, err)
		require.False(t, sofia.Disabled, "a refusal changes nothing")
		require.Equal(t, []string{"sofia", "sofia", "sofia"}, owners())

		require.NoError(t, s.DisableStaff(ctx, tester, d.sofia.StaffID, "mira", "left"))
		require.Equal(t, []string{"mira", "mira", "sofia"}, owners(), "a closed case keeps its owner")
		require.EqualValues(t, 1, x.number(t, "SELECT COUNT(*) FROM audit_events WHERE action = 'staff disabled' AND "+
			"reason = 'left Open cases handed over to mira: 2.'"))
		require.EqualValues(t, 2, x.number(t, "SELECT COUNT(*) FROM audit_events WHERE action = 'case handed over' AND "+
			"before_text = 'sofia' AND after_text = 'mira'"))

		require.ErrorIs(t, s.DisableStaff(ctx, tester, d.mira.StaffID, "sofia", "left"), models.ErrHandOver)
		require.NoError(t, s.DisableStaff(ctx, tester, d.mira.StaffID, "", "left"))
		require.Equal(t, []string{"", "", "sofia"}, owners())
		c, _, err = s.Correction(ctx, c.ID)
		require.NoError(t, err)
		require.Empty(t, c.Assignee)
		require.EqualValues(t, 1, x.number(t, "SELECT COUNT(*) FROM audit_events WHERE reason = 'left Open cases without an owner now: "+
			"2. Corrections to decide, assigned to nobody now: 1.'"))
		require.Equal(t, models.ApprovalApproved, d.book(d.jonas, c).State, "a request outlives its requester")

		require.NoError(t, s.OwnCase(ctx, tester, 1, "", "jonas"))
		clock.set(clock.now().AddDate(0, 0, models.DefaultSignInRules.UnusedDays+1))
		done, err := s.DisableUnused(ctx, d.jonas.StaffID)
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, []string{"", "", "sofia"}, owners())
		require.EqualValues(t, 1, x.number(t, "SELECT COUNT(*) FROM audit_events WHERE action = 'staff disabled' AND "+
			"reason LIKE 'Nobody signed in to it for % days. Open cases without an owner now: 1.'"))
		requireWhole(t, s)
	})
}
