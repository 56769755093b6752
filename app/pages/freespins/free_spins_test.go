package freespins_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestSpinsAreGranted(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClockToNoon() // so that all grants are on the same day
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		s.Grant("anna", g, 5)
		s.Later(10 * time.Minute)
		asked := bruno.Post("/campaigns/new", "/campaigns/new", apptest.GrantForm("anna", g, "20"))
		require.Equal(t, http.StatusOK, asked.Status)
		require.Contains(t, asked.Find(".action").Text(), "Grant 20 spins to anna in 1 grant.")
		require.Equal(t, "Grant 20 spins to anna", asked.Find(".pb-confirm .btn-primary").Text())
		rows := asked.Find(".pb-ba tbody tr")
		require.Equal(t, "25 of 15,000", rows.Eq(0).Find("td").Eq(1).Text())
		require.Equal(t, "2 of 2,000", rows.Eq(1).Find("td").Eq(1).Text())

		wrong := bruno.SendAgain(asked, ".pb-confirm", url.Values{"password": {"not it"}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		done := bruno.SendAgain(wrong, ".pb-confirm", url.Values{"password": {apptest.Password}})
		require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
		require.Len(t, s.GrantsOf(anna), 1, "looking grants nothing")
		s.RunCampaigns()
		made := s.GrantsOf(anna)[0]
		require.Equal(t, []any{int64(20), "bruno", "Goodwill"}, []any{made.Spins, made.Actor, made.Reason})
		require.Equal(t, web.PathOf("/free-spins", made.ID), bruno.Get(done.Location).Find("#lines tbody td:last-child a").AttrOr("href", ""))
		require.Contains(t, bruno.Get(web.PathOf("/free-spins", made.ID)).Find("h1").Text(), "20 spins for anna")

		// Sending the same confirmation again, as a second click does, grants nothing.
		twice := bruno.SendAgain(wrong, ".pb-confirm", nil)
		require.Equal(t, done.Location, twice.Location)
		require.Contains(t, bruno.Get(twice.Location).Find(".pb-flash").Text(), "Nothing was granted a second time")
		s.RunCampaigns()
		require.Len(t, s.Sim.Grants(), 2)
	})
}

// TestOneOfManyPresses sends one confirmation many times at once.
func TestOneOfManyPresses(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		asked := bruno.Post("/campaigns/new", "/campaigns/new", apptest.GrantForm("anna", g, "5"))
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() { bruno.SendAgain(asked, ".pb-confirm", nil) })
		}
		group.Wait()
		s.RunCampaigns()
		require.Len(t, s.GrantsOf(anna), 1)
		require.Len(t, s.Sim.Grants(), 1)
	})
}

func TestSpinsThatAreNotGranted(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClockToNoon()
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		storetest.Restrict(t, s.Store, s.NewPlayer("blocked", false).UserID)
		bruno := s.SignedIn("bruno", models.Bonus)
		for name, row := range map[string]struct{ player, spins, reason, words string }{
			"nobody":    {"nobody", "5", "x", "no player with this ID"},
			"no reason": {"anna", "5", "", "a name of 1 to 100"},
			"no spins":  {"anna", "", "x", "Enter the spins that each player gets"},
			"blocked":   {"blocked", "5", "x", "not eligible for bonuses"},
			"no number": {"anna", "many", "x", "“many” is not a number of spins"},
			"none":      {"anna", "0", "x", "Enter a number from 1 to 1000000"},
		} {
			t.Run(name, func(t *testing.T) {
				form := apptest.GrantForm(row.player, g, row.spins)
				form.Set("name", row.reason)
				for _, path := range []string{"/campaigns/new", "/campaigns"} {
					page := bruno.Post("/campaigns/new", path, form)
					require.Contains(t, page.Find("main").Text(), row.words)
					require.Zero(t, page.Find(".pb-confirm").Length())
				}
			})
		}
		s.RunCampaigns()
		require.Empty(t, s.Sim.Grants())

		require.NoError(t, s.Sim.SetMood("assignFreeSpin=refused(2 no such game):1"))
		asked := bruno.Post("/campaigns/new", "/campaigns/new", apptest.GrantForm("anna", g, "5"))
		require.Equal(t, http.StatusSeeOther, bruno.SendAgain(asked, ".pb-confirm", nil).Status)
		s.RunCampaigns()
		require.Contains(t, bruno.Get("/free-spins/1").Find(".pb-stack .pb-note").Text(), "The platform refused with 2, wrong input")
	})
}

