package corrections

import (
	"context"
	"regexp"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// correctionButton names the deed of whoever books it.
func correctionButton(c models.Correction) string {
	user, effect := string(c.UserID), c.Effect
	if effect < 0 {
		effect = -effect
	}
	moved := effect.Grouped() + "\u00a0" + string(c.Currency)
	switch {
	case c.Kind == models.CorrectRollback && c.Effect == 0:
		return "Roll it back for " + user
	case c.Kind == models.CorrectRollback && c.Effect > 0:
		return "Give " + moved + " back to " + user
	case c.Kind == models.CorrectRollback:
		return "Take " + moved + " back from " + user
	case c.Kind == models.CorrectWin:
		return "Pay " + user + " " + moved
	case c.Kind == models.CorrectCredit:
		return "Credit " + moved + " to " + user
	}
	return "Debit " + moved + " from " + user
}

// correctionConsequences says what follows, and what becomes of the platform's own call where it comes late.
func correctionConsequences(c models.Correction) string {
	switch {
	case c.Kind == models.CorrectRollback && c.Original != nil && c.Original.FreeSpin:
		return "Moves no money: the spin was free. If the platform still sends its own rollback, it is answered 9, already " +
			"rolled back, and changes nothing."
	case c.Kind == models.CorrectRollback && c.Effect < 0:
		return "Takes back what was paid. If the platform still sends its own rollback, it is answered 9, already rolled " +
			"back, and moves nothing."
	case c.Kind == models.CorrectRollback:
		return "Gives back what was taken. If the platform still sends its own rollback, it is answered 9, already rolled " +
			"back, and moves nothing."
	case c.Kind == models.CorrectWin:
		return "Pays it under the platform’s own transaction ID. If the platform still sends the win, it is answered 11, " +
			"duplicate transaction, and moves nothing."
	}
	return "An adjustment: no transaction of the platform’s explains it, and it counts neither as turnover nor as payout."
}

// correctionChange is a row of before and after.
type correctionChange struct {
	What, Href    string
	ID            *views.ID
	Before, After string
}

// openCorrection is the correction beside the inbox.
type openCorrection struct {
	models.Correction
	Badge              views.Badge
	Deed, Consequences string
	Changes            []correctionChange
	Checks             []views.Check
	CheckedAt          string
	Note               *views.Note
	People             []things.Person
	AskedAt, DecidedAt views.Moment
	Path               string
	Decidable          bool             // the reader may refuse it, and approve it unless they are tied to its maker
	Tied               *things.TiedNote // why the reader cannot approve it
	Bookable           bool             // it can be booked as things stand
	Approvable         bool
	Withdrawable       bool
	Button             string
	Seen               models.CorrectionBasis
	OfferAnyBalance    bool
	Password           *views.Field
	Lines              []correctionChange // what it has led to
}

// aCorrection reads the correction that the address names.
func (a *Area) aCorrection(c *fiber.Ctx) (models.Correction, error) {
	id, err := web.Number(c, "id")
	if err != nil {
		return models.Correction{}, web.NotFound("correction")
	}
	found, there, err := a.Store.Correction(c.UserContext(), id)
	if err == nil && !there {
		err = web.NotFound("correction")
	}
	return found, err
}

func (a *Area) Detail(c *fiber.Ctx) error { return a.showCorrection(c, web.NewForm(c), nil) }

// showCorrection shows one correction beside the inbox. note says what has just come between; nil for nothing.
func (a *Area) showCorrection(c *fiber.Ctx, f *web.Form, note *views.Note) error {
	found, err := a.aCorrection(c)
	if err != nil {
		return err
	}
	page, _, err := a.inboxPage(c, found.ID)
	if err != nil {
		return err
	}
	page.Title = "Correction " + strconv.FormatInt(found.ID, 10)
	if err := a.openCorrection(c, page, f, found, note); err != nil {
		return err
	}
	if !f.Ok() || note != nil {
		return a.Refused(c, "corrections/inbox", page)
	}
	return a.Render(c, "corrections/inbox", page)
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
			item.Current = item.Href == things.CorrectionPath(id)
		}
	}
	page.queue()
	o := &openCorrection{
		Correction: found, Badge: things.CorrectionState(&page.Page, found), Deed: things.CorrectionDeed(&page.Page, found),
		Consequences: correctionConsequences(found),
		AskedAt:      page.Time(found.At), Path: things.CorrectionPath(id), Button: correctionButton(found), Note: note,
	}
	page.Open = o
	if found.State != models.CorrectionAsked {
		o.DecidedAt = page.Time(found.DecidedAt)
		if err := a.tellDecided(page); err != nil {
			return err
		}
		return a.addCase(ctx, &o.Changes, found)
	}
	ask := page.Can(web.AskCorrections)
	check := page.Can(web.CheckCorrections)
	if check {
		names, err := a.correctionDeciders(ctx, found)
		if err != nil {
			return err
		}
		page.Assign = things.NewAssignment(&page.Page, things.CorrectionPath(id)+"/assignee", found.Assignee, names)
		page.Keys = append(page.Keys, web.QueueKey{Key: "a", Word: "Assign the correction: goes to the choice"})
	}
	own := found.Maker.StaffID == page.Reader.ID
	o.Decidable, o.Withdrawable = check && !own, ask && own
	outlook, err := a.Store.Outlook(ctx, found)
	if err != nil {
		return err
	}
	o.Seen, o.Bookable, o.CheckedAt = outlook.CorrectionBasis, outlook.Refusal == nil, page.Time(page.Now).Clock()
	o.OfferAnyBalance = note != nil && o.Bookable
	if o.Changes, err = a.correctionChanges(ctx, &page.Page, found, outlook); err != nil {
		return err
	}
	if err := a.addCase(ctx, &o.Changes, found); err != nil {
		return err
	}
	if o.Checks, err = a.correctionChecks(ctx, &page.Page, found, outlook); err != nil {
		return err
	}
	o.People = []things.Person{things.Maker(&page.Page, found),
		{Role: "Checker", Who: "Nobody yet", Lines: []string{"Somebody else of the role finance decides."}}}
	if o.Decidable {
		ties, err := a.Store.Ties(ctx)
		if err != nil {
			return err
		}
		if o.Tied, err = a.TiedNote(ctx, &page.Page, ties.Between(found.Maker.StaffID, page.Reader.ID), found.Maker.StaffID,
			models.Finance); err != nil {
			return err
		}
		o.Approvable = o.Bookable && o.Tied == nil
	}
	switch {
	case o.Tied != nil:
		o.People[1].Lines = []string{"You may refuse it, but not approve it: see above."}
	case o.Decidable:
		o.People[1] = things.Person{Role: "Checker", Who: "You, " + page.Reader.Name + ", " + string(page.Reader.Role),
			Lines: []string{"You did not ask for it, so you may decide it."}}
	case own:
		o.People[1].Lines = []string{"You asked for it yourself: somebody else decides."}
	}
	if o.Approvable {
		o.Password, err = a.ConfirmField(c, f)
	}
	return err
}

