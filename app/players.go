package app

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/models"
	"pitboss/views"
)

const playerRows = 50

func playerPath(id int64) string { return "/players/" + strconv.FormatInt(id, 10) }

// playerBadges are a player's state and, for a test player, that.
func playerBadges(p models.Player) []views.Badge {
	badges := []views.Badge{views.Quiet("May play")}
	if p.Wallet.Blocked {
		badges = []views.Badge{views.Refused("Blocked")}
	}
	if p.Test {
		badges = append(badges, views.Plain("Test player"))
	}
	return badges
}

type playerRow struct {
	models.Player
	Href    string
	Balance views.Money
	Badges  []views.Badge
}

type playersPage struct {
	Page
	Text, Currency views.Field
	States, Kinds  []views.Choice
	Rows           []playerRow
	Paging         views.Paging
	Empty          views.Empty
}

var playerStateWords = []string{"", "All", "blocked", "Blocked", "free", "May play"}

var playerKindWords = []string{"", "All", "real", "Real players", "test", "Test players"}

func (a *App) players(c *fiber.Ctx) error {
	page := &playersPage{Page: a.page(c, "Players")}
	page.Lede = "Everybody who has a wallet here, by user ID."
	page.Saveable = true
	manage, err := page.Can(managePlayers)
	if err != nil {
		return err
	}
	if manage {
		page.Actions = []views.Link{
			{Word: "Import", Href: "/players/imports/new", Icon: "upload"},
			{Word: "New player", Href: "/players/new", Icon: "plus", Main: true},
		}
	}
	filter := page.filters()
	list, more, err := a.Store.Players(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, p := range list {
		page.Rows = append(page.Rows,
			playerRow{p, playerPath(p.ID), page.Money(p.Wallet.Balance, p.Wallet.Currency), playerBadges(p)})
	}
	page.Paging = views.Paging{Note: strconv.Itoa(len(list)) + " shown", NewerWord: "First", OlderWord: "Next"}
	if more {
		page.Paging.Older = page.with("after", string(list[len(list)-1].UserID))
	}
	if filter.After != "" {
		page.Paging.Newer = withQuery(page.Path, page.Query)
	}
	page.Empty = views.Empty{
		Title: "No players match these filters",
		Text: "This list looks for the beginning of a player ID and is case-sensitive. The search finds any part of one, " +
			"in any case.",
		Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}},
	}
	if text := page.Text.Value; text != "" {
		page.Empty.Links = append(page.Empty.Links,
			views.Link{Word: "Search for “" + text + "”", Href: "/search?q=" + escapeQuery(text)})
	}
	if len(page.Chips) == 0 && filter.After == "" {
		page.Empty = views.Empty{Title: "There are no players yet",
			Text: "A player needs a wallet here before the platform can play with it. Import those that you have, or create " +
				"a test player."}
		if manage {
			page.Empty.Links = []views.Link{
				{Word: "Import", Href: "/players/imports/new", Main: true}, {Word: "New player", Href: "/players/new"},
			}
		}
	}
	return a.render(c, "players/list", page)
}

// filters reads the filters from the address.
func (page *playersPage) filters() models.PlayerFilter {
	page.Text, page.Currency = page.filterField("q", "User ID begins with"), page.filterField("currency", "Currency")
	page.States = choices(page.params.Get("state"), playerStateWords...)
	page.Kinds = choices(page.params.Get("kind"), playerKindWords...)
	filter := models.PlayerFilter{
		Beginning: page.filter("q", "Begins with", nil), Currency: models.Currency(page.filter("currency", "Currency", nil)),
		After: models.UserID(page.params.Get("after")), Limit: playerRows,
	}
	filter.Blocked = page.flagFilter("state", "State", playerStateWords, "blocked", "free")
	filter.Test = page.flagFilter("kind", "Kind", playerKindWords, "test", "real")
	return filter
}