func TestUnknownOutcomes(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		bruno, chloe := s.SignedIn("bruno", models.Bonus), s.SignedIn("chloe", models.Compliance)
		lost := s.GrantWithUnknownOutcome("anna", g, 5)
		path := web.PathOf("/free-spins", lost.ID)
		require.Contains(t, bruno.Get("/free-spins").Find(".pb-note").Text(), "1 unconfirmed grant")
		require.Equal(t, "1", bruno.Get("/games").Find("a[href='/free-spins'] .n.risk [aria-hidden]").Text())
		waiting := bruno.Get("/free-spins?state=waiting")
		require.Equal(t, path, waiting.Find("tbody .c-what a").AttrOr("href", ""))
		page := bruno.Get(path)
		require.Contains(t, page.Find(".pb-note").Text(), "The connection dropped before the platform answered")
		require.NotContains(t, page.Find("main").Text(), "EOF", "a driver's word")
		require.Zero(t, page.Find("input[name=found][checked]").Length(), "nothing is chosen yet")
		require.Contains(t, page.Find(".pb-note").Text(), "the player would have 10")
		require.Zero(t, chloe.Get(path).Find("form[action$='/resolution']").Length(), "compliance reads")

		// Before the player can get another grant on this game, the reader has to override the warning.
		refused := bruno.Post("/campaigns/new", "/campaigns/new", apptest.GrantForm("anna", g, "5"))
		require.Zero(t, refused.Find(".pb-confirm").Length())
		require.Contains(t, refused.Find("main").Text(), "The outcome of grant 1 for this player and game is unknown")
		require.Contains(t, bruno.SendAgain(refused, "#campaign", url.Values{"again": {"yes"}}).Find(".pb-checks .warn").Text(),
			"unknown outcome")

		decide := func(form url.Values) *apptest.Answer { return bruno.Post(path, path+"/resolution", form) }
		require.Contains(t, decide(url.Values{"found": {"not"}}).Find("#f-note-wrong").Text(), "Say how you know")
		require.Contains(t, decide(url.Values{"found": {"found"}, "note": {"a call"}}).Find("#f-free_spin_id-wrong").Text(),
			"Enter the ID")
		require.Contains(t, decide(url.Values{"found": {"found"}, "note": {"a call"}, "free_spin_id": {"fs-of-nobody"}}).
			Find("#f-free_spin_id-wrong").Text(), "The platform refused with 8, transaction not found")
		require.Contains(t, decide(url.Values{"note": {"a call"}}).Find("#found-wrong").Text(), "Choose what you found")
		done := decide(url.Values{"found": {"found"}, "note": {"a call"}, "free_spin_id": {s.Sim.Grants()[0].FreeSpinID}})
		require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
		found := bruno.Get(path)
		require.Contains(t, found.Find(".pb-flash").Text(), "Recorded: the platform has it.")
		require.Contains(t, found.Find("h1 .badge").Text(), "Active")
		late := bruno.Post("/free-spins", path+"/resolution", url.Values{"found": {"not"}, "note": {"another call"}})
		require.Contains(t, bruno.Get(late.Location).Find(".pb-flash").Text(),
			"bruno has already recorded: found on the platform.")

		// If nobody can tell the outcome, another grant no longer has to wait for it.
		other := s.GrantWithUnknownOutcome("anna", g, 5)
		path = web.PathOf("/free-spins", other.ID)
		require.Equal(t, http.StatusSeeOther, decide(url.Values{"found": {"unclear"}, "note": {"nobody answers"}}).Status)
		unclear := bruno.Get(path)
		require.Contains(t, unclear.Find("h1 .badge").Text(), "Unclear")
		require.Equal(t, 1, unclear.Find(".pb-actions a:contains('Grant again')").Length())

		// If it was not granted, the page says so, and no longer says that the outcome is unknown.
		s.NewPlayer("bert", false)
		third := s.GrantWithUnknownOutcome("bert", g, 5)
		path = web.PathOf("/free-spins", third.ID)
		kept := decide(url.Values{"found": {"not"}})
		require.Equal(t, "not", kept.Find("input[name=found][checked]").AttrOr("value", ""), "what was chosen stays")
		require.Equal(t, http.StatusSeeOther, decide(url.Values{"found": {"not"}, "note": {"Ticket 88213: no such grant"}}).
			Status)
		closed := bruno.Get(path)
		note := closed.Find(".pb-note:contains('It was not granted')").Text()
		require.Contains(t, note, "bruno checked with the platform and noted: “Ticket 88213: no such grant”")
		require.NotContains(t, note, "may or may not")
	})
}

