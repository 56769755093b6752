package models

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// What was played and owed on each day of the operator's zone, summed up from the ledger. A line counts on the day of its own
// time: a rollback on the day on which it came. Two rules keep what was reported as it was. A line never counts on a day that
// is closed; one that turns up there late counts on the first day that is still open. And a wallet's lines count in their
// order: none on a day before that of the line before it, should clocks have been apart.

// DayFigures are the sums of one day, or of several, in one currency.
type DayFigures struct {
	MoneySums
	Reversals   int64 // lines of rollbacks, in number: bets given back, wins taken back
	Openings    Sum   `gorm:"column:opening_minor"` // balances that wallets began with
	Credits     Sum   `gorm:"column:credit_minor"`  // given by corrections
	Debits      Sum   `gorm:"column:debit_minor"`   // taken by corrections, as a positive amount
	Corrections int64 // adjustments, in number
	Moved       Sum   `gorm:"column:moved_minor"` // of all lines: by how much balances changed
	Players     int64 // who had a bet or a free spin; over several days each day's are counted
}

// Corrected is what corrections gave, less what they took.
func (f *DayFigures) Corrected() Sum { return f.Credits.Minus(f.Debits) }

// Explained is by how much balances changed as the figures tell it: less what was staked, and what was won, given back and
// corrected beside it. It equals Moved, or the figures are wrong.
func (f *DayFigures) Explained() Sum {
	return f.Openings.Minus(f.Turnover()).Plus(f.Payout()).Plus(f.SpinPayout()).Plus(f.Corrected())
}

// Active reports that anything was booked at all.
func (f *DayFigures) Active() bool { return *f != DayFigures{} }

// Add adds the figures of another day or player.
func (f *DayFigures) Add(g DayFigures) {
	f.Bets += g.Bets
	f.Stakes = f.Stakes.Plus(g.Stakes)
	f.StakesReversed = f.StakesReversed.Plus(g.StakesReversed)
	f.Wins = f.Wins.Plus(g.Wins)
	f.WinsReversed = f.WinsReversed.Plus(g.WinsReversed)
	f.Spins += g.Spins
	f.SpinStakes = f.SpinStakes.Plus(g.SpinStakes)
	f.SpinWins = f.SpinWins.Plus(g.SpinWins)
	f.SpinWinsReversed = f.SpinWinsReversed.Plus(g.SpinWinsReversed)
	f.Reversals += g.Reversals
	f.Openings = f.Openings.Plus(g.Openings)
	f.Credits = f.Credits.Plus(g.Credits)
	f.Debits = f.Debits.Plus(g.Debits)
	f.Corrections += g.Corrections
	f.Moved = f.Moved.Plus(g.Moved)
	f.Players += g.Players
}

// DayReport is one day in one currency.
type DayReport struct {
	Day      Day
	Currency Currency
	DayFigures
	Opening Sum // liability to players when the day began: the sum of balances
	State   DayState
}

// Closing is the liability to players when the day ended, or so far.
func (r *DayReport) Closing() Sum { return r.Opening.Plus(r.Moved) }

// PlayerReport is one player over a range of days.
type PlayerReport struct {
	PlayerID int64
	UserID   UserID
	Currency Currency
	Test     bool
	DayFigures
}

// GameReport is what was played in one game, as far as a session makes the game known: inferred, never told by the platform's
// callbacks.
type GameReport struct {
	GameID   int64  // our number
	Offered  GameID // the platform's
	Name     string
	Provider string
	Currency Currency
	Sessions int64
	MoneySums
}

// DayState is how far a day has come.
type DayState uint8

const (
	// DayRunning: it has not ended.
	DayRunning DayState = 1
	// DayEnded: it is over, and can be signed once late lines are in.
	DayEnded DayState = 2
	// DayClosed: it never changes any more.
	DayClosed DayState = 3
	// DaySigned: it is closed, and finance and compliance have both signed it.
	DaySigned DayState = 4
)

var dayStateWords = words[DayState]{
	{DayRunning, "running"},
	{DayEnded, "ended"},
	{DayClosed, "closed"},
	{DaySigned, "signed"},
}

// String gives the state's word.
func (s DayState) String() string { return dayStateWords.of(s, "unknown") }

// DayRest is how long after its end a day can be closed: what was under way at midnight is booked long before.
const DayRest = 15 * time.Minute

// TestPlayers says whose play a report holds.
type TestPlayers uint8

// Whose play a report holds.
const (
	WithoutTest TestPlayers = 0
	WithTest    TestPlayers = 1
	OnlyTest    TestPlayers = 2
)

// ReportFilter selects what a report holds; From and To are the first and the last day.
type ReportFilter struct {
	From, To Day
	Currency Currency
	Test     TestPlayers
	PlayerID int64
	Limit    int
	After    PlayerPlace // of a list of players
}

