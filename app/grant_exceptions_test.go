package app

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// Two administrators change the limits on a page that everybody who may view free spins can see.
func TestFreeSpinLimitsAreChangedByTwo(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		ada, adam, bruno := s.signedIn("ada", models.Administrator), s.signedIn("adam", models.Administrator),
			s.signedIn("bruno", models.Bonus)
		page := ada.get("/settings/free-spins")
		require.Equal(t, "50", page.Find("#f-bonus-grant").AttrOr("value", ""))
		form := everyField(page, "/settings/free-spins")
		form.Set("bonus-grant", "fifty")
		form.Set("reason", "A quiet winter.")
		refused := ada.post("/settings/free-spins", "/settings/free-spins", form)
		require.Equal(t, http.StatusUnprocessableEntity, refused.status)
		require.Contains(t, refused.Find("#f-bonus-grant-wrong").Text(), "whole number")
		form.Set("bonus-grant", "150")
		require.Contains(t, ada.post("/settings/free-spins", "/settings/free-spins", form).Find("#limits-wrong").Text(),
			"Bonus: one grant may have no more than")
		form.Set("bonus-player-spins", "300")
		form.Set("currency-0", "eur")
		form.Set("spin-0", "0.20")
		form.Set("cost-0-bonus-grant", "20.00")
		require.Contains(t, ada.post("/settings/free-spins", "/settings/free-spins", form).Find("#f-cost-0-bonus-grant-wrong").
			Text(), "all three limits")
		form.Set("cost-0-bonus-player", "30.00")
		form.Set("cost-0-bonus-role", "1000.00")
		asked := ada.post("/settings/free-spins", "/settings/free-spins", form)
		require.Equal(t, http.StatusSeeOther, asked.status, asked.text)
		rules, err := s.Store.GrantRules(t.Context())
		require.NoError(t, err)
		require.Equal(t, models.DefaultGrantRules, rules)
		waits := text(bruno.get("/settings/free-spins"), ".pb-note")
		require.Contains(t, waits, "A change of these limits is waiting")
		require.Contains(t, waits, "another administrator ( Adam ) approves it", "not Ada, who requested it")
		require.Contains(t, text(adam.get("/settings/free-spins"), ".pb-note"), "when you or another colleague approves it")

		// Whoever refuses a change says why.
		silent := adam.post(asked.location, asked.location+"/refusal", nil)
		require.Equal(t, http.StatusUnprocessableEntity, silent.status)
		require.Contains(t, silent.Find("#f-why-wrong").Text(), "Enter a reason of 1 to 500 characters")
		require.Equal(t, http.StatusSeeOther,
			adam.post(asked.location, asked.location+"/refusal", url.Values{"why": {"Wait for the budget."}}).status)
		require.Contains(t, text(ada.get(asked.location), ".pb-people"), "Wait for the budget.")
		require.Contains(t, s.signedIn("carl", models.Compliance).get("/audit?object=change&what=change+refused").Find("tbody").Text(),
			"Wait for the budget.")
		form.Del("csrf") // the page is opened again
		asked = ada.post("/settings/free-spins", "/settings/free-spins", form)
		require.Equal(t, http.StatusSeeOther, asked.status, asked.text)

		request := adam.get(asked.location)
		require.Equal(t, "Bonus: spins in one grant501",
			strings.TrimSuffix(strings.TrimSpace(request.Find(".pb-ba tbody tr").First().Text()), "50"))
		require.Contains(t, request.Find(".pb-ba").Text(), "Bonus: cost of one grant, EURno limit20.00")
		require.Equal(t, 6, request.Find(".pb-ba tbody tr").Length(), "only what changes")
		require.Contains(t, adam.get("/").Text(), "Change to approve")
		require.Equal(t, http.StatusSeeOther, adam.post(asked.location, asked.location+"/approval", nil).status)
		logged := s.signedIn("chloe", models.Compliance).get("/audit?object=change&what=change+approved").Find("tbody").Text()
		require.Contains(t, logged, "50 → 150", "the audit log compares field by field")
		require.NotContains(t, logged, "gone")
		require.Contains(t, logged, "Requested by ada: A quiet winter.", "the person who decides gives no reason")
		rules, err = s.Store.GrantRules(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 150, rules.Roles[models.Bonus].SpinsPerGrant)
		require.Equal(t, models.GrantCost{Grant: 2000, PlayerPerDay: 3000, RolePerDay: 100000},
			rules.Roles[models.Bonus].Cost["EUR"])
		read := bruno.get("/settings/free-spins")
		require.Contains(t, read.Text(), "Changing the limits takes two administrators (Ada, Adam).")
		require.Zero(t, read.Find("form input").
			FilterFunction(func(_ int, f *goquery.Selection) bool { return f.AttrOr("name", "") == "bonus-grant" }).Length())
		changes := ada.get("/staff/changes").Text()
		require.Contains(t, changes, "Changed the free-spin limits")
		require.Contains(t, changes, "Bonus: cost of one grant, EUR: no limit → 20.00")

		// The form has the current limits, and a currency can be removed.
		page = adam.get("/settings/free-spins")
		require.Equal(t, "EUR", page.Find("#f-currency-0").AttrOr("value", ""))
		form = everyField(page, "/settings/free-spins")
		form.Set("reason", "No costs.")
		for name := range form {
			if strings.HasPrefix(name, "cost-0") || name == "currency-0" || name == "spin-0" {
				form.Set(name, "")
			}
		}
		asked = adam.post("/settings/free-spins", "/settings/free-spins", form)
		require.Contains(t, ada.get(asked.location).Find(".pb-ba").Text(), "Bonus: cost of one grant, EUR20.00no limit")
	})
}