// tellDecided shows a correction that is over: what it did, and who decided.
func (a *Area) tellDecided(page *correctionsPage) error {
	o := page.Open
	currency := "\u00a0" + string(o.Currency)
	decider := things.Person{Role: "Checker", Who: things.SignedBy(o.Checker) + ", " + string(o.Checker.Role),
		Quote: o.DecisionText}
	if o.Checker.StaffID == page.Reader.ID {
		decider.Who = "You, " + decider.Who
	}
	switch o.State {
	case models.CorrectionApproved:
		ledger := things.PlayerPath(o.PlayerID)
		line := "Ledger line " + strconv.FormatInt(o.Seq, 10)
		if o.Spin {
			ledger, line = ledger+"/free-spins", "Free-spin ledger line "+strconv.FormatInt(o.Seq, 10)
		} else {
			ledger = things.LedgerPath(models.Entry{PlayerID: o.PlayerID, Seq: o.Seq})
		}
		o.Changes = []correctionChange{
			{What: "Balance of " + string(o.UserID), Href: things.PlayerPath(o.PlayerID), Before: o.Before.Grouped() + currency,
				After: o.After.Grouped() + currency},
		}
		if o.Original != nil {
			o.Changes = append(o.Changes, originalChange(o.Correction, "Applied", "Rolled back"))
		}
		o.Changes = append(o.Changes, correctionChange{What: line, Href: ledger, Before: "", After: "written"})
		decider.Lines = []string{"Approved at " + o.DecidedAt.Brief() + "."}
		if o.Alone {
			decider = things.Person{Role: "Checker", Who: "Nobody",
				Lines: []string{"Booked alone at " + o.DecidedAt.Brief() +
					", within what the maker’s role may move without a checker."}}
		}
	case models.CorrectionRefused:
		o.Consequences = "It was refused, and moved nothing."
		decider.Lines = []string{"Refused at " + o.DecidedAt.Brief() + "."}
	default:
		o.Consequences = "It was withdrawn, and moved nothing."
		decider = things.Person{Role: "Checker", Who: "Nobody", Quote: o.DecisionText,
			Lines: []string{"Withdrawn by its maker at " + o.DecidedAt.Brief() + "."}}
	}
	o.People = []things.Person{things.Maker(&page.Page, o.Correction), decider}
	return nil
}

