// Package corrections has the pages of corrections: requesting one, and the queue in which a second person decides.
package corrections

import (
	"context"
	"strconv"
	"strings"
	"time"

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

// The inbox, beside the open correction (correction.go), and the list of all corrections. Requests are in new_correction.go,
// decisions in decision.go.

const (
	InboxRows      = 100 // the most waiting corrections in the inbox, and the most decided ones
	correctionRows = 50
	waitsLong      = 30 * time.Minute
)

// correctionItem is a correction in the inbox.
type correctionItem struct {
	models.Correction
	Href, What   string
	By           string // who requested it
	Reason       string // only for the reader's own corrections
	Decided      string // the decision, and who made it
	Age          string
	Old, Current bool
}

// correctionGroup is a part of the inbox: "assigned", "waiting", "tied", "yours" or "decided".
type correctionGroup struct {
	Name  string
	Check bool  // the reader approves corrections
	Count int64 // how many there are, which may be more than are listed
	Items []correctionItem
}

type correctionsPage struct {
	web.Page
	Groups []correctionGroup
	Open   *openCorrection
	Assign *pages.Assignment
	Check  bool // the reader approves corrections
	Newest int  // how many waiting corrections are listed; 0 if all are

	Previous, Next string // in the queue
}

// Inbox shows the waiting corrections, and opens the first.
func (a *Area) Inbox(c *fiber.Ctx) error {
	page, first, err := a.inboxPage(c, 0)
	if err != nil {
		return err
	}
	if first.ID != 0 {
		if err := a.openCorrection(c, page, web.NewForm(c), first, nil); err != nil {
			return err
		}
	}
	return a.Render(c, "corrections/correction", page)
}

// inboxPage returns the page with the waiting corrections and those decided today, and the correction to look at first, if any.
func (a *Area) inboxPage(c *fiber.Ctx, current int64) (page *correctionsPage, first models.Correction, err error) {
	ctx := c.UserContext()
	page = &correctionsPage{Page: a.Page(c, "")}
	page.Check = page.Can(web.CheckCorrections)
	if err := a.LoadTies(c, &page.Page); err != nil {
		return nil, first, err
	}
	waiting, err := a.Store.Corrections(ctx, models.CorrectionFilter{State: models.ApprovalWaiting,
		Span: models.Span{Limit: InboxRows}})
	if err != nil {
		return nil, first, err
	}
	counts, err := a.waitingCorrections(ctx, page.Reader, page.Check)
	if err != nil {
		return nil, first, err
	}
	if waiting.More {
		page.Newest = InboxRows
	}
	decided, err := a.Store.DecidedCorrections(ctx, models.DayOf(page.Now, page.Zone).Begin(page.Zone), InboxRows)
	if err != nil {
		return nil, first, err
	}
	mine := correctionGroup{Name: "yours", Count: counts.own}
	others := correctionGroup{Name: "waiting", Check: page.Check, Count: counts.forReader}
	assigned, tied := correctionGroup{Name: "assigned"}, correctionGroup{Name: "tied", Count: counts.tied}
	today := correctionGroup{Name: "decided"}
	for _, w := range waiting.Rows {
		item := correctionItem{Correction: w, Href: pages.CorrectionPath(w.ID), What: pages.CorrectionTitle(w),
			By: pages.SignedBy(w.Maker), Age: web.Age(page.Now.Sub(w.At)), Old: page.Now.Sub(w.At) > waitsLong,
			Current: w.ID == current}
		switch {
		case w.Maker.StaffID == page.Reader.ID:
			item.Reason = pages.ReasonWord(w.Reason)
			mine.Items = append(mine.Items, item)
			continue
		case page.Check && page.Ties.Between(w.Maker.StaffID, page.Reader.ID) != nil:
			tied.Items = append(tied.Items, item)
			continue
		case w.Assignee != "" && w.Assignee == page.Reader.Username:
			if len(assigned.Items) == 0 {
				first = w
			}
			assigned.Items = append(assigned.Items, item)
			continue
		}
		others.Items = append(others.Items, item)
		if first.ID == 0 {
			first = w
		}
	}
	if n := int64(len(assigned.Items)); n > 0 {
		assigned.Count, others.Count = n, counts.forReader-n
	}
	for _, d := range decided {
		today.Items = append(today.Items, correctionItem{
			Correction: d, Href: pages.CorrectionPath(d.ID), What: pages.CorrectionTitle(d),
			Age: page.Time(d.DecidedAt).Brief(), Current: d.ID == current, Decided: pages.DecidedBy(&page.Page, d),
		})
	}
	for _, g := range []correctionGroup{assigned, others, tied, mine, today} {
		if len(g.Items) > 0 {
			page.Groups = append(page.Groups, g)
		}
	}
	return page, first, nil
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

var correctionKinds = []web.Option[models.CorrectionKind]{
	{Word: "All kinds"},
	web.Offer("rollback", "Rollback", models.CorrectRollback),
	web.Offer("win", "Missing win", models.CorrectWin),
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

// List lists all corrections.
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
	if err := a.LoadTies(c, &page.Page); err != nil {
		return err
	}
	for _, found := range listed.Rows {
		row := correctionRow{
			Correction: found, Href: pages.CorrectionPath(found.ID), PlayerHref: pages.PlayerPath(found.PlayerID),
			What:   strings.SplitN(pages.CorrectionTitle(found), ", ", 2)[0],
			Amount: page.Signed(found.Effect, found.Currency), Badge: pages.CorrectionState(&page.Page, found),
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
		State: web.Choose(&page.Page, "state", "State", web.OptionsOf("All states", models.ApprovalStates)),
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
	return models.List(filter, correctionRows, a.Store.Corrections, models.Correction.Place), nil
}

// ExportCorrections reads corrections for a file; see web.Exportable.
func (a *Area) ExportCorrections(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &correctionListPage{Page: p}
	list, err := a.listing(ctx, page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Requested", Kind: export.Time}, {Name: "Kind"}, {Name: "Player"},
			{Name: "Transaction ID"}, {Name: "Round ID"},
			{Name: "Amount", Kind: export.Money}, {Name: "Effect on the balance", Kind: export.Money}, {Name: "Currency"},
			{Name: "Reason", Audience: export.Arbiter}, {Name: "Text", Audience: export.Arbiter}, {Name: "Reference"},
			{Name: "Requested by", Audience: export.Arbiter}, {Name: "Requester’s role", Audience: export.Arbiter},
			{Name: "Balance when requested", Kind: export.Money},
			{Name: "State"},
			{Name: "Single approval", Kind: export.Flag},
			{Name: "Assigned to", Audience: export.Arbiter}, {Name: "Decided", Kind: export.Time},
			{Name: "Decided by", Audience: export.Arbiter}, {Name: "Decider’s role", Audience: export.Arbiter},
			{Name: "Decision", Audience: export.Arbiter},
			{Name: "Ledger line", Kind: export.Number}, {Name: "In the free-spin ledger", Kind: export.Flag},
			{Name: "Balance before", Kind: export.Money}, {Name: "Balance after", Kind: export.Money},
		},
		Read: export.NewestFirst(list, web.ExportPage,
			export.Each(func(k models.Correction) export.Row {
				var before, after any // empty if nothing is booked
				decider := k.Checker
				if k.State == models.ApprovalApproved {
					before, after = k.Before, k.After
				}
				if k.State != models.ApprovalWaiting && decider.StaffID == 0 {
					decider = k.Maker // booked alone, or withdrawn
				}
				return export.Row{
					k.ID, k.At, k.Kind.String(), string(k.UserID), string(k.TransactionID), string(k.RoundID), k.Amount,
					k.Effect,
					string(k.Currency), pages.ReasonWord(k.Reason), k.Text, k.Reference,
					k.Maker.Username, string(k.Maker.Role), k.BalanceAtRequest, k.State.String(), k.Alone, k.Assignee, k.DecidedAt,
					decider.Username, string(decider.Role), k.DecisionText,
					export.NumberOrNone(k.Seq), k.Spin, before, after,
				}
			})),
	}, page.Chips, page.Instead, err
}

// CountCorrections counts the waiting corrections that the reader may approve, for the navigation.
func (a *Area) CountCorrections(ctx context.Context, who *web.Reader) (web.Count, error) {
	if !who.May(web.CheckCorrections) {
		return web.Count{}, nil
	}
	waiting, err := a.waitingCorrections(ctx, who, true)
	return web.Count{N: int(waiting.forReader), Word: "waiting"}, err
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
