package models

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// How many free spins staff may grant: per grant, per player and day, per staff member and day, and by all staff per day. Days
// are those of the time zone of reports. Grants count if they were made, are in progress, or may have been made.
//
// The cost of spins is not known when they are granted, because the platform states neither stake nor price. So the operator
// sets how much one spin counts as in each currency. The cost of a grant, to which limits on cost apply, is that amount times
// the number of spins.
//
// It takes two administrators to change the limits (ChangeGrantLimits). Grants beyond them are a campaign that a
// second person approves (Campaign).

// GrantRules are the limits, and how much a spin counts as in each currency.
type GrantRules struct {
	Limits   GrantLimits
	SpinCost map[Currency]Amount `json:",omitempty"`
}

// GrantLimits are how much staff may grant. 0 allows nothing.
type GrantLimits struct {
	SpinsPerGrant      int64 // in one grant
	PlayerGrantsPerDay int64 // to one player, by all staff
	PlayerSpinsPerDay  int64 // to one player, by all staff
	StaffGrantsPerDay  int64 // by one staff member, to all players
	StaffSpinsPerDay   int64 // by one staff member, to all players
	HouseSpinsPerDay   int64 // by all staff, to all players
	// Cost limits how much the spins count as, by the player's currency. Currencies without an entry have no limit on cost.
	Cost map[Currency]GrantCost `json:",omitempty"`
}

// GrantCost limits the cost of grants in one currency.
type GrantCost struct {
	Grant        Amount // of one grant
	PlayerPerDay Amount // to one player, by all staff
	HousePerDay  Amount // by all staff
}

// DefaultGrantRules apply until two administrators change them. They suit a small casino.
var DefaultGrantRules = GrantRules{Limits: GrantLimits{SpinsPerGrant: 50, PlayerGrantsPerDay: 3, PlayerSpinsPerDay: 100,
	StaffGrantsPerDay: 2000, StaffSpinsPerDay: 15000, HouseSpinsPerDay: 30000}}

// The maximum limits. They keep sums of spins and costs far from overflow.
const (
	MaxGrantLimit         = 100_000_000
	MaxSpinCost    Amount = 100_000_00        // 100,000.00
	MaxCostAllowed Amount = 1_000_000_000_000 // 10,000,000,000.00
)

// What is wrong with limits. Check puts the currency in front.
var (
	ErrLimitRange = errors.New("a limit on grants or spins is a whole number from 0 to 100,000,000")
	ErrLimitOrder = errors.New("one grant must not exceed one player's spins in a day, and these must not exceed what " +
		"all staff may grant in a day")
	ErrSpinCost   = errors.New("one spin counts as 0.01 to 100,000.00")
	ErrCostRange  = errors.New("a limit on cost is at most 10,000,000,000.00")
	ErrNoSpinCost = errors.New("limits on cost need an amount that one spin counts as")
)

// Check returns what is wrong with the limits, or nil.
func (r GrantRules) Check() error {
	for currency, cost := range r.SpinCost {
		if _, err := ParseCurrency(string(currency)); err != nil {
			return err
		}
		if cost < 1 || cost > MaxSpinCost {
			return fmt.Errorf("%s: %w", currency, ErrSpinCost)
		}
	}
	l := r.Limits
	for _, n := range []int64{l.SpinsPerGrant, l.PlayerGrantsPerDay, l.PlayerSpinsPerDay, l.StaffGrantsPerDay,
		l.StaffSpinsPerDay, l.HouseSpinsPerDay} {
		if n < 0 || n > MaxGrantLimit {
			return ErrLimitRange
		}
	}
	if l.SpinsPerGrant > l.PlayerSpinsPerDay || l.PlayerSpinsPerDay > l.HouseSpinsPerDay ||
		l.StaffSpinsPerDay > l.HouseSpinsPerDay {
		return ErrLimitOrder
	}
	for currency, c := range l.Cost {
		switch {
		case r.SpinCost[currency] == 0:
			return fmt.Errorf("%s: %w", currency, ErrNoSpinCost)
		case min(c.Grant, c.PlayerPerDay, c.HousePerDay) < 0 || max(c.Grant, c.PlayerPerDay, c.HousePerDay) > MaxCostAllowed:
			return fmt.Errorf("%s: %w", currency, ErrCostRange)
		case c.Grant > c.PlayerPerDay || c.PlayerPerDay > c.HousePerDay:
			return fmt.Errorf("%s: %w", currency, ErrLimitOrder)
		}
	}
	return nil
}

// GrantTaken is how much of a day's limits has been used.
type GrantTaken struct {
	PlayerGrants, PlayerSpins int64
	StaffGrants, StaffSpins   int64
	HouseSpins                int64
	HouseSpinsInCurrency      int64 // all spins for players with one currency
}

