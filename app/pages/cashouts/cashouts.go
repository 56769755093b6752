// Package cashouts has the pages of cash-outs that a person has to approve before the cashier pays them.
package cashouts

import (
	"cmp"
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/atonce"
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

const (
	recentMoney = 12 // transactions on a cash-out's page
)

// row is a cash-out in the list.
type row struct {
	models.CashReview
	Href, PlayerHref string
	Age              string // time since the request; empty if it is not waiting
	Late             bool   // it has waited longer than a cash-out should
	Amount           views.Money
	Badge            views.Badge
}

func newRow(p *web.Page, r models.CashReview) row {
	v := row{CashReview: r, Href: pages.CashOutPath(r.ID), PlayerHref: pages.PlayerPath(r.PlayerID),
		Amount: p.Money(r.Amount, r.Currency), Badge: badge(r.State, r.Ended)}
	if age := p.Now.Sub(r.At); r.State == models.ApprovalWaiting {
		v.Age, v.Late = web.Age(age), age >= models.CashOutExpires
	}
	return v
}

// badge returns the badge of a cash-out after a decision.
func badge(state models.ApprovalState, ended models.OperationKind) views.Badge {
	switch {
	case state == models.ApprovalWithdrawn:
		return views.Gone("Canceled")
	case state == models.ApprovalApproved && ended == models.CashPaid:
		return views.Quiet("Paid")
	case state == models.ApprovalApproved && ended == models.CashReturned:
		return views.Gone("Returned")
	}
	return pages.ApprovalBadge(state)
}

var states = []web.Option[models.ApprovalState]{
	web.Offer("", "Waiting", models.ApprovalWaiting),
	web.Offer("approved", "Approved", models.ApprovalApproved),
	web.Offer("refused", "Refused", models.ApprovalRefused),
	web.Offer("canceled", "Canceled by the cashier", models.ApprovalWithdrawn),
	web.Offer("all", "All", models.ApprovalState(0)),
}

var amounts = web.Amounts[models.CashReview]{
	Of:   func(r models.CashReview) (models.Amount, models.Currency) { return r.Amount, r.Currency },
	Sums: []web.Sum[models.CashReview]{{Word: "cash-outs", Of: func(r models.CashReview) models.Amount { return r.Amount }}},
}

// List lists the cash-outs that wait for approval or were decided.
func (a *Area) List(c *fiber.Ctx) error { return a.CashOuts().Serve(a.Site.Site, c, "cash-outs/list") }

type cashOut = models.CashReview

// CashOuts is the list of cash-outs that need approval.
func (a *Area) CashOuts() web.List[web.ListPage, cashOut] {
	return web.List[web.ListPage, cashOut]{
		Path: "/cash-outs", Title: "Cash-outs", Needs: web.ReadCashOuts, Select: a.selected, Amounts: amounts,
		Columns: []web.Column[web.ListPage, cashOut]{
			{Head: "Requested", Kind: export.Time, Order: web.ByTime, Value: func(r cashOut) any { return r.At }},
			{Name: "Number", Kind: export.Number, Value: func(r cashOut) any { return r.ID }},
			{Head: "Cash-out", Class: "c-what",
				Cell: func(_ *web.ListPage, r cashOut) views.Cell {
					return views.Cell{Text: "Cash-out " + strconv.FormatInt(r.ID, 10), Href: pages.CashOutPath(r.ID)}
				}},
			{Head: "Player", Class: "c-who", Value: func(r cashOut) any { return string(r.UserID) },
				Cell: func(_ *web.ListPage, r cashOut) views.Cell { return pages.PlayerCell(r.PlayerID, r.UserID) }},
			{Head: "Amount", Kind: export.Money, Class: "c-lead", Order: web.Largest, Value: func(r cashOut) any { return r.Amount },
				Cell: func(p *web.ListPage, r cashOut) views.Cell {
					return views.Cell{Money: new(p.Money(r.Amount, r.Currency))}
				}},
			{Name: "Currency", Value: func(r cashOut) any { return string(r.Currency) }},
			{Head: "Waiting for", Cell: func(p *web.ListPage, r cashOut) views.Cell {
				row := newRow(&p.Page, r)
				cell := views.Cell{Text: cmp.Or(row.Age, "–")}
				if row.Late {
					cell.Text += " (a case is open)"
				}
				return cell
			}},
			{Head: "State", Value: func(r cashOut) any { return badge(r.State, r.Ended).Word },
				Badge: func(_ *web.ListPage, r cashOut) views.Badge { return badge(r.State, r.Ended) }},
		},
	}
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *web.ListPage) (list models.Listing[cashOut], err error) {
	filter := models.CashReviewFilter{State: web.Choose(&page.Page, "state", "State", states)}
	player, err := a.PlayerFilter(ctx, &page.Page)
	if err != nil {
		return list, err
	}
	filter.PlayerID, filter.Span = player.ID, page.Period(&page.Page, web.LargestWords...)
	filter.Currency, err = a.CurrencyFilter(ctx, &page.Page)
	return models.List(filter, a.Store.CashReviews, models.CashReview.Place), err
}

type cashOutPage struct {
	web.Page
	pages.Decision
	Row              row
	Player           models.Player
	Cash             models.CashTransaction // its present state
	Client, ClientID string                 // the API client's name, and the client's ID for the cash-out
	EndedAt          views.Moment
	LastDeposit      *pages.TransactionRow // the last one before the cash-out; nil if there is none
	Played           models.CashPlay       // play since that deposit, or ever if there is none
	Money            []pages.TransactionRow
	Restricted       []models.Restriction
	Cases            pages.ThingCases
	Queue            pages.Queue // of the waiting cash-outs
}

// Requests are the cash-outs that need approval. No person can withdraw them; the cashier's system does.
func (a *Area) Requests() pages.RequestKind {
	return pages.RequestKind{Name: "cash-out", Word: "Cash-out", Path: "/cash-outs", List: "/cash-outs",
		Waits:   views.Todo{One: "Cash-out to approve", Many: "Cash-outs to approve", Note: "held, and not paid before"},
		Reads:   web.ReadCashOuts,
		Decides: web.ApproveCashOuts, Show: a.show, Said: map[models.ApprovalState]string{
			models.ApprovalApproved: "Approved. The cashier may pay it now.",
			models.ApprovalRefused:  "Refused. The amount is back in the player’s balance."}}
}

// show shows a cash-out with everything that the reader needs to decide it.
func (a *Area) show(c *fiber.Ctx, f *web.Form, asked models.Requested) (err error) {
	r := *asked.(*models.CashReview)
	if err := a.Viewed(c, "player", r.PlayerID, r.PlayerID); err != nil {
		return err
	}
	page := &cashOutPage{Page: a.Page(c, "")}
	page.Decision, err = a.NewDecision(c, &page.Page, f, pages.CashOutPath(r.ID),
		"Pay "+r.Amount.Grouped()+" "+string(r.Currency)+" to "+string(r.UserID), asked)
	if err != nil {
		return err
	}
	page.Button, page.Refusal = "Approve the cash-out", "Refuse and return the amount"
	page.Reads = "The cashier can read it, and may show it to the player. Do not write about money laundering here."
	page.Decision.Moment = page.Time(r.At)
	page.Row = newRow(&page.Page, r)
	page.Badges = []views.Badge{page.Row.Badge}
	ctx := c.UserContext()
	err = atonce.Read(
		func() error { return a.readCashOut(ctx, page, r) },
		func() error { return a.readPlayed(ctx, page, r) },
		func() error { return a.readPlayer(ctx, page, r) },
		func() error { return a.readQueue(ctx, page, r) })
	if err != nil {
		return err
	}
	if r.State == models.ApprovalApproved {
		ended := map[models.CashState]models.OperationKind{models.CashPaidOut: models.CashPaid,
			models.CashGivenBack: models.CashReturned, models.CashCameBack: models.CashPaid}
		page.Badges[0] = badge(r.State, ended[page.Cash.State])
	}
	return a.RenderForm(c, !f.Ok(), "cash-outs/cash-out", page)
}

// readCashOut reads the cash-out's present state and the client that requested it.
func (a *Area) readCashOut(ctx context.Context, page *cashOutPage, r models.CashReview) error {
	client, id := r.Client()
	page.ClientID = id
	of, _, err := a.Store.APIClient(ctx, client)
	if err != nil {
		return err
	}
	page.Client = of.Name
	if page.Cash, _, err = a.Store.CashNow(ctx, r.TransactionID); err == nil && page.Cash.Ended != nil {
		page.EndedAt = page.Time(page.Cash.Ended.At)
	}
	return err
}

// readPlayed reads the player's last deposit before the cash-out and the play since then.
func (a *Area) readPlayed(ctx context.Context, page *cashOutPage, r models.CashReview) error {
	deposits, err := a.Store.Transactions(ctx, models.TransactionFilter{PlayerID: r.PlayerID, Kind: models.CashIn,
		Span: models.Span{Until: r.At, Limit: 1}})
	if err != nil {
		return err
	}
	var after int64
	if len(deposits.Rows) > 0 {
		page.LastDeposit, after = &pages.TransactionRows(&page.Page, deposits.Rows)[0], deposits.Rows[0].ID
	}
	page.Played, err = a.Store.PlayedBetween(ctx, r.PlayerID, after, r.ID)
	return err
}

// readPlayer reads the player, with their latest money transactions, restrictions and cases.
func (a *Area) readPlayer(ctx context.Context, page *cashOutPage, r models.CashReview) error {
	var err error
	if page.Player, _, err = a.Store.PlayerByID(ctx, r.PlayerID); err != nil {
		return err
	}
	money, err := a.Store.Transactions(ctx, models.TransactionFilter{PlayerID: r.PlayerID, NotPlay: true,
		Span: models.Span{Limit: recentMoney}})
	if err != nil {
		return err
	}
	page.Money = pages.TransactionRows(&page.Page, money.Rows)
	restricted, err := a.Store.Restrictions(ctx, models.RestrictionFilter{PlayerID: r.PlayerID, Active: new(true),
		Span: models.Span{Limit: recentMoney}})
	if err != nil {
		return err
	}
	page.Restricted = restricted.Rows
	page.Cases, err = a.CasesOf(ctx, &page.Page, models.CaseFilter{PlayerID: r.PlayerID, State: models.CaseOpen},
		pages.PlayerOf(r.PlayerID))
	return err
}

// readQueue finds the waiting cash-outs before and after this one.
func (a *Area) readQueue(ctx context.Context, page *cashOutPage, r models.CashReview) (err error) {
	page.Queue, err = pages.NewQueue(&page.Page, "cash-out", r.Place(), func(at models.Cursor) (models.Page[models.CashReview], error) {
		return a.Store.CashReviews(ctx, models.CashReviewFilter{State: models.ApprovalWaiting, Span: models.Span{Limit: 1, Page: at}})
	}, func(r models.CashReview) string { return pages.CashOutPath(r.ID) })
	return err
}
