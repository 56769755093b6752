package cases

import (
	"context"
	"strconv"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// What is to be asked about a case, and what follows from each answer. A bet that failed there and was applied here is given
// back, by a rollback of its transactionID; one that was not applied is nothing. A win that failed there and was applied here
// is nothing; one that was not applied is credited under the platform's transactionID. So whatever the platform still sends
// changes nothing more.

// caseDeed is what is to be found out, and what follows from the answer.
type caseDeed struct {
	Ask     string // the question
	Answers []caseReply
}

type caseReply struct {
	If, Then string
	Link     *views.Link // to what is to be done; nil where nothing is, or where the reader may not
}

// caseMatter is a case with what it is about, as that is now.
type caseMatter struct {
	models.Case
	transaction *models.TransactionLine // nil where we have none
	difference  *models.Difference      // nil unless a statement found it
	ask         bool                    // the reader may ask for corrections
}

// matter reads what a case is about.
func (a *Area) matter(ctx context.Context, p *web.Page, c models.Case) (m caseMatter, err error) {
	m.Case = c
	m.ask = p.Can(web.AskCorrections)
	if c.Transaction != 0 {
		t, found, err := a.Store.Transaction(ctx, c.Transaction)
		if err != nil {
			return m, err
		}
		if found {
			m.transaction = &t
		}
	}
	if c.Rule == models.CaseStatement {
		d, found, err := a.Store.DifferenceOf(ctx, c)
		if err != nil {
			return m, err
		}
		if found {
			m.difference = &d
		}
	}
	return m, nil
}

// correct leads to the form of a correction, filled in as far as the case tells. more are further fields and their values.
func (m *caseMatter) correct(word string, kind models.CorrectionKind, more ...string) *views.Link {
	if !m.ask {
		return nil
	}
	href := "/corrections/new?kind=" + kind.String()
	set := func(name, value string) {
		if value != "" {
			href += "&" + name + "=" + web.EscapeQuery(value)
		}
	}
	if !kind.Adjusts() {
		set("transaction", string(m.TransactionID))
	}
	if kind != models.CorrectRollback {
		set("player", string(m.UserID))
	}
	for i := 0; i+1 < len(more); i += 2 {
		set(more[i], more[i+1])
	}
	set("reference", "case "+strconv.FormatInt(m.ID, 10))
	return &views.Link{Word: word, Href: href}
}

func (m *caseMatter) giveBack(reason models.ReasonCode) *views.Link {
	return m.correct("Give the bet back", models.CorrectRollback, "reason", string(reason))
}

// amount is what is at stake, as a form takes it; empty where nobody knows.
func (m *caseMatter) amount() string {
	if m.Amount == 0 {
		return ""
	}
	return m.Amount.String()
}

// guide says how a case is decided.
func (m *caseMatter) guide() caseDeed {
	switch m.Rule {
	case models.CaseUnknownRollback:
		return caseDeed{"Ask the platform what became of the bet or win that it rolled back.", []caseReply{
			{If: "It failed there, or was given up", Then: "It was not applied here either: nothing. Close as explained."},
			{If: "It says that we took it", Then: "Our ledger has no such line. Keep its answer here, and verify the ledger."},
		}}
	case models.CaseNegativeBalance:
		return caseDeed{"Look at what was taken back, and whether the player will play on.", []caseReply{
			{If: "The win was rightly voided",
				Then: "The player owes it; the next deposit of money covers it. Close as explained."},
			{If: "It will not be paid back", Then: "Credit the player and close as adjusted, or write it off.",
				Link: m.correct("Ask for a credit", models.CorrectCredit, "amount", m.amount())},
		}}
	case models.CaseOverflow:
		return caseDeed{"Ask the platform whether the amount is real.", []caseReply{
			{If: "It is a fault there", Then: "Nothing was booked. Close as explained."},
			{If: "It is real", Then: "Pay it outside the wallet, and write down how."},
		}}
	case models.CaseSignReused:
		return caseDeed{"Ask the platform whether it sent this callback.", []caseReply{
			{If: "It did not", Then: "Somebody has seen the platform's callbacks. Find out where, change the secret key, " +
				"and limit PITBOSS_CALLBACK_ALLOW. Nothing was booked."},
			{If: "It did", Then: "Two of its IDs run together into the same text. Set PITBOSS_TRANSACTION_ID_FORMAT and " +
				"PITBOSS_ROUND_ID_FORMAT, and book the transaction by a correction."},
		}}
	case models.CaseOtherContents:
		return caseDeed{"Ask the platform which of the two it means.", []caseReply{
			{If: "The first", Then: "It stands. Close as explained."},
			{If: "The second", Then: "Roll the first back; the platform sends the second under a new ID.",
				Link: m.correct("Ask for a rollback", models.CorrectRollback)},
		}}
	case models.CaseWinWithoutBet:
		return caseDeed{"Ask the platform for the round’s bet.", []caseReply{
			{If: "There was one, taken elsewhere or earlier", Then: "The win stands. Close as explained."},
			{If: "The win failed there",
				Then: "It was applied here: nothing. What a player has won is kept. Close as explained."},
			{If: "There was no bet, and the round is void", Then: "Take the win back by a rollback.",
				Link: m.correct("Ask for a rollback", models.CorrectRollback, "reason", "round-voided")},
		}}
	case models.CaseUnexplainedSpin:
		return caseDeed{"Ask the platform who granted this free spin. The mark is not signed, and the stake was not taken.",
			[]caseReply{
				{If: "The platform, in a promotion of its own", Then: "Close as explained."},
				{If: "Nobody", Then: "Debit the stake.",
					Link: m.correct("Ask for a debit", models.CorrectDebit, "amount", m.amount())},
			}}
	case models.CaseSpinsApart:
		return caseDeed{"Look at the grant: which spins does the platform count that did not arrive here, or the other way?",
			[]caseReply{
				{If: "They are on their way", Then: "Wait until the next observation. Close as explained once they agree."},
				{If: "They stay apart", Then: "Send the platform both lists."},
			}}
	case models.CaseUnknownGrant:
		return caseDeed{"Ask the platform whether the grant is there.", []caseReply{
			{If: "It is, or it is not", Then: "Say so on the grant’s page; then close this as explained.",
				Link: &views.Link{Word: "The grant", Href: web.PathOf("/free-spins", m.GrantID)}},
		}}
	case models.CaseDisownedGrant:
		grant := &views.Link{Word: "The grant", Href: web.PathOf("/free-spins", m.GrantID)}
		return caseDeed{"Ask the platform what became of the grant. It named the grant when it gave it, and now answers " +
			"that it does not know it.", []caseReply{
			{If: "The platform finds it again", Then: "The next answer shows its spins. Close as explained.", Link: grant},
			{If: "The platform canceled it or lost it",
				Then: "The player cannot use the spins that are left. Grant them again if the player should have them, then " +
					"close as adjusted.", Link: grant},
		}}
	case models.CaseInterruptedRound:
		return caseDeed{"Ask the platform whether it voided the whole round. It rolled back a part, and nothing followed.",
			[]caseReply{
				{If: "It voided the round", Then: "Give back the bet that still stands.", Link: m.giveBack("round-voided")},
				{If: "It finished the round, and the bet was lost", Then: "Nothing. Close as explained."},
				{If: "A win is still to come", Then: "Leave the case open until the win has arrived."},
			}}
	case models.CaseOpenRound:
		round := ""
		if m.transaction != nil {
			round = string(m.transaction.RoundID)
		}
		win := caseMatter{Case: m.Case, ask: m.ask}
		win.TransactionID = "" // the bet's; the win has one of its own
		return caseDeed{"Ask the platform what became of the round.", []caseReply{
			{If: "The bet failed there", Then: "It was applied here: give it back.", Link: m.giveBack("applied-here-only")},
			{If: "The bet was lost", Then: "Nothing. Close as explained."},
			{If: "It was won", Then: "The win was not applied here: credit it under the platform’s transaction ID.",
				Link: win.correct("Book the missing win", models.CorrectWin, "round", round, "reason", "win-not-credited")},
		}}
	case models.CaseComplaint:
		return caseDeed{"Compare what the player says with their transactions, and answer before the deadline.", []caseReply{
			{If: "Our books are right",
				Then: "Answer, with a dispute pack from finance or compliance as evidence. Close as explained."},
			{If: "A win is missing", Then: "Ask for it under the platform’s transaction ID, answer, and close as adjusted.",
				Link: m.correct("Ask for the missing win", models.CorrectWin, "reason", "win-not-credited")},
			{If: "A bet or a win is wrong", Then: "Ask for its rollback, answer, and close as adjusted.",
				Link: m.correct("Ask for a rollback", models.CorrectRollback)},
			{If: "It is about something else than a bet or a win", Then: "Ask for a credit, answer, and close as adjusted.",
				Link: m.correct("Ask for a credit", models.CorrectCredit, "amount", m.amount())},
		}}
	case models.CaseLedgerFault:
		return caseDeed{"Find out who changed the database. The verification names each line.", []caseReply{
			{If: "A backup was put back or a line was edited",
				Then: "Restore, and hold the ledger against a checkpoint that was kept elsewhere. Correct no balance by hand."},
		}}
	}
	return m.statementGuide()
}

// statementGuide says how a difference from a statement is decided.
func (m *caseMatter) statementGuide() caseDeed {
	d := m.difference
	missing := m.correct("Book the missing win", models.CorrectWin, "amount", m.amount(), "reason", "win-not-credited")
	if d == nil { // its run was cleared
		return caseDeed{"Ask the platform which of the two books is right.", []caseReply{
			{If: "A bet failed there and was applied here", Then: "Give it back.", Link: m.giveBack("applied-here-only")},
			{If: "A bet failed there and was not applied here", Then: "Nothing. Close as explained."},
			{If: "A win failed there and was applied here",
				Then: "Nothing: what a player has won is kept. Close as explained."},
			{If: "A win failed there and was not applied here", Then: "Credit it under the platform’s transaction ID.",
				Link: missing},
		}}
	}
	money := d.RemedyAmount.Grouped() + " " + string(d.Currency)
	ours := caseReply{If: "Ours", Then: "Nothing. Close as explained."}
	here := d.Ours.There && d.Ours.Standing == models.StandingApplied
	switch {
	case d.Remedy == models.RemedyNone:
		return caseDeed{"Ask the platform which of the two books is right.",
			[]caseReply{{If: "Either", Then: "No money differs. Close as explained."}}}
	case d.Remedy == models.RemedyLook:
		return caseDeed{"The two books speak of different players or currencies. Ask the platform whose it is.",
			[]caseReply{ours, {
				If: "Theirs", Then: "Roll ours back; the platform sends it anew.",
				Link: m.correct("Ask for a rollback", models.CorrectRollback),
			}}}
	case d.Bucket == models.AmountDiffers:
		theirs := caseReply{If: "Theirs", Then: "The player lacks " + money + ": credit them.",
			Link: m.correct("Ask for a credit", models.CorrectCredit, "amount", m.amount())}
		if d.Remedy == models.RemedyDebit {
			theirs = caseReply{If: "Theirs", Then: "The player has " + money + " too much: debit them.",
				Link: m.correct("Ask for a debit", models.CorrectDebit, "amount", m.amount())}
		}
		return caseDeed{"Ask the platform which of the two amounts is right.", []caseReply{ours, theirs}}
	case d.Kind == models.Win && here:
		return caseDeed{"Ask the platform what became of this win there.", []caseReply{
			{If: "It failed there", Then: "It was applied here: nothing. What a player has won is kept. Close as explained."},
			{If: "It was voided there", Then: "Take it back by a rollback.",
				Link: m.correct("Ask for a rollback", models.CorrectRollback, "reason", "round-voided")},
		}}
	case d.Kind == models.Win && d.Ours.There:
		return caseDeed{"Ask the platform whether this win stands. It was rolled back here.", []caseReply{
			{If: "It was voided there too", Then: "Nothing. Close as explained."},
			{If: "It stands there", Then: "It cannot be booked a second time under its ID: credit " + money + ".",
				Link: m.correct("Ask for a credit", models.CorrectCredit, "amount", m.amount())},
		}}
	case d.Remedy == models.RemedyCredit:
		return caseDeed{"Ask the platform what became of it there.", []caseReply{
			{If: "It was won, whether or not it failed there",
				Then: "It was not applied here: credit it under the platform’s transaction ID.", Link: missing},
			{If: "It was voided there", Then: "Nothing. Close as explained."},
		}}
	case here:
		reason := models.ReasonCode("applied-here-only")
		if d.Theirs.Standing == models.StandingRolledBack {
			reason = "round-voided"
		}
		return caseDeed{"Ask the platform what became of this bet there.", []caseReply{
			{If: "It failed there, or was voided", Then: "It was applied here: give it back.", Link: m.giveBack(reason)},
			{If: "It was taken there too", Then: "Nothing: the statement is wrong. Close as explained."},
		}}
	}
	taken := caseReply{If: "It was taken there",
		Then: "The player kept the stake by an omission that was not theirs: nothing is taken. Write it off."}
	if d.Remedy == models.RemedyDebit {
		taken = caseReply{If: "It was taken there", Then: "It was rolled back here, and is owed: debit " + money + ".",
			Link: m.correct("Ask for a debit", models.CorrectDebit, "amount", m.amount())}
	}
	return caseDeed{"Ask the platform what became of this bet there.",
		[]caseReply{{If: "It failed there", Then: "It was not applied here: nothing. Close as explained."}, taken}}
}
