package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"
)

// ClosedDay is a day whose figures are final.
type ClosedDay struct {
	Day      Day
	Zone     string
	From     time.Time      `gorm:"column:from_us;serializer:micros"`  // the first instant that counts on this day
	Until    time.Time      `gorm:"column:until_us;serializer:micros"` // the first instant that no longer counts on it
	ClosedAt time.Time      `gorm:"column:closed_at_us;serializer:micros"`
	Digest   string         // of its figures
	Stakes   []Stakes       `gorm:"serializer:json"` // in play at its end; nil if it is not closed
	Signed   []DaySignature `gorm:"-" covered:"rows"`
}

// SignedBy returns the signature for a role, or false if there is none.
func (d *ClosedDay) SignedBy(r Role) (DaySignature, bool) {
	for _, s := range d.Signed {
		if s.Role == r {
			return s, true
		}
	}
	return DaySignature{}, false
}

// CheckSigner returns nil if a person can sign the day in addition to those who have signed it. It returns ErrDaySigned if it
// was signed for the same role, or ErrDaySigner if the same person signed for another role.
func (d *ClosedDay) CheckSigner(by Signer) error {
	for _, s := range d.Signed {
		if s.Role == by.Role {
			return ErrDaySigned
		}
		if s.StaffID == by.StaffID || s.By == by.Name {
			return ErrDaySigner
		}
	}
	return nil
}

// DaySigners are the roles that sign each day.
var DaySigners = []Role{Finance, Compliance}

// DaySignature is a person's signature of a day's report, with the state that the person saw.
type DaySignature struct {
	Day           Day
	Role          Role
	By            string    `gorm:"column:signed_by"`
	StaffID       int64     `gorm:"->"` // of By; 0 if the account is gone
	At            time.Time `gorm:"column:at_us;serializer:micros"`
	Note          string
	Digest        string
	Checkpoint    int64             // the newest written after the day's end; 0 if there was none
	Verification  int64             // the newest that had ended; 0 if none had
	Statements    []SignedStatement `gorm:"serializer:json"` // the platform's statements of the day, newest first
	OpenCases     int64             // about the day and earlier ones
	UnknownGrants int64
	Faults        int64 // that the newest verification found
	Earlier       []Day `gorm:"-"` // the open days that this signature closes too, oldest first
}

// ClosedSince counts the items that were open when a day was signed and have been closed since.
type ClosedSince struct{ Cases, Grants int64 }

// ZoneDays are the days up to Last, or all later ones if it is empty, that are counted in a zone.
type ZoneDays struct {
	Zone string
	Last Day
}

// StatementsOfDay is how many statements of a day its signers see, the newest first.
const StatementsOfDay = 5

// SignedStatement is a statement of the platform as the signer of a day saw it.
type SignedStatement struct {
	ID          int64 `json:"statement"`
	Run         int64 `json:"run"` // the newest comparison, if it was finished; otherwise 0
	Differences int64 `json:"differences"`
	NotCompared int64 `json:"not_compared"` // lines
	Whole       bool  `json:"whole"`        // it covers all of the day
}

// Reservations reports whether the signer has to explain something.
func (s *DaySignature) Reservations() bool {
	return s.Checkpoint == 0 || s.OpenCases > 0 || s.UnknownGrants > 0 || s.Faults > 0
}

// Standing returns the digest, in hexadecimal, of the signature's contents besides the figures.
func (s *DaySignature) Standing() string {
	text, _ := json.Marshal([]any{s.Checkpoint, s.Verification, s.Statements, s.OpenCases, s.UnknownGrants, s.Faults,
		s.Earlier}) // it always can be
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// DaySeen is the state that the signer of a day saw.
type DaySeen struct {
	Figures  string // ReportDigest
	Standing string // DaySignature.Standing
}

// Why a day cannot be signed.
var (
	ErrDayRuns   = errors.New("the day has not ended, or has only just ended: its last transactions may still be booked")
	ErrDayBefore = errors.New("nothing had been booked by then, so there is nothing to sign: check the year")
	ErrDayMoved  = errors.New("the day's figures have changed since they were shown")
	ErrDayKnown  = errors.New("the day has changed since you opened this page (its checkpoint, the latest verification, " +
		"a statement, a case, a grant or an earlier day)")
	ErrDaySigned = errors.New("the day has already been signed for this role")
	ErrDaySigner = errors.New("finance and compliance each sign the day, and must be two different people")
	ErrDayNote   = errors.New("there is no checkpoint since the day ended, a case of this day or earlier is open, or the " +
		"outcome of a grant is unknown, or the latest verification found faults: enter a remark of at least ten characters that says why you sign anyway")
	ErrDayNoteLong   = errors.New("enter at most 4,000 characters")
	ErrDayGap        = errors.New("lines of the ledger are missing, so the figures are incomplete: verify the ledger first")
	ErrDayUnbalanced = errors.New("the control totals differ: recalculate the figures or verify the ledger first")
)
