package pages

import (
	"strings"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

var entryWords = map[models.EntryKind]string{
	models.EntryOpening: "Wallet opened", models.EntryBet: "Bet taken", models.EntryWin: "Win paid",
	models.EntryBetReversed: "Bet refunded",
	models.EntryWinReversed: "Win reversed", models.EntryTombstone: "Rollback before its original",
	models.EntrySpin:         "Free spin used",
	models.EntrySpinReversed: "Free spin returned", models.EntryAdjustment: "Adjusted",
	models.EntryCashIn: "Cash deposit", models.EntryCashOut: "Cash-out requested", models.EntryCashPaid: "Cash-out paid",
	models.EntryCashReturned: "Cash-out returned", models.EntryCashBounced: "Cash-out bounced",
}

// EntryWord describes a ledger line in a few words.
func EntryWord(kind models.EntryKind) string {
	if word, ok := entryWords[kind]; ok {
		return word
	}
	return web.FirstUpper(kind.String())
}

// TransactionRow is a transaction in a table.
type TransactionRow struct {
	models.TransactionLine
	Href, RoundHref, PlayerHref string
	Moment                      views.Moment
	Word                        string
	Amount                      views.Money
	Left                        views.Money // the balance after it
	Badge                       views.Badge
	Note                        string
	Refused                     bool // it is a refused bet: the callback's page has an answer for the player
}

// TransactionWord returns a transaction's kind in one or two words.
func TransactionWord(t models.Transaction) string {
	switch {
	case t.FreeSpin:
		return "Free-spin bet"
	case t.Kind == models.BetWin:
		return "Bet + win"
	case t.Kind == models.Opening:
		return "Opening"
	}
	return web.FirstUpper(t.Kind.String())
}

// TransactionState returns the badge for a transaction's state.
func TransactionState(t models.Transaction) views.Badge {
	switch {
	case t.State == models.Reversed:
		return views.Undone(t.Ended())
	case t.State == models.PaidOut:
		return views.Quiet(t.Ended())
	case t.Kind == models.CashOut:
		return views.Quiet("Requested")
	}
	return views.Quiet("Applied")
}

// TransactionAmount returns the amount that a transaction moved, with its sign. The stake of a free spin, and a cash-out that
// is being paid, change no balance and have no sign.
func TransactionAmount(p *web.Page, t models.TransactionLine) views.Money {
	m := p.Signed(t.Effect(), t.Currency)
	if t.FreeSpin || t.Kind == models.CashPaid {
		m = p.Money(t.Bet, t.Currency)
	}
	m.Void, m.Struck = t.State == models.Reversed, t.State == models.Reversed
	return m
}

func transactionRow(p *web.Page, t models.TransactionLine) TransactionRow {
	row := TransactionRow{
		TransactionLine: t, Href: TransactionPath(t.ID), RoundHref: RoundPath(t.ID), PlayerHref: PlayerPath(t.PlayerID),
		Word:   TransactionWord(t.Transaction),
		Moment: p.Time(t.At), Amount: TransactionAmount(p, t), Badge: TransactionState(t.Transaction),
		Note: TransactionNote(t),
	}
	if t.After != nil {
		row.Left = views.Money{Text: t.After.Grouped(), Second: true}
	}
	return row
}

// TransactionNote returns the note next to a transaction's state.
func TransactionNote(t models.TransactionLine) (note string) {
	if t.Kind == models.BetWin {
		note = "bet " + t.Bet.Grouped() + ", win " + t.Win.Grouped()
	}
	if !t.OtherContents.IsZero() {
		note = strings.TrimPrefix(note+", came again, changed", ", ")
	}
	return note
}

// TransactionRows returns the rows of transactions.
func TransactionRows(p *web.Page, list []models.TransactionLine) []TransactionRow {
	rows := make([]TransactionRow, len(list))
	for i, t := range list {
		rows[i] = transactionRow(p, t)
	}
	return rows
}
