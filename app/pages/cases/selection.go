package cases

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Cases selected in the list can be assigned to one colleague or closed with one reason. Each gets its own audit event.

// onlyFilter returns the numbers of the cases to which a list is limited, such as "12.15.17". Only links set this filter.
func onlyFilter(page *web.Page) (ids []int64) {
	page.Filter("only", "Selected", func(text string) string {
		for part := range strings.SplitSeq(text, ".") {
			id, err := strconv.ParseInt(part, 10, 64)
			if err != nil || id < 1 || len(ids) == web.ListRows {
				page.Refuse(fmt.Errorf("the address has only=%s, but only must be the numbers of up to %d cases, like 12.15", text,
					web.ListRows))
				return text
			}
			ids = append(ids, id)
		}
		return web.Several(int64(len(ids)), "case", "cases")
	})
	return ids
}

// Selected assigns the cases that are checked in the list, or shows what closing them would do.
func (a *Area) Selected(c *fiber.Ctx) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	back := web.Local(web.WithQuery("/cases", f.Text("query")), "/cases")
	chosen := web.PostedAll(c, "case")
	if len(chosen) == 0 {
		return a.Flash(c, back, views.Warning("", "No case is selected. Check the boxes of the cases that you mean."))
	}
	if f.Text("do") == "close" {
		return c.Redirect("/cases/closing?only="+web.EscapeQuery(strings.Join(chosen, ".")), fiber.StatusSeeOther)
	}
	names, err := a.Colleagues(ctx, web.WorkCases)
	if err != nil {
		return err
	}
	name, why, _ := pages.Assignee(f, names)
	if !f.Ok() {
		return a.Flash(c, back, views.Warning("", web.Sentence(cmp.Or(f.Wrong["assignee"], f.Wrong["why"]))+" No case was assigned."))
	}
	assigned, other := 0, 0
	for _, text := range slices.Compact(slices.Sorted(slices.Values(chosen))) {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return web.BadForm("The form does not say which cases you selected.")
		}
		found, _, there, err := a.Store.Case(ctx, id)
		if err == nil && there && found.State == models.CaseOpen {
			err = a.Store.OwnCase(ctx, a.Actor(c), id, found.Owner, name, why)
		} else if err == nil {
			err = models.ErrCaseClosed
		}
		switch {
		case err == nil:
			assigned++
		case errors.Is(err, models.ErrCaseClosed), errors.Is(err, models.ErrCaseTaken), errors.Is(err, models.ErrCaseUnknown):
			other++
		default:
			return err
		}
	}
	to := "Assigned to " + name + ": "
	if name == "" {
		to = "Unassigned: "
	}
	text := to + web.Several(int64(assigned), "case", "cases") + "."
	if other > 0 {
		text += " " + web.Several(int64(other), "case was", "cases were") + " closed or taken in the meantime."
		return a.Flash(c, back, views.Info("", text))
	}
	return a.Done(c, back, text)
}
