package players_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

func TestPlayers(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		for _, name := range apptest.HostileNames {
			s.PlayerWithBalance(name, 1234567)
		}
		_, err := s.Store.CreatePlayer(t.Context(), models.System,
			models.NewPlayer{UserID: "test-try", Currency: "TRY", Test: true})
		require.NoError(t, err)
		sofia := s.SignedIn("sofia", models.Support)
		page := sofia.Get("/players")
		require.Equal(t, len(apptest.HostileNames)+1, page.Find("tbody tr").Length())
		require.Equal(t, "12,345.67EUR", page.Find("tbody tr").First().Find(".amt").Text())
		require.Equal(t, 1, sofia.Get("/players?q=ann").Find("tbody tr").Length())
		require.Zero(t, sofia.Get("/players?q=Ann").Find("tbody tr").Length())
		require.Equal(t, "test-try", sofia.Get("/players?kind=test").Find("tbody .c-what bdi").Text())
		require.Equal(t, "test-try", sofia.Get("/players?currency=TRY&state=free").Find("tbody .c-what bdi").Text())
		require.Zero(t, sofia.Get("/players?state=blocked").Find("tbody tr").Length())
		require.Contains(t, sofia.Get("/players?state=blocked").Find(".pb-chip b").Text(), "Blocked")

		for _, name := range apptest.HostileNames {
			found := sofia.Get("/search?q=" + url.QueryEscape(string(name)))
			require.Equal(t, http.StatusSeeOther, found.Status, name)
			require.True(t, strings.HasPrefix(found.Location, "/players/"), "the whole ID leads straight there")
		}
	})
}

func TestPlayerPages(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		sofia := s.SignedIn("sofia", models.Support)
		for _, name := range apptest.HostileNames {
			p := s.PlayerWithHistory(name)
			for _, path := range []string{"", "/ledger", "/free-spins", "/sessions", "/history", "/block"} {
				page := sofia.Get(pages.PlayerPath(p.ID) + path)
				require.Equal(t, http.StatusOK, page.Status, page.Body)
				apptest.RequireNothingInline(t, page)
				require.Zero(t, page.Find("img").Length())
			}
			page := sofia.Get(pages.PlayerPath(p.ID))
			require.Equal(t, apptest.DirectionShown(string(name)), page.Find("h1 bdi").Text())
			require.Equal(t, "87.70 EUR", strings.TrimSpace(page.Find(".pb-facts dd.big").Contents().First().Text()))
			for _, path := range []string{"/transactions?player=", "/rounds?player="} {
				list := sofia.Get(path + url.QueryEscape(string(name)))
				require.NotZero(t, list.Find("tbody tr").Length(), list.Body)
				apptest.RequireNothingInline(t, list)
			}
			ledger := sofia.Get(pages.PlayerPath(p.ID) + "/ledger")
			require.Equal(t, "Wallet opened", ledger.Find("tbody tr").Last().Find(".c-what").Text())
			spins := sofia.Get(pages.PlayerPath(p.ID) + "/free-spins")
			require.Equal(t, 3, spins.Find("section").Last().Find("tbody tr").Length())
			require.Contains(t, spins.Find("tbody").Text(), "no grant explains it")
		}
		p := s.PlayerWithBalance("dora", 1000)
		grant := s.OpenGameAndGrant(p.UserID)
		s.Book(apptest.FreeSpin(p.UserID, "spun", "spun", 50), apptest.Win(p.UserID, "spun-won", "spun", 120))
		require.NoError(t, s.Store.AttributeSpins(t.Context(), p.ID, false))
		page := sofia.Get(pages.PlayerPath(p.ID))
		require.Contains(t, page.Find("[aria-label='Free spins']").Text(), "left of 20")
		require.Contains(t, page.Find(".pb-facts").Text(), "19 of 20 left")
		more, err := s.Store.RequestGrant(t.Context(), models.Actor{Name: "bruno"},
			models.GrantRequest{UserID: p.UserID, GameID: "vs20ember", Spins: 5, Role: models.Bonus})
		require.NoError(t, err)
		_, err = s.Store.SendGrant(t.Context(), more.ID)
		require.NoError(t, err)
		_, err = s.Store.AnswerGrant(t.Context(), models.Actor{Name: "bruno"}, more.ID,
			models.GrantOutcome{State: models.GrantActive, FreeSpinID: "fs-more"})
		require.NoError(t, err)
		both := sofia.Get(pages.PlayerPath(p.ID))
		require.Contains(t, both.Find(".pb-facts").Text(), "24 left", "of both grants")
		require.Equal(t, 2, both.Find("[aria-label='Free spins'] .pb-spins").Length(), "both are shown")
		require.NotContains(t, both.Find("[aria-label='Free spins']").Text(), "open grants")
		require.Contains(t, page.Find("[aria-label='Games opened by staff']").Text(), "Book of <b>Ember</b>")
		require.Equal(t, "/sessions/new?game-number=1", page.Find("[aria-label='Test the last game'] a").AttrOr("href", ""))
		require.Contains(t, sofia.Get(pages.PlayerPath(p.ID)+"/sessions").Find("tbody").Text(), "the reels froze")
		spins := sofia.Get(pages.PlayerPath(p.ID) + "/free-spins")
		require.Equal(t, web.PathOf("/free-spins", grant.ID),
			spins.Find("[aria-label='Free-spin ledger'] [data-label=Grant] a").AttrOr("href", ""))
		require.Contains(t, spins.Find("[aria-label=Grants] tbody").Text(), "1.20EUR")
		spin := sofia.Get(pages.TransactionPath(s.Transaction("spun").ID))
		require.Contains(t, spin.Find(".pb-time").Text(), "attributed to grant")
		require.Contains(t, spin.Find(".pb-time").Text(), "Game opened: Book of <b>Ember</b>, in German")
		require.Contains(t, spin.Find("[aria-label=Related]").Text(), "inferred")
		require.Equal(t, http.StatusNotFound, sofia.Get("/players/99999").Status)
		require.Equal(t, http.StatusBadRequest, sofia.Get("/players/1/ledger?after=x").Status)
	})
}

