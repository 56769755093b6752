package app

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// hostileNames are user IDs and other IDs that a platform could send.
var hostileNames = []models.UserID{
	"anna", `"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, "{{.Reader.PasswordHash}}", "\u202Eevil",
	"a/../b?c=d&e#f", "олександр.ш",
	models.UserID(strings.Repeat("w", 200)),
}

// book books operations of the platform.
func (s *site) book(ops ...models.Operation) {
	s.t.Helper()
	for _, op := range ops {
		op.Source = models.SourcePlatform
		result, err := s.Store.Apply(s.t.Context(), op)
		require.NoError(s.t, err)
		require.Contains(s.t, []models.Decline{models.None, models.Duplicate}, result.Decline)
	}
}

func bet(user models.UserID, id, round string, amount models.Amount) models.Operation {
	return models.Operation{Kind: models.Bet, UserID: user, TransactionID: models.TransactionID(id),
		RoundID: models.RoundID(round), Bet: amount}
}

func win(user models.UserID, id, round string, amount models.Amount) models.Operation {
	return models.Operation{Kind: models.Win, UserID: user, TransactionID: models.TransactionID(id),
		RoundID: models.RoundID(round), Win: amount}
}

func betWin(user models.UserID, id, round string, bet, win models.Amount) models.Operation {
	return models.Operation{Kind: models.BetWin, UserID: user, TransactionID: models.TransactionID(id),
		RoundID: models.RoundID(round), Bet: bet, Win: win}
}

func freeSpin(user models.UserID, id, round string, stake models.Amount) models.Operation {
	return models.Operation{Kind: models.Bet, FreeSpin: true, UserID: user, TransactionID: models.TransactionID(id),
		RoundID: models.RoundID(round), Bet: stake}
}

func rollback(user models.UserID, id string) models.Operation {
	return models.Operation{Kind: models.Rollback, UserID: user, TransactionID: models.TransactionID(id)}
}

func (s *site) wallet(user models.UserID, balance models.Amount) models.Player {
	s.t.Helper()
	p, err := s.Store.CreatePlayer(s.t.Context(), models.Actor{Name: "tester"},
		models.NewPlayer{UserID: user, Currency: "EUR", Balance: balance})
	require.NoError(s.t, err)
	return p
}

// story gives a player everything that pages can show: rounds won, lost and void, free spins, and a bet that was repeated with
// other contents.
func (s *site) story(user models.UserID) models.Player {
	p := s.wallet(user, 10000)
	id := func(n int) string {
		return fmt.Sprintf("%d-%s", n, strings.ToValidUTF8(string(user)[:min(len(user), 30)], ""))
	}
	s.book(
		bet(user, id(1), id(100), 500), win(user, id(2), id(100), 1250), // won
		bet(user, id(3), id(101), 2500),                        // lost, or open
		bet(user, id(4), id(102), 1000), rollback(user, id(4)), // void
		betWin(user, id(5), id(103), 200, 500), betWin(user, id(6), id(104), 200, 0), // in one
		freeSpin(user, id(7), id(105), 50), win(user, id(8), id(105), 120),
		freeSpin(user, id(9), id(106), 50), rollback(user, id(9)),
		win(user, id(10), id(107), 300), // without a bet
	)
	changed := bet(user, id(1), id(100), 501)
	s.book(changed)
	return p
}

// cameAgain adds a callback to the log that repeats the first bet of a story with other contents.
func (s *site) cameAgain(p models.Player) {
	changed := bet(p.UserID, fmt.Sprintf("1-%s", p.UserID), "another", 502)
	changed.Receipt = &models.Receipt{RequestID: models.RequestID{Received: s.Now(), Number: p.ID}}
	s.book(changed)
}

// openAndGrant opens a game for a player and grants them 20 free spins on it.
func (s *site) openAndGrant(user models.UserID) models.Grant {
	s.t.Helper()
	ctx, by := s.t.Context(), models.Actor{Name: "bruno"}
	_, err := s.Store.SyncGames(ctx, by, models.GameSync{At: s.Now()},
		[]models.OfferedGame{{GameID: "vs20ember", Name: "Book of <b>Ember</b>"}})
	require.NoError(s.t, err)
	game, _, err := s.Store.Game(ctx, "vs20ember")
	require.NoError(s.t, err)
	p, _, err := s.Store.Player(ctx, user)
	require.NoError(s.t, err)
	session := models.GameSession{At: s.Now(), PlayerID: p.ID, UserID: user, Game: game.Ref(), Language: "de",
		Reason: "the reels froze"}
	session.ID, err = s.Store.BeginGameSession(ctx, by, session)
	require.NoError(s.t, err)
	session.State = models.GameSessionOpened
	require.NoError(s.t, s.Store.EndGameSession(ctx, by, session))
	grant, err := s.Store.RequestGrant(ctx, by,
		models.GrantRequest{UserID: user, GameID: "vs20ember", Spins: 20, Role: models.Bonus})
	require.NoError(s.t, err)
	_, err = s.Store.SendGrant(ctx, grant.ID)
	require.NoError(s.t, err)
	grant, err = s.Store.AnswerGrant(ctx, by, grant.ID,
		models.GrantOutcome{State: models.GrantActive, FreeSpinID: models.FreeSpinID("fs-" + string(user))})
	require.NoError(s.t, err)
	return grant
}

func TestPlayers(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		for _, name := range hostileNames {
			s.wallet(name, 1234567)
		}
		_, err := s.Store.CreatePlayer(t.Context(), models.System,
			models.NewPlayer{UserID: "test-try", Currency: "TRY", Test: true})
		require.NoError(t, err)
		sofia := s.signedIn("sofia", models.Support)
		page := sofia.get("/players")
		require.Equal(t, len(hostileNames)+1, page.Find("tbody tr").Length())
		require.Equal(t, "12,345.67EUR", page.Find("tbody tr").First().Find(".amt").Text())
		require.Equal(t, 1, sofia.get("/players?q=ann").Find("tbody tr").Length())
		require.Zero(t, sofia.get("/players?q=Ann").Find("tbody tr").Length())
		require.Equal(t, "test-try", sofia.get("/players?kind=test").Find("tbody .c-what bdi").Text())
		require.Equal(t, "test-try", sofia.get("/players?currency=TRY&state=free").Find("tbody .c-what bdi").Text())
		require.Zero(t, sofia.get("/players?state=blocked").Find("tbody tr").Length())
		require.Contains(t, sofia.get("/players?state=blocked").Find(".pb-chip b").Text(), "Blocked")

		for _, name := range hostileNames {
			found := sofia.get("/search?q=" + url.QueryEscape(string(name)))
			require.Equal(t, http.StatusSeeOther, found.status, name)
			require.True(t, strings.HasPrefix(found.location, "/players/"), "the whole ID leads straight there")
		}
	})
}

func TestPlayerPages(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		sofia := s.signedIn("sofia", models.Support)
		for _, name := range hostileNames {
			p := s.story(name)
			for _, path := range []string{"", "/ledger", "/free-spins", "/sessions", "/history", "/block"} {
				page := sofia.get(pages.PlayerPath(p.ID) + path)
				require.Equal(t, http.StatusOK, page.status, page.text)
				requireNothingInline(t, page)
				require.Zero(t, page.Find("img").Length())
			}
			page := sofia.get(pages.PlayerPath(p.ID))
			require.Equal(t, directionShown(string(name)), page.Find("h1 bdi").Text())
			require.Equal(t, "87.70 EUR", strings.TrimSpace(page.Find(".pb-facts dd.big").Contents().First().Text()))
			for _, path := range []string{"/transactions?player=", "/rounds?player="} {
				list := sofia.get(path + url.QueryEscape(string(name)))
				require.NotZero(t, list.Find("tbody tr").Length(), list.text)
				requireNothingInline(t, list)
			}
			ledger := sofia.get(pages.PlayerPath(p.ID) + "/ledger")
			require.Equal(t, "Wallet opened", ledger.Find("tbody tr").Last().Find(".c-what").Text())
			spins := sofia.get(pages.PlayerPath(p.ID) + "/free-spins")
			require.Equal(t, 3, spins.Find("section").Last().Find("tbody tr").Length())
			require.Contains(t, spins.Find("tbody").Text(), "no grant explains it")
		}
		p := s.wallet("dora", 1000)
		grant := s.openAndGrant(p.UserID)
		s.book(freeSpin(p.UserID, "spun", "spun", 50), win(p.UserID, "spun-won", "spun", 120))
		require.NoError(t, s.Store.AttributeSpins(t.Context(), p.ID, false))
		page := sofia.get(pages.PlayerPath(p.ID))
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
		both := sofia.get(pages.PlayerPath(p.ID))
		require.Contains(t, both.Find(".pb-facts").Text(), "24 left", "of both grants")
		require.Equal(t, 2, both.Find("[aria-label='Free spins'] .pb-spins").Length(), "both are shown")
		require.NotContains(t, both.Find("[aria-label='Free spins']").Text(), "open grants")
		require.Contains(t, page.Find("[aria-label='Games opened by staff']").Text(), "Book of <b>Ember</b>")
		require.Equal(t, "/sessions/new?game-number=1", page.Find("[aria-label='Test the last game'] a").AttrOr("href", ""))
		require.Contains(t, sofia.get(pages.PlayerPath(p.ID)+"/sessions").Find("tbody").Text(), "the reels froze")
		spins := sofia.get(pages.PlayerPath(p.ID) + "/free-spins")
		require.Equal(t, web.PathOf("/free-spins", grant.ID),
			spins.Find("[aria-label='Free-spin ledger'] [data-label=Grant] a").AttrOr("href", ""))
		require.Contains(t, spins.Find("[aria-label=Grants] tbody").Text(), "1.20EUR")
		spin := sofia.get(pages.TransactionPath(s.transaction("spun").ID))
		require.Contains(t, spin.Find(".pb-time").Text(), "attributed to grant")
		require.Contains(t, spin.Find(".pb-time").Text(), "Game opened: Book of <b>Ember</b>, in German")
		require.Contains(t, spin.Find("[aria-label=Related]").Text(), "inferred")
		require.Equal(t, http.StatusNotFound, sofia.get("/players/99999").status)
		require.Equal(t, http.StatusBadRequest, sofia.get("/players/1/ledger?after=x").status)
	})
}

// TestViewsOfPlayers views a player's pages: a view is recorded once per hour and session, and polling records none.
func TestViewsOfPlayers(t *testing.T) {
	s := sqliteSite(t)
	p := s.story("anna")
	sofia, chloe := s.signedIn("sofia", models.Support), s.signedIn("chloe", models.Compliance)
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
	polling := sofia.request(http.MethodGet, pages.PlayerPath(p.ID), nil)
	polling.Header.Set("Pitboss-Live", "true")
	require.Equal(t, http.StatusOK, sofia.send(polling).status)
	require.Zero(t, viewed())
	sofia.get(pages.PlayerPath(p.ID))
	sofia.get(pages.PlayerPath(p.ID) + "/ledger")
	sofia.get("/transactions?player=anna")
	require.Equal(t, 1, viewed())
	chloe.get("/rounds?player=anna")
	require.Equal(t, 2, viewed())
	s.later(10 * time.Minute)
	sofia.get(pages.PlayerPath(p.ID))
	require.Equal(t, 2, viewed())
	history := chloe.get(pages.PlayerPath(p.ID) + "/history")
	require.Equal(t, "Viewed the player", history.Find("tbody tr").First().Find("[data-label=What]").Text())
	require.Equal(t, "198.51.100.1", history.Find("tbody tr").First().Find("[data-label=From]").Text())
}

func TestBlockPlayer(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p := s.story("anna")
		sofia, bruno := s.signedIn("sofia", models.Support), s.signedIn("bruno", models.Bonus)
		require.Zero(t, bruno.get(pages.PlayerPath(p.ID)).Find("a[href$='/block']").Length())
		block := pages.PlayerPath(p.ID) + "/block"
		require.Equal(t, 1, sofia.get(pages.PlayerPath(p.ID)).Find("a[href='"+block+"']").Length())

		refused := sofia.post(block, block, url.Values{"reason": {" "}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.status)
		require.Contains(t, refused.Find(".invalid-feedback").Text(), "Enter a reason")
		long := strings.Repeat("x", 501)
		refused = sofia.post(block, block, url.Values{"reason": {long}})
		require.Equal(t, long, refused.Find("input[name=reason]").AttrOr("value", ""))

		done := sofia.post(block, block, url.Values{"reason": {"asked <b>us</b> to"}})
		require.Equal(t, pages.PlayerPath(p.ID), done.location)
		page := sofia.get(pages.PlayerPath(p.ID))
		require.Contains(t, page.Find("h1").Text(), "Blocked")
		require.Contains(t, page.Find(".pb-note").Text(), "“asked <b>us</b> to”")
		require.Contains(t, page.Find(".pb-flash").Text(), "anna is blocked")
		result, err := s.Store.Apply(t.Context(),
			models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: "anna", TransactionID: "x", RoundID: "x",
				Bet: 1})
		require.NoError(t, err)
		require.Equal(t, models.PlayerBlocked, result.Decline)

		again := sofia.post("/account", block, url.Values{"reason": {"twice"}})
		require.Equal(t, pages.PlayerPath(p.ID), again.location)
		require.Contains(t, sofia.get(pages.PlayerPath(p.ID)).Find(".pb-flash").Text(), "is already blocked")

		unblock := pages.PlayerPath(p.ID) + "/unblock"
		require.Equal(t, http.StatusSeeOther, sofia.post(unblock, unblock, url.Values{"reason": {"asked again"}}).status)
		page = sofia.get(pages.PlayerPath(p.ID))
		require.Contains(t, page.Find("h1").Text(), "May play")
		history := sofia.get(pages.PlayerPath(p.ID) + "/history")
		require.Contains(t, history.Find("tbody").Text(), "Unblocked the player: asked again")
		require.Contains(t, history.Find("tbody").Text(), "blocked: no → yes")
	})
}

// The page says who blocked a player, however often it was viewed since.
func TestBlockedLongAgo(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p := s.punter("anna", false)
		require.NoError(t, s.Store.SetBlocked(t.Context(), models.Actor{Name: "stan"}, "anna", true, "asked us to"))
		for i := range 201 {
			viewer := models.Actor{Name: "viewer-" + strconv.Itoa(i), Channel: models.ChannelBrowser}
			require.NoError(t, s.Store.NoteView(t.Context(), viewer, "player", strconv.FormatInt(p.ID, 10)))
		}
		sofia := s.signedIn("sofia", models.Support)
		require.Contains(t, text(sofia.get(pages.PlayerPath(p.ID)), "section[aria-label=Blocked]"), "Blocked by stan on")
		history := pages.PlayerPath(p.ID) + "/history"
		require.NotContains(t, text(sofia.get(history), "tbody"), "Blocked")
		require.Contains(t, text(sofia.get(history+"?views=no"), "tbody"), "Blocked the player: asked us to")
	})
}

func TestCreatePlayer(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		sofia := s.signedIn("sofia", models.Support)
		for name, form := range map[string]url.Values{
			"no user ID": {"user": {""}, "currency": {"EUR"}}, "no currency": {"user": {"x"}, "currency": {"euro"}},
			"too long": {"user": {strings.Repeat("x", 256)}, "currency": {"EUR"}},
		} {
			t.Run(name, func(t *testing.T) {
				refused := sofia.post("/players/new", "/players", form)
				require.Equal(t, http.StatusUnprocessableEntity, refused.status)
				require.NotEmpty(t, refused.Find(".invalid-feedback").Text())
			})
		}
		s.punter("anna", false)
		for name, doubtful := range map[string][3]string{
			"a space":          {"<i>new</i> one", "EUR", "IDs rarely have: U+003C '<', U+003E '>', U+002F '/', a space"},
			"another case":     {"Anna", "EUR", "There is a player “anna”"},
			"another currency": {"bert", "EUX", "No player has the currency EUX."},
		} {
			asked := sofia.post("/players/new", "/players", url.Values{"user": {doubtful[0]}, "currency": {doubtful[1]}})
			require.Equal(t, http.StatusUnprocessableEntity, asked.status, name)
			require.Contains(t, text(asked, ".pb-note"), doubtful[2], name)
			require.Equal(t, 1, asked.Find("input[name=sure]").Length(), name)
			require.Equal(t, doubtful[0], asked.Find("input[name=user]").AttrOr("value", ""), name)
		}
		plain := sofia.post("/players/new", "/players", url.Values{"user": {"bert-2.a_b@c:d"}, "currency": {"EUR"}})
		require.Equal(t, http.StatusSeeOther, plain.status, plain.text)
		made := sofia.post("/players/new", "/players", url.Values{"user": {"<i>new</i>"}, "currency": {"EUR"}, "test": {"yes"},
			"balance": {"100.00"}, "sure": {"yes"}})
		require.Equal(t, http.StatusSeeOther, made.status, made.text)
		page := sofia.get(made.location)
		require.Equal(t, "<i>new</i>", page.Find("h1 bdi").Text())
		require.Contains(t, page.Find("h1").Text(), "Test player")
		require.Contains(t, page.Find("dd.big").Text(), "0.00 EUR")
		again := sofia.post("/players/new", "/players", url.Values{"user": {"<i>new</i>"}, "currency": {"EUR"}})
		require.Contains(t, again.Find(".invalid-feedback").Text(), "already")
	})
}

// upload sends a file to the first step of an import.
func (b *browser) upload(name, content string) *answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(b.t, form.WriteField("csrf", b.token("/players/imports/new")))
	part, err := form.CreateFormFile("file", name)
	require.NoError(b.t, err)
	_, err = part.Write([]byte(content))
	require.NoError(b.t, err)
	require.NoError(b.t, form.Close())
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.site.base.String()+"/players/imports/preview",
		&body)
	require.NoError(b.t, err)
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Origin", b.site.base.String())
	return b.send(request)
}

func TestImportPlayers(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.wallet("taken", 100)
		sofia := s.signedIn("sofia", models.Support)
		count := func() int { return sofia.get("/players").Find("tbody tr").Length() }

		bad := sofia.upload("new.csv", "user_id,currency\nanna,EUR\n,EUR\nbob,E\nanna,TRY\ntaken,EUR\n")
		require.Equal(t, http.StatusUnprocessableEntity, bad.status)
		require.Contains(t, bad.Find(".pb-note").Text(), "Nothing was imported")
		text := bad.Find("tbody").Text()
		for _, part := range []string{"an ID is 1 to 255 bytes", "three to eight capital letters", "is already in line 2",
			"exists already"} {
			require.Contains(t, text, part)
		}
		require.Zero(t, bad.Find("form[action='/players/imports']").Length())
		require.Contains(t, sofia.upload("new.csv", "user_id,currency\nanna,EUR\ntaken,EUR\n").Find("tbody").Text(),
			"exists already")
		require.Contains(t, sofia.upload("new.csv", "user_id,currency,balance\nanna,EUR,10.00\n").Find("tbody").Text(),
			"money is added by a correction")
		for content, want := range map[string]string{
			"": "header line", "id;currency\nanna;EUR\n": "none for user_id",
			"user_id,currency\n":                 "has no players",
			"user_id,currency,balance,balance\n": "two columns for balance",
			"user_id,currency\n" + strings.Repeat("x,EUR\n", models.MaxImportedPlayers+1): "at most 10000 players",
		} {
			refused := sofia.upload("new.csv", content)
			require.Equal(t, http.StatusUnprocessableEntity, refused.status)
			require.Contains(t, refused.Find(".invalid-feedback").Text(), want)
		}
		require.Equal(t, 1, count(), "nothing has been imported so far")

		var file strings.Builder
		file.WriteString("\ufeffnote,currency,user_id,balance\r\n")
		for i := range 1200 {
			fmt.Fprintf(&file, "\"a note, %d\",EUR,\"<b>p-%04d</b>\",0.00\r\n", i, i)
		}
		good := sofia.upload(`<b>"x".csv`, file.String())
		require.Equal(t, http.StatusOK, good.status, good.text)
		requireNothingInline(t, good)
		form := url.Values{}
		good.Find("form[action='/players/imports'] input").
			Each(func(_ int, input *selection) { form.Set(input.AttrOr("name", ""), input.AttrOr("value", "")) })
		require.Equal(t, "Import 1,200 players", good.Find("form[action='/players/imports'] .btn-primary").Text())
		done := sofia.post("/players", "/players/imports", form)
		require.Equal(t, "/players", done.location, done.text)
		require.Equal(t, "/players", sofia.post("/players", "/players/imports", form).location, "a second click")
		require.Contains(t, sofia.get("/players").Find(".pb-flash").Text(), "Imported 1,200 players")
		p, found, err := s.Store.Player(t.Context(), "<b>p-1199</b>")
		require.NoError(t, err)
		require.True(t, found)
		require.Zero(t, p.Wallet.Balance)

		require.Contains(t, sofia.upload("odd.csv", "user_id,currency\n1.23457E+15,EUR\n").Find("main").Text(),
			"“1.23457E+15” is how a spreadsheet shortens")
		doubtful := sofia.upload("odd.csv", "Player ID;Currency\nTAKEN;EUR\n1E+15;EUR\nnew;EUX\nré;EUR\n")
		require.Equal(t, http.StatusOK, doubtful.status, doubtful.text)
		for _, part := range []string{"Line 2: There is a player “taken”", "Line 3: “1E+15” is how a spreadsheet shortens",
			"Line 4: No player has the currency EUX.", "Line 5: “ré” has characters that IDs rarely have: U+00E9 'é'"} {
			require.Contains(t, doubtful.Find(".pb-note").Text(), part)
		}
		unsure := url.Values{"name": {"odd.csv"}, "content": {doubtful.Find("input[name=content]").AttrOr("value", "")}}
		asked := sofia.post("/players", "/players/imports", unsure)
		require.Equal(t, http.StatusUnprocessableEntity, asked.status)
		require.Contains(t, asked.Find("#sure-wrong").Text(), "Check these lines")
		unsure.Set("sure", "yes")
		sure := sofia.post("/players", "/players/imports", unsure)
		require.Equal(t, http.StatusSeeOther, sure.status, sure.Find("main").Text())

		form.Del("csrf")
		twice := sofia.post("/players", "/players/imports", form)
		require.Equal(t, http.StatusUnprocessableEntity, twice.status)
		require.Contains(t, twice.Find("tbody").Text(), "exists already")
		require.Equal(t, http.StatusUnprocessableEntity,
			sofia.post("/players", "/players/imports", url.Values{"content": {"%%%"}}).status)
	})
}

// The player's page shows the newest open grants, and links to the rest.
func TestOpenGrantsOfAPlayer(t *testing.T) {
	s := sqliteSite(t)
	g, anna := s.offer(), s.punter("anna", false)
	for range 3 {
		s.granted("anna", g, 2)
		s.later(time.Minute)
	}
	s.later(24 * time.Hour)
	s.granted("anna", g, 7)
	s.later(time.Second)
	one := s.granted("anna", g, 1)
	s.observe(one, models.StatusActive, 1) // all its spins are used, but the platform has not completed it
	page := s.signedIn("sofia", models.Support).get(pages.PlayerPath(anna.ID))
	require.Contains(t, text(page, ".pb-facts"), "13 left in 4 grants")
	card := page.Find("[aria-label='Free spins']")
	require.Equal(t, 3, card.Find(".pb-spins").Length())
	require.Contains(t, card.Find(".pb-spins").First().Text(), "left of 7")
	rest := card.Find("a:contains('All 4 open grants')").AttrOr("href", "")
	require.Equal(t, 5, s.signedIn("sonja", models.Support).get(rest).Find("[aria-label=Grants] tbody tr").Length())
	require.Contains(t, s.signedIn("sina", models.Support).get(web.PathOf("/free-spins", one.ID)).Find("h1").Parent().Text(),
		"Used up")
	sara := s.signedIn("sara", models.Support)
	for state, n := range map[string]int{"active": 4, "completed": 1} {
		require.Equal(t, n, sara.get("/free-spins?state="+state).
			Find("[aria-label=Grants] tbody tr, main table tbody tr").Length(), state)
	}
}
