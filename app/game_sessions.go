package app

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/gamesession"
	"pitboss/app/platform"
	"pitboss/models"
	"pitboss/views"
)

// Games opened by staff with a player's wallet. The form is sent into a new tab, which either becomes the game or says what
// went wrong.

const gameSessionRows = 50

// languageNames are the languages of the specification (Platform API rule 3) as staff know them. "kr" is what the platform
// calls Korean.
var languageNames = map[string]string{
	"en": "English", "fr": "French", "de": "German", "it": "Italian", "kr": "Korean", "tr": "Turkish", "pt": "Portuguese",
	"id": "Indonesian",
	"es": "Spanish", "zh": "Chinese", "uk": "Ukrainian", "ru": "Russian",
}

type gameSessionRow struct {
	models.GameSession
	Href, PlayerHref, GameHref string
	Badge                      views.Badge
	Took                       string
}

func newGameSessionRow(s models.GameSession) gameSessionRow {
	row := gameSessionRow{
		GameSession: s, Href: pathOf("/sessions", s.ID), PlayerHref: pathOf("/players", s.PlayerID),
		GameHref: pathOf("/games", s.Game.ID), Badge: views.Quiet("Opened"),
	}
	if s.Latency > 0 {
		row.Took = lasted(s.Latency)
	}
	switch s.State {
	case models.GameSessionAsked:
		row.Badge = views.Waiting("No answer recorded")
	case models.GameSessionFailed:
		row.Badge = views.Refused("Failed")
	}
	return row
}

type sessionsPage struct {
	Page
	Player, Game, Staff views.Field
	Since, Until        views.Field
	States              []views.Choice
	Rows                []gameSessionRow
	Paging              views.Paging
	Empty               views.Empty
}

var sessionStates = map[string]models.GameSessionState{"opened": models.GameSessionOpened, "failed": models.GameSessionFailed,
	"asked": models.GameSessionAsked}

func (a *App) gameSessions(c *fiber.Ctx) error {
	page := &sessionsPage{Page: a.page(c, "Sessions")}
	page.Lede = "Games that staff opened with a player’s wallet. Newest first."
	page.Saveable = true
	launch, err := page.Can(launchTest)
	if err != nil {
		return err
	}
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
		page.Rows = append(page.Rows, newGameSessionRow(s))
	}
	if n := len(list); n > 0 {
		page.Paging = page.around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
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
	return a.render(c, "sessions/list", page)
}

// gameSessionFilter reads the list's filters. What cannot be read, or names nobody and no game, is said in place of the list.
func (a *App) gameSessionFilter(c *fiber.Ctx,
	page *sessionsPage) (filter models.GameSessionFilter, wrong *views.Empty, err error) {
	player, game, state := page.filter("player", "Player", nil), page.filter("game", "Game ID", nil),
		page.filter("state", "State", nil)
	filter = models.GameSessionFilter{Actor: page.filter("staff", "Opened by", nil), State: sessionStates[state],
		Limit: gameSessionRows}
	page.Player = views.Field{ID: "f-player", Label: "Player", Name: "player", Value: player, Picker: "player"}
	page.Game = views.Field{ID: "f-game", Label: "Game ID", Name: "game", Value: game, Picker: "game"}
	page.Staff = views.Field{ID: "f-staff", Label: "Opened by", Name: "staff", Value: filter.Actor}
	page.States = choices(state, "", "All", "opened", "Opened", "failed", "Failed", "asked", "No answer recorded")
	page.Since, page.Until = page.filterField("since", "Since"), page.filterField("until", "Until")
	refuse := func(err error) {
		if err != nil {
			e := unread(err, &page.Page)
			wrong = &e
		}
	}
	var bad error
	filter.Since, bad = page.timeFilter("since", "Since")
	refuse(bad)
	filter.Until, bad = page.timeFilter("until", "Until")
	refuse(bad)
	if filter.Page, err = page.place(); err != nil {
		return filter, nil, err
	}
	there, err := a.findPlayerAndGame(c, player, game, &filter.PlayerID, &filter.GameID)
	if !there {
		wrong = &views.Empty{
			Title: "No game was opened so", Text: "There is no such player or game. IDs are compared letter for letter.",
			Links: []views.Link{{Word: "Show all sessions", Href: "/sessions", Main: true}},
		}
	}
	return filter, wrong, err
}

// findPlayerAndGame turns the platform's names in a filter into our numbers, and reports whether there are such things at all.
// That a player's data is looked at is recorded.
func (a *App) findPlayerAndGame(c *fiber.Ctx, player, game string, playerID, gameID *int64) (there bool, err error) {
	if player != "" {
		p, found, err := a.Store.Player(c.UserContext(), models.UserID(player))
		if err != nil || !found {
			return false, err
		}
		*playerID = p.ID
		if err := a.viewed(c, "player", p.ID); err != nil {
			return false, err
		}
	}
	if game != "" {
		g, found, err := a.Store.Game(c.UserContext(), models.GameID(game))
		if err != nil || !found {
			return false, err
		}
		*gameID = g.ID
	}
	return true, nil
}

