package cases

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Cases closed together: those of one rule that the filters of the queue select, for one reason. A statement of the wrong day
// or an outage opens thousands that have one explanation; those of several rules never have.

// closedTogether is how many cases are closed at once, the oldest first: each has its audit event, so that it takes some
// seconds.
const closedTogether = 50_000

type closingPage struct {
	casesPage
	Sentence  string
	Others    string // of them belong to colleagues
	Rest      string // there are more than these
	Groups    []caseGroupLine
	Action    string // closes them; empty where they are of several rules
	N, Newest int64
	At        int64 // when the page was made, in microseconds
	Decisions []views.Choice
	Reason    views.Field
}

type caseGroupLine struct {
	What, Href, N, Others string // Href leads to this rule alone, where there are others
	Stake                 views.Money
}

// The state adjusted is not among them: it rests on a correction of its own for each case.
var togetherStates = map[string]models.CaseState{"explained": models.CaseExplained, "written-off": models.CaseWrittenOff}

func (a *Area) CaseClosing(c *fiber.Ctx) error { return a.showClosing(c, web.NewForm(c)) }

func (a *Area) showClosing(c *fiber.Ctx, f *web.Form) error {
	page := &closingPage{casesPage: casesPage{Page: a.Page(c, "Close cases together")}}
	page.Crumbs = []views.Crumb{{Word: "Cases", Href: web.WithQuery("/cases", page.Query)}, {Word: "Close together"}}
	filter, wrong, err := a.caseFilter(c, &page.casesPage)
	if err != nil {
		return err
	}
	if wrong != nil {
		page.Empty = *wrong
		return a.Render(c, "cases/closing", page)
	}
	groups, newest, more, err := a.Store.OpenCaseGroups(c.UserContext(), filter, page.Reader.Username, closedTogether)
	if err != nil {
		return err
	}
	var others int64
	oneRule := len(groups) > 0 && groups[0].Rule == groups[len(groups)-1].Rule
	for _, g := range groups {
		line := caseGroupLine{What: web.FirstUpper(g.Rule.String()), N: web.Grouped(g.N), Others: web.Grouped(g.Others)}
		if rule := strconv.Itoa(int(g.Rule)); oneRule {
			page.Action = page.With("rule", rule)
		} else {
			line.Href = page.With("rule", rule)
		}
		if g.Stake != 0 {
			line.Stake = page.Money(g.Stake, g.Currency)
		}
		page.Groups = append(page.Groups, line)
		page.N, others = page.N+g.N, others+g.Others
	}
	page.Lede = "Those that the filters of the queue select, for one reason that stands in each."
	if len(groups) > 0 && !oneRule {
		page.Lede = "Choose one rule: cases of several rules have no one explanation."
	}
	page.Newest, page.At = newest, page.Now.UnixMicro()
	var chosen []string
	for _, chip := range page.Chips {
		if chip.Label != caseStateLabel { // only open ones are closed
			chosen = append(chosen, chip.Label+" "+chip.Value)
		}
	}
	page.Sentence = "All open cases"
	if len(chosen) > 0 {
		page.Sentence = "Open cases with " + strings.Join(chosen, ", ")
	}
	if others > 0 {
		page.Others = web.Several(others, "of them is a colleague’s", "of them are colleagues’")
	}
	if more {
		page.Rest = "There are more than " + web.Grouped(closedTogether) +
			": these are the oldest, and the others come after them."
	}
	page.Decisions = web.Choices(web.Posted(c, "state"), "explained", "Explained: nothing needs to change", "written-off",
		"Written off: it is wrong, and we leave it so")
	page.Reason = f.Field(views.Field{Label: "What was found out", Name: "reason", Autocomplete: "off",
		Hint: "It stands in each of the cases, for colleagues, auditors and regulators."})
	page.Empty = views.Empty{Title: "No open case is such",
		Text:  "There is nothing to close: no open case passes these filters.",
		Links: []views.Link{{Word: "Open cases", Href: "/cases", Main: true}}}
	if !f.Ok() {
		return a.Refused(c, "cases/closing", page)
	}
	return a.Render(c, "cases/closing", page)
}

// CloseCases closes the cases that the page before has shown, and none that came after them.
func (a *Area) CloseCases(c *fiber.Ctx) error {
	f := web.NewForm(c)
	var seen, newest, at int64
	for name, value := range map[string]*int64{"seen": &seen, "newest": &newest, "at": &at} {
		var err error
		if *value, err = strconv.ParseInt(f.Text(name), 10, 64); err != nil || *value < 1 {
			return web.BadAddress("It does not say which cases were looked at.")
		}
	}
	page := &casesPage{Page: a.Page(c, "")}
	if looked := time.UnixMicro(at); looked.Before(page.Now) {
		page.Now = looked // by which ages are counted
	}
	filter, wrong, err := a.caseFilter(c, page)
	if err != nil {
		return err
	}
	if wrong != nil || filter.Rule == 0 {
		return a.showClosing(c, f)
	}
	filter.UpTo = newest
	to := togetherStates[f.Text("state")]
	if to == 0 {
		f.Refuse("reason", "choose how the cases end")
		return a.showClosing(c, f)
	}
	closed, err := a.Store.DecideCases(c.UserContext(), a.Actor(c), filter, to, f.Text("reason"),
		int(min(seen, closedTogether)))
	if errors.Is(err, models.ErrCaseReason) || errors.Is(err, models.ErrCaseReasonLong) {
		f.Refuse("reason", things.RootText(err))
		return a.showClosing(c, f)
	}
	if err != nil {
		return err
	}
	note := views.Note{Kind: "done", Icon: "check", Title: web.Several(int64(closed), "case is closed", "cases are closed"),
		Text: "Each was " + to.String() + ". The same findings open no others."}
	switch {
	case closed == 0:
		note = views.Note{Kind: "wait", Icon: "info", Title: "They are closed already",
			Text: "A colleague has closed these cases. What you sent changed nothing."}
	case closed < int(seen):
		note.Text += " The rest of what you saw was closed or changed hands meanwhile."
	}
	return a.Flash(c, web.WithQuery("/cases", page.Query), note)
}
