package models

import "time"

// The rules for money, in one place and without side effects.
//
// Decide is called while the wallet is locked, with what the store has for the operation's transaction ID. The order below is
// part of the contract with the platform: if several reasons apply, the first is the answer, so that a retry of an applied bet
// stays a duplicate even if the player has since been restricted or lost the money.
//
//	bet, win, bet-win, opening, adjustment
//	  1 RolledBack         the transaction was rolled back, for any player (Errors 4), or this player's rollback came first
//	  2 Duplicate          it was processed (Errors 5); OtherContents says whether with other contents
//	  3 HouseFrozen        bets only, as the next two, unless staff book what the platform has taken (ByHand)
//	    PlayerRestricted
//	    LimitReached       see player_limit.go
//	    GrantMissing       free spins only, if the operator refuses those that no grant explains: freeSpin is not signed, so
//	                       anybody between the platform and Pitboss could turn a paid bet into a free one
//	  4 InsufficientFunds  the bet exceeds the balance (Callback service rule 2); a bet of 0.00 needs no funds. A BetWin's bet
//	                       is checked before its win is credited (rule 5); a free spin's stake is not checked (rule 3); an
//	                       adjustment may exceed the balance only if AllowNegative is true
//	  5 BalanceOverflow    the balance after it would exceed MaxAmount. Nothing is booked, as for an amount above MaxAmount
//	cash deposit, cash-out
//	  1 Duplicate          even if the cash-out has ended since: a repeat gets the first answer
//	  2 OtherCurrency
//	    PlayerRestricted   see cash.go
//	    LimitReached       deposits only: see player_limit.go
//	    ClientLimit
//	  3 InsufficientFunds  the cash-out exceeds the balance
//	  4 BalanceOverflow    the balance or the held amount
//	cash-out bounced       whether it was paid is checked before: that never changes
//	  1 Duplicate
//	  2 BalanceOverflow
//	cash-out paid, cash-out returned
//	  1 NotFound           this player has no such cash-out
//	  2 Duplicate          it has ended in the same way
//	    CashOutEnded       it has ended in the other way
//	  3 BalanceOverflow
//	rollback
//	  1 NotFound           this player has no such transaction (Errors 6). If nobody has, a tombstone is stored, once, because
//	                       the original may still be on its way. If another player has, no tombstone is needed, because this
//	                       player can never process the transaction ID
//	  2 RolledBack         it was rolled back before (Errors 4)
//	  3 BalanceOverflow
//
// A rollback reverses what was applied, whatever the balance is now: a win that has been spent leaves a negative balance,
// because the specification has no refusal for it and the platform has already voided the round.
//
// Near the ends of the range of balances, -MaxAmount to MaxAmount:
//
//   - A rollback is refused only if the resulting balance is out of range. A BetWin has two lines; its rollback returns the bet
//     first, unless the bet alone would overflow: then it takes the win first. So an operation that was just applied can always
//     be rolled back, because the balance before it was in range.
//   - A win is booked whenever the balance after it is in range (rule 4), even if it leaves no room to return an earlier bet.
//     Refusing the win would take money from the player now to keep room for a rollback that may never come.
//   - That rollback is then refused with BalanceOverflow, which the platform gets as result 1. It writes nothing and opens a
//     case. The transaction stays processed, so the same rollback succeeds as soon as there is room.
//   - There is always a way to make room: while the balance is not negative, reverse an operation that gave money; while it is
//     negative, reverse one that took money (an adjustment, by the opposite adjustment). No such step leaves the range, and the
//     last one results in the opening balance. So everything that was applied can be reversed.
//
// Why deciding twice is harmless: everything that an outcome changes is either found by the next Decide (the transaction, the
// tombstone) or written in the same database transaction.

// State is what Decide depends on, read under the wallet's lock.
type State struct {
	Wallet     Wallet
	Limits     *PlayerLimits // the wallet's, with the sums of the current periods; nil if there are none
	Prior      *Transaction  // with the operation's Source and TransactionID, of any player; nil if there is none
	Tombstoned bool          // this player's rollback of the TransactionID came first
	At         time.Time     // when it is decided
	Moved      CashCaps      // cash with Caps only: what the client has moved in the day
	Frozen     bool          // a restriction of the house is in effect
	Ungranted  bool          // no grant with spins left is known, and free spins without one are refused
}

