package freespins_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// Two administrators change the limits on a page that everybody who may view free spins can open.
func TestFreeSpinLimitsAreChangedByTwo(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ada, adam, bruno := s.SignedIn("ada", models.Administrator), s.SignedIn("adam", models.Administrator),
			s.SignedIn("bruno", models.Bonus)
		page := ada.Get("/settings/free-spins")
		require.Equal(t, "50", page.Find("#f-grant").AttrOr("value", ""))
		form := apptest.FormFields(page, "/settings/free-spins")
		form.Set("grant", "fifty")
		form.Set("reason", "A quiet winter.")
		refused := ada.Post("/settings/free-spins", "/settings/free-spins", form)
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find("#f-grant-wrong").Text(), "whole number")
		form.Set("grant", "150")
		require.Contains(t, ada.Post("/settings/free-spins", "/settings/free-spins", form).Find("#limits-wrong").Text(),
			"One grant must not exceed")
		form.Set("player-spins", "300")
		form.Set("currency-0", "eur")
		form.Set("spin-0", "0.20")
		form.Set("cost-0-grant", "20.00")
		require.Contains(t, ada.Post("/settings/free-spins", "/settings/free-spins", form).Find("#f-cost-0-grant-wrong").
			Text(), "all three limits")
		form.Set("cost-0-player", "30.00")
		form.Set("cost-0-all", "1000.00")
		asked := ada.Post("/settings/free-spins", "/settings/free-spins", form)
		require.Equal(t, http.StatusSeeOther, asked.Status, asked.Body)
		rules, err := s.Store.GrantRules(t.Context())
		require.NoError(t, err)
		require.Equal(t, models.DefaultGrantRules, rules)
		for _, reader := range []*apptest.Browser{bruno, adam} {
			require.Contains(t, apptest.TextOf(reader.Get("/settings/free-spins"), "[aria-label='Waiting for a second person']"),
				"Free-spin limits ada")
		}

		// Refusing a change requires a reason.
		silent := adam.Post(asked.Location, asked.Location+"/refusal", nil)
		require.Equal(t, http.StatusUnprocessableEntity, silent.Status)
		require.Contains(t, silent.Find("#f-why-wrong").Text(), "Enter a reason of 1 to 500 characters")
		require.Equal(t, http.StatusSeeOther,
			adam.Post(asked.Location, asked.Location+"/refusal", url.Values{"why": {"Wait for the budget."}}).Status)
		require.Contains(t, apptest.TextOf(ada.Get(asked.Location), ".pb-people"), "Wait for the budget.")
		require.Contains(t,
			s.SignedIn("carl", models.Compliance).Get("/audit?object=change&what=change+refused").Find("tbody").Text(),
			"Wait for the budget.")
		form.Del("csrf") // as if the page were opened again
		asked = ada.Post("/settings/free-spins", "/settings/free-spins", form)
		require.Equal(t, http.StatusSeeOther, asked.Status, asked.Body)

		request := adam.Get(asked.Location)
		require.Contains(t, apptest.TextOf(request, ".pb-ba"), "Spins in one grant 50 150")
		require.Contains(t, apptest.TextOf(request, ".pb-ba"), "Limits on cost, EUR, one grant not set 20.00")
		require.Equal(t, 6, request.Find(".pb-ba tbody tr").Length(), "only what changes")
		require.Contains(t, adam.Get("/").Text(), "Change to approve")
		require.Equal(t, http.StatusSeeOther, adam.Post(asked.Location, asked.Location+"/approval", nil).Status)
		logged := s.SignedIn("chloe", models.Compliance).Get("/audit?object=change&what=change+approved").Find("tbody").Text()
		require.Contains(t, logged, "50 → 150", "the audit log compares field by field")
		require.NotContains(t, logged, "gone")
		require.Contains(t, logged, "Requested by ada: A quiet winter.", "the person who decides gives no reason")
		rules, err = s.Store.GrantRules(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 150, rules.Limits.SpinsPerGrant)
		require.Equal(t, models.GrantCost{Grant: 2000, PlayerPerDay: 3000, HousePerDay: 100000},
			rules.Limits.Cost["EUR"])
		read := bruno.Get("/settings/free-spins")
		require.Contains(t, read.Text(), "Changing the limits takes two administrators.")
		require.Zero(t, read.Find("form input").
			FilterFunction(func(_ int, f *goquery.Selection) bool { return f.AttrOr("name", "") == "grant" }).Length())
		changes := ada.Get("/audit?object=setting").Text()
		require.Contains(t, changes, "Setting changed: grant limits")
		require.Contains(t, changes, "Limits on cost, EUR, one grant: not set → 20.00")

		// The form shows the current limits, and can remove a currency.
		page = adam.Get("/settings/free-spins")
		require.Equal(t, "EUR", page.Find("#f-currency-0").AttrOr("value", ""))
		form = apptest.FormFields(page, "/settings/free-spins")
		form.Set("reason", "No costs.")
		for name := range form {
			if strings.HasPrefix(name, "cost-0") || name == "currency-0" || name == "spin-0" {
				form.Set(name, "")
			}
		}
		asked = adam.Post("/settings/free-spins", "/settings/free-spins", form)
		require.Contains(t, apptest.TextOf(ada.Get(asked.Location), ".pb-ba"), "Limits on cost, EUR, one grant 20.00 not set")
	})
}

