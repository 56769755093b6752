package cases

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// CountOf returns how many cases f selects on all pages, at most pages.ManyCases, and words for that number.
func (a *Area) CountOf(ctx context.Context, f models.CaseFilter) (n int64, words string, err error) {
	f.Page, f.Limit = models.Cursor{}, 0
	if n, err = a.Store.CountCases(ctx, f, pages.ManyCases+1); n > pages.ManyCases {
		return pages.ManyCases, "over " + web.Grouped(pages.ManyCases), err
	}
	return n, web.Grouped(n), err
}

// caseQueue has the addresses of the cases before and after a case in the list from which the reader opened it.
type caseQueue struct{ Previous, Next string }

// caseQueue finds the cases before and after found in the queue that the filters in the address select. Without filters, the
// queue is all open cases.
func (a *Area) caseQueue(c *fiber.Ctx, p web.Page, found models.Case) (q caseQueue, err error) {
	page := &casesPage{Page: p}
	f, err := a.caseFilter(c.UserContext(), page)
	if err != nil || page.Instead != nil {
		return q, err
	}
	for _, to := range []struct {
		newer bool
		path  *string
	}{{true, &q.Previous}, {false, &q.Next}} {
		f.Limit, f.Page = 1, f.Place(found)
		f.Page.Newer = to.newer
		list, err := a.Store.Cases(c.UserContext(), f)
		if err != nil {
			return q, err
		}
		if len(list.Rows) > 0 {
			*to.path = web.WithQuery(pages.CasePath(list.Rows[0].ID), p.Query)
		}
	}
	return q, nil
}
