package campaigns

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page of a draft shows its lines with errors, or the sentence to confirm.

const (
	draftErrorRows  = 500 // lines with errors shown
	draftSampleRows = 10  // lines shown before they are confirmed
)

type draftPage struct {
	web.Page
	Draft     models.CampaignDraft
	Path      string
	Change    string // the address of the form with what the draft says
	Terms     []term
	Sums      draftSums
	Earlier   *models.Campaign // the campaign that granted these lines before; there is no form until the reader asks for it
	EarlierAt views.Moment
	Again     bool              // the only errors are repeated grants, and earlier grants of unknown outcome
	LeftOut   []models.GrantRow // lines whose players are not eligible
	Rows      []draftRow
	More      int               // lines with errors that are not shown
	Sample    []models.GrantRow // the first lines, as they were read
	Grant     *draftGrant
}

// draftSums has the totals of a draft.
type draftSums struct {
	Good, Bad, LeftOut      int64 // lines
	Players, Repeated       int64 // players, and how many of them have several lines
	Games, Spins            int64
	Numbers                 []numberOfSpins // lines by their number of spins; empty if there are more than three numbers
	Costs                   []string        // in each currency
	SpinsPerDay, SpinsToday int64           // the reader's limit, and their spins today with these lines
}

// numberOfSpins counts lines with a number of spins.
type numberOfSpins struct{ Lines, Spins int64 }

// draftRow is a line with errors.
type draftRow struct {
	models.GrantRow
	Wrong []string
}

// Draft shows a draft: what is wrong with it, or what it would grant.
func (a *Area) Draft(c *fiber.Ctx, draft models.CampaignDraft) error {
	f := web.NewForm(c)
	again := c.Query("again") == "yes" || f.Text("again") == "yes"
	checked, err := a.checkDraft(c, draft, again)
	if err != nil {
		return err
	}
	page := &draftPage{Page: a.Page(c, ""), Draft: draft, Path: pages.DraftPath(draft.ID), Change: newPath + "?from=" + draft.ID}
	if draft.Repeats != 0 {
		page.Change += "&repeat=" + strconv.FormatInt(draft.Repeats, 10)
	}
	page.Terms = terms(&page.Page, draft.CampaignTerms)
	if err := a.sumUp(c, page, checked); err != nil {
		return err
	}
	for _, row := range draft.Rows {
		if checked.LeftOut[row.Line] && len(page.LeftOut) < draftErrorRows {
			page.LeftOut = append(page.LeftOut, row)
		}
	}
	earlier, found, err := a.Store.CampaignOf(c.UserContext(), bonus.Digest(checked.Lines))
	if err != nil {
		return err
	}
	switch {
	case found && !again && draft.Repeats == 0 && (page.Sums.Bad == 0 || checked.Again):
		page.Badges = []views.Badge{views.Waiting("Granted before")}
		page.Earlier, page.EarlierAt = &earlier, page.Time(earlier.At)
	case page.Sums.Bad > 0 && !checked.Limited:
		a.draftErrors(page, checked)
	default:
		if page.Grant, err = a.newDraftGrant(c, &page.Page, f, checked); err == nil {
			page.Grant.Again, page.Grant.Earlier = again, earlier.ID
			page.Sample = draft.Rows[:min(len(draft.Rows), draftSampleRows)]
		}
	}
	if err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "campaigns/draft", page)
}

// draftErrors adds the lines with errors.
func (a *Area) draftErrors(page *draftPage, s checkedDraft) {
	page.Badges = []views.Badge{views.Waiting(web.Several(page.Sums.Bad, "line has an error", "lines have errors"))}
	page.Again = s.Again
	for _, row := range s.Rows {
		wrong := s.Wrong[row.Line]
		if len(wrong) == 0 {
			continue
		}
		if len(page.Rows) == draftErrorRows {
			page.More++
			continue
		}
		shown := draftRow{GrantRow: row}
		for _, w := range wrong {
			shown.Wrong = append(shown.Wrong, w.Text)
		}
		page.Rows = append(page.Rows, shown)
	}
}

// sumUp fills in the totals of a draft.
func (a *Area) sumUp(c *fiber.Ctx, page *draftPage, s checkedDraft) error {
	granted := s.granted()
	players, games, numbers := map[models.UserID]int{}, map[models.GameID]bool{}, map[int64]int64{}
	sums := draftSums{Good: int64(len(s.Rows) - len(s.Wrong)), Bad: int64(len(s.Wrong)), LeftOut: int64(len(s.LeftOut)),
		Spins: spinsOf(granted)}
	if s.Limited { // a second person can approve them
		sums.Good, sums.Bad = int64(len(s.Rows)), 0
	}
	for _, l := range granted {
		players[l.UserID]++
		if players[l.UserID] == 2 {
			sums.Repeated++
		}
		games[l.GameID] = true
		numbers[l.Spins]++
	}
	sums.Players, sums.Games = int64(len(players)), int64(len(games))
	if len(numbers) <= 3 {
		for n, lines := range numbers {
			sums.Numbers = append(sums.Numbers, numberOfSpins{lines, n})
		}
		slices.SortFunc(sums.Numbers, func(a, b numberOfSpins) int { return cmp.Compare(b.Spins, a.Spins) })
	}
	var err error
	if sums.Costs, err = a.costs(c.UserContext(), granted); err != nil {
		return err
	}
	limits, taken, err := a.limits(c)
	sums.SpinsPerDay, sums.SpinsToday = limits.StaffSpinsPerDay, taken.StaffSpins+sums.Spins
	page.Sums = sums
	return err
}

// costs returns what lines cost in each currency of their players, by the amounts that the operator has set for a spin.
func (a *Area) costs(ctx context.Context, lines []models.GrantLine) (list []string, err error) {
	rules, err := a.Store.GrantRules(ctx)
	if err != nil {
		return nil, err
	}
	spins := map[models.Currency]int64{}
	for chunk := range slices.Chunk(lines, playersAtOnce) {
		users := make([]models.UserID, len(chunk))
		for i, l := range chunk {
			users[i] = l.UserID
		}
		players, err := a.Store.PlayersNamed(ctx, users)
		if err != nil {
			return nil, err
		}
		for _, l := range chunk {
			if p, known := players[l.UserID]; known {
				spins[p.Wallet.Currency] += l.Spins
			}
		}
	}
	for _, currency := range slices.Sorted(maps.Keys(spins)) {
		text := web.Several(spins[currency], "spin", "spins") + " in " + string(currency) + ", whose cost is not set"
		if rules.SpinCost[currency] != 0 {
			text = rules.CostOf(currency, spins[currency]).Grouped() + " " + string(currency)
		}
		list = append(list, text)
	}
	return list, nil
}

// playersAtOnce is how many players are read at once.
const playersAtOnce = 500

// term is a term of a campaign, in words.
type term struct{ Name, Words string }

// terms returns the terms of a campaign that were set.
func terms(p *web.Page, t models.CampaignTerms) (list []term) {
	if !t.StartsAt.IsZero() {
		list = append(list, term{"Start", p.Time(t.StartsAt).Brief()})
	}
	if !t.EndsAt.IsZero() {
		list = append(list, term{"End", p.Time(t.EndsAt).Brief()})
	}
	if t.BudgetSpins > 0 {
		list = append(list, term{"Budget", web.Several(t.BudgetSpins, "spin", "spins")})
	}
	for _, m := range pages.Sums(p, t.BudgetCost) {
		list = append(list, term{"Budget in " + m.Currency, m.Text})
	}
	return list
}
