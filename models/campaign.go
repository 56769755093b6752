package models

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// GrantLine is a line of a file of grants.
type GrantLine struct {
	Line   int // counted from 1, including the header
	UserID UserID
	GameID GameID
	Spins  int64
}

// GrantCheck says which of many lines could be granted.
type GrantCheck struct {
	LeftOut    []int            // numbers of the lines whose players are not eligible
	Bad        []LineError      // why other lines cannot be granted
	Currencies map[int]Currency // of known players, by line
}

// CampaignSums are what lines of a campaign grant, as its preview promises.
type CampaignSums struct {
	Figures []CampaignFigures // the grants and their spins, by the players' currencies
	Players int64
	Stops   *BudgetError // why the campaign stops before the other lines; nil if it grants all
}

// Grants returns the grants in all currencies.
func (s CampaignSums) Grants() (n int64) {
	for _, f := range s.Figures {
		n += f.Grants
	}
	return n
}

// Spins returns the spins in all currencies.
func (s CampaignSums) Spins() (n int64) {
	for _, f := range s.Figures {
		n += f.Spins
	}
	return n
}

// Sum returns what lines grant, in their order and up to a budget. currencies has those of their players.
func (t CampaignTerms) Sum(rules GrantRules, lines []GrantLine, currencies map[int]Currency) CampaignSums {
	s, grants, spins, players := CampaignSums{}, map[Currency]int64{}, map[Currency]int64{}, map[UserID]bool{}
	for _, l := range lines {
		var stops BudgetError
		of := currencies[l.Line]
		if errors.As(t.Affords(rules, spins, of, l.Spins), &stops) {
			s.Stops = &stops
			break
		}
		grants[of], spins[of], players[l.UserID] = grants[of]+1, spins[of]+l.Spins, true
	}
	for _, currency := range slices.Sorted(maps.Keys(grants)) {
		s.Figures = append(s.Figures, CampaignFigures{Currency: currency, Grants: grants[currency], Spins: spins[currency]})
	}
	s.Players = int64(len(players))
	return s
}

// CampaignTerms are a campaign's terms, besides its players.
type CampaignTerms struct {
	Name        string              // also the reason of its grants
	StartsAt    time.Time           `gorm:"column:starts_at_us;serializer:micros"` // nothing is granted before; zero for at once
	EndsAt      time.Time           `gorm:"column:ends_at_us;serializer:micros"`   // nothing is granted from then on; zero for no end
	BudgetSpins int64               // 0 for no budget
	BudgetCost  map[Currency]Amount `gorm:"serializer:jsonOrNone"` // as GrantRules.CostOf counts spins; no entry for no budget
}

// Check returns what is wrong with the terms, regardless of stored data.
func (t CampaignTerms) Check(now time.Time) error {
	n := utf8.RuneCountInString(strings.TrimSpace(t.Name))
	switch {
	case n < 1 || n > MaxCampaignName:
		return ErrCampaignName
	case !t.EndsAt.IsZero() && (!t.EndsAt.After(now) || !t.EndsAt.After(t.StartsAt)):
		return ErrCampaignEnd
	case t.BudgetSpins < 0 || t.BudgetSpins > MaxGrantLimit:
		return ErrCampaignBudget
	}
	for _, most := range t.BudgetCost {
		if most < 1 || most > MaxCostAllowed {
			return ErrCampaignBudget
		}
	}
	return nil
}

// MaxCampaignName is how many characters the name of a campaign has at most.
const MaxCampaignName = 100

