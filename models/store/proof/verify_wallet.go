package proof

import (
	"database/sql"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/ledger"
)

// walletCheck is a wallet according to its row and according to its entries.
type walletCheck struct {
	user    models.UserID
	row     models.Wallet
	missing bool // there is no row
	derived models.Wallet
	last    int64                          // number of the last posting
	held    *heldWallet                    // what it must still contain; nil without a checkpoint
	from    models.Wallet                  // the state from which it is read; zero if all of it is
	ahead   bool                           // the checkpoint has later lines than the row, so nothing can be read from there
	booked  map[lineKey]*models.Correction // booked corrections, by the line that each says it booked
	faults  []string
	total   int
}

// lineKey identifies a line in one of the two ledgers.
type lineKey struct {
	spin bool
	seq  int64
}

// claimKey identifies a posting.
type claimKey struct {
	ledger.TransactionKey
	claim models.Claim
}

func (w *walletCheck) fault(format string, args ...any) {
	w.total++
	if len(w.faults) < models.FaultsKept {
		w.faults = append(w.faults, fmt.Sprintf(format, args...))
	}
}

// begin sets the state from which the wallet is read.
func (w *walletCheck) begin(from models.Wallet) {
	from.Currency = w.row.Currency
	w.from, w.derived = from, from
}

// place checks that the line seq of a chain directly follows the line last.
func (w *walletCheck) place(one, many string, last, seq int64) {
	if seq > last+1 {
		w.fault("%s missing", lines(one, many, last+1, seq-1))
	} else if seq <= last {
		w.fault("%s %d is before the chain's beginning", one, seq)
	}
}

// chainHead is the last line of a chain.
type chainHead struct {
	seq  int64
	hash models.Hash
}

// ends compares the end of a chain, according to its lines, with the head in the wallet's row. one and many are the words for
// its lines.
func (w *walletCheck) ends(one, many string, row, end chainHead) {
	switch {
	case row.seq > end.seq:
		w.fault("%s missing: the head is %s %d", lines(one, many, end.seq+1, row.seq), one, row.seq)
	case row.seq < end.seq:
		w.fault("%s inserted after the head, which is %s %d", lines(one, many, row.seq+1, end.seq), one, row.seq)
	case row.hash != end.hash:
		w.fault("the head is not the hash of %s %d", one, end.seq)
	}
}

// lines returns words for lines of a chain: "entry 3 is", "entries 3 to 5 are".
func lines(one, many string, from, to int64) string {
	if from == to {
		return fmt.Sprintf("%s %d is", one, from)
	}
	return fmt.Sprintf("%s %d to %d are", many, from, to)
}

// before reports whether a line is before the state from which the wallet is read.
func (w *walletCheck) before(key lineKey) bool {
	return key.spin && key.seq <= w.from.SpinSeq || !key.spin && key.seq <= w.from.Seq
}

// explain compares a line with the correction that says that it booked the line. An adjustment must have such a correction.
func (w *walletCheck) explain(key lineKey, kind models.EntryKind, id models.TransactionID, amount models.Amount) {
	c := w.booked[key]
	delete(w.booked, key)
	switch {
	case c == nil && kind != models.EntryAdjustment:
	case c == nil:
		w.fault("entry %d: an adjustment without an approved correction", key.seq)
	case c.Kind.Adjusts() && (kind != models.EntryAdjustment || id != models.AdjustmentID(c.ID) || amount != c.Effect),
		c.Kind == models.CorrectBet && (kind != models.EntryBet || id != c.TransactionID || amount != c.Effect),
		c.Kind == models.CorrectWin && (kind != models.EntryWin || id != c.TransactionID || amount != c.Effect),
		c.Kind == models.CorrectRollback && (!reverses(kind) || id != c.TransactionID),
		!c.Kind.Adjusts() && kind == models.EntryAdjustment:
		w.fault("line %d differs from what correction %d says that it booked", key.seq, c.ID)
	}
}

func reverses(kind models.EntryKind) bool {
	return kind == models.EntryBetReversed || kind == models.EntryWinReversed || kind == models.EntrySpinReversed
}

// flag checks that a stored value is 0 or 1.
func (w *walletCheck) flag(n int64, what string, id models.TransactionID) {
	if n != 0 && n != 1 {
		w.fault("transaction %.80q: %s is neither 0 nor 1", id, what)
	}
}

