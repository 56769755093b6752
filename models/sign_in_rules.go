package models

import (
	"reflect"
	"slices"
)

// SignInRules are the settings of sign-in, passwords and sessions.
type SignInRules struct {
	IdleMinutes    int    // a session ends after this long without a request of the person
	SessionHours   int    // and after this long in any case
	ConfirmMinutes int    // a password given within this time need not be given again before money moves
	TOTPRoles      []Role // these must have a second factor
	LockAfter      int    // failed sign-ins from one place lock it, and strangers' failures in all lock strangers
	LockMinutes    int    // for this long
	UnusedDays     int    // an account that nobody signed in to for this long is disabled; 0 never
	OldPasswords   int    // so many of the latest passwords, the present one included, are not taken again; 0 any is
	LinkHours      int    // a one-time link expires after this long
}

// DefaultSignInRules hold until an administrator changes them. They are what PCI DSS 4 asks for: 8.2.6 (unused accounts), 8.3.4
// (lock), 8.3.7 (old passwords), 8.4 (second factor).
var DefaultSignInRules = SignInRules{
	IdleMinutes: 15, SessionHours: 12, ConfirmMinutes: 5, TOTPRoles: []Role{Administrator, Finance, Compliance},
	LockAfter: 10, LockMinutes: 30, UnusedDays: 90, OldPasswords: 4, LinkHours: 24,
}

// MostOldPasswords is how many hashes of earlier passwords are kept, whatever the settings say: they may become stricter.
const MostOldPasswords = 24

// Equal reports whether both say the same, in whatever order the roles are.
func (r SignInRules) Equal(other SignInRules) bool {
	for _, role := range Roles {
		if r.RequiresTOTP(role) != other.RequiresTOTP(role) {
			return false
		}
	}
	r.TOTPRoles, other.TOTPRoles = nil, nil
	return reflect.DeepEqual(r, other)
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
	within("old-passwords", r.OldPasswords, 0, MostOldPasswords, "Enter 1 to 24 passwords, or 0 for none.")
	within("link-hours", r.LinkHours, 1, 168, "Enter 1 to 168 hours.")
	if len(wrong) == 0 {
		return nil
	}
	return wrong
}

// RequiresTOTP reports whether this role must have a second factor.
func (r SignInRules) RequiresTOTP(role Role) bool { return slices.Contains(r.TOTPRoles, role) }
