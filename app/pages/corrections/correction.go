package corrections

import (
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// correctionEffect is the change that a correction would make or has made.
type correctionEffect struct {
	Correction    models.Correction
	Before, After models.Amount
	Original      string        // the transaction's kind, such as "Bet"; empty for an adjustment
	Was, Becomes  string        // the transaction's state before and after; empty for an adjustment
	Round         *models.Round // the round as it is now; nil if it is not here or the correction was decided
	RoundUnknown  bool          // the correction names a round that is not here
	Case          *models.Case  // the case that the correction refers to; nil if there is none
	Closes        bool          // approving the correction would close that case
	Line          string        // the address of its ledger line; empty until it is booked
}

type correctionPage struct {
	web.Page
	pages.Decision
	Open   openCorrection
	Assign *pages.Assignment
	Queue  pages.Queue // of the waiting corrections
}

// openCorrection is the correction that a page shows.
type openCorrection struct {
	models.Correction
	Words   pages.CorrectionWords
	Changes *correctionEffect
	Checks  *correctionChecks // nil once it is decided
	Reason  string
	Own     bool // the reader requested it
	Basis   models.CorrectionBasis
}

// Load reads the correction whose number is in the address.
func (a *Area) Load(c *fiber.Ctx) (models.Correction, error) {
	return web.Find(c, "correction", a.Store.Correction)
}

// show shows a correction with everything that the reader needs to decide it.
func (a *Area) show(c *fiber.Ctx, f *web.Form, asked models.Requested) (err error) {
	found := *asked.(*models.Correction)
	ctx, id := c.UserContext(), found.ID
	if err := a.Viewed(c, "correction", id, found.PlayerID); err != nil {
		return err
	}
	page := &correctionPage{Page: a.Page(c, "")}
	page.Badges = []views.Badge{stateOf(&page.Page, found)}
	page.Open = openCorrection{Correction: found, Words: pages.WordsOf(&page.Page, found), Reason: reasonWord(found.Reason),
		Own: found.Maker.StaffID == page.Reader.ID}
	page.Decision, err = a.NewDecision(c, &page.Page, f, pages.CorrectionPath(id), "Correction "+strconv.FormatInt(id, 10), asked)
	if err != nil {
		return err
	}
	page.Decision.Moment = page.Time(found.At)
	page.Queue, err = pages.NewQueue(&page.Page, "correction", found.Place(), func(at models.Cursor) (models.Page[models.Correction], error) {
		return a.Store.Corrections(ctx, models.CorrectionFilter{State: models.ApprovalWaiting, Span: models.Span{Limit: 1, Page: at}})
	}, func(k models.Correction) string { return pages.CorrectionPath(k.ID) })
	if err != nil {
		return err
	}
	if found.State == models.ApprovalWaiting {
		err = a.waiting(c, page, f, found)
	} else {
		err = a.decided(ctx, page, found)
	}
	if err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "corrections/correction", page)
}

// decided fills in the effect that a booked correction had.
func (a *Area) decided(ctx context.Context, page *correctionPage, found models.Correction) error {
	if found.State != models.ApprovalApproved {
		return nil
	}
	e := &correctionEffect{Correction: found, Before: found.Before, After: found.After, Line: ledgerLine(found)}
	if found.Original != nil {
		e.Original, e.Was, e.Becomes = web.FirstUpper(pages.OriginalWord(found)), applied, rolledBack
	}
	page.Open.Changes = e
	return a.addCase(ctx, e)
}

// waiting fills in the effect that a correction would have, and the reader's actions.
func (a *Area) waiting(c *fiber.Ctx, page *correctionPage, f *web.Form, found models.Correction) error {
	ctx, o := c.UserContext(), &page.Open
	if page.Can(web.CheckCorrections) {
		names, err := a.correctionDeciders(ctx, found)
		if err != nil {
			return err
		}
		page.Assign = pages.NewAssignment(&page.Page, f, page.Decision.Path+"/assignee", found.Assignee, names)
		page.Keys = append(page.Keys, web.QueueKey{Key: "a", Word: "Assign the correction: moves to the choice"})
	}
	outlook, err := a.Store.Outlook(ctx, found)
	if err != nil {
		return err
	}
	o.Basis = outlook.CorrectionBasis
	page.Approvable = page.Decidable && outlook.Refusal == nil && outlook.Again.Told(found.Another) == nil
	if o.Changes, err = a.correctionEffect(ctx, found, outlook); err != nil {
		return err
	}
	checks, err := a.check(ctx, &page.Page, found, outlook)
	o.Checks = &checks
	return err
}

// ledgerLine returns the address of the ledger line that a correction wrote.
func ledgerLine(c models.Correction) string {
	if c.Spin {
		return pages.PlayerPath(c.PlayerID) + "/free-spins"
	}
	return pages.LedgerPath(models.Entry{PlayerID: c.PlayerID, Seq: c.Seq})
}

// The states of a correction's transaction.
const (
	notHere    = "Not here"
	applied    = "Applied"
	rolledBack = "Rolled back"
)

// correctionEffect returns the change that a correction would make now.
func (a *Area) correctionEffect(ctx context.Context, c models.Correction,
	o models.CorrectionOutlook) (*correctionEffect, error) {
	e := &correctionEffect{Correction: c, Before: o.Before, After: o.After}
	if c.Kind.Adjusts() {
		return e, a.addCase(ctx, e)
	}
	e.Was, e.Becomes, e.Original = notHere, applied, web.FirstUpper(c.Operation().Kind.String())
	if o.Prior != nil {
		e.Was = pages.TransactionState(*o.Prior).Word
	}
	if c.Kind == models.CorrectRollback {
		e.Becomes = rolledBack
	}
	if o.Refusal != nil {
		e.Becomes = e.Was
	}
	if c.Original != nil {
		e.Original = web.FirstUpper(pages.OriginalWord(c))
	}
	round, found, err := a.Store.Round(ctx, c.PlayerID, c.RoundID)
	if err != nil {
		return nil, err
	}
	if e.RoundUnknown = !found; found {
		e.Round = &round
	}
	return e, a.addCase(ctx, e)
}

// addCase adds the case that a correction refers to.
func (a *Area) addCase(ctx context.Context, e *correctionEffect) error {
	id := models.CaseOf(e.Correction.Reference)
	if id == 0 {
		return nil
	}
	found, _, there, err := a.Store.Case(ctx, id)
	if there {
		e.Case, e.Closes = &found, found.SettledBy(e.Correction) && e.Line == ""
	}
	return err
}
