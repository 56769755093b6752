package models

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Statement is a file of the transactions of a period, the platform's or those of an API client that moves cash. It is compared
// with the ledger as often as requested.
//
// A client's statement has deposits and cash-outs by the client's own IDs. A deposit is in the period in which it was booked, a
// cash-out in the one in which it was paid: what is held or was returned has moved no money.
type Statement struct {
	ID           int64
	At           time.Time `gorm:"column:at_us;serializer:micros"` // when it was uploaded
	Actor        string
	FileName     string
	Digest       string          // SHA-256 of the file, in hexadecimal
	Bytes        int64           `gorm:"column:file_bytes"`
	Header       []string        `gorm:"serializer:json"`
	HeaderDigest string          // of the header; the next file with the same header gets the same Layout
	File         string          `gorm:"column:file_id"` // ID of the file; empty if it is not kept
	Layout       StatementLayout `gorm:"serializer:json"`
	Since        time.Time       `gorm:"column:since_us;serializer:micros"` // the period; zero before it was entered
	Until        time.Time       `gorm:"column:until_us;serializer:micros"` // the end of the period, not included
	Margin       time.Duration   `gorm:"column:margin_us;serializer:micros"`
	ClientID     int64           // whose cash it has; 0 for the platform's statement
	Client       string          `gorm:"->"` // the name of that client
	Run          StatementRun    `gorm:"-"`  // the latest; zero before the first
}

// Kept reports whether the file still exists.
func (s *Statement) Kept() bool { return s.File != "" }

// Ends returns the latest time that the file can include: the end of its period, or the time of the upload if the period had
// not ended.
func (s *Statement) Ends() time.Time {
	if s.At.Before(s.Until) {
		return s.At
	}
	return s.Until
}

// Covers reports whether the file can include everything from a day's beginning to its end.
func (s *Statement) Covers(day ClosedDay) bool {
	return !s.Since.After(day.From) && !s.Ends().Before(day.Until)
}

// MaxStatementBytes is how many bytes of statements are kept.
const MaxStatementBytes = 10 << 30

// DefaultStatementMargin is the default margin. A transaction this close to an edge of the period may be in the neighboring
// file, because clocks differ.
const DefaultStatementMargin = 5 * time.Minute

// MaxStatementMargin is the maximum margin.
const MaxStatementMargin = time.Hour

// CheckPeriod returns what is wrong with a period and its margin, or nil.
func CheckPeriod(since, until time.Time, margin time.Duration) error {
	switch {
	case since.IsZero() || until.IsZero():
		return LayoutError{"period", "enter the period that the file covers"}
	case !since.Before(until):
		return LayoutError{"period", "the period must end after it begins"}
	case until.Sub(since) > 366*24*time.Hour:
		return LayoutError{"period", "the period can be at most a year"}
	case margin < 0 || margin > MaxStatementMargin:
		return LayoutError{"margin", "the margin must be 0 to 60 minutes"}
	}
	return nil
}

// RunProgress is how far a comparison has come.
type RunProgress struct {
	Permille int   // of the whole
	Lines    int64 `gorm:"column:line_count"` // of the file, read so far, without header and empty lines
	BadLines int64 // that were not compared: unreadable, outside the period, or contradicting another line
}

// StatementRun is a comparison of a statement with the ledger.
type StatementRun struct {
	Job
	StatementID int64
	RunProgress
	Differences int64
	Erased      int64 `gorm:"column:erased_lines"` // lines about erased players, left out because they would name them again
	Respelled   int64 // IDs that differ only in case: counted together, without cases
	Edges       int64 // only ours, but so close to an edge of the period that they may be in the neighboring statement
	Cases       bool  // each difference has a case
	// how many differences have open cases, or all of them if they have no cases or very many cases are open
	Open int64          `gorm:"-"`
	Sums []StatementSum `gorm:"serializer:json"`
	Bad  []BadLine      `gorm:"column:bad;serializer:json"` // the first MaxBadLines of the BadLines
}

// MaxBadLines is how many lines that were not compared are listed. The others are only counted.
const MaxBadLines = 100

// BadLine is a line of the file that was not compared.
type BadLine struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// Refuse notes that a line is not compared.
func (r *StatementRun) Refuse(line int, why error) {
	if r.BadLines++; len(r.Bad) < MaxBadLines {
		r.Bad = append(r.Bad, BadLine{line, why.Error()})
	}
}

