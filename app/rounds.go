package app

import (
	"context"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

const roundRows = 50

// roundPath is a round's address: the number of its first transaction. That of another of its transactions leads there too.
func roundPath(transaction int64) string { return "/rounds/" + strconv.FormatInt(transaction, 10) }

func hexText(h models.Hash) string { return hex.EncodeToString(h[:]) }

func roundState(r models.Round) views.Badge {
	word := firstUpper(r.State().String())
	switch r.State() {
	case models.RoundInPlay, models.RoundNoWinYet:
		return views.Active(word)
	case models.RoundNoWin:
		return views.Plain(word)
	case models.RoundReversed:
		return views.Undone(word)
	case models.RoundInterrupted, models.RoundUnstaked:
		return views.Waiting(word)
	}
	return views.Quiet(word)
}

type roundRow struct {
	models.Round
	Href, PlayerHref string
	Moment           views.Moment
	What             string
	Age              string
	Staked, Won, Net views.Money
	Badge            views.Badge
}

// roundWords says what a round is made of: "2 bets, 1 win, 1 rolled back".
func roundWords(r models.Round) string {
	text := ""
	for _, part := range []struct {
		n     int64
		thing string
	}{{r.Bets, "bet"}, {r.Spins, "free spin"}, {r.Wins, "win"}} {
		if part.n > 0 {
			if text != "" {
				text += ", "
			}
			text += several(part.n, part.thing, part.thing+"s")
		}
	}
	if r.Reversed > 0 {
		if text != "" {
			text += ", "
		}
		text += strconv.FormatInt(r.Reversed, 10) + " rolled back"
	}
	return text
}

func (p *Page) roundRow(r models.Round) roundRow {
	row := roundRow{
		Round: r, Href: roundPath(r.ID), PlayerHref: playerPath(r.PlayerID), Moment: p.Time(r.At), What: roundWords(r),
		Badge:  roundState(r),
		Staked: p.Money(r.Staked, ""), Won: p.Money(r.Won, ""), Net: p.Signed(r.Net(), r.Currency),
	}
	row.Staked.Second, row.Won.Second = true, true
	row.Net.Void = r.State() == models.RoundReversed
	if r.State().Pending() || r.State() == models.RoundInterrupted {
		row.Age = age(p.now.Sub(r.At))
	}
	return row
}

func (p *Page) roundRows(list []models.Round) []roundRow {
	rows := make([]roundRow, len(list))
	for i, r := range list {
		rows[i] = p.roundRow(r)
	}
	return rows
}

type roundsPage struct {
	Page
	Player, Funds, Since, Until views.Field
	States, Ages                []views.Choice
	Rows                        []roundRow
	Paging                      views.Paging
	Empty                       views.Empty
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

func (a *App) rounds(c *fiber.Ctx) error {
	page := &roundsPage{Page: a.page(c, "Rounds")}
	page.Lede = "Every round with its bets and wins."
	page.Saveable = true
	filter, wrong, err := a.roundFilter(c, page)
	if err != nil {
		return err
	}
	if wrong != nil {
		page.Empty = *wrong
		return a.render(c, "rounds/list", page)
	}
	found, err := a.Store.Rounds(c.UserContext(), filter)
	if err != nil {
		return err
	}
	page.Rows = page.roundRows(found.Rows)
	var first, last models.Cursor
	if n := len(found.Rows); n > 0 {
		first, last = filter.Place(found.Rows[0]), filter.Place(found.Rows[n-1])
	}
	page.Paging = page.lookedAround(filter.Page, first, last, found.More, found.Stopped,
		strconv.Itoa(len(page.Rows))+" shown"+fundsShown(found.Rows))
	switch {
	case !found.Stopped.IsZero():
		page.Empty = soFar(page.Paging)
	case len(page.Chips) > 0:
		page.Empty = views.Empty{Title: "No rounds match these filters",
			Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}}}
	default:
		page.Empty = views.Empty{Title: "No rounds yet", Text: "Rounds appear as soon as the platform sends a bet."}
	}
	return a.render(c, "rounds/list", page)
}

// roundFilter reads the filters from the address. What cannot be read, or names nobody, is said in place of the list.
func (a *App) roundFilter(c *fiber.Ctx, page *roundsPage) (filter models.RoundFilter, wrong *views.Empty, err error) {
	page.Player, page.Funds = page.filterField("player", "Player"), page.filterField("funds", "Funds from")
	page.Player.Picker = "player"
	page.Since, page.Until = page.filterField("since", "Since"), page.filterField("until", "Until")
	page.States = choices(page.params.Get("state"), roundStateWords...)
	page.Ages = choices(page.params.Get("age"), ageWords...)

	filter = roundStateFilters[page.filter("state", "State", wordOf(roundStateWords))]
	filter.Limit = roundRows
	refuse := func(err error) {
		if err != nil {
			e := unread(err, &page.Page)
			wrong = &e
		}
	}
	var bad error
	filter.Funds, bad = page.amountFilter("funds", "Funds from")
	refuse(bad)
	filter.Since, bad = page.timeFilter("since", "Since")
	refuse(bad)
	filter.Until, bad = page.timeFilter("until", "Until")
	refuse(bad)
	if least := ageFilters[page.filter("age", "Age", wordOf(ageWords))]; least > 0 {
		if begun := page.now.Add(-least); filter.Until.IsZero() || begun.Before(filter.Until) {
			filter.Until = begun.Truncate(time.Microsecond)
		}
	}
	if filter.Page, err = page.place(); err != nil {
		return filter, nil, err
	}
	player, nobody, err := a.playerFilter(c, &page.Page)
	if filter.PlayerID = player.ID; nobody != nil {
		wrong = nobody
	}
	return filter, wrong, err
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
	Page
	Round      models.Round
	Facts      []views.Fact
	Meaning    roundMeaning
	Rows       []transactionRow
	More       string // the address of the rest of its transactions
	Neighbours []neighbour
	Cases      thingCases
}

