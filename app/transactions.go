package app

import (
	"context"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

const transactionRows = 50

func transactionPath(id int64) string { return "/transactions/" + strconv.FormatInt(id, 10) }

// transactionRow is a transaction in a table.
type transactionRow struct {
	models.TransactionLine
	Href, RoundHref, PlayerHref string
	Moment                      views.Moment
	Word                        string
	Amount                      views.Money
	Left                        views.Money // the balance after it
	Badge                       views.Badge
	Note                        string
	Tell                        string // of a refused bet: what support can send to the player
}

// transactionWord is what a transaction is, in one or two words.
func transactionWord(t models.Transaction) string {
	switch {
	case t.FreeSpin:
		return "Free-spin bet"
	case t.Kind == models.BetWin:
		return "Bet + win"
	case t.Kind == models.Opening:
		return "Opening"
	}
	return firstUpper(t.Kind.String())
}

// firstUpper begins a word with a capital letter.
func firstUpper(s string) string { return strings.TrimSuffix(sentence(s), ".") }

func transactionState(t models.Transaction) views.Badge {
	if t.State == models.Reversed {
		return views.Undone("Rolled back")
	}
	return views.Quiet("Applied")
}

// transactionAmount is what a transaction moved, signed; a free spin's stake moved nothing and has no sign.
func (p *Page) transactionAmount(t models.TransactionLine) views.Money {
	m := p.Signed(t.Effect(), t.Currency)
	if t.FreeSpin {
		m = p.Money(t.Bet, t.Currency)
	}
	m.Void, m.Struck = t.State == models.Reversed, t.State == models.Reversed
	return m
}

func (p *Page) transactionRow(t models.TransactionLine) transactionRow {
	row := transactionRow{
		TransactionLine: t, Href: transactionPath(t.ID), RoundHref: roundPath(t.ID), PlayerHref: playerPath(t.PlayerID),
		Word:   transactionWord(t.Transaction),
		Moment: p.Time(t.At), Amount: p.transactionAmount(t), Badge: transactionState(t.Transaction),
	}
	if t.After != nil {
		row.Left = views.Money{Text: t.After.Grouped(), Second: true}
	}
	if !t.OtherContents.IsZero() {
		row.Note = "came again, changed"
	}
	return row
}

func (p *Page) transactionRows(list []models.TransactionLine) []transactionRow {
	rows := make([]transactionRow, len(list))
	for i, t := range list {
		rows[i] = p.transactionRow(t)
	}
	return rows
}

func transactionCursor(t models.TransactionLine) models.Cursor {
	return models.Cursor{At: t.At, ID: t.Place}
}

type transactionsPage struct {
	Page
	Player, ID, Round, From, To, Since, Until views.Field
	Kinds, States, Withs, Refused             []views.Choice
	Rows                                      []transactionRow
	Paging                                    views.Paging
	Empty                                     views.Empty
}

var kindWords = []string{"", "All kinds", "bet", "Bet", "win", "Win", "bet-win", "Bet + win", "opening", "Opening",
	"adjustment", "Adjustment"}

var kindFilters = map[string]models.OperationKind{"bet": models.Bet, "win": models.Win, "bet-win": models.BetWin,
	"opening": models.Opening, "adjustment": models.Adjustment}

var stateWords = []string{"", "All states", "applied", "Applied", "rolled-back", "Rolled back", "changed",
	"Came again, changed"}

var withWords = []string{"", "All", "money", "Real money", "free-spins", "Free spins"}

// wordOf is the word of a value among pairs of both.
func wordOf(pairs []string) func(string) string {
	return func(value string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == value {
				return pairs[i+1]
			}
		}
		return value
	}
}

func (a *App) transactions(c *fiber.Ctx) error {
	page := &transactionsPage{Page: a.page(c, "Transactions")}
	page.Lede = "Every bet and win that was applied, with what became of it. Newest first."
	page.Saveable = true
	filter, wrong, err := a.transactionFilter(c, page)
	if err != nil {
		return err
	}
	if wrong != nil {
		page.Empty = *wrong
		return a.render(c, "transactions/list", page)
	}
	if page.params.Get("refused") == "only" {
		page.Saveable = false // its rows are no transactions: they are exported with the callbacks
		if err := a.onlyRefused(c.UserContext(), page, filter); err != nil {
			return err
		}
		return a.render(c, "transactions/list", page)
	}
	found, err := a.Store.Transactions(c.UserContext(), filter)
	if err != nil {
		return err
	}
	page.Rows = page.transactionRows(found.Rows)
	var first, last models.Cursor
	if n := len(found.Rows); n > 0 {
		first, last = transactionCursor(found.Rows[0]), transactionCursor(found.Rows[n-1])
	}
	page.Paging = page.lookedAround(filter.Page, first, last, found.More, found.Stopped, strconv.Itoa(len(page.Rows))+" shown")
	if page.params.Get("refused") == "with" {
		if err := a.addRefused(c.UserContext(), page, filter, found); err != nil {
			return err
		}
	}
	switch {
	case !found.Stopped.IsZero():
		page.Empty = soFar(page.Paging)
	case len(page.Chips) > 0:
		page.Empty = views.Empty{Title: "No transactions match these filters", Text: "IDs are case-sensitive.",
			Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}}}
	default:
		page.Empty = views.Empty{Title: "Nothing has been played yet",
			Text: "Bets and wins appear here as soon as the platform sends them. Open a game as a test player to see the " +
				"first."}
	}
	return a.render(c, "transactions/list", page)
}

