package cases

import (
	"context"
	"strings"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// caseMatter is a case with the present state of its transaction or difference.
type caseMatter struct {
	models.Case
	Line       *models.TransactionLine // nil if the transaction is not in our ledger
	Difference *models.Difference      // nil unless a statement opened the case
	Work       bool                    // the case is open, and the reader may work on it
	ask        bool                    // the reader may request a correction
	Booked     []models.Correction     // waiting or booked for this case, which then needs no other
}

// matter reads the transaction and the difference of a case.
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

// Guide returns the guide for the case's rule. For a difference from a statement, it depends on what differs and what would
// settle it.
func (m *caseMatter) Guide() Guide {
	g := m.guide()
	shown := Guide{Ask: g.ask}
	for _, a := range g.answers {
		reply := Reply{Answer: a.answer, Do: strings.ReplaceAll(a.do, "{remedy}", m.remedy())}
		if a.link != nil {
			reply.Link = a.link(m)
		}
		shown.Replies = append(shown.Replies, reply)
	}
	return shown
}

func (m *caseMatter) guide() guide {
	if m.Rule != models.CaseStatement {
		return guides[m.Rule]
	}
	d := m.Difference
	switch {
	case d == nil:
		return comparisonCleared
	case d.Kind.IsCash():
		return cashDiffers
	case d.Remedy == models.RemedyNone:
		return noMoneyDiffers
	case d.TheirID != "":
		return idDiffers
	case d.Remedy == models.RemedyLook:
		return bothSidesDiffer
	case d.Bucket == models.AmountDiffers && d.Remedy == models.RemedyDebit:
		return tooMuchHere
	case d.Bucket == models.AmountDiffers:
		return tooLittleHere
	}
	switch here := d.Ours.There && d.Ours.Standing == models.StandingApplied; {
	case d.Kind == models.Win && here:
		return winAppliedHere
	case d.Kind == models.Win && d.Ours.There:
		return winRolledBackHere
	case d.Remedy == models.RemedyCredit:
		return winMissingHere
	case here && d.Theirs.Standing == models.StandingRolledBack:
		return betVoidedThere
	case here:
		return betAppliedHere
	case d.Remedy == models.RemedyDebit:
		return betRolledBackHere
	case d.Bucket == models.OnlyTheirs && d.Kind == models.Bet:
		return betMissingHere
	}
	return betNotApplied
}

// Differs returns the transaction's values in both books, if a statement opened the case.
func (m *caseMatter) Differs() string {
	if m.Difference == nil {
		return ""
	}
	return m.Difference.Words()
}

// remedy returns the amount that would settle the difference, with its currency.
func (m *caseMatter) remedy() string {
	if m.Difference == nil {
		return ""
	}
	return m.Difference.RemedyAmount.Grouped() + " " + string(m.Difference.Currency)
}

// stake returns the amount at stake for the field of a form, or "" if it is not known.
func (m *caseMatter) stake() string {
	if m.Amount == 0 {
		return ""
	}
	return m.Amount.String()
}

// correction returns the address of the correction form, filled in from the case, or "" if the reader may not request a
// correction. more alternates the names and values of further fields.
//
// If the case's transaction is here, a missing win or bet is another transaction of the same round.
func (m *caseMatter) correction(kind models.CorrectionKind, more ...string) string {
	if !m.ask || !m.Work || len(m.Booked) > 0 {
		return ""
	}
	href := "/corrections/new?kind=" + kind.String()
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
	if kind != models.CorrectRollback && m.PlayerID != 0 {
		href += "&" + pages.PlayerOf(m.PlayerID)
	}
	for i := 0; i+1 < len(more); i += 2 {
		set(more[i], strings.ReplaceAll(more[i+1], "{stake}", m.stake()))
	}
	set("reference", models.CaseReference(m.ID))
	return href
}

// Settles reports whether the approval of a correction closes the case.
func (m *caseMatter) Settles(k models.Correction) bool {
	return k.State == models.ApprovalWaiting && m.SettledBy(k)
}