// TestViewsOfPlayers views a player's pages: a view is recorded once per hour and session, and polling records none.
func TestViewsOfPlayers(t *testing.T) {
	s := apptest.SqliteSite(t)
	p := s.PlayerWithHistory("anna")
	sofia, chloe := s.SignedIn("sofia", models.Support), s.SignedIn("chloe", models.Compliance)
	viewed := func() (n int) {
		events, _, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Object: "player", ObjectID: strconv.FormatInt(p.ID, 10), Limit: 100})
		require.NoError(t, err)
		for _, e := range events {
			if e.Action == "player viewed" {
				n++
			}
		}
		return n
	}
	polling := sofia.Request(http.MethodGet, pages.PlayerPath(p.ID), nil)
	polling.Header.Set("Pitboss-Live", "true")
	require.Equal(t, http.StatusOK, sofia.Send(polling).Status)
	require.Zero(t, viewed())
	sofia.Get(pages.PlayerPath(p.ID))
	sofia.Get(pages.PlayerPath(p.ID) + "/ledger")
	sofia.Get("/transactions?player=anna")
	require.Equal(t, 1, viewed())
	chloe.Get("/rounds?player=anna")
	require.Equal(t, 2, viewed())
	s.Later(10 * time.Minute)
	sofia.Get(pages.PlayerPath(p.ID))
	require.Equal(t, 2, viewed())
	history := chloe.Get(pages.PlayerPath(p.ID) + "/history")
	require.Equal(t, "Viewed the player", strings.TrimSpace(history.Find("tbody tr").First().Find("[data-label=What]").Text()))
	require.Equal(t, "198.51.100.1", history.Find("tbody tr").First().Find("[data-label='IP address']").Text())
}