// If the platform made a grant but no longer knows it, one case is opened, and the grant's page links to it.
func TestAGrantThatThePlatformNoLongerKnows(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		grant := s.Grant("anna", g, 20)
		path := web.PathOf("/free-spins", grant.ID)
		ask := func() *apptest.Answer {
			t.Helper()
			asked := bruno.Post(path, path+"/observations", nil)
			require.Equal(t, http.StatusSeeOther, asked.Status)
			_, err := s.Store.FindCases(t.Context(), models.CaseRulesConfig{})
			require.NoError(t, err)
			return bruno.Get(path)
		}
		require.Zero(t, ask().Find("[aria-label=Cases] li").Length())
		require.NoError(t, s.Sim.SetMood("freeSpinStatus=refused(8 no such grant):2"))
		for range 2 {
			page := ask()
			require.Contains(t, page.Find(".pb-note:contains('no longer knows this grant')").Text(),
				"Its case says what to ask the platform")
			require.Contains(t, apptest.TextOf(page, "#story"), "Platform says that it does not know this grant")
			require.Equal(t, 1, page.Find("[aria-label=Cases] li").Length())
		}
		list, err := s.Store.Cases(t.Context(), models.CaseFilter{GrantID: grant.ID, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, list.Rows, 1)
		require.Equal(t, models.CaseDisownedGrant, list.Rows[0].Rule)
		require.Contains(t, bruno.Get(pages.CasePath(list.Rows[0].ID)).Find("[aria-label='What to find out']").Text(),
			"Ask the platform what happened to the grant")
		again := ask()
		require.Zero(t, again.Find(".pb-note:contains('no longer knows')").Length(), "it knows it again")
		require.Equal(t, 1, again.Find("[aria-label=Cases] li").Length())
	})
}

