package models

import "time"

// Wallet is one player's money and the heads of the two chains that prove it. It has the player's own number: one wallet a
// player.
type Wallet struct {
	PlayerID int64
	Currency Currency
	Blocked  bool   // bets are refused; wins and rollbacks still settle
	Balance  Amount `gorm:"column:balance_minor"`
	Seq      int64  // of the last line
	Head     Hash
	SpinSeq  int64 // of the last SpinEntry
	SpinHead Hash
}

// Balance is what GetBalance answers.
type Balance struct {
	Amount   Amount
	Currency Currency
}

// Post books an Outcome's lines of money as one posting: it moves the balance and the head, and returns the row to store. p
// says who, what and when; Post fills in the wallet's own fields. A posting without such lines, a free spin's, leaves the
// wallet as it is.
func (w *Wallet) Post(c *Chain, p Posting, lines []Line) Posting {
	p.PlayerID, p.Seq, p.After = w.PlayerID, w.Seq, w.Balance
	if p.FreeSpin {
		return p
	}
	for _, line := range lines {
		p.Seq, p.After = p.Seq+1, p.After+line.Amount
	}
	p.Hash = c.Posting(w.Head, w.Currency, &p)
	w.Balance, w.Seq, w.Head = p.After, p.Seq, p.Hash
	return p
}

// AppendSpin books one line of an Outcome in the free-spin ledger, which never touches the balance.
func (w *Wallet) AppendSpin(c *Chain, op *Operation, round RoundID, line Line, grantKnown bool, at time.Time) SpinEntry {
	e := SpinEntry{
		PlayerID: w.PlayerID, Seq: w.SpinSeq + 1, Kind: line.Kind, TransactionID: op.TransactionID, RoundID: round,
		Currency: w.Currency, Spins: line.Spins, Stake: line.Amount, GrantKnown: grantKnown, At: at,
	}
	e.Hash = c.SpinEntry(w.SpinHead, &e)
	w.SpinSeq, w.SpinHead = e.Seq, e.Hash
	return e
}
