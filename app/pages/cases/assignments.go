package cases

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// CountOf counts the cases that f selects on all pages, up to pages.ManyCases, and returns the number also in words.
func (a *Area) CountOf(ctx context.Context, f models.CaseFilter) (n int64, words string, err error) {
	f.Page, f.Limit = models.Cursor{}, 0
	if n, err = a.Store.CountCases(ctx, f, pages.ManyCases+1); n > pages.ManyCases {
		return pages.ManyCases, "over " + web.Grouped(pages.ManyCases), err
	}
	return n, web.Grouped(n), err
}

// queue finds the cases before and after found in the queue that the address's filters select. Without filters, that is all
// open cases.
func (a *Area) queue(c *fiber.Ctx, p *web.Page, found models.Case) (q pages.Queue, err error) {
	list := &casesPage{Page: *p}
	f, err := a.caseFilter(c.UserContext(), list)
	if err != nil || list.Instead != nil {
		return q, err
	}
	f.Limit = 1
	return pages.NewQueue(p, "case", f.Place(found), func(at models.Cursor) (models.Page[models.Case], error) {
		f.Page = at
		return a.Store.Cases(c.UserContext(), f)
	}, func(c models.Case) string { return web.WithQuery(pages.CasePath(c.ID), p.Query) })
}