// Bucket is how a transaction compares between the platform's statement and the ledger.
type Bucket uint8

// The buckets.
const (
	Agrees        Bucket = 1
	AmountDiffers Bucket = 2 // or other contents: the player, the kind, the currency, the spelling of the ID, a free spin
	StateDiffers  Bucket = 3
	OnlyOurs      Bucket = 4
	OnlyTheirs    Bucket = 5
)

// Buckets are all buckets, in the order of pages.
var Buckets = bucketWords.values()

var bucketWords = words[Bucket]{
	{Agrees, "agree"},
	{AmountDiffers, "details differ"},
	{StateDiffers, "state differs"},
	{OnlyOurs, "missing at platform"},
	{OnlyTheirs, "missing here"},
}

// String returns the bucket in words.
func (b Bucket) String() string { return bucketWords.of(b, "unknown") }

// Remedy is what to do about a difference if the platform is right.
type Remedy uint8

const (
	// RemedyNone: no money differs.
	RemedyNone Remedy = 0
	// RemedyGiveBack: return a bet to the player, by rolling back the transaction.
	RemedyGiveBack Remedy = 1
	// RemedyCredit: credit a win.
	RemedyCredit Remedy = 2
	// RemedyDebit: debit money that the player should not have.
	RemedyDebit Remedy = 3
	// RemedyLeave: the player has more money here than at the platform through no fault of their own, and keeps it.
	RemedyLeave Remedy = 4
	// RemedyLook: the two sides have different players, currencies or spellings of the ID.
	RemedyLook Remedy = 5
	// RemedyClient: the client calls the API for its deposit or cash-out, which finds whether it was booked. A correction would
	// pay twice if the client repeats its call.
	RemedyClient Remedy = 6
)

var remedyWords = words[Remedy]{
	{RemedyGiveBack, "refund"},
	{RemedyCredit, "credit"},
	{RemedyDebit, "debit"},
	{RemedyLeave, "leave"},
	{RemedyLook, "check both"},
	{RemedyClient, "settle with client"},
}

// String returns the remedy in words.
func (r Remedy) String() string { return remedyWords.of(r, "no money differs") }

// MaxStatementCases is how many differences of a file have a case of their own.
const MaxStatementCases = 500

// Difference is a transaction on which the platform's statement and the ledger differ.
type Difference struct {
	RunID         int64 `gorm:"primaryKey;autoIncrement:false"`
	Number        int64 `gorm:"primaryKey;autoIncrement:false"` // its number in the comparison, from 1
	Bucket        Bucket
	Edge          bool // only ours, and close to an edge of the period: no case, because the neighboring statement may have it
	TransactionID TransactionID
	OurNumber     int64 // the transaction's number in the ledger; 0 if only the platform has it
	PlayerID      int64 // 0 if the player is unknown
	UserID        UserID
	Currency      Currency // ours, or the platform's if we do not have it; empty if neither side says
	Kind          OperationKind
	FreeSpin      bool
	// the ledger's time, or the platform's if only the platform has it; zero if unknown
	At   time.Time `gorm:"column:at_us;serializer:micros"`
	Line int64     // of the file; 0 if only the ledger has it
	// the platform's, if they differ from ours: an ID that is only spelled differently, and the player
	TheirID      TransactionID
	TheirUser    UserID
	Ours         StatementSide `gorm:"embedded;embeddedPrefix:our_"`
	Theirs       StatementSide `gorm:"embedded;embeddedPrefix:their_"`
	Detail       string        // other differences, in words; it names no player
	Remedy       Remedy
	RemedyAmount Amount `gorm:"column:remedy_minor"` // not negative
	CaseID       int64  // 0 for none
	// the work on it: the state of its case, 0 for none, and the corrections, waiting or booked, that name the case or, since
	// the comparison, the transaction
	CaseState   CaseState    `gorm:"-"`
	Corrections []Correction `gorm:"-"`
	Settled     bool         `gorm:"-"` // its case is closed, or a correction was booked since the comparison
}

// TableName returns the table's name for GORM.
func (Difference) TableName() string { return "statement_differences" }

// Other names the other side.
func (d *Difference) Other() string {
	if d.Kind.IsCash() {
		return "client"
	}
	return "platform"
}

// OnlyCase reports whether nothing differs but the case of the letters in the transaction ID.
func (d *Difference) OnlyCase() bool {
	return d.TheirID != "" && strings.EqualFold(string(d.TheirID), string(d.TransactionID)) && d.TheirUser == "" && d.Detail == ""
}

