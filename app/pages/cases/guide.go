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
	Booked     []models.Correction     // for this case, waiting or booked: it needs no other
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
//
// If the case's transaction is here, a missing win or bet is another one, of the same round.
func (m *caseMatter) Correct(word string, more ...string) (string, error) {
	kind := web.ByWord(models.CorrectionKinds, word)
	if kind == 0 {
		return "", fmt.Errorf("cases: there is no correction %q", word)
	}
	if !m.ask || !m.Work || len(m.Booked) > 0 {
		return "", nil
	}
	href := "/corrections/new?kind=" + word
	set := func(name, value string) {
		if value != "" {
			href += "&" + name + "=" + web.EscapeQuery(value)
		}
	}
	switch {
	case kind.Books() && m.Line != nil:
		set("round", string(m.Line.RoundID))
	case !kind.Adjusts():
		set("transaction", string(m.TransactionID))
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

// Undo returns the kind of correction that takes back the case's own credit or debit.
func (m *caseMatter) Undo() string {
	if m.Line != nil && m.Line.Win > 0 {
		return "debit"
	}
	return "credit"
}

// MissingBet reports whether the case is about a bet that only the platform has.
func (m *caseMatter) MissingBet() bool {
	return m.Difference.Bucket == models.OnlyTheirs && m.Difference.Kind == models.Bet
}

// Settles reports whether the approval of a correction closes the case.
func (m *caseMatter) Settles(k models.Correction) bool {
	return k.State == models.ApprovalWaiting && m.SettledBy(k)
}
