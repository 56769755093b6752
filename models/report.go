package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Sums of play, and of what is owed to players, for each day in the operator's time zone. They are calculated from the ledger.
// A line counts on the day it was booked, and a rollback on the day it arrived. Two rules protect figures that were reported. A
// line never counts on a closed day; a late one counts on the first open day. And a wallet's lines count in order: no line
// counts on an earlier day than the line before it, even if clocks differed.

// DayFigures are the sums of one day, or of several, in one currency.
type DayFigures struct {
	MoneySums
	Reversals   int64  // how many transactions were rolled back
	Openings    Amount `gorm:"column:opening_minor"` // opening balances
	Credits     Amount `gorm:"column:credit_minor"`  // by corrections
	Debits      Amount `gorm:"column:debit_minor"`   // by corrections, as a positive amount
	Corrections int64  // how many adjustments
	Deposits    Amount `gorm:"column:deposit_minor"`   // of cash
	Requested   Amount `gorm:"column:requested_minor"` // cash-outs, which are held from then on
	Returned    Amount `gorm:"column:returned_minor"`  // cash-outs, to the balance: unpaid ones, and paid ones that bounced
	Paid        Amount `gorm:"column:paid_minor"`      // cash-outs, less those that bounced
	Moved       Amount `gorm:"column:moved_minor"`     // by how much balances changed, over all lines
	Players     int64  // with a bet or a free spin; over several days, the sum of each day's
}

// Corrected returns credits minus debits of corrections.
func (f *DayFigures) Corrected() Amount { return f.Credits.Sub(f.Debits) }

// Held returns by how much the held amounts changed.
func (f *DayFigures) Held() Amount { return f.Requested.Sub(f.Returned).Sub(f.Paid) }

// Funds returns by how much the liability changed: balances and held amounts.
func (f *DayFigures) Funds() Amount { return f.Moved.Add(f.Held()) }

// Explained returns by how much balances changed according to the figures: minus stakes, plus everything won, returned and
// corrected, plus deposits, minus cash-outs that were requested and not returned. If it differs from Moved, the figures are
// wrong.
func (f *DayFigures) Explained() Amount {
	return f.Openings.Sub(f.Turnover()).Add(f.Payout()).Add(f.SpinPayout()).Add(f.Corrected()).Add(f.Deposits).Sub(f.Requested).
		Add(f.Returned)
}

// Active reports whether anything was booked.
func (f *DayFigures) Active() bool { return *f != DayFigures{} }

// Fields returns the figures in the order in which they are stored and signed, money in minor units.
func (f *DayFigures) Fields() []*int64 {
	m := func(a *Amount) *int64 { return (*int64)(a) }
	return []*int64{
		&f.Bets, m(&f.Stakes), m(&f.StakesReversed), m(&f.Wins), m(&f.WinsReversed), &f.Spins, m(&f.SpinStakes), m(&f.SpinWins),
		m(&f.SpinWinsReversed), &f.Reversals, m(&f.Openings), m(&f.Credits), m(&f.Debits), &f.Corrections, m(&f.Deposits),
		m(&f.Requested), m(&f.Returned), m(&f.Paid), m(&f.Moved), &f.Players,
	}
}

// Add adds the figures of another day or player. It panics if a sum is too large, as Amount.Add does.
func (f *DayFigures) Add(g DayFigures) {
	more := g.Fields()
	for i, sum := range f.Fields() {
		*sum = int64(Amount(*sum).Add(Amount(*more[i])))
	}
}

// Sub subtracts figures that are a part of these.
func (f *DayFigures) Sub(part DayFigures) {
	less := part.Fields()
	for i, sum := range f.Fields() {
		*sum = int64(Amount(*sum).Sub(Amount(*less[i])))
	}
}

// DayReport is a day in one currency.
type DayReport struct {
	Day      Day
	Currency Currency
	DayFigures
	Opening Amount // liability to players at the beginning of the day: the sum of balances and held amounts
	HeldNow Amount // of the liability at the end of the day, what cash-outs hold
	State   DayState
}

// Closing returns the liability to players at the end of the day, or so far.
func (r *DayReport) Closing() Amount { return r.Opening.Add(r.Funds()) }

// PlayerReport is one player over a range of days.
type PlayerReport struct {
	PlayerID int64
	UserID   UserID
	Currency Currency
	Test     bool
	DayFigures
}

// GameReport sums up play in one game. The game is inferred from sessions, because callbacks do not name it.
type GameReport struct {
	GameID   int64  // internal ID
	Offered  GameID // the platform's
	Name     string
	Provider string
	Currency Currency
	Sessions int64
	MoneySums
	Reversals int64 // transactions that were rolled back

	played                 int64   // sessions with play, and sums over them of squares and products, for ReturnInterval
	betBet, betWon, wonWon float64 // in minor units
}

// DayState is the state of a day.
type DayState uint8

const (
	// DayRunning: it has not ended.
	DayRunning DayState = 1
	// DayEnded: it has ended, and can be signed once late lines have arrived.
	DayEnded DayState = 2
	// DayClosed: its figures are final.
	DayClosed DayState = 3
	// DaySigned: it is closed, and both finance and compliance have signed it.
	DaySigned DayState = 4
)

var dayStateWords = words[DayState]{
	{DayRunning, "running"},
	{DayEnded, "ended"},
	{DayClosed, "closed"},
	{DaySigned, "signed"},
}

