package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A player's limits: how much they stake, lose or pay in, each per day, week and month. The player asks for them, at the
// casino's website (a client of the API) or at support. They are in the wallet's row, which every operation locks and reads
// anyway, so they hold for every bet and deposit that is decided after they were committed, also in a session that is open.
// Without limits, both texts are empty and nothing is added up.
//
// What was decided about money, and why:
//
//   - The stake is the money of bets, and the bet of a BetWin. A free spin has none. The loss is the stake minus all winnings
//     booked in the period, those of free spins too: so players can lose what they have won. Deposits are cash deposits, without what
//     is cashed out. Corrections by adjustment, opening balances and cash-outs count nowhere.
//   - An operation counts in the period of its ledger time, and while it stands. A rollback takes it out of the period in which it
//     was booked, if that is not over, and changes no other: rolling back a bet of yesterday gives no room today.
//     So the sums of a period always are those of its postings, and can be calculated again from them.
//   - A bet or a deposit that would exceed a limit is declined whole. What fits exactly is allowed, and a bet of 0.00 always. A
//     BetWin counts its bet, whatever it wins. Wins and rollbacks settle in any case, so a sum may exceed its limit afterwards:
//     then nothing is left.
//   - A limit that is set, or lowered, is in effect at once. To raise or remove one takes effect LimitRaiseAfter later, by the
//     ledger's clock alone. Until then, setting the limit to its present value withdraws the change.
//   - Periods begin at midnight in the zone that was agreed with the first limit, weeks on Monday: that of the player unless another
//     is named. The zone stays for as long as
//     any limit stands, also when the zone of the house's days changes: with another midnight, a period would end early.
//   - A wallet's time never goes back to before the periods that it has begun, so an instance whose clock is late adds to the
//     period that another one has begun.

// PlayerLimitsSet is the action of the audit event of a change of a player's limits.
const PlayerLimitsSet = "player limits set"

// PlayerRestriction begins the actions of audit events of players about their restrictions.
const PlayerRestriction = "player restriction"

// LimitRaiseAfter is how long a player waits until a limit is raised or removed.
const LimitRaiseAfter = 24 * time.Hour

// LimitKind is the kind of a limit: stake, loss or deposit.
type LimitKind uint8

// Kinds are stored; their numbers never change.
const (
	LimitStake   LimitKind = 1
	LimitLoss    LimitKind = 2
	LimitDeposit LimitKind = 3
)

var limitKindWords = words[LimitKind]{{LimitStake, "stake"}, {LimitLoss, "loss"}, {LimitDeposit, "deposit"}}

// LimitKinds lists the kinds.
var LimitKinds = limitKindWords.values()

// String returns the kind in words.
func (k LimitKind) String() string { return limitKindWords.of(k, "unknown") }

// LimitPeriod is how long a limit lasts.
type LimitPeriod uint8

// Periods are stored; their numbers never change.
const (
	LimitDay   LimitPeriod = 1
	LimitWeek  LimitPeriod = 2
	LimitMonth LimitPeriod = 3
)

var limitPeriodWords = words[LimitPeriod]{{LimitDay, "day"}, {LimitWeek, "week"}, {LimitMonth, "month"}}

// LimitPeriods lists the periods.
var LimitPeriods = limitPeriodWords.values()

// String returns the period in words.
func (p LimitPeriod) String() string { return limitPeriodWords.of(p, "unknown") }

// Around returns when the period around an instant begins and ends in a zone.
func (p LimitPeriod) Around(at time.Time, zone *time.Location) (from, until time.Time) {
	first := DayOf(at, zone).civil()
	next := first.AddDate(0, 0, 1)
	switch p {
	case LimitWeek:
		first = first.AddDate(0, 0, -(int(first.Weekday())+6)%7)
		next = first.AddDate(0, 0, 7)
	case LimitMonth:
		first = first.AddDate(0, 0, 1-first.Day())
		next = first.AddDate(0, 1, 0)
	}
	begin := func(day time.Time) time.Time { return Day(day.Format(time.DateOnly)).Begin(zone) }
	return begin(first), begin(next)
}

