package models

import (
	"errors"
	"fmt"
	"time"
)

// DaysCheck is the result of CheckDays.
type DaysCheck struct {
	Days    int64 // rows of players' days that were compared with the ledger
	Lines   int64 // entries of both ledgers that were read
	Late    int64 // how many of these entries count on a later day than the one on which they were booked
	Waiting int64 // entries that the sums do not include yet
	Faults  []string
}

// maxDayFaults is how many faults are listed.
const maxDayFaults = 100

// Add adds a fault, unless maxDayFaults are listed.
func (c *DaysCheck) Add(format string, args ...any) {
	if len(c.Faults) < maxDayFaults {
		c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
	}
}

// VerificationRun is a verification that somebody requested.
type VerificationRun struct {
	Job
	Read     int64 `gorm:"column:lines_read"`                 // entries of both ledgers read so far
	Expected int64 `gorm:"column:lines_expected" covered:"-"` // about how many there will be
	Faults   int64 // Verification.Faults
	// nil if it failed or has not ended; it lists at most reportedWallets faulty wallets
	Report *Verification `gorm:"serializer:jsonText"`
}

// Covered returns what the audit log covers. A verification's progress changes without events while it runs.
func (r VerificationRun) Covered() any {
	if r.State.Open() {
		r.State, r.FinishedAt, r.Read, r.Faults = 0, time.Time{}, 0, 0
	}
	return r
}

// TableName returns the table's name for GORM.
func (VerificationRun) TableName() string { return "verifications" }

// reportedWallets is how many faulty wallets a stored report lists.
const reportedWallets = 500

// End records the result of a verification. failed is why it could not be done, or nil.
func (r *VerificationRun) End(at time.Time, v Verification, failed error) {
	r.FinishedAt = at
	if failed != nil {
		r.State, r.Failure = JobFailed, failed.Error()
		return
	}
	r.State = JobFinished
	r.Faults, r.Read = int64(v.Faults()), v.AllEntries()
	v.Faulty = v.Faulty[:min(len(v.Faulty), reportedWallets)]
	r.Report = &v
}

// ErrVerificationUnderWay means that another verification is requested or running. Its number is returned with the error.
var ErrVerificationUnderWay = errors.New("a verification is already running")

// Verification is what Verify counted and found.
type Verification struct {
	Keyed        bool // the chains have a key: without it, nobody can have forged them
	Wallets      int64
	Entries      int64 // of money; a bet with a win counts as two
	SpinEntries  int64
	Transactions int64
	Tombstones   int64
	AuditEvents  int64
	ErasedTexts  int64 // texts of audit events that were erased by somebody with the key
	CoveredRows  int64 // rows that the audit log covers
	Checkpoints  int64
	Held         int64          // the number of the checkpoint that the ledger was compared with, or 0
	Since        int64          `json:",omitzero"` // the number of the checkpoint after which it was read, or 0 if all of it was
	Faulty       []WalletFaults // in order of the wallets' numbers
	Audit        ChainFaults    // of the audit chain
	Rows         ChainFaults    // of the rows that the audit log covers
	Figures      ChainFaults    // of the sums of days and minutes, as CheckDays finds them
	Written      ChainFaults    // of the rows of checkpoints, and of the one that the ledger was compared with
}

// AllEntries returns the number of entries in both ledgers, of money and of free spins.
func (v Verification) AllEntries() int64 { return v.Entries + v.SpinEntries }

// WalletFaults are the faults of one wallet.
type WalletFaults struct {
	PlayerID int64
	UserID   UserID   // empty if the entries belong to no player
	Faults   []string // the first few
	Total    int      // how many there are
}

// ChainFaults are the faults of something other than a wallet, such as the audit chain.
type ChainFaults struct {
	Faults []string // the first few
	Total  int      // how many there are
}

// More returns how many faults are not listed.
func (f ChainFaults) More() int { return f.Total - len(f.Faults) }

// More returns how many faults of the wallet are not listed.
func (f WalletFaults) More() int { return f.Total - len(f.Faults) }

// OK reports whether there are no faults.
func (v Verification) OK() bool { return v.Faults() == 0 }

// Faults returns how many wallets have faults, plus how many faults there are outside wallets.
func (v Verification) Faults() int {
	return len(v.Faulty) + v.Audit.Total + v.Rows.Total + v.Figures.Total + v.Written.Total
}

// FaultsKept is how many faults of one wallet or chain are listed.
const FaultsKept = 10

// Add counts a fault, and lists it unless FaultsKept are listed.
func (c *ChainFaults) Add(format string, args ...any) { c.AddUpTo(FaultsKept, format, args...) }

// AddUpTo counts a fault, and lists it unless most are listed.
func (c *ChainFaults) AddUpTo(most int, format string, args ...any) {
	c.Total++
	if len(c.Faults) < most {
		c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
	}
}
