package app_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/bonus"
	"pitboss/app/pages"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// TestStartPages shows each role its start page on an empty site, and on one with work waiting.
func TestStartPages(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL, apptest.Proving(t.TempDir()))
		ctx := t.Context()
		s.Prove()
		now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
		s.SetClock(now)
		desks := map[models.Role]*apptest.Browser{}
		for _, role := range models.Roles {
			desks[role] = s.SignedIn("r-"+string(role), role)
			require.Positive(t, desks[role].Get("/").Find(".pb-desk > .card").Length())
		}
		card := func(role models.Role, label string) string {
			t.Helper()
			return apptest.TextOf(desks[role].Get("/"), `.pb-desk [aria-label="`+label+`"]`)
		}
		require.Contains(t, card(models.Finance, "Corrections to decide"), "No corrections are waiting for you.")
		require.Contains(t, card(models.Finance, "Days to sign"), "You have signed every day that can be signed.")
		require.Contains(t, card(models.Finance, "Differences"), "No statement differs from the ledger.")
		require.Contains(t, card(models.Bonus, "Unconfirmed grants"), "Every grant is confirmed.")
		require.Contains(t, card(models.Bonus, "Active grants"), "No player has free spins left to use.")
		require.Contains(t, card(models.Compliance, "Proof"), "Not verified yet")
		require.Contains(t, card(models.Compliance, "Proof"), "No checkpoint yet")
		require.Contains(t, card(models.Compliance, "Exports"), "No exports yet.")
		require.Contains(t, card(models.Support, "Recently viewed"), "appear here")
		require.Contains(t, card(models.Support, "Open a game as a test player"), "No test players yet.")
		require.Contains(t, card(models.Administrator, "Changes to approve"), "No changes are waiting")

		// Finance: corrections requested by colleagues but not their own, days with play that have ended, differences.
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
		s.NewPlayer("tess", true)
		mira := s.Hire("mira", models.Finance)
		ask := func(name string, staff models.Staff, amount models.Amount) {
			t.Helper()
			newest, err := s.Store.NewestCorrection(ctx, anna.ID)
			require.NoError(t, err)
			_, err = s.Store.RequestCorrection(ctx,
				models.Signer{Actor: models.Actor{Name: name, Channel: models.ChannelBrowser}, StaffID: staff.ID,
					Role: models.Finance},
				models.CorrectionRequest{Kind: models.CorrectCredit, PlayerID: anna.ID, Amount: amount, Reason: "goodwill",
					Text: "x", Seen: newest})
			require.NoError(t, err)
		}
		own, _, err := s.Store.StaffNamed(ctx, "r-finance")
		require.NoError(t, err)
		ask("mira", mira, 1100)
		ask("r-finance", own, 2200)
		found := card(models.Finance, "Corrections to decide")
		require.Contains(t, found, "11.00")
		require.NotContains(t, found, "22.00")
		require.Contains(t, apptest.TextOf(desks[models.Finance].Get("/"), ".pb-todo"), "1 Correction to decide")
		_, err = s.Store.FollowDays(ctx)
		require.NoError(t, err)
		require.Contains(t, card(models.Finance, "Days to sign"), "You have signed every day", "today still runs")
		s.SetClock(time.Date(2026, 11, 21, 0, 10, 0, 0, time.UTC))
		for _, role := range []models.Role{models.Finance, models.Compliance, models.Bonus} {
			require.Equal(t, http.StatusSeeOther, desks[role].SignIn("r-"+string(role), apptest.Password).Status)
		}
		_, err = s.Store.FollowDays(ctx)
		require.NoError(t, err)
		require.Contains(t, card(models.Finance, "Days to sign"), "You have signed every day",
			"ten minutes after its end a day cannot be signed")
		s.SetClock(time.Date(2026, 11, 21, 0, 20, 0, 0, time.UTC))
		_, err = s.Store.FollowDays(ctx)
		require.NoError(t, err)
		for _, role := range models.DaySigners {
			page := desks[role].Get("/")
			require.Equal(t, 1, page.Find(`.pb-desk [aria-label="Days to sign"] li`).Length(), "%s: the books began yesterday",
				role)
			require.Equal(t, "/reports/days/2026-11-20",
				page.Find(`.pb-desk [aria-label="Days to sign"] li a`).AttrOr("href", ""))
		}

		// Bonus: grants of unknown outcome, grants being used, and campaigns that colleagues requested.
		s.Grant("anna", g, 20)
		s.UnknownGrant("anna", 5)
		require.Contains(t, card(models.Bonus, "Active grants"), "20 spins on "+g.Name+" for anna 0 of 20 used")
		require.Contains(t, card(models.Bonus, "Unconfirmed grants"), "5 spins on")
		g = s.SyncedGame() // the grant of unknown outcome was of another catalogue
		bruno := s.Hire("bruno", models.Bonus)
		_, _, err = s.Bonus.Request(ctx,
			models.Signer{Actor: models.Actor{Name: "bruno", Channel: models.ChannelBrowser}, StaffID: bruno.ID,
				Role: models.Bonus},
			bonus.Upload{CampaignTerms: models.CampaignTerms{Name: "VIP"}, Again: true,
				Lines: []models.GrantLine{{Line: 1, UserID: "anna", GameID: g.GameID, Spins: 120}}})
		require.NoError(t, err)
		for _, role := range models.ExceptionRule.Checkers {
			require.Contains(t, card(role, "Campaigns to approve"), "120 spins in 1 grant: VIP bruno")
		}

		// Compliance starts a verification and writes a checkpoint from here.
		chloe := desks[models.Compliance]
		require.Equal(t, http.StatusSeeOther, chloe.Post("/", "/integrity/checkpoints", url.Values{}).Status)
		require.NoError(t, s.Store.RecordVerification(ctx, models.System, s.Now(), models.Verification{Entries: 12}))
		require.Contains(t, card(models.Compliance, "Proof"), "Last verification: no faults")
		require.Contains(t, card(models.Compliance, "Proof"), "Last checkpoint: number 1")
		require.NoError(t, s.Store.RecordVerification(ctx, models.System, s.Now(),
			models.Verification{Faulty: []models.WalletFaults{{PlayerID: 1, Faults: []string{"x"}, Total: 1}}}))
		require.Contains(t, card(models.Compliance, "Proof"), "Last verification: 1 fault")
		started := chloe.Post("/", "/integrity/verifications", url.Values{})
		require.Equal(t, http.StatusSeeOther, started.Status, started.Body)

		// Support: what was viewed last, and test players to open games with.
		sofia := desks[models.Support]
		require.Equal(t, http.StatusSeeOther, sofia.SignIn("r-support", apptest.Password).Status)
		sofia.Get(pages.PlayerPath(anna.ID))
		require.Contains(t, card(models.Support, "Recently viewed"), "anna")
		require.Equal(t, "/sessions/new?player-number=2",
			sofia.Get("/").Find(`[aria-label="Open a game as a test player"] li a`).AttrOr("href", ""))
		require.Equal(t, http.StatusOK, sofia.Get("/sessions/new?player=tess").Status)

		// Administrators: changes that wait for a second administrator, and what others changed.
		require.Equal(t, http.StatusSeeOther, desks[models.Administrator].SignIn("r-admin", apptest.Password).Status)
		eve := s.Hire("eve", models.Administrator)
		_, err = s.Store.RequestChange(ctx,
			models.Signer{Actor: models.Actor{Name: "eve", Channel: models.ChannelBrowser}, StaffID: eve.ID,
				Role: models.Administrator},
			models.ChangeTwoPeople, models.TwoPeople{Days: 3}, "x")
		require.NoError(t, err)
		require.Contains(t, card(models.Administrator, "Changes to approve"), "Two-person rule eve")
		require.Contains(t, card(models.Administrator, "Changes by others"), "Account created: r-support")
		for _, role := range models.Roles {
			page := desks[role].Get("/")
			for _, link := range page.Find(".pb-desk a").EachIter() {
				require.Equal(t, http.StatusOK, desks[role].Get(link.AttrOr("href", "")).Status, "%s: %s", role,
					link.AttrOr("href", ""))
			}
		}
	})
}

// TestOverviewPartsAtOnce lets the race detector watch the parts of the overview, which are read at the same time. Two of them
// ask which days the reader can sign, and therefore look up the reader and their address.
func TestOverviewPartsAtOnce(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	farid := s.SignedIn("farid", models.Finance)
	for range 150 {
		require.Equal(t, http.StatusOK, farid.Get("/").Status)
	}
}
