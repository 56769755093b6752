package freespins

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// unknownGrant adds the form for the decision, and the evidence that helps to make it.
func (a *Area) unknownGrant(ctx context.Context, page *grantPage, f *web.Form, g models.Grant) error {
	page.Decision = &decisionForm{
		Found: f.Text("found"), Wrong: web.Sentence(f.Wrong["found"]),
		FreeSpinID: f.Field(views.Field{Name: "free_spin_id", Autocomplete: "off", Placeholder: "Its free-spin ID"}),
		Note:       f.Field(views.Field{Name: "note", Autocomplete: "off", Required: true}),
	}
	unexplained, err := a.Store.UnattributedSpins(ctx, g.PlayerID, g.At)
	if err != nil {
		return err
	}
	others, err := a.Store.Grants(ctx,
		models.GrantFilter{PlayerID: g.PlayerID, States: []models.GrantState{models.GrantActive},
			Span: models.Span{Limit: web.LatestRows}})
	page.Signs = &grantSigns{Ours: g.Ours, Unexplained: unexplained, Others: int64(len(others.Rows))}
	return err
}

// DecideGrant records what a person found out about a grant of unknown outcome.
func (a *Area) DecideGrant(c *fiber.Ctx, g models.Grant) error {
	if !g.Unresolved() {
		return a.decidedAlready(c, g)
	}
	f := web.NewForm(c)
	to := web.PathOf("/free-spins", g.ID)
	r := readResolution(f)
	if !f.Ok() {
		return a.ShowAgain(c, f, to)
	}
	resolved, err := a.Bonus.Resolve(c.UserContext(), a.Actor(c), g.ID, r)
	var e *platform.Error
	switch {
	case err == nil:
	case errors.Is(err, models.ErrGrantResolved):
		now, _, err := a.Store.Grant(c.UserContext(), g.ID)
		if err != nil {
			return err
		}
		return a.decidedAlready(c, now)
	case errors.Is(err, models.ErrFreeSpinIDTaken):
		f.Refuse("free_spin_id", "Another grant has this ID. Check it.")
	case errors.Is(err, models.ErrFreeSpinIDMismatch):
		f.Refuse("free_spin_id", "The platform’s grant with this ID has another number of spins, so it is not this one.")
	case errors.As(err, &e) && e.Kind == platform.Refused && e.Result == models.ResultUnknownGrant:
		f.Refuse("free_spin_id", pages.FailureWords(err)+" Check the ID, or choose “Not granted” once the platform has confirmed "+
			"that.")
	case errors.As(err, &e):
		f.Refuse("free_spin_id", "The ID could not be checked: "+pages.FailureWords(err))
	default:
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, to)
	}
	message := "Recorded: it cannot be found out. If you grant the spins again, the player may have both."
	switch resolved.State {
	case models.GrantActive:
		message = "Recorded: the platform has it. Pitboss now follows it like any other grant."
	case models.GrantRefused:
		message = "Recorded: not granted. It no longer counts toward any limit."
	}
	return a.Done(c, to, message)
}

// readResolution reads the form and marks the fields that are missing or wrong.
func readResolution(f *web.Form) models.GrantResolution {
	r := models.GrantResolution{FreeSpinID: models.FreeSpinID(f.Text("free_spin_id")), Note: f.Text("note")}
	switch f.Text("found") {
	case "found":
		r.Kind = models.ResolvedFound
		if models.CheckID(string(r.FreeSpinID)) != nil {
			f.Refuse("free_spin_id", "Enter the ID that the platform gave the grant.")
		}
	case "not":
		r.Kind = models.ResolvedNotGranted
	case "unclear":
		r.Kind = models.ResolvedUnclear
	default:
		f.Refuse("found", "Choose what you found.")
	}
	switch n := len([]rune(r.Note)); {
	case n == 0:
		f.Refuse("note", "Say how you know.")
	case n > 500:
		f.Refuse("note", "A note has at most 500 characters.")
	}
	return r
}

func (a *Area) decidedAlready(c *fiber.Ctx, g models.Grant) error {
	text := "This grant is not waiting for a decision."
	if g.Resolution != models.Unresolved {
		text = g.ResolvedBy + " has already recorded: " + g.Resolution.String() + ". Your decision was not recorded."
	}
	return a.Flash(c, web.PathOf("/free-spins", g.ID), views.Info("", text))
}
