package models

// The rules of money, in one place and without side effects.
//
// Decide is called while the wallet is locked, with what the store holds under the operation's TransactionID. The order below
// is part of the contract with the platform: where several reasons hold, the first is the answer, so that a retry of an applied
// bet stays a duplicate even when the player has since been blocked or become poor.
//
//	bet, win, bet-win, opening, adjustment
//	  1 RolledBack         the transaction was rolled back, whoever asks (Errors 4), or this player's rollback came first
//	  2 Duplicate          it was processed (Errors 5); whether with other contents is said beside it
//	  3 PlayerBlocked      bets only
//	  4 InsufficientFunds  the stake is more than the balance (Callback service rule 2); a stake of 0.00 needs no funds, and a
//	                       BetWin's stake is checked before its win is credited (rule 5); a free spin's is not checked (rule 3);
//	                       an adjustment takes more than there is only where it is allowed to
//	  5 BalanceOverflow
//	rollback
//	  1 NotFound           this player has no such transaction (Errors 6). If nobody has, a tombstone is left, once: the original
//	                       may still be on its way. If another player has, nothing is left, because this player can never
//	                       process that TransactionID any more
//	  2 RolledBack         it was rolled back before (Errors 4)
//	  3 BalanceOverflow
//
// A rollback takes back what was applied, whatever the balance is since: a spent win leaves a negative balance, because the
// specification knows no refusal for it and the platform has already voided the round.
//
// Near the ends of the range of Amount:
//
//   - A rollback is refused only when the balance that it leads to is beyond the range. A BetWin is two lines; its rollback
//     books the bet first, unless the bet alone would overflow: then it takes the win back first. So an operation that was just
//     applied can always be rolled back: the balance before it existed.
//   - A win is booked whenever its balance fits (rule 4), even if it leaves no room to give back an earlier bet. Refusing the
//     win would take money from the player now to keep room for a rollback that may never come.
//   - That rollback is then refused with BalanceOverflow, which the platform is told as result 1. It writes nothing, leaves no
//     mark, and opens a case. The transaction stays processed, so the same rollback succeeds as soon as there is room.
//   - There always is a way to make room: while the balance is zero or above, take back an operation that gave money; while it
//     is below zero, take back one that took money (an adjustment, by the opposite adjustment). No such step leaves the range,
//     and the last one leads to the opening balance. So nothing that was applied is beyond undoing.
//
// Why a second run is harmless: all that an outcome changes is either found again by the next Decide (the transaction, the
// tombstone) or belongs to the same database transaction as what is found.

// State is what Decide looks at, read under the wallet's lock.
type State struct {
	Wallet     Wallet
	Prior      *Transaction // the one of the operation's Source and TransactionID, whoever's; nil if there is none
	Tombstoned bool         // this player's rollback of that TransactionID came first
}

// Line is one ledger line that an outcome asks for.
type Line struct {
	Kind   EntryKind
	Amount Amount // signed; in the free-spin ledger the stake, a figure
	Spins  int64  // free-spin ledger only: +1 used, -1 given back
}

// Outcome is Decide's answer: a refusal, or what has to be written. A refusal may ask for writing too: a tombstone, a mark.
type Outcome struct {
	Decline       Decline
	OtherContents bool // Duplicate only: the contents differ from the first's
	Process       bool // store the operation as a new transaction
	Reverse       bool // mark Prior as rolled back
	Tombstone     bool // remember the rollback; its line is in Lines
	lines         [2]Line
	n             int
}

// Lines are the ledger lines to append, in order.
func (o *Outcome) Lines() []Line { return o.lines[:o.n] }

func (o *Outcome) add(l Line) {
	o.lines[o.n] = l
	o.n++
}

func decline(d Decline) Outcome { return Outcome{Decline: d} }

// Decide says what becomes of op in this state. It never fails and changes nothing.
func Decide(s State, op Operation) Outcome {
	if op.Kind == Rollback {
		return decideRollback(s)
	}
	if s.Tombstoned || s.Prior != nil && s.Prior.State == Reversed {
		return decline(RolledBack)
	}
	if s.Prior != nil {
		return Outcome{Decline: Duplicate, OtherContents: !s.Prior.SameContents(s.Wallet.PlayerID, op)}
	}
	o := Outcome{Process: true}
	if op.Kind == Bet || op.Kind == BetWin {
		if s.Wallet.Blocked {
			return decline(PlayerBlocked)
		}
		if op.FreeSpin {
			o.add(Line{Kind: EntrySpin, Amount: op.Bet, Spins: 1})
			return o
		}
		if op.Bet > 0 && op.Bet > s.Wallet.Balance {
			return decline(InsufficientFunds)
		}
		o.add(Line{Kind: EntryBet, Amount: -op.Bet})
	}
	switch op.Kind {
	case Win, BetWin:
		o.add(Line{Kind: EntryWin, Amount: op.Win})
	case Opening:
		o.add(Line{Kind: EntryOpening, Amount: op.Win})
	case Adjustment:
		if op.Bet > 0 && op.Bet > s.Wallet.Balance && !op.AllowNegative {
			return decline(InsufficientFunds)
		}
		o.add(Line{Kind: EntryAdjustment, Amount: op.Win - op.Bet})
	}
	return within(s.Wallet.Balance, o)
}

func decideRollback(s State) Outcome {
	t := s.Prior
	if t == nil && !s.Tombstoned {
		o := Outcome{Decline: NotFound, Tombstone: true}
		o.add(Line{Kind: EntryTombstone})
		return o
	}
	if t == nil || t.PlayerID != s.Wallet.PlayerID {
		return decline(NotFound)
	}
	if t.State == Reversed {
		return decline(RolledBack)
	}
	o := Outcome{Reverse: true}
	if t.FreeSpin {
		o.add(Line{Kind: EntrySpinReversed, Amount: -t.Bet, Spins: -1})
		return o
	}
	o = takeBack(s.Wallet.Balance, t.Kind, t.Bet, t.Win)
	o.Reverse = true
	return within(s.Wallet.Balance, o)
}

// takeBack gives the lines that take back a bet, a win or both.
func takeBack(balance Amount, kind OperationKind, stake, won Amount) (o Outcome) {
	bet, win := Line{Kind: EntryBetReversed, Amount: stake}, Line{Kind: EntryWinReversed, Amount: -won}
	switch kind {
	case Bet:
		o.add(bet)
	case Win:
		o.add(win)
	case BetWin:
		// The bet comes back before the win goes, so that the balance between the two lines is never below the one after them.
		if _, fits := balance.Plus(bet.Amount); fits {
			o.add(bet)
			o.add(win)
		} else {
			o.add(win)
			o.add(bet)
		}
	}
	return o
}

// within turns an outcome whose balance would leave the range, at any line, into a refusal.
func within(balance Amount, o Outcome) Outcome {
	for _, l := range o.Lines() {
		var ok bool
		if balance, ok = balance.Plus(l.Amount); !ok {
			return decline(BalanceOverflow)
		}
	}
	return o
}

// Result is what a caller is told of an operation, once it is committed.
type Result struct {
	Decline       Decline
	OtherContents bool    // Duplicate only
	Unexplained   bool    // a free spin was booked of which no grant is known to us
	Balance       Balance // the asking player's, after the operation; zero for UnknownPlayer
}
