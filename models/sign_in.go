package models

import (
	"net/netip"
	"time"
)

// Failed sign-ins, by origin, so that nobody can lock out an account's owner and many addresses gain nothing:
//
//   - a known browser, with a cookie from an earlier sign-in to the account, is counted by itself;
//   - a known address (an IPv4 address or an IPv6 /64), used within 30 days, is counted by account and address;
//   - other origins are counted by account and address, and together by account; an administrator can lift that lock;
//   - each address is counted over all accounts.
//
// After the first few failures, each doubles the wait, from 30 seconds to 15 minutes; LockAfter failures lock the origin for
// LockedFor. An attempt is counted before the password is verified and cleared by success. Unknown usernames are counted too.

// SignInTry is an attempt to sign in, with what is needed to count it.
type SignInTry struct {
	Username string // as ParseUsername returned it
	Address  string // as SignInOrigin returned it
	Device   string // hash of the browser's device cookie; empty without one
	Known    Acquaintance
}

// Acquaintance is whether an account was signed in to from an origin before.
type Acquaintance int

// How well an attempt's origin is known.
const (
	Stranger Acquaintance = iota
	KnownAddress
	KnownDevice
)

// SignInCounter identifies a count of failures, and how many of them have no effect.
type SignInCounter struct {
	Scope    string
	Username string
	Origin   string
	Free     int
	Locks    bool // it is for one account, which LockAfter failures lock
}

// SignInForgotten is how long a count lasts without an attempt, and KnownFor is how long a browser or address is known.
const (
	SignInForgotten = time.Hour
	KnownFor        = 30 * 24 * time.Hour
)

// SignInOrigin returns what sign-ins from an address are counted by.
func SignInOrigin(address string) string {
	if at, err := netip.ParseAddr(address); err == nil && at.Is6() {
		return netip.PrefixFrom(at, 64).Masked().String()
	}
	return address
}

// Counters returns the counts for t. All of them must allow the attempt.
func (t SignInTry) Counters() []SignInCounter {
	account := func(scope, origin string, free int) SignInCounter {
		return SignInCounter{Scope: scope, Username: t.Username, Origin: origin, Free: free, Locks: true}
	}
	address := SignInCounter{Scope: "address", Origin: t.Address, Free: 30}
	switch t.Known {
	case KnownDevice:
		return []SignInCounter{account("device", t.Device, 5)}
	case KnownAddress:
		return []SignInCounter{account("known", t.Address, 5), address}
	}
	return []SignInCounter{account("stranger", t.Address, 5), account("strangers", "", LockAfter), address}
}

// Wait returns how long to wait after a number of failures.
func (c SignInCounter) Wait(failures int) time.Duration {
	const first, most = 30 * time.Second, 15 * time.Minute
	if c.Locks && failures >= LockAfter {
		return LockedFor
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

// SignInLock is what administrators see about an account's failed sign-ins.
type SignInLock struct {
	Failures int
	Until    time.Time // the latest current wait; in the past if there is none
}
