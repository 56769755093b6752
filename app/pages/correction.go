package pages

import (
	"context"

	"pitboss/app/web"
	"pitboss/models"
)

// amountOf returns a correction's amount with its currency.
func amountOf(c models.Correction) string { return c.Amount.Grouped() + "\u00a0" + string(c.Currency) }

// OriginalWord returns the word for what a rollback reverses, for use in a sentence.
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

// CorrectionTitle describes a correction, for a list.
func CorrectionTitle(c models.Correction) string {
	switch c.Kind {
	case models.CorrectRollback:
		return "Roll back a " + OriginalWord(c) + ", " + amountOf(c)
	case models.CorrectWin:
		return "Book a missing win, " + amountOf(c)
	case models.CorrectBet:
		return "Book a missing bet, " + amountOf(c)
	case models.CorrectCredit:
		return "Credit " + amountOf(c)
	}
	return "Debit " + amountOf(c)
}

// CorrectionSentence describes a correction in one sentence.
func CorrectionSentence(p *web.Page, c models.Correction) string {
	user := string(c.UserID)
	switch c.Kind {
	case models.CorrectRollback:
		from := ""
		if c.Original != nil {
			from = " from " + p.Time(c.Original.At).Brief()
		}
		return "Roll back " + user + "’s " + OriginalWord(c) + " of " + amountOf(c) + from + "."
	case models.CorrectWin:
		return "Book " + user + "’s missing win of " + amountOf(c) + "."
	case models.CorrectBet:
		return "Book " + user + "’s missing bet of " + amountOf(c) + "."
	case models.CorrectCredit:
		return "Credit " + amountOf(c) + " to " + user + "."
	}
	return "Debit " + amountOf(c) + " from " + user + "."
}

// SignedBy returns the name of the signer, or the username if there is no name.
func SignedBy(s models.Signature) string {
	if s.Name != "" {
		return s.Name
	}
	return s.Username
}

// DecidedBy returns the outcome of a correction and who decided: "approved by Ada".
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

// CorrectionsOf returns the corrections of a transaction from the platform. For a transaction of our own it returns the
// correction that made it.
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
