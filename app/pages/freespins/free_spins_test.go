package freespins_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

func TestSpinsAreGranted(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClockToNoon() // so that all grants are on one day
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		s.Grant("anna", g, 5)
		form := bruno.Get("/free-spins/new?player=anna&game=" + string(g.GameID))
		require.Contains(t, form.Find("#player-says").Text(), "EUR, balance 100.00")
		require.Contains(t, form.Find("#player-says").Text(), "5 spins left on "+g.Name)
		require.Contains(t, form.Find("#known").Text(), "5 of 100")

		s.Later(10 * time.Minute)
		asked := bruno.Post("/free-spins/new", "/free-spins/new", apptest.GrantForm("anna", g, "20"))
		require.Equal(t, http.StatusOK, asked.Status)
		require.Contains(t, asked.Find(".action").Text(), "Grant 20 spins on "+g.Name+" to anna.")
		require.Equal(t, "Grant 20 spins to anna", asked.Find(".pb-confirm button").Text())
		rows := asked.Find(".pb-ba tbody tr")
		require.Equal(t, []string{"5", "25"}, []string{rows.Eq(0).Find("td").Eq(0).Text(), rows.Eq(0).Find("td").Eq(1).Text()})
		require.Equal(t, "25 of 100", rows.Eq(1).Find("td").Eq(1).Text())
		require.Equal(t, "2 of 3", rows.Eq(2).Find("td").Eq(1).Text())
		require.Len(t, s.GrantsOf(anna), 1, "looking grants nothing")

		wrong := bruno.SendAgain(asked, ".pb-confirm", url.Values{"password": {"not it"}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		require.Len(t, s.GrantsOf(anna), 1)
		done := bruno.SendAgain(wrong, ".pb-confirm", url.Values{"password": {apptest.Password}})
		require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
		made := s.GrantsOf(anna)[0]
		require.Equal(t, web.PathOf("/free-spins", made.ID), done.Location)
		page := bruno.Get(done.Location)
		require.Contains(t, page.Find(".pb-flash").Text(), "anna now has 20 free spins on "+g.Name+".")
		require.Contains(t, page.Find("h1").Text(), "20 spins for anna")
		require.Len(t, s.Sim.Grants(), 2)

		// The same confirmation again, as after a second press of the button, grants nothing.
		twice := bruno.SendAgain(wrong, ".pb-confirm", nil)
		require.Equal(t, http.StatusSeeOther, twice.Status)
		require.Contains(t, bruno.Get(twice.Location).Find(".pb-flash").Text(), "Nothing was granted a second time")
		require.Len(t, s.Sim.Grants(), 2)
	})
}

// TestOneOfManyPresses sends one confirmation many times at once.
func TestOneOfManyPresses(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		asked := bruno.Post("/free-spins/new", "/free-spins/new", apptest.GrantForm("anna", g, "5"))
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() { bruno.SendAgain(asked, ".pb-confirm", nil) })
		}
		group.Wait()
		require.Len(t, s.GrantsOf(anna), 1)
		require.Len(t, s.Sim.Grants(), 1)
	})
}

func TestSpinsThatAreNotGranted(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClockToNoon()
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		full := s.NewPlayer("full", false)
		storetest.Restrict(t, s.Store, s.NewPlayer("blocked", false).UserID)
		bruno := s.SignedIn("bruno", models.Bonus)
		s.Grant("full", g, 50)
		s.Grant("full", g, 40)
		for name, row := range map[string]struct {
			player, spins, reason, field, words string
		}{
			"nobody":    {"nobody", "5", "x", "player", "no player with this ID"},
			"blocked":   {"blocked", "5", "x", "player", "may not get bonuses now"},
			"no reason": {"anna", "5", "", "reason", "Enter a reason"},
			"no number": {"anna", "many", "x", "spins", "whole number"},
			"none":      {"anna", "0", "x", "spins", "whole number"},
			"over the grant": {"anna", "60", "x", "spins",
				"60 is more than your limit of 50 spins in one grant. Enter 1 to 50"},
			"over the player's":    {"full", "20", "x", "spins", "Today full has already had 90 of 100 spins. Enter 1 to 10"},
			"more than can be had": {"anna", "99999999999999999999", "x", "spins", "whole number"},
		} {
			t.Run(name, func(t *testing.T) {
				form := apptest.GrantForm(row.player, g, row.spins)
				form.Set("reason", row.reason)
				for _, path := range []string{"/free-spins/new", "/free-spins"} {
					page := bruno.Post("/free-spins/new", path, form)
					require.Equal(t, http.StatusUnprocessableEntity, page.Status)
					require.Contains(t, page.Find("#f-"+row.field+"-wrong").Text(), row.words)
					require.Equal(t, row.spins, page.Find("#f-spins").AttrOr("value", ""))
				}
			})
		}
		require.Len(t, s.GrantsOf(full), 2)
		require.Len(t, s.Sim.Grants(), 2)
		preset := apptest.GrantForm("anna", g, "")
		preset.Set("preset", "20")
		require.Equal(t, "20", bruno.Post("/free-spins/new", "/free-spins/new", preset).Find("#f-spins").AttrOr("value", ""),
			"a preset without script")

		require.NoError(t, s.Sim.SetMood("assignFreeSpin=refused(2 no such game):1"))
		asked := bruno.Post("/free-spins/new", "/free-spins/new", apptest.GrantForm("anna", g, "5"))
		page := bruno.Get(bruno.SendAgain(asked, ".pb-confirm", nil).Location)
		require.Contains(t, page.Find(".pb-flash").Text(), "Nothing was granted")
		require.Contains(t, page.Find(".pb-stack .pb-note").Text(), "The platform refused with 2, wrong input")
	})
}

