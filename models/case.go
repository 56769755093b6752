package models

import (
	"crypto/sha256"
	"errors"
	"time"
)

// A case is something that a person has to look at. A rule found it, or a person recorded it if it is a complaint
// (complaint.go). A person closes it with a reason. It keeps the evidence as it was when it was opened. A finding opens only
// one case, even if it is found again after the case is closed.

// CaseRule is a rule that finds cases.
type CaseRule uint8

// Rules are stored; their numbers never change.
const (
	// CaseUnknownRollback is a rollback for which the player has no original, neither applied nor refused.
	CaseUnknownRollback CaseRule = 1
	// CaseNegativeBalance is a negative balance.
	CaseNegativeBalance CaseRule = 2
	// CaseOverflow is a transaction refused because the balance would overflow.
	CaseOverflow CaseRule = 3
	// CaseOtherContents is a TransactionID that came again with contents other than the first.
	CaseOtherContents CaseRule = 4
	// CaseWinWithoutBet is a win in a round without a bet or free spin, or whose bets were all rolled back.
	CaseWinWithoutBet CaseRule = 5
	// CaseUnexplainedSpin is a free spin for which no grant is known. freeSpin is not signed (specification, Withdraw).
	CaseUnexplainedSpin CaseRule = 6
	// CaseSpinsApart is a grant whose used spins the platform counts differently.
	CaseSpinsApart CaseRule = 7
	// CaseUnknownGrant is a grant of unknown outcome.
	CaseUnknownGrant CaseRule = 8
	// CaseOpenRound is a bet that has had neither a win nor a rollback for a long time. It is off unless a time is set, because
	// the platform sends nothing when a bet is lost.
	CaseOpenRound CaseRule = 9
	// CaseLedgerFault is a fault found by a verification.
	CaseLedgerFault CaseRule = 10
	// CaseStatement is a difference from the platform's statement.
	CaseStatement CaseRule = 11
	// CaseDisownedGrant is a grant that the platform made but no longer knows.
	CaseDisownedGrant CaseRule = 12
	// CaseSignReused is a callback whose signature was used before, for different values: somebody other than the platform can
	// send callbacks.
	CaseSignReused CaseRule = 13
	// CaseInterruptedRound is a round that the platform rolled back in part, with no callback since.
	CaseInterruptedRound CaseRule = 20
	// CaseComplaint is a complaint recorded by hand.
	CaseComplaint CaseRule = 21
	// CaseHeldCash is a cash-out that was neither paid nor returned in time (CashOutExpires).
	CaseHeldCash CaseRule = 22
	// CaseOtherCash is a client's request for cash whose ID it has used before, with other contents: one case for each ID.
	CaseOtherCash CaseRule = 23
	// CaseThreshold is a row of a ranking of one day that reached a threshold (Threshold).
	CaseThreshold CaseRule = 24
	// CaseQuestion is what a member of staff has handed over to a colleague from the page of a transaction, round, callback or
	// grant.
	CaseQuestion CaseRule = 26
	// CaseBaselessCorrection is a credit or a debit for a difference that a later reading of a statement no longer shows.
	CaseBaselessCorrection CaseRule = 25
)

// CaseRules lists the rules, riskiest first: first doubts about the books, then possible losses, then matters that only need a
// question.
var CaseRules = caseRuleWords.values()

var caseRuleWords = words[CaseRule]{
	{CaseLedgerFault, "ledger verification failed"},
	{CaseSignReused, "signature reused for different values"},
	{CaseNegativeBalance, "negative balance"},
	{CaseUnexplainedSpin, "free spin without a grant"},
	{CaseWinWithoutBet, "win without a bet"},
	{CaseOtherContents, "transaction ID reused with different details"},
	{CaseOtherCash, "cash ID reused with different details"},
	{CaseHeldCash, "cash-out neither paid nor returned"},
	{CaseOverflow, "overflow refused"},
	{CaseBaselessCorrection, "correction of a difference that is gone"},
	{CaseStatement, "difference from a statement"},
	{CaseComplaint, "complaint"},
	{CaseQuestion, "question to a colleague"},
	{CaseUnknownRollback, "rollback of an unknown transaction"},
	{CaseUnknownGrant, "unconfirmed grant"},
	{CaseDisownedGrant, "grant unknown to the platform"},
	{CaseSpinsApart, "free-spin count mismatch"},
	{CaseInterruptedRound, "round rolled back in part"},
	{CaseThreshold, "threshold reached"},
	{CaseOpenRound, "round open too long"},
}

// String returns the rule in words.
func (r CaseRule) String() string { return caseRuleWords.of(r, "unknown") }

// Risky reports whether money is at risk until the case is settled: the ledger does not verify, a player has money
// without a known reason, or somebody else can send callbacks.
func (r CaseRule) Risky() bool {
	return r == CaseLedgerFault || r == CaseSignReused || r == CaseNegativeBalance || r == CaseUnexplainedSpin ||
		r == CaseWinWithoutBet
}

// CaseState is the state of a case.
type CaseState uint8

// States are stored; their numbers never change.
const (
	CaseOpen       CaseState = 1
	CaseExplained  CaseState = 2 // nothing was wrong
	CaseAdjusted   CaseState = 3 // a correction has fixed it
	CaseWrittenOff CaseState = 4 // wrong, accepted as it is
	CaseWithdrawn  CaseState = 5 // a difference that came only from the file, or from the way it was read
)

