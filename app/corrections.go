package app

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/models"
	"pitboss/views"
)

// Corrections: what waits, beside the one that is open (correction.go), and the list of all. How one is asked for stands in
// new_correction.go, how one is decided in correction_decision.go.

const (
	inboxRows        = 100 // that wait, and so many decided
	correctionRows   = 50
	waitsLong        = 30 * time.Minute
	transactionsSeen = 100 // of the player's transactions since a correction was asked for, so many are counted
)

func correctionPath(id int64) string { return pathOf("/corrections", id) }

// signer is the reader as they sign for money.
func (a *App) signer(c *fiber.Ctx) models.Signer {
	who := reader(c)
	return models.Signer{Actor: a.actor(c), StaffID: who.ID, Role: who.Role}
}

func (p *Page) correctionState(c models.Correction) views.Badge {
	switch c.State {
	case models.CorrectionApproved:
		if c.Alone {
			return views.Quiet("Booked alone")
		}
		return views.Quiet("Approved")
	case models.CorrectionRefused:
		return views.Refused("Refused")
	case models.CorrectionWithdrawn:
		return views.Gone("Withdrawn")
	}
	if may, err := p.Can(checkCorrections); err != nil || !may || c.Maker.StaffID == p.Reader.ID {
		return views.Waiting("Waiting")
	}
	if p.ties.Between(c.Maker.StaffID, p.Reader.ID) != nil {
		return views.Waiting("Waiting for another")
	}
	return views.Waiting("Waiting for you")
}

// knowTies has the page tell what the reader can approve from what somebody else has to.
func (a *App) knowTies(c *fiber.Ctx, p *Page) error {
	check, err := p.Can(checkCorrections)
	if err == nil && check {
		p.ties, err = a.Store.Ties(c.UserContext())
	}
	return err
}

// correctionItem is a correction in the inbox.
type correctionItem struct {
	Href, What, Who string
	Age             string
	Old, Current    bool
}

type correctionGroup struct {
	ID, Word string
	Count    string // how many there are, where more may wait than are listed
	Items    []correctionItem
}
type correctionsPage struct {
	Page
	Groups []correctionGroup
	Open   *openCorrection
	Assign *assignment

	Previous, Next string // in the queue
	Empty          views.Empty
}

// corrections shows what waits, and opens the first of it.
func (a *App) corrections(c *fiber.Ctx) error {
	page, first, err := a.inbox(c, 0)
	if err != nil {
		return err
	}
	if first.ID != 0 {
		if err := a.openCorrection(c, page, newForm(c), first, nil); err != nil {
			return err
		}
	}
	return a.render(c, "corrections/inbox", page)
}

