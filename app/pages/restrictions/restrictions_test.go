package restrictions_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

const newPath, freezePath = "/restrictions/new", "/restrictions/freeze"

func played(t *testing.T, s *apptest.Site, id models.TransactionID) models.Decline {
	t.Helper()
	result, err := s.Store.Apply(t.Context(), models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: "anna",
		TransactionID: id, RoundID: models.RoundID(id), Bet: 1})
	require.NoError(t, err)
	return result.Decline
}

// Support restricts a player alone. Ending the restriction early takes a second person.
func TestRestrictAPlayer(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p := s.PlayerWithHistory("anna")
		sofia, chloe := s.SignedIn("sofia", models.Support), s.SignedIn("chloe", models.Compliance)
		bruno, farid := s.SignedIn("bruno", models.Bonus), s.SignedIn("farid", models.Finance)
		offered := newPath + "?" + pages.PlayerOf(p.ID)
		require.Equal(t, 1, sofia.Get(pages.PlayerPath(p.ID)).Find("a[href='"+offered+"']").Length())
		require.Zero(t, farid.Get(pages.PlayerPath(p.ID)).Find("a[href='"+offered+"']").Length())
		require.Equal(t, http.StatusForbidden, farid.Get(newPath).Status)
		require.Equal(t, "anna", sofia.Get(offered).Find("[name=player]").AttrOr("value", ""))

		form := url.Values{"player": {"anna"}, "kind": {"abuse"}, "scope": {"play, deposits and bonuses"}, "term": {"no end"},
			"reason": {"bets for <b>others</b>"}}
		for field, wrong := range map[string][2]string{"player": {"Anna", "There is no player"}, "kind": {"", "Choose a kind"},
			"reason": {" ", "Enter a reason"}, "until": {"2020-01-01", "leave this empty"}, "term": {"", "Choose how long"}} {
			typed := url.Values{}
			for name, values := range form {
				typed[name] = values
			}
			typed.Set(field, wrong[0])
			refused := sofia.Post(newPath, "/restrictions", typed)
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status, field)
			require.Contains(t, refused.Find(".invalid-feedback").Text(), wrong[1])
		}
		require.Equal(t, models.None, played(t, s, "before"))

		asked := sofia.Post(newPath, "/restrictions", form)
		require.Contains(t, asked.Find(".action").Text(), "It has no end.")
		require.Equal(t, models.None, played(t, s, "unsure"))
		made := sofia.Post("", "/restrictions", apptest.FieldsOf(asked, ".pb-confirm", "confirmed", "yes"))
		require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
		require.Equal(t, models.PlayerRestricted, played(t, s, "during"))
		page := sofia.Get(made.Location)
		require.Contains(t, page.Find("h1").Text(), "In effect")
		require.Contains(t, page.Find("main").Text(), "bets for <b>others</b>")
		require.Contains(t, sofia.Get(pages.PlayerPath(p.ID)).Find(".pb-note").Text(), "bets for <b>others</b>")
		require.Contains(t, farid.Get("/restrictions?state=active").Find("tbody").Text(), "anna")
		theirs := bruno.Get(pages.PlayerPath(p.ID))
		require.Contains(t, theirs.Find(".pb-note").Text(), "Not eligible for bonuses now")
		require.NotContains(t, theirs.Body, "bets for")
		require.Equal(t, http.StatusForbidden, bruno.Get(made.Location).Status)

		require.Equal(t, http.StatusUnprocessableEntity,
			sofia.Post(made.Location, made.Location+"/end", url.Values{"why": {" "}}).Status)
		require.Equal(t, http.StatusSeeOther,
			sofia.Post(made.Location, made.Location+"/end", url.Values{"why": {"they asked nicely"}}).Status)
		require.Equal(t, models.PlayerRestricted, played(t, s, "asked"))
		require.Zero(t, sofia.Get(made.Location).Find("button:contains('End the restriction')").Length())
		require.Equal(t, http.StatusSeeOther, sofia.Post(made.Location, made.Location+"/approval", nil).Status)
		require.Contains(t, sofia.Get(made.Location).Find(".pb-flash").Text(), "You requested this yourself")
		require.Equal(t, models.PlayerRestricted, played(t, s, "alone"))

		require.Contains(t, chloe.Get("/").Text(), "Restriction to end")
		waiting := chloe.Get(made.Location)
		require.Contains(t, waiting.Find("main").Text(), "they asked nicely")
		require.Equal(t, http.StatusSeeOther, chloe.Post(made.Location, made.Location+"/approval", nil).Status)
		require.Contains(t, chloe.Get(made.Location).Find("h1").Text(), "Ended early")
		require.Equal(t, models.None, played(t, s, "after"))
		history := sofia.Get(pages.PlayerPath(p.ID) + "/history").Find("tbody").Text()
		for _, said := range []string{"Player restriction set", "Player restriction ended"} {
			require.Contains(t, history, said)
		}
	})
}

