package bonus_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/bonus"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// signer hires somebody.
func (c *casino) signer(t *testing.T, name string, role models.Role) models.Signer {
	t.Helper()
	made, err := c.store.CreateStaff(t.Context(), models.System,
		models.Staff{Username: name, Name: name, Role: role, PasswordHash: "x"})
	require.NoError(t, err)
	return models.Signer{Actor: models.Actor{Name: name, Channel: models.ChannelBrowser, Session: "s"}, StaffID: made.ID,
		Role: role}
}

// beyond returns a campaign of one grant.
func (c *casino) beyond(user models.UserID, spins int64) bonus.Upload {
	return bonus.Upload{CampaignTerms: models.CampaignTerms{Name: "welcome"}, Lines: []models.GrantLine{
		{Line: 1, UserID: user, GameID: c.games[0], Spins: spins}}}
}

// exception requests a campaign of one grant beyond the limits.
func (c *casino) exception(t *testing.T, by models.Signer, user models.UserID, spins int64) models.Campaign {
	t.Helper()
	e, bad, err := c.Request(t.Context(), by, c.beyond(user, spins))
	require.NoError(t, err)
	require.Empty(t, bad)
	require.Equal(t, models.ApprovalWaiting, e.Approval.State)
	return e
}

// verified checks that the audit log covers what is in the database.
func (c *casino) verified(t *testing.T) {
	t.Helper()
	v, err := c.store.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.Zero(t, v.Faults())
}

// TestExceptionGrantsOnce lets many people approve one campaign beyond the limits at once. Its spins are granted once, as
// requested and in its maker's name.
func TestExceptionGrantsOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		bruno := c.signer(t, "bruno", models.Bonus)
		_, _, err := c.Request(t.Context(), bruno, c.beyond("anna", 20))
		require.ErrorIs(t, err, models.ErrExceptionNeedless)
		e := c.exception(t, bruno, "anna", 120)
		require.Equal(t, "over the limit: spins in one grant, 50 allowed, 120 requested; "+
			"over the limit: spins to one player a day, 100 allowed, 120 requested", e.Exceeded)
		require.Equal(t, begin.Add(72*time.Hour), e.ExpiresAt)
		var before models.GrantedBeforeError
		_, _, err = c.Request(t.Context(), bruno, c.beyond("anna", 120))
		require.ErrorAs(t, err, &before)
		require.Equal(t, e.ID, before.ID)
		require.Zero(t, sim.Calls()["assignFreeSpin"])

		var checkers []models.Signer
		for i := range 4 {
			checkers = append(checkers, c.signer(t, fmt.Sprintf("farid%d", i), models.Finance))
		}
		var mu sync.Mutex
		var wait sync.WaitGroup
		approved := 0
		for _, by := range checkers {
			wait.Go(func() {
				err := storetest.Approve(context.Background(), c.store, "campaign", by, e.ID)
				mu.Lock()
				defer mu.Unlock()
				var decided models.DecidedError
				if err == nil {
					approved++
				} else if !errors.As(err, &decided) {
					t.Errorf("approve: %v", err)
				}
			})
		}
		wait.Wait()
		require.Equal(t, 1, approved)
		now, err := c.Run(t.Context(), e.ID, nil)
		require.NoError(t, err)
		require.Equal(t, models.JobFinished, now.State)
		require.Len(t, sim.Grants(), 1)
		grants, err := c.store.Grants(t.Context(), models.GrantFilter{CampaignID: e.ID, Span: models.Span{Limit: 2}})
		require.NoError(t, err)
		require.Len(t, grants.Rows, 1)
		g := grants.Rows[0]
		require.Equal(t, []any{"bruno", models.Bonus, int64(120), models.GrantActive}, []any{g.Actor, g.Role, g.Spins, g.State})

		// It counts against the limits of its day.
		_, err = c.Grant(t.Context(), bruno.Actor, c.request("anna", 1))
		require.ErrorContains(t, err, "spins to one player a day, 100 allowed, 120 used already")
		c.verified(t)
	})
}

