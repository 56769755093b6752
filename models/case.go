package models

import (
	"crypto/sha256"
	"errors"
	"time"
)

// A case is something that somebody has to look at: found by a rule or, if it is a complaint (complaint.go), recorded by a
// person; and closed by a person with a reason. It has the evidence as it was when the case was opened. The same finding never
// opens a second case, closed or not.

// CaseRule is what finds cases.
type CaseRule uint8

// Rules are stored; their numbers never change.
const (
	// CaseUnknownRollback is a rollback of a transaction that we do not know, and have not refused either.
	CaseUnknownRollback CaseRule = 1
	// CaseNegativeBalance is a balance below zero.
	CaseNegativeBalance CaseRule = 2
	// CaseOverflow is a transaction refused because the balance would have left its range.
	CaseOverflow CaseRule = 3
	// CaseOtherContents is a TransactionID that came again with other contents than the first.
	CaseOtherContents CaseRule = 4
	// CaseWinWithoutBet is a win in a round without a bet or a free spin, or one that stands where every bet was rolled back.
	CaseWinWithoutBet CaseRule = 5
	// CaseUnexplainedSpin is a bet marked as a free spin that no grant explains. The mark is not signed (specification,
	// Withdraw).
	CaseUnexplainedSpin CaseRule = 6
	// CaseSpinsApart is a grant of which the platform counts other spins as used than we do.
	CaseSpinsApart CaseRule = 7
	// CaseUnknownGrant is a grant of unknown outcome.
	CaseUnknownGrant CaseRule = 8
	// CaseOpenRound is a bet that neither a win nor a rollback has followed for long. Off unless a length of time is set: the
	// platform sends nothing when a bet is lost.
	CaseOpenRound CaseRule = 9
	// CaseLedgerFault is a verification that found something.
	CaseLedgerFault CaseRule = 10
	// CaseStatement is a difference from the platform's statement.
	CaseStatement CaseRule = 11
	// CaseDisownedGrant is a grant that the platform gave and no longer knows.
	CaseDisownedGrant CaseRule = 12
	// CaseSignReused is a callback whose sign came before, for other values: somebody else than the platform has a valid sign.
	CaseSignReused CaseRule = 13
	// CaseInterruptedRound is a round of which the platform rolled back a part and sent nothing since.
	CaseInterruptedRound CaseRule = 20
	// CaseComplaint is a complaint that somebody recorded by hand.
	CaseComplaint CaseRule = 21
)

// CaseRules lists the rules, the riskiest first: what shakes the books, then what may have cost money, then what only has to be
// asked about.
var CaseRules = caseRuleWords.values()

var caseRuleWords = words[CaseRule]{
	{CaseLedgerFault, "ledger that does not verify"},
	{CaseSignReused, "sign reused for other values"},
	{CaseNegativeBalance, "negative balance"},
	{CaseUnexplainedSpin, "free spin without a grant"},
	{CaseWinWithoutBet, "win without a bet"},
	{CaseOtherContents, "same transaction ID, other contents"},
	{CaseOverflow, "overflow refused"},
	{CaseStatement, "difference from a statement"},
	{CaseComplaint, "complaint"},
	{CaseUnknownRollback, "rollback of an unknown transaction"},
	{CaseUnknownGrant, "grant of unknown outcome"},
	{CaseDisownedGrant, "grant unknown to the platform"},
	{CaseSpinsApart, "differing free-spin counts"},
	{CaseInterruptedRound, "round rolled back in part"},
	{CaseOpenRound, "round open for long"},
}

// String gives the rule's words.
func (r CaseRule) String() string { return caseRuleWords.of(r, "unknown") }

// Risky reports that money is at risk until somebody looks: the ledger does not verify, a player has money that nobody may have
// given, or somebody else can sign callbacks.
func (r CaseRule) Risky() bool {
	return r == CaseLedgerFault || r == CaseSignReused || r == CaseNegativeBalance || r == CaseUnexplainedSpin ||
		r == CaseWinWithoutBet
}

// CaseState is where a case stands.
type CaseState uint8

// States are stored; their numbers never change.
const (
	CaseOpen       CaseState = 1
	CaseExplained  CaseState = 2 // all is right as it is
	CaseAdjusted   CaseState = 3 // a correction has put it right
	CaseWrittenOff CaseState = 4 // something is wrong and stays so
)

// CaseStates lists the states.
var CaseStates = caseStateWords.values()

var caseStateWords = words[CaseState]{
	{CaseOpen, "open"},
	{CaseExplained, "explained"},
	{CaseAdjusted, "adjusted"},
	{CaseWrittenOff, "written off"},
}

// String gives the state's word.
func (s CaseState) String() string { return caseStateWords.of(s, "unknown") }

