// Package sessions has the pages of game sessions, which staff open.
package sessions

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/gamehosts"
	"pitboss/app/gamesession"
	"pitboss/app/pages"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Launcher *gamesession.Service // opens games
}

// Staff open games with a player's wallet. The form opens a new tab, which shows either the game or what went wrong.

// sessionState is what the State filter selects.
type sessionState struct {
	state models.GameSessionState
	now   bool // only sessions that are open now
}

var sessionStates = []web.Option[sessionState]{
	{Word: "All"},
	web.Offer("open", "Open now", sessionState{models.GameSessionOpened, true}),
	web.Offer("opened", "Opened", sessionState{state: models.GameSessionOpened}),
	web.Offer("failed", "Failed", sessionState{state: models.GameSessionFailed}),
	web.Offer("asked", "No answer recorded", sessionState{state: models.GameSessionRequested}),
}

// List lists the games that staff opened.
func (a *Area) List(c *fiber.Ctx) error { return a.Sessions().Serve(a.Site.Site, c, "sessions/list") }

type session = models.GameSession

// Sessions is the list of game sessions.
func (a *Area) Sessions() web.List[pages.PlayerList, session] {
	return web.List[pages.PlayerList, session]{
		Path: "/sessions", Title: "Sessions", Needs: web.ReadGameSessions, Select: a.selected, Load: pages.LoadHead[session](a.Site),
		Columns: []web.Column[pages.PlayerList, session]{
			{Name: "Number", Kind: export.Number, Value: func(s session) any { return s.ID }},
			{Head: "Time", Kind: export.Time, Order: web.ByTime, Value: func(s session) any { return s.At }},
			{Head: "Game", Class: "c-what c-name", Cell: func(_ *pages.PlayerList, s session) views.Cell {
				return views.Cell{Text: s.Game.Title(), Title: s.Game.Name, Href: web.PathOf("/sessions", s.ID)}
			}},
			{Head: "Player", Class: "c-who", Value: func(s session) any { return string(s.UserID) },
				When: func(p *pages.PlayerList) bool { return p.Player.ID == 0 },
				Cell: func(_ *pages.PlayerList, s session) views.Cell { return pages.PlayerCell(s.PlayerID, s.UserID) }},
			{Name: "Game ID", Value: func(s session) any { return string(s.Game.GameID) }},
			{Name: "Game", Value: func(s session) any { return s.Game.Name }},
			{Head: "Language", Value: func(s session) any { return s.Language }},
			{Head: "Opened by", Audience: export.Arbiter, Value: func(s session) any { return s.Actor }},
			{Head: "Reason", Class: "c-who", Audience: export.Arbiter, Value: func(s session) any { return s.Reason }},
			{Head: "Answer took", Class: "num", Cell: func(_ *pages.PlayerList, s session) views.Cell {
				return views.Cell{Text: pages.NewGameSessionRow(s).Took}
			}},
			{Head: "State", Value: func(s session) any { return s.State.String() },
				Badge: func(_ *pages.PlayerList, s session) views.Badge { return pages.NewGameSessionRow(s).Badge }},
			{Name: "Failure", Value: func(s session) any { return s.Failure }},
			{Name: "Answer took, ms", Kind: export.Number, Value: func(s session) any { return s.Latency.Milliseconds() }},
			{Name: "Address given, redacted", Value: func(s session) any { return s.GameURL }},
		},
	}
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *pages.PlayerList) (list models.Listing[session], err error) {
	player, err := a.PlayerOrTab(ctx, &page.Page, &page.PlayerHead)
	if err != nil {
		return list, err
	}
	game, err := a.GameFilter(ctx, &page.Page)
	filter := models.GameSessionFilter{PlayerID: player.ID, GameID: game.ID, Actor: page.TextFilter("staff", "Opened by")}
	filter.Span = page.Period(&page.Page)
	chosen := web.Choose(&page.Page, "state", "State", sessionStates)
	if filter.State = chosen.state; chosen.now {
		filter.OpenAt = page.Now
	}
	return models.List(filter, a.Store.GameSessions, models.GameSession.Place), err
}

type sessionPage struct {
	web.Page
	Session pages.GameSessionRow
	Moment  views.Moment
	Note    *views.Note // why the game did not open; nil if it did
	Spoken  string      // the name of the game's language
	Played  string      // the address of the player's transactions during the session
	Stream  *sessionStream
}

// Detail shows a game session with its callbacks.
func (a *Area) Detail(c *fiber.Ctx) error {
	s, err := web.Find(c, "session", a.Store.GameSession)
	if err != nil {
		return err
	}
	if err := a.Viewed(c, "game session", s.ID, s.PlayerID); err != nil {
		return err
	}
	page := &sessionPage{Page: a.Page(c, ""), Session: pages.NewGameSessionRow(s), Spoken: pages.LanguageNames[s.Language]}
	page.Moment = page.Time(s.At)
	page.Badges = []views.Badge{page.Session.Badge}
	switch s.State {
	case models.GameSessionFailed:
		page.Note = new(views.Warning("The game was not opened", web.Sentence(s.Failure)+" No money moved."))
	case models.GameSessionRequested:
		page.Note = new(views.Warning("No answer was recorded", "The platform has not answered yet, or Pitboss stopped before the answer "+
			"came. No money moved. You can safely open the game again."))
	}
	if s.State == models.GameSessionOpened && a.Opens(c, "/transactions") {
		until, err := a.Store.PlayedUntil(c.UserContext(), s)
		if err != nil {
			return err
		}
		if page.Stream, err = a.sessionStream(c, &page.Page, s, until); err != nil {
			return err
		}
		page.Played = "/transactions?" + pages.PlayerOf(s.PlayerID) + "&since=" +
			web.EscapeQuery(s.At.UTC().Format(time.RFC3339Nano)) + "&until=" +
			web.EscapeQuery(until.UTC().Format(time.RFC3339Nano))
	}
	return a.Render(c, "sessions/session", page)
}