// aPlayer reads the player that the address names, and records that their data is looked at.
func (a *App) aPlayer(c *fiber.Ctx) (models.Player, error) {
	return a.playerNumbered(c, c.Params("id"))
}

func (a *App) playerNumbered(c *fiber.Ctx, text string) (models.Player, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return models.Player{}, notFound("player")
	}
	p, found, err := a.Store.PlayerByID(c.UserContext(), id)
	if err == nil && !found {
		err = notFound("player")
	}
	if err != nil {
		return p, err
	}
	return p, a.viewed(c, "player", p.ID)
}

// aboutPlayer is what the pages about a player have in common.
type aboutPlayer struct {
	Page
	Player models.Player
	Tabs   []views.Tab
}

// about begins a page about a player; tab is the last part of its address.
func (a *App) about(c *fiber.Ctx, p models.Player, tab string) (aboutPlayer, error) {
	user, path := string(p.UserID), playerPath(p.ID)
	page := aboutPlayer{Page: a.page(c, user), Player: p}
	page.Crumbs = []views.Crumb{{Word: "Players", Href: "/players"}, {Word: user}}
	page.Badges = playerBadges(p)
	page.Lede = "Player in " + string(p.Wallet.Currency) + ", since " + page.Time(p.CreatedAt).Date()
	block, err := page.Can(blockPlayers)
	if err != nil {
		return page, err
	}
	switch {
	case block && p.Wallet.Blocked:
		page.Actions = append(page.Actions, views.Link{Word: "Unblock", Href: path + "/unblock"})
	case block:
		page.Actions = append(page.Actions, views.Link{Word: "Block", Href: path + "/block", Destroys: true})
	}
	query := "?player=" + escapeQuery(user)
	ask, err := page.Can(askCorrections)
	if err != nil {
		return page, err
	}
	if ask {
		page.Actions = append(page.Actions,
			views.Link{Word: "Request a correction", Href: "/corrections/new" + query, Icon: "corrections"})
	}
	grant, err := page.Can(grantFreeSpins)
	if err != nil {
		return page, err
	}
	if grant {
		page.Actions = append(page.Actions,
			views.Link{Word: "Grant free spins", Href: "/free-spins/new" + query, Icon: "spins"})
	}
	needs := launchReal
	if p.Test {
		needs = launchTest
	}
	launch, err := page.Can(needs)
	if err != nil {
		return page, err
	}
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
	if reports, err := page.Can(readReports); err != nil {
		return page, err
	} else if reports {
		page.Tabs = append(page.Tabs, views.Tab{Word: "By day", Href: "/reports" + query})
	}
	return page, nil
}

// Lines shown on a player's first page.
const (
	recentTransactions = 12
	recentRounds       = 6
	recentSessions     = 5
)

type playerPage struct {
	aboutPlayer
	Facts       []views.Fact
	Notes       []views.Note
	Rows        []transactionRow
	Rounds      []roundRow
	Sessions    []gameSessionRow
	Grant       *models.Grant // the newest that is open, or of unknown outcome
	GrantHref   string
	Used, Left  int64 // of the grant
	Meter       views.Meter
	Again       string // where the last game is opened as a test player; empty where the reader may not
	Definitions []definition
	Cases       thingCases
	All         string // all transactions

	ShowsRefused bool   // refused bets stand between the transactions
	Toggle       string // where they do not, or do again
	Empty        views.Empty
}

func newGameSessionRows(list []models.GameSession) []gameSessionRow {
	rows := make([]gameSessionRow, len(list))
	for i, s := range list {
		rows[i] = newGameSessionRow(s)
	}
	return rows
}