// Campaign grants free spins to many players. Each line, which names a player, gets at most one grant. Grants to single players
// may belong to it too. Grants beyond the limits on free spins are a campaign as well, even one to a single player: it waits
// for a second person with a role that is responsible for bonuses or money (Approval). The approval only overrides the limits,
// and the grants count against those of their day.
//
// Budgets are decided in the transaction that records a grant, under the campaign's lock. Grants count as in the limits: if
// they were made, are in progress, or may have been made.
type Campaign struct {
	ID int64
	CampaignTerms
	At         time.Time `gorm:"column:at_us;serializer:micros"`
	Actor      string
	Role       Role
	FileName   string   // where the players come from
	Digest     string   // of the lines in any order, in hexadecimal
	Again      bool     // even lines that repeat grants of the last 30 days, and to players with a grant of unknown outcome
	Repeats    int64    `gorm:"-"` // the newest campaign with the same lines that its maker has seen; 0 for none. Not stored
	State      JobState `gorm:"column:job_state"`
	Lines      int64    `gorm:"column:row_count"`
	Spins      int64
	FinishedAt time.Time `gorm:"column:finished_at_us;serializer:micros"`
	Exceeded   string    // the limits that it exceeded when it was requested, in words; empty if it exceeded none
	ExpiresAt  time.Time `gorm:"column:expires_at_us;serializer:micros"` // when it can no longer be approved
	StoppedFor string    // why it was stopped, or paused by Pitboss, before all lines had an outcome
	Approval             // of a campaign beyond the limits; the State of others is 0

	Granted CampaignCount `gorm:"-"`
	Refused CampaignCount `gorm:"-"` // by the platform or by our rules
	Unknown CampaignCount `gorm:"-"` // including those that cannot be found out
	ToGo    CampaignCount `gorm:"-"` // including those in progress
}

// ExceptionLasts is how long a campaign beyond the limits can be decided: long enough for a weekend.
const ExceptionLasts = 72 * time.Hour

// ExceptionRule says who requests and who approves campaigns beyond the limits. Administrators set the limits, so they do
// neither.
var ExceptionRule = ApprovalRule{Makers: []Role{Bonus}, Checkers: []Role{Bonus, Finance}}

// Concerns implements Requested.
func (Campaign) Concerns() int64 { return 0 }

// Rule returns who may approve the campaign, and until when.
func (c Campaign) Rule() ApprovalRule {
	rule := ExceptionRule
	rule.Until = c.ExpiresAt
	return rule
}

// Exceeds returns the limits that it exceeded when requested, each in words.
func (c Campaign) Exceeds() []string {
	if c.Exceeded == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(c.Exceeded, "over the limit: ", ""), "; ")
}

// Why a campaign beyond the limits is not requested or approved. Staff see these texts.
var (
	ErrExceptionNeedless = errors.New("this is within the limits, so no second person needs to approve it")
	ErrMakerChanged      = errors.New("the requester's account was disabled or has a different role now: refuse the campaign")
)

// CampaignCount counts the lines with one outcome, and their spins.
type CampaignCount struct{ Lines, Spins int64 }

// CampaignDays are the lengths, in days, of the periods in which the play of a campaign's players can be compared.
var CampaignDays = []int{7, 14, 30}

// CampaignPlay is what a campaign's players played in one currency, in equal periods before and after the day of each player's
// first grant, which is in neither. Both are shorter if the one after is not over; today is in none.
type CampaignPlay struct {
	Currency                      Currency
	Before, After                 Amount // GGR
	SpinWinsBefore, SpinWinsAfter Amount // what free spins won, which is not in the GGR
}

// CampaignFigures are the figures of a campaign in one currency: what it granted or, before it begins, what it will grant.
type CampaignFigures struct {
	Currency Currency
	Grants   int64  // that the platform made, or will be asked for
	Spins    int64  // of these grants
	Used     int64  // spins
	Winners  int64  // grants that have won
	Cost     Amount // what they have won, which is paid in real money
}

// CountsAs returns what the spins count as in the limits, or false if a spin in the currency has no value.
func (f CampaignFigures) CountsAs(rules GrantRules) (Amount, bool) {
	_, set := rules.SpinCost[f.Currency]
	return rules.CostOf(f.Currency, f.Spins), set
}

// CampaignLine is a line of a campaign and its outcome.
type CampaignLine struct {
	GrantLine
	PlayerID   int64
	GameNumber int64
	GameName   string
	GrantID    int64      // 0 if there is none yet
	State      GrantState // the grant's; GrantRefused without a grant if our rules refused it; 0 if it has no outcome yet
	FreeSpinID FreeSpinID
	Message    string
	At         time.Time // when it got its grant, or was refused
}

// GrantedBeforeError refuses lines that were granted before.
type GrantedBeforeError struct {
	ID int64
	At time.Time
}