// TestExceptionOverridesLimitsOnly: an approved line is still stopped by any reason other than limits, and a campaign stays
// undecided if the approval fails.
func TestExceptionOverridesLimitsOnly(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		bruno, farid := c.signer(t, "bruno", models.Bonus), c.signer(t, "farid", models.Finance)
		e := c.exception(t, bruno, "anna", 120)
		waits := func(want error, by models.Signer) {
			t.Helper()
			require.ErrorIs(t, storetest.Approve(t.Context(), c.store, "campaign", by, e.ID), want)
			now, _, err := c.store.Campaign(t.Context(), e.ID)
			require.NoError(t, err)
			require.Equal(t, models.ApprovalWaiting, now.Approval.State)
		}
		for _, role := range []models.Role{models.Administrator, models.Support, models.Compliance} {
			waits(models.ErrCheckerRole, c.signer(t, "x-"+string(role), role))
		}
		_, _, err := c.Request(t.Context(), farid, c.beyond("bert", 120))
		require.ErrorIs(t, err, models.ErrMakerRole)
		restricted := c.exception(t, bruno, "bert", 120)
		require.NoError(t, storetest.Approve(t.Context(), c.store, "campaign", farid, restricted.ID))
		storetest.Restrict(t, c.store, "bert")
		ran, err := c.Run(t.Context(), restricted.ID, nil)
		require.NoError(t, err)
		require.EqualValues(t, 1, ran.Refused.Lines)
		require.NoError(t, c.store.DisableStaff(t.Context(), models.System, bruno.StaffID, "left"))
		waits(models.ErrMakerChanged, farid)
		require.NoError(t, c.store.DisableStaff(t.Context(), models.System, farid.StaffID, "left"))
		waits(models.ErrSignerChanged, farid)

		c.clock.forward(models.ExceptionLasts)
		late := c.signer(t, "mira", models.Finance)
		waits(models.ErrRequestExpired, late)
		ended, err := c.store.ExpireCampaigns(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int64{e.ID}, ended)
		require.ErrorIs(t, storetest.Refuse(t.Context(), c.store, "campaign", late, e.ID, "no"),
			models.DecidedError{State: models.ApprovalExpired})
		require.Zero(t, sim.Calls()["assignFreeSpin"])
		c.verified(t)
	})
}

// TestAttackApproveOwnException tries to be both maker and approver of an exception: with one account, and through the
// database.
func TestAttackApproveOwnException(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		bruno := c.signer(t, "bruno", models.Bonus)
		e := c.exception(t, bruno, "anna", 120)
		err := storetest.Approve(t.Context(), c.store, "campaign", bruno, e.ID)
		require.ErrorIs(t, err, models.ErrOwnRequest)

		farid := c.signer(t, "farid", models.Finance)
		for _, statement := range []string{
			"UPDATE campaigns SET spins = 500 WHERE id = %d",
			"UPDATE campaigns SET exceeded = 'nothing' WHERE id = %d",
			"UPDATE campaigns SET maker_id = 999 WHERE id = %d",
			"UPDATE campaigns SET expires_at_us = expires_at_us + 1 WHERE id = %d",
		} {
			e := c.exception(t, bruno, "anna", int64(130+len(statement)))
			c.exec(t, fmt.Sprintf(statement, e.ID))
			var tampered models.TamperedError
			err = storetest.Approve(t.Context(), c.store, "campaign", farid, e.ID)
			require.ErrorAs(t, err, &tampered, statement)
			require.Equal(t, "campaign", tampered.Object)
		}
		require.Zero(t, sim.Calls()["assignFreeSpin"])
		v, err := c.store.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.Positive(t, v.Faults())
	})
}

