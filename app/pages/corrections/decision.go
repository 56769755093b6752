package corrections

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ApproveCorrection books a correction in the reader's name, provided that its effect is still what they saw.
func (a *Area) ApproveCorrection(c *fiber.Ctx, found models.Correction) error {
	by, f := a.Signer(c), web.NewForm(c)
	ties, err := a.Store.Ties(c.UserContext())
	if err != nil {
		return err
	}
	// a reader who may not decide is not asked for a password first
	if err := found.MayApprove(models.CorrectionRule, by, ties, a.Now()); err != nil {
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
		return a.showCorrection(c, f, new(views.Info("Check the correction first",
			"The form did not include the effect you saw, so it could not be compared. No money has moved.")))
	}
	booked, err := a.Store.ApproveCorrection(c.UserContext(), by, found.ID, seen)
	if err != nil && !models.CorrectionNotBooked(err) {
		return a.bookingUnknown(found, err)
	}
	if err != nil {
		return a.decisionFailed(c, f, found, err)
	}
	return a.Done(c, pages.CorrectionPath(booked.ID), correctionDone(booked))
}

// correctionDone says what was booked.
func correctionDone(c models.Correction) string {
	currency := " " + string(c.Currency)
	if c.Effect == 0 {
		return "Rolled back. The balance of " + string(c.UserID) + " stays at " + c.After.Grouped() + currency + "."
	}
	return "Booked. The balance of " + string(c.UserID) + " went from " + c.Before.Grouped() + " to " +
		c.After.Grouped() + currency + "."
}

// readSeen reads the effect that the reader saw.
func readSeen(f *web.Form) (seen models.CorrectionBasis, ok bool) {
	after, err := strconv.ParseInt(f.Text("after"), 10, 64)
	others, err2 := strconv.ParseInt(f.Text("others"), 10, 64)
	reversed, err3 := strconv.ParseInt(f.Text("reversed"), 10, 64)
	similar, err4 := strconv.ParseInt(f.Text("similar"), 10, 64)
	seen = models.CorrectionBasis{After: models.Amount(after), Others: others, Reversed: reversed, Similar: similar,
		AnyBalance: f.Text("any_balance") == "yes"}
	return seen, err == nil && err2 == nil && err3 == nil && err4 == nil
}

// decisionFailed shows why a correction was not booked, or what a colleague has decided.
func (a *Area) decisionFailed(c *fiber.Ctx, f *web.Form, found models.Correction, err error) error {
	var decided models.DecidedError
	var changed models.CorrectionChangedError
	var declined models.CorrectionDeclinedError
	var tied models.TiedError
	switch {
	case errors.As(err, &tied):
		return a.showCorrection(c, f, new(views.Warning("Nothing was booked",
			"For now, you and the person who requested it do not count as two people. This page says why.")))
	case errors.As(err, &decided):
		now, _, readErr := a.Store.Correction(c.UserContext(), found.ID)
		if readErr != nil {
			return readErr
		}
		page := a.Page(c, "")
		return a.Flash(c, pages.CorrectionPath(found.ID), views.Info("Already decided",
			"This correction was "+pages.DecidedBy(&page, now)+" at "+page.Time(now.DecidedAt).Clock()+
				". Your decision changed nothing."))
	case errors.As(err, &changed):
		return a.showCorrection(c, f, changedNote(found, changed))
	case errors.Is(err, models.ErrAnother):
		return a.showCorrection(c, f, new(views.Warning("Nothing was booked",
			"This may be booked already, and the request does not say why it is another one. Refuse it, or ask the person who "+
				"requested it to request it again with a reason.")))
	case errors.As(err, &declined), errors.Is(err, models.ErrBelowZero):
		return a.showCorrection(c, f, new(views.Warning("Nothing was booked", refusalWords(found, unwrapped(err)))))
	}
	return a.DecisionFailed(c, pages.CorrectionPath(found.ID), err)
}