func TestBlockPlayer(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p := s.PlayerWithHistory("anna")
		sofia, bruno := s.SignedIn("sofia", models.Support), s.SignedIn("bruno", models.Bonus)
		require.Zero(t, bruno.Get(pages.PlayerPath(p.ID)).Find("a[href$='/block']").Length())
		block := pages.PlayerPath(p.ID) + "/block"
		require.Equal(t, 1, sofia.Get(pages.PlayerPath(p.ID)).Find("a[href='"+block+"']").Length())

		refused := sofia.Post(block, block, url.Values{"reason": {" "}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
		require.Contains(t, refused.Find(".invalid-feedback").Text(), "Enter a reason")
		long := strings.Repeat("x", 501)
		refused = sofia.Post(block, block, url.Values{"reason": {long}})
		require.Equal(t, long, refused.Find("input[name=reason]").AttrOr("value", ""))

		done := sofia.Post(block, block, url.Values{"reason": {"asked <b>us</b> to"}})
		require.Equal(t, pages.PlayerPath(p.ID), done.Location)
		page := sofia.Get(pages.PlayerPath(p.ID))
		require.Contains(t, page.Find("h1").Text(), "Blocked")
		require.Contains(t, page.Find(".pb-note").Text(), "“asked <b>us</b> to”")
		require.Contains(t, page.Find(".pb-flash").Text(), "anna is blocked")
		result, err := s.Store.Apply(t.Context(),
			models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: "anna", TransactionID: "x", RoundID: "x",
				Bet: 1})
		require.NoError(t, err)
		require.Equal(t, models.PlayerBlocked, result.Decline)

		again := sofia.Post("/account", block, url.Values{"reason": {"twice"}})
		require.Equal(t, pages.PlayerPath(p.ID), again.Location)
		require.Contains(t, sofia.Get(pages.PlayerPath(p.ID)).Find(".pb-flash").Text(), "is already blocked")

		unblock := pages.PlayerPath(p.ID) + "/unblock"
		require.Equal(t, http.StatusSeeOther, sofia.Post(unblock, unblock, url.Values{"reason": {"asked again"}}).Status)
		page = sofia.Get(pages.PlayerPath(p.ID))
		require.Contains(t, page.Find("h1").Text(), "Active")
		history := sofia.Get(pages.PlayerPath(p.ID) + "/history")
		require.Contains(t, history.Find("tbody").Text(), "Unblocked the player: asked again")
		require.NotContains(t, history.Find("tbody").Text(), "blocked: no → yes", "support reads sentences, not fields")
	})
}

// The page says who blocked a player, however often it was viewed since.
func TestBlockedLongAgo(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p := s.NewPlayer("anna", false)
		require.NoError(t, s.Store.SetBlocked(t.Context(), models.Actor{Name: "stan"}, "anna", true, "asked us to"))
		for i := range 201 {
			viewer := models.Actor{Name: "viewer-" + strconv.Itoa(i), Channel: models.ChannelBrowser}
			require.NoError(t, s.Store.NoteView(t.Context(), viewer, "player", strconv.FormatInt(p.ID, 10)))
		}
		sofia := s.SignedIn("sofia", models.Support)
		require.Contains(t, apptest.TextOf(sofia.Get(pages.PlayerPath(p.ID)), "section[aria-label=Blocked]"),
			"Blocked by stan on")
		history := pages.PlayerPath(p.ID) + "/history"
		require.NotContains(t, apptest.TextOf(sofia.Get(history), "tbody"), "Blocked")
		require.Contains(t, apptest.TextOf(sofia.Get(history+"?views=no"), "tbody"), "Blocked the player: asked us to")
	})
}

