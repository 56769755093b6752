package app

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/models"
)

const refusedID = "ada7af3390b14c0d8f2e6b51a32c"

// refusals gives anna transactions and a bet that is refused at a balance of 575.00.
func (s *site) refusals() models.Callback {
	s.t.Helper()
	s.wallet("anna", 57500)
	s.call(bet("anna", "b-1", "round-1", 500), 0)
	s.call(win("anna", "w-1", "round-1", 500), 0)
	_, err := s.Store.SyncGames(s.t.Context(), models.System, models.GameSync{At: s.Now()},
		[]models.OfferedGame{{GameID: "vs20bells", Name: "Ancient Bells"}})
	require.NoError(s.t, err)
	poor := s.call(bet("anna", refusedID, "round-2", 100000), 6)
	s.call(bet("anna", refusedID, "round-2", 100000), 6)
	s.call(bet("anna", "b-3", "round-3", 7500), 0)
	return poor
}

func TestSearchFindsEverything(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.refusals()
		s.wallet("gabriela", 0)
		s.wallet("Annika", 0)
		s.openAndGrant("anna")
		sofia := s.signedIn("sofia", models.Support)
		search := func(text string) *answer { return sofia.get("/search?q=" + url.QueryEscape(text)) }
		player := func(user models.UserID) string {
			p, found, err := s.Store.Player(t.Context(), user)
			require.NoError(t, err)
			require.True(t, found)
			return pages.PlayerPath(p.ID)
		}
		require.Equal(t, player("gabriela"), search("ABRI").location)
		two := search("ann")
		require.Equal(t, []string{"Ann", "ann"},
			two.Find("section[aria-label=Players] mark").Map(func(_ int, m *goquery.Selection) string { return m.Text() }),
			"what matches is marked")
		for _, text := range []string{refusedID, refusedID[:8], "ada7af…a32c", "ada7af...a32c", "ADA7AF…A32C"} {
			found := search(text)
			require.True(t, strings.HasPrefix(found.location, "/callbacks/"), "%s: %s", text, found.text)
		}
		for _, text := range []string{"b-1", "B-1"} {
			require.Equal(t, pages.TransactionPath(s.transaction("b-1").ID), search(text).location, text)
		}
		sessions, _, err := s.Store.GameSessions(t.Context(), models.GameSessionFilter{Limit: 1})
		require.NoError(t, err)
		require.NotEmpty(t, sessions)
		require.Equal(t, pages.NewGameSessionRow(sessions[0]).Href, search("session 1").location)

		none := search("ancint bels")
		require.Equal(t, http.StatusOK, none.status)
		require.Contains(t, none.Find("section").Text(), "Did you mean")
		require.Contains(t, sofia.get("/search?q=nothing+of+the+sort").Find(".pb-empty").Text(), "No results for")
		require.Contains(t, sofia.get("/search/matches?q=ancint+bels").Find("[role=option]").Text(), "Ancient")

		s.signedIn("ann", models.Administrator)
		require.NotContains(t, search("ann").text, "administrator", "support may not read staff")
		require.Zero(t, sofia.get("/search/matches?kind=staff&q=ann").Find("[role=option]").Length())
	})
}

func TestSearchSaysHowManyMore(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		file := models.PlayerFile{}
		for i := range 30 {
			file.Players, file.Lines = append(file.Players,
				models.NewPlayer{UserID: models.UserID("p-" + strings.Repeat("x", i)), Currency: "EUR"}), append(file.Lines, i)
		}
		_, err := s.Store.ImportPlayers(t.Context(), models.System, file, nil)
		require.NoError(t, err)
		sofia := s.signedIn("sofia", models.Support)
		require.Contains(t, sofia.get("/search?q=P-").Find(".card-header").Text(), "10 more")
		list := sofia.get("/search/matches?q=p-x")
		require.Contains(t, list.Find("h2").Text(), "24 more")
		require.Equal(t, "/search?q=p-x", list.Find("#m-all").AttrOr("href", ""))
	})
}

