// Package rounds has the pages of rounds.
package rounds

import (
	"context"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/answers"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

const transactionRows = 50 // on a round's page

type roundsPage struct {
	pages.PlayerList
	Undecided []views.Money // the stakes in rows without a result, by currency
}

// roundStates are the choices of the State filter, and which rounds each selects.
var roundStates = []web.Option[models.RoundFilter]{
	{Word: "All states"},
	web.Offer("pending", "In play or no win yet: a win may still come", models.RoundFilter{Pending: true}),
	web.Offer("open", "No result: any state but lost, paid or rolled back", models.RoundFilter{Undecided: true}),
	web.Offer("in-play", "In play: bet in the last minute", models.RoundFilter{State: models.RoundInPlay}),
	web.Offer("no-win-yet", "No win yet: bet 1 to 5 minutes ago", models.RoundFilter{State: models.RoundNoWinYet}),
	web.Offer("no-win", "No win: none came, almost certainly lost", models.RoundFilter{State: models.RoundNoWin}),
	web.Offer("lost", "Lost: confirmed by the platform", models.RoundFilter{State: models.RoundLost}),
	web.Offer("interrupted", "Interrupted: an open case, a person must decide",
		models.RoundFilter{State: models.RoundInterrupted}),
	web.Offer("won", "Win paid, even if below the bets", models.RoundFilter{State: models.RoundWon}),
	web.Offer("rolled-back", "Rolled back: nothing was staked in the end", models.RoundFilter{State: models.RoundReversed}),
	web.Offer("no-bet", "Win without a bet: ask the platform", models.RoundFilter{State: models.RoundUnstaked}),
}

var roundAges = []web.Option[time.Duration]{
	{Word: "Any age"},
	web.Offer("5m", "Over 5 min", 5*time.Minute),
	web.Offer("2h", "Over 2 h", 2*time.Hour),
	web.Offer("24h", "Over a day", 24*time.Hour),
}

func (a *Area) List(c *fiber.Ctx) error { return a.Rounds().Serve(a.Site.Site, c, "rounds/list") }

// Rounds is the list of rounds.
func (a *Area) Rounds() web.List[roundsPage, models.Round] {
	return web.List[roundsPage, models.Round]{
		Path: "/rounds", Title: "Rounds", Needs: web.ReadRounds, Select: a.selected,
		Load: func(ctx context.Context, p *roundsPage, rows []models.Round) error {
			p.Undecided = undecided(&p.Page, rows)
			return a.ReadHead(ctx, &p.Page, &p.PlayerHead)
		},
		Columns: []web.Column[roundsPage, models.Round]{
			{Name: "Number", Kind: export.Number, Value: func(r models.Round) any { return r.ID }},
			{Head: "Started", Kind: export.Time, Order: web.ByTime, Value: func(r models.Round) any { return r.At }},
			{Name: "Last transaction", Kind: export.Time, Value: func(r models.Round) any { return r.LastAt }},
			{Head: "Round", Name: "Round ID", Class: "c-what", Value: func(r models.Round) any { return string(r.RoundID) },
				Cell: func(_ *roundsPage, r models.Round) views.Cell {
					return views.Cell{Href: pages.RoundPath(r.ID), ID: views.ShortID(string(r.RoundID), "round ID"), Copy: true}
				}},
			{Head: "Player", Class: "c-who tight", Value: func(r models.Round) any { return string(r.UserID) },
				When: func(p *roundsPage) bool { return p.Player.ID == 0 },
				Cell: func(_ *roundsPage, r models.Round) views.Cell { return pages.PlayerCell(r.PlayerID, r.UserID) }},
			{Name: "Test player", Kind: export.Flag, Value: func(r models.Round) any { return r.Test }},
			{Name: "State", Value: func(r models.Round) any { return r.State().String() }},
			{Name: "Transactions", Kind: export.Number, Value: func(r models.Round) any { return r.Transactions }},
			{Head: "What", Class: "pb-nowrap pb-2nd", Block: "what"},
			{Name: "Bets", Kind: export.Number, Value: func(r models.Round) any { return r.Bets }},
			{Name: "Free spins", Kind: export.Number, Value: func(r models.Round) any { return r.Spins }},
			{Name: "Wins", Kind: export.Number, Value: func(r models.Round) any { return r.Wins }},
			{Name: "Rolled back", Kind: export.Number, Value: func(r models.Round) any { return r.Reversed }},
			{Head: "Bets", Name: "Staked", Kind: export.Money, Class: "c-skip pb-2nd", Value: func(r models.Round) any { return r.Staked }},
			{Head: "Wins", Name: "Won", Kind: export.Money, Class: "c-skip pb-2nd", Value: func(r models.Round) any { return r.Won }},
			{Head: "Net", Kind: export.Money, Class: "c-lead", Value: func(r models.Round) any { return r.Net() },
				Cell: func(p *roundsPage, r models.Round) views.Cell {
					return views.Cell{Money: new(pages.RoundNet(&p.Page, r))}
				}},
			{Name: "Stakes without a result", Kind: export.Money, Value: func(r models.Round) any { return r.Funds() }},
			{Name: "Stake of free spins", Kind: export.Money, Value: func(r models.Round) any { return r.SpinStake }},
			{Name: "Currency", Value: func(r models.Round) any { return string(r.Currency) }},
			{Head: "State", Class: "c-state", Cell: func(p *roundsPage, r models.Round) views.Cell {
				return views.Cell{Badges: []views.Badge{pages.RoundState(r)}, Note: pages.RoundAge(&p.Page, r)}
			}},
		},
	}
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *roundsPage) (list models.Listing[models.Round], err error) {
	player, err := a.PlayerOrTab(ctx, &page.Page, &page.PlayerHead)
	if err != nil {
		return list, err
	}
	filter := web.Choose(&page.Page, "state", "State", roundStates)
	filter.PlayerID = player.ID
	filter.Span = page.Period(&page.Page)
	page.MoreFilters()
	age := web.Choose(&page.Page, "age", "Age", roundAges)
	filter.Funds = page.AmountFilter("funds", "At stake from")
	if filter.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return list, err
	}
	var begun time.Time // selects only rounds that began before it
	if age > 0 {
		begun = page.Now.Add(-age).Truncate(time.Microsecond)
	}
	list = models.List(filter, a.Store.Rounds, filter.Place)
	read := list.Read
	list.Read = func(ctx context.Context, s models.Span) (models.Page[models.Round], error) {
		s.Until = models.Earliest(s.Until, begun)
		return read(ctx, s)
	}
	return list, nil
}