// Error says which campaign it was.
func (e GrantedBeforeError) Error() string {
	return fmt.Sprintf("exactly these lines were granted before, as campaign %d at %s: confirm that you want to grant all of them again",
		e.ID,
		e.At.Format("2 Jan 2006, 15:04 UTC"))
}

// Why a campaign cannot be changed.
var (
	ErrCampaignUnknown = errors.New("there is no such campaign")
	ErrCampaignEnded   = errors.New("this campaign has ended")
	ErrCampaignWaiting = errors.New("this campaign waits for a second person to approve it")
	ErrCampaignHeld    = errors.New("this campaign is not running: it is paused, waits for an approval or has ended")
	ErrCampaignEarly   = errors.New("this campaign has not started yet")
	ErrCampaignOver    = errors.New("the end of this campaign has passed")
)

// What is wrong with a campaign's terms.
var (
	ErrCampaignName   = fmt.Errorf("a campaign needs a name of 1 to %d characters", MaxCampaignName)
	ErrCampaignEnd    = errors.New("a campaign must end in the future, and after its start")
	ErrCampaignBudget = errors.New("a budget is 1 to 100,000,000 spins, and 0.01 to 10,000,000,000.00 in a currency")
)

// BudgetError refuses a grant that would exceed the budget of its campaign.
type BudgetError struct{ Over LimitError }

// Error says which budget it is, and how much of it is used.
func (e BudgetError) Error() string {
	return fmt.Sprintf("the budget of the campaign is %s, of which %s is used; the next grant needs %s", e.Over.Words(e.Over.Allowed),
		e.Over.Words(e.Over.Taken), e.Over.Words(e.Over.Asked))
}

// MayGrant returns why the campaign grants nothing at this time: ErrCampaignHeld, ErrCampaignEarly or ErrCampaignOver. A
// campaign whose lines are all done still takes grants to single players until its end.
func (c Campaign) MayGrant(now time.Time) error {
	switch {
	case c.State != JobRunning && c.State != JobFinished:
		return ErrCampaignHeld
	case now.Before(c.StartsAt):
		return ErrCampaignEarly
	case !c.EndsAt.IsZero() && !now.Before(c.EndsAt):
		return ErrCampaignOver
	}
	return nil
}

// Affords returns a BudgetError if a grant of this many spins to a player with this currency would exceed a budget. spent has
// the spins of the grants so far, by the players' currencies.
func (t CampaignTerms) Affords(rules GrantRules, spent map[Currency]int64, currency Currency, spins int64) error {
	var all int64
	for _, n := range spent {
		all += n
	}
	if t.BudgetSpins > 0 && all+spins > t.BudgetSpins {
		return BudgetError{LimitError{Allowed: t.BudgetSpins, Taken: all, Asked: spins, Limit: "spins"}}
	}
	most, limited := t.BudgetCost[currency]
	used, asked := rules.CostOf(currency, spent[currency]), rules.CostOf(currency, spins)
	if limited && used+asked > most {
		return BudgetError{LimitError{Allowed: int64(most), Taken: int64(used), Asked: int64(asked), Currency: currency}}
	}
	return nil
}

// NotEligible is why a player whom a restriction keeps from bonuses is left out of a campaign. It says no more, because whoever
// grants spins may not see restrictions.
const NotEligible = "not eligible"

// CampaignFilter selects campaigns, newest first.
type CampaignFilter struct {
	Span
	State JobState // 0 for all
}

// CampaignLineFilter selects lines of a campaign.
type CampaignLineFilter struct {
	Span       // Page is by the number of the line
	CampaignID int64
	State      GrantState // GrantActive for all that were granted; 0 for all lines
	ToGo       bool       // only lines without an outcome; State is then ignored
}

// CampaignLine returns the code that proves that a line of a campaign was uploaded: the player, the game (internal IDs) and the
// number of spins.
func (c *Chain) CampaignLine(campaignID int64, line int, player, game, spins int64) Hash {
	return c.sum(tagCampaignLine, Hash{}, func(b []byte) []byte { return put(b, campaignID, int64(line), player, game, spins) })
}
