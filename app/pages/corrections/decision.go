package corrections

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// Approve books a correction in the reader's name, provided that its effect is still what they saw.
func (a *Area) Approve(c *fiber.Ctx, found models.Correction) error {
	return a.decide(c, found, func(by models.Signer, f *web.Form) (string, error) {
		booked, err := a.Store.ApproveCorrection(c.UserContext(), by, found.ID, readSeen(f))
		if err != nil {
			return "", a.notBooked(found, err)
		}
		return correctionDone(booked), nil
	})
}

// Refuse refuses a correction.
func (a *Area) Refuse(c *fiber.Ctx, found models.Correction) error {
	return a.decide(c, found, func(by models.Signer, f *web.Form) (string, error) {
		_, err := a.Store.RefuseCorrection(c.UserContext(), by, found.ID, f.Text("why"))
		return "The correction is refused. No money has moved.", err
	})
}

// Withdraw withdraws one of the reader's own corrections.
func (a *Area) Withdraw(c *fiber.Ctx, found models.Correction) error {
	return a.decide(c, found, func(by models.Signer, _ *web.Form) (string, error) {
		_, err := a.Store.WithdrawCorrection(c.UserContext(), by, found.ID, "")
		return "The correction is withdrawn. No money has moved.", err
	})
}

func (a *Area) decide(c *fiber.Ctx, found models.Correction, decide func(models.Signer, *web.Form) (string, error)) error {
	return a.MakeDecision(c, pages.Deciding{State: found.State, Path: pages.CorrectionPath(found.ID),
		Show: func(f *web.Form) error { return a.show(c, f, found) }}, decide)
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

// readSeen reads the effect that the reader saw. What a form without it says agrees with nothing.
func readSeen(f *web.Form) models.CorrectionBasis {
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

// notBooked returns why a correction was not booked, as an ApprovalError, or the error page if it is not known whether it was.
func (a *Area) notBooked(found models.Correction, err error) error {
	var tampered models.TamperedError
	switch {
	case errors.As(err, &tampered):
		return err
	case !models.CorrectionNotBooked(err):
		a.Log.Error("the outcome of a correction is not known", "correction", found.ID, "err", err)
		return web.Problem{Status: fiber.StatusServiceUnavailable, Is: "booking-unknown", About: found.ID}
	case errors.As(err, new(models.CorrectionDeclinedError)), errors.Is(err, models.ErrBelowZero):
		return models.ApprovalError{Why: errors.New(refusalWords(found, unwrapped(err)))}
	}
	return models.ApprovalError{Why: err}
}

// unwrapped returns the refusal itself, without the errors around it.
func unwrapped(err error) error {
	var declined models.CorrectionDeclinedError
	if errors.As(err, &declined) {
		return declined
	}
	return models.ErrBelowZero
}