func TestCreatePlayer(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		sofia := s.SignedIn("sofia", models.Support)
		for name, form := range map[string]url.Values{
			"no user ID": {"user": {""}, "currency": {"EUR"}}, "no currency": {"user": {"x"}, "currency": {"euro"}},
			"too long": {"user": {strings.Repeat("x", 256)}, "currency": {"EUR"}},
		} {
			t.Run(name, func(t *testing.T) {
				refused := sofia.Post("/players/new", "/players", form)
				require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
				require.NotEmpty(t, refused.Find(".invalid-feedback").Text())
			})
		}
		s.NewPlayer("anna", false)
		for name, doubtful := range map[string][3]string{
			"a space":          {"<i>new</i> one", "EUR", "IDs rarely have: U+003C '<', U+003E '>', U+002F '/', a space"},
			"another case":     {"Anna", "EUR", "There is a player “anna”"},
			"another currency": {"bert", "EUX", "No player has the currency EUX."},
		} {
			asked := sofia.Post("/players/new", "/players", url.Values{"user": {doubtful[0]}, "currency": {doubtful[1]}})
			require.Equal(t, http.StatusUnprocessableEntity, asked.Status, name)
			require.Contains(t, apptest.TextOf(asked, ".pb-note"), doubtful[2], name)
			require.Equal(t, 1, asked.Find("input[name=sure]").Length(), name)
			require.Equal(t, doubtful[0], asked.Find("input[name=user]").AttrOr("value", ""), name)
		}
		plain := sofia.Post("/players/new", "/players", url.Values{"user": {"bert-2.a_b@c:d"}, "currency": {"EUR"}})
		require.Equal(t, http.StatusSeeOther, plain.Status, plain.Body)
		made := sofia.Post("/players/new", "/players", url.Values{"user": {"<i>new</i>"}, "currency": {"EUR"}, "test": {"yes"},
			"balance": {"100.00"}, "sure": {"yes"}})
		require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
		page := sofia.Get(made.Location)
		require.Equal(t, "<i>new</i>", page.Find("h1 bdi").Text())
		require.Contains(t, page.Find("h1").Text(), "Test player")
		require.Contains(t, page.Find("dd.big").Text(), "0.00 EUR")
		again := sofia.Post("/players/new", "/players", url.Values{"user": {"<i>new</i>"}, "currency": {"EUR"}})
		require.Contains(t, again.Find(".invalid-feedback").Text(), "already")
	})
}

