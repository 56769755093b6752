package models

import (
	"errors"
	"fmt"
	"time"
)

// Statement is a file of the platform's transactions of a period, which is compared with ours as often as somebody asks.
type Statement struct {
	ID           int64
	At           time.Time `gorm:"column:at_us;serializer:micros"` // when it was uploaded
	Actor        string
	FileName     string
	Digest       string   // SHA-256 of the file, in hexadecimal
	Bytes        int64    `gorm:"column:file_bytes"`
	Header       []string `gorm:"serializer:json"`
	HeaderDigest string   // of the header: columns of the next file with the same one are read alike
	// the folder that the file is in, by the name that the folder carries; empty where the file is not kept
	Folder string
	File   string          `gorm:"column:stored_name"` // the file's name there
	Layout StatementLayout `gorm:"serializer:json"`
	Since  time.Time       `gorm:"column:since_us;serializer:micros"` // the period; zero before it was named
	Until  time.Time       `gorm:"column:until_us;serializer:micros"` // before this time
	Margin time.Duration   `gorm:"column:margin_us;serializer:micros"`
	Run    StatementRun    `gorm:"-"` // the newest; zero before the first
}

// Kept reports whether the file is there to be read again.
func (s *Statement) Kept() bool { return s.File != "" }

// Ends returns up to when the file can hold anything: the end of its period, or the upload where the period was not over by
// then.
func (s *Statement) Ends() time.Time {
	if s.At.Before(s.Until) {
		return s.At
	}
	return s.Until
}

// DefaultStatementMargin is how far from an edge of the period a transaction may lie by the other side's clock, unless somebody
// chose.
const DefaultStatementMargin = 5 * time.Minute

// MaxStatementMargin is the widest margin.
const MaxStatementMargin = time.Hour

// CheckPeriod returns what is wrong with a period and its margin.
func CheckPeriod(since, until time.Time, margin time.Duration) error {
	switch {
	case since.IsZero() || until.IsZero():
		return LayoutError{"period", "name the period that the file covers"}
	case !since.Before(until):
		return LayoutError{"period", "the period ends after it begins"}
	case until.Sub(since) > 366*24*time.Hour:
		return LayoutError{"period", "a period is a year at most"}
	case margin < 0 || margin > MaxStatementMargin:
		return LayoutError{"margin", "a margin is 0 to 60 minutes"}
	}
	return nil
}

// RunState is how far a run over a statement has come.
type RunState uint8

const (
	// RunUnderWay: it is being worked on, or will be as soon as an instance that has the file is there.
	RunUnderWay RunState = 1
	// RunPaused: a person has halted it and may let it go on.
	RunPaused RunState = 2
	// RunStopped: a person has ended it. It has no result.
	RunStopped RunState = 3
	// RunFinished: it has a result.
	RunFinished RunState = 4
	// RunFailed: it has no result, and Failure says why.
	RunFailed RunState = 5
)

var runStateWords = words[RunState]{
	{RunUnderWay, "running"},
	{RunPaused, "paused"},
	{RunStopped, "stopped"},
	{RunFinished, "finished"},
	{RunFailed, "failed"},
}

// String gives the state's word.
func (s RunState) String() string { return runStateWords.of(s, "not run") }

// Ended reports whether nothing more will happen.
func (s RunState) Ended() bool { return s == RunStopped || s == RunFinished || s == RunFailed }

// RunPhase is what a run is at.
type RunPhase uint8

// The phases, in their order.
const (
	PhaseReading  RunPhase = 1 // the file's lines are read and sorted
	PhaseMatching RunPhase = 2 // they are compared with our transactions
	PhaseWalking  RunPhase = 3 // our transactions of the period without a line are looked for
	PhaseCases    RunPhase = 4 // the differences become cases
)

// String gives the phase's word.
func (p RunPhase) String() string {
	switch p {
	case PhaseMatching:
		return "matching"
	case PhaseWalking:
		return "walking"
	case PhaseCases:
		return "cases"
	}
	return "reading"
}

// RunProgress is how far a run has come.
type RunProgress struct {
	Phase    RunPhase
	Permille int   // of the whole
	Lines    int64 `gorm:"column:line_count"` // of the file read, the header and empty ones left out
	BadLines int64 // that could not be read, or that contradict another
	Theirs   int64 // transactions in the file
	Ours     int64 // of our transactions in the period looked through
}

