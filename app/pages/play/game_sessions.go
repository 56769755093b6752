package play

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/gamesession"
	"pitboss/app/platform"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Games opened by staff with a player's wallet. The form is sent into a new tab, which either becomes the game or says what
// went wrong.

const gameSessionRows = 50

type sessionsPage struct {
	web.Page
	Player, Game, Staff views.Field
	Dates               web.Dates
	States              []views.Choice
	Rows                []things.GameSessionRow
	Paging              views.Paging
	Empty               views.Empty
}

var sessionStates = map[string]models.GameSessionState{"opened": models.GameSessionOpened, "failed": models.GameSessionFailed,
	"asked": models.GameSessionAsked}

func (a *Area) GameSessions(c *fiber.Ctx) error {
	page := &sessionsPage{Page: a.Page(c, "Sessions")}
	page.Lede = "Games that staff opened with a player’s wallet. Newest first."
	page.Saveable = true
	launch := page.Can(web.LaunchTest)
	if launch {
		page.Actions = []views.Link{{Word: "Open a game", Href: "/sessions/new", Icon: "play", Main: true}}
	}
	filter, wrong, err := a.gameSessionFilter(c, page)
	if err != nil {
		return err
	}
	var list []models.GameSession
	more := false
	if wrong == nil {
		if list, more, err = a.Store.GameSessions(c.UserContext(), filter); err != nil {
			return err
		}
	}
	for _, s := range list {
		page.Rows = append(page.Rows, things.NewGameSessionRow(s))
	}
	if n := len(list); n > 0 {
		page.Paging = page.Around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	page.Empty = views.Empty{Title: "No game was opened so",
		Text:  "Nobody has opened a game with this player, game, staff and state.",
		Links: []views.Link{{Word: "Show all sessions", Href: "/sessions", Main: true}}}
	if len(page.Chips) == 0 {
		page.Empty = views.Empty{Title: "No game has been opened yet",
			Text: "A game is opened with a test player’s wallet, so that what it does can be seen here."}
		if launch {
			page.Empty.Links = []views.Link{{Word: "Open a game", Href: "/sessions/new", Main: true}}
		}
	}
	if wrong != nil {
		page.Empty = *wrong
	}
	return a.Render(c, "sessions/list", page)
}

// gameSessionFilter reads the list's filters. What cannot be read, or names nobody and no game, is said in place of the list.
func (a *Area) gameSessionFilter(c *fiber.Ctx,
	page *sessionsPage) (filter models.GameSessionFilter, wrong *views.Empty, err error) {
	player, game := page.Filter("player", "Player", nil), page.Filter("game", "Game ID", nil)
	filter = models.GameSessionFilter{Actor: page.Filter("staff", "Opened by", nil), Limit: gameSessionRows}
	var state string
	state, page.States = page.Choice("state", "State",
		[]string{"", "All", "opened", "Opened", "failed", "Failed", "asked", "No answer recorded"})
	filter.State = sessionStates[state]
	page.Player = views.Field{ID: "f-player", Label: "Player", Name: "player", Value: player, Picker: "player"}
	page.Game = views.Field{ID: "f-game", Label: "Game ID", Name: "game", Value: game, Picker: "game"}
	page.Staff = views.Field{ID: "f-staff", Label: "Opened by", Name: "staff", Value: filter.Actor}
	page.Dates = page.DatesFilter()
	filter.Since, filter.Until = page.Dates.Since, page.Dates.Until
	if filter.Page, err = page.Place(); err != nil {
		return filter, nil, err
	}
	there, err := a.FindPlayerAndGame(c, player, game, &filter.PlayerID, &filter.GameID)
	if !there {
		wrong = &views.Empty{
			Title: "No game was opened so", Text: "There is no such player or game. IDs are compared letter for letter.",
			Links: []views.Link{{Word: "Show all sessions", Href: "/sessions", Main: true}},
		}
	}
	return filter, cmp.Or(page.Unread(), wrong), err
}

type sessionPage struct {
	web.Page
	Session things.GameSessionRow
	Facts   []views.Fact
	Note    *views.Note
	Played  string // leads to what the player played while it lasted
	Stream  *sessionStream
}

func (a *Area) GameSession(c *fiber.Ctx) error {
	id, err := web.Number(c, "id")
	if err != nil {
		return web.NotFound("session")
	}
	s, found, err := a.Store.GameSession(c.UserContext(), id)
	if err == nil && !found {
		err = web.NotFound("session")
	}
	if err != nil {
		return err
	}
	if err := a.Viewed(c, "game session", s.ID); err != nil {
		return err
	}
	page := &sessionPage{Page: a.Page(c, s.Game.Title()+" for "+string(s.UserID)),
		Session: things.NewGameSessionRow(s)}
	page.Crumbs = []views.Crumb{{Word: "Sessions", Href: "/sessions"}, {Word: strconv.FormatInt(s.ID, 10)}}
	page.Badges = []views.Badge{page.Session.Badge}
	answered := "not recorded"
	if page.Session.Took != "" {
		answered = "in " + page.Session.Took
	}
	page.Facts = []views.Fact{
		{Label: "Asked for", Moment: page.Time(s.At), Note: "by " + s.Actor},
		{Label: "Language", Value: things.LanguageNames[s.Language], Note: s.Language},
		{Label: "Platform answered", Value: answered},
	}
	if s.State == models.GameSessionOpened && a.Opens(c, "/transactions") {
		until, err := a.Store.PlayedUntil(c.UserContext(), s)
		if err != nil {
			return err
		}
		if page.Stream, err = a.sessionStream(c, &page.Page, s, until); err != nil {
			return err
		}
		page.Played = "/transactions?player=" + web.EscapeQuery(string(s.UserID)) + "&since=" +
			web.EscapeQuery(s.At.UTC().Format(time.RFC3339Nano)) + "&until=" +
			web.EscapeQuery(until.UTC().Format(time.RFC3339Nano))
	}
	switch s.State {
	case models.GameSessionFailed:
		page.Note = &views.Note{Kind: "wait", Icon: "warning", Title: "The game was not opened",
			Text: web.Sentence(s.Failure) + " No money moved by it."}
	case models.GameSessionAsked:
		page.Note = &views.Note{Kind: "wait", Icon: "warning", Title: "No answer was recorded",
			Text: "The platform is being asked, or the program ended before its answer. No money moved by it; opening the " +
				"game again is safe."}
	}
	return a.Render(c, "sessions/session", page)
}

type newSessionPage struct {
	web.Page
	Note                 *views.Note
	Player, Game, Reason views.Field
	Language             views.Select
	Launch               string          // names this form, by which its tab finds the session
	TestPlayers          []models.Player // some of them, to choose from
	AnyOne               bool            // the reader may open games for players who are no test players
}

func (a *Area) NewSessionForm(c *fiber.Ctx) error { return a.showNewSession(c, web.NewForm(c), nil) }

func (a *Area) showNewSession(c *fiber.Ctx, f *web.Form, note *views.Note) error {
	page := &newSessionPage{Page: a.Page(c, "Open a game"), Note: note}
	page.Crumbs = []views.Crumb{{Word: "Sessions", Href: "/sessions"}, {Word: "Open a game"}}
	page.Lede = "The game opens in a new tab and plays with the wallet of the player you choose. This tab then shows its " +
		"callbacks."
	var err error
	page.AnyOne = page.Can(web.LaunchReal)
	test := true
	if page.TestPlayers, _, err = a.Store.Players(c.UserContext(),
		models.PlayerFilter{Test: &test, Limit: web.LatestRows}); err != nil {
		return err
	}
	page.Player = f.Field(views.Field{Label: "Player", Name: "player", Value: page.Params.Get("player"), Required: true,
		Picker: "player", Hint: "A test player’s user ID. Type the beginning to search."})
	page.Game = f.Field(views.Field{Label: "Game", Name: "game", Value: page.Params.Get("game"), Required: true,
		Picker: "game", Hint: "Its game ID. Type part of its name to search."})
	page.Reason = f.Field(views.Field{Label: "Reason", Name: "reason", Autocomplete: "off",
		Hint: "Needed unless this is a test player. The audit log keeps it."})
	if page.Launch = f.Text("launch"); !models.CheckLaunch(page.Launch) {
		page.Launch = rand.Text()
	}
	language := f.Text("language")
	if language == "" {
		language = "en"
	}
	page.Language = views.Select{ID: "f-language", Label: "Language", Name: "language",
		Wrong: web.Sentence(f.Wrong["language"])}
	for _, code := range models.Languages {
		page.Language.Choices = append(page.Language.Choices,
			views.Choice{Value: code, Word: things.LanguageNames[code], Chosen: code == language})
	}
	if !f.Ok() || note != nil {
		return a.Refused(c, "sessions/new", page)
	}
	return a.Render(c, "sessions/new", page)
}

// OpenGame opens a game and sends the browser there. For a player who is no test player it shows first what that means, and
// asks for the reader's password.
func (a *Area) OpenGame(c *fiber.Ctx) error {
	f := web.NewForm(c)
	anyOne := web.May(web.ReaderOf(c).Role, web.LaunchReal)
	r := gamesession.Request{UserID: models.UserID(f.Text("player")), GameID: models.GameID(f.Text("game")),
		Language: f.Text("language"), Reason: f.Text("reason"), AnyOne: anyOne}
	if launch := f.Text("launch"); models.CheckLaunch(launch) {
		r.Launch = launch
	}
	player, found, err := a.Store.Player(c.UserContext(), r.UserID)
	if err != nil {
		return err
	}
	if found && !player.Test && anyOne && r.Reason != "" {
		confirmed := f.Text("confirmed") == "yes"
		if confirmed {
			if err := a.Confirm(c, f); err != nil {
				return err
			}
		}
		if !confirmed || !f.Ok() {
			return a.Again(c, f, "/sessions/new/confirm")
		}
	}
	address, _, err := a.Launcher.Launch(c.UserContext(), a.Actor(c), r)
	if err != nil {
		return a.refuseGame(c, f, err)
	}
	return a.RedirectToGame(c, address)
}

// refuseGame says at which field a game could not be opened, or what the platform had against it.
func (a *Area) refuseGame(c *fiber.Ctx, f *web.Form, err error) error {
	var e *platform.Error
	switch {
	case errors.Is(err, models.ErrPlayerUnknown):
		f.Refuse("player", "There is no player with this user ID. IDs are compared letter for letter.")
	case errors.Is(err, models.ErrPlayerBlocked):
		f.Refuse("player", "This player is blocked. Unblock the player first, or choose another.")
	case errors.Is(err, models.ErrNotTestPlayer):
		f.Refuse("player", "This is no test player: the game would be played with their own money, which your role may not "+
			"do. Choose a test player.")
	case errors.Is(err, models.ErrReasonMissing):
		f.Refuse("reason", "This is no test player: the game is played with their own money. Say why.")
	case errors.Is(err, models.ErrGameUnknown):
		f.Refuse("game", "There is no game with this ID. Choose one from the list that appears as you type, or look under "+
			"Games.")
	case errors.Is(err, models.ErrGameGone):
		f.Refuse("game", "The platform no longer offers this game.")
	case models.CheckLanguage(f.Text("language")) != nil:
		f.Refuse("language", "Choose a language.")
	case errors.As(err, &e):
		return a.showNewSession(c, f, &views.Note{
			Kind: "wait", Icon: "warning", Title: "The platform did not open the game",
			Text: things.FailureWords(err) +
				" No money moved. Try again; if it is refused again, the platform’s support can tell why by the time and " +
				"the player.",
		})
	default:
		return err
	}
	return a.Again(c, f, "/sessions/new")
}

// RealPlayerConfirmation asks to confirm that a game is opened with a player's own money.
func (a *Area) RealPlayerConfirmation(c *fiber.Ctx) error {
	f := web.NewForm(c)
	r := gamesession.Request{UserID: models.UserID(f.Text("player")), GameID: models.GameID(f.Text("game")),
		Language: f.Text("language"), Reason: f.Text("reason")}
	back, err := a.Unchanged(c, f, "/sessions/new")
	if err != nil {
		return err
	}
	player, found, err := a.Store.Player(c.UserContext(), r.UserID)
	if err != nil {
		return err
	}
	if !found || player.Test || r.Reason == "" {
		return c.Redirect(back, fiber.StatusSeeOther)
	}
	page := &web.DeedPage{Page: a.Page(c, "Open a game as a real player")}
	page.Crumbs = []views.Crumb{
		{Word: "Sessions", Href: "/sessions"}, {Word: "Open a game", Href: "/sessions/new"}, {Word: "Confirm"},
	}
	g, _, err := a.Store.Game(c.UserContext(), r.GameID)
	if err != nil {
		return err
	}
	name := g.Ref().Title()
	if name == "" {
		name = string(r.GameID)
	}
	page.Deed = views.Deed{
		Sentence: "Open " + name + " with the own money of " + string(player.UserID) + ".",
		Consequences: "Whatever you bet there is taken from the player’s balance, now " + player.Wallet.Balance.Grouped() +
			" " + string(player.Wallet.Currency) +
			", and whatever you win is paid to it. It stands in the audit log under your name.",
		Notes:  []string{"Reason: " + r.Reason},
		Action: "/sessions", Button: "Open it as " + string(player.UserID), Back: views.Link{Word: "Change", Href: back},
		Hidden: []views.Hidden{{Name: "player", Value: string(r.UserID)}, {Name: "game", Value: string(r.GameID)},
			{Name: "language", Value: r.Language}, {Name: "reason", Value: r.Reason},
			{Name: "launch", Value: f.Text("launch")}, {Name: "confirmed", Value: "yes"}},
	}
	if page.Deed.Password, err = a.ConfirmField(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Refused(c, "sessions/confirm", page)
	}
	return a.Render(c, "sessions/confirm", page)
}

// FindSessions finds a session by its number, as in "session 12".
func (a *Area) FindSessions(ctx context.Context, text string, _ int) (models.Found[things.Hit], error) {
	id, named := things.NumberAfter(text, "session")
	if id == 0 {
		return models.Found[things.Hit]{}, nil
	}
	found, there, err := a.Store.GameSession(ctx, id)
	h := SessionHit(found)
	h.Exact = named
	return things.OneHit(h, there), err
}

// SessionHit shows a session that was searched for.
func SessionHit(s models.GameSession) things.Hit {
	row, number := things.NewGameSessionRow(s), strconv.FormatInt(s.ID, 10)
	return things.Hit{Text: s.Game.Title() + ", " + string(s.UserID), ID: views.ID{Text: number, Kind: "session"},
		Value: number,
		Href:  row.Href, State: &row.Badge}
}
