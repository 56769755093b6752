package players

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// aPlayer reads the player that the address names, and records that their data is looked at.
func (a *Area) aPlayer(c *fiber.Ctx) (models.Player, error) {
	return a.playerNumbered(c, c.Params("id"))
}

func (a *Area) playerNumbered(c *fiber.Ctx, text string) (models.Player, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return models.Player{}, web.NotFound("player")
	}
	p, found, err := a.Store.PlayerByID(c.UserContext(), id)
	if err == nil && !found {
		err = web.NotFound("player")
	}
	if err != nil {
		return p, err
	}
	return p, a.Viewed(c, "player", p.ID)
}

// aboutPlayer is what the pages about a player have in common.
type aboutPlayer struct {
	web.Page
	Player models.Player
	Tabs   []views.Tab
}

// about begins a page about a player; tab is the last part of its address.
func (a *Area) about(c *fiber.Ctx, p models.Player, tab string) (aboutPlayer, error) {
	user, path := string(p.UserID), things.PlayerPath(p.ID)
	page := aboutPlayer{Page: a.Page(c, user), Player: p}
	page.Crumbs = []views.Crumb{{Word: "Players", Href: "/players"}, {Word: user}}
	page.Badges = playerBadges(p)
	page.Lede = "Player in " + string(p.Wallet.Currency) + ", since " + page.Time(p.CreatedAt).Date()
	block := page.Can(web.BlockPlayers)
	switch {
	case block && p.Wallet.Blocked:
		page.Actions = append(page.Actions, views.Link{Word: "Unblock", Href: path + "/unblock"})
	case block:
		page.Actions = append(page.Actions, views.Link{Word: "Block", Href: path + "/block", Destroys: true})
	}
	query := "?player=" + web.EscapeQuery(user)
	ask := page.Can(web.AskCorrections)
	if ask {
		page.Actions = append(page.Actions,
			views.Link{Word: "Request a correction", Href: "/corrections/new" + query, Icon: "corrections"})
	}
	grant := page.Can(web.GrantFreeSpins)
	if grant {
		page.Actions = append(page.Actions,
			views.Link{Word: "Grant free spins", Href: "/free-spins/new" + query, Icon: "spins"})
	}
	if page.Can(web.RecordComplaints) {
		page.Actions = append(page.Actions, views.Link{Word: "Record a complaint", Href: "/cases/new" + query, Icon: "cases"})
	}
	a.OfferPack(&page.Page, "player="+web.EscapeQuery(user))
	needs := web.LaunchReal
	if p.Test {
		needs = web.LaunchTest
	}
	launch := page.Can(needs)
	if launch {
		page.Actions = append(page.Actions,
			views.Link{Word: "Launch a game", Href: "/sessions/new" + query, Icon: "play", Main: true})
	}
	for _, t := range []views.Tab{
		{Word: "Activity", Href: path}, {Word: "Ledger", Href: path + "/ledger"},
		{Word: "Transactions", Href: "/transactions" + query + "&refused=with"},
		{Word: "Rounds", Href: "/rounds" + query}, {Word: "Free spins", Href: path + "/free-spins"},
		{Word: "Sessions", Href: path + "/sessions"},
		{Word: "Callbacks", Href: "/callbacks" + query}, {Word: "History", Href: path + "/history"},
	} {
		t.Current = t.Href == path+tab
		page.Tabs = append(page.Tabs, t)
	}
	if page.Can(web.ReadReports) {
		page.Tabs = append(page.Tabs, views.Tab{Word: "By day", Href: "/reports" + query})
	}
	return page, nil
}

type playerPage struct {
	aboutPlayer
	Facts       []views.Fact
	Notes       []views.Note
	Rows        []things.TransactionRow
	Rounds      []things.RoundRow
	Sessions    []things.GameSessionRow
	Grant       *models.Grant // the newest that is open, or of unknown outcome
	GrantHref   string
	Used, Left  int64 // of the grant
	Others      int   // grants that are open too
	Unknown     int   // of them all, those of unknown outcome
	AllLeft     int64 // spins of the rest
	Meter       views.Meter
	Again       string // where the last game is opened as a test player; empty where the reader may not
	Definitions []web.Definition
	Cases       things.ThingCases
	All         string // all transactions

	ShowsRefused bool   // refused bets stand between the transactions
	Toggle       string // where they do not, or do again
	Empty        views.Empty
}

