// Package corrections has the pages of corrections: requesting one, and the queue in which a second person decides.
package corrections

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

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

var correctionStates = []web.Option[models.ApprovalState]{
	web.Offer("", "Waiting", models.ApprovalWaiting),
	web.Offer("approved", "Approved", models.ApprovalApproved),
	web.Offer("refused", "Refused", models.ApprovalRefused),
	web.Offer("withdrawn", "Withdrawn", models.ApprovalWithdrawn),
	web.Offer("all", "All", models.ApprovalState(0)),
}

var correctionKinds = []web.Option[models.CorrectionKind]{
	{Word: "All kinds"},
	web.Offer("rollback", "Rollback", models.CorrectRollback),
	web.Offer("win", "Missing win", models.CorrectWin),
	web.Offer("bet", "Missing bet", models.CorrectBet),
	web.Offer("credit", "Credit", models.CorrectCredit),
	web.Offer("debit", "Debit", models.CorrectDebit),
}

var amounts = web.Amounts[models.Correction]{
	Of: func(k models.Correction) (models.Amount, models.Currency) { return k.Amount, k.Currency },
	Sums: []web.Sum[models.Correction]{{Word: "booked", Of: in(models.ApprovalApproved)},
		{Word: "waiting", Of: in(models.ApprovalWaiting)}},
}

// in returns a function that returns a correction's effect if it is in this state, and else 0.
func in(state models.ApprovalState) func(models.Correction) models.Amount {
	return func(k models.Correction) models.Amount {
		if k.State != state {
			return 0
		}
		return k.Effect
	}
}

// List lists the corrections that wait for a second person, or those that the filters select.
func (a *Area) List(c *fiber.Ctx) error {
	return a.Corrections().Serve(a.Site.Site, c, "corrections/list")
}

type correction = models.Correction

// Corrections is the list of corrections.
func (a *Area) Corrections() web.List[web.ListPage, correction] {
	return web.List[web.ListPage, correction]{
		Path: "/corrections", Title: "Corrections", Needs: web.ReadCorrections, Select: a.selected, Amounts: amounts,
		Implied: func(p *web.ListPage) (chips []views.Chip) {
			if p.Params.Get("state") == "" {
				chips = []views.Chip{{Label: "State", Value: "Waiting"}}
			}
			return chips
		},
		Columns: []web.Column[web.ListPage, correction]{
			{Name: "Number", Kind: export.Number, Value: func(k correction) any { return k.ID }},
			{Head: "Requested", Kind: export.Time, Order: web.ByTime, Value: func(k correction) any { return k.At }},
			{Head: "Correction", Name: "Kind", Class: "c-what", Value: func(k correction) any { return k.Kind.String() },
				Cell: func(_ *web.ListPage, k correction) views.Cell {
					what := strings.SplitN(pages.CorrectionTitle(k), ", ", 2)[0]
					if k.Kind.Adjusts() {
						what = web.FirstUpper(k.Kind.String())
					}
					return views.Cell{Text: what + " " + strconv.FormatInt(k.ID, 10), Href: pages.CorrectionPath(k.ID)}
				}},
			{Head: "Player", Class: "c-who", Value: func(k correction) any { return string(k.UserID) },
				Cell: func(_ *web.ListPage, k correction) views.Cell { return pages.PlayerCell(k.PlayerID, k.UserID) }},
			{Name: "Transaction ID", Value: func(k correction) any { return string(k.TransactionID) }},
			{Name: "Round ID", Value: func(k correction) any { return string(k.RoundID) }},
			{Name: "Amount", Kind: export.Money, Value: func(k correction) any { return k.Amount }},
			{Head: "Effect", Name: "Effect on the balance", Kind: export.Money, Class: "c-lead", Value: func(k correction) any { return k.Effect },
				Cell: func(p *web.ListPage, k correction) views.Cell {
					m := p.Signed(k.Effect, k.Currency)
					m.Void = k.State != models.ApprovalWaiting && k.State != models.ApprovalApproved
					return views.Cell{Money: &m}
				}},
			{Name: "Currency", Value: func(k correction) any { return string(k.Currency) }},
			{Name: "Reason", Audience: export.Arbiter, Value: func(k correction) any { return reasonWord(k.Reason) }},
			{Name: "Text", Audience: export.Arbiter, Value: func(k correction) any { return k.Text }},
			{Name: "Reference", Value: func(k correction) any { return k.Reference }},
			{Head: "Requested by", Audience: export.Arbiter, Value: func(k correction) any { return k.Maker.Username },
				Cell: func(_ *web.ListPage, k correction) views.Cell {
					return views.Cell{Text: cmp.Or(k.Maker.Name, k.Maker.Username)}
				}},
			{Name: "Requester’s role", Audience: export.Arbiter, Value: func(k correction) any { return string(k.Maker.Role) }},
			{Name: "Balance when requested", Kind: export.Money, Value: func(k correction) any { return k.BalanceAtRequest }},
			{Name: "State", Value: func(k correction) any { return k.State.String() }},
			{Name: "Assigned to", Audience: export.Arbiter, Value: func(k correction) any { return k.Assignee }},
			{Head: "Decided", Kind: export.Time, Value: func(k correction) any { return k.DecidedAt },
				Cell: func(p *web.ListPage, k correction) (cell views.Cell) {
					if k.State != models.ApprovalWaiting {
						cell.Text = pages.DecidedBy(&p.Page, k)
					} else if k.Assignee != "" {
						cell.Text = "assigned to " + k.Assignee
					}
					return cell
				}},
			{Name: "Decided by", Audience: export.Arbiter, Value: func(k correction) any { return decider(k).Username }},
			{Name: "Decider’s role", Audience: export.Arbiter, Value: func(k correction) any { return string(decider(k).Role) }},
			{Name: "Decision", Audience: export.Arbiter, Value: func(k correction) any { return k.DecisionText }},
			{Name: "Ledger line", Kind: export.Number, Value: func(k correction) any { return export.NumberOrNone(k.Seq) }},
			{Name: "In the free-spin ledger", Kind: export.Flag, Value: func(k correction) any { return k.Spin }},
			{Name: "Balance before", Kind: export.Money, Value: func(k correction) any { return booked(k, k.Before) }},
			{Name: "Balance after", Kind: export.Money, Value: func(k correction) any { return booked(k, k.After) }},
			{Head: "State", Badge: func(p *web.ListPage, k correction) views.Badge { return stateOf(&p.Page, k) }},
		},
	}
}

