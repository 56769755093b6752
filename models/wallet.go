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

// Post books the money lines of an Outcome as one posting: it updates the balance and the head, and returns the row to store. p
// has the operation's fields; Post fills in those of the wallet. A free spin has no money lines, so its posting does not change
// the wallet.
func (w *Wallet) Post(c *Chain, p Posting, lines []Line) Posting {
	p.PlayerID, p.Seq, p.After = w.PlayerID, w.Seq, w.Balance
	if p.Kind.IsCash() {
		p.Held = w.Held
	}
	if p.FreeSpin {
		return p
	}
	for _, line := range lines {
		p.Seq, p.After, p.Held = p.Seq+1, p.After+line.Amount, p.Held+line.Held
	}
	p.Hash = c.Posting(w.Head, w.Currency, &p)
	w.Balance, w.Seq, w.Head = p.After, p.Seq, p.Hash
	if p.Kind.IsCash() {
		w.Held = p.Held
	}
	return p
}

// AppendSpin books a line in the free-spin ledger, which never changes the balance. It sets the player, the line's number, the
// currency and the hash, and returns the line.
func (w *Wallet) AppendSpin(c *Chain, e SpinEntry) SpinEntry {
	e.PlayerID, e.Seq, e.Currency = w.PlayerID, w.SpinSeq+1, w.Currency
	e.Hash = c.SpinEntry(w.SpinHead, &e)
	w.SpinSeq, w.SpinHead = e.Seq, e.Hash
	return e
}
