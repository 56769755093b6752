// Package corrections has the pages of corrections: requesting one, and the queue in which a second person decides.
package corrections

import (
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

type correctionRow struct {
	models.Correction
	Href, PlayerHref string
	What             string
	Decided          string // the decision, and who made it
	Assigned         string // who should decide it
	Amount           views.Money
	Badge            views.Badge
}

type correctionListPage struct {
	web.Page
	web.Listed
	Rows []correctionRow
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

// in returns the effect of a correction in a state.
func in(state models.ApprovalState) func(models.Correction) models.Amount {
	return func(k models.Correction) models.Amount {
		if k.State != state {
			return 0
		}
		return k.Effect
	}
}

// List lists the corrections that wait for a second person, and the others.
func (a *Area) List(c *fiber.Ctx) error {
	page := &correctionListPage{Page: a.Page(c, "")}
	page.Saveable = true
	list, err := a.listing(c.UserContext(), page)
	if err != nil {
		return err
	}
	listed, err := web.ReadAmounts(c.UserContext(), &page.Page, &page.Listed, list, amounts)
	if err != nil {
		return err
	}
	for _, found := range listed.Rows {
		row := correctionRow{
			Correction: found, Href: pages.CorrectionPath(found.ID), PlayerHref: pages.PlayerPath(found.PlayerID),
			What:   strings.SplitN(pages.CorrectionTitle(found), ", ", 2)[0],
			Amount: page.Signed(found.Effect, found.Currency), Badge: stateOf(&page.Page, found),
		}
		if found.Kind.Adjusts() {
			row.What = web.FirstUpper(found.Kind.String())
		}
		if found.State != models.ApprovalWaiting {
			row.Decided = pages.DecidedBy(&page.Page, found)
			row.Amount.Void = found.State != models.ApprovalApproved
		} else if found.Assignee != "" {
			row.Assigned = found.Assignee
		}
		page.Rows = append(page.Rows, row)
	}
	return a.Render(c, "corrections/list", page)
}

// listing reads the filters from the address. If one cannot be read, or names an unknown person, a message replaces the list.
func (a *Area) listing(ctx context.Context, page *correctionListPage) (list models.Listing[models.Correction], err error) {
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
	page.Instead = page.Unread()
	return models.List(filter, a.Store.Corrections, models.Correction.Place), nil
}

// ExportCorrections reads corrections for a file; see web.Exportable.
func (a *Area) ExportCorrections(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &correctionListPage{Page: p}
	list, err := a.listing(ctx, page)
	if err != nil {
		return export.List{}, nil, nil, err
	}
	if p.Params.Get("state") == "" {
		page.Chips = append(page.Chips, views.Chip{Label: "State", Value: "Waiting"}) // the default of the list
	}
	read, err := web.AmountRows(ctx, &page.Page, &page.Listed, list, amounts,
		export.Each(func(k models.Correction) export.Row {
			var before, after any // empty if nothing is booked
			decider := k.Checker
			if k.State == models.ApprovalApproved {
				before, after = k.Before, k.After
			}
			if k.State != models.ApprovalWaiting && decider.StaffID == 0 {
				decider = k.Maker // withdrawn
			}
			return export.Row{
				k.ID, k.At, k.Kind.String(), string(k.UserID), string(k.TransactionID), string(k.RoundID), k.Amount,
				k.Effect,
				string(k.Currency), reasonWord(k.Reason), k.Text, k.Reference,
				k.Maker.Username, string(k.Maker.Role), k.BalanceAtRequest, k.State.String(), k.Assignee, k.DecidedAt,
				decider.Username, string(decider.Role), k.DecisionText,
				export.NumberOrNone(k.Seq), k.Spin, before, after,
			}
		}))
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Requested", Kind: export.Time}, {Name: "Kind"}, {Name: "Player"},
			{Name: "Transaction ID"}, {Name: "Round ID"},
			{Name: "Amount", Kind: export.Money}, {Name: "Effect on the balance", Kind: export.Money}, {Name: "Currency"},
			{Name: "Reason", Audience: export.Arbiter}, {Name: "Text", Audience: export.Arbiter}, {Name: "Reference"},
			{Name: "Requested by", Audience: export.Arbiter}, {Name: "Requester’s role", Audience: export.Arbiter},
			{Name: "Balance when requested", Kind: export.Money},
			{Name: "State"},
			{Name: "Assigned to", Audience: export.Arbiter}, {Name: "Decided", Kind: export.Time},
			{Name: "Decided by", Audience: export.Arbiter}, {Name: "Decider’s role", Audience: export.Arbiter},
			{Name: "Decision", Audience: export.Arbiter},
			{Name: "Ledger line", Kind: export.Number}, {Name: "In the free-spin ledger", Kind: export.Flag},
			{Name: "Balance before", Kind: export.Money}, {Name: "Balance after", Kind: export.Money},
		},
		Read: read,
	}, page.Chips, page.Instead, err
}

// FindCorrections finds a correction by its number, in the forms that people type and that the ledger has for adjustments.
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

// reasonWord returns the reason of a correction in words.
func reasonWord(code models.ReasonCode) string {
	if r, ok := models.ReasonOf(code); ok {
		return r.Word
	}
	return string(code)
}

// stateOf returns the badge of a correction's state, which says whether it waits for the reader.
func stateOf(p *web.Page, c models.Correction) views.Badge {
	if c.State != models.ApprovalWaiting {
		return pages.ApprovalBadge(c.State)
	}
	if !p.Can(web.CheckCorrections) || c.Maker.StaffID == p.Reader.ID {
		return views.Waiting("Waiting")
	}
	return views.Waiting("Waiting for you")
}
