package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/platform"
	"pitboss/models"
	"pitboss/views"
)

// unknownGrant adds the form for a decision, and what speaks for which.
func (a *App) unknownGrant(ctx context.Context, page *grantPage, f *form, g models.Grant) error {
	page.Decision = &decisionForm{
		Found: f.text("found"), Wrong: sentence(f.wrong["found"]),
		FreeSpinID: f.field(views.Field{Label: "Its free-spin ID", Name: "free_spin_id", Autocomplete: "off",
			Placeholder: "Its free-spin ID"}),
		Note: f.field(views.Field{Label: "How do you know?", Name: "note", Autocomplete: "off", Required: true,
			Hint: "Such as the platform’s back office, a ticket or a call. The audit log keeps it."}),
		Twice: 2 * g.Spins,
	}
	if g.Ours > 0 {
		page.Signs = append(page.Signs,
			views.Check{Warn: true,
				Text: several(g.Ours, "free-spin bet", "free-spin bets") +
					" of this player that we attribute to this grant. They speak for “granted”."})
	}
	unexplained, err := a.Store.UnattributedSpins(ctx, g.PlayerID, g.At)
	if err != nil {
		return err
	}
	if unexplained > 0 {
		page.Signs = append(page.Signs,
			views.Check{Warn: true,
				Text: several(unexplained, "free-spin bet", "free-spin bets") +
					" of this player since then that no grant explains."})
	}
	if g.Ours == 0 && unexplained == 0 {
		page.Signs = append(page.Signs,
			views.Check{Text: "No free-spin bet of this player has come since then. It says nothing yet: the player may not " +
				"have played."})
	}
	others, _, err := a.Store.Grants(ctx,
		models.GrantFilter{PlayerID: g.PlayerID, States: []models.GrantState{models.GrantActive}, Limit: latestRows})
	if err != nil {
		return err
	}
	words := "The player has no other open grant."
	if len(others) > 0 {
		words = "The player has " + several(int64(len(others)), "other open grant", "other open grants") +
			", to which free-spin bets may belong as well."
	}
	page.Signs = append(page.Signs, views.Check{Text: words})
	return nil
}

// decideGrant records what a person found out about a grant of unknown outcome. Granting again takes a second step, since it
// sends spins.
func (a *App) decideGrant(c *fiber.Ctx) error {
	g, err := a.theGrant(c)
	if err != nil {
		return err
	}
	if !g.Unresolved() {
		return a.decidedAlready(c, g)
	}
	f := newForm(c)
	to := pathOf("/free-spins", g.ID)
	r := readResolution(c, f)
	if !f.ok() {
		return a.again(c, f, to)
	}
	if r.Kind == models.ResolvedAgain {
		if f.text("confirmed") == "yes" {
			if err := a.confirm(c, f); err != nil {
				return err
			}
		}
		if f.text("confirmed") != "yes" || !f.ok() {
			return a.again(c, f, to+"/resolution")
		}
	}
	return a.resolveGrant(c, f, g, r)
}

// readResolution reads what a person found out, and refuses what is missing.
func readResolution(c *fiber.Ctx, f *form) models.GrantResolution {
	r := models.GrantResolution{FreeSpinID: models.FreeSpinID(f.text("free_spin_id")), Note: f.text("note"), Role: reader(c).
		Role}
	switch f.text("found") {
	case "found":
		r.Kind = models.ResolvedFound
		if models.CheckID(string(r.FreeSpinID)) != nil {
			f.refuse("free_spin_id", "Enter the ID that the platform gave it.")
		}
	case "not":
		r.Kind = models.ResolvedNotGranted
	case "again":
		r.Kind = models.ResolvedAgain
	default:
		f.refuse("found", "Choose what you found.")
	}
	switch n := len([]rune(r.Note)); {
	case n == 0:
		f.refuse("note", "Say how you know.")
	case n > 500:
		f.refuse("note", "At most 500 characters.")
	}
	return r
}