// The limits' names in a LimitError.
const (
	LimitSpinsPerGrant = "spins in one grant"
	LimitPlayerGrants  = "grants to one player a day"
	LimitPlayerSpins   = "spins to one player a day"
	LimitStaffGrants   = "grants by one member of staff a day"
	LimitStaffSpins    = "spins by one member of staff a day"
	LimitHouseSpins    = "spins by all staff a day"
	LimitGrantCost     = "cost of one grant"
	LimitPlayerCost    = "cost of grants to one player a day"
	LimitHouseCost     = "cost of grants by all staff a day"
)

// CostOf returns how much this many spins count as in a currency, or 0 if the operator has not set an amount.
func (r GrantRules) CostOf(currency Currency, spins int64) Amount {
	return Amount(spins) * r.SpinCost[currency]
}

// Allow returns a LimitErrors with every limit that another grant of this many spins would exceed, or nil if there is none.
func (r GrantRules) Allow(taken GrantTaken, currency Currency, spins int64) error {
	if over := r.Exceeded(taken, currency, spins); len(over) > 0 {
		return over
	}
	return nil
}

// Exceeded returns every limit that another grant of this many spins would exceed. taken has the
// HouseSpinsInCurrency of the player's currency.
func (r GrantRules) Exceeded(taken GrantTaken, currency Currency, spins int64) (over LimitErrors) {
	l := r.Limits
	checks := []LimitError{
		{LimitSpinsPerGrant, l.SpinsPerGrant, 0, spins, ""},
		{LimitPlayerGrants, l.PlayerGrantsPerDay, taken.PlayerGrants, 1, ""},
		{LimitPlayerSpins, l.PlayerSpinsPerDay, taken.PlayerSpins, spins, ""},
		{LimitStaffGrants, l.StaffGrantsPerDay, taken.StaffGrants, 1, ""},
		{LimitStaffSpins, l.StaffSpinsPerDay, taken.StaffSpins, spins, ""},
		{LimitHouseSpins, l.HouseSpinsPerDay, taken.HouseSpins, spins, ""},
	}
	if cost, limited := l.Cost[currency]; limited {
		asked := int64(r.CostOf(currency, spins))
		checks = append(checks,
			LimitError{LimitGrantCost, int64(cost.Grant), 0, asked, currency},
			LimitError{LimitPlayerCost, int64(cost.PlayerPerDay), int64(r.CostOf(currency, taken.PlayerSpins)), asked,
				currency},
			LimitError{LimitHouseCost, int64(cost.HousePerDay), int64(r.CostOf(currency, taken.HouseSpinsInCurrency)), asked,
				currency})
	}
	for _, c := range checks {
		if c.Taken+c.Asked > c.Allowed {
			over = append(over, c)
		}
	}
	return over
}

// LimitError is a limit that a grant would exceed.
type LimitError struct {
	Limit    string
	Allowed  int64
	Taken    int64
	Asked    int64
	Currency Currency // of a limit on cost, whose numbers are minor units; otherwise empty
}

// Words formats one of the error's numbers: for a limit on cost, as an amount with its currency.
func (e LimitError) Words(n int64) string {
	if e.Currency != "" {
		return Amount(n).String() + " " + string(e.Currency)
	}
	return fmt.Sprint(n)
}

// Error says how much is allowed, used and requested.
func (e LimitError) Error() string {
	if e.Taken == 0 {
		return fmt.Sprintf("over the limit: %s, %s allowed, %s requested", e.Limit, e.Words(e.Allowed), e.Words(e.Asked))
	}
	return fmt.Sprintf("over the limit: %s, %s allowed, %s used already, %s requested", e.Limit, e.Words(e.Allowed),
		e.Words(e.Taken), e.Words(e.Asked))
}

// LimitErrors are all the limits that a grant would exceed. errors.As finds the first as a LimitError.
type LimitErrors []LimitError

// With returns the limits with those of others that are not among them yet.
func (e LimitErrors) With(others LimitErrors) LimitErrors {
	for _, limit := range others {
		if !slices.ContainsFunc(e, func(o LimitError) bool { return o.Limit == limit.Limit }) {
			e = append(e, limit)
		}
	}
	return e
}

// Error says how much of each limit is allowed, used and requested.
func (e LimitErrors) Error() string {
	words := make([]string, len(e))
	for i, limit := range e {
		words[i] = limit.Error()
	}
	return strings.Join(words, "; ")
}

// Unwrap returns the limits.
func (e LimitErrors) Unwrap() []error {
	list := make([]error, len(e))
	for i, limit := range e {
		list[i] = limit
	}
	return list
}