// inbox is the page with what waits and what was decided today, and the correction that is to be looked at first, if there is
// one.
func (a *App) inbox(c *fiber.Ctx, current int64) (page *correctionsPage, first models.Correction, err error) {
	ctx := c.UserContext()
	page = &correctionsPage{Page: a.page(c, "Corrections")}
	page.Lede = "One person asks, another decides."
	page.Actions = []views.Link{{Word: "All corrections", Href: "/corrections/all"}}
	ask, err := page.Can(askCorrections)
	if err != nil {
		return nil, first, err
	}
	if ask {
		page.Actions = append(page.Actions, views.Link{Word: "New correction", Href: "/corrections/new", Icon: "plus"})
	}
	check, err := page.Can(checkCorrections)
	if err != nil {
		return nil, first, err
	}
	if err := a.knowTies(c, &page.Page); err != nil {
		return nil, first, err
	}
	waiting, more, err := a.Store.Corrections(ctx, models.CorrectionFilter{State: models.CorrectionAsked, Limit: inboxRows})
	if err != nil {
		return nil, first, err
	}
	counts, err := a.waitingCorrections(ctx, page.Reader, check)
	if err != nil {
		return nil, first, err
	}
	if more {
		page.Lede += " The newest " + strconv.Itoa(inboxRows) + " that wait stand here, the others under all corrections."
	}
	decided, err := a.Store.DecidedCorrections(ctx, models.DayOf(page.now, page.zone).Begin(page.zone), inboxRows)
	if err != nil {
		return nil, first, err
	}
	mine, others := correctionGroup{ID: "g-yours", Word: "Yours, waiting for another"},
		correctionGroup{ID: "g-waiting", Word: "Waiting for a checker"}
	if check {
		others.Word = "Waiting for you"
	}
	others.Count, mine.Count = grouped(counts.forReader), grouped(counts.own)
	assigned := correctionGroup{ID: "g-assigned", Word: "Assigned to you"}
	tied := correctionGroup{Count: grouped(counts.tied), ID: "g-tied", Word: "Waiting for another, not you"}
	today := correctionGroup{ID: "g-decided", Word: "Decided today"}
	for _, w := range waiting {
		item := correctionItem{Href: correctionPath(w.ID), What: correctionTitle(w), Age: age(page.now.Sub(w.At)),
			Old: page.now.Sub(w.At) > waitsLong, Current: w.ID == current}
		if w.Maker.StaffID == page.Reader.ID {
			item.Who = string(w.UserID) + ", reason: " + reasonWord(w.Reason)
			mine.Items = append(mine.Items, item)
			continue
		}
		item.Who = string(w.UserID) + ", asked by " + signedBy(w.Maker)
		if check && page.ties.Between(w.Maker.StaffID, page.Reader.ID) != nil {
			tied.Items = append(tied.Items, item)
			continue
		}
		if w.Assignee != "" && w.Assignee == page.Reader.Username {
			if len(assigned.Items) == 0 {
				first = w
			}
			assigned.Items = append(assigned.Items, item)
			continue
		}
		if w.Assignee != "" {
			item.Who += ", assigned to " + w.Assignee
		}
		others.Items = append(others.Items, item)
		if first.ID == 0 {
			first = w
		}
	}
	if n := len(assigned.Items); n > 0 {
		assigned.Count, others.Count = grouped(int64(n)), grouped(counts.forReader-int64(n))
	}
	for _, d := range decided {
		today.Items = append(today.Items, correctionItem{
			Href: correctionPath(d.ID), What: correctionTitle(d), Age: page.Time(d.DecidedAt).Brief(), Current: d.ID == current,
			Who: string(d.UserID) + ", " + page.decidedBy(d),
		})
	}
	for _, g := range []correctionGroup{assigned, others, tied, mine, today} {
		if len(g.Items) > 0 {
			page.Groups = append(page.Groups, g)
		}
	}
	page.Empty = views.Empty{Title: "Nothing waits for you",
		Text: "Corrections that colleagues ask for stand here until somebody decides them."}
	if !check {
		page.Empty = views.Empty{Title: "Open one from the list",
			Text: "Corrections stand here from when they are asked for until the end of the day on which they are decided."}
	}
	if len(page.Groups) == 0 {
		page.Empty = views.Empty{Title: "Nothing waits", Text: "No correction is waiting, and none was decided today."}
	}
	if ask {
		page.Empty.Links = []views.Link{{Word: "New correction", Href: "/corrections/new", Icon: "plus"}}
	}
	return page, first, nil
}

type correctionRow struct {
	models.Correction
	Href, PlayerHref string
	What, Decided    string
	Amount           views.Money
	Badge            views.Badge
}

type correctionListPage struct {
	Page
	Player, Maker, Since, Until views.Field
	States, Kinds, Reasons      []views.Choice
	Assignees                   []views.Choice
	Rows                        []correctionRow
	Paging                      views.Paging
	Empty                       views.Empty
}

var correctionStateWords = []string{"", "All states", "waiting", "Waiting", "approved", "Approved", "refused", "Refused",
	"withdrawn", "Withdrawn"}

var correctionKindWords = []string{"", "All kinds", "rollback", "Rollback", "win", "Missing win", "credit", "Credit", "debit",
	"Debit"}