type sessionPage struct {
	Page
	Session gameSessionRow
	Facts   []views.Fact
	Note    *views.Note
	Played  string // leads to what the player played while it lasted
	Stream  *sessionStream
}

func (a *App) gameSession(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return notFound("session")
	}
	s, found, err := a.Store.GameSession(c.UserContext(), id)
	if err == nil && !found {
		err = notFound("session")
	}
	if err != nil {
		return err
	}
	if err := a.viewed(c, "game session", s.ID); err != nil {
		return err
	}
	page := &sessionPage{Page: a.page(c, gameName(s.Game)+" for "+string(s.UserID)), Session: newGameSessionRow(s)}
	page.Crumbs = []views.Crumb{{Word: "Sessions", Href: "/sessions"}, {Word: strconv.FormatInt(s.ID, 10)}}
	page.Badges = []views.Badge{page.Session.Badge}
	answered := "not recorded"
	if page.Session.Took != "" {
		answered = "in " + page.Session.Took
	}
	page.Facts = []views.Fact{
		{Label: "Asked for", Moment: page.Time(s.At), Note: "by " + s.Actor},
		{Label: "Language", Value: languageNames[s.Language], Note: s.Language},
		{Label: "Platform answered", Value: answered},
	}
	if s.State == models.GameSessionOpened && a.opens(c, "/transactions") {
		until, err := a.Store.PlayedUntil(c.UserContext(), s)
		if err != nil {
			return err
		}
		if page.Stream, err = a.sessionStream(c, &page.Page, s, until); err != nil {
			return err
		}
		page.Played = "/transactions?player=" + escapeQuery(string(s.UserID)) + "&since=" +
			escapeQuery(s.At.UTC().Format(time.RFC3339Nano)) + "&until=" + escapeQuery(until.UTC().Format(time.RFC3339Nano))
	}
	switch s.State {
	case models.GameSessionFailed:
		page.Note = &views.Note{Kind: "wait", Icon: "warning", Title: "The game was not opened",
			Text: sentence(s.Failure) + " No money moved by it."}
	case models.GameSessionAsked:
		page.Note = &views.Note{Kind: "wait", Icon: "warning", Title: "No answer was recorded",
			Text: "The platform is being asked, or the program ended before its answer. No money moved by it; opening the " +
				"game again is safe."}
	}
	return a.render(c, "sessions/session", page)
}

type newSessionPage struct {
	Page
	Note                 *views.Note
	Player, Game, Reason views.Field
	Language             views.Select
	Launch               string          // names this form, by which its tab finds the session
	TestPlayers          []models.Player // some of them, to choose from
	AnyOne               bool            // the reader may open games for players who are no test players
}

func (a *App) newSessionForm(c *fiber.Ctx) error { return a.showNewSession(c, newForm(c), nil) }

func (a *App) showNewSession(c *fiber.Ctx, f *form, note *views.Note) error {
	page := &newSessionPage{Page: a.page(c, "Open a game"), Note: note}
	page.Crumbs = []views.Crumb{{Word: "Sessions", Href: "/sessions"}, {Word: "Open a game"}}
	page.Lede = "The game opens in a new tab and plays with the wallet of the player you choose. This tab then shows its " +
		"callbacks."
	var err error
	if page.AnyOne, err = page.Can(launchReal); err != nil {
		return err
	}
	test := true
	if page.TestPlayers, _, err = a.Store.Players(c.UserContext(),
		models.PlayerFilter{Test: &test, Limit: latestRows}); err != nil {
		return err
	}
	page.Player = f.field(views.Field{Label: "Player", Name: "player", Value: page.params.Get("player"), Required: true,
		Picker: "player", Hint: "A test player’s user ID. Type the beginning to search."})
	page.Game = f.field(views.Field{Label: "Game", Name: "game", Value: page.params.Get("game"), Required: true,
		Picker: "game", Hint: "Its game ID. Type part of its name to search."})
	page.Reason = f.field(views.Field{Label: "Reason", Name: "reason", Autocomplete: "off",
		Hint: "Needed for a player who is no test player. It stands in the audit log."})
	if page.Launch = f.text("launch"); !models.CheckLaunch(page.Launch) {
		page.Launch = rand.Text()
	}
	language := f.text("language")
	if language == "" {
		language = "en"
	}
	page.Language = views.Select{ID: "f-language", Label: "Language", Name: "language", Wrong: sentence(f.wrong["language"])}
	for _, code := range models.Languages {
		page.Language.Choices = append(page.Language.Choices,
			views.Choice{Value: code, Word: languageNames[code], Chosen: code == language})
	}
	if !f.ok() || note != nil {
		return a.refused(c, "sessions/new", page)
	}
	return a.render(c, "sessions/new", page)
}

