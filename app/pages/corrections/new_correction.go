package corrections

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/typed"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Requesting a correction takes two steps: a form for each kind, then a page that shows the effect in one sentence, and the
// state before and after it.

type newCorrectionPage struct {
	web.Page
	Kind                                          models.CorrectionKind
	Words                                         pages.CorrectionWords
	Kinds                                         []views.Choice // the kinds, with the addresses of their forms
	Transaction, Round, Player, Amount, Reference views.Field
	Text, Another                                 views.Field
	Similar                                       similar
	Comma                                         bool           // amounts may be typed with a decimal comma
	Brought                                       []views.Hidden // IDs exactly as the address has them
	Reasons                                       []reasonChoice
	ReasonWrong                                   string
}

// reasonChoice is a reason that this kind of correction can have.
type reasonChoice struct {
	models.Reason
	Word           string
	Chosen, Beyond bool // Beyond means that it allows a balance below zero
}

// transactionFinder finds the platform's transactions for the form.
func (a *Area) transactionFinder() web.Finder[models.TransactionLine] {
	return web.Finder[models.TransactionLine]{
		ByNumber: a.Store.Transaction,
		ByID: func(ctx context.Context, id string) (t models.TransactionLine, there bool, err error) {
			found, err := a.Store.Transactions(ctx, models.TransactionFilter{TransactionID: models.TransactionID(id),
				Span: models.Span{Limit: 2}})
			for _, row := range found.Rows {
				if row.Source == models.SourcePlatform {
					return row, true, nil
				}
			}
			return t, false, err
		},
		Like: func(ctx context.Context, shortened string, limit int) (models.Found[models.TransactionLine], error) {
			found, err := a.Store.SearchTransactions(ctx, shortened, limit)
			found.Rows = slices.DeleteFunc(found.Rows, func(t models.TransactionLine) bool { return t.Source != models.SourcePlatform })
			return found, err
		},
		Of: func(t models.TransactionLine) (int64, string) { return t.ID, string(t.TransactionID) },
	}
}

// broughtPrefix begins the names of the fields that have IDs exactly as the address has them.
const broughtPrefix = "brought-"

// id reads an ID from a form. The ID need not exist here. IDs are bytes, and two transactions may differ only in a space at the
// end, so an ID from the address is kept as it is. If another ID was typed or pasted instead, the spaces around it are removed.
func id(f *web.Form, name string) string {
	if brought := f.Raw(broughtPrefix + name); brought == f.Raw(name) {
		return brought
	}
	return f.Text(name)
}

// broughtFields returns hidden fields for the IDs that begin or end with spaces.
func broughtFields(ids map[string]string) (list []views.Hidden) {
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		if id := ids[name]; strings.TrimSpace(id) != id {
			list = append(list, views.Hidden{Name: broughtPrefix + name, Value: id})
		}
	}
	return list
}