func (a *App) player(c *fiber.Ctx) error {
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
	page.Rows, page.All = page.transactionRows(transactions.Rows),
		"/transactions?player="+escapeQuery(string(p.UserID))+"&refused=with"
	page.ShowsRefused, page.Toggle = true, page.Path+"?refused=hide"
	if page.params.Get("refused") == "hide" {
		page.ShowsRefused, page.Toggle = false, page.Path
	} else if page.Rows, err = a.latestRefused(ctx, &page.Page, p, page.Rows, recentTransactions); err != nil {
		return err
	}
	rounds, err := a.Store.Rounds(ctx, models.RoundFilter{PlayerID: p.ID, Limit: recentRounds})
	if err != nil {
		return err
	}
	page.Rounds = page.roundRows(rounds.Rows)
	sessions, _, err := a.Store.GameSessions(ctx, models.GameSessionFilter{PlayerID: p.ID, Limit: recentSessions})
	if err != nil {
		return err
	}
	page.Sessions = newGameSessionRows(sessions)
	grants, _, err := a.Store.Grants(ctx,
		models.GrantFilter{PlayerID: p.ID, States: []models.GrantState{models.GrantActive, models.GrantUnknown}, Limit: 1})
	if err != nil {
		return err
	}
	if len(grants) > 0 {
		page.Grant, page.GrantHref = &grants[0], pathOf("/free-spins", grants[0].ID)
		page.Used = min(usedOf(grants[0]), grants[0].Spins)
		page.Left, page.Meter = grants[0].Spins-page.Used, views.Share(page.Used, grants[0].Spins)
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
	now := page.now.In(page.zone)
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, page.zone)
	before, err := a.Store.BalanceAt(ctx, p, midnight)
	if err != nil {
		return err
	}
	beside, err := a.besidePlay(ctx, p, midnight)
	if err != nil {
		return err
	}
	page.Facts = page.playerFacts(before, beside, transactions.Rows)
	refused, err := a.refusedToday(ctx, &page.Page, p, midnight)
	if err != nil {
		return err
	}
	page.Facts = append(page.Facts, refused)
	page.Definitions = page.playerDefinitions(sessions)
	if page.Cases, err = a.casesOf(ctx, &page.Page, models.CaseFilter{PlayerID: p.ID},
		"player="+escapeQuery(string(p.UserID))); err != nil {
		return err
	}
	if launch, err := page.Can(launchTest); err != nil {
		return err
	} else if launch && len(sessions) > 0 {
		page.Again = "/sessions/new?game=" + escapeQuery(string(sessions[0].Game.GameID))
	}
	page.Empty = views.Empty{Title: "Nothing has been played yet",
		Text: "Bets and wins appear here as soon as the platform sends them."}
	return a.render(c, "players/player", page)
}

// blockNote says who blocked the player, and why.
func (a *App) blockNote(ctx context.Context, page *playerPage) error {
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
		last.Moment, last.Note = p.Time(latest[0].At), age(p.now.Sub(latest[0].At))+" ago"
		if latest[0].After != nil {
			balance.Note = "after the " + strings.ToLower(transactionWord(latest[0].Transaction)) + " at " +
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
			spins.Value, spins.Note = "Outcome unknown", counted(g.Spins, "spin", "spins")+" on "+g.Game.Name
		}
	}
	return []views.Fact{balance, today, spins, last}
}

func (p *playerPage) playerDefinitions(sessions []models.GameSession) []definition {
	kind := "Real player"
	if p.Player.Test {
		kind = "Test player, left out of reports"
	}
	list := []definition{
		{Label: "Player ID", ID: &views.ID{Text: string(p.Player.UserID), Kind: "player ID"}},
		{Label: "Currency", Value: string(p.Player.Wallet.Currency)},
		{Label: "Created", Value: p.Time(p.Player.CreatedAt).Date()},
		{Label: "Kind", Value: kind},
	}
	if len(sessions) > 0 {
		list = append(list, definition{Label: "Last game", Value: sessions[0].Game.Name,
			Href: "/games/" + strconv.FormatInt(sessions[0].Game.ID, 10)})
	}
	return append(list,
		definition{Label: "Ledger", Value: counted(p.Player.Wallet.Seq, "line", "lines"),
			Href: playerPath(p.Player.ID) + "/ledger"},
		definition{Label: "Free spins", Value: counted(p.Player.Wallet.SpinSeq, "line", "lines"),
			Href: playerPath(p.Player.ID) + "/free-spins"},
		definition{Label: "Our number", Value: strconv.FormatInt(p.Player.ID, 10)})
}