// TestCampaignBeyondLimits stores a campaign until it is approved, and then runs it once, unchanged.
func TestCampaignBeyondLimits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		bruno, farid := c.signer(t, "bruno", models.Bonus), c.signer(t, "farid", models.Finance)
		file := "user_id,game_id,spins\nanna," + string(c.games[0]) + ",60\nbert," + string(c.games[1]) + ",5\n"
		u := bonus.Upload{FileName: "vip.csv", Lines: sheet(t, file), CampaignTerms: models.CampaignTerms{Name: "vip"}, Role: models.Bonus}
		_, bad, err := c.Create(t.Context(), bruno.Actor, u)
		require.NoError(t, err)
		require.Len(t, bad, 1)
		request := func() models.Campaign {
			e, bad, err := c.Request(t.Context(), bruno, u)
			require.NoError(t, err)
			require.Empty(t, bad)
			require.Equal(t, []int64{65, 2}, []int64{e.Spins, e.Lines})
			return e
		}
		refused := request()
		var before models.GrantedBeforeError
		_, _, err = c.Request(t.Context(), bruno, u)
		require.ErrorAs(t, err, &before)
		require.ErrorIs(t, c.store.SetCampaignState(t.Context(), bruno.Actor, refused.ID, models.JobRunning, ""), models.ErrCampaignWaiting)
		require.ErrorIs(t, c.store.SetCampaignState(t.Context(), bruno.Actor, refused.ID, models.JobStopped, ""), models.ErrCampaignWaiting)
		campaign, err := c.Run(t.Context(), refused.ID, nil)
		require.NoError(t, err)
		require.Equal(t, models.JobHeld, campaign.State)
		require.NoError(t, storetest.Refuse(t.Context(), c.store, "campaign", farid, refused.ID, "too many"))
		campaign, _, err = c.store.Campaign(t.Context(), refused.ID)
		require.NoError(t, err)
		require.Equal(t, models.JobDeclined, campaign.State)
		require.ErrorIs(t, c.store.SetCampaignState(t.Context(), bruno.Actor, campaign.ID, models.JobRunning, ""), models.ErrCampaignEnded)

		e := request() // the same lines, which were never granted
		require.NoError(t, storetest.Approve(t.Context(), c.store, "campaign", farid, e.ID))
		require.Zero(t, sim.Calls()["assignFreeSpin"])
		campaign, err = c.Run(t.Context(), e.ID, nil)
		require.NoError(t, err)
		require.Equal(t, models.JobFinished, campaign.State)
		require.EqualValues(t, 2, campaign.Granted.Lines)
		require.Len(t, sim.Grants(), 2)
		_, _, err = c.Request(t.Context(), bruno, u)
		require.Error(t, err)
		c.verified(t)
	})
}

// TestAttackCampaignWithoutException tries to run a waiting campaign without approval.
func TestAttackCampaignWithoutException(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		bruno := c.signer(t, "bruno", models.Bonus)
		u := bonus.Upload{FileName: "vip.csv", Lines: sheet(t, "user_id,game_id,spins\nanna,"+string(c.games[0])+",60\n"),
			CampaignTerms: models.CampaignTerms{Name: "vip"}, Role: models.Bonus}
		e, _, err := c.Request(t.Context(), bruno, u)
		require.NoError(t, err)
		c.exec(t, fmt.Sprintf("UPDATE campaigns SET job_state = %d, state = %d WHERE id = %d", models.JobRunning,
			models.ApprovalApproved, e.ID))
		var tampered models.TamperedError
		_, err = c.Run(t.Context(), e.ID, nil)
		require.ErrorAs(t, err, &tampered)
		require.Zero(t, sim.Calls()["assignFreeSpin"])
	})
}

// TestLimitsRenewAtTheOperatorsMidnight counts days in the time zone of reports.
func TestLimitsRenewAtTheOperatorsMidnight(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, _ := againstSimulator(t, url)
		storetest.SetZone(t, c.store, "Asia/Tokyo") // 21:00 there
		c.clock.forward(24 * time.Hour)             // the change is a day old
		c.grant(t, c.request("anna", 50))
		c.grant(t, c.request("anna", 50))
		day, until, err := c.store.GrantDay(t.Context())
		require.NoError(t, err)
		require.Equal(t, []any{models.Day("2026-11-21"), begin.Add(27 * time.Hour)}, []any{day, until})
		c.clock.forward(3*time.Hour - time.Second)
		_, err = c.Grant(t.Context(), ines, c.request("anna", 1))
		require.ErrorContains(t, err, "100 used already")
		c.clock.forward(time.Second)
		c.grant(t, c.request("anna", 50))
	})
}

// TestRestoreVoidsExceptions: an exception that waited at the time of the backup may have been approved, and granted, since.
// One that somebody changed in the database keeps no other from being voided.
func TestRestoreVoidsExceptions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, sim := againstSimulator(t, url)
		bruno := c.signer(t, "bruno", models.Bonus)
		changed, e := c.exception(t, bruno, "bert", 120), c.exception(t, bruno, "anna", 120)
		c.exec(t, fmt.Sprintf("UPDATE campaigns SET name = 'another' WHERE id = %d", changed.ID))
		void, err := c.store.VoidCampaigns(t.Context())
		require.ErrorAs(t, err, new(models.TamperedError))
		require.Equal(t, []int64{e.ID}, void)
		c.exec(t, fmt.Sprintf("UPDATE campaigns SET name = 'welcome' WHERE id = %d", changed.ID))
		void, err = c.store.VoidCampaigns(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int64{changed.ID}, void)
		err = storetest.Approve(t.Context(), c.store, "campaign", c.signer(t, "farid", models.Finance), e.ID)
		require.ErrorAs(t, err, &models.DecidedError{})
		require.Empty(t, sim.Grants())
		c.verified(t)
	})
}