// allCorrections lists every correction there was.
func (a *App) allCorrections(c *fiber.Ctx) error {
	page := &correctionListPage{Page: a.page(c, "All corrections")}
	page.Crumbs = []views.Crumb{{Word: "Corrections", Href: "/corrections"}, {Word: "All"}}
	page.Lede = "Whatever was asked for, and what became of it. Newest first."
	page.Saveable = true
	filter, wrong, err := a.correctionFilter(c, page)
	if err != nil {
		return err
	}
	if wrong != nil {
		page.Empty = *wrong
		return a.render(c, "corrections/list", page)
	}
	list, more, err := a.Store.Corrections(c.UserContext(), filter)
	if err != nil {
		return err
	}
	if err := a.knowTies(c, &page.Page); err != nil {
		return err
	}
	for _, found := range list {
		row := correctionRow{
			Correction: found, Href: correctionPath(found.ID), PlayerHref: playerPath(found.PlayerID),
			What:   strings.SplitN(correctionTitle(found), ", ", 2)[0],
			Amount: page.Signed(found.Effect, found.Currency), Badge: page.correctionState(found),
		}
		if found.Kind.Adjusts() {
			row.What = firstUpper(found.Kind.String())
		}
		if found.State != models.CorrectionAsked {
			row.Decided = page.decidedBy(found)
			row.Amount.Void = found.State != models.CorrectionApproved
		} else if found.Assignee != "" {
			row.Decided = "assigned to " + found.Assignee
		}
		page.Rows = append(page.Rows, row)
	}
	if n := len(list); n > 0 {
		page.Paging = page.around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	page.Empty = views.Empty{Title: "No correction has been asked for",
		Text:  "They begin on a transaction’s or a player’s page, or here.",
		Links: []views.Link{{Word: "Corrections", Href: "/corrections", Main: true}}}
	if len(page.Chips) > 0 {
		page.Empty = views.Empty{Title: "No correction is such", Text: "Nothing passes all of these filters.",
			Links: []views.Link{{Word: "Show all", Href: page.Path, Main: true}}}
	}
	return a.render(c, "corrections/list", page)
}

// correctionFilter reads the filters from the address. What cannot be read, or names nobody, is said in place of the list.
func (a *App) correctionFilter(c *fiber.Ctx,
	page *correctionListPage) (filter models.CorrectionFilter, wrong *views.Empty, err error) {
	page.Player, page.Maker = page.filterField("player", "Player"), page.filterField("maker", "Asked by")
	page.Player.Picker = "player"
	page.Since, page.Until = page.filterField("since", "Since"), page.filterField("until", "Until")
	page.States, page.Kinds = choices(page.params.Get("state"), correctionStateWords...),
		choices(page.params.Get("kind"), correctionKindWords...)
	reasons := []string{"", "All reasons"}
	for _, r := range models.Reasons {
		reasons = append(reasons, string(r.Code), firstUpper(r.Word))
	}
	page.Reasons = choices(page.params.Get("reason"), reasons...)

	filter = models.CorrectionFilter{Limit: correctionRows,
		Reason: models.ReasonCode(page.filter("reason", "Reason", wordOf(reasons)))}
	names, err := a.colleagues(c.UserContext(), checkCorrections)
	if err != nil {
		return filter, nil, err
	}
	words := ownerWords(page.Reader.Username, page.params.Get("assignee"), names)
	page.Assignees = choices(page.params.Get("assignee"), words...)
	if filter.Assignee = page.filter("assignee", "Assigned to", wordOf(words)); filter.Assignee == nobodys {
		filter.Assignee, filter.Nobodys = "", true
	}
	if word := page.filter("state", "State", wordOf(correctionStateWords)); word != "" {
		for _, s := range models.CorrectionStates {
			if s.String() == word {
				filter.State = s
			}
		}
	}
	filter.Kind, _ = correctionKind(page.filter("kind", "Kind", wordOf(correctionKindWords)))
	refuse := func(err error) {
		if err != nil && wrong == nil {
			e := unread(err, &page.Page)
			wrong = &e
		}
	}
	var bad error
	filter.Since, bad = page.timeFilter("since", "Since")
	refuse(bad)
	filter.Until, bad = page.timeFilter("until", "Until")
	refuse(bad)
	player, nobody, err := a.playerFilter(c, &page.Page)
	if err != nil {
		return filter, wrong, err
	}
	if filter.PlayerID = player.ID; nobody != nil {
		wrong = nobody
	}
	if maker := page.filter("maker", "Asked by", nil); maker != "" {
		staff, found, err := a.Store.StaffNamed(c.UserContext(), strings.ToLower(maker))
		if err != nil {
			return filter, wrong, err
		}
		if filter.MakerID = staff.ID; !found {
			wrong = &views.Empty{Title: "Nobody is called “" + maker + "”", Text: "Colleagues are found by their username.",
				Links: []views.Link{{Word: "Show all", Href: page.Path, Main: true}}}
		}
	}
	filter.Page, err = page.place()
	return filter, wrong, err
}

func (a *App) exportCorrections(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &correctionListPage{Page: p}
	f, wrong, err := a.correctionFilter(c, page)
	f.Limit = exportPage
	const booked, waiting = "Booked", "Waiting for a checker"
	total := newSums(booked, waiting)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Asked for", Kind: export.Time}, {Name: "Kind"}, {Name: "Player"},
			{Name: "Transaction ID"}, {Name: "Round ID"},
			{Name: "Amount", Kind: export.Money}, {Name: "Effect on the balance", Kind: export.Money}, {Name: "Currency"},
			{Name: "Reason"}, {Name: "Text"}, {Name: "Reference"},
			{Name: "Asked by"}, {Name: "Role of who asked"}, {Name: "Balance when asked", Kind: export.Money}, {Name: "State"},
			{Name: "Booked alone", Kind: export.Flag},
			{Name: "Assigned to"}, {Name: "Decided", Kind: export.Time}, {Name: "Decided by"}, {Name: "Role of who decided"},
			{Name: "Decision"},
			{Name: "Ledger line", Kind: export.Number}, {Name: "In the free-spin ledger", Kind: export.Flag},
			{Name: "Balance before", Kind: export.Money}, {Name: "Balance after", Kind: export.Money},
		},
		Sums: total.list,
		Read: newestFirst(f.Since, func(ctx context.Context, at models.Cursor) (models.Page[models.Correction], error) {
			f := f
			f.Page = at
			return looked(a.Store.Corrections(ctx, f))
		}, func(k models.Correction) models.Cursor { return models.Cursor{At: k.At, ID: k.ID} },
			each(func(k models.Correction) export.Row {
				var before, after any // nothing where nothing is booked
				decider := k.Checker
				switch k.State {
				case models.CorrectionAsked:
					total.addAmount(k.Currency, waiting, k.Effect)
				case models.CorrectionApproved:
					total.addAmount(k.Currency, booked, k.Effect)
					before, after = k.Before, k.After
				}
				if k.State != models.CorrectionAsked && decider.StaffID == 0 {
					decider = k.Maker // booked alone, or withdrawn
				}
				return export.Row{
					k.ID, k.At, k.Kind.String(), string(k.UserID), string(k.TransactionID), string(k.RoundID), k.Amount,
					k.Effect,
					string(k.Currency), reasonWord(k.Reason), k.Text, k.Reference,
					k.Maker.Username, string(k.Maker.Role), k.AskedBefore, k.State.String(), k.Alone, k.Assignee, k.DecidedAt,
					decider.Username, string(decider.Role), k.DecisionText,
					numberOrNone(k.Seq), k.Spin, before, after,
				}
			})),
	}, page.Chips, wrong, err
}