// seqPlace reads where in a ledger a page begins.
func (p *Page) seqPlace() (int64, error) {
	text := p.params.Get("after")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, badAddress("It names a line of a ledger that does not exist.")
	}
	return n, nil
}

// seqPaging leads on in a ledger, and back to its newest line.
func (p *Page) seqPaging(at, last int64, shown int, full bool) views.Paging {
	paging := views.Paging{Note: strconv.Itoa(shown) + " shown", NewerWord: "Newest"}
	if at != 0 {
		paging.Newer = p.Path
	}
	if full && last > 1 {
		paging.Older = p.with("after", strconv.FormatInt(last, 10))
	}
	return paging
}

type ledgerRow struct {
	models.Entry
	What          string
	Amount, After views.Money
	HashText      string
}

type ledgerPage struct {
	aboutPlayer
	Archived int64 // so many lines from the ledger's beginning were purged
	Rows     []ledgerRow
	Paging   views.Paging
}

func (a *App) playerLedger(c *fiber.Ctx) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	page := &ledgerPage{}
	if page.aboutPlayer, err = a.about(c, p, "/ledger"); err != nil {
		return err
	}
	at, err := page.seqPlace()
	if err != nil {
		return err
	}
	entries, err := a.Store.Entries(c.UserContext(), p.ID, at, playerRows)
	if err != nil {
		return err
	}
	for _, e := range entries {
		row := ledgerRow{Entry: e, What: entryDeed(e.Kind), Amount: page.Signed(e.Amount, p.Wallet.Currency),
			After: views.Money{Text: e.After.Grouped(), Second: true}, HashText: hexText(e.Hash)}
		page.Rows = append(page.Rows, row)
	}
	if n := len(entries); n > 0 {
		page.Paging = page.seqPaging(at, entries[n-1].Seq, n, n == playerRows)
	}
	switch n := len(entries); {
	case n == 0 && at == 0:
		page.Archived = p.Wallet.Seq
	case n > 0 && n < playerRows:
		page.Archived = entries[n-1].Seq - 1
	}
	if page.Exportable, err = a.mayExport(&page.Page, page.Path); err != nil {
		return err
	}
	return a.render(c, "players/ledger", page)
}

// exportLedger writes a player's money ledger, the newest line first, as far as it has not been purged. Whoever asks for it has
// looked at the player.
func (a *App) exportLedger(c *fiber.Ctx, page Page) (export.List, []views.Chip, *views.Empty, error) {
	number, _ := matched(ledgerList, page.Path)
	p, err := a.playerNumbered(c, number)
	if err != nil {
		return export.List{}, nil, nil, err
	}
	const sum = "Sum of these lines"
	total := newSums(sum)
	return export.List{
		Columns: []export.Column{
			{Name: "Line", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "What"}, {Name: "Transaction ID"},
			{Name: "Round ID"}, {Name: "Amount", Kind: export.Money},
			{Name: "Balance before", Kind: export.Money}, {Name: "Balance after", Kind: export.Money}, {Name: "Currency"},
			{Name: "Hash"},
		},
		Sums: total.list,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			newest, before := int64(0), int64(0)
			for {
				entries, err := a.Store.Entries(ctx, p.ID, before, exportPage)
				if err != nil {
					return err
				}
				part := export.Page{Rows: make([]export.Row, len(entries))}
				for i, e := range entries {
					total.addAmount(p.Wallet.Currency, sum, e.Amount)
					part.Rows[i] = export.Row{
						e.Seq, e.At, entryDeed(e.Kind), string(e.TransactionID), string(e.RoundID), e.Amount, e.Before,
						e.After, string(p.Wallet.Currency), hexText(e.Hash),
					}
				}
				if n := len(entries); n > 0 {
					newest, before = max(newest, entries[0].Seq), entries[n-1].Seq
					part.Reached, part.Permille = entries[n-1].At, int(1000*(newest-before)/newest)
				}
				if err := next(part); err != nil || len(entries) < exportPage {
					return err
				}
			}
		},
	}, []views.Chip{{Label: "Player", Value: string(p.UserID)}}, nil, nil // which the page says by its title
}

