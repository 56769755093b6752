package audit

import (
	"context"
	"time"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Cases that a statement or a rule opens together share one line of the audit page. The line unfolds.

const (
	foldedApart   = 5 * time.Minute // events further apart get lines of their own
	foldedAtATime = 500
	maxFolded     = 20_000
	FoldedShown   = 100 // the most links in one line
	eachName      = "each"
	caseOpened    = "case opened"
)

// foldedEvents are events that share one line.
type foldedEvents struct {
	N     string // how many
	Rule  string // the rule that opened the cases
	First views.Moment
	Links []foldedLink
	More  string // how many have no link; empty if all do
	Each  string // the address of the list with a line for each event
}

// foldedLink links to the thing that one of the events is about.
type foldedLink struct{ Word, Href string }

// folds reports whether next, the older event, shares a line with e. Store.AuditSame finds these events with a query.
func folds(e, next models.AuditEvent) bool {
	return e.Action == caseOpened && next.Action == e.Action && next.After == e.After && next.Actor == e.Actor &&
		e.At.Sub(next.At) <= foldedApart
}

// foldOn reads more events until the page is full. Events that share a line count as one, however many there are.
func (a *Area) foldOn(ctx context.Context, page *auditPage, f models.AuditFilter, found *models.Page[models.AuditEvent]) error {
	if page.Params.Get(eachName) != "" || f.Page.Newer || len(found.Rows) == 0 {
		return nil
	}
	lines := 1
	for i := 1; i < len(found.Rows); i++ {
		if !folds(found.Rows[i-1], found.Rows[i]) {
			lines++
		}
	}
	for found.More && len(found.Rows) < maxFolded && lines < len(found.Rows) {
		if found.Rows[len(found.Rows)-1].Action == caseOpened {
			whole, err := a.foldFurther(ctx, f, found)
			if err != nil {
				return err
			}
			if !whole || !found.More {
				continue
			}
		}
		f.Page = found.Rows[len(found.Rows)-1].Place()
		next, err := a.Store.AuditEvents(ctx, f)
		if err != nil {
			return err
		}
		for _, e := range next.Rows {
			if !folds(found.Rows[len(found.Rows)-1], e) {
				if lines == AuditRows {
					return nil
				}
				lines++
			}
			found.Rows = append(found.Rows, e)
		}
		found.More, found.Stopped = next.More, next.Stopped
	}
	return nil
}

// foldFurther reads more of the events that share a line with the last event in found, and reports whether found now has all of
// them. AuditSame reads only a few columns of each, because the page shows no more.
func (a *Area) foldFurther(ctx context.Context, f models.AuditFilter,
	found *models.Page[models.AuditEvent]) (whole bool, err error) {
	f.Limit = foldedAtATime
	same, err := a.Store.AuditSame(ctx, f, found.Rows[len(found.Rows)-1])
	if err != nil {
		return false, err
	}
	found.More, found.Stopped = same.More, same.Stopped
	for _, e := range same.Rows {
		if !folds(found.Rows[len(found.Rows)-1], e) {
			found.More, found.Stopped = true, models.Cursor{}
			return true, nil
		}
		found.Rows = append(found.Rows, e)
	}
	return len(same.Rows) < foldedAtATime, nil
}

// auditRows makes the lines of the page.
func (a *Area) auditRows(ctx context.Context, page *auditPage, events []models.AuditEvent) error {
	t := a.Teller(ctx, events...)
	each := page.Params.Get(eachName) != ""
	for i := 0; i < len(events); {
		e := events[i]
		on, err := a.auditThing(&page.Page, e)
		if err != nil {
			return err
		}
		what, err := t.Sentence(e, false)
		if err != nil {
			return err
		}
		row := auditRow{AuditEvent: e, Moment: page.Time(e.At), Href: pages.AuditPath(e.ID), What: what,
			Change: pages.ChangeWords(&page.Page, e), On: on}
		n := 1
		for !each && i+n < len(events) && folds(events[i+n-1], events[i+n]) {
			n++
		}
		if n > 1 {
			if row.Folded, err = a.fold(page, events[i:i+n]); err != nil {
				return err
			}
		}
		page.Rows = append(page.Rows, row)
		i += n
	}
	return nil
}

func (a *Area) fold(page *auditPage, events []models.AuditEvent) (*foldedEvents, error) {
	after, _ := pages.Flatten(events[0].After)
	folded := &foldedEvents{N: web.Grouped(int64(len(events))), Rule: after["rule"], First: page.Time(events[len(events)-1].At)}
	if more := len(events) - FoldedShown; more > 0 {
		folded.More = web.Grouped(int64(more))
	}
	for _, e := range events[:min(len(events), FoldedShown)] {
		on, err := a.auditThing(&page.Page, e)
		if err != nil {
			return nil, err
		}
		folded.Links = append(folded.Links, foldedLink{on.ID, on.Href})
	}
	newest := events[0].Place()
	newest.ID++ // the list starts after this place, so with the newest event
	folded.Each = page.With("after", newest.String()) + "&" + eachName + "=yes"
	return folded, nil
}