// States returns the meanings of all states.
func (*roundsPage) States() []pages.RoundWords { return pages.RoundStates }

// undecided adds up the stakes of rounds without a result, by currency.
func undecided(p *web.Page, list []models.Round) []views.Money {
	sums := map[models.Currency]models.Amount{}
	for _, r := range list {
		if r.Funds() != 0 {
			sums[r.Currency] = sums[r.Currency].Add(r.Funds())
		}
	}
	return pages.Sums(p, sums)
}

type roundPage struct {
	web.Page
	Round   models.Round
	Meaning *views.Note // what its state means
	Player  models.Player
	Session *models.GameSession // the session in which it was most likely played
	Rows    []pages.TransactionRow
	More    bool // the round has more transactions than Rows
	Cases   pages.ThingCases
	Tell    *pages.Answer
	Remark  *pages.Remark
}

func (a *Area) Detail(c *fiber.Ctx) error {
	ctx := c.UserContext()
	t, err := web.Find(c, "round", a.Store.Transaction)
	if err != nil {
		return err
	}
	round, found, err := a.Store.Round(ctx, t.PlayerID, t.RoundID)
	if err == nil && !found {
		err = web.NotFound("round")
	}
	if err != nil {
		return err
	}
	if round.ID != t.ID {
		return c.Redirect(pages.RoundPath(round.ID), fiber.StatusSeeOther)
	}
	if err := a.Viewed(c, "player", round.PlayerID, round.PlayerID); err != nil {
		return err
	}
	page := &roundPage{Page: a.Page(c, ""), Round: round, Meaning: pages.RoundNote(round)}
	page.Badges = []views.Badge{pages.RoundState(round)}
	page.HeadID = &views.ID{Text: string(round.RoundID), Kind: "round ID"}
	list, err := a.Store.Transactions(ctx,
		models.TransactionFilter{RoundID: round.RoundID, PlayerID: round.PlayerID, Span: models.Span{Limit: transactionRows}})
	if err != nil {
		return err
	}
	page.Rows = pages.TransactionRows(&page.Page, list.Rows)
	numbers := []int64{round.ID}
	for _, t := range list.Rows {
		numbers = append(numbers, t.ID)
	}
	if page.Cases, err = a.CasesOf(ctx, &page.Page, models.CaseFilter{Transactions: numbers},
		pages.PlayerOf(round.PlayerID)); err != nil {
		return err
	}
	page.More = list.More || !list.Stopped.IsZero()
	if page.Player, _, err = a.Store.PlayerByID(ctx, round.PlayerID); err != nil {
		return err
	}
	last, err := a.LastWin(ctx, round)
	if err != nil {
		return err
	}
	about := models.Case{Finding: models.Finding{Transaction: round.ID}}
	if page.Tell, err = a.NewAnswer(c, &page.Page, page.Player, answers.Round(round, last), about); err != nil {
		return err
	}
	if page.Remark, err = a.NewRemark(c, &page.Page, "round", strconv.FormatInt(round.ID, 10)); err != nil {
		return err
	}
	if page.Session, err = a.SessionBefore(ctx, t.Transaction); err != nil {
		return err
	}
	return a.Render(c, "rounds/round", page)
}

// FindRounds finds rounds by their ID: whole, shortened, or its beginning.
func (a *Area) FindRounds(ctx context.Context, text string, limit int) (models.Found[pages.Hit], error) {
	found, err := a.Store.SearchRounds(ctx, text, limit)
	return pages.HitsOf(found, func(r models.Round) pages.Hit {
		state := pages.RoundState(r)
		return pages.Hit{
			Text:  "Round of " + string(r.UserID) + ", net " + r.Net().Signed() + " " + string(r.Currency),
			ID:    views.ID{Text: string(r.RoundID), Kind: "round ID", Short: true},
			Value: string(r.RoundID), Href: pages.RoundPath(r.ID), State: &state, Exact: string(r.RoundID) == text,
		}
	}), err
}