// TestAttackRenewLimitsByTheZone has one administrator change the zone so that midnight comes after the grants.
func TestAttackRenewLimitsByTheZone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, _ := againstSimulator(t, url)
		c.grant(t, c.request("anna", 50))
		c.grant(t, c.request("anna", 50))
		c.clock.forward(time.Hour)
		storetest.SetZone(t, c.store, "Etc/GMT-11") // where it is past midnight
		_, err := c.Grant(t.Context(), ines, c.request("anna", 1))
		require.ErrorContains(t, err, "100 used already")
	})
}

// TestCostOfSpins limits what spins count as, in the player's currency.
func TestCostOfSpins(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, _ := againstSimulator(t, url)
		rules := models.DefaultGrantRules
		limits := rules.Limits
		limits.Cost = map[models.Currency]models.GrantCost{"EUR": {Grant: 800, PlayerPerDay: 1000, HousePerDay: 1200}}
		rules = models.GrantRules{Limits: limits,
			SpinCost: map[models.Currency]models.Amount{"EUR": 20}}
		storetest.Change(t, c.store, models.ChangeGrantLimits, rules)
		_, err := c.Grant(t.Context(), ines, c.request("anna", 41))
		require.ErrorContains(t, err, "cost of one grant, 8.00 EUR allowed, 8.20 EUR requested")
		c.grant(t, c.request("anna", 40))
		_, err = c.Grant(t.Context(), ines, c.request("anna", 11))
		require.ErrorContains(t, err, "cost of grants to one player a day, 10.00 EUR allowed, 8.00 EUR used already")
		_, err = c.Grant(t.Context(), olaf, c.request("bert", 21))
		require.ErrorContains(t, err, "cost of grants by all staff a day, 12.00 EUR allowed, 8.00 EUR used already")
		c.grant(t, c.request("bert", 20))
		check, err := c.store.CheckGrantLines(t.Context(), ines, false,
			sheet(t, "user_id,game_id,spins\nbert,"+string(c.games[1])+",1\n"))
		require.NoError(t, err)
		require.Len(t, check.Bad, 1)
		require.ErrorContains(t, check.Bad[0].Err, "cost of grants by all staff")
	})
}

// TestAttackRaiseGrantLimitsAlone tries to raise the limits as one administrator.
func TestAttackRaiseGrantLimitsAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		c, _ := againstSimulator(t, url)
		ada := c.signer(t, "ada", models.Administrator)
		rules := models.GrantRules{Limits: models.GrantLimits{SpinsPerGrant: 5000, PlayerGrantsPerDay: 9, PlayerSpinsPerDay: 5000,
			StaffGrantsPerDay: 9, StaffSpinsPerDay: 5000, HouseSpinsPerDay: 5000}}
		require.ErrorIs(t, c.store.SetSetting(t.Context(), ada.Actor, string(models.ChangeGrantLimits), "{}", "tried"),
			models.ErrNeedsTwo)
		r, err := c.store.RequestChange(t.Context(), ada, models.ChangeGrantLimits, rules, "tried")
		require.NoError(t, err)
		err = storetest.Approve(t.Context(), c.store, "change", ada, r.ID)
		require.ErrorIs(t, err, models.ErrOwnRequest)
		_, err = c.Grant(t.Context(), ines, c.request("anna", 51))
		require.ErrorContains(t, err, "50 allowed")
		wrong := models.GrantRules{Limits: models.GrantLimits{SpinsPerGrant: -1}}
		_, err = c.store.RequestChange(t.Context(), ada, models.ChangeGrantLimits, wrong, "tried")
		require.ErrorIs(t, err, models.ErrChangeInvalid)
		_, err = c.store.RequestChange(t.Context(), ada, models.ChangeGrantLimits, rules, strings.Repeat("x", 2001))
		require.ErrorIs(t, err, models.ErrChangeReason)
	})
}

// exec changes the database behind the program's back.
func (c *casino) exec(t *testing.T, statement string) {
	t.Helper()
	driver, dsn, _ := strings.Cut(c.url, "://")
	if driver == "sqlite" {
		dsn = "file:" + dsn + "?_pragma=busy_timeout(20000)"
	}
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	defer db.Close()
	done, err := db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
	n, err := done.RowsAffected()
	require.NoError(t, err)
	require.Positive(t, n)
}
