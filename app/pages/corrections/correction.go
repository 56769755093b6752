package corrections

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// correctionWords is a correction with the values that sentences about it need.
type correctionWords struct {
	models.Correction
	Sentence string        // says everything that the correction does
	Moved    models.Amount // the effect without its sign
}

func wordsOf(p *web.Page, c models.Correction) correctionWords {
	return correctionWords{c, pages.CorrectionSentence(p, c), max(c.Effect, -c.Effect)}
}

// correctionEffect is what a correction would change, or has changed.
type correctionEffect struct {
	Correction    models.Correction
	Before, After models.Amount
	Original      string        // the kind of the transaction, such as "Bet"; empty for an adjustment
	Was, Becomes  string        // its state before and after; empty for an adjustment
	Round         *models.Round // before; nil if there is none, or if the correction is decided
	RoundAge      string        // the age of a round whose result is not known yet
	RoundAfter    *models.Round // nil if nothing changes
	RoundUnknown  bool          // the correction names a round that is not here
	Case          *models.Case  // the case that the correction names as its reference; nil if none
	Line          string        // the address of its line in a ledger; empty before it is booked
}

// openCorrection is the correction shown beside the inbox.
type openCorrection struct {
	correctionWords
	Badge                  views.Badge
	Changes                *correctionEffect
	Checks                 *correctionChecks
	Note                   *views.Note
	Reason                 string
	Own, Mine              bool // the reader requested it; the reader decided it
	RequestedAt, DecidedAt views.Moment
	Path                   string
	Decision               pages.Decision
	Approvable             bool // the reader may approve it, and it can be booked as things stand
	Seen                   models.CorrectionBasis
	OfferAnyBalance        bool
}

// LoadCorrection reads the correction that the address names.
func (a *Area) LoadCorrection(c *fiber.Ctx) (models.Correction, error) {
	return web.Find(c, "correction", a.Store.Correction)
}

// Detail shows one correction beside the inbox.
func (a *Area) Detail(c *fiber.Ctx) error { return a.showCorrection(c, web.NewForm(c), nil) }

// showCorrection shows one correction beside the inbox. note says what has happened in the meantime, or is nil.
func (a *Area) showCorrection(c *fiber.Ctx, f *web.Form, note *views.Note) error {
	found, err := a.LoadCorrection(c)
	if err != nil {
		return err
	}
	page, _, err := a.inboxPage(c, found.ID)
	if err != nil {
		return err
	}
	if err := a.openCorrection(c, page, f, found, note); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok() || note != nil, "corrections/correction", page)
}

