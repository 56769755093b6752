package app

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// saveView saves the filters of a list under a name, and redirects to the list.
func (a *App) saveView(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := web.Local(f.Text("page"), "/")
	view := models.SavedView{StaffID: web.ReaderOf(c).ID, Page: page, Name: f.Text("name"), Query: f.Text("query"),
		Shared: f.Text("shared") == "yes"}
	to := web.WithQuery(page, view.Query)
	if err := view.Check(); err != nil {
		if len(view.Query) > models.MaxViewQuery {
			to = page
		}
		return a.Flash(c, web.Local(to, "/"), views.Warning("", "The view was not saved. "+web.Sentence(err.Error())))
	}
	wrong, err := a.TryFilters(c, page, view.Query)
	if err != nil {
		return err
	}
	if wrong != "" {
		return a.Flash(c, page, views.Warning("", "The view was not saved. "+wrong))
	}
	if err := a.Store.SaveView(c.UserContext(), a.Actor(c), view); err != nil {
		return err
	}
	return a.Done(c, to, "The view “"+view.Name+"” is saved.")
}

func (a *App) removeView(c *fiber.Ctx) error {
	id, err := web.Number(c, "id")
	if err != nil {
		return err
	}
	there, err := a.Store.DeleteView(c.UserContext(), web.ReaderOf(c).ID, id)
	if err != nil {
		return err
	}
	if !there {
		return web.NotFound("view of yours")
	}
	return a.Done(c, web.Local(web.Posted(c, "back"), "/"), "The view was deleted.")
}
