package models

import (
	"cmp"
	"math"
	"reflect"
	"slices"
)

// SignInRules are the settings of sign-in, passwords and sessions.
type SignInRules struct {
	IdleMinutes       int    // a session ends after this long without a request by the person
	SessionHours      int    // a session ends after this long in any case
	ConfirmMinutes    int    // a password given within this time is not asked for again before moving money
	SecondFactorRoles []Role // roles that must have a second factor
	LockAfter         int    // this many failed sign-ins lock the origin, see sign_in.go
	LockMinutes       int    // for this long
	UnusedDays        int    // an account is disabled after this long without sign-ins; 0 for never
	OldPasswords      int    // this many of the latest passwords, including the current one, are refused; 0 for none
	LinkHours         int    // a one-time link expires after this long
}

// DefaultSignInRules apply until administrators change them. They meet PCI DSS 4: 8.2.6 (unused accounts), 8.3.4 (lock),
// 8.3.7 (old passwords), 8.4 (second factor).
var DefaultSignInRules = SignInRules{
	IdleMinutes: 15, SessionHours: 12, ConfirmMinutes: 5, SecondFactorRoles: []Role{Administrator, Finance, Compliance},
	LockAfter: 10, LockMinutes: 30, UnusedDays: 90, OldPasswords: 4, LinkHours: 24,
}

// MaxOldPasswords is how many hashes of earlier passwords are kept, even if fewer are refused now, because the setting may
// become stricter.
const MaxOldPasswords = 24

// Equal reports whether both have the same rules, ignoring the order of roles.
func (r SignInRules) Equal(other SignInRules) bool {
	for _, role := range Roles {
		if r.RequiresTOTP(role) != other.RequiresTOTP(role) {
			return false
		}
	}
	r.SecondFactorRoles, other.SecondFactorRoles = nil, nil
	return reflect.DeepEqual(r, other)
}

// WeakerThan reports whether anything in the rules is less strict than now. Such a change takes two administrators
// (ChangeSignInRules), because one alone could otherwise prepare to act as a colleague.
func (r SignInRules) WeakerThan(now SignInRules) bool {
	unused := func(days int) int { return cmp.Or(days, math.MaxInt) } // 0 is never
	return r.IdleMinutes > now.IdleMinutes || r.SessionHours > now.SessionHours || r.ConfirmMinutes > now.ConfirmMinutes ||
		r.LockAfter > now.LockAfter || r.LockMinutes < now.LockMinutes || unused(r.UnusedDays) > unused(now.UnusedDays) ||
		r.OldPasswords < now.OldPasswords || r.LinkHours > now.LinkHours ||
		slices.ContainsFunc(now.SecondFactorRoles, func(role Role) bool { return !r.RequiresTOTP(role) })
}

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
	within("confirm", r.ConfirmMinutes, 0, 60, "Enter 0 to 60 minutes; 0 asks every time.")
	within("lock-after", r.LockAfter, 3, 10, "Enter 3 to 10 failures.")
	within("lock-minutes", r.LockMinutes, 30, 1440, "Enter 30 to 1440 minutes.")
	within("unused", r.UnusedDays, 0, 365, "Enter 1 to 365 days, or 0 for never.")
	within("old-passwords", r.OldPasswords, 0, MaxOldPasswords, "Enter 1 to 24 passwords, or 0 for none.")
	within("link-hours", r.LinkHours, 1, 168, "Enter 1 to 168 hours.")
	if len(wrong) == 0 {
		return nil
	}
	return wrong
}

// RequiresTOTP reports whether this role must have a second factor.
func (r SignInRules) RequiresTOTP(role Role) bool { return slices.Contains(r.SecondFactorRoles, role) }