// CaseStates lists the states.
var CaseStates = caseStateWords.values()

var caseStateWords = words[CaseState]{
	{CaseOpen, "open"},
	{CaseExplained, "explained"},
	{CaseAdjusted, "adjusted"},
	{CaseWrittenOff, "written off"},
	{CaseWithdrawn, "withdrawn"},
}

// String returns the state in words.
func (s CaseState) String() string { return caseStateWords.of(s, "unknown") }

// CaseFact is one line of evidence.
type CaseFact struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Finding is a problem found by a rule.
type Finding struct {
	Rule          CaseRule
	Key           string    `gorm:"-"`                              // identifies the finding if it is found again
	At            time.Time `gorm:"column:at_us;serializer:micros"` // when it happened
	PlayerID      int64     // internal IDs; 0 for none
	Transaction   int64     `gorm:"column:transaction_number"`
	GrantID       int64
	StatementID   int64
	Verification  int64  `gorm:"column:verification_id"`
	Amount        Amount `gorm:"column:amount_minor"` // at stake; 0 if none or unknown
	Currency      Currency
	TransactionID TransactionID // the platform's, if known
	// If the stored facts cannot be read, the case says so and is still listed.
	Facts     []CaseFact `gorm:"serializer:caseFacts"`
	Reference string     // of a complaint
	Due       time.Time  `gorm:"column:due_us;serializer:micros"` // of a complaint: the end of the last day for an answer
}

// Digest returns the key's digest, as stored.
func (f *Finding) Digest() Hash { return sha256.Sum256([]byte(f.Key)) }

// Case is a finding for people to look at.
type Case struct {
	ID int64
	Finding
	KeyDigest Hash      // of the finding's key
	UserID    UserID    `gorm:"-"`
	FoundAt   time.Time `gorm:"column:found_at_us;serializer:micros"`
	State     CaseState
	Owner     string // username of the person who works on it, or empty
	DecidedBy string
	DecidedAt time.Time `gorm:"column:decided_at_us;serializer:micros"`
	Reason    string
	Notes     []CaseNote `gorm:"-" covered:"rows"` // the comments; read only when the case is compared with the audit log
}

// CaseBacklog counts the open cases of one rule.
type CaseBacklog struct {
	Rule   CaseRule
	N      int64
	Oldest time.Time `gorm:"column:oldest_us;serializer:micros"` // when the oldest was found
}

// CaseGroup is a summary of the cases of one rule and currency.
type CaseGroup struct {
	Rule     CaseRule
	Currency Currency
	N        int64
	Stake    Amount // sum of their amounts
	Others   int64  // how many have an owner other than the viewer
	Newest   int64  // the number of the newest
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
	Span                   // by the time at which they were found or, with ByDue, by their deadlines: Since and Until are about the former
	IDs            []int64 // only these
	Rule           CaseRule
	State          CaseState
	PlayerID       int64
	Transactions   []int64 // any of these
	GrantID        int64
	StatementID    int64
	Verification   int64
	Owner          string
	Unassigned     bool      // those without an owner
	Due            bool      // those with a deadline
	DueBefore      time.Time // those with a deadline before this time
	ByDue          bool      // in the order of deadlines, nearest first
	HappenedSince  time.Time // when it happened or, if that is unknown, when it was found
	HappenedBefore time.Time
	Currency       Currency
	UpTo           int64 // up to this number
}

// DayCases are the numbers of open cases that happened before, on and after a day.
type DayCases struct{ Earlier, OfDay, Later int64 }

// Place returns the case's place in the list that f selects.
func (f CaseFilter) Place(c Case) Cursor {
	if f.ByDue {
		return Cursor{At: c.Due, ID: c.ID}
	}
	return Cursor{At: c.FoundAt, ID: c.ID}
}

// Why a case cannot be changed.
var (
	ErrCaseUnknown    = errors.New("there is no such case")
	ErrCaseClosed     = errors.New("the case is closed")
	ErrCaseTaken      = errors.New("the case now has another owner")
	ErrNotComplaint   = errors.New("only complaints have a due date")
	ErrCaseReason     = errors.New("enter your findings, in at least ten characters")
	ErrCaseReasonLong = errors.New("enter at most 4,000 characters")
)

// MaxCaseText is the maximum length of a comment or a closing reason, in characters.
const MaxCaseText = 4000

// Decide closes a case. It returns ErrCaseClosed, or ErrCaseReason or ErrCaseReasonLong if the reason is too short or too long.
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

// SettledBy reports whether the approval of a correction that names the case as its reference closes it. A complaint still
// needs an answer, and money does not settle a doubt about the ledger or about who sends callbacks.
func (c *Case) SettledBy(k Correction) bool {
	return c.State == CaseOpen && c.ID == CaseOf(k.Reference) && (c.PlayerID == 0 || c.PlayerID == k.PlayerID) &&
		c.Rule != CaseComplaint && c.Rule != CaseLedgerFault && c.Rule != CaseSignReused
}

// CaseRulesConfig has the parameters of the rules.
type CaseRulesConfig struct {
	OpenRound time.Duration // a bet opens a case if nothing follows it for this long; 0 for never
}