// Line is a ledger line to be written.
type Line struct {
	Kind   EntryKind
	Amount Amount // signed; in the free-spin ledger, the nominal stake
	Held   Amount // signed: what is added to the held amount
	Spins  int64  // free-spin ledger only: +1 used, -1 returned
}

// Outcome is what Decide returns: a refusal, or what to write. A refusal may have something to write too: a tombstone.
type Outcome struct {
	Decline       Decline
	OtherContents bool        // Duplicate only: the contents differ from the original's
	Process       bool        // store the operation as a new transaction
	Reverse       bool        // mark Prior as rolled back
	Pay           bool        // mark Prior, a cash-out, as paid
	Tombstone     bool        // store a tombstone; its line is in Lines
	Limit         *LimitState // LimitReached only: which limit
	Cap           *CashCap    // ClientLimit only: which limit
	Lines         []Line      // the ledger lines to append, in order
}

func decline(d Decline) Outcome { return Outcome{Decline: d} }

// Decide returns the outcome of op in this state. It never fails and changes nothing.
func Decide(s State, op Operation) Outcome {
	switch op.Kind {
	case Rollback:
		return decideRollback(s)
	case CashIn, CashOut, CashBounced:
		return decideCash(s, op)
	case CashPaid, CashReturned:
		return decideCashEnd(s, op)
	}
	if s.Tombstoned || s.Prior != nil && s.Prior.State == Reversed {
		return decline(RolledBack)
	}
	if s.Prior != nil {
		return Outcome{Decline: Duplicate, OtherContents: !s.Prior.SameContents(s.Wallet.PlayerID, op)}
	}
	o := Outcome{Process: true}
	if op.Kind == Bet || op.Kind == BetWin {
		if s.Frozen && !op.ByHand {
			return decline(HouseFrozen)
		}
		if !s.Wallet.MayPlay(s.At) && !op.ByHand {
			return decline(PlayerRestricted)
		}
		if limit := s.Limits.stops(&op, s.At); limit != nil && !op.ByHand {
			return Outcome{Decline: LimitReached, Limit: limit}
		}
		if op.FreeSpin {
			if s.Ungranted {
				return decline(GrantMissing)
			}
			o.Lines = append(o.Lines, Line{Kind: EntrySpin, Amount: op.Bet, Spins: 1})
			return o
		}
		if op.Bet > 0 && op.Bet > s.Wallet.Balance {
			return decline(InsufficientFunds)
		}
		o.Lines = append(o.Lines, Line{Kind: EntryBet, Amount: -op.Bet})
	}
	switch op.Kind {
	case Win, BetWin:
		o.Lines = append(o.Lines, Line{Kind: EntryWin, Amount: op.Win})
	case Opening:
		o.Lines = append(o.Lines, Line{Kind: EntryOpening, Amount: op.Win})
	case Adjustment:
		if op.Bet > 0 && op.Bet > s.Wallet.Balance && !op.AllowNegative {
			return decline(InsufficientFunds)
		}
		o.Lines = append(o.Lines, Line{Kind: EntryAdjustment, Amount: op.Win - op.Bet})
	}
	return within(s.Wallet.Balance, o)
}

func decideCash(s State, op Operation) Outcome {
	w := s.Wallet
	if s.Prior != nil {
		return Outcome{Decline: Duplicate,
			OtherContents: !s.Prior.SameContents(w.PlayerID, op) || op.Currency != w.Currency}
	}
	if op.Currency != w.Currency {
		return decline(OtherCurrency)
	}
	o := Outcome{Process: true}
	if op.Kind == CashBounced {
		o.Lines = append(o.Lines, Line{Kind: EntryCashBounced, Amount: op.Win})
		return within(w.Balance, o)
	}
	limit := op.Caps.reached(s.Moved, op.Bet+op.Win)
	if op.Kind == CashIn {
		if !w.MayDeposit(s.At) {
			return decline(PlayerRestricted)
		}
		if limit := s.Limits.stops(&op, s.At); limit != nil {
			return Outcome{Decline: LimitReached, Limit: limit}
		}
		if limit != nil {
			return Outcome{Decline: ClientLimit, Cap: limit}
		}
		o.Lines = append(o.Lines, Line{Kind: EntryCashIn, Amount: op.Win})
		return within(w.Balance, o)
	}
	if !w.MayCashOut(s.At) {
		return decline(PlayerRestricted)
	}
	if limit != nil {
		return Outcome{Decline: ClientLimit, Cap: limit}
	}
	if op.Bet > w.Balance {
		return decline(InsufficientFunds)
	}
	if _, fits := w.Held.Plus(op.Bet); !fits {
		return decline(BalanceOverflow)
	}
	o.Lines = append(o.Lines, Line{Kind: EntryCashOut, Amount: -op.Bet, Held: op.Bet})
	return o
}