func (a *Area) openCorrection(c *fiber.Ctx, page *correctionsPage, f *web.Form, found models.Correction,
	note *views.Note) error {
	ctx, id := c.UserContext(), found.ID
	if err := a.Viewed(c, "correction", id); err != nil {
		return err
	}
	for i := range page.Groups {
		for j := range page.Groups[i].Items {
			item := &page.Groups[i].Items[j]
			item.Current = item.Href == pages.CorrectionPath(id)
		}
	}
	page.queue()
	o := &openCorrection{correctionWords: wordsOf(&page.Page, found), Badge: pages.CorrectionState(&page.Page, found),
		RequestedAt: page.Time(found.At), DecidedAt: page.Time(found.DecidedAt), Path: pages.CorrectionPath(id), Note: note,
		Reason: pages.ReasonWord(found.Reason), Own: found.Maker.StaffID == page.Reader.ID,
		Mine: found.Checker.StaffID == page.Reader.ID}
	page.Open = o
	if found.State != models.ApprovalWaiting {
		if found.State != models.ApprovalApproved {
			return nil
		}
		o.Changes = &correctionEffect{Correction: found, Before: found.Before, After: found.After, Line: ledgerLine(found)}
		if found.Original != nil {
			o.Changes.Original = web.FirstUpper(pages.OriginalWord(found))
			o.Changes.Was, o.Changes.Becomes = applied, rolledBack
		}
		return a.addCase(ctx, o.Changes)
	}
	if page.Can(web.CheckCorrections) {
		names, err := a.correctionDeciders(ctx, found)
		if err != nil {
			return err
		}
		page.Assign = pages.NewAssignment(&page.Page, f, pages.CorrectionPath(id)+"/assignee", found.Assignee, names)
		page.Keys = append(page.Keys, web.QueueKey{Key: "a", Word: "Assign the correction: moves to the choice"})
	}
	o.Decision.Approval = found.Approval
	if err := a.Decide(c, &page.Page, f, &o.Decision, models.CorrectionRule); err != nil {
		return err
	}
	outlook, err := a.Store.Outlook(ctx, found)
	if err != nil {
		return err
	}
	o.Seen, o.Approvable = outlook.CorrectionBasis, outlook.Refusal == nil && outlook.Again.Told(found.Another) == nil &&
		o.Decision.Approvable
	o.OfferAnyBalance = note != nil && o.Approvable
	if o.Changes, err = a.correctionEffect(ctx, &page.Page, found, outlook); err != nil {
		return err
	}
	checks, err := a.check(ctx, &page.Page, found, outlook)
	if err != nil {
		return err
	}
	o.Checks = &checks
	return nil
}

// ledgerLine returns the address of the ledger line that a correction has written.
func ledgerLine(c models.Correction) string {
	if c.Spin {
		return pages.PlayerPath(c.PlayerID) + "/free-spins"
	}
	return pages.LedgerPath(models.Entry{PlayerID: c.PlayerID, Seq: c.Seq})
}

// The states of the transaction that a correction is about.
const (
	notHere    = "Not here"
	applied    = "Applied"
	rolledBack = "Rolled back"
)

// correctionEffect returns what a correction would change as things stand now.
func (a *Area) correctionEffect(ctx context.Context, p *web.Page, c models.Correction,
	o models.CorrectionOutlook) (*correctionEffect, error) {
	e := &correctionEffect{Correction: c, Before: o.Before, After: o.After}
	if c.Kind.Adjusts() {
		return e, a.addCase(ctx, e)
	}
	e.Was, e.Becomes, e.Original = notHere, applied, "Win"
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
		if round.State().Undecided() {
			e.RoundAge = web.Age(p.Now.Sub(round.At))
		}
	}
	if o.Refusal == nil {
		after := corrected(round, c)
		e.RoundAfter = &after
	}
	return e, a.addCase(ctx, e)
}

// addCase adds the case that a correction names as its reference. A correction never closes its case; a person does.
func (a *Area) addCase(ctx context.Context, e *correctionEffect) error {
	id := models.CaseOf(e.Correction.Reference)
	if id == 0 {
		return nil
	}
	found, _, there, err := a.Store.Case(ctx, id)
	if there {
		e.Case = &found
	}
	return err
}

// corrected returns the round as it will be once the correction is booked. What a purge has archived is not in the round.
func corrected(r models.Round, c models.Correction) models.Round {
	if c.Kind == models.CorrectWin {
		r.Wins, r.Won = r.Wins+1, r.Won.Add(c.Amount)
		return r
	}
	t := c.Original
	r.Reversed++
	if t == nil {
		return r
	}
	if t.Kind == models.Bet || t.Kind == models.BetWin {
		if t.FreeSpin {
			r.Spins, r.SpinStake = r.Spins-1, r.SpinStake.Add(-t.Bet)
		} else {
			r.Bets, r.Staked = r.Bets-1, r.Staked.Add(-t.Bet)
		}
	}
	if t.Kind == models.Win || t.Kind == models.BetWin {
		if t.Win > 0 {
			r.Wins, r.Won = r.Wins-1, r.Won.Add(-t.Win)
		} else {
			r.Losses--
		}
	}
	return r
}