// NewCorrectionForm shows the form. The address may name the kind, the platform's transaction and the player.
func (a *Area) NewCorrectionForm(c *fiber.Ctx) (err error) {
	f := web.NewForm(c)
	page := &newCorrectionPage{Page: a.Page(c, ""), Comma: a.DecimalComma, ReasonWrong: web.Sentence(f.Wrong["reason"])}
	// value returns a field's value from the form or, if the form was not sent yet, from the address.
	value := func(name string) string {
		if f.Typed() {
			return f.Text(name)
		}
		return page.Params.Get(name)
	}
	if page.Player, _, _, err = a.PlayerFinder().Field(f, "player"); err != nil {
		return err
	}
	ids := map[string]string{}
	for _, name := range []string{"transaction", "round"} {
		if ids[name] = page.Params.Get(name); f.Typed() {
			ids[name] = id(f, name)
		}
	}
	page.Brought = broughtFields(ids)
	kind := web.ByWord(models.CorrectionKinds, value("kind"))
	if kind == 0 {
		kind = models.CorrectRollback
		if page.Player.Value != "" && value("transaction") == "" {
			kind = models.CorrectCredit
		}
	}
	page.Kind, page.Words = kind, pages.CorrectionWordsOf(kind)
	for _, k := range models.CorrectionKinds {
		href := "/corrections/new?kind=" + k.String()
		if page.Player.Number != "" {
			href += "&player-number=" + page.Player.Number
		}
		for _, name := range []string{"transaction", "round"} {
			if v := ids[name]; v != "" {
				href += "&" + name + "=" + web.EscapeQuery(v)
			}
		}
		page.Kinds = append(page.Kinds, views.Choice{Value: href, Word: pages.CorrectionWordsOf(k).Tab, Chosen: k == kind})
	}
	field := func(name string) views.Field {
		return f.Field(views.Field{Name: name, Value: value(name), Autocomplete: "off"})
	}
	page.Transaction, page.Round = field("transaction"), field("round")
	if kind == models.CorrectRollback {
		if page.Transaction, _, _, err = a.transactionFinder().Field(f, "transaction"); err != nil {
			return err
		}
	}
	page.Amount, page.Text, page.Reference, page.Another = field("amount"), field("text"), field("reference"), field("another")
	page.Amount.InputMode = "decimal"
	if page.Another.Wrong != "" {
		if page.Similar, err = a.similarTo(c, &page.Page, f); err != nil {
			return err
		}
	}
	for _, r := range reasonsFor(kind) {
		page.Reasons = append(page.Reasons, reasonChoice{Reason: r, Word: web.FirstUpper(r.Word),
			Chosen: string(r.Code) == value("reason"), Beyond: r.BelowZero && kind == models.CorrectDebit})
	}
	return a.RenderForm(c, !f.Ok(), "corrections/new", page)
}

// similarTo reads the bookings that the correction in the form may repeat.
func (a *Area) similarTo(c *fiber.Ctx, p *web.Page, f *web.Form) (similar similar, err error) {
	r, err := a.readCorrection(c, f)
	if err != nil || r.PlayerID == 0 {
		return similar, err
	}
	asked, outlook, err := a.Store.CorrectionOutlook(c.UserContext(), r)
	return newSimilar(p, outlook.Again, asked.Currency), err
}

func reasonsFor(kind models.CorrectionKind) (list []models.Reason) {
	for _, r := range models.Reasons {
		if slices.Contains(r.For, kind) {
			list = append(list, r)
		}
	}
	return list
}

// readCorrection reads the form and marks the fields that would be refused later. r.PlayerID is 0 if there is no such player.
func (a *Area) readCorrection(c *fiber.Ctx, f *web.Form) (r models.CorrectionRequest, err error) {
	kind := web.ByWord(models.CorrectionKinds, f.Text("kind"))
	r = models.CorrectionRequest{
		Kind: kind, TransactionID: models.TransactionID(id(f, "transaction")), RoundID: models.RoundID(id(f, "round")),
		Reason: models.ReasonCode(f.Text("reason")),
		Text:   f.Text("text"), Reference: f.Text("reference"), Another: f.Text("another"),
	}
	parsed, bad := typed.Amount(f.Text("amount"), a.DecimalComma)
	if r.Amount = parsed; bad != nil && kind != models.CorrectRollback {
		f.Refuse("amount", bad.Error())
	}
	for field, why := range r.Check() {
		f.Refuse(field, why)
	}
	if kind == models.CorrectRollback {
		if f.Wrong["transaction"] != "" {
			return r, nil
		}
		_, t, found, err := a.transactionFinder().Field(f, "transaction")
		if err != nil {
			return r, err
		}
		if r.PlayerID, r.TransactionID = t.PlayerID, t.TransactionID; !found {
			why, err := a.noTransaction(c.UserContext(), models.TransactionID(id(f, "transaction")))
			if err != nil {
				return r, err
			}
			f.Refuse("transaction", why)
		}
	} else {
		_, p, found, err := a.PlayerFinder().Field(f, "player")
		if err != nil {
			return r, err
		}
		switch r.PlayerID = p.ID; {
		case f.Text("player") == "":
			f.Refuse("player", "Enter the player’s ID.")
		case !found:
			f.Refuse("player", pages.NoSuchPlayer)
		}
		if found && kind.Books() {
			if r.RoundID, err = a.wholeRound(c.UserContext(), f, p, r.RoundID); err != nil {
				return r, err
			}
			if strings.ContainsRune(string(r.TransactionID), '…') {
				f.Refuse("transaction", "This ID is shortened. Enter the whole ID, as the platform shows it.")
			}
		}
		if found && r.Reason == "test-money" && !p.Test {
			f.Refuse("reason", "This player is not a test player.")
		}
	}
	if r.PlayerID != 0 {
		return r, a.Viewed(c, "player", r.PlayerID, r.PlayerID)
	}
	return r, nil
}