func originalChange(c models.Correction, before, after string) correctionChange {
	return correctionChange{
		What: web.FirstUpper(things.OriginalWord(c)), Href: things.TransactionPath(c.Original.ID),
		ID: &views.ID{Text: string(c.TransactionID), Kind: "transaction ID", Short: true}, Before: before, After: after,
	}
}

// correctionChanges are the rows of before and after as things stand now.
func (a *Area) correctionChanges(ctx context.Context, p *web.Page, c models.Correction,
	o models.CorrectionOutlook) ([]correctionChange, error) {
	currency := "\u00a0" + string(c.Currency)
	changes := []correctionChange{
		{What: "Balance of " + string(c.UserID), Href: things.PlayerPath(c.PlayerID), Before: o.Before.Grouped() + currency,
			After: o.After.Grouped() + currency},
	}
	if c.Kind.Adjusts() {
		return changes, nil
	}
	before := "Not here"
	if o.Prior != nil {
		before = things.TransactionState(*o.Prior).Word
	}
	after := map[models.CorrectionKind]string{models.CorrectRollback: "Rolled back", models.CorrectWin: "Applied"}[c.Kind]
	if o.Refusal != nil {
		after = before
	}
	if c.Original != nil {
		changes = append(changes, originalChange(c, before, after))
	} else {
		changes = append(changes,
			correctionChange{What: "Win", ID: &views.ID{Text: string(c.TransactionID), Kind: "transaction ID", Short: true},
				Before: before, After: after})
	}
	round, found, err := a.Store.Round(ctx, c.PlayerID, c.RoundID)
	if err != nil {
		return nil, err
	}
	row := correctionChange{What: "Round", ID: &views.ID{Text: string(c.RoundID), Kind: "round ID", Short: true},
		Before: "Not here"}
	if found {
		row.Href = things.RoundPath(round.ID)
		row.Before = roundWas(p, round)
	}
	row.After = row.Before
	if o.Refusal == nil {
		corrected := corrected(round, c)
		row.After = web.FirstUpper(corrected.State().String()) + ", net\u00a0" + corrected.Net().Grouped()
	}
	return append(changes, row), nil
}

// caseReference is how the form that a case leads to names it as the reference.
var caseReference = regexp.MustCompile(`^case ([1-9][0-9]{0,17})$`)

// addCase adds the case that a correction names as its reference. No correction closes a case: whoever works on it says how it
// ended.
func (a *Area) addCase(ctx context.Context, changes *[]correctionChange, c models.Correction) error {
	named := caseReference.FindStringSubmatch(c.Reference)
	if named == nil {
		return nil
	}
	id, err := strconv.ParseInt(named[1], 10, 64)
	if err != nil {
		return err
	}
	found, _, there, err := a.Store.Case(ctx, id)
	if err != nil || !there {
		return err
	}
	row := correctionChange{What: web.FirstUpper(c.Reference), Href: things.CasePath(id),
		Before: web.FirstUpper(found.State.String()),
		After:  web.FirstUpper(found.State.String())}
	if c.State == models.CorrectionApproved {
		if row.Before = ""; found.State == models.CaseOpen {
			row.After = "Open, to be closed"
		}
	}
	*changes = append(*changes, row)
	return nil
}

func roundWas(p *web.Page, r models.Round) string {
	if r.State().Undecided() {
		return web.FirstUpper(r.State().String()) + ", " + web.Age(p.Now.Sub(r.At))
	}
	return web.FirstUpper(r.State().String()) + ", net\u00a0" + r.Net().Grouped()
}

// corrected is the round as it will be.
func corrected(r models.Round, c models.Correction) models.Round {
	if c.Kind == models.CorrectWin {
		r.Wins, r.Won = r.Wins+1, r.Won.Add(c.Amount)
		return r
	}
	t := c.Original
	r.Reversed++
	if t.Kind == models.Bet || t.Kind == models.BetWin {
		if t.FreeSpin {
			r.Spins, r.SpinStake = r.Spins-1, r.SpinStake.Add(-t.Bet)
		} else {
			r.Bets, r.Staked = r.Bets-1, r.Staked.Add(-t.Bet)
		}
	}
	if t.Kind == models.Win || t.Kind == models.BetWin {
		r.Wins, r.Won = r.Wins-1, r.Won.Add(-t.Win)
	}
	return r
}
