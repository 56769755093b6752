package cases

import (
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Guides say what to find out about a case, and what to do after each answer. A bet that failed at the platform but was applied
// here is refunded by a rollback of its transactionID; if it was not applied here either, there is nothing to do. A win that
// failed there but was applied here stays; if it was not applied here, it is credited under the platform's transactionID. After
// that, nothing that the platform still sends changes the balance again.

// Guide is a guide on the page of a case.
type Guide struct {
	Ask     string
	Replies []Reply
}

// Reply is an answer and what to do after it. Its link has no address if the reader may not follow it.
type Reply struct {
	Answer, Do string
	Link       views.Link
}

// guide is a row of the tables below. Its fields, and those of answers, have no names there, so that none can be left out.
// {remedy} in a text stands for the amount that would settle the difference.
type guide struct {
	ask     string
	answers []answer
}

type answer struct {
	answer, do string
	link       func(*caseMatter) views.Link // nil if there is none
}

const (
	nothing = "Nothing to do. Close as explained."
	kept    = "It was applied here: nothing to do. What a player has won is kept. Close as explained."
)

var ours = answer{"Ours", nothing, nil}

// correct returns the link to a correction form. In the values of its fields, {stake} stands for the case's amount.
func correct(word string, kind models.CorrectionKind, fields ...string) func(*caseMatter) views.Link {
	return func(m *caseMatter) views.Link { return views.Link{Word: word, Href: m.correction(kind, fields...)} }
}

var (
	rollback    = correct("Request rollback", models.CorrectRollback)
	voidedRound = correct("Request rollback", models.CorrectRollback, "reason", "round-voided")
	refund      = correct("Refund the bet", models.CorrectRollback, "reason", "applied-here-only")
	refundRound = correct("Refund the bet", models.CorrectRollback, "reason", "round-voided")
	credit      = correct("Request credit", models.CorrectCredit, "amount", "{stake}")
	debit       = correct("Request debit", models.CorrectDebit, "amount", "{stake}")
	missingWin  = correct("Book the missing win", models.CorrectWin, "amount", "{stake}", "reason", "win-not-credited")
	missingBet  = correct("Book the missing bet", models.CorrectBet, "amount", "{stake}", "reason", "bet-not-debited")
	anyWin      = correct("Book the missing win", models.CorrectWin, "reason", "win-not-credited")
)

// undo links to the correction that reverses the credit or debit of the case.
func undo(m *caseMatter) views.Link {
	kind := models.CorrectCredit
	if m.Line != nil && m.Line.Win > 0 {
		kind = models.CorrectDebit
	}
	return correct("Request the opposite correction", kind, "amount", "{stake}", "reason", "undo")(m)
}

func openGrant(m *caseMatter) (link views.Link) {
	if m.Work {
		link = views.Link{Word: "Open grant", Href: web.PathOf("/free-spins", m.GrantID)}
	}
	return link
}

func ranking(*caseMatter) views.Link {
	return views.Link{Word: "Open the rankings", Href: "/reports/ranked"}
}

// guides has the guides for all rules except differences from a statement.
var guides = map[models.CaseRule]guide{
	models.CaseUnknownRollback: {"Ask the platform what happened to the bet or win that it rolled back.", []answer{
		{"It failed there, or the platform gave up", "It was not applied here either: nothing to do. Close as explained.", nil},
		{"The platform says that we accepted it",
			"Our ledger does not have it. Copy the platform’s answer into a comment, and verify the ledger.", nil},
	}},
	models.CaseNegativeBalance: {"Check what was rolled back, and whether the player is likely to keep playing.", []answer{
		{"The platform was right to void the win",
			"The player owes the amount. The next win or payment covers it. Close as explained.", nil},
		{"The player will not pay it back", "Credit the player and close as adjusted, or write it off.", credit},
	}},
	models.CaseHeldCash: {"The money is held: the player cannot play it, and Pitboss never returns it by itself. Ask the " +
		"cashier " +
		"what became of the payment.", []answer{
		{"It was paid", "The cashier commits the cash-out. Close as explained.", nil},
		{"It was not paid and will not be",
			"The cashier cancels the cash-out, and the money is back in the balance. Close as explained.", nil},
		{"It is still under way", "Leave the case open until the cashier knows.", nil},
	}},
	models.CaseOtherCash: {"The second request was refused and booked nothing. Ask the cashier what it was for.", []answer{
		{"The player paid twice",
			"The cashier sends the second deposit again, with an ID of its own. Close as explained.", nil},
		{"It was a mistake of the cashier’s", "No money moved. Close as explained.", nil},
		{"The first was wrong", "Correct the difference by a credit or a debit. Close as adjusted.", nil},
	}},
	models.CaseOverflow: {"Ask the platform whether the amount is real.", []answer{
		{"It is an error there", "Nothing was booked. Close as explained.", nil},
		{"It is real", "Pay it outside the wallet, and describe how in the findings.", nil},
	}},
	models.CaseSignReused: {"Ask the platform whether it sent this callback.", []answer{
		{"It did not", "A third party can read the platform’s callbacks. Ask an administrator to find out where, to change " +
			"the secret " +
			"key, and to restrict the addresses that may send callbacks. Nothing was booked.", nil},
		{"It did", "If the two callbacks have the same values but different endpoints, the platform used one transaction for " +
			"both: ask " +
			"which is right. If their IDs differ, two pairs of IDs give the same text when they are joined. Book what is " +
			"missing by a " +
			"correction.", nil},
	}},
	models.CaseOtherContents: {"Ask the platform which of the two is right.", []answer{
		{"The first", "It is booked already. Close as explained.", nil},
		{"The second", "Roll the first back. The platform sends the second under a new ID.", rollback},
	}},
	models.CaseWinWithoutBet: {"Ask the platform for the round’s bet.", []answer{
		{"There was one, taken elsewhere or earlier", "The win is right. Close as explained.", nil},
		{"The win failed there", kept, nil},
		{"There was no bet, and the round is void", "Take the win back by a rollback.", voidedRound},
	}},
	models.CaseUnexplainedSpin: {"Ask the platform who granted this free spin. The signature does not cover the free-spin " +
		"flag of a " +
		"callback, and the stake was not taken.", []answer{
		{"The platform, in a promotion of its own", nothing, nil},
		{"Nothing: there was no grant", "Debit the stake.", debit},
	}},
	models.CaseSpinsApart: {"Open the grant. Which spins does the platform count that did not arrive here, or the other way " +
		"around?",
		[]answer{
			{"The missing spins are on their way",
				"Wait until Pitboss asks the platform again. Close as explained once both counts " +
					"match, as the grant’s page shows.", nil},
			{"The counts still differ", "Send both lists to the platform.", nil},
		}},
	models.CaseUnknownGrant: {"Ask the platform whether it granted the free spins.", []answer{
		{"Whatever the answer", "Record it on the grant’s page, then close this case as explained.", openGrant},
	}},
	models.CaseDisownedGrant: {"Ask the platform what happened to the grant. It gave the grant an ID, and now says that it " +
		"does not " +
		"know this ID.", []answer{
		{"The platform finds it again", "Its next answer shows the spins. Close as explained.", openGrant},
		{"The platform canceled or lost it", "The player cannot use the remaining spins. Grant them again if the player " +
			"should have " +
			"them, then close as adjusted.", openGrant},
	}},
	models.CaseInterruptedRound: {"Ask the platform whether it voided the whole round. It rolled back only a part of it.",
		[]answer{
			{"It voided the round", "Refund the other bet.", refundRound},
			{"It finished the round, and the bet was lost", nothing, nil},
			{"A win is still to come", "Leave the case open until the win has arrived.", nil},
		}},
	models.CaseBaselessCorrection: {"Money was corrected because a statement differed. A later reading of a statement no " +
		"longer shows " +
		"that difference. Ask the platform which of its files is right.", []answer{
		{"The later one", "Nothing justifies the correction any longer: undo it.", undo},
		{"The earlier one", "The correction stands. Close as explained.", nil},
	}},
	models.CaseThreshold: {"A figure of one day reached a threshold that finance and compliance set. That proves nothing: " +
		"open the " +
		"ranking of that day, and from its row the list of what is behind it.", []answer{
		{"Players or colleagues usually do that", "Close as explained. If this happens often, ask for a higher threshold.",
			ranking},
		{"It is unusual",
			"Ask whoever did it, or the platform, and write down the answer before you close the case.", ranking},
	}},
	models.CaseOpenRound: {"Ask the platform what happened to the round.", []answer{
		{"The bet failed there", "It was applied here: refund it.", refund},
		{"The bet was lost", nothing, nil},
		{"It was won", "The win was not applied here: credit it under the platform’s transaction ID.", anyWin},
	}},
	models.CaseQuestion: {"Read what your colleague wrote, and answer in a comment.", []answer{
		{"It is settled", "Close as explained, with what you found.", nil},
		{"Somebody else has to look at it", "Assign the case, and say why.", nil},
	}},
	models.CaseComplaint: {"Compare what the player says with their transactions, and answer before the deadline.", []answer{
		{"Our ledger is right",
			"Answer, with a dispute pack from finance or compliance as evidence. Close as explained.", nil},
		{"A win is missing", "Request the win under the platform’s transaction ID, tell the player, then close the case as " +
			"adjusted.",
			anyWin},
		{"A bet or a win is wrong", "Request its rollback, answer, and close as adjusted.", rollback},
		{"It is not about a bet or a win", "Request a credit, answer, and close as adjusted.", credit},
	}},
	models.CaseLedgerFault: {"Find out who changed the database. The verification names each entry.", []answer{
		{"A backup was restored or an entry was edited",
			"Restore the database, and compare the ledger with a checkpoint that was kept " +
				"elsewhere. Correct no balance by hand.", nil},
	}},
}

// Guides for differences from a statement.
var (
	comparisonCleared = guide{"Ask the platform which of the two books is right.", []answer{
		{"A bet failed there and was applied here", "Refund it.", refund},
		{"A bet failed there and was not applied here", nothing, nil},
		{"A win failed there and was applied here", "Nothing to do: what a player has won is kept. Close as explained.", nil},
		{"A win failed there and was not applied here", "Credit it under the platform’s transaction ID.", missingWin},
	}}
	cashDiffers = guide{"Ask whoever runs the API client, and have them compare their payment provider’s books.", []answer{
		ours,
		{"Theirs", "The client repeats its call with the same Idempotency-Key: a deposit, the commit or the cancellation of " +
			"a " +
			"cash-out, or the return of a paid one. It is booked once. Compare the statement again afterward. If a deposit " +
			"was " +
			"charged back, or the client can no longer call, correct the balance by hand.", nil},
	}}
	noMoneyDiffers = guide{"Ask the platform which of the two books is right.", []answer{
		{"Either", "The money is the same in both. Close as explained.", nil},
	}}
	bothSidesDiffer = guide{"Ask the platform which of the two books is right.", []answer{
		ours,
		{"Theirs", "Roll ours back. The platform sends it again.", rollback},
	}}
	idDiffers = guide{"Ask the platform whether both are one transaction.", []answer{
		{"They are one", "It is booked already: pay and take nothing. Close as explained.", nil},
		{"They are two", "The platform’s is missing here, and ours is missing there. Copy its answer into a comment, and ask " +
			"it to send " +
			"its transaction again.", nil},
	}}
	tooMuchHere = guide{"Ask the platform which of the two amounts is right.", []answer{
		ours,
		{"Theirs", "The player has {remedy} too much: debit them.", debit},
	}}
	tooLittleHere = guide{"Ask the platform which of the two amounts is right.", []answer{
		ours,
		{"Theirs", "The player has {remedy} too little: credit them.", credit},
	}}
	winAppliedHere = guide{"Ask the platform what happened to this win there.", []answer{
		{"It failed there", kept, nil},
		{"It was voided there", "Take it back by a rollback.", voidedRound},
	}}
	winRolledBackHere = guide{"This win was rolled back here. Ask the platform whether it still counts there.", []answer{
		{"It was voided there too", nothing, nil},
		{"It still counts there", "It cannot be booked again under its ID: credit {remedy}.", credit},
	}}
	winMissingHere = guide{"Ask the platform what happened to this win there.", []answer{
		{"It was won, whether or not it failed there",
			"It was not applied here: credit it under the platform’s transaction ID.", missingWin},
		{"It was voided there", nothing, nil},
	}}
	betAppliedHere = guide{askBet, []answer{{failedOrVoided, "It was applied here: refund it.", refund}, takenThere}}
	betVoidedThere = guide{askBet, []answer{{failedOrVoided, "It was applied here: refund it.", refundRound}, takenThere}}

	betRolledBackHere = guide{askBet, []answer{failedThere,
		{"It was taken there", "It was rolled back here, and the player owes it: debit {remedy}.", debit}}}
	betMissingHere = guide{askBet, []answer{failedThere,
		{"It was taken there", "Book it under the platform’s transaction ID, so that turnover and GGR match the platform’s. " +
			"Or leave the " +
			"stake to the player, who lost nothing because of a missed callback, and write it off.", missingBet}}}
	betNotApplied = guide{askBet, []answer{failedThere,
		{"It was taken there", "The player kept the stake because of a missed callback, through no fault of theirs: take " +
			"nothing. Write " +
			"it off.", nil}}}
)

// Texts that the guides for bets share.
const (
	askBet         = "Ask the platform what happened to this bet there."
	failedOrVoided = "It failed there, or was voided"
)

var (
	failedThere = answer{"It failed there", "It was not applied here: nothing to do. Close as explained.", nil}
	takenThere  = answer{"It was taken there too", "Nothing to do: the statement is wrong. Close as explained.", nil}
)