// openGrants is how many open grants of a player are added up: more than the limits let anybody have.
const openGrants = 100

func newGameSessionRows(list []models.GameSession) []things.GameSessionRow {
	rows := make([]things.GameSessionRow, len(list))
	for i, s := range list {
		rows[i] = things.NewGameSessionRow(s)
	}
	return rows
}

func (a *Area) Detail(c *fiber.Ctx) error {
	ctx := c.UserContext()
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	page := &playerPage{}
	if page.aboutPlayer, err = a.about(c, p, ""); err != nil {
		return err
	}
	transactions, err := a.Store.Transactions(ctx, models.TransactionFilter{PlayerID: p.ID, Limit: recentTransactions})
	if err != nil {
		return err
	}
	page.Rows, page.All = things.TransactionRows(&page.aboutPlayer.Page, transactions.Rows),
		"/transactions?player="+web.EscapeQuery(string(p.UserID))+"&refused=with"
	page.ShowsRefused, page.Toggle = true, page.Path+"?refused=hide"
	if page.Params.Get("refused") == "hide" {
		page.ShowsRefused, page.Toggle = false, page.Path
	} else if page.Rows, err = a.LatestRefused(ctx, &page.Page, p, page.Rows, recentTransactions); err != nil {
		return err
	}
	rounds, err := a.Store.Rounds(ctx, models.RoundFilter{PlayerID: p.ID, Limit: recentRounds})
	if err != nil {
		return err
	}
	page.Rounds = things.RoundRows(&page.aboutPlayer.Page, rounds.Rows)
	sessions, _, err := a.Store.GameSessions(ctx, models.GameSessionFilter{PlayerID: p.ID, Limit: recentSessions})
	if err != nil {
		return err
	}
	page.Sessions = newGameSessionRows(sessions)
	grants, _, err := a.Store.Grants(ctx, models.GrantFilter{PlayerID: p.ID,
		States: []models.GrantState{models.GrantActive, models.GrantUnknown}, Limit: openGrants})
	if err != nil {
		return err
	}
	if len(grants) > 0 {
		page.Grant, page.GrantHref = &grants[0], web.PathOf("/free-spins", grants[0].ID)
		page.Used = min(things.UsedOf(grants[0]), grants[0].Spins)
		page.Left, page.Meter = grants[0].Spins-page.Used, views.Share(page.Used, grants[0].Spins)
		page.Others = len(grants) - 1
		for _, g := range grants {
			if g.State == models.GrantUnknown {
				page.Unknown++
				continue
			}
			page.AllLeft += g.Spins - min(things.UsedOf(g), g.Spins)
		}
	}
	if p.Wallet.Blocked {
		if err := a.blockNote(ctx, page); err != nil {
			return err
		}
	}
	if p.Wallet.Balance < 0 {
		page.Notes = append(page.Notes, views.Note{
			Kind: "risk", Icon: "warning", Title: "The balance is below zero",
			Text: "A win was rolled back after it had been spent. Bets are refused until the balance covers them; only a " +
				"correction, which two people sign, makes up for it.",
		})
	}
	now := page.Now.In(page.Zone)
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, page.Zone)
	before, err := a.Store.BalanceAt(ctx, p, midnight)
	if err != nil {
		return err
	}
	beside, err := a.besidePlay(ctx, p, midnight)
	if err != nil {
		return err
	}
	page.Facts = page.playerFacts(before, beside, transactions.Rows)
	refused, err := a.RefusedToday(ctx, &page.Page, p, midnight)
	if err != nil {
		return err
	}
	page.Facts = append(page.Facts, refused)
	page.Definitions = page.playerDefinitions(sessions)
	if page.Cases, err = a.CasesOf(ctx, &page.Page, models.CaseFilter{PlayerID: p.ID},
		"player="+web.EscapeQuery(string(p.UserID))); err != nil {
		return err
	}
	if page.Can(web.LaunchTest) && len(sessions) > 0 {
		page.Again = "/sessions/new?game=" + web.EscapeQuery(string(sessions[0].Game.GameID))
	}
	page.Empty = views.Empty{Title: "Nothing has been played yet",
		Text: "Bets and wins appear here as soon as the platform sends them."}
	return a.Render(c, "players/player", page)
}