// Name returns what differs, with the name of the other side.
func (d *Difference) Name() string {
	switch {
	case d.Bucket != AmountDiffers:
	case d.OnlyCase():
		return "case of the ID differs"
	case d.TheirID != "":
		return "ID differs"
	case d.TheirUser != "":
		return "player differs"
	case len(d.Currencies()) > 1:
		return "currency differs"
	case d.Ours.Bet != d.Theirs.Bet || d.Ours.Win != d.Theirs.Win:
		return "amount differs"
	}
	return strings.Replace(d.Bucket.String(), "platform", d.Other(), 1)
}

// Words returns what differs, with the values of both sides.
func (d *Difference) Words() string {
	words := []string{}
	if d.TheirID != "" {
		words = append(words, fmt.Sprintf("the transaction ID: %s %+q, here %+q", d.Other(), d.TheirID, d.TransactionID))
	}
	if d.TheirUser != "" {
		words = append(words, fmt.Sprintf("the player: %s %s, here %s", d.Other(), d.TheirUser, d.UserID))
	}
	if d.Detail != "" {
		words = append(words, d.Detail)
	}
	return strings.Join(words, "; ")
}

// Currencies returns the currencies of both sides: one, unless they differ.
func (d *Difference) Currencies() []Currency {
	if d.Ours.There && d.Theirs.There && d.Theirs.Currency != d.Currency {
		return []Currency{d.Currency, d.Theirs.Currency}
	}
	return []Currency{d.Currency}
}

// StatementSide is what one side says about a transaction.
type StatementSide struct {
	There    bool
	Currency Currency
	Bet      Amount `gorm:"column:bet_minor"`
	Win      Amount `gorm:"column:win_minor"`
	NoAmount bool   `gorm:"-"` // the side does not give an amount
	FreeSpin bool
	Standing Standing
}

// Amounts returns the bet, the win or both.
func (s StatementSide) Amounts() string {
	switch {
	case s.NoAmount:
		return ""
	case s.Bet != 0 && s.Win != 0:
		return s.Bet.Grouped() + " / " + s.Win.Grouped()
	}
	return max(s.Bet, s.Win).Grouped()
}

// Silent returns how many transactions only one side has, rolled back or failed. They have no effect, so they are neither
// matches nor differences.
func (r *StatementRun) Silent() (n int64) {
	for _, s := range r.Sums {
		n += s.Silent
	}
	return n
}

// effect returns how the side's transaction changed the balance.
func (s StatementSide) effect() Amount {
	if !s.There || s.FreeSpin || s.Standing.idle() {
		return 0
	}
	return s.Win - s.Bet
}

// Comparison is a transaction compared between the two sides.
type Comparison struct {
	Difference
	WithoutEffect bool // no difference: only one side has it, and without effect
}

// Compare compares a transaction in the ledger with the platform's statement. Either may be nil, but not both. A transaction
// without effect on either side is not a difference: the platform may list or omit transactions that were rolled back or
// failed. The exception is a win that failed at the platform and has not arrived here: the player has won it.
//
// The remedy depends on what happened at the platform. A bet that failed there and was applied here is returned; one that was
// not applied here is left. A win that failed there and was applied here is left; one that was not applied here is credited.
func Compare(ours *TransactionLine, theirs *StatementLine) Comparison {
	var c Comparison
	if ours != nil {
		c.TransactionID, c.OurNumber, c.PlayerID, c.UserID, c.Currency = ours.TransactionID, ours.ID, ours.PlayerID,
			ours.UserID, ours.Currency
		c.Kind, c.FreeSpin, c.At = ours.Kind, ours.FreeSpin, ours.MovedAt()
		c.Ours = StatementSide{There: true, Currency: ours.Currency, Bet: ours.Bet, Win: ours.Win, FreeSpin: ours.FreeSpin, Standing: StandingApplied}
		switch {
		case ours.State == Reversed:
			c.Ours.Standing = StandingRolledBack
		case ours.State == Processed && ours.Kind == CashOut:
			c.Ours.Standing = StandingRequested
		}
	}
	if theirs != nil {
		c.Line = theirs.Line
		c.Theirs = StatementSide{There: true, Bet: theirs.Bet, Win: theirs.Win, Standing: theirs.Standing,
			NoAmount: theirs.NoAmount}
		if ours == nil {
			c.TransactionID, c.UserID, c.Currency, c.Kind, c.At = theirs.TransactionID, theirs.UserID, theirs.Currency,
				theirs.kind(), theirs.At
			c.FreeSpin = theirs.FreeSpin != nil && *theirs.FreeSpin
		}
		c.Theirs.Currency = cmp.Or(theirs.Currency, c.Currency)
		c.Theirs.FreeSpin = theirs.FreeSpin != nil && *theirs.FreeSpin || theirs.FreeSpin == nil && c.FreeSpin
	}
	switch {
	case ours == nil:
		c.Bucket = OnlyTheirs
		c.WithoutEffect = theirs.Standing.idle()
		if theirs.Standing == StandingFailed && c.Kind == Win && theirs.Win > 0 {
			c.WithoutEffect, c.Detail = false, "it failed there, and has not arrived here"
			c.Remedy, c.RemedyAmount = RemedyCredit, theirs.Win
		}
	case theirs == nil:
		c.Bucket = OnlyOurs
		c.WithoutEffect = ours.State == Reversed
	default:
		c.compareBoth(ours, theirs)
	}
	if c.WithoutEffect {
		c.Bucket = Agrees
	}
	if c.Bucket != Agrees && c.Remedy == RemedyNone {
		c.remedy()
	}
	return c
}