// PlayerPlace is a place in a list of players by turnover, the largest first.
type PlayerPlace struct {
	Turnover Sum
	PlayerID int64
}

// Days is how many days the filter spans.
func (f ReportFilter) Days() int {
	return int(f.To.civil().Sub(f.From.civil())/(24*time.Hour)) + 1
}

// ClosedDay is a day whose figures are kept as they were.
type ClosedDay struct {
	Day      Day
	Zone     string
	From     time.Time      `gorm:"column:from_us;serializer:micros"`  // the first instant that counted on it
	Until    time.Time      `gorm:"column:until_us;serializer:micros"` // and the first that did not
	ClosedAt time.Time      `gorm:"column:closed_at_us;serializer:micros"`
	Digest   string         // of its figures
	Signed   []DaySignature `gorm:"-"`
}

// SignedBy is the signature given for a role, and false where there is none.
func (d *ClosedDay) SignedBy(r Role) (DaySignature, bool) {
	for _, s := range d.Signed {
		if s.Role == r {
			return s, true
		}
	}
	return DaySignature{}, false
}

// CheckSigner returns why somebody cannot sign the day beside those who have signed it: ErrDaySigned, ErrDaySigner or a
// TiedError.
func (d *ClosedDay) CheckSigner(by Signer, ties Ties) error {
	for _, s := range d.Signed {
		switch {
		case s.Role == by.Role:
			return ErrDaySigned
		case s.By == by.Name || s.StaffID == by.StaffID:
			return ErrDaySigner
		}
		if err := ties.Between(s.StaffID, by.StaffID); err != nil {
			return err
		}
	}
	return nil
}

// DaySigners are the roles that each sign a day.
var DaySigners = []Role{Finance, Compliance}

// DaySignature is one person's word for a day's report, and what was in front of them.
type DaySignature struct {
	Day           Day
	Role          Role
	By            string    `gorm:"column:signed_by"`
	StaffID       int64     `gorm:"->"` // whose username By is; 0 where they are gone
	At            time.Time `gorm:"column:at_us;serializer:micros"`
	Note          string
	Digest        string
	Checkpoint    int64 // the newest that was written after the day's end; 0 where there was none
	OpenCases     int64
	UnknownGrants int64
}

// Reservations are what a signer has to say a word about.
func (s *DaySignature) Reservations() bool {
	return s.Checkpoint == 0 || s.OpenCases > 0 || s.UnknownGrants > 0
}

// Why a day cannot be signed.
var (
	ErrDayRuns   = errors.New("the day has not ended, or has only just ended: its last transactions may still be booked")
	ErrDayBefore = errors.New("nothing had been booked by then, so there is nothing to sign: check the year")
	ErrDayMoved  = errors.New("the day's figures have changed since they were shown")
	ErrDaySigned = errors.New("it has been signed for this role already")
	ErrDaySigner = errors.New("a day is signed by finance and by compliance, and by two people")
	ErrDayNote   = errors.New("something is open or missing: say in at least ten characters why you sign the day " +
		"anyway")
	ErrDayNoteLong   = errors.New("enter at most 4,000 characters")
	ErrDayGap        = errors.New("lines of the ledger are missing, so the figures are incomplete: verify the ledger first")
	ErrDayUnbalanced = errors.New("the control totals differ: recalculate the figures or verify the ledger first")
)