// A page shows what a self-exclusion will do. Nobody can end it early. It ends after its last day in the player's zone.
func TestSelfExclusion(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p := s.PlayerWithHistory("anna")
		chloe := s.SignedIn("chloe", models.Compliance)
		require.NoError(t, s.Store.SetLanguage(t.Context(), models.Actor{Name: "test"}, p.ID, "en", "America/Santiago"))
		zone, err := time.LoadLocation("America/Santiago")
		require.NoError(t, err)
		for last, wrong := range map[string]string{"2020-01-01": "at most 100 years", "9999-12-31": "Enter the last day",
			"2199-12-31": "at most 100 years"} {
			refused := chloe.Post(newPath, "/restrictions", url.Values{"player": {"anna"}, "kind": {"self-exclusion"},
				"scope": {"play, deposits and bonuses"}, "term": {"until a day"}, "until": {last}, "reason": {"asked us to"}})
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status, last)
			require.Contains(t, refused.Find(".invalid-feedback").Text(), wrong, last)
		}
		last := models.DayOf(s.Now().Add(48*time.Hour), zone)
		page := chloe.Post(newPath, "/restrictions", url.Values{"player": {"anna"}, "kind": {"self-exclusion"},
			"scope": {"play, deposits and bonuses"}, "term": {"until a day"}, "until": {string(last)}, "reason": {"asked us to"}})
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		require.Contains(t, page.Find(".action").Text(), "It ends on "+last.End(zone).In(zone).Format("2 Jan 2006 15:04")+", America/Santiago.")
		require.Contains(t, page.Find(".action").Text(), "Nobody can end it earlier, unless compliance agrees")
		require.Equal(t, models.None, played(t, s, "unsure"))
		sure := apptest.FieldsOf(page, ".pb-confirm", "confirmed", "yes", "password", apptest.Password)
		made := chloe.Post("", "/restrictions", sure)
		require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
		set, err := s.Store.Restrictions(t.Context(), models.RestrictionFilter{PlayerID: p.ID, Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.True(t, set.Rows[0].Until.Equal(last.End(zone)), set.Rows[0].Until)
		page = chloe.Get(made.Location)
		require.Contains(t, page.Find("main").Text(), "ends early only if it was entered by mistake")
		s.Later(models.MistakeFor)
		chloe.SignIn("chloe", apptest.Password)
		page = chloe.Get(made.Location)
		require.Contains(t, page.Find("main").Text(), "A self-exclusion never ends early.")
		require.Zero(t, page.Find("[name=why]").Length())
		require.Equal(t, http.StatusSeeOther,
			chloe.Post(made.Location, made.Location+"/end", url.Values{"why": {"begs"}}).Status)
		require.Contains(t, chloe.Get(made.Location).Find(".pb-flash").Text(), "never ends early")
		require.Equal(t, models.PlayerRestricted, played(t, s, "during"))
		s.Later(72 * time.Hour)
		require.Equal(t, models.None, played(t, s, "after"))
	})
}