// A grant of unknown outcome is found however many grants the player got after it.
func TestOldUnknownOutcomes(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		lost := s.GrantWithUnknownOutcome("anna", g, 5)
		ctx, by := t.Context(), models.Actor{Name: "bruno"}
		for range 51 {
			later, err := s.Store.RequestGrant(ctx, by, models.GrantRequest{UserID: "anna", GameID: g.GameID, Spins: 1,
				Reason: "goodwill", Role: models.Bonus, Again: true})
			require.NoError(t, err)
			_, err = s.Store.SendGrant(ctx, later.ID)
			require.NoError(t, err)
			_, err = s.Store.AnswerGrant(ctx, by, later.ID, models.GrantOutcome{State: models.GrantRefused, Result: 8})
			require.NoError(t, err)
		}
		refused := bruno.Post("/free-spins/new", "/free-spins/new", apptest.GrantForm("anna", g, "5"))
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find("#again-wrong").Text(), "Find out the outcome of the earlier grant")
		require.Equal(t, 1, refused.Find(`a[href="`+web.PathOf("/free-spins", lost.ID)+`"].btn`).Length())
	})
}

func TestUnknownOutcomes(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
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

		// Another grant of the game to the player needs an override first.
		refused := bruno.Post("/free-spins/new", "/free-spins/new", apptest.GrantForm("anna", g, "5"))
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find("#again-wrong").Text(), "Find out the outcome of the earlier grant")
		again := apptest.GrantForm("anna", g, "5")
		again.Set("again", "yes")
		require.Contains(t, bruno.Post("/free-spins/new", "/free-spins/new", again).Find(".pb-checks .warn").Text(),
			"is unknown")

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

		// Nobody can tell: another grant no longer waits for it.
		other := s.GrantWithUnknownOutcome("anna", g, 5)
		path = web.PathOf("/free-spins", other.ID)
		require.Equal(t, http.StatusSeeOther, decide(url.Values{"found": {"unclear"}, "note": {"nobody answers"}}).Status)
		unclear := bruno.Get(path)
		require.Contains(t, unclear.Find("h1 .badge").Text(), "Unclear")
		require.Equal(t, 1, unclear.Find(".pb-actions a:contains('Grant again')").Length())

		// Not granted: the page says that once, and no longer that the outcome is unknown.
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

// A grant that the platform made and no longer knows opens one case, to which the grant's page refers.
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
		page := bruno.Get(path)
		live := page.Find("#used[data-live]")
		require.Equal(t, 1, live.Length())
		require.Contains(t, page.Find("#observations").Text(), "not been asked")
		counts := func(page *apptest.Answer) string {
			return apptest.TextOf(page, "#grant-facts dt:contains(Counts) + dd")
		}
		require.Contains(t, counts(page), "Not compared yet ")

		poll := func(b *apptest.Browser, address string) *apptest.Answer {
			request := b.Request(http.MethodGet, address, nil)
			for name, value := range map[string]string{"HX-Request": "true", "HX-Target": "used", "Pitboss-Live": "1"} {
				request.Header.Set(name, value)
			}
			return b.Send(request)
		}
		before := s.Sim.Calls()["freeSpinStatus"]
		first := poll(bruno, live.AttrOr("hx-get", ""))
		require.Equal(t, http.StatusOK, first.Status)
		require.Zero(t, first.Find("html main").Length(), "a part, not a page")
		require.Equal(t, before+1, s.Sim.Calls()["freeSpinStatus"])
		require.Contains(t, first.Find("#observations[hx-swap-oob]").Text(), "Asked")
		require.Equal(t, 1, first.Find("#story[hx-swap-oob]").Length(), "the first observation belongs to the story")
		require.Regexp(t, `^Matched \d\d:\d\d`, counts(first))
		seen := first.Find("#used").AttrOr("hx-get", "")
		second := poll(bruno, seen)
		require.Equal(t, before+1, s.Sim.Calls()["freeSpinStatus"], "the platform was asked just before")
		require.Zero(t, second.Find("#story").Length(), "nothing has changed")
		s.Later(time.Minute)
		poll(chloe, seen)
		require.Equal(t, before+1, s.Sim.Calls()["freeSpinStatus"], "compliance does not ask")

		// A spin that won, as the wallet saw it.
		s.PlayFreeSpin("anna", "r1", 250)
		changed := poll(bruno, seen)
		require.Contains(t, changed.Find("#story").Text(), "Win of 2.50 EUR")
		require.Contains(t, changed.Find("#story").Text(), "Inferred: the oldest grant")
		require.Contains(t, changed.Find("#grant-facts").Text(), "2.50 EUR")

		// It takes two comparisons to find a difference; until then a bet may still arrive.
		require.Regexp(t, `^Differed \d\d:\d\d:\d\d ?; will be compared again, because a bet may be on its way `,
			counts(changed))
		s.ObserveGrant(made, models.StatusActive, 3)
		require.Equal(t, "true", poll(bruno, seen).Header.Get("HX-Refresh"), "a warning appears")
		require.Regexp(t, `^Differ, compared \d\d:\d\d`, counts(bruno.Get(path)))

		// When the grant ends, the page reloads itself.
		s.ObserveGrant(made, models.StatusCompleted, 3)
		ended := poll(bruno, seen)
		require.Equal(t, "true", ended.Header.Get("HX-Refresh"))
		page = bruno.Get(path)
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