// StatementRun is one comparison of a statement with our transactions.
type StatementRun struct {
	ID          int64
	StatementID int64
	At          time.Time `gorm:"column:at_us;serializer:micros"` // when it was asked for
	Actor       string
	State       RunState
	RunProgress
	Differences int64
	Edges       int64 // only ours, so near an edge of the period that they may stand in the neighbouring statement
	Failure     string
	FinishedAt  time.Time      `gorm:"column:finished_at_us;serializer:micros"`
	Took        time.Duration  `gorm:"column:took_us;serializer:micros"` // of the work alone
	Settled     int64          // differences of the run before that this one no longer has
	New         int64          `gorm:"column:new_differences"` // and those that the run before did not have
	Before      int64          `gorm:"column:before_id"`       // the run before, by its number; 0 for the first
	Cases       bool           // each difference has a case
	Sums        []StatementSum `gorm:"serializer:json"`
}

// Bucket is how a transaction of one side stands beside the other.
type Bucket uint8

// The buckets.
const (
	Agrees        Bucket = 1
	AmountDiffers Bucket = 2 // or another of the contents: the player, the kind, the currency, whether it was a free spin
	StateDiffers  Bucket = 3
	OnlyOurs      Bucket = 4
	OnlyTheirs    Bucket = 5
)

// Buckets are all buckets, in the order in which pages show them.
var Buckets = bucketWords.values()

var bucketWords = words[Bucket]{
	{Agrees, "agree"},
	{AmountDiffers, "amount differs"},
	{StateDiffers, "state differs"},
	{OnlyOurs, "only ours"},
	{OnlyTheirs, "only theirs"},
}

// String gives the bucket's words.
func (b Bucket) String() string { return bucketWords.of(b, "unknown") }

// Remedy is what would be done if the platform is right.
type Remedy uint8

const (
	// RemedyNone: no money differs.
	RemedyNone Remedy = 0
	// RemedyGiveBack: a stake is given back to the player, by a rollback of the transaction.
	RemedyGiveBack Remedy = 1
	// RemedyCredit: a win is credited.
	RemedyCredit Remedy = 2
	// RemedyDebit: the player has money that is not theirs.
	RemedyDebit Remedy = 3
	// RemedyLeave: the player is better off here than there by an omission that was not theirs, and keeps it.
	RemedyLeave Remedy = 4
	// RemedyLook: the two books speak of different players or currencies.
	RemedyLook Remedy = 5
)

var remedyWords = words[Remedy]{
	{RemedyGiveBack, "give back"},
	{RemedyCredit, "credit"},
	{RemedyDebit, "debit"},
	{RemedyLeave, "leave"},
	{RemedyLook, "look at both"},
}

// String gives the remedy's word.
func (r Remedy) String() string { return remedyWords.of(r, "no money differs") }

// Difference is a transaction that the two books do not agree on.
type Difference struct {
	RunID         int64 `gorm:"primaryKey;autoIncrement:false"`
	Number        int64 `gorm:"primaryKey;autoIncrement:false"` // its place in the run, from 1
	Bucket        Bucket
	Edge          bool // only ours, and near an edge of the period: no case, it may stand in the neighbouring statement
	TransactionID TransactionID
	OurNumber     int64 // our row's number; 0 for only theirs
	PlayerID      int64 // 0 where no player of ours is meant
	UserID        UserID
	Currency      Currency // empty where neither side says
	Kind          OperationKind
	FreeSpin      bool
	// ours, or theirs where we have none; zero where nobody says
	At           time.Time     `gorm:"column:at_us;serializer:micros"`
	Line         int64         // of the file; 0 for only ours
	Ours         StatementSide `gorm:"embedded;embeddedPrefix:our_"`
	Theirs       StatementSide `gorm:"embedded;embeddedPrefix:their_"`
	Detail       string        // what differs, in words
	Remedy       Remedy
	RemedyAmount Amount `gorm:"column:remedy_minor"` // not negative
	CaseID       int64  // 0 while it has none
}

// TableName names the table.
func (Difference) TableName() string { return "statement_differences" }

// StatementSide is what one book says of a transaction.
type StatementSide struct {
	There    bool
	Bet      Amount `gorm:"column:bet_minor"`
	Win      Amount `gorm:"column:win_minor"`
	NoAmount bool   `gorm:"-"` // it does not say an amount
	FreeSpin bool
	Standing Standing
}

// Agreement says whether the two books match as far as the run could read them, and what it left out.
func (r *StatementRun) Agreement() string {
	switch {
	case r.Differences > 0:
		return fmt.Sprintf("differences: %d", r.Differences)
	case r.BadLines > 0:
		return fmt.Sprintf("%d of %d lines could not be read, so the comparison is not complete; the others show no "+
			"difference", r.BadLines, r.Lines)
	}
	if n := r.Silent(); n > 0 {
		return fmt.Sprintf("no differences; %d transactions that moved no money were left out", n)
	}
	return "no differences: every transaction that moved money is the same in both books"
}

