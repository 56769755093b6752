package cases

import (
	"context"
	"fmt"
	"strconv"

	"pitboss/app/web"
	"pitboss/models"
)

// What to find out about a case, and what follows from each answer, is in the template "guide: " and the name that Guide
// returns, in views/cases/case.html. A bet that failed at the platform and was applied here is given back, by a rollback of its
// transactionID; if it was not applied here either, nothing is done. A win that failed there and was applied here stays; one
// that was not applied here is credited under the platform's transactionID. Whatever the platform still sends then changes
// nothing more.

// caseMatter is a case with what it is about, as it is now.
type caseMatter struct {
	models.Case
	Line       *models.TransactionLine // nil if the transaction is not in our ledger
	Difference *models.Difference      // nil unless a statement found it
	Work       bool                    // the case is open, and the reader may work on it
	ask        bool                    // the reader may request corrections
}

// matter reads what a case is about.
func (a *Area) matter(ctx context.Context, p *web.Page, c models.Case) (*caseMatter, error) {
	m := &caseMatter{Case: c, Work: c.State == models.CaseOpen && p.Can(web.WorkCases), ask: p.Can(web.AskCorrections)}
	if c.Transaction != 0 {
		t, found, err := a.Store.Transaction(ctx, c.Transaction)
		if err != nil {
			return nil, err
		}
		if found {
			m.Line = &t
		}
	}
	if c.Rule == models.CaseStatement {
		d, found, err := a.Store.DifferenceOf(ctx, c)
		if err != nil {
			return nil, err
		}
		if found {
			m.Difference = &d
		}
	}
	return m, nil
}

// Guide names what to find out: the rule or, for a difference from a statement, what differs and what would settle it.
func (m *caseMatter) Guide() string {
	d := m.Difference
	switch {
	case m.Rule != models.CaseStatement:
		return m.Rule.String()
	case d == nil: // the comparison was cleared
		return "difference"
	case d.Remedy == models.RemedyNone:
		return "no money differs"
	case d.Remedy == models.RemedyLook:
		return "player or currency differs"
	case d.Bucket == models.AmountDiffers:
		return "amount differs"
	}
	switch here := d.Ours.There && d.Ours.Standing == models.StandingApplied; {
	case d.Kind == models.Win && here:
		return "win applied here"
	case d.Kind == models.Win && d.Ours.There:
		return "win rolled back here"
	case d.Remedy == models.RemedyCredit:
		return "win missing here"
	case here:
		return "bet applied here"
	}
	return "bet not applied here"
}

// Debit reports that the player owes the difference if the platform is right.
func (m *caseMatter) Debit() bool { return m.Difference.Remedy == models.RemedyDebit }

// Remedy is the money that would settle the difference.
func (m *caseMatter) Remedy() string {
	return m.Difference.RemedyAmount.Grouped() + " " + string(m.Difference.Currency)
}

// BetReason is why a bet that is applied here alone would be rolled back.
func (m *caseMatter) BetReason() string {
	if m.Difference.Theirs.Standing == models.StandingRolledBack {
		return "round-voided"
	}
	return "applied-here-only"
}

// Stake is the amount at stake as a form takes it; empty if nobody knows it.
func (m *caseMatter) Stake() string {
	if m.Amount == 0 {
		return ""
	}
	return m.Amount.String()
}

// Correct returns the address of the form of a correction, filled in with what the case knows; empty if the reader may not
// request one. more are further fields and their values. An unknown kind is an error, so that it fails the page.
func (m *caseMatter) Correct(kind string, more ...string) (string, error) {
	return m.correct(kind, m.TransactionID, more)
}

// CorrectOther is Correct for another transaction than the case's: a win that followed the case's bet.
func (m *caseMatter) CorrectOther(kind string, more ...string) (string, error) {
	return m.correct(kind, "", more)
}

func (m *caseMatter) correct(word string, transaction models.TransactionID, more []string) (string, error) {
	var kind models.CorrectionKind
	for _, k := range models.CorrectionKinds {
		if k.String() == word {
			kind = k
		}
	}
	if kind == 0 {
		return "", fmt.Errorf("cases: there is no correction %q", word)
	}
	if !m.ask || !m.Work {
		return "", nil
	}
	href := "/corrections/new?kind=" + word
	set := func(name, value string) {
		if value != "" {
			href += "&" + name + "=" + web.EscapeQuery(value)
		}
	}
	if !kind.Adjusts() {
		set("transaction", string(transaction))
	}
	if kind != models.CorrectRollback {
		set("player", string(m.UserID))
	}
	for i := 0; i+1 < len(more); i += 2 {
		set(more[i], more[i+1])
	}
	set("reference", "case "+strconv.FormatInt(m.ID, 10))
	return href, nil
}

// Round is the round of the case's transaction.
func (m *caseMatter) Round() string {
	if m.Line == nil {
		return ""
	}
	return string(m.Line.RoundID)
}