// A grant beyond the limits is requested on the usual form, as a campaign, and a second person approves it.
func TestBeyondLimitsFromTheForm(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
		bruno, farid, sofia := s.SignedIn("bruno", models.Bonus), s.SignedIn("farid", models.Finance),
			s.SignedIn("sofia", models.Support)
		request := func(spins string) *apptest.Answer {
			return bruno.Post("/campaigns/new", "/campaigns/new", apptest.GrantForm("anna", g, spins))
		}
		wrong := bruno.Post("/campaigns/new", "/campaigns/new", url.Values{"name": {"Loyalty"},
			"paste": {fmt.Sprintf("anna\t%[1]s\t120\nnobody\t%[1]s\t5\n", g.GameID)}})
		require.Zero(t, wrong.Find("#over-limit, .pb-confirm").Length(), "nobody approves lines with errors")
		asked := request("120")
		require.Equal(t, http.StatusOK, asked.Status, asked.Body)
		note := asked.Find("#over-limit")
		require.Equal(t, "This exceeds 2 limits", note.Find("h2").Text())
		require.Contains(t, note.Text(), "Your limit is 50 spins in one grant.")
		require.Equal(t, pages.GrantLimitsPath, note.Find("a").Last().AttrOr("href", ""))
		require.Contains(t, asked.Find(".action").Text(), "Request approval to grant 120 spins to anna in 1 grant.")
		done := bruno.SendAgain(asked, ".pb-confirm", url.Values{"password": {apptest.Password}})
		require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
		require.Empty(t, s.GrantsOf(anna))
		twice := bruno.SendAgain(asked, ".pb-confirm", nil)
		require.Equal(t, done.Location, twice.Location)
		mine := bruno.Get(done.Location)
		require.Contains(t, mine.Text(), "These colleagues can approve it: Farid.")
		require.Zero(t, mine.Find("button:contains('Approve')").Length())
		require.Equal(t, http.StatusForbidden, sofia.Post(done.Location, done.Location+"/approval", nil).Status)

		require.Contains(t, farid.Get("/").Find(".pb-todo").Text(), "Campaign to approve")
		require.Equal(t, 1, farid.Get(pages.WaitingCampaignsPath).Find("tbody tr").Length())
		waiting := farid.Get(done.Location)
		require.Contains(t, waiting.Find("#lines tbody").Text(), "anna", "the checker sees who gets the spins")
		require.Contains(t, apptest.TextOf(waiting, ".pb-ba"), "Spins granted by bruno today")
		empty := farid.Post(done.Location, done.Location+"/refusal", url.Values{"password": {apptest.Password}})
		require.Equal(t, http.StatusUnprocessableEntity, empty.Status)
		require.Contains(t, empty.Find("#f-why-wrong").Text(), "Enter a reason")
		approved := farid.Post(done.Location, done.Location+"/approval", nil)
		require.Equal(t, http.StatusSeeOther, approved.Status, approved.Body)
		campaign, _, err := s.Store.Campaign(t.Context(), 1)
		require.NoError(t, err)
		_, err = s.Bonus.Run(t.Context(), campaign.ID, nil)
		require.NoError(t, err)
		made := s.GrantsOf(anna)
		require.Len(t, made, 1)
		require.Equal(t, []any{int64(120), "bruno"}, []any{made[0].Spins, made[0].Actor})
		again := farid.Post(done.Location, done.Location+"/approval", nil)
		require.Equal(t, done.Location, again.Location)
		require.Len(t, s.GrantsOf(anna), 1)
		require.Contains(t, farid.Get("/audit?object=campaign").Text(),
			"approved: request of bruno")

		// The next one is refused, with a reason that its maker can read.
		second := bruno.SendAgain(request("200"), ".pb-confirm", nil)
		require.Equal(t, http.StatusSeeOther,
			farid.Post(second.Location, second.Location+"/refusal", url.Values{"why": {"That is too many."}}).Status)
		require.Contains(t, bruno.Get(second.Location).Text(), "That is too many.")
		third := bruno.SendAgain(request("300"), ".pb-confirm", nil)
		s.Later(6 * time.Minute)
		require.Equal(t, 1, farid.Get(third.Location).Find("#confirm-password").Length())
		require.Equal(t, http.StatusUnprocessableEntity, farid.Post(third.Location, third.Location+"/approval", nil).Status,
			"the password is asked for, as for a correction")
		require.Equal(t, http.StatusSeeOther,
			bruno.Post(third.Location, third.Location+"/withdrawal", url.Values{"password": {apptest.Password}}).Status)
		require.Contains(t, bruno.Get(third.Location).Find("h1").Text(), "Not approved")
		require.Len(t, s.GrantsOf(anna), 1)
	})
}