func TestAGrantIsWatched(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		made := s.Grant("anna", g, 3)
		path := web.PathOf("/free-spins", made.ID)
		bruno, chloe := s.SignedIn("bruno", models.Bonus), s.SignedIn("chloe", models.Compliance)
		counts := func(page *apptest.Answer) string {
			return apptest.TextOf(page, "#grant-facts dt:contains(Counts) + dd")
		}
		// changed returns the page that the one before it has loaded by itself.
		changed := func(before *apptest.Answer) *apptest.Answer {
			t.Helper()
			request := bruno.Request(http.MethodGet, before.Find("#used[data-live]").AttrOr("hx-get", ""), nil)
			for name, value := range map[string]string{"HX-Request": "true", "HX-Target": "used", "Pitboss-Live": "1"} {
				request.Header.Set(name, value)
			}
			require.Equal(t, "true", bruno.Send(request).Header.Get("HX-Refresh"))
			return bruno.Get(path)
		}
		page := bruno.Get(path)
		require.Contains(t, counts(page), "Not compared yet ")
		require.Contains(t, page.Find("#used").Text(), "Not asked yet")
		s.ObserveGrant(made, models.StatusActive, 0)
		page = changed(page)
		require.Contains(t, page.Find("#used").Text(), "Asked")
		require.Regexp(t, `^Matched \d\d:\d\d`, counts(page))

		// The wallet received a spin that won.
		s.PlayFreeSpin("anna", "r1", 250)
		page = changed(page)
		require.Contains(t, page.Find("#story").Text(), "Win of 2.50 EUR")
		require.Contains(t, page.Find("#story").Text(), "Inferred: the oldest grant")
		require.Contains(t, page.Find("#grant-facts").Text(), "2.50 EUR")

		// Two comparisons must find a difference before it counts, because a bet may still arrive after the first.
		s.ObserveGrant(made, models.StatusActive, 3)
		page = changed(page)
		require.Regexp(t, `^Differed \d\d:\d\d:\d\d ?; will be compared again, because a bet may be on its way `, counts(page))
		s.ObserveGrant(made, models.StatusActive, 3)
		page = changed(page)
		require.Regexp(t, `^Differ, compared \d\d:\d\d`, counts(page))

		s.ObserveGrant(made, models.StatusCompleted, 3)
		page = changed(page)
		require.Contains(t, page.Find("h1 .badge").Text(), "Used up")
		require.Zero(t, page.Find("[data-live]").Length())

		asked := bruno.Post(path, path+"/observations", nil)
		require.Contains(t, bruno.Get(asked.Location).Find(".pb-flash").Text(), "The platform says:")
		require.NoError(t, s.Sim.SetMood("freeSpinStatus=refused(8):9"))
		asked = bruno.Post(path, path+"/observations", nil)
		require.Contains(t, bruno.Get(asked.Location).Find(".pb-flash").Text(),
			"The platform refused with 8, transaction not found.")
		require.Equal(t, http.StatusForbidden, chloe.Post("/account", path+"/observations", nil).Status)
	})
}

func TestTheListOfGrants(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		s.NewPlayer("bert", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		require.Contains(t, bruno.Get("/free-spins").Find(".pb-empty").Text(), "No free spins have been granted yet")
		s.Grant("anna", g, 5)
		s.Grant("bert", g, 6)
		s.PlayFreeSpin("anna", "r1", 125)
		for address, want := range map[string][]string{
			"/free-spins": {"6 spins", "5 spins"}, "/free-spins?player=anna": {"5 spins"}, "/free-spins?player=nobody": nil,
			"/free-spins?game=" + string(g.GameID): {"6 spins", "5 spins"},
			"/free-spins?game=x":                   nil, "/free-spins?staff=bruno&state=active": {"6 spins", "5 spins"},
			"/free-spins?staff=ann": nil, "/free-spins?state=completed": nil, "/free-spins?state=disagreeing": nil,
		} {
			var got []string
			page := bruno.Get(address)
			require.Equal(t, http.StatusOK, page.Status)
			for _, link := range page.Find("tbody .c-what a").EachIter() {
				got = append(got, link.Text())
			}
			require.Equal(t, want, got, address)
		}
		require.Contains(t, strings.Join(strings.Fields(bruno.Get("/free-spins?player=anna").Find("tbody").Text()), " "),
			"1.25EUR")
		require.Equal(t, http.StatusBadRequest, bruno.Get("/free-spins?after=x").Status)
		require.Equal(t, http.StatusNotFound, bruno.Get("/free-spins/999").Status)
		require.Equal(t, http.StatusNotFound, bruno.Get("/campaigns/999").Status)
	})
}
