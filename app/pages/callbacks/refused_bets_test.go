package callbacks_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestRefusedBetsAreListed(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		poor := s.PlayerWithRefusedBet()
		p, _, err := s.Store.Player(t.Context(), "anna")
		require.NoError(t, err)
		sofia := s.SignedIn("sofia", models.Support)
		page := sofia.Get(pages.PlayerPath(p.ID))
		apptest.RequireNothingInline(t, page)
		rows := page.Find("section[aria-label='Latest transactions'] tbody tr")
		require.Equal(t, 5, rows.Length(),
			"three transactions, the opening, and one refused bet, which the platform sent twice")
		row := rows.Eq(1)
		require.Contains(t, row.Text(), "needed 1,000.00, had 575.00")
		require.Contains(t, row.Text(), "Refused")
		require.Contains(t, sofia.Get(row.Find(".pb-tell a[href$='#answer']").AttrOr("href", "")).Find("#answer textarea").Text(),
			"Your bet of 1,000.00 EUR")
		facts := page.Find(".pb-facts").Text()
		require.Contains(t, facts, "Refused today")
		require.Contains(t, facts, "1 bet")
		today := sofia.Get(page.Find(".pb-facts a[href*='result=bets']").AttrOr("href", ""))
		require.Equal(t, 2, today.Find("tbody tr").Length(), "the callback log shows repetitions, too")
		require.Contains(t, today.Find("tbody tr").First().Find(".pb-tell").Text(), "needed 1,000.00, had 575.00")

		for query, want := range map[string]int{
			"": 4, "?id=ada7af…a32c": 0, "?id=b-": 0, "?id=b-1": 1, "?id=": 4, "?id=b-1&player=anna": 1,
		} {
			list := sofia.Get("/transactions" + query)
			require.Equal(t, http.StatusOK, list.Status, list.Body)
			apptest.RequireNothingInline(t, list)
			require.Equal(t, want, list.Find("tbody tr").Length(), query)
		}
		for query, want := range map[string]int{"?id=" + apptest.RefusedID: 2, "?id=b-": 0,
			"?id=b-1&player=anna&result=refused": 0,
			"?result=bets":                       2, "?result=bets&player=anna": 2, "?result=bets&endpoint=betwin": 0,
			"?id=" + apptest.RefusedID + "&result=6": 2} {
			require.Equal(t, want, sofia.Get("/callbacks"+query).Find("tbody tr").Length(), query)
		}
		farid := s.SignedIn("farid", models.Finance)
		for _, list := range []string{"/callbacks", pages.PlayerPath(p.ID) + "/callbacks"} {
			header, cells, _ := farid.Download(list+"?result=bets", export.CSV)
			require.Len(t, cells, 2)
			require.Equal(t, "1000.00 with 575.00", cells[0][slices.Index(header, "Amount")]+" with "+
				cells[0][slices.Index(header, "Balance before")])
		}
		none := sofia.Get("/transactions?id=ada7af…a32c").Find(".pb-empty a[href^='/search']").AttrOr("href", "")
		require.NotEmpty(t, none)
		require.Contains(t, sofia.Get(none).Location, "/callbacks/", "the search finds the refused bet")
		callback := sofia.Get(pages.CallbackPath(poor))
		told := callback.Find("#answer textarea").Text()
		require.Regexp(t,
			`^Your bet of 1,000\.00 EUR on .*, .* \(UTC\) was not accepted, because your balance was 575\.00 EUR at that moment\. Nothing was taken from your balance\.\n\nlumen\.example$`, told)
		require.Equal(t, told, callback.Find("#answer [data-copy]").AttrOr("data-copy", ""), "what is copied is what is shown")

		// Anna reads Turkish and lives in Istanbul. Support chooses that once, and every page about her knows it.
		form, back := callback.Find("#answer details form").AttrOr("action", ""), pages.CallbackPath(poor)
		choice := url.Values{"language": {"xx"}, "zone": {"Europe/Istanbul"}, "back": {back}}
		require.Equal(t, back, sofia.Post(back, form, choice).Location)
		require.Contains(t, sofia.Get(back).Find("[role=status]").Text(), "Choose one of the languages")
		choice.Set("language", "tr")
		require.Equal(t, back+"#answer", sofia.Post(back, form, choice).Location)
		bruno, chloe := s.SignedIn("bruno", models.Bonus), s.SignedIn("chloe", models.Administrator)
		require.Contains(t, bruno.Get(back).Find("#answer textarea[lang=tr]").Text(), "(UTC+03:00) tarihli 1.000,00 EUR tutarındaki bahsiniz")
		require.Equal(t, "Europe/Istanbul", bruno.Get(back).Find("#answer [name=zone]").AttrOr("value", ""))
		require.Zero(t, chloe.Get(back).Find("#answer form").Length(), "administrators do not answer players")
		require.Equal(t, http.StatusForbidden, chloe.Post(back, form, choice).Status)
		set, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: "player language set", Span: models.Span{Limit: 5}})
		require.NoError(t, err)
		require.Len(t, set.Rows, 1)
		choice.Set("language", "en")
		choice.Set("zone", "UTC")
		require.Equal(t, back+"#answer", sofia.Post(back, form, choice).Location)
		require.Contains(t, callback.Find(".pb-facts").Text(), "575.00 EURneeded 1,000.00, had 575.00")

		storetest.Restrict(t, s.Store, "anna")
		s.Callback(apptest.Bet("anna", "b-4", "r-4", 100), 1)
		blocked := sofia.Get(pages.PlayerPath(p.ID)).Find("section[aria-label='Latest transactions'] tbody tr").First()
		require.Contains(t, blocked.Text(), "the player was restricted")
		require.Contains(t, sofia.Get(blocked.Find(".pb-tell a").AttrOr("href", "")).Find("#answer textarea").Text(),
			"bets were not possible on your account")
	})
}

