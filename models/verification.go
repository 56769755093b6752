package models

import (
	"errors"
	"fmt"
	"time"
)

// DaysCheck is what CheckDays found.
type DaysCheck struct {
	Days     int64 // rows of players' days that were compared with the ledger
	Archived int64 // rows whose lines a purge has archived, so that they can be compared with nothing here
	Lines    int64 // entries of both ledgers that were read
	Late     int64 // of them, those that count on a later day than that of their time
	Waiting  int64 // lines that the sums had not come to yet
	Minutes  int64 // sums of minutes that were compared with the ledger
	Faults   []string
}

// mostDayFaults is how many faults are named.
const mostDayFaults = 100

func (c *DaysCheck) Add(format string, args ...any) {
	if len(c.Faults) < mostDayFaults {
		c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
	}
}

// VerificationState is how far a verification has come.
type VerificationState uint8

// The states of a verification, in order.
const (
	VerificationAsked   VerificationState = 1
	VerificationRunning VerificationState = 2
	VerificationEnded   VerificationState = 3
)

// VerificationRun is a verification that somebody asked for.
type VerificationRun struct {
	ID        int64
	Actor     string
	AskedAt   time.Time `gorm:"column:asked_at_us;serializer:micros"`
	StartedAt time.Time `gorm:"column:started_at_us;serializer:micros"` // zero until it runs
	EndedAt   time.Time `gorm:"column:ended_at_us;serializer:micros"`   // zero until it has ended
	State     VerificationState
	Read      int64 `gorm:"column:lines_read"`     // entries of both ledgers read so far
	Expected  int64 `gorm:"column:lines_expected"` // how many there will be, about
	Faults    int64 // Verification.Faults
	// nil until it has ended, and where it failed; of many faulty wallets the first few hundred
	Report *Verification `gorm:"serializer:jsonText"`
	Error  string        // why it could not be done
}

// TableName returns the table's name for GORM.
func (VerificationRun) TableName() string { return "verifications" }

// reportedWallets is how many faulty wallets a report that is kept names.
const reportedWallets = 500

// End notes what came of a verification; failed is why it could not be done.
func (r *VerificationRun) End(at time.Time, v Verification, failed error) {
	r.State, r.EndedAt = VerificationEnded, at
	if failed != nil {
		r.Error = failed.Error()
		return
	}
	r.Faults, r.Read = int64(v.Faults()), v.AllEntries()
	v.Faulty = v.Faulty[:min(len(v.Faulty), reportedWallets)]
	r.Report = &v
}

// ErrVerificationUnderWay is returned with the number of the verification that is asked for already.
var ErrVerificationUnderWay = errors.New("a verification is under way")

// Verification is what Verify counted and found.
type Verification struct {
	Keyed        bool // the chains are keyed: whoever lacks the key cannot have forged them
	Wallets      int64
	Entries      int64 // of money: a bet with a win is two
	SpinEntries  int64
	Transactions int64
	Tombstones   int64
	AuditEvents  int64
	ErasedTexts  int64 // texts of audit events that were erased, by who has the key
	GuardedRows  int64 // rows that the audit log says something about
	Checkpoints  int64
	Held         int64          // the number of the checkpoint that the ledger was compared with, or 0
	Faulty       []WalletFaults // in order of the wallets' numbers
	Audit        ChainFaults    // of the audit chain
	Rows         ChainFaults    // of the rows that the audit log covers
	Figures      ChainFaults    // of the sums of days and minutes, as CheckDays finds them
	Written      ChainFaults    // of the rows of checkpoints, and of the one that the ledger was compared with

	// AsOf is the time up to which a replica had everything, if one was read; zero: the primary was. AuditHead is the last
	// audit event that was read.
	AsOf      time.Time `json:",omitzero"`
	AuditHead int64     `json:",omitzero"`

	Restores []DeclaredRestore // every one that was declared, whatever the ledger was compared with
}

// AllEntries is how many entries both ledgers have: those of money and of free spins. Pages count them together, and call the
// parts "of money" and "of free spins" where they tell them apart.
func (v Verification) AllEntries() int64 { return v.Entries + v.SpinEntries }

// WalletFaults is what does not hold in one wallet.
type WalletFaults struct {
	PlayerID int64
	UserID   UserID   // empty if the entries belong to no player
	Faults   []string // the first few
	Total    int      // of all of them
}

// ChainFaults is what does not hold in a chain that belongs to no wallet.
type ChainFaults struct {
	Faults []string // the first few
	Total  int      // of all of them
}

// More is how many faults are not told.
func (f ChainFaults) More() int { return f.Total - len(f.Faults) }

// More is how many faults of the wallet are not told.
func (f WalletFaults) More() int { return f.Total - len(f.Faults) }

// OK reports whether everything holds.
func (v Verification) OK() bool { return v.Faults() == 0 }

// Faults returns how many wallets have faults, plus how many faults there are outside wallets.
func (v Verification) Faults() int {
	return len(v.Faulty) + v.Audit.Total + v.Rows.Total + v.Figures.Total + v.Written.Total
}

// FaultsKept is how many faults of one wallet, or chain, are told in words.
const FaultsKept = 10

func (c *ChainFaults) Add(format string, args ...any) {
	c.AddUpTo(FaultsKept, format, args...)
}

// AddUpTo tells of a fault unless so many are told already.
func (c *ChainFaults) AddUpTo(most int, format string, args ...any) {
	c.Total++
	if len(c.Faults) < most {
		c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
	}
}