// bookingUnknown returns the error page for a booking that ended without a definite answer.
func (a *Area) bookingUnknown(found models.Correction, err error) error {
	a.Log.Error("the outcome of a correction is not known", "correction", found.ID, "err", err)
	return web.Problem{Status: fiber.StatusServiceUnavailable, Is: "booking-unknown", About: found.ID}
}

// unwrapped returns the refusal itself, without the errors around it.
func unwrapped(err error) error {
	var declined models.CorrectionDeclinedError
	if errors.As(err, &declined) {
		return declined
	}
	return models.ErrBelowZero
}

// changedNote says how the effect of a correction has changed since it was shown.
func changedNote(c models.Correction, changed models.CorrectionChangedError) *views.Note {
	note := views.Warning("The effect changed after you opened the page", "Nothing was booked. ")
	switch currency := " " + string(c.Currency); {
	case changed.Seen.Others != changed.Now.Others:
		note.Text += "Another transaction has arrived in the round. Check whether the correction is still right."
	case changed.Seen.Similar != changed.Now.Similar:
		note.Text += "What may be the same money has changed. Check whether the correction is still right."
	case changed.Seen.Reversed != changed.Now.Reversed:
		note.Text += "Another transaction of the round was rolled back. Check whether the correction is still right."
	default:
		note.Text += "The balance would have become " + changed.Seen.After.Grouped() + currency + ". Now it would become " +
			changed.Now.After.Grouped() + currency + ", because " + string(c.UserID) + " is playing."
	}
	return &note
}

type endCorrectionPage struct {
	web.Page
	correctionWords
	Refuse bool // if false, its maker withdraws it
	Maker  string
	Path   string
	Text   views.Field
}

// RefuseCorrectionForm shows the page on which a correction is refused.
func (a *Area) RefuseCorrectionForm(c *fiber.Ctx) error {
	return a.showCorrectionEnd(c, web.NewForm(c), true)
}

// WithdrawCorrectionForm shows the page on which a maker withdraws a correction.
func (a *Area) WithdrawCorrectionForm(c *fiber.Ctx) error {
	return a.showCorrectionEnd(c, web.NewForm(c), false)
}

// showCorrectionEnd shows the page on which a correction is refused, or withdrawn by its maker.
func (a *Area) showCorrectionEnd(c *fiber.Ctx, f *web.Form, refuse bool) error {
	found, err := a.LoadCorrection(c)
	if err != nil {
		return err
	}
	may := found.MayWithdraw(a.Signer(c))
	if refuse {
		may = found.MayRefuse(models.CorrectionRule, a.Signer(c), a.Now())
	}
	if err := may; err != nil {
		return a.decisionFailed(c, f, found, err)
	}
	page := &endCorrectionPage{Page: a.Page(c, ""), Refuse: refuse, Maker: pages.SignedBy(found.Maker),
		Path: pages.CorrectionPath(found.ID)}
	page.correctionWords = wordsOf(&page.Page, found)
	page.Text = f.Field(views.Field{Name: "text", Required: true, Autocomplete: "off"})
	return a.RenderForm(c, !f.Ok(), "corrections/refuse", page)
}

// RefuseCorrection refuses a correction.
func (a *Area) RefuseCorrection(c *fiber.Ctx) error { return a.endCorrection(c, true) }

// WithdrawCorrection withdraws one of the reader's own corrections.
func (a *Area) WithdrawCorrection(c *fiber.Ctx) error { return a.endCorrection(c, false) }

func (a *Area) endCorrection(c *fiber.Ctx, refuse bool) error {
	found, err := a.LoadCorrection(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	text := f.Text("text")
	if err := models.CheckDecisionText(text); err != nil {
		f.Refuse("text", err.Error())
		return a.ShowAgain(c, f, c.Path())
	}
	end, word := a.Store.WithdrawCorrection, "withdrawn"
	if refuse {
		end, word = a.Store.RefuseCorrection, "refused"
	}
	ended, err := end(c.UserContext(), a.Signer(c), found.ID, text)
	if err != nil {
		return a.decisionFailed(c, f, found, err)
	}
	return a.Done(c, pages.CorrectionPath(ended.ID), "The correction is "+word+". No money has moved.")
}