// CaseFact is one line of evidence.
type CaseFact struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Finding is what a rule has found.
type Finding struct {
	Rule          CaseRule
	Key           string    `gorm:"-"`                              // what makes it the same finding when it is found again
	At            time.Time `gorm:"column:at_us;serializer:micros"` // of what was found
	PlayerID      int64     // numbers of ours; 0 where there is no such thing
	Transaction   int64     `gorm:"column:transaction_number"`
	GrantID       int64
	StatementID   int64
	Verification  int64  `gorm:"column:verification_id"`
	Amount        Amount `gorm:"column:amount_minor"` // at stake; 0 where nothing is, or nobody knows
	Currency      Currency
	TransactionID TransactionID // the platform's name, where it is known
	// One that cannot be read shows no evidence, and hides no case.
	Facts     []CaseFact `gorm:"serializer:jsonOrNone"`
	Reference string     // of a complaint
	Due       time.Time  `gorm:"column:due_us;serializer:micros"` // of a complaint: the end of the last day for an answer
}

// Digest is the key as it is stored.
func (f *Finding) Digest() Hash { return sha256.Sum256([]byte(f.Key)) }

// Case is a finding that somebody looks at.
type Case struct {
	ID int64
	Finding
	KeyDigest Hash      // of the finding's key
	UserID    UserID    `gorm:"-"`
	FoundAt   time.Time `gorm:"column:found_at_us;serializer:micros"`
	State     CaseState
	Owner     string // the username of who works on it, or empty
	DecidedBy string
	DecidedAt time.Time `gorm:"column:decided_at_us;serializer:micros"`
	Reason    string
}

// CaseBacklog is what is open of one rule.
type CaseBacklog struct {
	Rule   CaseRule
	N      int64
	Oldest time.Time // when the oldest was found
}

// CaseGroup is what cases of one rule and currency come to together.
type CaseGroup struct {
	Rule     CaseRule
	Currency Currency
	N        int64
	Stake    Amount // of all of them; the largest amount where it is more
	Others   int64  // of them have another owner than who asks
}

// CaseNote is a comment on a case.
type CaseNote struct {
	CaseID int64     `gorm:"primaryKey;autoIncrement:false"`
	ID     int64     `gorm:"column:number;primaryKey;autoIncrement:false"` // counted from 1 in each case
	At     time.Time `gorm:"column:at_us;serializer:micros"`
	Actor  string
	Text   string `gorm:"column:body"`
}

// CaseFilter selects cases; zero fields select all.
type CaseFilter struct {
	Rule         CaseRule
	State        CaseState
	PlayerID     int64
	Transactions []int64 // one of these
	GrantID      int64
	StatementID  int64
	Verification int64
	Owner        string
	Nobodys      bool      // those that have no owner
	Due          bool      // those that have a deadline
	DueBefore    time.Time // those that have a deadline before this time
	ByDue        bool      // in the order of deadlines, the nearest first; Page is then a place among deadlines
	FoundSince   time.Time // found at this time or later
	FoundBefore  time.Time
	// Since and Before are of when it happened or, if nobody knows that, when it was found.
	Since, Before time.Time
	Currency      Currency
	UpTo          int64 // those up to this number
	Page          Cursor
	Limit         int
}

// DayCases are the open cases by when they happened, as seen from a day.
type DayCases struct{ Earlier, OfDay, Later int64 }

// Place is where the case is in the list that f selects.
func (f CaseFilter) Place(c Case) Cursor {
	if f.ByDue {
		return Cursor{At: c.Due, ID: c.ID}
	}
	return Cursor{At: c.FoundAt, ID: c.ID}
}

// Why something cannot be done with a case.
var (
	ErrCaseUnknown    = errors.New("there is no such case")
	ErrCaseClosed     = errors.New("the case is closed")
	ErrCaseTaken      = errors.New("the case now has another owner")
	ErrCaseReason     = errors.New("enter your findings, in at least ten characters")
	ErrCaseReasonLong = errors.New("enter at most 4,000 characters")
)

// MaxCaseText is how long a comment on a case, or the reason for closing one, may be, in characters.
const MaxCaseText = 4000

// Decide closes a case.
func (c *Case) Decide(by string, to CaseState, reason string, now time.Time) error {
	switch {
	case c.State != CaseOpen:
		return ErrCaseClosed
	case len([]rune(reason)) < 10:
		return ErrCaseReason
	case len([]rune(reason)) > MaxCaseText:
		return ErrCaseReasonLong
	}
	c.State, c.DecidedBy, c.DecidedAt, c.Reason = to, by, now, reason
	return nil
}

// CaseRulesConfig is what the rules need to know.
type CaseRulesConfig struct {
	OpenRound time.Duration // a bet that nothing has followed for so long is a case; 0: never
}
