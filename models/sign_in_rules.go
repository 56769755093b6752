package models

import (
	"slices"
	"time"
)

// SignInRules are the settings of sign-in and sessions. Two administrators change them (ChangeSignInRules), because one alone
// could prepare to act as a colleague.
type SignInRules struct {
	IdleMinutes       int    // a session ends after this long without a request by the person
	SessionHours      int    // a session ends after this long in any case
	SecondFactorRoles []Role // roles that must have a second factor
	UnusedDays        int    // an account is disabled after this long without sign-ins; 0 for never
}

// DefaultSignInRules apply until administrators change them. With the constants below, they meet PCI DSS 4: 8.2.6 (unused
// accounts),
// 8.3.4 (lock), 8.3.7 (old passwords), 8.4 (second factor).
var DefaultSignInRules = SignInRules{IdleMinutes: 15, SessionHours: 12, SecondFactorRoles: []Role{Administrator, Finance, Compliance},
	UnusedDays: 90}

const (
	ConfirmedFor = 5 * time.Minute  // a password given within this time is not asked for again before moving money
	LockAfter    = 10               // this many failed sign-ins lock the origin, see sign_in.go
	LockedFor    = 30 * time.Minute // for this long
	OldPasswords = 4                // this many of the latest passwords, including the current one, are refused
	LinkLasts    = 24 * time.Hour   // a one-time link expires after this long
)

// Check returns what is wrong with the rules by field name, or nil.
func (r SignInRules) Check() map[string]string {
	wrong := map[string]string{}
	within := func(name string, n, least, most int, words string) {
		if n < least || n > most {
			wrong[name] = words
		}
	}
	within("idle", r.IdleMinutes, 1, 240, "Enter 1 to 240 minutes.")
	within("session", r.SessionHours, 1, 24, "Enter 1 to 24 hours.")
	within("unused", r.UnusedDays, 0, 365, "Enter 1 to 365 days, or 0 for never.")
	if len(wrong) == 0 {
		return nil
	}
	return wrong
}

// RequiresTOTP reports whether this role must have a second factor.
func (r SignInRules) RequiresTOTP(role Role) bool { return slices.Contains(r.SecondFactorRoles, role) }