// PlayerLimit is one limit.
type PlayerLimit struct {
	Kind   LimitKind   `json:"kind"`
	Period LimitPeriod `json:"period"`
	Amount Amount      `json:"amount"`
	Next   *LimitRaise `json:"next,omitempty"` // what it is raised to
}

// LimitRaise raises a limit, or removes it.
type LimitRaise struct {
	To *Amount   `json:"to"` // nil removes it
	At time.Time `json:"at"`
}

// LimitChange asks for a limit.
type LimitChange struct {
	Kind   LimitKind
	Period LimitPeriod
	To     *Amount // nil for none
}

// LimitsRequest asks for limits. Those that it does not name stay as they are.
type LimitsRequest struct {
	Changes []LimitChange
	Zone    string // of the first limit; empty for that of the player or, if there is none, that of reports
	Reason  string // for staff
}

// LimitSums are a player's stakes, wins and deposits since the period began.
type LimitSums struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
	Stake Amount    `json:"stake"`
	Won   Amount    `json:"won"`
	Paid  Amount    `json:"paid"`
}

// used returns what counts towards a limit. A loss is negative if the player has won.
func (s LimitSums) used(kind LimitKind) Amount {
	switch kind {
	case LimitStake:
		return s.Stake
	case LimitLoss:
		return s.Stake - s.Won
	}
	return s.Paid
}

// PlayerLimits are a player's limits, with the sums of the current periods.
type PlayerLimits struct {
	Zone string        `json:"zone"`
	List []PlayerLimit `json:"list"`
	Sums [3]LimitSums  `json:"-"` // by period
}

// Why limits are refused. Players and staff see these texts.
var (
	ErrLimitNone   = errors.New("name at least one limit")
	ErrLimitTwice  = errors.New("name each limit once")
	ErrLimitKind   = errors.New("a limit is of stake, loss or deposit, per day, week or month")
	ErrLimitAmount = errors.New("a limit is an amount from 0.01 to " + MaxAmount.String() + "; to stop deposits or play, restrict the player")
	ErrLimitZone   = errors.New("enter a time zone such as Europe/Vienna")
	ErrLimitZoneIs = errors.New("the time zone of a player's limits cannot change while the player has a limit")
)

// ParseLimits reads the two texts of a wallet. It returns nil if the player has no limits. A text that Pitboss did not write
// stops bets and deposits.
func ParseLimits(limits, sums string) *PlayerLimits {
	if limits == "" {
		return nil
	}
	l := &PlayerLimits{}
	if json.Unmarshal([]byte(limits), l) != nil || json.Unmarshal([]byte(sums), &l.Sums) != nil {
		return &PlayerLimits{List: []PlayerLimit{{Kind: LimitStake, Period: LimitDay}, {Kind: LimitDeposit, Period: LimitDay}}}
	}
	return l
}

// Texts returns what the wallet stores. Both are empty if no limit stands at this time.
func (l *PlayerLimits) Texts(at time.Time) (limits, sums string) {
	if len(l.At(at)) == 0 {
		return "", ""
	}
	text, err := json.Marshal(l)
	if err != nil {
		panic(err) // its types are ours
	}
	return string(text), l.SumsText()
}

// SumsText returns the sums as the wallet stores them.
func (l *PlayerLimits) SumsText() string {
	if l == nil {
		return ""
	}
	text, err := json.Marshal(l.Sums)
	if err != nil {
		panic(err) // its types are ours
	}
	return string(text)
}

// now returns the limit as it is at this time, or false if it has been removed.
func (l PlayerLimit) now(at time.Time) (PlayerLimit, bool) {
	if l.Next == nil || at.Before(l.Next.At) {
		return l, true
	}
	if l.Next.To == nil {
		return l, false
	}
	l.Amount, l.Next = *l.Next.To, nil
	return l, true
}

