package corrections

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// signProblem turns the rules of maker and checker into a page. id is the correction's number, 0 for one that was not written
// down.
func signProblem(err error, id int64) error {
	p := web.Problem{
		Status: fiber.StatusForbidden, Money: "Nothing has moved, and the correction is as it was.",
		Links: []views.Link{{Word: "Correction " + strconv.FormatInt(id, 10), Href: things.CorrectionPath(id), Main: true}},
	}
	if id == 0 {
		p.Links = []views.Link{{Word: "Corrections", Href: "/corrections", Main: true}}
	}
	switch {
	case errors.Is(err, models.ErrOwnCorrection):
		p.Title, p.Happened, p.Do = "You asked for this yourself",
			"A correction is decided by somebody else than who asked for it, whatever their role is by now.",
			"Ask a colleague of the role finance, or withdraw it."
	case errors.Is(err, models.ErrNotYourCorrection):
		p.Title, p.Happened, p.Do = "This is not your correction", "Only who asked for a correction withdraws it.",
			"If it should not be booked, refuse it, or ask who may."
	case errors.Is(err, models.ErrAdministersStaff):
		p.Title, p.Happened, p.Do = "Your role may not do this",
			"Who administers staff neither asks for corrections nor decides them.", "Ask a colleague of the role finance."
	case errors.Is(err, models.ErrSignerChanged):
		p.Title, p.Happened, p.Do = "Your role was changed in this moment",
			"What you may do was looked up again before money moved, and it is not what it was when you opened the page.",
			"Sign in again, and ask an administrator if that is a surprise."
	default:
		return err
	}
	return p
}

// ApproveCorrection books a correction under the reader's name, as they saw it.
func (a *Area) ApproveCorrection(c *fiber.Ctx) error {
	found, err := a.aCorrection(c)
	if err != nil {
		return err
	}
	by, f := a.Signer(c), web.NewForm(c)
	ties, err := a.Store.Ties(c.UserContext())
	if err != nil {
		return err
	}
	trial := found // who may not decide is told so before being asked for a password
	if err := trial.Approve(by, ties, a.Now()); err != nil {
		return a.decisionFailed(c, f, found, err)
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.showCorrection(c, f, nil)
	}
	seen, ok := readSeen(f)
	if !ok {
		return a.showCorrection(c, f,
			&views.Note{Kind: "wait", Icon: "info", Title: "Look at it first",
				Text: "What you approve is compared with what you were shown, and the form did not say. Nothing has moved."})
	}
	booked, err := a.Store.ApproveCorrection(c.UserContext(), by, found.ID, seen)
	if err != nil && !models.CorrectionNotBooked(err) {
		return a.bookingUnknown(found, err)
	}
	if err != nil {
		return a.decisionFailed(c, f, found, err)
	}
	return a.Done(c, things.CorrectionPath(booked.ID), correctionDone(booked))
}

// correctionDone says what was booked.
func correctionDone(c models.Correction) string {
	currency := " " + string(c.Currency)
	if c.Effect == 0 {
		return "It is rolled back. The balance of " + string(c.UserID) + " stays at " + c.After.Grouped() + currency + "."
	}
	return "It is booked: the balance of " + string(c.UserID) + " went from " + c.Before.Grouped() + " to " +
		c.After.Grouped() + currency + "."
}

// readSeen reads what the reader was shown.
func readSeen(f *web.Form) (seen models.CorrectionBasis, ok bool) {
	after, err := strconv.ParseInt(f.Text("after"), 10, 64)
	others, err2 := strconv.ParseInt(f.Text("others"), 10, 64)
	reversed, err3 := strconv.ParseInt(f.Text("reversed"), 10, 64)
	seen = models.CorrectionBasis{After: models.Amount(after), Others: others, Reversed: reversed,
		AnyBalance: f.Text("any_balance") == "yes"}
	return seen, err == nil && err2 == nil && err3 == nil
}

// decisionFailed says why a correction was not booked, or what somebody else has made of it.
func (a *Area) decisionFailed(c *fiber.Ctx, f *web.Form, found models.Correction, err error) error {
	var decided models.CorrectionDecidedError
	var changed models.CorrectionChangedError
	var declined models.CorrectionDeclinedError
	var tied models.TiedError
	switch {
	case errors.As(err, &tied):
		return a.showCorrection(c, f,
			&views.Note{Kind: "wait", Icon: "warning", Title: "Nothing was booked",
				Text: "You and the person who asked do not count as two people for now. The reason is on this page."})
	case errors.As(err, &decided):
		now, _, readErr := a.Store.Correction(c.UserContext(), found.ID)
		if readErr != nil {
			return readErr
		}
		page := a.Page(c, "Correction")
		return a.Flash(c, things.CorrectionPath(found.ID), views.Note{
			Kind: "wait", Icon: "info", Title: "It is decided already",
			Text: "This correction was " + things.DecidedBy(&page, now) + " at " + page.Time(now.DecidedAt).Clock() +
				". What you sent changed nothing.",
		})
	case errors.As(err, &changed):
		return a.showCorrection(c, f, changedNote(found, changed))
	case errors.As(err, &declined), errors.Is(err, models.ErrBelowZero):
		return a.showCorrection(c, f,
			&views.Note{Kind: "wait", Icon: "warning", Title: "Nothing was booked", Text: refusalWords(found, unwrapped(err))})
	case errors.Is(err, models.ErrOwnCorrection), errors.Is(err, models.ErrNotYourCorrection),
		errors.Is(err, models.ErrAdministersStaff), errors.Is(err, models.ErrSignerChanged):
		return signProblem(err, found.ID)
	}
	return err
}