// decider returns who decided or withdrew a correction.
func decider(k correction) models.Signature {
	if k.State != models.ApprovalWaiting && k.Checker.StaffID == 0 {
		return k.Maker
	}
	return k.Checker
}

// booked returns a balance of a correction, or nil if it was not booked.
func booked(k correction, balance models.Amount) any {
	if k.State != models.ApprovalApproved {
		return nil
	}
	return balance
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *web.ListPage) (list models.Listing[correction], err error) {
	player, err := a.PlayerFilter(ctx, &page.Page)
	if err != nil {
		return list, err
	}
	filter := models.CorrectionFilter{
		PlayerID: player.ID, Kind: web.Choose(&page.Page, "kind", "Kind", correctionKinds),
		State: web.Choose(&page.Page, "state", "State", correctionStates),
	}
	filter.Span = page.Period(&page.Page, web.LargestWords...)
	page.MoreFilters()
	reasons := []string{"", "All reasons"}
	for _, r := range models.Reasons {
		reasons = append(reasons, string(r.Code), web.FirstUpper(r.Word))
	}
	filter.Reason = models.ReasonCode(page.Choice("reason", "Reason", reasons))
	for _, of := range []struct {
		name, label string
		id          *int64
	}{{"maker", "Requested by", &filter.MakerID}, {"checker", "Decided by", &filter.CheckerID}} {
		name := page.TextFilter(of.name, of.label)
		if name == "" {
			continue
		}
		staff, found, err := a.Store.StaffNamed(ctx, strings.ToLower(name))
		if err != nil {
			return list, err
		}
		if *of.id = staff.ID; !found {
			page.Unknown(&views.Empty{
				Title: "There is no such colleague",
				Text:  "No colleague has the username “" + name + "”. Enter a whole username.",
				Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}},
			})
		}
	}
	filter.Assignee, err = a.OwnerFilter(ctx, &page.Page, "assignee", "Assigned to", web.CheckCorrections)
	if err != nil {
		return list, err
	}
	if filter.Assignee == pages.Unassigned {
		filter.Assignee, filter.Unassigned = "", true
	}
	if filter.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return list, err
	}
	filter.Amount = models.AmountRange{From: page.AmountFilter("amount-from", "Amount from"),
		To: page.AmountFilter("amount-to", "Amount to")}
	return models.List(filter, a.Store.Corrections, models.Correction.Place), nil
}

// FindCorrections finds a correction by its number, as people type it or as the ledger has it for adjustments.
func (a *Area) FindCorrections(ctx context.Context, text string, _ int) (models.Found[pages.Hit], error) {
	id, named := pages.NumberAfter(text, "correction")
	if id == 0 {
		return models.Found[pages.Hit]{}, nil
	}
	found, there, err := a.Store.Correction(ctx, id)
	h := CorrectionHit(found)
	h.Exact = named
	return pages.OneHit(h, there), err
}

// CorrectionHit returns a correction as a search result.
func CorrectionHit(c models.Correction) pages.Hit {
	state := views.Plain(web.FirstUpper(c.State.String()))
	if c.State == models.ApprovalWaiting {
		state = views.Waiting("Waiting")
	}
	number := strconv.FormatInt(c.ID, 10)
	return pages.Hit{
		Text: pages.CorrectionTitle(c) + ", " + string(c.UserID), ID: views.ID{Text: number, Kind: "correction"},
		Value: number,
		Href:  pages.CorrectionPath(c.ID), State: &state,
	}
}

// reasonWord returns the words for a correction's reason.
func reasonWord(code models.ReasonCode) string {
	if r, ok := models.ReasonOf(code); ok {
		return r.Word
	}
	return string(code)
}

// stateOf returns the badge for a correction's state, which also says whether it waits for the reader.
func stateOf(p *web.Page, c models.Correction) views.Badge {
	if c.State != models.ApprovalWaiting {
		return pages.ApprovalBadge(c.State)
	}
	if !p.Can(web.CheckCorrections) || c.Maker.StaffID == p.Reader.ID {
		return views.Waiting("Waiting")
	}
	return views.Waiting("Waiting for you")
}