// At returns the limits that stand at this time.
func (l *PlayerLimits) At(at time.Time) (list []PlayerLimit) {
	if l == nil {
		return nil
	}
	for _, one := range l.List {
		if one, stands := one.now(at); stands {
			list = append(list, one)
		}
	}
	return list
}

// Since returns when the latest of the periods began.
func (l *PlayerLimits) Since() (latest time.Time) {
	for _, s := range l.Sums {
		if s.From.After(latest) {
			latest = s.From
		}
	}
	return latest
}

// Turn begins the periods around this time, with empty sums, where the current ones are over.
func (l *PlayerLimits) Turn(at time.Time) {
	for i := range l.Sums {
		if s := &l.Sums[i]; !at.Before(s.Until) {
			zone, err := time.LoadLocation(l.Zone)
			if err != nil { // it was known when the limits were set
				zone = time.UTC
			}
			*s = LimitSums{}
			s.From, s.Until = LimitPeriods[i].Around(at, zone)
		}
	}
}

// Count adds what an operation does that was booked at this time, or takes it out again if it is rolled back. Turn must have
// been called.
func (l *PlayerLimits) Count(t *Transaction, reversed bool) {
	if l == nil || t.FreeSpin {
		return
	}
	sign := Amount(1)
	if reversed {
		sign = -1
	}
	for i := range l.Sums {
		s := &l.Sums[i]
		if t.At.Before(s.From) {
			continue
		}
		switch t.Kind {
		case Bet, Win, BetWin:
			s.Stake, s.Won = s.Stake.Add(sign*t.Bet), s.Won.Add(sign*t.Win)
		case CashIn:
			s.Paid = s.Paid.Add(sign * t.Win)
		}
	}
}

// LimitState is a limit and its use.
type LimitState struct {
	PlayerLimit
	Used  Amount    // of a loss, negative if the player has won
	Left  Amount    // never negative
	Until time.Time // when it begins again
	Zone  string
}

// States returns the limits at this time and their use, in the order of kinds and periods.
func (l *PlayerLimits) States(at time.Time) (list []LimitState) {
	if l == nil {
		return nil
	}
	now := *l
	now.Turn(at)
	for _, one := range now.At(at) {
		sums := now.Sums[one.Period-1]
		used := sums.used(one.Kind)
		list = append(list, LimitState{PlayerLimit: one, Used: used, Left: max(0, one.Amount-used), Until: sums.Until, Zone: l.Zone})
	}
	return list
}

// done returns what is done with the money that a limit of the kind counts.
func (k LimitKind) done() string {
	return map[LimitKind]string{LimitStake: "staked", LimitLoss: "lost", LimitDeposit: "deposited"}[k]
}

// Won returns how much more a player has won than staked, of a loss limit.
func (s LimitState) Won() Amount { return max(0, -s.Used) }

// Name names a limit as players know it: "stake limit per day".
func (l PlayerLimit) Name() string { return fmt.Sprintf("%s limit per %s", l.Kind, l.Period) }

// String says which limit it is, what is left, and when it begins again.
func (s LimitState) String() string {
	until := s.Until
	if zone, err := time.LoadLocation(s.Zone); err == nil {
		until = until.In(zone)
	}
	return fmt.Sprintf("the %s is %s; %s more can be %s until %s (%s)", s.Name(), s.Amount, s.Left, s.Kind.done(),
		until.Format("2006-01-02 15:04"), s.Zone)
}

