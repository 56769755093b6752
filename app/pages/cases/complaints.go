package cases

import (
	"errors"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Complaints are the only cases that people open.

type newComplaintPage struct {
	web.Page
	Player, Reference, Due, Text views.Field
}

func (a *Area) NewComplaintForm(c *fiber.Ctx) error { return a.showNewComplaint(c, web.NewForm(c)) }

// showNewComplaint shows the form; the address may name the player.
func (a *Area) showNewComplaint(c *fiber.Ctx, f *web.Form) error {
	page := &newComplaintPage{Page: a.Page(c, "")}
	var err error
	if page.Player, _, _, err = a.PlayerFinder().Field(f, "player"); err != nil {
		return err
	}
	page.Reference = f.Field(views.Field{Name: "reference", Required: true, Autocomplete: "off"})
	page.Due = f.Field(views.Field{Name: "due", Type: "date", Required: true})
	page.Text = f.Field(views.Field{Name: "text", Required: true, Max: models.MaxCaseText})
	return a.RenderForm(c, !f.Ok(), "cases/new", page)
}

// OpenComplaint opens the case. The deadline is the end of a day in the reader's time zone.
func (a *Area) OpenComplaint(c *fiber.Ctx) error {
	f := web.NewForm(c)
	complaint := models.NewComplaint{Reference: f.Text("reference"), Text: f.Text("text")}
	due, unread := time.ParseInLocation(time.DateOnly, f.Text("due"), web.ReaderOf(c).Zone)
	if unread == nil {
		complaint.Due = due.AddDate(0, 0, 1).UTC()
	}
	for name, why := range complaint.Check(a.Now()) {
		f.Refuse(name, why)
	}
	_, player, found, err := a.PlayerFinder().Field(f, "player")
	if err != nil {
		return err
	}
	if !found {
		f.Refuse("player", "There is no player with this ID. IDs are case-sensitive.")
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, "/cases/new")
	}
	complaint.PlayerID = player.ID
	id, err := a.Store.OpenComplaint(c.UserContext(), a.Actor(c), complaint)
	var known models.ComplaintKnownError
	if errors.As(err, &known) {
		return a.Flash(c, pages.CasePath(known.CaseID), views.Info("This complaint is recorded already",
			"This case has the same player and reference. What you typed was not saved; add it as a comment."))
	}
	if err != nil {
		return err
	}
	return a.Done(c, pages.CasePath(id), "The complaint is recorded as case "+strconv.FormatInt(id, 10)+".")
}