// countCorrections counts what waits for a reader who may approve it.
func (a *App) countCorrections(ctx context.Context, who *Reader) (count, error) {
	if may, err := may(who.Role, checkCorrections); err != nil || !may {
		return count{}, err
	}
	waiting, err := a.waitingCorrections(ctx, who, true)
	return count{N: int(waiting.forReader), Word: "waiting"}, err
}

// findCorrections finds a correction by its number, as people say it and as adjustments are named in the ledger.
func (a *App) findCorrections(ctx context.Context, text string, _ int) (models.Found[hit], error) {
	id, named := numberAfter(text, "correction")
	if id == 0 {
		return models.Found[hit]{}, nil
	}
	found, there, err := a.Store.Correction(ctx, id)
	h := correctionHit(found)
	h.Exact = named
	return oneHit(h, there), err
}

func correctionHit(c models.Correction) hit {
	state := views.Plain(firstUpper(c.State.String()))
	if c.State == models.CorrectionAsked {
		state = views.Waiting("Waiting")
	}
	number := strconv.FormatInt(c.ID, 10)
	return hit{
		Text: correctionTitle(c) + ", " + string(c.UserID), ID: views.ID{Text: number, Kind: "correction"}, Value: number,
		Href: correctionPath(c.ID), State: &state,
	}
}