// String returns the state in words.
func (s DayState) String() string { return dayStateWords.of(s, "unknown") }

// DayRest is how long after its end a day can be closed. Operations that were in progress at midnight are booked by then.
const DayRest = 15 * time.Minute

// TestPlayers says whether a report includes test players.
type TestPlayers uint8

// Whether a report includes test players.
const (
	WithoutTest TestPlayers = 0
	WithTest    TestPlayers = 1
	OnlyTest    TestPlayers = 2
)

// ReportFilter selects what a report includes; From and To are the first and the last day.
type ReportFilter struct {
	From, To Day
	Currency Currency
	Test     TestPlayers
	PlayerID int64
	GameID   int64 // of a report by game; internal ID, 0 for all
	Limit    int
	After    PlayerPlace // the page of a list of players begins after this place
}

// PlayerPlace is a place in a list of players by turnover, highest first.
type PlayerPlace struct {
	Turnover Amount
	PlayerID int64
}

// Days returns how many days the filter includes.
func (f ReportFilter) Days() int {
	return int(f.To.civil().Sub(f.From.civil())/(24*time.Hour)) + 1
}

// ReportDigest returns the digest of a day's figures, in hexadecimal. Signatures are for this digest. It covers a line for the
// day and one for each group, with fields in a fixed order, amounts in minor units and times in microseconds since 1970.
func ReportDigest(day ClosedDay, groups []DayGroup) string {
	h := sha256.New()
	fmt.Fprintf(h, "day 3\t%s\t%s\t%d\t%d\n", day.Day, day.Zone, day.From.UnixMicro(), day.Until.UnixMicro())
	for i := range groups {
		g := &groups[i]
		fmt.Fprintf(h, "%s\t%t\t%d", g.Currency, g.Test, g.Opening)
		for _, figure := range g.Fields() {
			fmt.Fprintf(h, "\t%d", *figure)
		}
		fmt.Fprintf(h, "\t%d\t%d\t%d\n", g.HeldNow, g.RoundsInPlay, g.InPlay)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// DayGroup is a day's figures in one currency, for test players or for the others. Groups are stored, and all reports are sums
// of them.
type DayGroup struct {
	Currency Currency
	Test     bool
	Opening  Amount `gorm:"column:owed_minor"`
	HeldNow  Amount `gorm:"column:held_minor"` // what cash-outs hold at the end of the day
	DayFigures

	RoundsInPlay int64  // rounds that could still get a win, at the end of the day or now
	InPlay       Amount // their stakes, which have left the balances
}

// Control compares the figures of all days with the balances and held amounts of wallets, in one currency.
type Control struct {
	Currency Currency
	Counted  Amount `gorm:"column:counted_minor"`  // movements of all days
	Balances Amount `gorm:"column:balances_minor"` // of all wallets, after the same lines
}

// Agrees reports whether they match.
func (c Control) Agrees() bool { return c.Counted == c.Balances }

// Liability is what is owed to players now, in one currency.
type Liability struct {
	Currency Currency
	Sum      Amount `gorm:"column:minor"`          // of all balances and held amounts
	Held     Amount `gorm:"column:held_minor"`     // of the sum, what cash-outs hold
	Negative Amount `gorm:"column:negative_minor"` // sum of the negative balances
	Owing    int64  // how many players have a negative balance
	Wallets  int64
}

// MonthFunds is what was owed to players at the end of a month, in one currency.
type MonthFunds struct {
	Day      Day // its last day, or today
	Currency Currency
	Funds    Amount `gorm:"column:funds_minor"` // balances and held amounts
	Held     Amount `gorm:"column:held_minor"`  // of the funds, what cash-outs hold
}

// Formula explains how a figure of a report is calculated.
type Formula struct{ Figure, Words string }

// Formulas has the formulas of all reports. They describe DayFigures.
var Formulas = []Formula{
	{"Turnover", "real-money bets, less bets refunded by rollbacks"},
	{"Payout", "wins in real-money play, less wins reversed by rollbacks"},
	{"GGR", "turnover minus payout"},
	{"RTP", "payout as a percentage of turnover; real-money play only"},
	{"Free-spin stakes", "stakes of free spins, which are not money, less those rolled back"},
	{"Free-spin wins", "wins of rounds with a free spin and no earlier real-money stake: the cost of bonuses, not counted in " +
		"payout or GGR"},
	{"Corrections", "adjustments: credits less debits. A rollback or a win that staff booked by hand counts as a rollback " +
		"or a win"},
	{"Cash deposits", "money that players paid in. It is neither turnover nor payout"},
	{"Cash-outs paid", "money that has left the house, less what the bank has sent back since. A cash-out that is only " +
		"requested, or was returned, is not counted"},
	{"Held", "cash-outs that are requested and neither paid nor returned. Players cannot play this money, but it is owed to them"},
	{"Liability", "the sum of balances and of what is held: the sum before, plus opening balances, minus turnover, plus payout, " +
		"plus free-spin wins, plus corrections, plus cash deposits, minus cash-outs paid"},
	{"Stakes in play", "money staked in rounds to which a win may still come: no win and no rollback so far, the last bet " +
		"less than five minutes ago, and no other round begun by the player since. They are no longer part of the balances"},
	{"Day of an entry", "each entry counts on the day it was booked, a rollback on the day it arrived. An entry that " +
		"arrives after its day was closed counts on the first open day"},
}
