package app

import (
	"context"
	"regexp"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// One correction: its words, what it leads to, and what was looked at just now.

// amountOf is a correction's amount with its currency.
func amountOf(c models.Correction) string { return c.Amount.Grouped() + "\u00a0" + string(c.Currency) }

// originalWord is what a rollback takes back, in a sentence.
func originalWord(c models.Correction) string {
	switch {
	case c.Original == nil:
		return "transaction"
	case c.Original.FreeSpin:
		return "free-spin bet"
	case c.Original.Kind == models.BetWin:
		return "bet with its win"
	}
	return c.Original.Kind.String()
}

// correctionTitle is what a correction does, in a list.
func correctionTitle(c models.Correction) string {
	switch c.Kind {
	case models.CorrectRollback:
		return "Roll back a " + originalWord(c) + ", " + amountOf(c)
	case models.CorrectWin:
		return "Book a win, " + amountOf(c)
	case models.CorrectCredit:
		return "Credit " + amountOf(c)
	}
	return "Debit " + amountOf(c)
}

// correctionDeed is what a correction does, in one sentence.
func (p *Page) correctionDeed(c models.Correction) string {
	user := string(c.UserID)
	switch c.Kind {
	case models.CorrectRollback:
		from := ""
		if c.Original != nil {
			from = " from " + p.Time(c.Original.At).Brief()
		}
		return "Roll back " + user + "’s " + originalWord(c) + " of " + amountOf(c) + from + "."
	case models.CorrectWin:
		return "Book " + user + "’s missing win of " + amountOf(c) + "."
	case models.CorrectCredit:
		return "Credit " + amountOf(c) + " to " + user + "."
	}
	return "Debit " + amountOf(c) + " from " + user + "."
}

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

// signedBy is how colleagues know who signed.
func signedBy(s models.Signature) string {
	if s.Name != "" {
		return s.Name
	}
	return s.Username
}

func reasonWord(code models.ReasonCode) string {
	if r, ok := models.ReasonOf(code); ok {
		return r.Word
	}
	return string(code)
}

// decidedBy says what has become of a correction, and by whom.
func (p *Page) decidedBy(c models.Correction) string {
	who, byReader := signedBy(c.Checker), c.Checker.StaffID == p.Reader.ID
	if c.Checker.StaffID == 0 {
		who, byReader = signedBy(c.Maker), c.Maker.StaffID == p.Reader.ID
	}
	if byReader {
		who = "you"
	}
	if c.Alone {
		return "booked alone by " + who
	}
	return c.State.String() + " by " + who
}

// correctionChange is a row of before and after.
type correctionChange struct {
	What, Href    string
	ID            *views.ID
	Before, After string
}

// person is one of the two who sign.
type person struct {
	Role, Who string
	Lines     []string
	Quote     string
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
	People             []person
	AskedAt, DecidedAt views.Moment
	Path               string
	Decidable          bool      // the reader may refuse it, and approve it unless they are tied to its maker
	Tied               *tiedNote // why the reader cannot approve it
	Bookable           bool      // it can be booked as things stand
	Approvable         bool
	Withdrawable       bool
	Button             string
	Seen               models.CorrectionBasis
	OfferAnyBalance    bool
	Password           *views.Field
	Lines              []correctionChange // what it has led to
}

// aCorrection reads the correction that the address names.
func (a *App) aCorrection(c *fiber.Ctx) (models.Correction, error) {
	id, err := number(c, "id")
	if err != nil {
		return models.Correction{}, notFound("correction")
	}
	found, there, err := a.Store.Correction(c.UserContext(), id)
	if err == nil && !there {
		err = notFound("correction")
	}
	return found, err
}

func (a *App) correction(c *fiber.Ctx) error { return a.showCorrection(c, newForm(c), nil) }

// showCorrection shows one correction beside the inbox. note says what has just come between; nil for nothing.
func (a *App) showCorrection(c *fiber.Ctx, f *form, note *views.Note) error {
	found, err := a.aCorrection(c)
	if err != nil {
		return err
	}
	page, _, err := a.inbox(c, found.ID)
	if err != nil {
		return err
	}
	page.Title = "Correction " + strconv.FormatInt(found.ID, 10)
	if err := a.openCorrection(c, page, f, found, note); err != nil {
		return err
	}
	if !f.ok() || note != nil {
		return a.refused(c, "corrections/inbox", page)
	}
	return a.render(c, "corrections/inbox", page)
}

func (a *App) openCorrection(c *fiber.Ctx, page *correctionsPage, f *form, found models.Correction, note *views.Note) error {
	ctx, id := c.UserContext(), found.ID
	if err := a.viewed(c, "correction", id); err != nil {
		return err
	}
	for i := range page.Groups {
		for j := range page.Groups[i].Items {
			item := &page.Groups[i].Items[j]
			item.Current = item.Href == correctionPath(id)
		}
	}
	page.queue()
	o := &openCorrection{
		Correction: found, Badge: page.correctionState(found), Deed: page.correctionDeed(found),
		Consequences: correctionConsequences(found),
		AskedAt:      page.Time(found.At), Path: correctionPath(id), Button: correctionButton(found), Note: note,
	}
	page.Open = o
	if found.State != models.CorrectionAsked {
		o.DecidedAt = page.Time(found.DecidedAt)
		if err := a.tellDecided(page); err != nil {
			return err
		}
		return a.addCase(ctx, &o.Changes, found)
	}
	ask, err := page.Can(askCorrections)
	if err != nil {
		return err
	}
	check, err := page.Can(checkCorrections)
	if err != nil {
		return err
	}
	if check {
		names, err := a.correctionDeciders(ctx, found)
		if err != nil {
			return err
		}
		page.Assign = newAssignment(&page.Page, correctionPath(id)+"/assignee", found.Assignee, names)
		page.Keys = append(page.Keys, queueKey{"a", "Assign the correction: goes to the choice"})
	}
	own := found.Maker.StaffID == page.Reader.ID
	o.Decidable, o.Withdrawable = check && !own, ask && own
	outlook, err := a.Store.Outlook(ctx, found)
	if err != nil {
		return err
	}
	o.Seen, o.Bookable, o.CheckedAt = outlook.CorrectionBasis, outlook.Refusal == nil, page.Time(page.now).Clock()
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
	o.People = []person{page.maker(found),
		{Role: "Checker", Who: "Nobody yet", Lines: []string{"Somebody else of the role finance decides."}}}
	if o.Decidable {
		ties, err := a.Store.Ties(ctx)
		if err != nil {
			return err
		}
		if o.Tied, err = a.tiedNote(ctx, &page.Page, ties.Between(found.Maker.StaffID, page.Reader.ID), found.Maker.StaffID,
			models.Finance); err != nil {
			return err
		}
		o.Approvable = o.Bookable && o.Tied == nil
	}
	switch {
	case o.Tied != nil:
		o.People[1].Lines = []string{"You may refuse it, but not approve it: see above."}
	case o.Decidable:
		o.People[1] = person{Role: "Checker", Who: "You, " + page.Reader.Name + ", " + string(page.Reader.Role),
			Lines: []string{"You did not ask for it, so you may decide it."}}
	case own:
		o.People[1].Lines = []string{"You asked for it yourself: somebody else decides."}
	}
	if o.Approvable {
		o.Password, err = a.confirmField(c, f)
	}
	return err
}

// maker is who asked, and what they said.
func (p *Page) maker(c models.Correction) person {
	m := person{Role: "Maker", Who: signedBy(c.Maker) + ", " + string(c.Maker.Role), Quote: c.Text,
		Lines: []string{"Reason: " + reasonWord(c.Reason) + "."}}
	if c.Maker.StaffID == p.Reader.ID {
		m.Who = "You, " + m.Who
	}
	if c.Reference != "" {
		m.Lines = append(m.Lines, "Reference: "+c.Reference)
	}
	return m
}

// tellDecided shows a correction that is over: what it did, and who decided.
func (a *App) tellDecided(page *correctionsPage) error {
	o := page.Open
	currency := "\u00a0" + string(o.Currency)
	decider := person{Role: "Checker", Who: signedBy(o.Checker) + ", " + string(o.Checker.Role), Quote: o.DecisionText}
	if o.Checker.StaffID == page.Reader.ID {
		decider.Who = "You, " + decider.Who
	}
	switch o.State {
	case models.CorrectionApproved:
		ledger := playerPath(o.PlayerID)
		line := "Ledger line " + strconv.FormatInt(o.Seq, 10)
		if o.Spin {
			ledger, line = ledger+"/free-spins", "Free-spin ledger line "+strconv.FormatInt(o.Seq, 10)
		} else {
			ledger = ledgerPath(models.Entry{PlayerID: o.PlayerID, Seq: o.Seq})
		}
		o.Changes = []correctionChange{
			{What: "Balance of " + string(o.UserID), Href: playerPath(o.PlayerID), Before: o.Before.Grouped() + currency,
				After: o.After.Grouped() + currency},
		}
		if o.Original != nil {
			o.Changes = append(o.Changes, originalChange(o.Correction, "Applied", "Rolled back"))
		}
		o.Changes = append(o.Changes, correctionChange{What: line, Href: ledger, Before: "", After: "written"})
		decider.Lines = []string{"Approved at " + o.DecidedAt.Brief() + "."}
		if o.Alone {
			decider = person{Role: "Checker", Who: "Nobody",
				Lines: []string{"Booked alone at " + o.DecidedAt.Brief() +
					", within what the maker’s role may move without a checker."}}
		}
	case models.CorrectionRefused:
		o.Consequences = "It was refused, and moved nothing."
		decider.Lines = []string{"Refused at " + o.DecidedAt.Brief() + "."}
	default:
		o.Consequences = "It was withdrawn, and moved nothing."
		decider = person{Role: "Checker", Who: "Nobody", Quote: o.DecisionText,
			Lines: []string{"Withdrawn by its maker at " + o.DecidedAt.Brief() + "."}}
	}
	o.People = []person{page.maker(o.Correction), decider}
	return nil
}

func originalChange(c models.Correction, before, after string) correctionChange {
	return correctionChange{
		What: firstUpper(originalWord(c)), Href: transactionPath(c.Original.ID),
		ID: &views.ID{Text: string(c.TransactionID), Kind: "transaction ID", Short: true}, Before: before, After: after,
	}
}

// correctionChanges are the rows of before and after as things stand now.
func (a *App) correctionChanges(ctx context.Context, p *Page, c models.Correction,
	o models.CorrectionOutlook) ([]correctionChange, error) {
	currency := "\u00a0" + string(c.Currency)
	changes := []correctionChange{
		{What: "Balance of " + string(c.UserID), Href: playerPath(c.PlayerID), Before: o.Before.Grouped() + currency,
			After: o.After.Grouped() + currency},
	}
	if c.Kind.Adjusts() {
		return changes, nil
	}
	before := "Not here"
	if o.Prior != nil {
		before = transactionState(*o.Prior).Word
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
		row.Href = roundPath(round.ID)
		row.Before = p.roundWas(round)
	}
	row.After = row.Before
	if o.Refusal == nil {
		corrected := corrected(round, c)
		row.After = firstUpper(corrected.State().String()) + ", net\u00a0" + corrected.Net().Grouped()
	}
	return append(changes, row), nil
}

// caseReference is how the form that a case leads to names it as the reference.
var caseReference = regexp.MustCompile(`^case ([1-9][0-9]{0,17})$`)

// addCase adds the case that a correction names as its reference. No correction closes a case: whoever works on it says how it
// ended.
func (a *App) addCase(ctx context.Context, changes *[]correctionChange, c models.Correction) error {
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
	row := correctionChange{What: firstUpper(c.Reference), Href: casePath(id), Before: firstUpper(found.State.String()),
		After: firstUpper(found.State.String())}
	if c.State == models.CorrectionApproved {
		if row.Before = ""; found.State == models.CaseOpen {
			row.After = "Open, to be closed"
		}
	}
	*changes = append(*changes, row)
	return nil
}

func (p *Page) roundWas(r models.Round) string {
	if r.State().Undecided() {
		return firstUpper(r.State().String()) + ", " + age(p.now.Sub(r.At))
	}
	return firstUpper(r.State().String()) + ", net\u00a0" + r.Net().Grouped()
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

// tellCorrections adds to a transaction's page what staff had corrected about it, and the way to ask for it. A line of the
// ledger that a correction has written is said to be its.
func (a *App) tellCorrections(ctx context.Context, page *transactionPage, t models.TransactionLine,
	entries []models.LinkedEntry) error {
	ask, err := page.Can(askCorrections)
	if err != nil {
		return err
	}
	if ask && t.Source == models.SourcePlatform && t.State == models.Processed {
		page.Actions = append(page.Actions,
			views.Link{Word: "Request a correction",
				Href: "/corrections/new?transaction=" + escapeQuery(string(t.TransactionID)), Icon: "corrections"})
	}
	list, err := a.correctionsOf(ctx, t)
	if err != nil {
		return err
	}
	readable, err := page.Can(readCorrections)
	if err != nil {
		return err
	}
	for _, c := range list {
		number := "correction " + strconv.FormatInt(c.ID, 10)
		tell := func(at views.Moment, who models.Signature, text, quote string) {
			event := views.Event{At: at, Node: "staff", Who: signedBy(who), Text: ", " + string(who.Role) + ", " + text,
				Quote: quote}
			if readable {
				event.Link, event.Href = number, correctionPath(c.ID)
			} else {
				event.Text += " " + number
			}
			page.Events = append(page.Events, event)
		}
		tell(page.Time(c.At), c.Maker, "asked for a correction, "+lowerFirst(correctionTitle(c))+":", c.Text)
		switch {
		case c.State == models.CorrectionAsked:
			note := views.Note{Kind: "wait", Icon: "clock", Title: "A correction waits",
				Text: correctionTitle(c) + ", asked for by " + signedBy(c.Maker) + "."}
			if readable {
				note.Links = []views.Link{{Word: firstUpper(number), Href: correctionPath(c.ID)}}
			}
			page.Notes = append(page.Notes, note)
		case c.Alone:
			tell(page.Time(c.DecidedAt), c.Maker, "booked alone", "")
		case c.Checker.StaffID == 0:
			tell(page.Time(c.DecidedAt), c.Maker, c.State.String(), c.DecisionText)
		default:
			tell(page.Time(c.DecidedAt), c.Checker, c.State.String(), c.DecisionText)
		}
		for _, e := range entries {
			if e.Seq != c.Seq || c.Spin || c.State != models.CorrectionApproved {
				continue
			}
			for i := range page.Events {
				if page.Events[i].Href == ledgerPath(e.Entry) {
					page.Events[i].Text = " by " + number + ","
				}
			}
		}
	}
	return nil
}

// correctionsOf are the corrections of a transaction: those that name it, or the one that an adjustment is.
func (a *App) correctionsOf(ctx context.Context, t models.TransactionLine) ([]models.Correction, error) {
	if t.Source == models.SourcePlatform {
		list, _, err := a.Store.Corrections(ctx,
			models.CorrectionFilter{TransactionID: t.TransactionID, PlayerID: t.PlayerID, Limit: 20})
		return list, err
	}
	id, named := models.CorrectionOf(t.TransactionID)
	if !named {
		return nil, nil
	}
	c, found, err := a.Store.Correction(ctx, id)
	if !found {
		return nil, err
	}
	return []models.Correction{c}, err
}