func (a *App) round(c *fiber.Ctx) error {
	ctx := c.UserContext()
	id, err := number(c, "id")
	if err != nil {
		return notFound("round")
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
		err = notFound("round")
	}
	if err != nil {
		return err
	}
	if round.ID != id {
		return c.Redirect(roundPath(round.ID), fiber.StatusSeeOther)
	}
	if err := a.viewed(c, "player", round.PlayerID); err != nil {
		return err
	}
	page := &roundPage{Page: a.page(c, "Round of "+string(round.UserID)), Round: round}
	page.Crumbs = []views.Crumb{{Word: "Rounds", Href: "/rounds"}, {Word: "Round"}}
	page.Badges = []views.Badge{roundState(round)}
	page.HeadID = &views.ID{Text: string(round.RoundID), Kind: "round ID"}
	list, err := a.Store.Transactions(ctx,
		models.TransactionFilter{RoundID: round.RoundID, PlayerID: round.PlayerID, Limit: transactionRows})
	if err != nil {
		return err
	}
	page.Rows = page.transactionRows(list.Rows)
	numbers := []int64{round.ID}
	for _, t := range list.Rows {
		numbers = append(numbers, t.ID)
	}
	if page.Cases, err = a.casesOf(ctx, &page.Page, models.CaseFilter{Transactions: numbers},
		"player="+escapeQuery(string(round.UserID))); err != nil {
		return err
	}
	if list.More || !list.Stopped.IsZero() {
		page.More = "/transactions?player=" + escapeQuery(string(round.UserID)) + "&round=" + escapeQuery(string(round.RoundID))
	}
	page.Facts = page.roundFacts(round)
	page.Meaning = newRoundMeaning(round)
	player, _, err := a.Store.PlayerByID(ctx, round.PlayerID)
	if err != nil {
		return err
	}
	page.Neighbours = []neighbour{
		{Label: "Player", Text: string(round.UserID), Href: playerPath(round.PlayerID),
			Note: player.Wallet.Balance.Grouped() + " " + string(round.Currency)},
	}
	session, launched, err := a.sessionBefore(ctx, t.Transaction)
	if err != nil {
		return err
	}
	if launched {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Game", Text: session.Game.Name, Href: "/games/" + strconv.FormatInt(session.Game.ID, 10),
				Note: "inferred"})
	}
	return a.render(c, "rounds/round", page)
}

func (p *Page) roundFacts(r models.Round) []views.Fact {
	currency := " " + string(r.Currency)
	net := views.Fact{Label: "Net", Value: r.Net().Signed() + currency, Note: "for the player", Big: true}
	staked := views.Fact{Label: "Bets", Value: r.Staked.Grouped() + currency,
		Note: several(r.Bets, "bet", "bets") + " standing"}
	if r.Spins > 0 {
		staked.Note = several(r.Spins, "free spin", "free spins") + ", worth " + r.SpinStake.Grouped()
		if r.Bets > 0 {
			staked.Note = several(r.Bets, "bet", "bets") + " and " + staked.Note
		}
	}
	lasting := views.Fact{Label: "Lasted", Value: age(r.LastAt.Sub(r.At)),
		Note: several(r.Transactions, "transaction", "transactions")}
	if r.State().Pending() {
		lasting = views.Fact{Label: "Since", Value: age(p.now.Sub(r.At)), Note: r.InPlay().Grouped() + currency + " in play"}
	}
	return []views.Fact{
		net, staked,
		{Label: "Wins", Value: r.Won.Grouped() + currency, Note: several(r.Wins, "win", "wins") + " standing"},
		{Label: "Started", Moment: p.Time(r.At), Note: age(p.now.Sub(r.At)) + " ago"},
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
		m.Case = casePath(r.CaseID)
	}
	return m
}

// findRounds finds rounds by their ID, its beginning or its shortened form.
func (a *App) findRounds(ctx context.Context, text string, limit int) (models.Found[hit], error) {
	found, err := a.Store.SearchRounds(ctx, text, limit)
	return hitsOf(found, func(r models.Round) hit {
		state := roundState(r)
		return hit{
			Text:  "Round of " + string(r.UserID) + ", net " + r.Net().Signed() + " " + string(r.Currency),
			ID:    views.ID{Text: string(r.RoundID), Kind: "round ID", Short: true},
			Value: string(r.RoundID), Href: roundPath(r.ID), State: &state, Exact: string(r.RoundID) == text,
		}
	}), err
}