// A register names several players. Unknown IDs are all shown, can be downloaded with the reason, and are left out. Sending the
// list again restricts nobody twice.
func TestRestrictSeveral(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithHistory("anna")
		s.PlayerWithHistory("bob")
		chloe, farid := s.SignedIn("chloe", models.Compliance), s.SignedIn("farid", models.Finance)
		const path = "/restrictions/several"
		require.Equal(t, http.StatusForbidden, farid.Get(path).Status)
		form := url.Values{"players": {"anna"}, "kind": {"self-exclusion"},
			"scope": {"play, deposits and bonuses"}, "term": {"5 years"}, "reason": {"register of 12 November"}}
		form.Set("players", numbered(501))
		require.Contains(t, chloe.Post(path, path, form).Find(".invalid-feedback").Text(), "at most 500 players")
		form.Set("players", " \n ")
		require.Contains(t, chloe.Post(path, path, form).Find(".invalid-feedback").Text(), "Enter the IDs")

		page := chloe.UploadTo(path, path, "register.csv", "user_id,born\nanna,1980-01-01\nnobody,1990-01-01\nAnna,\nbob,\nbob,1970,x\n",
			"kind", "self-exclusion", "scope", "play, deposits and bonuses", "term", "5 years", "reason", "a register")
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		require.Contains(t, page.Find(".pb-checks").Text(), "3 lines are left out")
		require.Contains(t, page.Find("#bad-lines").Text(), "No player has this ID, but there is anna.")
		require.Equal(t, "Restrict the 2 that we know", page.Find("button[value=yes]").Text())
		require.Equal(t, models.None, played(t, s, "before"))
		unknown := chloe.Post("", path, apptest.FieldsOf(page, ".pb-confirm", "download", "lines"))
		require.Equal(t, "\ufeffuser_id,born,What is wrong\nnobody,1990-01-01,No player has this ID.\n"+
			"Anna,,\"No player has this ID, but there is anna.\"\nbob,\"1970,x\",\"It has 3 cells, but the header has 2.\"\n", unknown.Body)
		sure := apptest.FieldsOf(page, ".pb-confirm", "confirmed", "yes", "password", apptest.Password)
		sent := chloe.Post("", path, sure)
		require.Equal(t, http.StatusSeeOther, sent.Status, sent.Body)
		require.Contains(t, chloe.Get(sent.Location).Find(".pb-flash").Text(), "2 players are restricted. 3 lines were left out.")
		events, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: "restriction set", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Contains(t, events.Rows[0].After, `"skipped_lines":3`)
		typed := url.Values{"players": {"anna\n=nobody"}}
		for name, value := range form {
			if name != "players" {
				typed[name] = value
			}
		}
		page = chloe.Post(path, path, typed)
		sheet := chloe.Post("", path, apptest.FieldsOf(page, ".pb-confirm", "download", "lines"))
		require.Equal(t, "\ufeffuser_id,What is wrong\n'=nobody,No player has this ID.\n", sheet.Body)
		form.Set("players", "bob\nanna")
		again := chloe.Post(path, path, form)
		require.Contains(t, again.Find("main").Text(), "2 players are restricted in this way already, and left out.")
		require.Zero(t, again.Find("button[value=yes]").Length())
		require.Equal(t, http.StatusSeeOther, chloe.Post("", path, sure).Status)
		require.Equal(t, 2, chloe.Get("/restrictions").Find("tbody tr").Length())
		require.Equal(t, models.PlayerRestricted, played(t, s, "after"))
	})
}

// numbered returns this many lines, each with a number.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

// One person can freeze the house, a provider or a game.
func TestFreezePlay(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.PlayerWithHistory("anna")
		ada, chloe, sofia := s.SignedIn("ada", models.Administrator), s.SignedIn("chloe", models.Compliance),
			s.SignedIn("sofia", models.Support)
		refused := ada.Post(freezePath, freezePath, url.Values{"reason": {"odd"}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find(".invalid-feedback").Text(), "Choose what to freeze")

		game := ada.Post(freezePath, freezePath, url.Values{"what": {"game"}, "game": {string(g.GameID)}, "reason": {"it pays too much"}})
		require.Equal(t, http.StatusSeeOther, game.Status, game.Body)
		require.Contains(t, ada.Get(game.Location).Find("main").Text(), g.Name)
		require.Equal(t, models.None, played(t, s, "elsewhere"))
		again := sofia.Post(freezePath, freezePath, url.Values{"what": {"game"}, "game": {string(g.GameID)}, "reason": {"too"}})
		require.Contains(t, again.Find(".invalid-feedback").Text(), "already frozen")

		house := sofia.Post(freezePath, freezePath, url.Values{"what": {"house"}, "reason": {"the platform pays everybody"}})
		require.Equal(t, http.StatusSeeOther, house.Status, house.Body)
		require.Equal(t, models.HouseFrozen, played(t, s, "frozen"))
		require.Contains(t, strings.Join(strings.Fields(chloe.Get("/restrictions").Find("tbody").Text()), " "), "All play Freeze")
		require.Equal(t, http.StatusSeeOther,
			sofia.Post(house.Location, house.Location+"/end", url.Values{"why": {"mended"}}).Status)
		require.Equal(t, http.StatusSeeOther, chloe.Post(house.Location, house.Location+"/approval", nil).Status)
		require.Equal(t, models.None, played(t, s, "thawed"))
	})
}
