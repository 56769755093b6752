package models

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// After a backup has been restored, the database is older: newer checkpoints have lines that are gone. That looks exactly like
// somebody deleting the end of a chain, so whoever restored the backup declares it. The declaration lists every wallet that was
// set back, with the line from which it continues, and is covered by the audit chain. `pitboss verify --checkpoint` then
// accepts the gap that was declared. Any other missing or changed line is still a fault.
//
// Somebody could use a declaration to hide a deletion, so it never goes unnoticed. It only counts after a member of finance or
// compliance, who is notified like the administrators, has confirmed it. Every later verification prints it. And the lines
// before the backup must still match an older checkpoint.

// RestoreRule says who confirms restores. It is unknown who was at the command line, so an account that was changed there
// recently does not count, and neither does one that is tied to the account whose name was given there. Finance and compliance
// have no account on the server.
var RestoreRule = ApprovalRule{Checkers: []Role{Finance, Compliance}}

// Restore is a declaration that an older state of the database was restored.
type Restore struct {
	ID     int64
	At     time.Time `gorm:"column:at_us;serializer:micros"`
	OSUser string    `gorm:"column:os_user"` // the operating system's user
	Source string    // which backup, in the maker's words
	Reason string
	// The maker declared it: somebody at the command line, under the name that they gave. Until it is approved, the gap is a
	// fault.
	Approval

	// checkpoints that the restored database did not have, newest first
	Checkpoints []LostCheckpoint `gorm:"serializer:jsonText"`
	AuditSeq    int64            // the head of the audit chain before the declaration
	AuditHead   Hash
	Wallets     int64        // how many were set back
	Entries     int64        // of the money ledger that are lost; at least, because play may have gone on since
	SpinEntries int64        // of the free-spin ledger that are lost; at least
	Sums        []RestoreSum `gorm:"serializer:jsonText"`
	Digest      Hash         // of its RestoreWallets, in ascending order: Chain.RestoreWallet
}

// Unconfirmed reports whether it has not been confirmed yet.
func (r Restore) Unconfirmed() bool { return r.State == ApprovalWaiting }

// AllEntries returns how many entries of both ledgers are lost, at least.
func (r Restore) AllEntries() int64 { return r.Entries + r.SpinEntries }

// LostCheckpoint is a checkpoint of a later state than the restored one.
type LostCheckpoint struct {
	Number   int64     `json:"number"`
	At       time.Time `json:"at"`
	Digest   string    `json:"digest"` // in hexadecimal
	AuditSeq int64     `json:"audit_seq"`
	Audit    string    `json:"audit_head"`
	File     string    `json:"file"` // its name
}

// RestoreSum are the funds of the wallets that were set back, their balances and what cash-outs hold, in one currency.
type RestoreSum struct {
	Currency Currency        `json:"currency"`
	Before   decimal.Decimal `json:"before"` // according to the newest checkpoint
	After    decimal.Decimal `json:"after"`
}

// RestoreWallet is a wallet that was set back.
type RestoreWallet struct {
	Wallet      // as it was when the restore was declared; without lines if it did not exist
	LostSeq     int64
	LostSpinSeq int64
	LostBalance Amount `gorm:"column:lost_minor"` // according to the newest checkpoint with more lines
	LostHeld    Amount `gorm:"column:lost_held_minor"`
}

// Gone returns how many entries of both ledgers the wallet has lost, at least.
func (w RestoreWallet) Gone() int64 { return max(w.LostSeq-w.Seq, 0) + max(w.LostSpinSeq-w.SpinSeq, 0) }

// LostFunds returns what the player was owed according to that checkpoint.
func (w RestoreWallet) LostFunds() Amount { return w.LostBalance + w.LostHeld }

// RestoreWallet returns the digest of a declaration's wallets up to w; prev is that of the wallets before it.
func (c *Chain) RestoreWallet(prev Hash, w *RestoreWallet) Hash {
	return c.sum(tagRestoredWallet, prev, func(b []byte) []byte {
		b = put(b, w.PlayerID, w.LostSeq, w.LostSpinSeq, int64(w.LostBalance), int64(w.LostHeld), w.Seq, w.SpinSeq, int64(w.Balance),
			int64(w.Held))
		b = append(append(b, w.Head[:]...), w.SpinHead[:]...)
		return putText(b, string(w.Currency))
	})
}

