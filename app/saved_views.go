package app

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// saveView keeps the filters of a list under a name, and leads to them.
func (a *App) saveView(c *fiber.Ctx) error {
	f := newForm(c)
	page := local(f.text("page"), "/")
	view := models.SavedView{StaffID: reader(c).ID, Page: page, Name: f.text("name"), Query: f.text("query"),
		Shared: f.text("shared") == "yes"}
	to := withQuery(page, view.Query)
	if err := view.Check(); err != nil {
		if len(view.Query) > models.MaxViewQuery {
			to = page
		}
		return a.flash(c, local(to, "/"),
			views.Note{Kind: "wait", Icon: "warning", Text: "The view was not saved: " + err.Error() + "."})
	}
	if err := a.Store.SaveView(c.UserContext(), a.actor(c), view); err != nil {
		return err
	}
	return a.done(c, to, "Saved as “"+view.Name+"”. It stands under Views.")
}

func (a *App) removeView(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	there, err := a.Store.DeleteView(c.UserContext(), reader(c).ID, id)
	if err != nil {
		return err
	}
	if !there {
		return notFound("view of yours")
	}
	return a.done(c, local(posted(c, "back"), "/"), "The view is deleted.")
}