// blockNote says who blocked the player, and why.
func (a *Area) blockNote(ctx context.Context, page *playerPage) error {
	note := views.Note{Kind: "wait", Icon: "info", Title: "Blocked", Text: "Bets are refused. Wins and rollbacks still settle."}
	events, _, err := a.Store.AuditEvents(ctx,
		models.AuditFilter{Object: "player", ObjectID: strconv.FormatInt(page.Player.ID, 10), Limit: 200})
	if err != nil {
		return err
	}
	for _, e := range events {
		if e.Action == "player blocked" {
			at := page.Time(e.At)
			note.Title = "Blocked by " + e.Actor.Name + " on " + at.Date() + " at " + at.Clock()
			if e.Reason != "" {
				note.Text = "“" + e.Reason + "” " + note.Text
			}
			break
		}
	}
	page.Notes = append(page.Notes, note)
	return nil
}

func (p *playerPage) playerFacts(atMidnight models.Amount, beside moneyBesidePlay,
	latest []models.TransactionLine) []views.Fact {
	wallet := p.Player.Wallet
	currency := " " + string(wallet.Currency)
	balance := views.Fact{Label: "Balance", Value: wallet.Balance.Grouped() + currency, Big: true}
	last := views.Fact{Label: "Last transaction", Value: "None"}
	if len(latest) > 0 {
		last.Moment, last.Note = p.Time(latest[0].At), web.Age(p.Now.Sub(latest[0].At))+" ago"
		if latest[0].After != nil {
			balance.Note = "after the " + strings.ToLower(things.TransactionWord(latest[0].Transaction)) + " at " +
				p.Time(latest[0].At).Clock()
		}
	}
	play := wallet.Balance - atMidnight - beside.Opening - beside.Corrections
	today := views.Fact{Label: "Net from play today", Value: play.Signed() + currency, Note: beside.words()}
	spins := views.Fact{Label: "Free spins", Value: "None", Note: "no open grant"}
	if g := p.Grant; g != nil {
		spins.Value, spins.Note, spins.Href = strconv.FormatInt(p.Left, 10)+" of "+strconv.FormatInt(g.Spins, 10)+" left",
			g.Game.Name, p.GrantHref
		if g.State == models.GrantUnknown {
			spins.Value, spins.Note = "Outcome unknown", web.Several(g.Spins, "spin", "spins")+" on "+g.Game.Name
		}
		if p.Others > 0 {
			spins.Value, spins.Note = web.Grouped(p.AllLeft)+" left", "in "+web.Grouped(int64(p.Others+1))+" grants"
			if p.Unknown > 0 {
				spins.Note += ", " + web.Grouped(int64(p.Unknown)) + " of unknown outcome"
			}
			spins.Href = things.PlayerPath(p.Player.ID) + "/free-spins"
		}
	}
	return []views.Fact{balance, today, spins, last}
}

func (p *playerPage) playerDefinitions(sessions []models.GameSession) []web.Definition {
	kind := "Real player"
	if p.Player.Test {
		kind = "Test player, left out of reports"
	}
	list := []web.Definition{
		{Label: "Player ID", ID: &views.ID{Text: string(p.Player.UserID), Kind: "player ID"}},
		{Label: "Currency", Value: string(p.Player.Wallet.Currency)},
		{Label: "Created", Value: p.Time(p.Player.CreatedAt).Date()},
		{Label: "Kind", Value: kind},
	}
	if len(sessions) > 0 {
		list = append(list, web.Definition{Label: "Last game", Value: sessions[0].Game.Name,
			Href: "/games/" + strconv.FormatInt(sessions[0].Game.ID, 10)})
	}
	return append(list,
		web.Definition{Label: "Ledger", Value: web.Several(p.Player.Wallet.Seq, "line", "lines"),
			Href: things.PlayerPath(p.Player.ID) + "/ledger"},
		web.Definition{Label: "Free spins", Value: web.Several(p.Player.Wallet.SpinSeq, "line", "lines"),
			Href: things.PlayerPath(p.Player.ID) + "/free-spins"},
		web.Definition{Label: "Our number", Value: strconv.FormatInt(p.Player.ID, 10)})
}
