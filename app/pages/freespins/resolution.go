package freespins

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/platform"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// unknownGrant adds the form for a decision, and what speaks for which.
func (a *Area) unknownGrant(ctx context.Context, page *grantPage, f *web.Form, g models.Grant) error {
	page.Decision = &decisionForm{
		Found: f.Text("found"), Wrong: web.Sentence(f.Wrong["found"]),
		FreeSpinID: f.Field(views.Field{Label: "Its free-spin ID", Name: "free_spin_id", Autocomplete: "off",
			Placeholder: "Its free-spin ID"}),
		Note: f.Field(views.Field{Label: "How do you know?", Name: "note", Autocomplete: "off", Required: true,
			Hint: "Such as the platform’s back office, a ticket or a call. The audit log keeps it."}),
		Twice: 2 * g.Spins,
	}
	if g.Ours > 0 {
		page.Signs = append(page.Signs,
			views.Check{Warn: true,
				Text: web.Several(g.Ours, "free-spin bet", "free-spin bets") +
					" of this player that we attribute to this grant. This suggests that the spins were granted."})
	}
	unexplained, err := a.Store.UnattributedSpins(ctx, g.PlayerID, g.At)
	if err != nil {
		return err
	}
	if unexplained > 0 {
		page.Signs = append(page.Signs,
			views.Check{Warn: true,
				Text: web.Several(unexplained, "free-spin bet", "free-spin bets") +
					" of this player since then that no grant explains."})
	}
	if g.Ours == 0 && unexplained == 0 {
		page.Signs = append(page.Signs,
			views.Check{Text: "No free-spin bet of this player has come since then. It says nothing yet: the player may not " +
				"have played."})
	}
	others, _, err := a.Store.Grants(ctx,
		models.GrantFilter{PlayerID: g.PlayerID, States: []models.GrantState{models.GrantActive}, Limit: web.LatestRows})
	if err != nil {
		return err
	}
	words := "The player has no other open grant."
	if len(others) > 0 {
		words = "The player has " + web.Several(int64(len(others)), "other open grant", "other open grants") +
			", to which free-spin bets may belong as well."
	}
	page.Signs = append(page.Signs, views.Check{Text: words})
	return nil
}

// DecideGrant records what a person found out about a grant of unknown outcome. Granting again takes a second step, since it
// sends spins.
func (a *Area) DecideGrant(c *fiber.Ctx) error {
	g, err := a.theGrant(c)
	if err != nil {
		return err
	}
	if !g.Unresolved() {
		return a.decidedAlready(c, g)
	}
	f := web.NewForm(c)
	to := web.PathOf("/free-spins", g.ID)
	r := readResolution(c, f)
	if !f.Ok() {
		return a.Again(c, f, to)
	}
	if r.Kind == models.ResolvedAgain {
		if f.Text("confirmed") == "yes" {
			if err := a.Confirm(c, f); err != nil {
				return err
			}
		}
		if f.Text("confirmed") != "yes" || !f.Ok() {
			return a.Again(c, f, to+"/resolution")
		}
	}
	return a.resolveGrant(c, f, g, r)
}

// readResolution reads what a person found out, and refuses what is missing.
func readResolution(c *fiber.Ctx, f *web.Form) models.GrantResolution {
	r := models.GrantResolution{FreeSpinID: models.FreeSpinID(f.Text("free_spin_id")), Note: f.Text("note"),
		Role: web.ReaderOf(c).
			Role}
	switch f.Text("found") {
	case "found":
		r.Kind = models.ResolvedFound
		if models.CheckID(string(r.FreeSpinID)) != nil {
			f.Refuse("free_spin_id", "Enter the ID that the platform gave it.")
		}
	case "not":
		r.Kind = models.ResolvedNotGranted
	case "again":
		r.Kind = models.ResolvedAgain
	default:
		f.Refuse("found", "Choose what you found.")
	}
	switch n := len([]rune(r.Note)); {
	case n == 0:
		f.Refuse("note", "Say how you know.")
	case n > 500:
		f.Refuse("note", "At most 500 characters.")
	}
	return r
}

func (a *Area) decidedAlready(c *fiber.Ctx, g models.Grant) error {
	text := "This grant does not wait for a decision."
	if g.Resolution != models.Unresolved {
		text = g.ResolvedBy + " has recorded already: " + g.Resolution.String() + ". Yours was not recorded."
	}
	return a.Flash(c, web.PathOf("/free-spins", g.ID), views.Note{Kind: "wait", Icon: "info", Text: text})
}

func (a *Area) resolveGrant(c *fiber.Ctx, f *web.Form, g models.Grant, r models.GrantResolution) error {
	resolved, again, err := a.Bonus.Resolve(c.UserContext(), a.Actor(c), g.ID, r)
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
		f.Refuse("free_spin_id", "Another grant has this ID. Look again.")
	case errors.Is(err, models.ErrFreeSpinIDMismatch):
		f.Refuse("free_spin_id", "The platform’s grant of this ID has another number of spins, so it is not this one.")
	case errors.As(err, &e) && r.Kind == models.ResolvedFound:
		f.Refuse("free_spin_id", "The ID could not be checked: "+things.FailureWords(err))
	case errors.As(err, &limit):
		f.Refuse("found", "Granting again is "+limit.Error()+". Request an exception under Free spins, Grant free spins.")
	case errors.Is(err, models.ErrPlayerBlocked), errors.Is(err, models.ErrGameGone):
		f.Refuse("found", "Granting again is not possible: "+things.RootText(err)+".")
	default:
		return err
	}
	if !f.Ok() {
		return a.Again(c, f, web.PathOf("/free-spins", g.ID))
	}
	message := "Recorded: it was not granted. It counts towards no limit any more."
	if resolved.State == models.GrantActive {
		message = "Recorded: the platform has it. It is watched from now on like any other."
	}
	return a.Done(c, web.PathOf("/free-spins", g.ID), message)
}

// GrantingAgain asks to confirm that a grant of unknown outcome is granted once more.
func (a *Area) GrantingAgain(c *fiber.Ctx) error {
	g, err := a.theGrant(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	switch {
	case !g.Unresolved():
		return a.decidedAlready(c, g)
	case !f.Typed():
		return c.Redirect(web.PathOf("/free-spins", g.ID), fiber.StatusSeeOther)
	}
	r := readResolution(c, f)
	if f.RefusedBeside("password") {
		return a.Again(c, f, web.PathOf("/free-spins", g.ID))
	}
	back, err := a.Unchanged(c, f, web.PathOf("/free-spins", g.ID))
	if err != nil {
		return err
	}
	page := &web.DeedPage{Page: a.Page(c, "Grant again, not knowing")}
	to := web.PathOf("/free-spins", g.ID)
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Grant " + strconv.FormatInt(g.ID, 10), Href: to},
		{Word: "Grant again"},
	}
	spins := web.Several(g.Spins, "spin", "spins")
	page.Deed = views.Deed{
		Sentence: "Grant " + spins + " on " + g.Game.Title() + " to " + string(g.UserID) + " once more.",
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
	if page.Deed.Password, err = a.ConfirmField(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Refused(c, "free-spins/confirm", page)
	}
	return a.Render(c, "free-spins/confirm", page)
}