func decideCashEnd(s State, op Operation) Outcome {
	t := s.Prior
	if t == nil || t.PlayerID != s.Wallet.PlayerID || t.Kind != CashOut {
		return decline(NotFound)
	}
	ends := PaidOut
	if op.Kind == CashReturned {
		ends = Reversed
	}
	switch {
	case t.State == ends:
		return decline(Duplicate)
	case t.State != Processed:
		return decline(CashOutEnded)
	case ends == PaidOut:
		o := Outcome{Pay: true}
		o.Lines = append(o.Lines, Line{Kind: EntryCashPaid, Held: -t.Bet})
		return o
	}
	o := takeBack(s.Wallet.Balance, t.Kind, t.Bet, t.Win)
	o.Reverse = true
	return within(s.Wallet.Balance, o)
}

func decideRollback(s State) Outcome {
	t := s.Prior
	if t == nil && !s.Tombstoned {
		o := Outcome{Decline: NotFound, Tombstone: true}
		o.Lines = append(o.Lines, Line{Kind: EntryTombstone})
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
		o.Lines = append(o.Lines, Line{Kind: EntrySpinReversed, Amount: -t.Bet, Spins: -1})
		return o
	}
	o = takeBack(s.Wallet.Balance, t.Kind, t.Bet, t.Win)
	o.Reverse = true
	return within(s.Wallet.Balance, o)
}

// takeBack returns the lines that reverse a bet, a win, both, or a cash-out.
func takeBack(balance Amount, kind OperationKind, stake, won Amount) (o Outcome) {
	bet, win := Line{Kind: EntryBetReversed, Amount: stake}, Line{Kind: EntryWinReversed, Amount: -won}
	switch kind {
	case Bet:
		o.Lines = []Line{bet}
	case Win:
		o.Lines = []Line{win}
	case CashOut:
		o.Lines = []Line{{Kind: EntryCashReturned, Amount: stake, Held: -stake}}
	case BetWin:
		// The bet is returned before the win is taken, so that the balance in between is never lower than the one after.
		o.Lines = []Line{bet, win}
		if _, fits := balance.Plus(bet.Amount); !fits {
			o.Lines = []Line{win, bet}
		}
	}
	return o
}

// within returns o, or a refusal if any line would overflow the balance.
func within(balance Amount, o Outcome) Outcome {
	for _, l := range o.Lines {
		var ok bool
		if balance, ok = balance.Plus(l.Amount); !ok {
			return decline(BalanceOverflow)
		}
	}
	return o
}

// Result is the answer to an operation, once it is committed.
type Result struct {
	Decline       Decline
	OtherContents bool        // Duplicate only
	Unexplained   bool        // a free spin was booked although no grant for it is known
	Balance       Balance     // of the operation's player, after it; zero for UnknownPlayer
	Held          Amount      // likewise; only known for cash
	Decided       Decided     // for the callback log; zero for UnknownPlayer
	Limit         *LimitState // LimitReached only: which limit
	Cap           *CashCap    // ClientLimit only: which limit
}

// Decided says when and how the ledger decided an operation.
type Decided struct {
	At       time.Time // which its ledger rows have too
	PlayerID int64
	Seq      int64  // of the first ledger line that it wrote; 0 if it wrote none
	Spin     bool   // that line is in the free-spin ledger
	Cause    string // why it was refused, if the decline does not say it
}
