package models

import "time"

// Failed sign-ins: who has to wait, and for how long.
//
// A lock that counts only by account lets a stranger keep its owner out; one that counts only by address does nothing against
// many addresses. So tries are counted by who makes them.
//
//   - A known browser (it carries a cookie from an earlier sign-in to this account) is counted by itself. Nobody else's
//     failures stand in its way, neither a stranger's nor a neighbour's behind the same address.
//   - A known address (this account has signed in from there within 30 days) is counted by account and address.
//   - Everybody else is counted by account and address, and all of them together by account: a guesser with a thousand
//     addresses gets no more than one with a single address. This lock stops only strangers; its owner comes in from where they
//     are known, and an administrator can lift it.
//   - Every address is counted over all accounts, so that one address cannot try one password on each.
//
// The first few failures cost nothing; after them each doubles the wait, from 30 seconds to 15 minutes. After
// SignInRules.LockAfter failures the place is locked for SignInRules.LockMinutes, and each further failure locks it again.
// Strangers together get no more tries than that. So a guesser who knows a username can lock strangers out of it for as long as
// they like, but not its owner: the owner's browser and usual address are not strangers, and an administrator can lift the
// lock. An hour without a try forgets the count. A try is counted before the password is looked at, and cleared by success, so
// that a thousand tries at once are counted like one after another. Names that do not exist are counted like those that do.

// SignInTry is one try to sign in, as far as counting it needs.
type SignInTry struct {
	Username string // as ParseUsername returned it
	Address  string
	Device   string // hash of the browser's device cookie; empty without one
	Known    Acquaintance
}

// Acquaintance says whether an account has been signed in to from here before.
type Acquaintance int

// How well a try's origin is known.
const (
	Stranger Acquaintance = iota
	KnownAddress
	KnownDevice
)

// SignInCounter names one count of failures, and how many of them cost no wait.
type SignInCounter struct {
	Scope    string
	Username string
	Origin   string
	Free     int
	Lock     time.Duration // from After failures on; 0 where the count is not of one account
	After    int
}

// SignInForgotten is how long without a try a count lasts, and KnownFor how long a browser or address is remembered.
const (
	SignInForgotten = time.Hour
	KnownFor        = 30 * 24 * time.Hour
)

// Counters lists the counts that t goes into. All of them must allow it.
func (t SignInTry) Counters(rules SignInRules) []SignInCounter {
	account := func(scope, origin string, free int) SignInCounter {
		return SignInCounter{
			Scope: scope, Username: t.Username, Origin: origin, Free: min(free, rules.LockAfter),
			Lock: time.Duration(rules.LockMinutes) * time.Minute, After: rules.LockAfter,
		}
	}
	address := SignInCounter{Scope: "address", Origin: t.Address, Free: 30}
	switch t.Known {
	case KnownDevice:
		return []SignInCounter{account("device", t.Device, 5)}
	case KnownAddress:
		return []SignInCounter{account("known", t.Address, 5), address}
	}
	return []SignInCounter{account("stranger", t.Address, 5), account("strangers", "", rules.LockAfter), address}
}

// Wait is how long the next try has to wait after so many failures.
func (c SignInCounter) Wait(failures int) time.Duration {
	const first, most = 30 * time.Second, 15 * time.Minute
	if c.Lock > 0 && failures >= c.After {
		return c.Lock
	}
	over := failures - c.Free
	if over < 0 {
		return 0
	}
	if over > 5 {
		return most
	}
	return min(first<<over, most)
}

// SignInLock is what an administrator sees of an account's failed sign-ins.
type SignInLock struct {
	Failures int
	Until    time.Time // the latest wait in force; in the past when nobody waits
}