// ReportDigest is the digest of a day's figures, in hexadecimal: what is signed. It is of one line for the day and one for each
// group, whose fields are in an order that never changes; amounts are in minor units, times in microseconds since 1970.
func ReportDigest(day ClosedDay, groups []DayGroup) string {
	h := sha256.New()
	fmt.Fprintf(h, "day 2\t%s\t%s\t%d\t%d\n", day.Day, day.Zone, day.From.UnixMicro(), day.Until.UnixMicro())
	for _, g := range groups {
		fmt.Fprintf(h, "%s\t%t\t%s\t%d\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%d\t%s\t%d\t%d\t%s\n", g.Currency,
			g.Test, g.Opening.Minor(),
			g.Bets, g.Stakes.Minor(), g.StakesReversed.Minor(), g.Wins.Minor(), g.WinsReversed.Minor(), g.Spins,
			g.SpinStakes.Minor(), g.SpinWins.Minor(),
			g.SpinWinsReversed.Minor(), g.Reversals, g.Openings.Minor(), g.Credits.Minor(), g.Debits.Minor(), g.Corrections,
			g.Moved.Minor(), g.Players,
			g.RoundsInPlay, g.InPlay.Minor())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// DayGroup are a day's figures of one currency, of test players or of the others: what is kept, and of which any report is a
// sum.
type DayGroup struct {
	Currency Currency
	Test     bool
	Opening  Sum `gorm:"column:owed_minor"`
	DayFigures

	RoundsInPlay int64 // when the day ended, or now: rounds to which a win could still come
	InPlay       Sum   // and their stakes, which are no longer part of the balances
}

// Control holds what is counted in days against what wallets hold, in one currency.
type Control struct {
	Currency Currency
	Counted  Sum // all days' movements
	Balances Sum // of all wallets, as of the same lines
}

// Agrees reports that nothing is missing.
func (c Control) Agrees() bool { return c.Counted == c.Balances }

// Liability is what is owed to players of one currency at an instant.
type Liability struct {
	Currency Currency
	Sum      Sum   // of all balances
	Negative Sum   // the part of it that players owe, 0 or below; known for the present only
	Owing    int64 // how many they are
	Wallets  int64
}

// Figure names a figure of a report by which its lines are asked for.
type Figure string

// The figures, as addresses name them.
const (
	FigureAll         Figure = ""
	FigureTurnover    Figure = "turnover"
	FigurePayout      Figure = "payout"
	FigureSpins       Figure = "free-spins"
	FigureSpinWins    Figure = "free-spin-wins"
	FigureRollbacks   Figure = "rollbacks"
	FigureCorrections Figure = "corrections"
	FigureOpenings    Figure = "openings"
)

// Figures lists those that are parts of the whole.
var Figures = figureWords.values()

var figureWords = words[Figure]{
	{FigureTurnover, "turnover"},
	{FigurePayout, "payout"},
	{FigureSpins, "free-spin stakes"},
	{FigureSpinWins, "free-spin wins"},
	{FigureRollbacks, "rollbacks"},
	{FigureCorrections, "corrections"},
	{FigureOpenings, "opening balances"},
}

// String gives the figure's words.
func (f Figure) String() string { return figureWords.of(f, "all lines") }

// Kinds are the kinds of the lines behind a figure.
func (f Figure) Kinds() []EntryKind {
	switch f {
	case FigureTurnover:
		return []EntryKind{EntryBet, EntryBetReversed}
	case FigurePayout, FigureSpinWins:
		return []EntryKind{EntryWin, EntryWinReversed}
	case FigureSpins:
		return []EntryKind{EntrySpin, EntrySpinReversed}
	case FigureRollbacks:
		return []EntryKind{EntryBetReversed, EntryWinReversed, EntrySpinReversed}
	case FigureCorrections:
		return []EntryKind{EntryAdjustment}
	case FigureOpenings:
		return []EntryKind{EntryOpening}
	}
	return []EntryKind{EntryOpening, EntryBet, EntryWin, EntryBetReversed, EntryWinReversed, EntryAdjustment, EntryTombstone,
		EntrySpin, EntrySpinReversed}
}

// DayLine is a line of one of the two ledgers that a day's figure is the sum of.
type DayLine struct {
	PlayerID      int64
	UserID        UserID
	Test          bool
	Spin          bool // of the free-spin ledger: Amount is a stake that never was money
	Seq           int64
	Kind          EntryKind
	At            time.Time
	Transaction   int64 // its number; 0 where it has none
	TransactionID TransactionID
	RoundID       RoundID
	Currency      Currency
	Amount        Amount // signed, as the figure takes it
}

// DayLineFilter selects lines behind a day's figure, by player and in the order of their ledgers, the free spins last.
type DayLineFilter struct {
	Day      Day
	Figure   Figure
	Currency Currency
	Test     TestPlayers
	PlayerID int64
	After    LinePlace
	Limit    int
}

// LinePlace is a place in a day's lines.
type LinePlace struct {
	Spin     bool
	PlayerID int64
	Seq      int64
}

// Formula says in words how a figure of a report is made.
type Formula struct{ Figure, Words string }

// Formulas are those of every report. They say what DayFigures reckons.
var Formulas = []Formula{
	{"Turnover", "real-money bets, less bets given back by rollbacks"},
	{"Payout", "wins in real-money play, less wins taken back by rollbacks"},
	{"GGR", "turnover minus payout"},
	{"RTP", "payout as a percentage of turnover; real-money play only"},
	{"Free-spin stakes", "stakes of free spins, which are not money, less those rolled back"},
	{"Free-spin wins", "wins of rounds with a free spin and no earlier real-money stake: the cost of bonuses, not counted in " +
		"payout or GGR"},
	{"Corrections", "adjustments: credits less debits. A rollback or a win that staff booked by hand counts as a rollback " +
		"or a win"},
	{"Liability", "the sum of balances: the sum before, plus opening balances, minus turnover, plus payout, plus free-spin " +
		"wins, plus corrections"},
	{"Stakes in play", "money staked in rounds to which a win may still come: no win and no rollback so far, the last bet " +
		"less than five minutes ago, and no other round begun by the player since. They are no longer part of the balances"},
	{"Day of an entry", "each entry counts on the day it was booked, a rollback on the day it arrived. What arrives after " +
		"its day was closed counts on the first open day"},
}