// Words returns the limits at this time, for the audit log.
func (l *PlayerLimits) Words(at time.Time) map[string]any {
	words := map[string]any{}
	for _, one := range l.At(at) {
		text := one.Amount.String()
		if raise := one.Next; raise != nil {
			to := "none"
			if raise.To != nil {
				to = raise.To.String()
			}
			at := raise.At.UTC()
			if zone, err := time.LoadLocation(l.Zone); err == nil {
				at = at.In(zone)
			}
			text += ", " + to + " from " + at.Format("2 Jan 2006 15:04")
		}
		words[one.Name()], words["zone"] = text, l.Zone
	}
	return words
}

// stops returns the limit that an operation would exceed: of several, the one of which least is left.
func (l *PlayerLimits) stops(op *Operation, at time.Time) *LimitState {
	if l == nil || op.FreeSpin {
		return nil
	}
	var least *LimitState
	for _, s := range l.States(at) {
		asked := op.Bet
		if (s.Kind == LimitDeposit) != (op.Kind == CashIn) {
			continue
		} else if op.Kind == CashIn {
			asked = op.Win
		}
		if asked > 0 && asked > s.Left && (least == nil || s.Left <= least.Left) {
			least = &s
		}
	}
	return least
}

// Change returns the limits after some were asked for at this time. The sums are those of the periods that are current; they
// have to be read from the ledger where a period has just begun to be counted. l is nil if the player has none. It returns an
// error if the request cannot be followed.
func (l *PlayerLimits) Change(zone string, changes []LimitChange, at time.Time) (*PlayerLimits, error) {
	if len(changes) == 0 {
		return nil, ErrLimitNone
	}
	standing := l.At(at)
	if len(standing) > 0 && zone != "" && zone != l.Zone {
		return nil, ErrLimitZoneIs
	}
	changed := &PlayerLimits{Zone: zone}
	if len(standing) > 0 {
		changed.Zone, changed.List, changed.Sums = l.Zone, standing, l.Sums
	}
	if err := CheckZone(changed.Zone); err != nil {
		return nil, err
	}
	for i, c := range changes {
		same := func(other LimitChange) bool { return other.Kind == c.Kind && other.Period == c.Period }
		switch {
		case slices.ContainsFunc(changes[:i], same):
			return nil, ErrLimitTwice
		case !slices.Contains(LimitKinds, c.Kind) || !slices.Contains(LimitPeriods, c.Period):
			return nil, ErrLimitKind
		case c.To != nil && (*c.To <= 0 || *c.To > MaxAmount):
			return nil, ErrLimitAmount
		}
		changed.change(c, at)
	}
	slices.SortFunc(changed.List, func(a, b PlayerLimit) int {
		return int(a.Kind)*10 + int(a.Period) - int(b.Kind)*10 - int(b.Period)
	})
	changed.Turn(at)
	return changed, nil
}

// CheckZone returns ErrLimitZone unless a text names a time zone of the embedded database, whose names begin with a capital.
// Names of files that only some machines have, such as localtime and right/Europe/Vienna, do not.
func CheckZone(zone string) error {
	_, err := time.LoadLocation(zone)
	if err != nil || zone == "" || zone == "Local" || zone[0] < 'A' || zone[0] > 'Z' || len(zone) > 64 {
		return ErrLimitZone
	}
	return nil
}

func (l *PlayerLimits) change(c LimitChange, at time.Time) {
	i := slices.IndexFunc(l.List, func(one PlayerLimit) bool { return one.Kind == c.Kind && one.Period == c.Period })
	switch {
	case i < 0 && c.To != nil:
		l.List = append(l.List, PlayerLimit{Kind: c.Kind, Period: c.Period, Amount: *c.To})
	case i < 0:
	case c.To != nil && *c.To <= l.List[i].Amount:
		l.List[i].Amount, l.List[i].Next = *c.To, nil
	default:
		had := l.List[i].Next
		if had != nil && (had.To == nil) == (c.To == nil) && (c.To == nil || *had.To == *c.To) {
			return // asked for before: it does not wait again
		}
		l.List[i].Next = &LimitRaise{To: c.To, At: at.Add(LimitRaiseAfter)}
	}
}