func (a *App) decidedAlready(c *fiber.Ctx, g models.Grant) error {
	text := "This grant does not wait for a decision."
	if g.Resolution != models.Unresolved {
		text = g.ResolvedBy + " has recorded already: " + g.Resolution.String() + ". Yours was not recorded."
	}
	return a.flash(c, pathOf("/free-spins", g.ID), views.Note{Kind: "wait", Icon: "info", Text: text})
}

func (a *App) resolveGrant(c *fiber.Ctx, f *form, g models.Grant, r models.GrantResolution) error {
	resolved, again, err := a.Bonus.Resolve(c.UserContext(), a.actor(c), g.ID, r)
	if again.ID != 0 {
		return a.afterGrant(c, again, err)
	}
	var limit models.LimitError
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
		f.refuse("free_spin_id", "Another grant has this ID. Look again.")
	case errors.Is(err, models.ErrFreeSpinIDMismatch):
		f.refuse("free_spin_id", "The platform’s grant of this ID has another number of spins, so it is not this one.")
	case errors.As(err, &e) && r.Kind == models.ResolvedFound:
		f.refuse("free_spin_id", "The ID could not be checked: "+failureWords(err))
	case errors.As(err, &limit):
		f.refuse("found", "Granting again is "+limit.Error()+". Request an exception under Free spins, Grant free spins.")
	case errors.Is(err, models.ErrPlayerBlocked), errors.Is(err, models.ErrGameGone):
		f.refuse("found", "Granting again is not possible: "+rootText(err)+".")
	default:
		return err
	}
	if !f.ok() {
		return a.again(c, f, pathOf("/free-spins", g.ID))
	}
	message := "Recorded: it was not granted. It counts towards no limit any more."
	if resolved.State == models.GrantActive {
		message = "Recorded: the platform has it. It is watched from now on like any other."
	}
	return a.done(c, pathOf("/free-spins", g.ID), message)
}

// rootText is the text of the error at the bottom of a chain.
func rootText(err error) string {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}

// grantingAgain asks to confirm that a grant of unknown outcome is granted once more.
func (a *App) grantingAgain(c *fiber.Ctx) error {
	g, err := a.theGrant(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	switch {
	case !g.Unresolved():
		return a.decidedAlready(c, g)
	case !f.typed():
		return c.Redirect(pathOf("/free-spins", g.ID), fiber.StatusSeeOther)
	}
	r := readResolution(c, f)
	if f.refusedBeside("password") {
		return a.again(c, f, pathOf("/free-spins", g.ID))
	}
	back, err := a.unchanged(c, f, pathOf("/free-spins", g.ID))
	if err != nil {
		return err
	}
	page := &deedPage{Page: a.page(c, "Grant again, not knowing")}
	to := pathOf("/free-spins", g.ID)
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Grant " + strconv.FormatInt(g.ID, 10), Href: to},
		{Word: "Grant again"},
	}
	spins := several(g.Spins, "spin", "spins")
	page.Deed = views.Deed{
		Sentence: "Grant " + spins + " on " + gameName(g.Game) + " to " + string(g.UserID) + " once more.",
		Consequences: fmt.Sprintf("If the first %s arrived after all, %s has %d. The platform has no way to take spins back.",
			spins, g.UserID, 2*g.Spins),
		Changes: []views.Change{
			{What: "Spins of " + string(g.UserID) + " from these grants", Before: fmt.Sprintf("0 or %d", g.Spins),
				After: fmt.Sprintf("%d or %d", g.Spins, 2*g.Spins)},
		},
		Notes: []string{"How you know: " + r.Note}, Action: to + "/resolution",
		Button: "Grant " + spins + " again to " + string(g.UserID), Destroys: true,
		Back: views.Link{Word: "Change", Href: back},
		Hidden: []views.Hidden{{Name: "found", Value: "again"}, {Name: "note", Value: r.Note},
			{Name: "confirmed", Value: "yes"}},
	}
	if page.Deed.Password, err = a.confirmField(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.refused(c, "free-spins/confirm", page)
	}
	return a.render(c, "free-spins/confirm", page)
}