// openGame opens a game and sends the browser there. For a player who is no test player it shows first what that means, and
// asks for the reader's password.
func (a *App) openGame(c *fiber.Ctx) error {
	f := newForm(c)
	anyOne, err := may(reader(c).Role, launchReal)
	if err != nil {
		return err
	}
	r := gamesession.Request{UserID: models.UserID(f.text("player")), GameID: models.GameID(f.text("game")),
		Language: f.text("language"), Reason: f.text("reason"), AnyOne: anyOne}
	if launch := f.text("launch"); models.CheckLaunch(launch) {
		r.Launch = launch
	}
	player, found, err := a.Store.Player(c.UserContext(), r.UserID)
	if err != nil {
		return err
	}
	if found && !player.Test && anyOne && r.Reason != "" {
		confirmed := f.text("confirmed") == "yes"
		if confirmed {
			if err := a.confirm(c, f); err != nil {
				return err
			}
		}
		if !confirmed || !f.ok() {
			return a.again(c, f, "/sessions/new/confirm")
		}
	}
	address, _, err := a.Launcher.Launch(c.UserContext(), a.actor(c), r)
	if err != nil {
		return a.refuseGame(c, f, err)
	}
	return a.redirectToGame(c, address)
}

// refuseGame says at which field a game could not be opened, or what the platform had against it.
func (a *App) refuseGame(c *fiber.Ctx, f *form, err error) error {
	var e *platform.Error
	switch {
	case errors.Is(err, models.ErrPlayerUnknown):
		f.refuse("player", "There is no player with this user ID. IDs are compared letter for letter.")
	case errors.Is(err, models.ErrPlayerBlocked):
		f.refuse("player", "This player is blocked. Unblock the player first, or choose another.")
	case errors.Is(err, models.ErrNotTestPlayer):
		f.refuse("player", "This is no test player: the game would be played with their own money, which your role may not "+
			"do. Choose a test player.")
	case errors.Is(err, models.ErrReasonMissing):
		f.refuse("reason", "This is no test player: the game is played with their own money. Say why.")
	case errors.Is(err, models.ErrGameUnknown):
		f.refuse("game", "There is no game with this ID. Choose one from the list that appears as you type, or look under "+
			"Games.")
	case errors.Is(err, models.ErrGameGone):
		f.refuse("game", "The platform no longer offers this game.")
	case models.CheckLanguage(f.text("language")) != nil:
		f.refuse("language", "Choose a language.")
	case errors.As(err, &e):
		return a.showNewSession(c, f, &views.Note{
			Kind: "wait", Icon: "warning", Title: "The platform did not open the game",
			Text: failureWords(err) +
				" No money moved. Try again; if it is refused again, the platform’s support can tell why by the time and " +
				"the player.",
		})
	default:
		return err
	}
	return a.again(c, f, "/sessions/new")
}

// realPlayerConfirmation asks to confirm that a game is opened with a player's own money.
func (a *App) realPlayerConfirmation(c *fiber.Ctx) error {
	f := newForm(c)
	r := gamesession.Request{UserID: models.UserID(f.text("player")), GameID: models.GameID(f.text("game")),
		Language: f.text("language"), Reason: f.text("reason")}
	back, err := a.unchanged(c, f, "/sessions/new")
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
	page := &deedPage{Page: a.page(c, "Open a game as a real player")}
	page.Crumbs = []views.Crumb{
		{Word: "Sessions", Href: "/sessions"}, {Word: "Open a game", Href: "/sessions/new"}, {Word: "Confirm"},
	}
	g, _, err := a.Store.Game(c.UserContext(), r.GameID)
	if err != nil {
		return err
	}
	name := gameName(g)
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
			{Name: "launch", Value: f.text("launch")}, {Name: "confirmed", Value: "yes"}},
	}
	if page.Deed.Password, err = a.confirmField(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.refused(c, "sessions/confirm", page)
	}
	return a.render(c, "sessions/confirm", page)
}

// findSessions finds a session by its number, as in "session 12".
func (a *App) findSessions(ctx context.Context, text string, _ int) (models.Found[hit], error) {
	id, named := numberAfter(text, "session")
	if id == 0 {
		return models.Found[hit]{}, nil
	}
	found, there, err := a.Store.GameSession(ctx, id)
	h := sessionHit(found)
	h.Exact = named
	return oneHit(h, there), err
}

func sessionHit(s models.GameSession) hit {
	row, number := newGameSessionRow(s), strconv.FormatInt(s.ID, 10)
	return hit{Text: gameName(s.Game) + ", " + string(s.UserID), ID: views.ID{Text: number, Kind: "session"}, Value: number,
		Href: row.Href, State: &row.Badge}
}