// TestWhyWasMyBetRefused is support's work, with and without scripts: find a bet by the shortened form of its ID, see what was
// missing, and copy the answer for the player.
func TestWhyWasMyBetRefused(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"scripts": true, "no scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			s.PlayerWithRefusedBet()
			s.PlayerWithBalance("gabriela", 0)
			s.PlayerWithBalance("hannah", 0)
			s.OpenGameAndGrant("anna")
			s.Hire("sofia", models.Support)
			tab := browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(tab, "sofia")
			if scripts {
				tab.Fill("[data-jump]", "ABRI")
				tab.WaitText("#jump-list [role=option]", "gabriela")
			}
			tab.Fill("[data-jump]", "ada7af…a32c")
			tab.Press("\r")
			tab.WaitText("#answer", "For the player")
			require.Contains(t, tab.Value("#answer textarea"), "was not accepted, because your balance was 575.00 EUR")
			if scripts {
				tab.Click("#answer [data-copy]")
				tab.WaitText("body > [role=status]", "opied")
			}
			tab.RequireFine("refused-bet-" + name)
			p, _, err := s.Store.Player(t.Context(), "anna")
			require.NoError(t, err)
			tab.Go(s.Base.String() + pages.PlayerPath(p.ID))
			require.Contains(t, tab.Text("section[aria-label='Latest transactions']"), "Refused: balance")
			tab.Click("section[aria-label='Latest transactions'] summary")
			tab.WaitText("section[aria-label='Latest transactions']", "needed 1,000.00, had 575.00")
			tab.RequireFine("player-refused-" + name)
			for page, path := range map[string]string{
				"callbacks-refused": "/callbacks?player=anna&result=bets", "search-empty": "/search",
				"search-found": "/search?q=an", "search-meant": "/search?q=ancint+bels",
			} {
				tab.Go(s.Base.String() + path)
				tab.RequireFine(page + "-" + name)
			}
			if scripts {
				tab.Go(s.Base.String() + "/players")
				tab.Press("/")
				tab.WaitText("#jump-list", "Type at least three characters")
				require.Empty(t, tab.Axe())
				tab.Screenshot("search-box-empty")
				tab.Press("\ue015")
			}
			require.Empty(t, tab.Errors())
		})
	}
}