// kind returns the line's kind, or guesses it from its amounts.
func (l *StatementLine) kind() OperationKind {
	switch {
	case l.Kind != 0:
		return l.Kind
	case l.Bet != 0 && l.Win != 0:
		return BetWin
	case l.Win != 0:
		return Win
	}
	return Bet
}

func (c *Comparison) compareBoth(ours *TransactionLine, theirs *StatementLine) {
	c.Bucket = Agrees
	var details []string
	also := func(what, theirs, ours string) {
		c.Bucket = AmountDiffers
		details = append(details, what+": "+c.Other()+" "+theirs+", here "+ours)
	}
	if theirs.TransactionID != ours.TransactionID { // IDs that the layout takes for one are equal here
		c.Bucket, c.TheirID, c.Remedy = AmountDiffers, theirs.TransactionID, RemedyLook
	}
	if theirs.UserID != "" && theirs.UserID != ours.UserID {
		c.Bucket, c.TheirUser, c.Remedy = AmountDiffers, theirs.UserID, RemedyLook
	}
	if !theirs.NoAmount && (theirs.Bet != ours.Bet || theirs.Win != ours.Win) {
		also("the amount", c.Theirs.Amounts(), c.Ours.Amounts())
	}
	if c.Theirs.Currency != ours.Currency {
		also("the currency", string(theirs.Currency), string(ours.Currency))
		c.Remedy = RemedyLook
	}
	if theirs.Kind != 0 && theirs.Kind != Rollback && theirs.Kind != ours.Kind {
		also("the kind", theirs.Kind.String(), ours.Kind.String())
	}
	if theirs.FreeSpin != nil && *theirs.FreeSpin != ours.FreeSpin {
		words := map[bool]string{true: "a free spin", false: "real money"}
		also("the stake", words[*theirs.FreeSpin], words[ours.FreeSpin])
	}
	here, there := c.Ours.Standing == StandingApplied, theirs.Standing == StandingApplied
	if theirs.Standing == StandingUnsaid {
		c.Theirs.Standing = c.Ours.Standing // the file does not say
	} else if here != there {
		also("the state", theirs.Standing.String(), c.Ours.Standing.String())
		c.Bucket = StateDiffers
	}
	c.Detail = strings.Join(details, "; ")
	if c.Theirs.NoAmount {
		c.Theirs.Bet, c.Theirs.Win = ours.Bet, ours.Win
	}
}

// remedy sets the remedy for the difference between the two effects.
func (c *Comparison) remedy() {
	omitted := c.Bucket == OnlyOurs || c.Bucket == OnlyTheirs || c.Theirs.Standing == StandingFailed
	// What the player should have in addition. A single correction cannot be larger than an amount.
	more := min(max(c.Theirs.effect()-c.Ours.effect(), -MaxAmount), MaxAmount)
	switch {
	case more != 0 && c.Kind.IsCash():
		c.Remedy, c.RemedyAmount = RemedyClient, max(more, -more)
	case more > 0 && c.Kind == Win, more > 0 && c.Bucket == OnlyTheirs:
		c.Remedy, c.RemedyAmount = RemedyCredit, more
	case more > 0:
		c.Remedy, c.RemedyAmount = RemedyGiveBack, more
	case more < 0 && omitted:
		c.Remedy, c.RemedyAmount = RemedyLeave, -more
	case more < 0:
		c.Remedy, c.RemedyAmount = RemedyDebit, -more
	}
}

