package money

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

const roundRows = 50

type roundsPage struct {
	web.Page
	Player, Funds views.Field
	Dates         web.Dates
	Currencies    []views.Choice
	States, Ages  []views.Choice
	Rows          []things.RoundRow
	Paging        views.Paging
	Empty         views.Empty
}

var roundStateWords = []string{
	"", "All states", "pending", "A win may still come", "open", "No result", "in-play", "In play", "no-win-yet", "No win yet",
	"no-win", "No win", "lost", "Lost",
	"interrupted", "Interrupted", "won", "Won", "rolled-back", "Rolled back", "no-bet", "Win without a bet",
}

var roundStateFilters = map[string]models.RoundFilter{
	"pending": {Pending: true}, "open": {Undecided: true}, "in-play": {State: models.RoundInPlay},
	"no-win-yet": {State: models.RoundNoWinYet},
	"no-win":     {State: models.RoundNoWin}, "lost": {State: models.RoundLost},
	"interrupted": {State: models.RoundInterrupted},
	"won":         {State: models.RoundWon},
	"rolled-back": {State: models.RoundReversed}, "no-bet": {State: models.RoundUnstaked},
}

var ageWords = []string{"", "Any age", "5m", "Over 5 min", "2h", "Over 2 h", "24h", "Over a day"}

var ageFilters = map[string]time.Duration{"5m": 5 * time.Minute, "2h": 2 * time.Hour, "24h": 24 * time.Hour}

func (a *Area) Rounds(c *fiber.Ctx) error {
	page := &roundsPage{Page: a.Page(c, "Rounds")}
	page.Lede = "Every round with its bets and wins."
	page.Saveable = true
	filter, wrong, err := a.roundFilter(c, page)
	if err != nil {
		return err
	}
	if wrong != nil {
		page.Empty = *wrong
		return a.Render(c, "rounds/list", page)
	}
	found, err := a.Store.Rounds(c.UserContext(), filter)
	if err != nil {
		return err
	}
	page.Rows = things.RoundRows(&page.Page, found.Rows)
	var first, last models.Cursor
	if n := len(found.Rows); n > 0 {
		first, last = filter.Place(found.Rows[0]), filter.Place(found.Rows[n-1])
	}
	page.Paging = page.LookedAround(filter.Page, first, last, found.More, found.Stopped,
		strconv.Itoa(len(page.Rows))+" shown"+fundsShown(found.Rows))
	switch {
	case !found.Stopped.IsZero():
		page.Empty = web.SoFar(page.Paging)
	case len(page.Chips) > 0:
		page.Empty = views.Empty{Title: "No rounds match these filters",
			Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}}}
	default:
		page.Empty = views.Empty{Title: "No rounds yet", Text: "Rounds appear as soon as the platform sends a bet."}
	}
	if len(page.Rows) == 0 && filter.Page.IsZero() && page.Paging.Older == "" && page.Params.Get("age") == "" {
		if err := page.OfferNearest(&page.Empty, page.Dates,
			func(since, until time.Time, at models.Cursor) (time.Time, error) {
				f := filter
				f.Since, f.Until, f.Page, f.Limit = since, until, at, 1
				found, err := a.Store.Rounds(c.UserContext(), f)
				return web.TimeOfFirst(found.Rows, func(r models.Round) time.Time { return r.At }), err
			}); err != nil {
			return err
		}
	}
	return a.Render(c, "rounds/list", page)
}

// roundFilter reads the filters from the address. What cannot be read, or names nobody, is said in place of the list.
func (a *Area) roundFilter(c *fiber.Ctx, page *roundsPage) (filter models.RoundFilter, wrong *views.Empty, err error) {
	page.Player, page.Funds = page.FilterField("player", "Player"), page.FilterField("funds", "Funds from")
	page.Player.Picker = "player"
	var state, age string
	state, page.States = page.Choice("state", "State", roundStateWords)
	filter = roundStateFilters[state]
	filter.Limit = roundRows
	filter.Funds = page.AmountFilter("funds", "Funds from")
	if filter.Currency, page.Currencies, err = a.CurrencyFilter(c.UserContext(), &page.Page); err != nil {
		return filter, nil, err
	}
	page.Dates = page.DatesFilter()
	filter.Since, filter.Until = page.Dates.Since, page.Dates.Until
	age, page.Ages = page.Choice("age", "Age", ageWords)
	if least := ageFilters[age]; least > 0 {
		if begun := page.Now.Add(-least); filter.Until.IsZero() || begun.Before(filter.Until) {
			filter.Until = begun.Truncate(time.Microsecond)
		}
	}
	if filter.Page, err = page.Place(); err != nil {
		return filter, nil, err
	}
	player, nobody, err := a.PlayerFilter(c, &page.Page)
	filter.PlayerID = player.ID
	return filter, cmp.Or(page.Unread(), nobody), err
}

// fundsShown sums up the money in the rounds without a result among those shown, by currency.
func fundsShown(list []models.Round) string {
	sums := map[models.Currency]models.Sum{}
	var currencies []models.Currency
	for _, r := range list {
		if r.Funds().IsZero() {
			continue
		}
		if sums[r.Currency].IsZero() {
			currencies = append(currencies, r.Currency)
		}
		sums[r.Currency] = sums[r.Currency].Plus(r.Funds())
	}
	slices.Sort(currencies)
	text := ""
	for i, currency := range currencies {
		text += map[bool]string{true: ", without a result ", false: ", "}[i == 0] + sums[currency].Grouped() + " " +
			string(currency)
	}
	return text
}

type roundPage struct {
	web.Page
	Round      models.Round
	Facts      []views.Fact
	Meaning    roundMeaning
	Rows       []things.TransactionRow
	More       string // the address of the rest of its transactions
	Neighbours []web.Neighbour
	Cases      things.ThingCases
}

