package restrictions_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages"
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

// Support restricts a player alone, and a second person ends the restriction early.
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

		form := url.Values{"player": {"anna"}, "kind": {"abuse"}, "scope": {"play, deposits and bonuses"}, "reason": {"bets for <b>others</b>"}}
		for field, wrong := range map[string][2]string{"player": {"Anna", "There is no player"}, "kind": {"", "Choose a kind"},
			"reason": {" ", "Enter a reason"}, "until": {"2020-01-01", "Enter an end in the future"}} {
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

		made := sofia.Post(newPath, "/restrictions", form)
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

// Nobody ends a self-exclusion early, and it ends by itself.
func TestSelfExclusion(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithHistory("anna")
		chloe := s.SignedIn("chloe", models.Compliance)
		last := s.Now().Add(48 * time.Hour)
		unsure := chloe.Post(newPath, "/restrictions", url.Values{"player": {"anna"}, "kind": {"self-exclusion"},
			"scope": {"play, deposits and bonuses"}, "until": {last.Format(time.DateOnly)}, "reason": {"asked us to"}})
		require.Equal(t, http.StatusUnprocessableEntity, unsure.Status)
		require.Contains(t, unsure.Find("#final-wrong").Text(), "Check this")
		require.Equal(t, models.None, played(t, s, "unsure"))
		made := chloe.Post(newPath, "/restrictions", url.Values{"player": {"anna"}, "kind": {"self-exclusion"},
			"scope": {"play, deposits and bonuses"}, "until": {last.Format(time.DateOnly)}, "reason": {"asked us to"}, "final": {"yes"}})
		require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
		page := chloe.Get(made.Location)
		require.Contains(t, page.Find("main").Text(), "A self-exclusion never ends early.")
		require.Zero(t, page.Find("[name=why]").Length())
		require.Equal(t, http.StatusSeeOther,
			chloe.Post(made.Location, made.Location+"/end", url.Values{"why": {"begs"}}).Status)
		require.Contains(t, chloe.Get(made.Location).Find(".pb-flash").Text(), "never ends early")
		require.Equal(t, models.PlayerRestricted, played(t, s, "during"))
		s.Later(96 * time.Hour)
		require.Equal(t, models.None, played(t, s, "after"))
	})
}

// A register names several players. None is restricted while one of them is unknown, and sending the list again adds nothing.
func TestRestrictSeveral(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithHistory("anna")
		s.PlayerWithHistory("bob")
		chloe, farid := s.SignedIn("chloe", models.Compliance), s.SignedIn("farid", models.Finance)
		const path = "/restrictions/several"
		require.Equal(t, http.StatusForbidden, farid.Get(path).Status)
		form := url.Values{"players": {"anna\r\n\r\nnobody \r\nbob\r\nanna"}, "kind": {"self-exclusion"},
			"scope": {"play, deposits and bonuses"}, "reason": {"register of 12 November"}, "final": {"yes"}}
		refused := chloe.Post(path, path, form)
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find(".invalid-feedback").Text(), "these IDs are unknown: nobody. IDs")
		require.Contains(t, refused.Find("textarea[name=players]").Text(), "bob", "what was typed stays")
		require.Equal(t, models.None, played(t, s, "before"))
		form.Set("players", strings.Repeat("x\n", 501))
		require.Contains(t, chloe.Post(path, path, form).Find(".invalid-feedback").Text(), "at most 500 players")
		form.Set("players", " \n ")
		require.Contains(t, chloe.Post(path, path, form).Find(".invalid-feedback").Text(), "Enter the IDs")

		for _, sends := range [][2]string{{"anna\nbob\nanna\n", "2 players are restricted."},
			{"bob\nanna", "0 players are restricted. 2 players were restricted in this way already."}} {
			form.Set("players", sends[0])
			sent := chloe.Post(path, path, form)
			require.Equal(t, http.StatusSeeOther, sent.Status, sent.Body)
			require.Contains(t, chloe.Get(sent.Location).Find(".pb-flash").Text(), sends[1])
			require.Equal(t, 2, chloe.Get("/restrictions").Find("tbody tr").Length())
		}
		require.Equal(t, models.PlayerRestricted, played(t, s, "after"))
	})
}

// The house, a provider and a game are frozen by one person.
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
		require.Contains(t, again.Find(".invalid-feedback").Text(), "frozen already")

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