// StatementSum are the sums of one currency and bucket, net of rollbacks: what was rolled back or failed counts as 0.00.
type StatementSum struct {
	Currency Currency `json:"currency"`
	Bucket   Bucket   `json:"bucket"`
	Edge     bool     `json:"edge,omitempty"`
	Count    int64    `json:"count"`
	Silent   int64    `json:"silent,omitempty"` // not in Count: on one side only, and without effect
	Ours     BookSum  `json:"ours"`
	Theirs   BookSum  `json:"theirs"`
}

// BookSum are the sums of one side.
type BookSum struct {
	Turnover   Amount `json:"turnover"` // bets of real money
	Payout     Amount `json:"payout"`   // wins
	SpinStakes Amount `json:"spin_stakes"`
}

// IsZero reports whether all sums are 0.00.
func (b BookSum) IsZero() bool { return b == BookSum{} }

// Add returns the sums of both.
func (b BookSum) Add(c BookSum) BookSum {
	return BookSum{b.Turnover.Add(c.Turnover), b.Payout.Add(c.Payout), b.SpinStakes.Add(c.SpinStakes)}
}

// Moved returns by how much the balances changed.
func (b BookSum) Moved() Amount { return b.Payout.Sub(b.Turnover) }

// Add adds a comparison: each side only to the sum of its own currency, and its number to that of the comparison's.
func (s *StatementSum) Add(c *Comparison) {
	if c.WithoutEffect {
		s.Silent++
		return
	}
	if s.Currency == c.Currency {
		s.Count++
	}
	book := func(to *BookSum, side StatementSide) {
		switch {
		case side.Currency != s.Currency || !side.There || side.Standing.idle():
		case side.FreeSpin:
			to.SpinStakes = to.SpinStakes.Add(side.Bet)
		default:
			to.Turnover, to.Payout = to.Turnover.Add(side.Bet), to.Payout.Add(side.Win)
		}
	}
	book(&s.Ours, c.Ours)
	book(&s.Theirs, c.Theirs)
}

// Why a statement or a comparison cannot be changed.
var (
	ErrStatementUnknown = errors.New("there is no such statement")
	ErrRunUnderWay      = errors.New("this statement is already being compared")
	ErrRunEnded         = errors.New("this run has ended")
	ErrStatementGone    = errors.New("the file of this statement was deleted: upload it again")
	ErrStatementsFull   = errors.New("statement storage is full (10 GB). Delete files of earlier " +
		"statements on their pages; their results stay")
)

// StatementFilter selects statements, newest first.
type StatementFilter struct {
	Span
	From, To time.Time // those of ClientID whose period overlaps with this one, excluding To; zero for all
	ClientID int64
}

// DifferenceFilter selects the differences of a comparison, ordered by time, oldest first.
type DifferenceFilter struct {
	Span
	RunID  int64
	Bucket Bucket // 0 for all
}

// ParsePeriod parses the two ends of a period in a zone, each a day or a time: "2026-11-19" or "2026-11-19 06:00". A day stands
// for its beginning as the first end, and for its end, 24:00, as the second. It returns a LayoutError about "from" or "to".
func ParsePeriod(from, to string, zone *time.Location) (since, until time.Time, err error) {
	if since, err = parseEnd(from, zone, Day.Begin); err != nil {
		return since, until, LayoutError{"from", err.Error()}
	}
	if until, err = parseEnd(to, zone, Day.End); err != nil {
		return since, until, LayoutError{"to", err.Error()}
	}
	if !since.Before(until) {
		return since, until, LayoutError{"to", "the period must end after it begins"}
	}
	return since, until, nil
}

// parseEnd parses one end of a period. edge returns the beginning or the end of a day.
func parseEnd(text string, zone *time.Location, edge func(Day, *time.Location) time.Time) (at time.Time, err error) {
	if day, err := ParseDay(text); err == nil {
		return edge(day, zone), nil
	}
	for _, layout := range []string{"2006-01-02 15:04", time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at, nil
		}
	}
	return at, errors.New("enter a day such as 2026-11-19, or a time such as 2026-11-19 06:00")
}