func TestEmptySearchShowsWhatWasViewed(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		poor := s.refusals()
		sofia := s.signedIn("sofia", models.Support)
		require.Contains(t, sofia.get("/search").Find(".pb-empty").Text(), "Nothing viewed yet")
		p, _, err := s.Store.Player(t.Context(), "anna")
		require.NoError(t, err)
		sofia.get(pages.PlayerPath(p.ID))
		sofia.get(pages.TransactionPath(s.transaction("b-1").ID))
		sofia.get(pages.CallbackPath(poor))
		hrefs := sofia.get("/search").Find(".pb-found a").
			Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
		require.Equal(t, []string{pages.CallbackPath(poor), pages.TransactionPath(s.transaction("b-1").ID),
			pages.PlayerPath(p.ID)}, hrefs)
		require.Equal(t, 3, sofia.get("/search/matches?q=").Find("[role=option]").Length())
		require.Zero(t, sofia.get("/search/matches?kind=player&q=").Find("[role=option]").Length(),
			"a picker shows nothing before something is typed")
		other := s.signedIn("olga", models.Support)
		require.Zero(t, other.get("/search").Find(".pb-found a").Length(), "nobody sees what others viewed")
	})
}

func TestRefusedBetsAreListed(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		poor := s.refusals()
		p, _, err := s.Store.Player(t.Context(), "anna")
		require.NoError(t, err)
		sofia := s.signedIn("sofia", models.Support)
		page := sofia.get(pages.PlayerPath(p.ID))
		requireNothingInline(t, page)
		rows := page.Find("section[aria-label='Latest transactions'] tbody tr")
		require.Equal(t, 5, rows.Length(),
			"three transactions, the opening, and one refused bet, which the platform sent twice")
		row := rows.Eq(1)
		require.Contains(t, row.Text(), "needed 1,000.00, had 575.00")
		require.Contains(t, row.Text(), "Refused")
		require.Regexp(t, `^Your bet of 1,000\.00 EUR on .* at .* \(UTC\) was not accepted, because your balance was 575\.00 EUR at that moment\. Nothing was taken from your balance\.$`, row.Find("[data-copy]").Last().AttrOr("data-copy", ""))
		facts := page.Find(".pb-facts").Text()
		require.Contains(t, facts, "Refused today")
		require.Contains(t, facts, "1 bet")
		require.Equal(t, 4, sofia.get(pages.PlayerPath(p.ID)+"?refused=hide").
			Find("section[aria-label='Latest transactions'] tbody tr").Length())
		today := page.Find(".pb-facts a[href*='refused=only']").AttrOr("href", "")
		require.Equal(t, 1, sofia.get(today).Find("tbody tr").Length())
		tab := page.Find("a[href^='/transactions?player-number='][href$='&refused=with']").First().AttrOr("href", "")
		require.Equal(t, 5, sofia.get(tab).Find("tbody tr").Length(), "on the player's page the filter is on")

		for query, want := range map[string]int{
			"": 4, "?refused=with": 5, "?refused=only": 1, "?refused=only+": 1, "?refused=only&player=anna": 1, "?refused=with&kind=win": 1,
			"?refused=with&kind=bet": 3, "?refused=with&state=applied": 4,
			"?refused=with&bet-from=1000": 1, "?refused=only&bet-to=999": 0, "?refused=only&round=round-2": 1,
			"?refused=with&id=ada7af…a32c": 1, "?id=ada7af…a32c": 0,
			"?id=b-": 2, "?id=b-…3": 1, "?id=b-1": 1, "?refused=with&id=" + refusedID[:6]: 1, "?id=": 4,
			"?id=b-&player=anna&refused=with": 2,
		} {
			list := sofia.get("/transactions" + query)
			require.Equal(t, http.StatusOK, list.status, list.text)
			requireNothingInline(t, list)
			require.Equal(t, want, list.Find("tbody tr").Length(), query)
		}
		for query, want := range map[string]int{"?id=ada7af…a32c": 2, "?id=b-": 2, "?id=b-&player=anna&result=refused": 0,
			"?id=" + refusedID[:5] + "&result=6": 2} {
			require.Equal(t, want, sofia.get("/callbacks"+query).Find("tbody tr").Length(), query)
		}
		none := sofia.get("/transactions?id=ada7af…a32c").Find(".pb-empty a[href^='/search']").AttrOr("href", "")
		require.NotEmpty(t, none)
		require.Contains(t, sofia.get(none).location, "/callbacks/", "the search finds the refused bet")
		callback := sofia.get(pages.CallbackPath(poor))
		require.Contains(t, callback.Find("section[aria-label='For the player']").Text(), "Your bet of 1,000.00 EUR")
		require.Contains(t, callback.Find(".pb-facts").Text(), "575.00 EURneeded 1,000.00, had 575.00")

		require.NoError(t, s.Store.SetBlocked(t.Context(), models.Actor{Name: "sofia"}, "anna", true, "asked to"))
		s.call(bet("anna", "b-4", "r-4", 100), 1)
		blocked := sofia.get(pages.PlayerPath(p.ID)).Find("section[aria-label='Latest transactions'] tbody tr").First()
		require.Contains(t, blocked.Text(), "the player was blocked")
		require.Contains(t, blocked.Find("[data-copy]").Last().AttrOr("data-copy", ""),
			"bets were not possible on your account")
	})
}

