package models

import "time"

// Wallet is one player's money, and the heads of the two chains that prove it. Each player has one wallet, with the same ID.
type Wallet struct {
	PlayerID int64
	Currency Currency
	// The latest ends of the player's restrictions: before them, bets, free spins, cash deposits or cash-outs are refused. Wins
	// and rollbacks still settle.
	PlayFrom     time.Time `gorm:"column:play_from_us;serializer:micros"`
	BonusesFrom  time.Time `gorm:"column:bonuses_from_us;serializer:micros"`
	DepositsFrom time.Time `gorm:"column:deposits_from_us;serializer:micros"`
	CashOutsFrom time.Time `gorm:"column:cash_outs_from_us;serializer:micros"`
	Limits       string    // the player's limits (PlayerLimits); empty if there are none
	LimitSums    string    `covered:"-"`                             // what is used of them
	Balance      Amount    `gorm:"column:balance_minor" covered:"-"` // what can be played
	Held         Amount    `gorm:"column:held_minor" covered:"-"`    // by cash-outs that are neither paid nor returned
	Seq          int64     `covered:"-"`                             // of the last line
	Head         Hash      `covered:"-"`
	SpinSeq      int64     `covered:"-"` // of the last SpinEntry
	SpinHead     Hash      `covered:"-"`
}

// MayPlay reports whether no restriction of the player stops play.
func (w Wallet) MayPlay(at time.Time) bool { return !at.Before(w.PlayFrom) }

// MayGetBonuses reports whether no restriction of the player stops bonuses or play.
func (w Wallet) MayGetBonuses(at time.Time) bool { return w.MayPlay(at) && !at.Before(w.BonusesFrom) }

// MayDeposit reports whether no restriction of the player stops deposits or play.
func (w Wallet) MayDeposit(at time.Time) bool { return w.MayPlay(at) && !at.Before(w.DepositsFrom) }

// MayCashOut reports whether no restriction of the player stops cash-outs.
func (w Wallet) MayCashOut(at time.Time) bool { return !at.Before(w.CashOutsFrom) }

// Funds returns what is owed to the player: the balance and what is held.
func (w Wallet) Funds() Amount { return w.Balance + w.Held }

// Balance is the answer to GetBalance.
type Balance struct {
	Amount   Amount
	Currency Currency
}

// Book books an Outcome of op as one posting: it updates the balance, what is held and the head, and returns the row to store.
// prior is the transaction that the outcome reverses or pays. A free spin has no money lines, so its posting does not change
// the wallet.
func (w *Wallet) Book(c *Chain, o *Outcome, op *Operation, prior *Transaction, at time.Time, signed SignedDigest) Posting {
	p := Posting{
		Source: op.Source, TransactionID: op.TransactionID, Claim: ClaimApplied, PlayerID: w.PlayerID, Seq: w.Seq, Kind: op.Kind,
		RoundID: op.RoundID, Bet: op.Bet, Win: op.Win, FreeSpin: op.FreeSpin, After: w.Balance, At: at, Signed: signed, Sender: op.Sender,
	}
	switch {
	case o.Reverse:
		p.Claim, p.Kind, p.RoundID, p.Bet, p.Win, p.FreeSpin = ClaimRolledBack, prior.Kind, prior.RoundID, prior.Bet,
			prior.Win, prior.FreeSpin
	case o.Pay:
		p.Claim, p.Bet = ClaimRolledBack, prior.Bet
	case o.Tombstone:
		p.Claim = ClaimNone
	}
	if p.FreeSpin {
		return p
	}
	for _, line := range o.Lines {
		w.Seq, w.Balance, w.Held = w.Seq+1, w.Balance+line.Amount, w.Held+line.Held
	}
	p.Seq, p.After = w.Seq, w.Balance
	if p.Kind.IsCash() {
		p.Held = w.Held
	}
	w.Head = c.PostingHash(w.Head, w.Currency, &p)
	p.Hash = w.Head
	return p
}

// BookSpin books a line in the free-spin ledger, which never changes the balance. It sets the player, the line's number, the
// currency and the hash, and returns the line.
func (w *Wallet) BookSpin(c *Chain, e SpinEntry) SpinEntry {
	e.PlayerID, e.Seq, e.Currency = w.PlayerID, w.SpinSeq+1, w.Currency
	e.Hash = c.SpinHash(w.SpinHead, &e)
	w.SpinSeq, w.SpinHead = e.Seq, e.Hash
	return e
}
