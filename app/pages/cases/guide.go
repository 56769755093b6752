package cases

import (
	"context"
	"fmt"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// The guides are in views/cases/case.html: they say what to find out about a case, and what to do after each answer. A bet that failed at the platform but was applied here
// is given back, by a rollback of its transactionID; if it was not applied here either, nothing is done. A win that failed
// there but was applied here stays; if it was not applied here, it is credited under the platform's transactionID. After that,
// nothing that the platform still sends changes the balance again.

// caseMatter is a case with the current state of the transaction or difference that it is about.
type caseMatter struct {
	models.Case
	Line       *models.TransactionLine // nil if the transaction is not in our ledger
	Difference *models.Difference      // nil unless a statement found it
	Work       bool                    // the case is open, and the reader may work on it
	ask        bool                    // the reader may request corrections
}

// matter reads the transaction and the difference that a case is about.
func (a *Area) matter(ctx context.Context, p *web.Page, c models.Case) (*caseMatter, error) {
	m := &caseMatter{Case: c, Work: c.State == models.CaseOpen && p.Can(web.WorkCases), ask: p.Can(web.RequestCorrections)}
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

// Guide returns the name of the case's guide: its rule or, for a difference from a statement, what differs and what would
// settle it.
func (m *caseMatter) Guide() string {
	d := m.Difference
	switch {
	case m.Rule != models.CaseStatement:
		return m.Rule.String()
	case d == nil: // the comparison was cleared
		return "difference"
	case d.Kind.IsCash():
		return "cash differs"
	case d.Remedy == models.RemedyNone:
		return "no money differs"
	case d.TheirID != "":
		return "ID differs"
	case d.Remedy == models.RemedyLook:
		return "both sides differ"
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

// Debit reports whether the player owes the difference if the platform is right.
func (m *caseMatter) Debit() bool { return m.Difference.Remedy == models.RemedyDebit }

// Remedy returns the amount that would settle the difference, with its currency.
func (m *caseMatter) Remedy() string {
	return m.Difference.RemedyAmount.Grouped() + " " + string(m.Difference.Currency)
}

// BetReason returns the reason for rolling back a bet that is only applied here.
func (m *caseMatter) BetReason() string {
	if m.Difference.Theirs.Standing == models.StandingRolledBack {
		return "round-voided"
	}
	return "applied-here-only"
}

// Stake returns the amount at stake for the field of a form, or "" if it is not known.
func (m *caseMatter) Stake() string {
	if m.Amount == 0 {
		return ""
	}
	return m.Amount.String()
}

// Correct returns the address of the correction form, filled in from the case, or "" if the reader may not request a
// correction. more are names and values of other fields, in turn. An unknown kind is an error, so that a misspelled one in a
// template fails the page.
func (m *caseMatter) Correct(kind string, more ...string) (string, error) {
	return m.correct(kind, m.TransactionID, more)
}

// CorrectOther is like Correct, but for a transaction other than the case's, such as a win that followed the case's bet.
func (m *caseMatter) CorrectOther(kind string, more ...string) (string, error) {
	return m.correct(kind, "", more)
}

func (m *caseMatter) correct(word string, transaction models.TransactionID, more []string) (string, error) {
	kind := web.ByWord(models.CorrectionKinds, word)
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
		if m.PlayerID != 0 {
			href += "&" + pages.PlayerOf(m.PlayerID)
		}
	}
	for i := 0; i+1 < len(more); i += 2 {
		set(more[i], more[i+1])
	}
	set("reference", models.CaseReference(m.ID))
	return href, nil
}

// Round returns the round ID of the case's transaction, or "" if the transaction is not in our ledger.
func (m *caseMatter) Round() string {
	if m.Line == nil {
		return ""
	}
	return string(m.Line.RoundID)
}
