package models

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// How many free spins staff may grant. Each role has limits of its own: on one grant, on what one player gets in a day, on what
// one member of staff grants in a day, and on what the whole role grants in a day. A day is a day of the operator's time zone,
// the one of the reports. Everything counts that was granted, is under way, or may have been granted.
//
// What spins will cost is unknown when they are granted: the platform names neither a stake nor a price. So the operator says
// what one spin is counted as in each currency, and limits on cost are compared with that amount times the number of spins.
//
// Two administrators change the limits (ChangeGrantLimits). One grant or import beyond them takes an exception
// (GrantException).

// GrantRules are the limits of all roles, and what one spin is counted as in each currency.
type GrantRules struct {
	Roles    map[Role]GrantLimits
	SpinCost map[Currency]Amount `json:",omitempty"`
}

// GrantLimits are how much staff of one role may grant. 0 allows nothing.
type GrantLimits struct {
	SpinsPerGrant      int64 // in one grant
	PlayerGrantsPerDay int64 // to one player, whoever grants
	PlayerSpinsPerDay  int64 // to one player, whoever grants
	StaffGrantsPerDay  int64 // by one member of staff, to all players
	StaffSpinsPerDay   int64 // by one member of staff, to all players
	RoleSpinsPerDay    int64 // by everybody of the role together
	// Cost limits what the spins are counted as, by the player's currency. A currency without an entry has no limit on cost.
	Cost map[Currency]GrantCost `json:",omitempty"`
}

// GrantCost limits the cost of grants in one currency.
type GrantCost struct {
	Grant        Amount // of one grant
	PlayerPerDay Amount // to one player, whoever grants
	RolePerDay   Amount // by everybody of the role together
}

// GrantingRoles are the roles whose limits may be above zero, in the order in which forms list them. On the pages only bonus
// grants; the command line grants in the name of somebody with any of these roles.
var GrantingRoles = []Role{Bonus, Support, Administrator}

// DefaultGrantRules are in effect until two administrators change them. They suit a small casino.
var DefaultGrantRules = GrantRules{Roles: map[Role]GrantLimits{
	Administrator: {SpinsPerGrant: 200, PlayerGrantsPerDay: 5, PlayerSpinsPerDay: 400, StaffGrantsPerDay: 2000,
		StaffSpinsPerDay: 30000, RoleSpinsPerDay: 30000},
	Bonus: {SpinsPerGrant: 50, PlayerGrantsPerDay: 3, PlayerSpinsPerDay: 100, StaffGrantsPerDay: 2000,
		StaffSpinsPerDay: 15000, RoleSpinsPerDay: 30000},
	Support: {SpinsPerGrant: 10, PlayerGrantsPerDay: 1, PlayerSpinsPerDay: 10, StaffGrantsPerDay: 20,
		StaffSpinsPerDay: 200, RoleSpinsPerDay: 1000},
}}

// The largest limits. They keep sums of spins and costs far from overflow.
const (
	MaxGrantLimit         = 100_000_000
	MaxSpinCost    Amount = 100_000_00        // 100,000.00
	MaxCostAllowed Amount = 1_000_000_000_000 // 10,000,000,000.00
)

// What is wrong with limits. Each names the role or currency in front of it.
var (
	ErrLimitRole  = errors.New("staff of this role grant no spins, so they have no limits")
	ErrLimitRange = errors.New("a limit on grants or spins is a whole number from 0 to 100,000,000")
	ErrLimitOrder = errors.New("one grant may have no more than one player may get in a day, and one player no more than " +
		"the role may grant in a day")
	ErrSpinCost   = errors.New("one spin counts as 0.01 to 100,000.00")
	ErrCostRange  = errors.New("a limit on cost is at most 10,000,000,000.00")
	ErrNoSpinCost = errors.New("limits on cost need an amount that one spin counts as")
)

// Check returns what is wrong with the limits, nil where nothing is.
func (r GrantRules) Check() error {
	for currency, cost := range r.SpinCost {
		if _, err := ParseCurrency(string(currency)); err != nil {
			return err
		}
		if cost < 1 || cost > MaxSpinCost {
			return fmt.Errorf("%s: %w", currency, ErrSpinCost)
		}
	}
	for role, l := range r.Roles {
		if !slices.Contains(GrantingRoles, role) {
			return fmt.Errorf("%s: %w", role, ErrLimitRole)
		}
		for _, n := range []int64{l.SpinsPerGrant, l.PlayerGrantsPerDay, l.PlayerSpinsPerDay, l.StaffGrantsPerDay,
			l.StaffSpinsPerDay, l.RoleSpinsPerDay} {
			if n < 0 || n > MaxGrantLimit {
				return fmt.Errorf("%s: %w", role, ErrLimitRange)
			}
		}
		if l.SpinsPerGrant > l.PlayerSpinsPerDay || l.PlayerSpinsPerDay > l.RoleSpinsPerDay ||
			l.StaffSpinsPerDay > l.RoleSpinsPerDay {
			return fmt.Errorf("%s: %w", role, ErrLimitOrder)
		}
		for currency, c := range l.Cost {
			switch {
			case r.SpinCost[currency] == 0:
				return fmt.Errorf("%s, %s: %w", role, currency, ErrNoSpinCost)
			case min(c.Grant, c.PlayerPerDay, c.RolePerDay) < 0 || max(c.Grant, c.PlayerPerDay, c.RolePerDay) > MaxCostAllowed:
				return fmt.Errorf("%s, %s: %w", role, currency, ErrCostRange)
			case c.Grant > c.PlayerPerDay || c.PlayerPerDay > c.RolePerDay:
				return fmt.Errorf("%s, %s: %w", role, currency, ErrLimitOrder)
			}
		}
	}
	return nil
}