// posting checks a posting against the ones before it.
func (w *walletCheck) posting(chain *models.Chain, p *models.Posting) {
	d := &w.derived
	if p.ID <= w.last {
		w.fault("transaction %.80q has number %d, but comes after number %d", p.TransactionID, p.ID, w.last)
	}
	w.last = p.ID
	if p.FreeSpin {
		if p.Seq != d.Seq {
			w.fault("free spin %.80q is after entry %d, but says that it came after entry %d", p.TransactionID, d.Seq, p.Seq)
		}
		return
	}
	w.place("entry", "entries", d.Seq, p.Seq-p.Lines()+1)
	if (d.Seq == 0) != (p.Kind == models.Opening) {
		w.fault("entry %d: a ledger begins with its opening balance, exactly one", p.Seq)
	}
	if chain.PostingHash(d.Head, d.Currency, p) != p.Hash {
		w.fault("entry %d: its hash does not match its contents and the line before it", p.Seq)
	}
	if h := w.held; h != nil && h.Seq == p.Seq {
		h.money = h.Head == p.Hash
	}
	effect, ok := p.Effect()
	if after, fits := d.Balance.Plus(effect); !ok || !fits || after != p.After {
		w.fault("entry %d: %s and %s do not add up to %s", p.Seq, d.Balance, effect, p.After)
	}
	held := d.Held + p.HeldEffect()
	if p.Kind.IsCash() && p.Held != held || held < 0 {
		w.fault("entry %d: %s held and %s do not add up to %s", p.Seq, d.Held, p.HeldEffect(), p.Held)
	}
	d.Seq, d.Head, d.Balance, d.Held = p.Seq, p.Hash, p.After, held
	for _, e := range p.Entries(d.Currency) {
		w.explain(lineKey{false, e.Seq}, e.Kind, e.TransactionID, e.Amount)
	}
}

// claims checks a posting's claim on its transaction ID. original is the first column of checkedPostings.
func (w *walletCheck) claims(p *models.Posting, original sql.NullInt64) {
	known := false
	switch p.Claim {
	case models.ClaimNone:
		known = p.Kind == models.Rollback
	case models.ClaimApplied:
		known = p.Kind == models.Bet ||
			!p.FreeSpin && (p.Kind == models.Win || p.Kind == models.BetWin || p.Kind == models.Opening ||
				p.Kind == models.Adjustment || p.Kind == models.CashIn || p.Kind == models.CashOut || p.Kind == models.CashBounced)
		if p.Kind == models.CashBounced && original.Int64 != 2 {
			w.fault("entry %d returns a cash-out that was not paid, %.80q", p.Seq, p.TransactionID)
		}
	case models.ClaimRolledBack:
		known = p.Kind == models.Bet || !p.FreeSpin && (p.Kind == models.Win || p.Kind == models.BetWin ||
			p.Kind == models.CashOut || p.Kind == models.CashPaid)
		if original.Int64 != 2 {
			w.fault("entry %d reverses something that transaction %.80q did not book", p.Seq, p.TransactionID)
		}
	}
	if !known || p.Kind.IsCash() != (p.Source == models.SourceClient) {
		w.fault("entry %d is of no known kind (%d)", p.Seq, p.Kind)
	}
}

// spinEntry checks a line of the free-spin ledger against the ones before it. booked is the first column of checkedSpins.
func (w *walletCheck) spinEntry(chain *models.Chain, e *models.SpinEntry, booked int64) {
	d := &w.derived
	w.place("free-spin entry", "free-spin entries", d.SpinSeq, e.Seq)
	e.Currency = d.Currency
	if chain.SpinHash(d.SpinHead, e) != e.Hash {
		w.fault("free-spin entry %d: its hash does not match its contents and the line before it", e.Seq)
	}
	if h := w.held; h != nil && h.SpinSeq == e.Seq {
		h.spins = h.SpinHead == e.Hash
	}
	d.SpinSeq, d.SpinHead = e.Seq, e.Hash
	w.explain(lineKey{true, e.Seq}, e.Kind, e.TransactionID, 0)
	spins := int64(1)
	if e.Kind == models.EntrySpinReversed {
		spins = -1
	}
	switch {
	case e.Kind != models.EntrySpin && e.Kind != models.EntrySpinReversed:
		w.fault("free-spin entry %d is of no known kind (%d)", e.Seq, e.Kind)
	case booked == 0:
		w.fault("free-spin entry %d: transaction %.80q is not in the ledger, or not as a free spin", e.Seq, e.TransactionID)
	case e.Spins != spins || booked != 2:
		w.fault("free-spin entry %d differs from the ledger about transaction %.80q", e.Seq, e.TransactionID)
	}
}