// bookingUnknown is the page of a booking that ended without a definite answer.
func (a *Area) bookingUnknown(found models.Correction, err error) error {
	a.Log.Error("the outcome of a correction is not known", "correction", found.ID, "err", err)
	return web.Problem{
		Status: fiber.StatusServiceUnavailable, Title: "It is not known yet whether this was booked",
		Happened: "The database did not answer in time when the correction was to be booked.",
		Money:    "It is booked once or not at all, whatever you do next: a second approval of it moves nothing more.",
		Do:       "Open the correction in a minute: its state tells. If it still waits, approve it again.",
		Links: []views.Link{{Word: fmt.Sprintf("Correction %d", found.ID), Href: things.CorrectionPath(found.ID),
			Main: true}},
	}
}

// unwrapped is the refusal itself, without where it happened.
func unwrapped(err error) error {
	var declined models.CorrectionDeclinedError
	if errors.As(err, &declined) {
		return declined
	}
	return models.ErrBelowZero
}

// changedNote says how what a correction leads to has changed since it was shown.
func changedNote(c models.Correction, changed models.CorrectionChangedError) *views.Note {
	note := &views.Note{Kind: "wait", Icon: "warning", Title: "It has changed since you looked", Text: "Nothing was booked. "}
	switch currency := " " + string(c.Currency); {
	case changed.Seen.Others != changed.Now.Others:
		note.Text += "Another transaction has come into the round: look whether the correction is still right."
	case changed.Seen.Reversed != changed.Now.Reversed:
		note.Text += "Another transaction of the round was rolled back: look whether the correction is still right."
	default:
		note.Text += "It would have left " + changed.Seen.After.Grouped() + currency + ", and now leaves " +
			changed.Now.After.Grouped() + currency + ": " + string(c.UserID) + " plays on."
	}
	return note
}

type correctionDeedPage struct {
	web.Page
	Deed views.Deed
	Text views.Field
}

func (a *Area) RefuseCorrectionForm(c *fiber.Ctx) error {
	return a.showCorrectionEnd(c, web.NewForm(c), true)
}

func (a *Area) WithdrawCorrectionForm(c *fiber.Ctx) error {
	return a.showCorrectionEnd(c, web.NewForm(c), false)
}

// showCorrectionEnd is the page on which a correction is refused, or withdrawn by its maker.
func (a *Area) showCorrectionEnd(c *fiber.Ctx, f *web.Form, refuse bool) error {
	found, err := a.aCorrection(c)
	if err != nil {
		return err
	}
	id := strconv.FormatInt(found.ID, 10)
	title, noun, consequences := "Withdraw correction "+id, "/withdrawal",
		"It ends without effect, and nobody needs to decide it any more. It can be asked for again."
	trial := found
	end := trial.Withdraw
	if refuse {
		title, noun, consequences = "Refuse correction "+id, "/refusal",
			"It ends without effect. "+things.SignedBy(found.Maker)+" reads why, and can ask for another."
		end = trial.Refuse
	}
	if err := end(a.Signer(c), "", a.Now()); err != nil {
		return a.decisionFailed(c, f, found, err)
	}
	page := &correctionDeedPage{Page: a.Page(c, title)}
	page.Crumbs = []views.Crumb{
		{Word: "Corrections", Href: "/corrections"}, {Word: id, Href: things.CorrectionPath(found.ID)},
		{Word: strings.Fields(title)[0]},
	}
	page.Deed = views.Deed{
		Sentence: title + ": " + web.LowerFirst(things.CorrectionDeed(&page.Page, found)), Consequences: consequences,
		Action: things.CorrectionPath(found.ID) + noun, Button: title,
		Back: views.Link{Word: "Back", Href: things.CorrectionPath(found.ID)},
	}
	page.Text = f.Field(views.Field{Label: "Why", Name: "text", Required: true, Autocomplete: "off",
		Hint: "For your colleagues and the audit log."})
	if !f.Ok() {
		return a.Refused(c, "corrections/end", page)
	}
	return a.Render(c, "corrections/end", page)
}

func (a *Area) RefuseCorrection(c *fiber.Ctx) error { return a.endCorrection(c, true) }

func (a *Area) WithdrawCorrection(c *fiber.Ctx) error { return a.endCorrection(c, false) }

func (a *Area) endCorrection(c *fiber.Ctx, refuse bool) error {
	found, err := a.aCorrection(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	text := f.Text("text")
	if why := models.CheckCorrectionText(text); why != "" {
		f.Refuse("text", why)
		return a.Again(c, f, c.Path())
	}
	end, word := a.Store.WithdrawCorrection, "withdrawn"
	if refuse {
		end, word = a.Store.RefuseCorrection, "refused"
	}
	ended, err := end(c.UserContext(), a.Signer(c), found.ID, text)
	if err != nil {
		return a.decisionFailed(c, f, found, err)
	}
	return a.Done(c, things.CorrectionPath(ended.ID), "The correction is "+word+". Nothing has moved.")
}