// wholeRound returns the ID of a player's round, even for an ID in the form in which pages shorten it.
func (a *Area) wholeRound(ctx context.Context, f *web.Form, p models.Player, id models.RoundID) (models.RoundID, error) {
	if models.ParseIDPattern(string(id)).Tail == "" {
		return id, nil
	}
	if _, known, err := a.Store.Round(ctx, p.ID, id); known || err != nil {
		return id, err
	}
	found, err := a.Store.SearchRounds(ctx, string(id), 100)
	found.Rows = slices.DeleteFunc(found.Rows, func(r models.Round) bool { return r.PlayerID != p.ID })
	switch n := len(found.Rows); {
	case n == 1 && !found.More:
		id = found.Rows[0].RoundID
	case n > 0:
		f.Refuse("round", strconv.Itoa(n)+" rounds of this player begin and end like this. Enter the whole ID.")
	case strings.ContainsRune(string(id), '…'):
		f.Refuse("round", "This player has no round with this shortened ID. Enter the whole ID, as the platform shows it.")
	}
	return id, err
}

// noTransaction returns a sentence that the platform has no transaction with this ID, and names those whose spelling is almost
// the same.
func (a *Area) noTransaction(ctx context.Context, id models.TransactionID) (string, error) {
	found, err := a.Store.Transactions(ctx, models.TransactionFilter{TransactionIDs: models.Spellings(id),
		Span: models.Span{Limit: 3}})
	if err != nil || len(found.Rows) == 0 {
		return "No transaction of the platform has this ID. Enter the whole ID; IDs are case-sensitive.", err
	}
	var words []string
	for _, t := range found.Rows {
		words = append(words, "“"+string(t.TransactionID)+"” of "+string(t.UserID))
	}
	return "No transaction of the platform has this ID, but " + strings.Join(words, " and ") +
		" differs only in its case, blanks or quotes. Find out which of the two the platform means.", nil
}

// refusedField returns the name of the field that shows a refusal.
func refusedField(kind models.CorrectionKind, refusal error) string {
	var declined models.CorrectionDeclinedError
	switch {
	case errors.Is(refusal, models.ErrBelowZero):
		return "reason"
	case kind.Adjusts(), errors.As(refusal, &declined) && declined.Decline == models.InsufficientFunds:
		return "amount"
	}
	return "transaction"
}

type confirmCorrectionPage struct {
	web.Page
	models.Correction
	Words   pages.CorrectionWords
	Changes *correctionEffect
	Own     bool // always true: the reader requests it
	Checks  correctionChecks
	Reason  string
	Hidden  []views.Hidden
	Back    string
}

// The addresses of the two steps of a request.
const (
	newCorrectionPath     = "/corrections/new"
	confirmCorrectionPath = "/corrections/new/confirm"
)

// PreviewCorrection redirects to the page that confirms a correction, or back to the form if something is wrong.
func (a *Area) PreviewCorrection(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if _, err := a.readCorrection(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, newCorrectionPath)
	}
	return a.ShowAgain(c, f, confirmCorrectionPath)
}

// CorrectionConfirmation shows the effect that the correction in the draft would have.
func (a *Area) CorrectionConfirmation(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if !f.Typed() {
		return c.Redirect(newCorrectionPath, fiber.StatusSeeOther)
	}
	r, err := a.readCorrection(c, f)
	if err != nil {
		return err
	}
	if f.RefusedOtherThan("password") {
		return a.ShowAgain(c, f, newCorrectionPath)
	}
	return a.confirmCorrection(c, f, r)
}