func (a *Area) Round(c *fiber.Ctx) error {
	ctx := c.UserContext()
	id, err := web.Number(c, "id")
	if err != nil {
		return web.NotFound("round")
	}
	t, found, err := a.Store.Transaction(ctx, id)
	if err != nil {
		return err
	}
	round := models.Round{}
	if found {
		round, found, err = a.Store.Round(ctx, t.PlayerID, t.RoundID)
	}
	if err == nil && !found {
		err = web.NotFound("round")
	}
	if err != nil {
		return err
	}
	if round.ID != id {
		return c.Redirect(things.RoundPath(round.ID), fiber.StatusSeeOther)
	}
	if err := a.Viewed(c, "player", round.PlayerID); err != nil {
		return err
	}
	page := &roundPage{Page: a.Page(c, "Round of "+string(round.UserID)), Round: round}
	page.Crumbs = []views.Crumb{{Word: "Rounds", Href: "/rounds"}, {Word: "Round"}}
	page.Badges = []views.Badge{things.RoundState(round)}
	page.HeadID = &views.ID{Text: string(round.RoundID), Kind: "round ID"}
	list, err := a.Store.Transactions(ctx,
		models.TransactionFilter{RoundID: round.RoundID, PlayerID: round.PlayerID, Limit: transactionRows})
	if err != nil {
		return err
	}
	page.Rows = things.TransactionRows(&page.Page, list.Rows)
	numbers := []int64{round.ID}
	for _, t := range list.Rows {
		numbers = append(numbers, t.ID)
	}
	if page.Cases, err = a.CasesOf(ctx, &page.Page, models.CaseFilter{Transactions: numbers},
		"player="+web.EscapeQuery(string(round.UserID))); err != nil {
		return err
	}
	if list.More || !list.Stopped.IsZero() {
		page.More = "/transactions?player=" + web.EscapeQuery(string(round.UserID)) + "&round=" +
			web.EscapeQuery(string(round.RoundID))
	}
	page.Facts = roundFacts(&page.Page, round)
	page.Meaning = newRoundMeaning(round)
	player, _, err := a.Store.PlayerByID(ctx, round.PlayerID)
	if err != nil {
		return err
	}
	page.Neighbours = []web.Neighbour{
		{Label: "Player", Text: string(round.UserID), Href: things.PlayerPath(round.PlayerID),
			Note: player.Wallet.Balance.Grouped() + " " + string(round.Currency)},
	}
	session, launched, err := a.sessionBefore(ctx, t.Transaction)
	if err != nil {
		return err
	}
	if launched {
		page.Neighbours = append(page.Neighbours,
			web.Neighbour{Label: "Game", Text: session.Game.Name, Href: "/games/" + strconv.FormatInt(session.Game.ID, 10),
				Note: "inferred"})
	}
	return a.Render(c, "rounds/round", page)
}

func roundFacts(p *web.Page, r models.Round) []views.Fact {
	currency := " " + string(r.Currency)
	net := views.Fact{Label: "Net", Value: r.Net().Signed() + currency, Note: "for the player", Big: true}
	staked := views.Fact{Label: "Bets", Value: r.Staked.Grouped() + currency,
		Note: web.Several(r.Bets, "bet", "bets") + " standing"}
	if r.Spins > 0 {
		staked.Note = web.Several(r.Spins, "free spin", "free spins") + ", worth " + r.SpinStake.Grouped()
		if r.Bets > 0 {
			staked.Note = web.Several(r.Bets, "bet", "bets") + " and " + staked.Note
		}
	}
	lasting := views.Fact{Label: "Lasted", Value: web.Age(r.LastAt.Sub(r.At)),
		Note: web.Several(r.Transactions, "transaction", "transactions")}
	if r.State().Pending() {
		lasting = views.Fact{Label: "Since", Value: web.Age(p.Now.Sub(r.At)),
			Note: r.InPlay().Grouped() + currency + " in play"}
	}
	return []views.Fact{
		net, staked,
		{Label: "Wins", Value: r.Won.Grouped() + currency, Note: web.Several(r.Wins, "win", "wins") + " standing"},
		{Label: "Started", Moment: p.Time(r.At), Note: web.Age(p.Now.Sub(r.At)) + " ago"},
		lasting,
	}
}

// roundMeaning is what the note about a round's state is written from (views/rounds).
type roundMeaning struct {
	State  string
	Player string
	Funds  string // of money, where a result is missing
	Case   string // the address of the case that asks about it
	Spin   bool   // nothing but free spins was staked
}

func newRoundMeaning(r models.Round) roundMeaning {
	m := roundMeaning{State: r.State().String(), Player: string(r.UserID), Spin: r.Bets == 0}
	if r.Funds().Sign() > 0 {
		m.Funds = r.Funds().Grouped() + " " + string(r.Currency)
	}
	if r.CaseID != 0 {
		m.Case = things.CasePath(r.CaseID)
	}
	return m
}

// FindRounds finds rounds by their ID, its beginning or its shortened form.
func (a *Area) FindRounds(ctx context.Context, text string, limit int) (models.Found[things.Hit], error) {
	found, err := a.Store.SearchRounds(ctx, text, limit)
	return things.HitsOf(found, func(r models.Round) things.Hit {
		state := things.RoundState(r)
		return things.Hit{
			Text:  "Round of " + string(r.UserID) + ", net " + r.Net().Signed() + " " + string(r.Currency),
			ID:    views.ID{Text: string(r.RoundID), Kind: "round ID", Short: true},
			Value: string(r.RoundID), Href: things.RoundPath(r.ID), State: &state, Exact: string(r.RoundID) == text,
		}
	}), err
}
