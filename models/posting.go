package models

import "time"

// Claim is what a posting does to its TransactionID. For each Source and TransactionID there is at most one posting with each
// claim, so no operation is booked twice.
type Claim uint8

const (
	// ClaimNone is a rollback that came before its original: several players may send one for the same TransactionID.
	ClaimNone Claim = 0
	// ClaimApplied booked the operation.
	ClaimApplied Claim = 1
	// ClaimRolledBack reversed it, for good. The posting that paid a cash-out has this claim too, so that only one ends it.
	ClaimRolledBack Claim = 2
)

// Posting is a row of the ledger: what one operation did to one wallet. Postings are only added. A rollback is another posting
// with the same TransactionID, which repeats the amounts that it reverses; so is the end of a cash-out. The posting of a free
// spin moves no money; its line is in the free-spin ledger.
type Posting struct {
	ID            int64 // the order of booking, over all wallets; 0 until it is stored
	Source        Source
	TransactionID TransactionID
	Claim         Claim
	PlayerID      int64
	Seq           int64 // of its last line in the wallet's ledger; for a free spin, of the line before it
	Kind          OperationKind
	RoundID       RoundID
	Bet           Amount
	Win           Amount
	FreeSpin      bool
	After         Amount // the balance
	Held          Amount `json:",omitempty"` // the held amount; only stored for cash, because nothing else changes it
	At            time.Time
	Signed        SignedDigest // of its callback's signed text; zero if no callback brought it
	Sender        Sender       `json:"-" gorm:"-"` // written, and read by the callback log only
	Hash          Hash         // of its contents and the wallet's previous posting; for a free spin, the hash of its line
}

// Lines returns how many lines p has in the money ledger: two for a bet with a win and its rollback, none for a free spin.
func (p *Posting) Lines() int64 {
	switch {
	case p.FreeSpin:
		return 0
	case p.Kind == BetWin:
		return 2
	}
	return 1
}

// Effect returns how p changed the balance, signed, or false if that overflows, which no genuine posting does.
func (p *Posting) Effect() (Amount, bool) {
	switch {
	case p.FreeSpin || p.Claim == ClaimNone || p.Kind == CashPaid:
		return 0, true
	case p.Claim == ClaimRolledBack:
		return p.Bet.Plus(-p.Win)
	}
	return p.Win.Plus(-p.Bet)
}

// HeldEffect returns how p changed the held amount, signed.
func (p *Posting) HeldEffect() (sum Amount) {
	for _, line := range p.lines() {
		sum += line.Held
	}
	return sum
}

// Before returns the balance before p.
func (p *Posting) Before() Amount {
	effect, _ := p.Effect()
	before, _ := p.After.Plus(-effect)
	return before
}

// Entries returns p's lines in the money ledger, in order, each with p's hash. currency is the wallet's.
func (p *Posting) Entries(currency Currency) []Entry {
	lines := p.lines()
	entries := make([]Entry, len(lines))
	balance, seq := p.Before(), p.Seq-int64(len(lines))
	for i, line := range lines {
		seq++
		entries[i] = Entry{
			PlayerID: p.PlayerID, Seq: seq, Kind: line.Kind, Source: p.Source, TransactionID: p.TransactionID,
			RoundID:  p.RoundID,
			Currency: currency, Amount: line.Amount, Held: line.Held, Before: balance, After: balance + line.Amount, At: p.At, Hash: p.Hash,
			Second: i > 0,
		}
		balance += line.Amount
	}
	return entries
}

// lines returns the lines in the order in which Decide booked them.
func (p *Posting) lines() []Line {
	switch {
	case p.FreeSpin:
		return nil
	case p.Claim == ClaimNone:
		return []Line{{Kind: EntryTombstone}}
	case p.Kind == CashPaid:
		return []Line{{Kind: EntryCashPaid, Held: -p.Bet}}
	case p.Claim == ClaimRolledBack:
		o := takeBack(p.Before(), p.Kind, p.Bet, p.Win)
		return o.Lines
	}
	switch p.Kind {
	case Bet:
		return []Line{{Kind: EntryBet, Amount: -p.Bet}}
	case Win:
		return []Line{{Kind: EntryWin, Amount: p.Win}}
	case BetWin:
		return []Line{{Kind: EntryBet, Amount: -p.Bet}, {Kind: EntryWin, Amount: p.Win}}
	case Opening:
		return []Line{{Kind: EntryOpening, Amount: p.Win}}
	case Adjustment:
		return []Line{{Kind: EntryAdjustment, Amount: p.Win - p.Bet}}
	case CashIn:
		return []Line{{Kind: EntryCashIn, Amount: p.Win}}
	case CashBounced:
		return []Line{{Kind: EntryCashBounced, Amount: p.Win}}
	case CashOut:
		return []Line{{Kind: EntryCashOut, Amount: -p.Bet, Held: p.Bet}}
	}
	return []Line{{Kind: EntryKind(255)}} // a manipulated row
}

// Transaction returns the transaction that p applied, as far as p alone shows.
func (p *Posting) Transaction() Transaction {
	return Transaction{
		ID: p.ID, Source: p.Source, TransactionID: p.TransactionID, PlayerID: p.PlayerID, Kind: p.Kind, RoundID: p.RoundID,
		Bet: p.Bet, Win: p.Win, FreeSpin: p.FreeSpin, State: Processed, At: p.At,
	}
}

// SameContents reports whether other, the posting of a rollback, has the contents of p, and so reverses exactly what p booked.
func (p *Posting) SameContents(other *Posting) bool {
	return p.PlayerID == other.PlayerID && p.Kind == other.Kind && p.RoundID == other.RoundID && p.Bet == other.Bet &&
		p.Win == other.Win &&
		p.FreeSpin == other.FreeSpin
}