// Silent is how many transactions only one book has, without effect: they were rolled back or failed. They neither agree nor
// differ.
func (r *StatementRun) Silent() (n int64) {
	for _, s := range r.Sums {
		n += s.Silent
	}
	return n
}

// effect is what the side's transaction did to the balance.
func (s StatementSide) effect() Amount {
	if !s.There || s.FreeSpin || s.Standing == StandingRolledBack || s.Standing == StandingFailed {
		return 0
	}
	return s.Win - s.Bet
}

// Comparison is a transaction compared with the other book.
type Comparison struct {
	Difference
	WithoutEffect bool // no difference: only one side has it, without an effect
}

// Compare holds what we have of a transaction against what the platform's statement says; either may be nil, but not both. It
// is in no bucket of difference where neither book gives it an effect: the platform may leave out, or list, what was rolled
// back or failed. But a win that failed there and has not arrived here was won all the same.
//
// What is to be done follows issue by issue what happened there: a bet that failed there and was applied here is given back,
// one that was not applied here is left; a win that failed there and was applied here is left, one that was not applied here is
// credited.
func Compare(ours *TransactionLine, theirs *StatementLine) Comparison {
	var c Comparison
	if ours != nil {
		c.TransactionID, c.OurNumber, c.PlayerID, c.UserID, c.Currency = ours.TransactionID, ours.ID, ours.PlayerID,
			ours.UserID, ours.Currency
		c.Kind, c.FreeSpin, c.At = ours.Kind, ours.FreeSpin, ours.At
		c.Ours = StatementSide{There: true, Bet: ours.Bet, Win: ours.Win, FreeSpin: ours.FreeSpin, Standing: StandingApplied}
		if ours.State == Reversed {
			c.Ours.Standing = StandingRolledBack
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
		c.Theirs.FreeSpin = theirs.FreeSpin != nil && *theirs.FreeSpin || theirs.FreeSpin == nil && c.FreeSpin
	}
	switch {
	case ours == nil:
		c.Bucket = OnlyTheirs
		c.WithoutEffect = theirs.Standing == StandingRolledBack || theirs.Standing == StandingFailed
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

// kind is the line's kind, or what its amounts look like.
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
	also := func(detail string) {
		c.Bucket = AmountDiffers
		if c.Detail != "" {
			c.Detail += "; "
		}
		c.Detail += detail
	}
	if !theirs.NoAmount && (theirs.Bet != ours.Bet || theirs.Win != ours.Win) {
		also("the amount")
	}
	if theirs.UserID != "" && theirs.UserID != ours.UserID {
		also("the player, there " + string(theirs.UserID))
		c.Remedy = RemedyLook
	}
	if theirs.Currency != "" && theirs.Currency != ours.Currency {
		also("the currency, there " + string(theirs.Currency))
		c.Remedy = RemedyLook
	}
	if theirs.Kind != 0 && theirs.Kind != Rollback && theirs.Kind != ours.Kind {
		also("the kind, there a " + theirs.Kind.String())
	}
	if theirs.FreeSpin != nil && *theirs.FreeSpin != ours.FreeSpin {
		words := "real money there, a free spin here"
		if *theirs.FreeSpin {
			words = "a free spin there, real money here"
		}
		also(words)
	}
	here, there := c.Ours.Standing == StandingApplied, theirs.Standing == StandingApplied
	if theirs.Standing == StandingUnsaid {
		c.Theirs.Standing = c.Ours.Standing // nothing says otherwise
	} else if here != there {
		c.Bucket = StateDiffers
		words := c.Ours.Standing.String() + " here, " + theirs.Standing.String() + " there"
		if c.Detail != "" {
			words += "; also " + c.Detail
		}
		c.Detail = words
	}
	if c.Theirs.NoAmount {
		c.Theirs.Bet, c.Theirs.Win = ours.Bet, ours.Win
	}
}

// remedy says what becomes of the difference between the two effects.
func (c *Comparison) remedy() {
	omitted := c.Bucket == OnlyOurs || c.Bucket == OnlyTheirs || c.Theirs.Standing == StandingFailed
	more, fits := c.Theirs.effect().Plus(-c.Ours.effect()) // money that the player lacks
	if !fits || more < -MaxAmount {                        // nothing is corrected by more than an amount at once
		more = MaxAmount
		if c.Theirs.effect() < 0 {
			more = -MaxAmount
		}
	}
	switch {
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

// StatementSum are the sums of one currency and bucket, net of rollbacks: what is rolled back, or failed, counts as 0.00.
type StatementSum struct {
	Currency Currency `json:"currency"`
	Bucket   Bucket   `json:"bucket"`
	Edge     bool     `json:"edge,omitempty"`
	Count    int64    `json:"count"`
	Silent   int64    `json:"silent,omitempty"` // beside Count: in one book only, and there without effect
	Ours     BookSum  `json:"ours"`
	Theirs   BookSum  `json:"theirs"`
	GiveBack Sum      `json:"give_back,omitzero"`
	Credit   Sum      `json:"credit,omitzero"`
	Debit    Sum      `json:"debit,omitzero"`
	Leave    Sum      `json:"leave,omitzero"`
}

// BookSum are the sums of one side.
type BookSum struct {
	Turnover   Sum `json:"turnover"` // bets of real money
	Payout     Sum `json:"payout"`   // wins
	SpinStakes Sum `json:"spin_stakes"`
}

// Plus returns the sums of both.
func (b BookSum) Plus(c BookSum) BookSum {
	return BookSum{b.Turnover.Plus(c.Turnover), b.Payout.Plus(c.Payout), b.SpinStakes.Plus(c.SpinStakes)}
}

// Add counts a comparison in.
func (s *StatementSum) Add(c *Comparison) {
	if c.WithoutEffect {
		s.Silent++
		return
	}
	s.Count++
	book := func(to *BookSum, side StatementSide) {
		switch {
		case !side.There || side.Standing == StandingRolledBack || side.Standing == StandingFailed:
		case side.FreeSpin:
			to.SpinStakes = to.SpinStakes.Add(side.Bet)
		default:
			to.Turnover, to.Payout = to.Turnover.Add(side.Bet), to.Payout.Add(side.Win)
		}
	}
	book(&s.Ours, c.Ours)
	book(&s.Theirs, c.Theirs)
	if !c.Edge {
		to := map[Remedy]*Sum{RemedyGiveBack: &s.GiveBack, RemedyCredit: &s.Credit, RemedyDebit: &s.Debit,
			RemedyLeave: &s.Leave}[c.Remedy]
		if to != nil {
			*to = to.Add(c.RemedyAmount)
		}
	}
}

// The ways in which a statement or a run is not changed.
var (
	ErrStatementUnknown = errors.New("there is no such statement")
	ErrRunUnderWay      = errors.New("this statement is being compared already")
	ErrRunEnded         = errors.New("this run has ended")
	ErrStatementGone    = errors.New("the file of this statement is not kept here: upload it again")
)

// StatementFilter selects statements, the newest first.
type StatementFilter struct {
	From, Until time.Time // those whose period overlaps this one, which ends before Until; zero for all
	Page        Cursor
	Limit       int
}

// DifferenceFilter selects the differences of a run, in the order of their times, the oldest first.
type DifferenceFilter struct {
	RunID  int64
	Bucket Bucket // 0 for all
	After  Cursor // the one after which to begin, by its time and number
	Limit  int
}

// Place is where a difference stands in the list of its run.
func (d *Difference) Place() Cursor { return Cursor{At: d.At, ID: d.Number} }

// ParsePeriod reads the two ends of a period in a zone, each a day or a time of day: "2026-11-19" or "2026-11-19 06:00". A day
// alone is its beginning for the one end and its end, 24:00, for the other. It returns a LayoutError about "from" or "to".
func ParsePeriod(from, to string, zone *time.Location) (since, until time.Time, err error) {
	if since, err = parseEnd(from, zone, Day.Begin); err != nil {
		return since, until, LayoutError{"from", err.Error()}
	}
	if until, err = parseEnd(to, zone, Day.End); err != nil {
		return since, until, LayoutError{"to", err.Error()}
	}
	if !since.Before(until) {
		return since, until, LayoutError{"to", "the period ends after it begins"}
	}
	return since, until, nil
}

// parseEnd reads one end of a period; edge is the one of a day that is meant.
func parseEnd(text string, zone *time.Location, edge func(Day, *time.Location) time.Time) (at time.Time, err error) {
	if day, err := ParseDay(text); err == nil {
		return edge(day, zone), nil
	}
	for _, layout := range []string{"2006-01-02 15:04", time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at, nil
		}
	}
	return at, errors.New("write a day such as 2026-11-19, or a time such as 2026-11-19 06:00")
}
