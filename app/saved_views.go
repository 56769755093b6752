package app

import (
	"errors"

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
	list, known := a.ExportableAt(page)
	if !known || !a.HasPage(page) || !web.ReaderOf(c).May(list.Needs) {
		return a.Flash(c, web.Local(page, "/"), views.Warning("", "The view was not saved. There is no such list."))
	}
	filtered, err := a.PageAt(c, page, view.Query)
	if err != nil {
		return err
	}
	_, _, wrong, err := list.List(c.UserContext(), filtered)
	if err != nil {
		return err
	}
	if wrong != nil {
		return a.Flash(c, page, views.Warning("", "The view was not saved. "+wrong.Text))
	}
	err = a.Store.SaveView(c.UserContext(), a.Actor(c), view)
	if errors.Is(err, models.ErrManyViews) {
		return a.Flash(c, to, views.Warning("", "The view was not saved. "+web.Sentence(err.Error())))
	}
	if err != nil {
		return err
	}
	return a.Done(c, to, "The view “"+view.Name+"” is saved.")
}

// removeView deletes one of the reader's views. Administrators may also delete a view that a colleague shares.
func (a *App) removeView(c *fiber.Ctx) error {
	id, err := web.Number(c, "id")
	if err != nil {
		return err
	}
	who := web.ReaderOf(c)
	there, err := a.Store.DeleteView(c.UserContext(), a.Actor(c), who.ID, id)
	if err == nil && !there && who.May(web.ManageStaff) {
		there, err = a.Store.DeleteView(c.UserContext(), a.Actor(c), 0, id)
	}
	if err != nil {
		return err
	}
	if !there {
		return web.NotFound("view of yours")
	}
	return a.Done(c, web.Local(web.Posted(c, "back"), "/"), "The view was deleted.")
}