// A grant beyond the limits is requested on its form and approved by a second person.
func TestExceptionFromTheForm(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g, anna := s.offer(), s.punter("anna", false)
		bruno, farid, sofia := s.signedIn("bruno", models.Bonus), s.signedIn("farid", models.Finance),
			s.signedIn("sofia", models.Support)
		refused := bruno.post("/free-spins/new", "/free-spins/new", grantForm("anna", g, "120"))
		require.Equal(t, http.StatusUnprocessableEntity, refused.status)
		note := refused.Find("#over-limit")
		require.Contains(t, note.Text(), "120 is more than your limit of 50 spins in one grant.")
		require.Equal(t, pages.GrantLimitsPath, note.Find("a").AttrOr("href", ""))
		require.Equal(t, pages.NewExceptionPath, note.Find("button").AttrOr("formaction", ""))
		asked := bruno.post("/free-spins/new", pages.NewExceptionPath, grantForm("anna", g, "120"))
		require.Equal(t, http.StatusOK, asked.status, asked.text)
		require.Contains(t, asked.Find(".action").Text(), "Request an exception: 120 spins on "+g.Name+" for anna.")
		require.Contains(t, asked.Text(), "These colleagues can approve it: Farid.")
		done := bruno.sendAgain(asked, ".pb-confirm", url.Values{"password": {password}})
		require.Equal(t, http.StatusSeeOther, done.status, done.text)
		require.Empty(t, s.grantsOf(anna))
		twice := bruno.sendAgain(asked, ".pb-confirm", nil)
		require.Equal(t, done.location, twice.location)
		mine := bruno.get(done.location)
		require.Contains(t, mine.Text(), "These colleagues can approve it: Farid.")
		require.Zero(t, mine.Find("button:contains('Approve')").Length())
		require.Equal(t, http.StatusForbidden, sofia.post(done.location, done.location+"/approval", nil).status)

		require.Contains(t, farid.get("/").Find(".pb-todo").Text(), "Exception to approve")
		require.Contains(t, farid.get("/free-spins/exceptions?state=waiting").Find("tbody").Text(),
			"120 spins on "+g.Name+" for anna")
		waiting := farid.get(done.location)
		require.Contains(t, text(waiting, ".pb-ba"),
			"Spins left for anna on "+g.Name+" 0 120 Spins granted to anna today 0 of 100 120 of 100")
		empty := farid.post(done.location, done.location+"/refusal", url.Values{"password": {password}})
		require.Equal(t, http.StatusUnprocessableEntity, empty.status)
		require.Contains(t, empty.Find("#f-why-wrong").Text(), "Enter a reason")
		approved := farid.post(done.location, done.location+"/approval", nil)
		require.Equal(t, http.StatusSeeOther, approved.status, approved.text)
		made := s.grantsOf(anna)
		require.Len(t, made, 1)
		require.Equal(t, web.PathOf("/free-spins", made[0].ID), approved.location)
		require.Equal(t, []any{int64(120), "bruno"}, []any{made[0].Spins, made[0].Actor})
		again := farid.post(done.location, done.location+"/approval", nil)
		require.Equal(t, done.location, again.location)
		require.Len(t, s.grantsOf(anna), 1)
		require.Contains(t, farid.get("/audit?object=grant+exception").Text(),
			"Approved the exception that was requested by bruno")

		// The next one is refused with a reason that its maker reads.
		second := bruno.sendAgain(bruno.post("/free-spins/new", pages.NewExceptionPath, grantForm("anna", g, "200")),
			".pb-confirm",
			nil)
		require.Equal(t, http.StatusSeeOther,
			farid.post(second.location, second.location+"/refusal", url.Values{"why": {"That is too many."}}).status)
		require.Contains(t, bruno.get(second.location).Text(), "That is too many.")
		third := bruno.sendAgain(bruno.post("/free-spins/new", pages.NewExceptionPath, grantForm("anna", g, "300")),
			".pb-confirm",
			nil)
		s.later(6 * time.Minute)
		require.Equal(t, 1, farid.get(third.location).Find("#confirm-password").Length())
		require.Equal(t, http.StatusUnprocessableEntity, farid.post(third.location, third.location+"/approval", nil).status,
			"the password is asked for, as for a correction")
		require.Equal(t, http.StatusSeeOther,
			bruno.post(third.location, third.location+"/withdrawal", url.Values{"password": {password}}).status)
		require.Contains(t, bruno.get(third.location).Find("h1").Text(), "Withdrawn")
		require.Len(t, s.grantsOf(anna), 1)
	})
}

