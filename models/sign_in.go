package models

import (
	"net/netip"
	"time"
)

// Failed sign-ins: who has to wait, and how long.
//
// A lock that counts failures only by account lets an attacker lock out its owner; one that counts only by address is useless
// against many addresses. So attempts are counted by their origin:
//
//   - A known browser, with a cookie from an earlier sign-in to this account, is counted by itself. Failures elsewhere do not
//     affect it, whether an attacker's or a colleague's behind the same address.
//   - A known address, from which the account was signed in to within 30 days, is counted by account and address.
//   - All other origins are counted by account and address, and together by account: an attacker with a thousand addresses gets
//     no more attempts than with one. This lock only affects unknown origins; the account's owner can still sign in from known
//     ones, and an administrator can lift it.
//   - Every address is counted over all accounts, so that one address cannot try one password on each.
//
// An address is an IPv4 address or an IPv6 network of 64 bits: internet providers give each customer such a network, and the
// customer can use any address in it.
//
// The first few failures have no effect; after that, each doubles the wait, from 30 seconds to 15 minutes. After
// LockAfter failures the origin is locked for LockedFor, and each further failure locks it again.
// Unknown origins together get no more attempts than that. So an attacker who knows a username can lock unknown origins out for
// as long as they like, but not the owner's browser and usual address. Counts expire after an hour without an attempt. An
// attempt is counted before the password is verified, and cleared by success, so that simultaneous attempts count like
// consecutive ones. Usernames that do not exist are counted too.

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
