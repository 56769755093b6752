package models

import "time"

// Wallet is one player's money and the heads of the two chains that prove it. It has the player's own number: one wallet a player.
type Wallet struct {
	PlayerID int64
	Currency Currency
	Blocked  bool // bets are refused; wins and rollbacks still settle
	Balance  Amount
	Seq      int64 // of the last Entry
	Head     Hash
	SpinSeq  int64 // of the last SpinEntry
	SpinHead Hash

	Tombstones int64 // how many the player has: where there is none, none is looked for
}

// Balance is what GetBalance answers.
type Balance struct {
	Amount   Amount
	Currency Currency
}

// Append books one line of an Outcome on the wallet: it moves the balance and the head, and returns the entry to store.
func (w *Wallet) Append(c *Chain, op *Operation, round RoundID, line Line, at time.Time) Entry {
	e := Entry{
		PlayerID: w.PlayerID, Seq: w.Seq + 1, Kind: line.Kind, Source: op.Source, TransactionID: op.TransactionID,
		RoundID: round, Currency: w.Currency, Amount: line.Amount, Before: w.Balance, After: w.Balance + line.Amount, At: at,
	}
	e.Hash = c.Entry(w.Head, &e)
	w.Balance, w.Seq, w.Head = e.After, e.Seq, e.Hash
	return e
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