// GrantTaken is how much of a day's limits is taken.
type GrantTaken struct {
	PlayerGrants, PlayerSpins int64
	StaffGrants, StaffSpins   int64
	RoleSpins                 int64
	RoleSpinsInCurrency       int64 // those of the role's spins that went to players of one currency
}

// The limits, as a LimitError names them.
const (
	LimitSpinsPerGrant = "spins in one grant"
	LimitPlayerGrants  = "grants to one player a day"
	LimitPlayerSpins   = "spins to one player a day"
	LimitStaffGrants   = "grants by one member of staff a day"
	LimitStaffSpins    = "spins by one member of staff a day"
	LimitRoleSpins     = "spins by the whole role a day"
	LimitGrantCost     = "cost of one grant"
	LimitPlayerCost    = "cost of grants to one player a day"
	LimitRoleCost      = "cost of grants by the whole role a day"
)

// CostOf is what so many spins are counted as in a currency, 0 where the operator has said nothing.
func (r GrantRules) CostOf(currency Currency, spins int64) Amount {
	return Amount(spins) * r.SpinCost[currency]
}

// Allow returns a LimitErrors with every limit that one more grant of so many spins would exceed, nil where there is none.
func (r GrantRules) Allow(role Role, taken GrantTaken, currency Currency, spins int64) error {
	if over := r.Exceeded(role, taken, currency, spins); len(over) > 0 {
		return over
	}
	return nil
}

// Exceeded returns every limit that one more grant of so many spins would exceed. taken is the role's, and of its spins in one
// currency those in the player's.
func (r GrantRules) Exceeded(role Role, taken GrantTaken, currency Currency, spins int64) (over LimitErrors) {
	l := r.Roles[role]
	checks := []LimitError{
		{LimitSpinsPerGrant, l.SpinsPerGrant, 0, spins, ""},
		{LimitPlayerGrants, l.PlayerGrantsPerDay, taken.PlayerGrants, 1, ""},
		{LimitPlayerSpins, l.PlayerSpinsPerDay, taken.PlayerSpins, spins, ""},
		{LimitStaffGrants, l.StaffGrantsPerDay, taken.StaffGrants, 1, ""},
		{LimitStaffSpins, l.StaffSpinsPerDay, taken.StaffSpins, spins, ""},
		{LimitRoleSpins, l.RoleSpinsPerDay, taken.RoleSpins, spins, ""},
	}
	if cost, limited := l.Cost[currency]; limited {
		asked := int64(r.CostOf(currency, spins))
		checks = append(checks,
			LimitError{LimitGrantCost, int64(cost.Grant), 0, asked, currency},
			LimitError{LimitPlayerCost, int64(cost.PlayerPerDay), int64(r.CostOf(currency, taken.PlayerSpins)), asked,
				currency},
			LimitError{LimitRoleCost, int64(cost.RolePerDay), int64(r.CostOf(currency, taken.RoleSpinsInCurrency)), asked,
				currency})
	}
	for _, c := range checks {
		if c.Taken+c.Asked > c.Allowed {
			over = append(over, c)
		}
	}
	return over
}

// LimitError names the limit that a grant would exceed.
type LimitError struct {
	Limit    string
	Allowed  int64
	Taken    int64
	Asked    int64
	Currency Currency // of a limit on cost, whose numbers are minor units; empty for one on grants or spins
}

// Words writes one of the error's numbers: an amount with its currency for a limit on cost.
func (e LimitError) Words(n int64) string {
	if e.Currency != "" {
		return Amount(n).String() + " " + string(e.Currency)
	}
	return fmt.Sprint(n)
}

// Error says how much is allowed and how much is taken already.
func (e LimitError) Error() string {
	if e.Taken == 0 {
		return fmt.Sprintf("over the limit: %s, %s allowed, %s asked for", e.Limit, e.Words(e.Allowed), e.Words(e.Asked))
	}
	return fmt.Sprintf("over the limit: %s, %s allowed, %s taken already, %s asked for", e.Limit, e.Words(e.Allowed),
		e.Words(e.Taken), e.Words(e.Asked))
}

// LimitErrors are all the limits that a grant would exceed. errors.As finds the first as a LimitError.
type LimitErrors []LimitError

// Error says how much of each limit is allowed and how much is taken already.
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