type usedSpin struct {
	models.AttributedSpin
	What      string
	Stake     views.Money
	GrantHref string
	Why       string
}

type playerSpinsPage struct {
	aboutPlayer
	Grants []grantRow
	Rows   []usedSpin
	Paging views.Paging
}

// heldGrants is how many of a player's grants stand over their free-spin ledger.
const heldGrants = 10

func (a *App) playerFreeSpins(c *fiber.Ctx) error {
	ctx := c.UserContext()
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	page := &playerSpinsPage{}
	if page.aboutPlayer, err = a.about(c, p, "/free-spins"); err != nil {
		return err
	}
	at, err := page.seqPlace()
	if err != nil {
		return err
	}
	grants, _, err := a.Store.Grants(ctx, models.GrantFilter{PlayerID: p.ID, Limit: heldGrants})
	if err != nil {
		return err
	}
	if page.Grants, err = a.grantRows(ctx, grants); err != nil {
		return err
	}
	spins, err := a.Store.PlayerSpins(ctx, p.ID, at, playerRows)
	if err != nil {
		return err
	}
	for _, s := range spins {
		row := usedSpin{AttributedSpin: s, What: entryDeed(s.Kind), Stake: page.Money(s.Stake, p.Wallet.Currency),
			Why: s.Rule.String()}
		row.Stake.Second = true
		if s.GrantID != 0 {
			row.GrantHref = pathOf("/free-spins", s.GrantID)
		}
		page.Rows = append(page.Rows, row)
	}
	if n := len(spins); n > 0 {
		page.Paging = page.seqPaging(at, spins[n-1].Seq, n, n == playerRows)
	}
	return a.render(c, "players/free-spins", page)
}

type playerSessionsPage struct {
	aboutPlayer
	Rows   []gameSessionRow
	Paging views.Paging
	Empty  views.Empty
}

