package cases

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Complaints are the only cases that people, rather than rules, open.

type newComplaintPage struct {
	web.Page
	Player, About, Reference, Due, Text views.Field
}

// NewComplaintForm shows the form; the address may name the player and what the complaint is about.
func (a *Area) NewComplaintForm(c *fiber.Ctx) error {
	f, page := web.NewForm(c), &newComplaintPage{Page: a.Page(c, "")}
	var err error
	var player models.Player
	if page.Player, player, _, err = a.PlayerFinder().Field(f, "player"); err != nil {
		return err
	}
	if page.About, _, _, err = a.aboutFinder(player).Field(f, "about"); err != nil {
		return err
	}
	page.About.Autocomplete = "off"
	page.Reference = f.Field(views.Field{Name: "reference", Required: true, Autocomplete: "off"})
	page.Due = f.Field(views.Field{Name: "due", Type: "date", Required: true})
	page.Text = f.Field(views.Field{Name: "text", Value: page.Params.Get("text"), Required: true, Max: models.MaxCaseText})
	return a.RenderForm(c, !f.Ok(), "cases/new", page)
}

// OpenComplaint opens the case.
func (a *Area) OpenComplaint(c *fiber.Ctx) error {
	f := web.NewForm(c)
	complaint := models.NewComplaint{Reference: f.Text("reference"), Text: f.Text("text")}
	complaint.Due = endOf(f)
	for name, why := range complaint.Check(a.Now()) {
		f.Refuse(name, why)
	}
	_, player, found, err := a.PlayerFinder().Field(f, "player")
	if err != nil {
		return err
	}
	if !found {
		f.Refuse("player", pages.NoSuchPlayer)
	}
	complaint.PlayerID = player.ID
	if f.Text("about") != "" && found {
		_, about, known, err := a.aboutFinder(player).Field(f, "about")
		if err != nil {
			return err
		}
		if complaint.About = about.Transaction; !known {
			f.Refuse("about", "This player has no transaction or round with this ID. IDs are case-sensitive.")
		}
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, "/cases/new")
	}
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

// aboutFinder finds one of a player's transactions by its ID, whole or shortened, or the first one of a round by the round's
// ID.
func (a *Area) aboutFinder(p models.Player) web.Finder[models.TransactionLine] {
	first := func(ctx context.Context, f models.TransactionFilter) (t models.TransactionLine, there bool, err error) {
		f.PlayerID, f.Limit = p.ID, web.TransactionsSeen
		found, err := a.Store.Transactions(ctx, f)
		if n := len(found.Rows); n > 0 {
			return found.Rows[n-1], true, nil
		}
		return t, false, err
	}
	return web.Finder[models.TransactionLine]{
		ByNumber: func(ctx context.Context, number int64) (models.TransactionLine, bool, error) {
			t, there, err := a.Store.Transaction(ctx, number)
			return t, there && t.PlayerID == p.ID, err
		},
		ByID: func(ctx context.Context, id string) (models.TransactionLine, bool, error) {
			t, there, err := first(ctx, models.TransactionFilter{TransactionID: models.TransactionID(id)})
			if there || err != nil {
				return t, there, err
			}
			return first(ctx, models.TransactionFilter{RoundID: models.RoundID(id)})
		},
		Like: func(ctx context.Context, shortened string, limit int) (models.Found[models.TransactionLine], error) {
			found, err := a.Store.SearchTransactions(ctx, shortened, limit)
			if err != nil {
				return found, err
			}
			found.Rows = slices.DeleteFunc(found.Rows, func(t models.TransactionLine) bool { return t.PlayerID != p.ID })
			rounds, err := a.Store.SearchRounds(ctx, shortened, limit)
			found.More = found.More || rounds.More
			for _, r := range rounds.Rows {
				if r.PlayerID != p.ID || err != nil {
					continue
				}
				var t models.TransactionLine
				t, _, err = first(ctx, models.TransactionFilter{RoundID: r.RoundID})
				found.Rows = append(found.Rows, t)
			}
			return found, err
		},
		Of: func(t models.TransactionLine) (int64, string) { return t.ID, string(t.TransactionID) },
	}
}

// endOf returns the end of the day in the field due, or zero if the field is not a day.
func endOf(f *web.Form) (end time.Time) {
	if day, err := models.ParseDay(f.Text("due")); err == nil {
		end = models.DueBy(day)
	}
	return end
}

// MoveDue sets another due date for a complaint.
func (a *Area) MoveDue(c *fiber.Ctx) error {
	found, _, err := a.caseOf(c)
	if err != nil {
		return err
	}
	f, due := web.NewForm(c), endOf(web.NewForm(c))
	if outdated, err := a.Outdated(c, f, pages.CasePath(found.ID), found.Due); outdated || err != nil {
		return err
	}
	if err := models.CheckDecisionText(f.Text("moved")); err != nil {
		f.Refuse("moved", web.Sentence(err.Error()))
	}
	if err := models.CheckDue(due, a.Now()); err != nil {
		f.Refuse("due", err.Error())
	}
	if f.Ok() {
		err = a.Store.MoveDue(c.UserContext(), a.Actor(c), found.ID, due, "Answer by "+pages.LastDay(due)+" instead of "+
			pages.LastDay(found.Due)+": "+f.Text("moved"))
	}
	var refused models.DueError
	if errors.As(err, &refused) {
		f.Refuse("due", refused.Error())
	} else if err != nil {
		return a.caseFailed(c, found, err)
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, pages.CasePath(found.ID))
	}
	return a.Done(c, pages.CasePath(found.ID), "The answer is now due by "+pages.LastDay(due)+".")
}
