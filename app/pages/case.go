package pages

import (
	"context"
	"strconv"
	"time"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

const (
	casesOfThing = 20 // in an object's timeline
	casesShown   = 5  // on the page of an object without a timeline
)

// CaseBadge returns the badge for a case's state.
func CaseBadge(c models.Case) views.Badge {
	switch c.State {
	case models.CaseOpen:
		return views.Waiting("Open")
	case models.CaseWrittenOff:
		return views.Refused("Written off")
	}
	return views.Quiet(web.FirstUpper(c.State.String()))
}

// CaseLine is a case as a line of a list.
type CaseLine struct {
	models.Case
	Href, PlayerHref, What, Age string
	Old                         bool
	Due                         string // the last day for answering
	Amount                      views.Money
	Badge                       views.Badge
}

// NewCaseLine returns the line of a case.
func NewCaseLine(p *web.Page, c models.Case) CaseLine {
	line := CaseLine{Case: c, Href: CasePath(c.ID), What: web.FirstUpper(c.Rule.String()), Badge: CaseBadge(c)}
	if c.PlayerID != 0 {
		line.PlayerHref = PlayerPath(c.PlayerID)
	}
	if c.Amount != 0 {
		line.Amount = p.Money(c.Amount, c.Currency)
	}
	if !c.Due.IsZero() {
		line.Due = LastDay(c.Due)
		if c.Overdue(p.Now) {
			line.Badge = views.AtRisk("Overdue")
		}
	}
	if c.State == models.CaseOpen {
		line.Age, line.Old = web.Age(p.Now.Sub(c.FoundAt)), p.Now.Sub(c.FoundAt) > 24*time.Hour
	}
	return line
}

// ThingCases are the newest cases about an object, for its page.
type ThingCases struct {
	Rows []caseLink
	All  string // the address of the list of all of them
}

type caseLink struct{ Label, Text, Href, Note string }

// CasesOf returns the newest cases about an object, or none if the reader may not view cases. query selects all of them in the
// list of cases.
func (s *Site) CasesOf(ctx context.Context, p *web.Page, f models.CaseFilter, query string) (cases ThingCases, err error) {
	if !p.Can(web.ReadCases) {
		return cases, nil
	}
	f.Limit = casesShown
	list, err := s.Store.Cases(ctx, f)
	for _, c := range list.Rows {
		row := caseLink{Label: "Case " + strconv.FormatInt(c.ID, 10), Text: web.FirstUpper(c.Rule.String()),
			Href: CasePath(c.ID),
			Note: c.State.String()}
		if c.State == models.CaseOpen {
			row.Note = "open " + web.Age(p.Now.Sub(c.FoundAt))
		}
		cases.Rows = append(cases.Rows, row)
	}
	cases.All = "/cases?" + query + "&state=all"
	return cases, err
}

// CaseEvents returns the events for an object's timeline about its cases.
func (s *Site) CaseEvents(ctx context.Context, p *web.Page, f models.CaseFilter) (events []views.Event, err error) {
	if !p.Can(web.ReadCases) {
		return nil, nil
	}
	f.Limit = casesOfThing
	list, err := s.Store.Cases(ctx, f)
	for _, c := range list.Rows {
		number := "Case " + strconv.FormatInt(c.ID, 10)
		events = append(events,
			views.Event{At: p.Time(c.FoundAt), Node: "case", Who: number, Text: " opened: " + c.Rule.String(),
				Href: CasePath(c.ID), Link: "view case"})
		if c.State != models.CaseOpen {
			events = append(events,
				views.Event{At: p.Time(c.DecidedAt), Node: "staff", Who: c.DecidedBy,
					Text: " closed case " + strconv.FormatInt(c.ID, 10) + ": " + c.State.String(), Quote: c.Reason})
		}
	}
	return events, err
}

// LastDay returns the last day before a deadline. It does not depend on the reader's time zone.
func LastDay(due time.Time) string { return models.DueDay(due).Format("2 Jan 2006") }
