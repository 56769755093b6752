package app_test

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// playersThatDifferByABlank creates two players whose IDs differ only by a blank, and their transactions and rounds by one at
// the end. The pages of the first show none of the returned texts. Amounts are above a thousand because 42.42 may be a part of
// a time.
func playersThatDifferByABlank(s *apptest.Site) (first, second models.Player, ofSecond []string) {
	s.T.Helper()
	first, second = s.PlayerWithBalance("q 1", 200000), s.PlayerWithBalance("q1", 1000000)
	s.Callback(apptest.Bet("q 1", "t ", "r ", 100300), 0)
	s.Callback(apptest.Win("q 1", "w ", "r ", 100), 0)
	s.Callback(apptest.Bet("q 1", "poor ", "r2 ", 1<<40), 6)
	s.Callback(apptest.Bet("q1", "t", "r", 424242), 0)
	s.Callback(apptest.Bet("q1", "poor", "r2", 1<<41), 6)
	return first, second, []string{"4,242.42", "5,757.58", models.Amount(1 << 41).Grouped()}
}

// Everything that begins at a player is about this player, and not about another whose ID differs by a blank.
func TestAttackIDsThatDifferByABlank(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		first, second, ofSecond := playersThatDifferByABlank(s)
		s.OpenGameAndGrant("q 1")
		lists := map[string]bool{}
		for name, role := range map[string]models.Role{"sofia": models.Support, "farid": models.Finance,
			"chloe": models.Compliance,
			"bruno": models.Bonus} {
			b := s.SignedIn(name, role)
			for seen, queue := map[string]bool{}, []string{pages.PlayerPath(first.ID)}; len(queue) > 0; queue = queue[1:] {
				page := b.Get(queue[0])
				if page.Status == http.StatusSeeOther {
					page = b.Get(page.Location)
				}
				require.Equal(t, http.StatusOK, page.Status, queue[0])
				text := page.Find("main").Text()
				for _, words := range ofSecond {
					require.NotContains(t, text, words, "%s shows %s", queue[0], words)
				}
				require.NotContains(t, text, "There is no such", queue[0])
				page.Find("main a[href]").Each(func(_ int, a *goquery.Selection) {
					href, _, _ := strings.Cut(a.AttrOr("href", ""), "#")
					u, err := url.Parse(href)
					require.NoError(t, err)
					q := u.Query()
					q.Del("draft")
					named := strings.Contains(q.Encode(), "player") && q.Get("player") != "q1" || q.Has("q") || q.Has("id")
					within := len(u.Query()) == 0 &&
						(strings.HasPrefix(u.Path, "/players/") || strings.HasPrefix(u.Path, "/transactions/") ||
							strings.HasPrefix(u.Path, "/rounds/") || strings.HasPrefix(u.Path, "/callbacks/"))
					if (named || within) && !seen[href] && b.Get(u.Path).Status == http.StatusOK {
						seen[href], lists[u.Path] = true, true
						queue = append(queue, href)
					}
				})
			}
		}
		tabs := pages.PlayerPath(first.ID)
		for _, path := range []string{tabs + "/transactions", tabs + "/rounds", tabs + "/callbacks", "/reports", "/campaigns/new", "/cases/new",
			"/packs/new", "/corrections/new"} {
			require.True(t, lists[path], "no page of a player leads to %s; it leads to %v", path, lists)
		}

		// The forms act on the player from whose page they were opened.
		farid, bruno, sofia := s.SignedIn("farid2", models.Finance), s.SignedIn("bruno2", models.Bonus),
			s.SignedIn("sofia2", models.Support)
		open := func(b *apptest.Browser, path string) *apptest.Answer {
			href := b.Get(pages.PlayerPath(first.ID)).Find("a[href^='"+path+"']").AttrOr("href", "")
			require.NotEmpty(t, href, path)
			return b.Get(href)
		}
		game, err := s.Store.Games(t.Context(), models.GameFilter{Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		before := len(s.GrantsOf(first))
		confirm := bruno.Post("", "/campaigns/new", apptest.FieldsOf(open(bruno, "/campaigns/new"), "#grant",
			"game", string(game.Rows[0].GameID), "spins", "5", "name", "Goodwill"))
		require.Equal(t, http.StatusOK, confirm.Status, confirm.Body)
		granted := bruno.SendAgain(confirm, ".pb-confirm", url.Values{"password": {apptest.Password}})
		require.Equal(t, http.StatusSeeOther, granted.Status, granted.Body)
		s.RunCampaigns()
		require.Len(t, s.GrantsOf(first), before+1)
		require.Empty(t, s.GrantsOf(second))

		complaint := sofia.Post("", "/cases", apptest.FieldsOf(open(sofia, "/cases/new"), "main form", "reference", "ADR-1",
			"due", s.Now().Add(48*time.Hour).Format(time.DateOnly), "text", "Lost."))
		require.Equal(t, http.StatusSeeOther, complaint.Status, complaint.Body)
		cases, err := s.Store.Cases(t.Context(), models.CaseFilter{PlayerID: first.ID, Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(cases.Rows, func(c models.Case) bool { return c.Reference == "ADR-1" }))

		made := farid.Post("", "/packs", apptest.FieldsOf(open(farid, "/packs/new"), "main form", "purpose", "dispute", "why",
			"asked"))
		require.Equal(t, http.StatusOK, made.Status)
		pack, err := zip.NewReader(strings.NewReader(made.Body), int64(len(made.Body)))
		require.NoError(t, err)
		manifest, err := fs.ReadFile(pack, "manifest.json")
		require.NoError(t, err)
		require.Contains(t, string(manifest), fmt.Sprintf(`"player_number": %d,`, first.ID))
	})
}

// Where somebody types an ID, an exact match wins over the ID without the blanks around it.
func TestTypedIDsWithBlanks(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		first, second, ofSecond := playersThatDifferByABlank(s)
		s.PlayerWithBalance("solo", 4711)
		farid := s.SignedIn("farid", models.Finance)
		for path, want := range map[string]string{"/transactions?player=q+1": "1,003.00", "/transactions?id=t+": "1,003.00",
			"/transactions?player=q+1&round=r+": "1,003.00", "/rounds?player=q+1": "1,003.00", "/callbacks?id=t+": "1,003.00",
			"/callbacks?player=q+1": "1,003.00"} {
			text := farid.Get(path).Find("main tbody").Text()
			require.Contains(t, text, want, path)
			require.NotContains(t, text, ofSecond[0], path)
			bare := strings.ReplaceAll(path, "+", "")
			text = farid.Get(bare).Find("main tbody").Text()
			require.Contains(t, text, ofSecond[0], bare)
			require.NotContains(t, text, want, bare)
		}
		for _, list := range []string{"/transactions", "/rounds", "/callbacks", "/reports", "/cases", "/audit",
			"/corrections"} {
			b := farid
			if list == "/audit" {
				b = s.SignedIn("chloe", models.Compliance)
			}
			page := b.Get(list + "?player=+solo+")
			require.Contains(t, page.Find(".pb-chips").Text(), "solo", list)
			require.NotContains(t, page.Text(), "There is no such player", list)
		}
		require.Equal(t, pages.PlayerPath(first.ID), farid.Get("/search?q=q+1").Location)
		require.Equal(t, pages.PlayerPath(second.ID), farid.Get("/search?q=q1").Location)
		solo := farid.Get("/search?q=+solo")
		for _, pasted := range []string{"\u200bsolo", "so\u200blo\ufeff", "“solo”", `"solo"`, "'solo", " \u2060`solo`\u00a0"} {
			require.Equal(t, solo.Location, farid.Get("/search?q="+url.QueryEscape(pasted)).Location, pasted)
		}

		refused := farid.Post("/packs/new", "/packs", url.Values{"player": {"solo "}, "purpose": {"dispute"}, "why": {""},
			"since": {"2026-01-01"}, "until": {"2026-01-02"}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Equal(t, "solo", refused.Find("[name=player]").AttrOr("value", ""))

		// A number counts as long as the text beside it is that player's ID, and a cleared field clears it.
		number := pages.PlayerOf(first.ID)
		require.Contains(t, farid.Get("/transactions?"+number).Find("tbody").Text(), "1,003.00")
		require.Contains(t, farid.Get("/transactions?player=q1&"+number).Find("tbody").Text(), "42.42")
		require.Contains(t, farid.Get("/transactions?player=&"+number).Find("tbody").Text(), "42.42")
		require.Contains(t, farid.Get("/transactions?player-number=999999").Text(), "There is no such player")
	})
}