// TestEachRefusedBetIsOnOnePage pages through transactions with refused bets between them, in both directions.
func TestEachRefusedBetIsOnOnePage(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.wallet("anna", 1000000)
		want := 1
		for i := range 120 {
			id := "n" + string(rune('a'+i/26)) + string(rune('a'+i%26))
			s.call(bet("anna", "b-"+id, "r", 1), 0)
			want++
			if i%7 == 0 {
				s.call(bet("anna", "x-"+id, "r", 1<<40), 6)
				want++
			}
		}
		sofia := s.signedIn("sofia", models.Support)
		for _, way := range []string{"next", "prev"} {
			seen := map[string]int{}
			path := "/transactions?player=anna&refused=with"
			if way == "prev" {
				last := path
				for last != "" {
					path, last = last, sofia.get(last).Find("a[rel=next]").AttrOr("href", "")
				}
			}
			for path != "" {
				page := sofia.get(path)
				page.Find("tbody tr td.c-what a").Each(func(_ int, a *goquery.Selection) { seen[a.AttrOr("href", "")]++ })
				path = page.Find("a[rel="+way+"]").AttrOr("href", "")
			}
			require.Len(t, seen, want, way)
			for href, times := range seen {
				require.Equal(t, 1, times, href)
			}
		}
	})
}

// TestWhyWasMyBetRefused is support's journey, with scripts and without: find the bet by the short form of its ID, see what was
// missing, and copy the answer for the player.
func TestWhyWasMyBetRefused(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"scripts": true, "no scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := sqliteSite(t)
			s.refusals()
			s.wallet("gabriela", 0)
			s.wallet("hannah", 0)
			s.openAndGrant("anna")
			s.hire("sofia", models.Support)
			tab := browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.signInTab(tab, "sofia")
			if scripts {
				tab.Fill("[data-jump]", "ABRI")
				tab.WaitText("#jump-list [role=option]", "gabriela")
				require.Equal(t, "abri", tab.Text("#jump-list mark"))
			}
			tab.Fill("[data-jump]", "ada7af…a32c")
			tab.Press("\r")
			tab.WaitText("section[aria-label='For the player']", "was not accepted, because your balance was 575.00 EUR")
			tab.RequireFine("refused-bet-" + name)
			p, _, err := s.Store.Player(t.Context(), "anna")
			require.NoError(t, err)
			tab.Go(s.base.String() + pages.PlayerPath(p.ID))
			require.Contains(t, tab.Text("section[aria-label='Latest transactions']"), "needed 1,000.00, had 575.00")
			tab.RequireFine("player-refused-" + name)
			for page, path := range map[string]string{
				"transactions-refused": "/transactions?player=anna&refused=with", "search-recent": "/search",
				"search-found": "/search?q=an", "search-meant": "/search?q=ancint+bels",
			} {
				tab.Go(s.base.String() + path)
				tab.RequireFine(page + "-" + name)
			}
			if scripts {
				tab.Go(s.base.String() + "/players")
				tab.Press("/")
				tab.WaitText("#jump-list", "Recently viewed")
				require.Empty(t, tab.Axe())
				tab.Screenshot("search-box-empty")
				tab.Press("\ue015")
			}
			require.Empty(t, tab.Errors())
		})
	}
}