func TestImportPlayers(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithBalance("taken", 100)
		sofia := s.SignedIn("sofia", models.Support)
		count := func() int { return sofia.Get("/players").Find("tbody tr").Length() }

		bad := sofia.Upload("new.csv", "user_id,currency\nanna,EUR\n,EUR\nbob,E\nanna,TRY\ntaken,EUR\n")
		require.Equal(t, http.StatusUnprocessableEntity, bad.Status)
		require.Contains(t, bad.Find(".pb-note").Text(), "Nothing was imported")
		text := bad.Find("tbody").Text()
		for _, part := range []string{"an ID is 1 to 255 bytes", "three to eight capital letters", "is already in line 2",
			"exists already"} {
			require.Contains(t, text, part)
		}
		require.Zero(t, bad.Find("form[action='/players/imports']").Length())
		require.Contains(t, sofia.Upload("new.csv", "user_id,currency\nanna,EUR\ntaken,EUR\n").Find("tbody").Text(),
			"exists already")
		require.Contains(t, sofia.Upload("new.csv", "user_id,currency,balance\nanna,EUR,10.00\n").Find("tbody").Text(),
			"money is added by a correction")
		for content, want := range map[string]string{
			"": "header line", "id;currency\nanna;EUR\n": "none for user_id",
			"user_id,currency\n":                 "has no players",
			"user_id,currency,balance,balance\n": "two columns for balance",
			"user_id,currency\n" + strings.Repeat("x,EUR\n", models.MaxImportedPlayers+1): "at most 10000 players",
		} {
			refused := sofia.Upload("new.csv", content)
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
			require.Contains(t, refused.Find(".invalid-feedback").Text(), want)
		}
		require.Equal(t, 1, count(), "nothing has been imported so far")

		var file strings.Builder
		file.WriteString("\ufeffnote,currency,user_id,balance\r\n")
		for i := range 1200 {
			fmt.Fprintf(&file, "\"a note, %d\",EUR,\"<b>p-%04d</b>\",0.00\r\n", i, i)
		}
		good := sofia.Upload(`<b>"x".csv`, file.String())
		require.Equal(t, http.StatusOK, good.Status, good.Body)
		apptest.RequireNothingInline(t, good)
		form := url.Values{}
		good.Find("form[action='/players/imports'] input").
			Each(func(_ int, input *apptest.Selection) { form.Set(input.AttrOr("name", ""), input.AttrOr("value", "")) })
		require.Equal(t, "Import 1,200 players", good.Find("form[action='/players/imports'] .btn-primary").Text())
		done := sofia.Post("/players", "/players/imports", form)
		require.Equal(t, "/players", done.Location, done.Body)
		require.Equal(t, "/players", sofia.Post("/players", "/players/imports", form).Location, "a second click")
		require.Contains(t, sofia.Get("/players").Find(".pb-flash").Text(), "Imported 1,200 players")
		p, found, err := s.Store.Player(t.Context(), "<b>p-1199</b>")
		require.NoError(t, err)
		require.True(t, found)
		require.Zero(t, p.Wallet.Balance)

		require.Contains(t, sofia.Upload("odd.csv", "user_id,currency\n1.23457E+15,EUR\n").Find("main").Text(),
			"“1.23457E+15” is how a spreadsheet shortens")
		doubtful := sofia.Upload("odd.csv", "Player ID;Currency\nTAKEN;EUR\n1E+15;EUR\nnew;EUX\nré;EUR\n")
		require.Equal(t, http.StatusOK, doubtful.Status, doubtful.Body)
		for _, part := range []string{"Line 2: There is a player “taken”", "Line 3: “1E+15” is how a spreadsheet shortens",
			"Line 4: No player has the currency EUX.", "Line 5: “ré” has characters that IDs rarely have: U+00E9 'é'"} {
			require.Contains(t, doubtful.Find(".pb-note").Text(), part)
		}
		unsure := url.Values{"name": {"odd.csv"}, "content": {doubtful.Find("input[name=content]").AttrOr("value", "")}}
		asked := sofia.Post("/players", "/players/imports", unsure)
		require.Equal(t, http.StatusUnprocessableEntity, asked.Status)
		require.Contains(t, asked.Find("#sure-wrong").Text(), "Check these lines")
		unsure.Set("sure", "yes")
		sure := sofia.Post("/players", "/players/imports", unsure)
		require.Equal(t, http.StatusSeeOther, sure.Status, sure.Find("main").Text())

		form.Del("csrf")
		twice := sofia.Post("/players", "/players/imports", form)
		require.Equal(t, http.StatusUnprocessableEntity, twice.Status)
		require.Contains(t, twice.Find("tbody").Text(), "exists already")
		require.Equal(t, http.StatusUnprocessableEntity,
			sofia.Post("/players", "/players/imports", url.Values{"content": {"%%%"}}).Status)
	})
}

// The player's page shows the newest open grants, and links to the rest.
func TestOpenGrantsOfAPlayer(t *testing.T) {
	s := apptest.SqliteSite(t)
	g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
	for range 3 {
		s.Grant("anna", g, 2)
		s.Later(time.Minute)
	}
	s.Later(24 * time.Hour)
	s.Grant("anna", g, 7)
	s.Later(time.Second)
	one := s.Grant("anna", g, 1)
	s.ObserveGrant(one, models.StatusActive, 1) // all its spins are used, but the platform has not completed it
	page := s.SignedIn("sofia", models.Support).Get(pages.PlayerPath(anna.ID))
	require.Contains(t, apptest.TextOf(page, ".pb-facts"), "13 left in 4 grants")
	card := page.Find("[aria-label='Free spins']")
	require.Equal(t, 3, card.Find(".pb-spins").Length())
	require.Contains(t, card.Find(".pb-spins").First().Text(), "left of 7")
	rest := card.Find("a:contains('All 4 open grants')").AttrOr("href", "")
	require.Equal(t, 5, s.SignedIn("sonja", models.Support).Get(rest).Find("[aria-label=Grants] tbody tr").Length())
	require.Contains(t, s.SignedIn("sina", models.Support).Get(web.PathOf("/free-spins", one.ID)).Find("h1").Parent().Text(),
		"Used up")
	sara := s.SignedIn("sara", models.Support)
	for state, n := range map[string]int{"active": 4, "completed": 1} {
		require.Equal(t, n, sara.Get("/free-spins?state="+state).
			Find("[aria-label=Grants] tbody tr, main table tbody tr").Length(), state)
	}
}