// transactionFilter reads the filters from the address. What cannot be read, or names nobody, is said in place of the list.
func (a *App) transactionFilter(c *fiber.Ctx,
	page *transactionsPage) (f models.TransactionFilter, wrong *views.Empty, err error) {
	page.Player, page.ID, page.Round = page.filterField("player", "Player"), page.filterField("id", "Transaction ID"),
		page.filterField("round", "Round ID")
	page.Player.Picker = "player"
	page.From, page.To = page.filterField("least", "Amount from"), page.filterField("most", "to")
	page.Since, page.Until = page.filterField("since", "Since"), page.filterField("until", "Until")
	page.Kinds = choices(page.params.Get("kind"), kindWords...)
	page.States = choices(page.params.Get("state"), stateWords...)
	page.Withs = choices(page.params.Get("with"), withWords...)
	page.Refused = choices(page.params.Get("refused"), refusedWords...)

	id, several, manyIDs, err := a.idFilter(c.UserContext(), &page.Page)
	if err != nil {
		return f, nil, err
	}
	f = models.TransactionFilter{
		TransactionID: id, TransactionIDs: several, RoundID: models.RoundID(page.filter("round", "Round", nil)),
		Kind: kindFilters[page.filter("kind", "Kind", wordOf(kindWords))], Limit: transactionRows,
	}
	switch page.filter("state", "State", wordOf(stateWords)) {
	case "applied":
		f.State = models.Processed
	case "rolled-back":
		f.State = models.Reversed
	case "changed":
		f.OtherContents = true
	}
	switch page.filter("with", "Played with", wordOf(withWords)) {
	case "money":
		f.With = models.RealMoney
	case "free-spins":
		f.With = models.FreeSpins
	}
	refuse := func(err error) {
		if err != nil && wrong == nil {
			e := unread(err, &page.Page)
			wrong = &e
		}
	}
	refuse(manyIDs)
	page.filter("refused", "Refused bets", wordOf(refusedWords))
	var bad error
	f.AmountFrom, bad = page.amountFilter("least", "Amount from")
	refuse(bad)
	f.AmountTo, bad = page.amountFilter("most", "Amount to")
	refuse(bad)
	f.Since, bad = page.timeFilter("since", "Since")
	refuse(bad)
	f.Until, bad = page.timeFilter("until", "Until")
	refuse(bad)
	if f.Page, err = page.place(); err != nil {
		return f, nil, err
	}
	player, nobody, err := a.playerFilter(c, &page.Page)
	f.PlayerID = player.ID
	if nobody != nil {
		wrong = nobody
	}
	return f, wrong, err
}

// playerFilter reads the filter by player, and records that their data is looked at. Where nobody has this user ID it says so.
func (a *App) playerFilter(c *fiber.Ctx, page *Page) (models.Player, *views.Empty, error) {
	user := page.filter("player", "Player", nil)
	if user == "" {
		return models.Player{}, nil, nil
	}
	p, found, err := a.Store.Player(c.UserContext(), models.UserID(user))
	if err != nil {
		return p, nil, err
	}
	if !found {
		return p, &views.Empty{
			Title: "No player is called “" + user + "”",
			Text:  "User IDs are compared letter for letter, capitals and accents included.",
			Links: []views.Link{{Word: "Look among the players", Href: "/players?q=" + escapeQuery(user), Main: true}},
		}, nil
	}
	return p, nil, a.viewed(c, "player", p.ID)
}

// findTransactions finds transactions by their ID, its beginning or its shortened form.
func (a *App) findTransactions(ctx context.Context, text string, limit int) (models.Found[hit], error) {
	found, err := a.Store.SearchTransactions(ctx, text, limit)
	return hitsOf(found, func(t models.TransactionLine) hit { return transactionHit(t, text) }), err
}

func transactionHit(t models.TransactionLine, text string) hit {
	state := transactionState(t.Transaction)
	return hit{
		Text: transactionWord(t.Transaction) + " of " + t.Size().Grouped() + " " + string(t.Currency) + ", " + string(t.UserID),
		ID:   views.ID{Text: string(t.TransactionID), Kind: "transaction ID", Short: true}, Value: string(t.TransactionID),
		Href: transactionPath(t.ID), State: &state, Exact: string(t.TransactionID) == text,
	}
}