func (a *App) playerSessions(c *fiber.Ctx) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	page := &playerSessionsPage{}
	if page.aboutPlayer, err = a.about(c, p, "/sessions"); err != nil {
		return err
	}
	at, err := page.place()
	if err != nil {
		return err
	}
	list, more, err := a.Store.GameSessions(c.UserContext(),
		models.GameSessionFilter{PlayerID: p.ID, Page: at, Limit: playerRows})
	if err != nil {
		return err
	}
	page.Rows = newGameSessionRows(list)
	if n := len(list); n > 0 {
		page.Paging = page.around(at, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	page.Empty = views.Empty{Title: "No game was opened here",
		Text: "Games that staff open with this player's wallet are listed here. Those opened in the casino's own lobby do " +
			"not pass through the back office."}
	return a.render(c, "players/sessions", page)
}

type playerHistoryPage struct {
	aboutPlayer
	History []historyLine
	Paging  views.Paging
}

func (a *App) playerHistory(c *fiber.Ctx) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	page := &playerHistoryPage{}
	if page.aboutPlayer, err = a.about(c, p, "/history"); err != nil {
		return err
	}
	at, err := page.place()
	if err != nil {
		return err
	}
	lines, more, err := a.history(c.UserContext(), &page.Page, "player", p.ID, at, playerRows)
	if err != nil {
		return err
	}
	page.History = lines
	if n := len(lines); n > 0 {
		page.Paging = page.around(at, models.Cursor{At: lines[0].At, ID: lines[0].ID},
			models.Cursor{At: lines[n-1].At, ID: lines[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	return a.render(c, "players/history", page)
}

type playerDeedPage struct {
	Page
	Deed   views.Deed
	Fields []views.Field
}

// showBlock is the second step of blocking and unblocking.
func (a *App) showBlock(c *fiber.Ctx, f *form, block bool) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	user := string(p.UserID)
	title, verb := "Unblock", "Unblock"
	deed := views.Deed{
		Sentence:     "Let " + user + " bet again.",
		Consequences: "Bets are taken again from the next callback on. The balance stays as it is.",
		Changes: []views.Change{
			{What: "Bets", Before: "refused", After: "taken"},
			{What: "Wins and rollbacks", Before: "settled", After: "settled"},
		},
		Action: playerPath(p.ID) + "/unblock",
	}
	if block {
		title, verb = "Block", "Block"
		deed = views.Deed{
			Sentence: "Keep " + user + " from betting.",
			Consequences: "Bets are refused with 1, general error, from the next callback on. Wins and rollbacks still " +
				"settle, so that rounds under way end properly. The balance stays as it is.",
			Changes: []views.Change{
				{What: "Bets", Before: "taken", After: "refused"},
				{What: "Wins and rollbacks", Before: "settled", After: "settled"},
			},
			Action: playerPath(p.ID) + "/block", Destroys: true,
		}
	}
	page := &playerDeedPage{Page: a.page(c, title), Deed: deed}
	page.Crumbs = []views.Crumb{{Word: "Players", Href: "/players"}, {Word: user, Href: playerPath(p.ID)}, {Word: title}}
	if p.Wallet.Blocked == block {
		return a.flash(c, playerPath(p.ID),
			views.Note{Kind: "wait", Icon: "info",
				Text: user + " is " + map[bool]string{true: "blocked", false: "not blocked"}[block] +
					" already. Somebody else was quicker, or this page was open for long."})
	}
	page.Deed.Button, page.Deed.Back = verb+" "+user, views.Link{Word: "Back", Href: playerPath(p.ID)}
	page.Fields = []views.Field{
		f.field(views.Field{Label: "Reason", Name: "reason", Required: true, Autocomplete: "off",
			Hint: "For your colleagues and the audit log."}),
	}
	if !f.ok() {
		return a.refused(c, "players/deed", page)
	}
	return a.render(c, "players/deed", page)
}

func (a *App) blockPlayerForm(c *fiber.Ctx) error { return a.showBlock(c, newForm(c), true) }

func (a *App) unblockPlayerForm(c *fiber.Ctx) error { return a.showBlock(c, newForm(c), false) }

func (a *App) blockPlayer(c *fiber.Ctx) error { return a.setBlocked(c, true) }

func (a *App) unblockPlayer(c *fiber.Ctx) error { return a.setBlocked(c, false) }

// maxReason is how many characters of a reason are kept.
const maxReason = 500

func (a *App) setBlocked(c *fiber.Ctx, block bool) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	reason := f.text("reason")
	switch {
	case reason == "":
		f.refuse("reason", "Say why.")
	case len([]rune(reason)) > maxReason:
		f.refuse("reason", "Say it in 500 characters.")
	}
	if !f.ok() || p.Wallet.Blocked == block {
		return a.again(c, f, c.Path())
	}
	if err := a.Store.SetBlocked(c.UserContext(), a.actor(c), p.UserID, block, reason); err != nil {
		return err
	}
	if block {
		return a.done(c, playerPath(p.ID), string(p.UserID)+" is blocked. Bets are refused from now on.")
	}
	return a.done(c, playerPath(p.ID), string(p.UserID)+" may bet again.")
}

type newPlayerPage struct {
	Page
	UserID, Currency views.Field
	Test             bool
}

func (a *App) newPlayerForm(c *fiber.Ctx) error { return a.showNewPlayer(c, newForm(c)) }

func (a *App) showNewPlayer(c *fiber.Ctx, f *form) error {
	page := &newPlayerPage{Page: a.page(c, "New player")}
	page.Lede = "The wallet opens with 0.00. Money comes by correction, which two people sign."
	page.Crumbs = []views.Crumb{{Word: "Players", Href: "/players"}, {Word: "New"}}
	page.UserID = f.field(views.Field{Label: "User ID", Name: "user", Required: true, Autocomplete: "off",
		Hint: "As the platform is told it. Every letter counts, and it cannot be changed later."})
	page.Currency = f.field(views.Field{Label: "Currency", Name: "currency", Required: true, Autocomplete: "off",
		Hint: "A code such as EUR. It cannot be changed later."})
	page.Test = f.text("test") == "yes"
	if !f.ok() {
		return a.refused(c, "players/new", page)
	}
	return a.render(c, "players/new", page)
}

func (a *App) createPlayer(c *fiber.Ctx) error {
	f := newForm(c)
	user := f.text("user")
	if err := models.CheckID(user); err != nil {
		f.refuse("user", err.Error())
	}
	currency, err := models.ParseCurrency(f.text("currency"))
	if err != nil {
		f.refuse("currency", err.Error())
	}
	if !f.ok() {
		return a.again(c, f, "/players/new")
	}
	p, err := a.Store.CreatePlayer(c.UserContext(), a.actor(c),
		models.NewPlayer{UserID: models.UserID(user), Currency: currency, Test: f.text("test") == "yes"})
	if errors.Is(err, models.ErrPlayerExists) {
		f.refuse("user", "There is a player with this user ID already.")
		return a.again(c, f, "/players/new")
	}
	if err != nil {
		return err
	}
	return a.done(c, playerPath(p.ID), string(p.UserID)+" has a wallet in "+string(p.Wallet.Currency)+", with 0.00.")
}

// importFileSize is how large a file of players may be: 10,000 of the longest user IDs.
const importFileSize = 3 << 20

// shownLines is how many lines of a file are shown, bad or good.
const shownLines = 200

type importPlayersPage struct {
	Page
	File    views.Field
	Name    string
	Facts   []views.Fact
	Notes   []views.Note
	Bad     []models.LineError
	BadMore int
	Good    []importLine
	More    int
	Content string // the file again, for the second step
	Button  string
}

type importLine struct {
	Line     int
	UserID   string
	Currency string
}

func (a *App) importPlayersForm(c *fiber.Ctx) error { return a.showImportPlayers(c, "") }

// showImportPlayers asks for a file; wrong is what was the matter with the last one.
func (a *App) showImportPlayers(c *fiber.Ctx, wrong string) error {
	page := &importPlayersPage{Page: a.page(c, "Import players")}
	page.Lede = "A CSV file with the columns user_id and currency. Wallets open with 0.00; a file is imported whole or not " +
		"at all."
	page.Crumbs = []views.Crumb{{Word: "Players", Href: "/players"}, {Word: "Import"}}
	page.File = views.Field{ID: "f-file", Label: "File", Name: "file", Type: "file", Required: true, Wrong: sentence(wrong),
		Hint: "Up to 10,000 players. A column balance may stand in it where every balance is 0.00."}
	if wrong != "" {
		return a.refused(c, "players/import", page)
	}
	return a.render(c, "players/import", page)
}

// previewPlayers reads the file that was sent and shows what would come of it.
func (a *App) previewPlayers(c *fiber.Ctx) error {
	sent, err := c.FormFile("file")
	if err != nil {
		return a.showImportPlayers(c, "choose a file")
	}
	if sent.Size > importFileSize {
		return a.showImportPlayers(c, "the file is larger than 3 MB: import it in parts, or at the command line")
	}
	file, err := sent.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	return a.showPlayersFile(c, sent.Filename, content, nil)
}

// showPlayersFile shows a file of players: what is wrong with it, or what it would make. taken are the lines that the database
// refused.
func (a *App) showPlayersFile(c *fiber.Ctx, name string, content []byte, taken []models.LineError) error {
	file, bad, err := models.ReadPlayersWithoutMoney(content)
	if err != nil {
		return a.showImportPlayers(c, err.Error())
	}
	if taken == nil {
		if taken, err = a.Store.TakenPlayers(c.UserContext(), file); err != nil {
			return err
		}
	}
	bad = append(bad, taken...)
	slices.SortFunc(bad, func(a, b models.LineError) int { return a.Line - b.Line })
	page := &importPlayersPage{Page: a.page(c, "Import players"), Name: name}
	page.Crumbs = []views.Crumb{
		{Word: "Players", Href: "/players"}, {Word: "Import", Href: "/players/imports/new"}, {Word: name},
	}
	currencies := map[models.Currency]int64{}
	for i, p := range file.Players {
		currencies[p.Currency]++
		if len(bad) == 0 && i < shownLines {
			page.Good = append(page.Good, importLine{file.Lines[i], string(p.UserID), string(p.Currency)})
		}
	}
	good := int64(len(file.Players) - len(taken))
	page.Facts = []views.Fact{
		{Label: "Lines", Value: strconv.FormatInt(good, 10) + " good, " + strconv.Itoa(len(bad)) + " to mend"},
		{Label: "Currencies", Value: counted(int64(len(currencies)), "currency", "currencies")},
		{Label: "Balance of each", Value: "0.00"},
	}
	if len(bad) > 0 {
		page.Badges = []views.Badge{views.Waiting(counted(int64(len(bad)), "line", "lines") + " to mend")}
		page.Notes = []views.Note{{
			Kind: "wait", Icon: "warning", Title: "Nothing was imported",
			Text:  "Mend these lines in the file and upload it again: a file is imported whole or not at all.",
			Links: []views.Link{{Word: "Upload again", Href: "/players/imports/new", Icon: "upload", Main: true}},
		}}
		page.Bad, page.BadMore = bad[:min(len(bad), shownLines)], max(len(bad)-shownLines, 0)
		return a.refused(c, "players/preview", page)
	}
	page.More = max(len(file.Players)-shownLines, 0)
	page.Content, page.Button = base64.StdEncoding.EncodeToString(content), "Import "+counted(good, "player", "players")
	return a.render(c, "players/preview", page)
}

// importPlayers makes the players of a file that was looked at. It is read anew: between the two steps nothing is kept here.
func (a *App) importPlayers(c *fiber.Ctx) error {
	f := newForm(c)
	content, err := base64.StdEncoding.DecodeString(f.text("content"))
	if err != nil || len(content) == 0 || len(content) > importFileSize {
		return a.showImportPlayers(c, "the file did not arrive whole; upload it again")
	}
	name := f.text("name")
	file, bad, err := models.ReadPlayersWithoutMoney(content)
	if err != nil || len(bad) > 0 {
		return a.showPlayersFile(c, name, content, nil)
	}
	taken, err := a.Store.ImportPlayers(c.UserContext(), a.actor(c), file, nil)
	if errors.Is(err, models.ErrPlayerExists) {
		return a.showImportPlayers(c,
			"somebody made one of these players at the same moment, so nothing was imported; upload the file again")
	}
	if err != nil {
		return err
	}
	if len(taken) > 0 {
		return a.showPlayersFile(c, name, content, taken)
	}
	return a.done(c, "/players",
		"Imported "+counted(int64(len(file.Players)), "player", "players")+" from "+name+", each with 0.00.")
}

// findPlayers finds players by any part of their user ID, whatever its case.
func (a *App) findPlayers(ctx context.Context, text string, limit int) (models.Found[hit], error) {
	found, err := a.Store.SearchPlayers(ctx, text, limit)
	return hitsOf(found, func(p models.Player) hit { return playerHit(p, text) }), err
}

func playerHit(p models.Player, text string) hit {
	state := playerBadges(p)[0]
	kind := ", "
	if p.Test {
		kind = ", test player, "
	}
	return hit{
		Text: string(p.UserID) + kind + p.Wallet.Balance.Grouped() + " " + string(p.Wallet.Currency), Value: string(p.UserID),
		Href: playerPath(p.ID), State: &state, Exact: string(p.UserID) == text,
	}
}
