package staff_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestLeaverLeavesNothingAssigned disables people who have open work: their cases become unassigned in the same transaction.
func TestLeaverLeavesNothingAssigned(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 10_000)
		findings := []models.Finding{{Rule: models.CaseOverflow, Key: "1", At: clock.Now()},
			{Rule: models.CaseOverflow, Key: "2", At: clock.Now()}, {Rule: models.CaseOverflow, Key: "3", At: clock.Now()}}
		_, _, err := s.OpenCases(ctx, findings)
		require.NoError(t, err)
		for id := int64(1); id <= 3; id++ {
			require.NoError(t, s.OwnCase(ctx, storetest.Tester, id, "", "sofia", ""))
		}
		require.NoError(t, s.DecideCase(ctx, storetest.Tester, 3, models.CaseExplained, "It was nothing."))
		c := d.Request(d.Sofia, d.Adjust(models.CorrectCredit, 300, "goodwill"))
		require.NoError(t, s.AssignCorrection(ctx, d.Jonas, c.ID, "", "mira", ""))
		owners := func() (list []string) {
			for id := int64(1); id <= 3; id++ {
				c, _, _, err := s.Case(ctx, id)
				require.NoError(t, err)
				list = append(list, c.Owner)
			}
			return list
		}
		sofia, _, err := s.Staff(ctx, d.Sofia.StaffID)
		require.NoError(t, err)
		left, err := s.OpenWork(ctx, sofia)
		require.NoError(t, err)
		require.Equal(t, models.OpenWork{Cases: []int64{1, 2}, Requests: map[string][]int64{"correction": {c.ID}}}, left)
		require.NoError(t, s.DisableStaff(ctx, storetest.Tester, d.Sofia.StaffID, "left"))
		require.Equal(t, []string{"", "", "sofia"}, owners(), "a closed case keeps its owner")
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE action = 'staff disabled' AND "+
			"reason = 'left'"))
		unassigned, err := s.AuditEvents(ctx, models.AuditFilter{Action: models.WorkUnassigned, Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Len(t, unassigned.Rows, 1)
		require.Contains(t, unassigned.Rows[0].Before, `"open cases":[1,2]`)
		require.Contains(t, unassigned.Rows[0].Before, fmt.Sprintf(`"waiting requests":{"correction":[%d]}`, c.ID))
		kind, what, told := models.NoticeOf(unassigned.Rows[0])
		require.True(t, told)
		require.Equal(t, "cases, requests", what)
		stan := storetest.SignerNamed(t, s, "stan", models.Support)
		require.NoError(t, s.SetStaffEmail(ctx, storetest.Tester, stan.StaffID, "stan@casino.example"))
		require.NoError(t, s.SetStaffEmail(ctx, storetest.Tester, d.Mira.StaffID, "mira@casino.example"))
		readers, err := s.NoticeReaders(ctx, models.Notice{Kind: kind, EventID: unassigned.Rows[0].ID, ObjectID: unassigned.Rows[0].ObjectID})
		require.NoError(t, err)
		require.Equal(t, []string{"stan@casino.example"}, readers, "support, whose work it was")
		require.EqualValues(t, 2, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE action = 'case handed over' AND "+
			"before_text = 'sofia' AND after_text = ''"))
		require.NoError(t, s.DisableStaff(ctx, storetest.Tester, d.Mira.StaffID, "left"))
		c, _, err = s.Correction(ctx, c.ID)
		require.NoError(t, err)
		require.Empty(t, c.Assignee)
		require.EqualValues(t, 1,
			x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE action = 'work unassigned' AND before_text LIKE '%\"corrections to decide\":[1]%'"))
		require.Equal(t, models.ApprovalApproved, d.MustApprove(d.Jonas, c).State, "a request outlives its requester")

		// Campaigns go on, and whoever has the same role hears of them.
		bruno := storetest.SignerNamed(t, s, "bruno", models.Bonus)
		_, err = s.SyncGames(ctx, storetest.Tester, models.GameSync{At: clock.Now()}, []models.OfferedGame{{GameID: "g1", Name: "Embers"}})
		require.NoError(t, err)
		campaign, bad, err := s.CreateCampaign(ctx, bruno.Actor, models.Campaign{CampaignTerms: models.CampaignTerms{Name: "bonus"},
			Digest: "1234", Role: models.Bonus}, []models.GrantLine{{Line: 2, UserID: "anna", GameID: "g1", Spins: 5}})
		require.NoError(t, err)
		require.Empty(t, bad)
		require.NoError(t, s.DisableStaff(ctx, storetest.Tester, bruno.StaffID, "left"))
		unassigned, err = s.AuditEvents(ctx, models.AuditFilter{Action: models.WorkUnassigned, Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf(`{"campaigns":[%d]}`, campaign.ID), unassigned.Rows[0].Before)
		kind, what, _ = models.NoticeOf(unassigned.Rows[0])
		require.Equal(t, "/campaigns", models.Notice{Kind: kind, Detail: what}.Path())
		running, _, err := s.Campaign(ctx, campaign.ID)
		require.NoError(t, err)
		require.True(t, running.State.Open())

		require.NoError(t, s.OwnCase(ctx, storetest.Tester, 1, "", "jonas", ""))
		clock.Set(clock.Now().AddDate(0, 0, models.DefaultSignInRules.UnusedDays+1))
		done, err := s.DisableUnused(ctx, d.Jonas.StaffID)
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, []string{"", "", "sofia"}, owners())
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE action = 'staff disabled' AND "+
			"reason LIKE 'No sign-in for % days.'"))
		storetest.RequireWhole(t, s)
	})
}