func (a *Area) confirmCorrection(c *fiber.Ctx, f *web.Form, r models.CorrectionRequest) error {
	ctx := c.UserContext()
	page := &confirmCorrectionPage{Page: a.Page(c, "")}
	back, err := a.Unchanged(c, f, newCorrectionPath)
	if err != nil {
		return err
	}
	page.Back = back
	asked, outlook, err := a.Store.CorrectionOutlook(ctx, r)
	if errors.Is(err, models.ErrNotRollable) {
		outlook.Refusal, err = models.ErrNotRollable, nil
	}
	if err != nil {
		return err
	}
	if outlook.Refusal != nil {
		f.Refuse(refusedField(r.Kind, outlook.Refusal), refusalWords(asked, outlook.Refusal))
		return a.ShowAgain(c, f, newCorrectionPath)
	}
	if err := outlook.Again.Told(r.Another); err != nil {
		f.Refuse("another", web.Sentence(err.Error()))
		return a.ShowAgain(c, f, newCorrectionPath)
	}
	asked.Maker = models.Signature{StaffID: page.Reader.ID, Username: page.Reader.Username, Name: page.Reader.Name,
		Role: page.Reader.Role}
	ids := map[string]string{"transaction": string(r.TransactionID), "round": string(r.RoundID)}
	page.Hidden = broughtFields(ids)
	ids["player"] = f.Raw("player")
	for _, name := range []string{"transaction", "transaction-number", "round", "player", "player-number", "amount", "reason", "text",
		"reference", "another"} {
		v, isID := ids[name]
		if !isID {
			v = f.Text(name)
		}
		if v != "" {
			page.Hidden = append(page.Hidden, views.Hidden{Name: name, Value: v})
		}
	}
	page.Hidden = append(page.Hidden, views.Hidden{Name: "kind", Value: r.Kind.String()})
	page.Hidden = append(page.Hidden, seenFields(outlook.CorrectionBasis)...)
	page.Correction, page.Words, page.Reason, page.Own = asked, pages.WordsOf(&page.Page, asked), reasonWord(asked.Reason), true
	if page.Changes, err = a.correctionEffect(ctx, asked, outlook); err != nil {
		return err
	}
	if page.Checks, err = a.check(ctx, &page.Page, asked, outlook); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "corrections/confirm", page)
}

func seenFields(seen models.CorrectionBasis) []views.Hidden {
	return []views.Hidden{
		{Name: "after", Value: strconv.FormatInt(int64(seen.After), 10)},
		{Name: "others", Value: strconv.FormatInt(seen.Others, 10)},
		{Name: "reversed", Value: strconv.FormatInt(seen.Reversed, 10)},
		{Name: "similar", Value: strconv.FormatInt(seen.Similar, 10)},
	}
}

// RequestCorrection stores the request for a correction that the reader has confirmed.
func (a *Area) RequestCorrection(c *fiber.Ctx) error {
	f := web.NewForm(c)
	r, err := a.readCorrection(c, f)
	if err != nil {
		return err
	}
	if f.RefusedOtherThan("password") {
		return a.ShowAgain(c, f, newCorrectionPath)
	}
	shown := readBasis(f)
	if r.Seen = shown.Similar; r.Seen < 0 || !f.Ok() {
		return a.ShowAgain(c, f, confirmCorrectionPath) // including forms that none of our pages sends
	}
	by := a.Signer(c)
	asked, err := a.Store.RequestCorrection(c.UserContext(), by, r)
	if err != nil {
		return a.askFailed(c, f, r, err)
	}
	return a.Done(c, pages.CorrectionPath(asked.ID),
		"Requested. A colleague with the finance role has to approve it. No money has moved yet.")
}

// askFailed shows why a correction could not be requested.
func (a *Area) askFailed(c *fiber.Ctx, f *web.Form, r models.CorrectionRequest, err error) error {
	switch {
	case errors.As(err, new(models.CorrectionDeclinedError)), errors.Is(err, models.ErrBelowZero):
		refusal := unwrapped(err)
		f.Refuse(refusedField(r.Kind, refusal),
			refusalWords(models.Correction{Kind: r.Kind, Reason: r.Reason, UserID: models.UserID(f.Raw("player"))}, refusal))
	case errors.Is(err, models.ErrAnother):
		f.Refuse("another", web.Sentence(models.ErrAnother.Error()))
	case errors.Is(err, models.ErrNotRollable):
		f.Refuse("transaction", models.ErrNotRollable.Error())
	default:
		return a.DecisionFailed(c, newCorrectionPath, err)
	}
	return a.ShowAgain(c, f, newCorrectionPath)
}
