package pages

import (
	"context"
	"strings"

	"pitboss/app/web"
	"pitboss/models"
)

// amountOf returns a correction's amount with its currency.
func amountOf(c models.Correction) string { return c.Amount.Grouped() + "\u00a0" + string(c.Currency) }

// OriginalWord returns what a rollback reverses, as part of a sentence.
func OriginalWord(c models.Correction) string {
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

// CorrectionWords say what a correction of a kind is for and what it does. {user}, {amount}, {original} and {from} stand for
// what the correction has, and {moved} for the amount by which it changes the balance.
type CorrectionWords struct {
	Tab, Help    string // on the form
	ID           string // below the field for the transaction ID; adjustments have none
	Title        string // in a list
	Sentence     string // everything that it does
	Request      string // the button that requests it
	Book         string // the button that approves it
	Consequences string
}

const (
	adjustmentConsequences = "An adjustment without a platform transaction. It counts neither as turnover nor as payout."
	lateRollback           = " If the platform still sends its own rollback, we answer 9 (already rolled back) and nothing moves."
	lateWin                = " If the platform still sends the win, we answer 11 (duplicate transaction) and nothing moves."
	lateBet                = " If the platform still sends the bet, we answer 11 (duplicate transaction) and nothing moves."
)

var correctionWords = map[models.CorrectionKind]CorrectionWords{
	models.CorrectRollback: { // WordsOf changes these if it takes money back or moves none
		Tab: "Roll back",
		Help: "For a bet or a win that the platform voided or never had. It is rolled back under its own transaction ID." +
			lateRollback,
		ID:           "The platform’s ID, as the page of the transaction shows it.",
		Title:        "Roll back a {original}, {amount}",
		Sentence:     "Roll back {user}’s {original} of {amount}{from}.",
		Request:      "Request rollback for {user}, {moved}",
		Book:         "Refund {moved} to {user}",
		Consequences: "Refunds what was taken." + lateRollback,
	},
	models.CorrectWin: {
		Tab: "Missing win",
		Help: "For a win that the platform paid but that never arrived here. It is booked under the platform’s transaction ID." +
			lateWin,
		ID: "The win’s own ID, copied from the platform’s back office, not the ID of the bet. Never make one up: if the " +
			"platform later sends the win under its real ID, it is paid twice.",
		Title:        "Book a missing win, {amount}",
		Sentence:     "Book {user}’s missing win of {amount}.",
		Request:      "Request payment of {moved} to {user}",
		Book:         "Pay {user} {moved}",
		Consequences: "Pays the win under the platform’s own transaction ID." + lateWin,
	},
	models.CorrectBet: {
		Tab: "Missing bet",
		Help: "For a bet that the platform took but that never arrived here. It is booked under the platform’s transaction ID, " +
			"so that turnover and GGR match." + lateBet,
		ID: "The bet’s own ID, copied from the platform’s back office. Never make one up: if the platform later sends the " +
			"bet under its real ID, it is taken twice.",
		Title:        "Book a missing bet, {amount}",
		Sentence:     "Book {user}’s missing bet of {amount}.",
		Request:      "Request the missing bet of {moved} for {user}",
		Book:         "Take {moved} from {user}",
		Consequences: "Takes the bet under the platform’s own transaction ID, so that it counts as turnover." + lateBet,
	},
	models.CorrectCredit: {
		Tab: "Credit",
		Help: "For money without a platform transaction, such as a payment or goodwill. Never for a bet or a win: it would be " +
			"paid again when the platform sends it.",
		Title:        "Credit {amount}",
		Sentence:     "Credit {amount} to {user}.",
		Request:      "Request credit of {moved} for {user}",
		Book:         "Credit {moved} to {user}",
		Consequences: adjustmentConsequences,
	},
	models.CorrectDebit: {
		Tab: "Debit",
		Help: "For money without a platform transaction, such as a payment or a chargeback. Never for a bet: it would be " +
			"missing from turnover. The balance goes below zero only with a reason that allows it.",
		Title:        "Debit {amount}",
		Sentence:     "Debit {amount} from {user}.",
		Request:      "Request debit of {moved} from {user}",
		Book:         "Debit {moved} from {user}",
		Consequences: adjustmentConsequences,
	},
}

// CorrectionWordsOf returns the words for all corrections of a kind, with the names in braces.
func CorrectionWordsOf(k models.CorrectionKind) CorrectionWords { return correctionWords[k] }

// WordsOf returns the words for one correction, with times in the reader's zone.
func WordsOf(p *web.Page, c models.Correction) CorrectionWords {
	w := CorrectionWordsOf(c.Kind)
	switch {
	case c.Kind != models.CorrectRollback || c.Effect > 0:
	case c.Effect < 0:
		w.Book, w.Consequences = "Take {moved} back from {user}", "Takes back what was paid."+lateRollback
	default:
		w.Request, w.Book = "Request rollback for {user}", "Roll it back for {user}"
		if w.Consequences = "No money moves." + lateRollback; c.Original != nil && c.Original.FreeSpin {
			w.Consequences = "No money moves: the spin was free." + lateRollback
		}
	}
	from := ""
	if c.Original != nil {
		from = " from " + p.Time(c.Original.At).Brief()
	}
	r := strings.NewReplacer("{user}", string(c.UserID), "{amount}", amountOf(c), "{original}", OriginalWord(c), "{from}", from,
		"{moved}", max(c.Effect, -c.Effect).Grouped()+" "+string(c.Currency))
	w.Title, w.Sentence, w.Request, w.Book = r.Replace(w.Title), r.Replace(w.Sentence), r.Replace(w.Request), r.Replace(w.Book)
	return w
}

// CorrectionTitle describes a correction in a list.
func CorrectionTitle(c models.Correction) string {
	return strings.NewReplacer("{original}", OriginalWord(c), "{amount}", amountOf(c)).Replace(CorrectionWordsOf(c.Kind).Title)
}

// SignedBy returns the signer's name, or the username if the signer has no name.
func SignedBy(s models.Signature) string {
	if s.Name != "" {
		return s.Name
	}
	return s.Username
}

// DecidedBy returns the outcome of a correction and who decided it, such as "approved by Ada".
func DecidedBy(p *web.Page, c models.Correction) string {
	who, byReader := SignedBy(c.Checker), c.Checker.StaffID == p.Reader.ID
	if c.Checker.StaffID == 0 {
		who, byReader = SignedBy(c.Maker), c.Maker.StaffID == p.Reader.ID
	}
	if byReader {
		who = "you"
	}
	return c.State.String() + " by " + who
}

// CorrectionsOf returns the corrections of a platform transaction. For a transaction of our own, it returns the correction that
// made it.
func (s *Site) CorrectionsOf(ctx context.Context, t models.TransactionLine) ([]models.Correction, error) {
	if t.Source == models.SourcePlatform {
		list, err := s.Store.Corrections(ctx,
			models.CorrectionFilter{TransactionID: t.TransactionID, PlayerID: t.PlayerID, Span: models.Span{Limit: 20}})
		return list.Rows, err
	}
	id, named := models.CorrectionOf(t.TransactionID)
	if !named {
		return nil, nil
	}
	c, found, err := s.Store.Correction(ctx, id)
	if !found {
		return nil, err
	}
	return []models.Correction{c}, err
}