type newSessionPage struct {
	web.Page
	Failure      string // why the platform did not open the game
	Player, Game views.Field
	Language     views.Select
	Launch       string          // identifies the form, so that its tab finds the session
	TestPlayers  []models.Player // some test players to choose from
}

// NewSessionForm shows the form for opening a game.
func (a *Area) NewSessionForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newSessionPage{Page: a.Page(c, ""), Failure: f.Wrong["launch"]}
	test := true
	found, err := a.Store.Players(c.UserContext(),
		models.PlayerFilter{Test: &test, Span: models.Span{Limit: web.LatestRows}})
	if err != nil {
		return err
	}
	page.TestPlayers = found.Rows
	if page.Player, _, _, err = a.PlayerFinder().Field(f, "player"); err != nil {
		return err
	}
	if page.Game, _, _, err = a.GameFinder().Field(f, "game"); err != nil {
		return err
	}
	if page.Launch = f.Text("launch"); !models.CheckLaunch(page.Launch) {
		page.Launch = rand.Text()
	}
	language := f.Text("language")
	if language == "" {
		language = "en"
	}
	page.Language = views.Select{ID: "f-language", Name: "language", Wrong: web.Sentence(f.Wrong["language"])}
	for _, code := range models.Languages {
		page.Language.Choices = append(page.Language.Choices,
			views.Choice{Value: code, Word: pages.LanguageNames[code], Chosen: code == language})
	}
	return a.RenderForm(c, !f.Ok(), "sessions/new", page)
}

// OpenGame opens a game and redirects the browser to it.
func (a *Area) OpenGame(c *fiber.Ctx) error {
	f := web.NewForm(c)
	_, player, _, err := a.PlayerFinder().Field(f, "player")
	if err != nil {
		return err
	}
	_, game, _, err := a.GameFinder().Field(f, "game")
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, "/sessions/new")
	}
	r := gamesession.Request{UserID: player.UserID, GameID: game.GameID, Language: f.Text("language")}
	if launch := f.Text("launch"); models.CheckLaunch(launch) {
		r.Launch = launch
	}
	address, _, err := a.Launcher.Launch(c.UserContext(), a.Actor(c), r)
	if err != nil {
		return a.refuseGame(c, f, err)
	}
	return a.redirectToGame(c, address)
}

// redirectToGame redirects the browser to an address from the platform if its host is one of the game hosts, because an answer
// from outside must not be able to send staff to any site. Plain HTTP is allowed only for games on this machine.
func (a *Area) redirectToGame(c *fiber.Ctx, address string) error {
	u, err := url.Parse(address)
	if err != nil || !gamehosts.Allow(a.GameHosts, u) {
		return web.ErrGameElsewhere
	}
	return c.Redirect(u.String(), fiber.StatusSeeOther)
}

// refuseGame shows why a game could not be opened: at the wrong field, or in the platform's words.
func (a *Area) refuseGame(c *fiber.Ctx, f *web.Form, err error) error {
	var e *platform.Error
	var frozen models.FrozenError
	switch {
	case errors.Is(err, models.ErrPlayerUnknown):
		f.Refuse("player", pages.NoSuchPlayer)
	case errors.Is(err, models.ErrPlayerRestricted):
		f.Refuse("player", "This player is restricted, so no game is opened. Choose another player.")
	case errors.As(err, &frozen):
		f.Refuse("game", web.Sentence(frozen.Error())+" The freeze is under Restrictions.")
	case errors.Is(err, models.ErrNotTestPlayer):
		f.Refuse("player", "This is not a test player: the game would be played with their own money. Choose a test player.")
	case errors.Is(err, models.ErrGameUnknown):
		f.Refuse("game", pages.NoGame)
	case errors.Is(err, models.ErrGameGone):
		f.Refuse("game", "The platform no longer offers this game.")
	case models.CheckLanguage(f.Text("language")) != nil:
		f.Refuse("language", "Choose a language.")
	case errors.As(err, &e):
		f.Refuse("launch", pages.FailureWords(err))
		return a.NewSessionForm(c)
	default:
		return err
	}
	return a.ShowAgain(c, f, "/sessions/new")
}

// FindSessions finds a session by its number, as in "session 12".
func (a *Area) FindSessions(ctx context.Context, text string, _ int) (models.Found[pages.Hit], error) {
	id, named := pages.NumberAfter(text, "session")
	if id == 0 {
		return models.Found[pages.Hit]{}, nil
	}
	found, there, err := a.Store.GameSession(ctx, id)
	h := SessionHit(found)
	h.Exact = named
	return pages.OneHit(h, there), err
}

// SessionHit returns a session as a search result.
func SessionHit(s models.GameSession) pages.Hit {
	row, number := pages.NewGameSessionRow(s), strconv.FormatInt(s.ID, 10)
	return pages.Hit{Text: s.Game.Title() + ", " + string(s.UserID), ID: views.ID{Text: number, Kind: "session"},
		Value: number,
		Href:  row.Href, State: &row.Badge}
}
