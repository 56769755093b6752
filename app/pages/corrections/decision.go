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

// Requests is the kind of request for corrections.
func (a *Area) Requests() pages.RequestKind {
	return pages.RequestKind{Name: "correction", Word: "Correction", Path: "/corrections", List: "/corrections",
		Waits: views.Todo{One: "Correction to decide", Many: "Corrections to decide", Note: "requested by colleagues"},
		Reads: web.ReadCorrections, Decides: web.CheckCorrections, Withdraws: web.RequestCorrections, Show: a.show,
		Basis: readBasis, Done: correctionDone, Fails: a.notBooked, Said: map[models.ApprovalState]string{
			models.ApprovalRefused:   "The correction is refused. No money has moved.",
			models.ApprovalWithdrawn: "The correction is withdrawn. No money has moved."}}
}

// correctionDone says what an approval booked.
func correctionDone(_ *fiber.Ctx, asked models.Requested) (string, error) {
	c := asked.(*models.Correction)
	currency := " " + string(c.Currency)
	if c.Effect == 0 {
		return "Rolled back. The balance of " + string(c.UserID) + " stays at " + c.After.Grouped() + currency + ".", nil
	}
	return "Booked. The balance of " + string(c.UserID) + " went from " + c.Before.Grouped() + " to " +
		c.After.Grouped() + currency + ".", nil
}

// readBasis reads the effect that the reader saw. A form without one matches no effect.
func readBasis(f *web.Form) models.CorrectionBasis {
	number := func(name string) int64 {
		n, err := strconv.ParseInt(f.Text(name), 10, 64)
		if err != nil {
			return -1
		}
		return n
	}
	return models.CorrectionBasis{After: models.Amount(number("after")), Others: number("others"), Reversed: number("reversed"),
		Similar: number("similar"), AnyBalance: f.Text("any_balance") == "yes"}
}

// notBooked returns why a correction was not booked, as an ApprovalError. If the outcome is unknown, it returns the error page.
func (a *Area) notBooked(asked models.Requested, err error) error {
	found := *asked.(*models.Correction)
	var tampered models.TamperedError
	switch {
	case errors.As(err, &tampered):
		return err
	case !models.CorrectionNotBooked(err):
		a.Log.Error("The outcome of booking a correction is unknown.", "correction", found.ID, "err", err)
		return web.BookingUnknown(found.ID)
	case errors.As(err, new(models.CorrectionDeclinedError)), errors.Is(err, models.ErrBelowZero):
		return models.ApprovalError{Why: errors.New(refusalWords(found, unwrapped(err)))}
	}
	return models.ApprovalError{Why: err}
}

// unwrapped returns the innermost refusal, without the errors that wrap it.
func unwrapped(err error) error {
	var declined models.CorrectionDeclinedError
	if errors.As(err, &declined) {
		return declined
	}
	return models.ErrBelowZero
}