// Lost reports whether the declaration covers the checkpoint with this digest.
func (r *Restore) Lost(digest Hash) bool { return r.Names(fmt.Sprintf("%x", digest)) }

// Names is Lost for a digest in hexadecimal.
func (r *Restore) Names(digest string) bool {
	return slices.ContainsFunc(r.Checkpoints, func(cp LostCheckpoint) bool { return cp.Digest == digest })
}

// DeclaredRestore is a declaration as reported by a verification.
type DeclaredRestore struct {
	Restore
	Explains bool  // it covers the checkpoint with which the ledger was compared
	Wallets  int64 // how many wallets' differences from that checkpoint it explains
}

// String returns who declared what.
func (d DeclaredRestore) String() string {
	confirmed := "not confirmed yet"
	if d.State == ApprovalApproved {
		confirmed = fmt.Sprintf("confirmed by %s on %s", d.Checker.Username, d.DecidedAt.Format("2006-01-02 15:04:05 UTC"))
	}
	return fmt.Sprintf("restore %d of %q, declared by %s (system user %s) on %s, %s: at least %d entries (%d of money, %d "+
		"of free spins) of %d wallets are gone",
		d.ID, d.Source, d.Maker.Username, d.OSUser, d.At.Format("2006-01-02 15:04:05 UTC"), confirmed, d.AllEntries(),
		d.Entries, d.SpinEntries, d.Restore.Wallets)
}

// RestorePlan is what the declaration of a restore would contain.
type RestorePlan struct {
	Restore                 // without number, words and names
	Gone    []RestoreWallet // in ascending number
	Base    int64           // the older checkpoint with which the lines before the backup were compared; 0 for none
}

// RestoreFaultsError refuses to declare a restore in a database with faults, because a restore only makes it older.
type RestoreFaultsError struct{ Verification }

// Error says how many faults.
func (e RestoreFaultsError) Error() string {
	return fmt.Sprintf("this database has %d faults that a restore does not explain: find out who changed it before "+
		"you declare anything", e.Faults())
}

// LostFile is a checkpoint file that may be of a later state than the database.
type LostFile struct {
	*CheckpointReader
	Name string
	File io.Closer
}

// KnownCheckpoints are the checkpoints that the database or a declared restore lists: the names of their files, and their digests in
// hexadecimal.
type KnownCheckpoints struct{ Files, Digests map[string]bool }

// Take fills in the wallets that were set back, with their sums and their digest.
func (p *RestorePlan) Take(chain *Chain, gone map[int64]RestoreWallet) {
	sums := map[Currency]RestoreSum{}
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		w := gone[id]
		p.Gone = append(p.Gone, w)
		p.Wallets++
		p.Entries += max(w.LostSeq-w.Seq, 0)
		p.SpinEntries += max(w.LostSpinSeq-w.SpinSeq, 0)
		p.Digest = chain.RestoreWallet(p.Digest, &w)
		sum := sums[w.Currency]
		sum.Currency, sum.Before, sum.After = w.Currency, sum.Before.Add(decimal.New(int64(w.LostFunds()), -2)),
			sum.After.Add(decimal.New(int64(w.Funds()), -2))
		sums[w.Currency] = sum
	}
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		p.Sums = append(p.Sums, sums[currency])
	}
}

// RestoreWords are what the person who declares a restore enters.
type RestoreWords struct{ Source, Reason string }

// Why a restore is not declared or not confirmed. Staff see these texts.
var (
	ErrNothingLost = errors.New("the database has every checkpoint that you gave: nothing was lost since, or the restore " +
		"is already declared")
	ErrRestoreWords   = errors.New("enter which backup was restored, in up to 255 characters, and why, in up to 2,000")
	ErrRestoreUnknown = errors.New("there is no such restore")
)
