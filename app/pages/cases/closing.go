package cases

import (
	"errors"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Closing many cases at once: all cases of one rule that the queue's filters select, with one reason. A statement of the wrong
// day, or an outage, opens thousands of cases that share an explanation. Cases of different rules never share one.

// closedTogether is how many cases are closed at once at most, oldest first. That takes a few seconds, because each case gets
// an audit event.
const closedTogether = 50_000

type closingPage struct {
	casesPage
	Groups    []models.CaseGroup
	OneFile   bool // all are from one of the platform's files
	OneRule   bool // all are of one rule, so they can be closed together
	More      bool // there are more than closedTogether
	Action    string
	N, Others int64 // the number of cases, and how many of them belong to colleagues
	Newest    int64
	Chosen    string
	Reason    views.Field
}

// Max returns closedTogether.
func (p *closingPage) Max() int { return closedTogether }

// Filters returns the chips of all filters except State. Only open cases can be closed.
func (p *closingPage) Filters() []views.Chip {
	return slices.DeleteFunc(slices.Clone(p.Chips), func(chip views.Chip) bool { return chip.Label == caseStateLabel })
}

// togetherStates are the outcomes that many cases can have at once. Adjusted is not one of them, because it takes a correction
// for each case. Only cases from one file can be withdrawn.
var togetherStates = map[string]models.CaseState{"explained": models.CaseExplained, "written-off": models.CaseWrittenOff,
	"withdrawn": models.CaseWithdrawn}

func (a *Area) CaseClosing(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &closingPage{casesPage: casesPage{Page: a.Page(c, "")}, Chosen: web.Posted(c, "state")}
	filter, err := a.caseFilter(c.UserContext(), &page.casesPage)
	if err != nil {
		return err
	}
	if page.Instead != nil {
		return a.Render(c, "cases/closing", page)
	}
	page.Groups, page.Newest, page.More, err = a.Store.OpenCaseGroups(c.UserContext(), filter, page.Reader.Username,
		closedTogether)
	if err != nil {
		return err
	}
	page.OneFile = filter.StatementID != 0
	for _, g := range page.Groups {
		page.N, page.Others = page.N+g.N, page.Others+g.Others
	}
	if n := len(page.Groups); n > 0 {
		page.OneRule = page.Groups[0].Rule == page.Groups[n-1].Rule
		page.Action = page.OfRule(page.Groups[0].Rule)
	}
	page.Reason = f.Field(views.Field{Name: "reason", Autocomplete: "off", Max: models.MaxCaseText})
	return a.RenderForm(c, !f.Ok(), "cases/closing", page)
}

// OfRule returns the address of this page for the cases of one rule.
func (p *closingPage) OfRule(rule models.CaseRule) string {
	return p.With("rule", strconv.Itoa(int(rule)))
}

// CloseCases closes the cases that the page counted, and none that were found later.
func (a *Area) CloseCases(c *fiber.Ctx) error {
	f := web.NewForm(c)
	var seen, newest int64
	for name, value := range map[string]*int64{"seen": &seen, "newest": &newest} {
		var err error
		if *value, err = strconv.ParseInt(f.Text(name), 10, 64); err != nil || *value < 1 {
			return web.BadForm("The form does not say which cases you saw, so none was closed.")
		}
	}
	page := &casesPage{Page: a.Page(c, "")}
	filter, err := a.caseFilter(c.UserContext(), page)
	if err != nil {
		return err
	}
	if page.Instead != nil || filter.Rule == 0 {
		return a.CaseClosing(c)
	}
	filter.UpTo = newest
	to := togetherStates[f.Text("state")]
	if to == 0 || to == models.CaseWithdrawn && filter.StatementID == 0 {
		f.Refuse("reason", "Choose an outcome.")
		return a.CaseClosing(c)
	}
	closed, err := a.Store.DecideCases(c.UserContext(), a.Actor(c), filter, to, f.Text("reason"),
		int(min(seen, closedTogether)))
	if errors.Is(err, models.ErrCaseReason) || errors.Is(err, models.ErrCaseReasonLong) {
		f.Refuse("reason", pages.RootText(err))
		return a.CaseClosing(c)
	}
	if err != nil {
		return err
	}
	note := views.Note{Kind: "done", Icon: "check", Title: web.Several(int64(closed), "case is closed", "cases are closed"),
		Text: "Outcome: " + to.String() + ". The same findings do not open other cases, unless another of the platform’s files shows them."}
	switch {
	case closed == 0:
		note = views.Info("These cases are closed already", "A colleague closed them before you. Nothing you sent was saved.")
	case closed < int(seen):
		note.Text += " Colleagues closed or took the others in the meantime."
	}
	return a.Flash(c, web.WithQuery("/cases", page.Query), note)
}