// TestExceptionPagesAreFine goes through an import beyond the limits and a change of the limits in a browser, on MariaDB.
func TestExceptionPagesAreFine(t *testing.T) {
	t.Parallel()
	s := newSite(t, storetest.URL(t, storetest.MariaDB))
	g := s.offer()
	for _, user := range []models.UserID{"anna", "bertold"} {
		s.punter(user, false)
	}
	s.hire("bruno", models.Bonus)
	s.hire("farid", models.Finance)
	s.hire("ada", models.Administrator)
	browser := browsertest.Start(t)
	tab := browser.Open(t, browsertest.View{})
	s.signInTab(tab, "bruno")
	tab.Go(s.base.String() + "/settings/free-spins")
	tab.RequireFine("free-spin-limits-read")
	tab.Go(s.base.String() + "/free-spins/new?player=anna&game=" + url.QueryEscape(string(g.GameID)))
	tab.Fill("#f-spins", "120")
	tab.Fill("#f-reason", "VIP of the month")
	tab.Follow(".pb-form-foot .btn-primary")
	tab.WaitText("#over-limit", "This exceeds")
	tab.RequireFine("grant-over-limit")
	tab.Follow("#over-limit button")
	tab.WaitText(".action", "Request an exception")
	tab.RequireFine("exception-new")
	tab.Follow(".pb-confirm .btn-primary")
	tab.WaitText("h1", "Exception 1")
	tab.RequireFine("exception-mine")

	tab.Go(s.base.String() + "/free-spins/imports/new")
	tab.Fill("#f-paste", "anna;"+string(g.GameID)+";60\nbertold;"+string(g.GameID)+";5\n")
	tab.Fill("#f-reason", "Loyalty")
	tab.Follow(".pb-form .btn-primary")
	tab.WaitText("#over-limit", "This exceeds a limit")
	tab.RequireFine("import-over-limit")
	tab.Follow("#over-limit .btn")
	tab.WaitText(".action", "Request an exception: 65 spins in 2 grants")
	tab.Follow(".pb-confirm .btn-primary")
	tab.WaitText("h1", "Exception 2")

	finance := browser.Open(t, browsertest.View{})
	s.signInTab(finance, "farid")
	finance.Go(s.base.String() + "/free-spins/exceptions")
	finance.RequireFine("exceptions")
	finance.Follow(`td a[href="/free-spins/exceptions/1"]`)
	finance.RequireFine("exception-to-approve")
	finance.Follow(".pb-confirm .btn-primary")
	finance.WaitText("h1", "120 spins for anna")
	finance.Go(s.base.String() + "/free-spins/exceptions/1")
	finance.RequireFine("exception-approved")
	finance.Go(s.base.String() + "/free-spins/exceptions/2")
	finance.Follow(".pb-confirm .btn-primary")
	finance.WaitText(".pb-flash", "The exception is approved")

	admin := browser.Open(t, browsertest.View{})
	s.signInTab(admin, "ada")
	admin.Go(s.base.String() + "/settings/free-spins")
	admin.RequireFine("free-spin-limits")
	admin.Fill("#f-bonus-grant", "80")
	admin.Fill("#f-reason", "A quiet winter")
	admin.Follow(".pb-form-foot .btn-primary")
	admin.WaitText(".pb-ba", "Bonus: spins in one grant")
	admin.RequireFine("free-spin-limits-change")
}
