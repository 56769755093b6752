package models

import "time"

// StaffSession is one browser in which a member of staff is signed in, or on the way to it.
type StaffSession struct {
	ID        int64
	Hash      string // hexadecimal SHA-256 of the name in the browser's cookie
	StaffID   int64
	Data      string // the session's values, as JSON
	Address   string
	Agent     string // what the browser calls itself
	CreatedAt time.Time
	SeenAt    time.Time // the last request of the person, which polling is not
	ExpiresAt time.Time // however busy it is
}

// SignInRules are the settings of sign-in and sessions.
type SignInRules struct {
	IdleMinutes    int    // a session ends after this long without a request of the person
	SessionHours   int    // and after this long in any case
	ConfirmMinutes int    // a password given within this time need not be given again before money moves
	TOTPRoles      []Role // these must have a second factor
}

// DefaultSignInRules hold until an administrator changes them.
var DefaultSignInRules = SignInRules{IdleMinutes: 15, SessionHours: 12, ConfirmMinutes: 5}

// Equal reports whether both say the same, in whatever order the roles stand.
func (r SignInRules) Equal(other SignInRules) bool {
	for _, role := range Roles {
		if r.RequiresTOTP(role) != other.RequiresTOTP(role) {
			return false
		}
	}
	return r.IdleMinutes == other.IdleMinutes && r.SessionHours == other.SessionHours && r.ConfirmMinutes == other.ConfirmMinutes
}

// Check returns what is wrong with the rules by field name, or nil.
func (r SignInRules) Check() map[string]string {
	wrong := map[string]string{}
	if r.IdleMinutes < 1 || r.IdleMinutes > 240 {
		wrong["idle"] = "Enter 1 to 240 minutes."
	}
	if r.SessionHours < 1 || r.SessionHours > 24 {
		wrong["session"] = "Enter 1 to 24 hours."
	}
	if r.ConfirmMinutes < 0 || r.ConfirmMinutes > 60 {
		wrong["confirm"] = "Enter 0 to 60 minutes; 0 asks every time."
	}
	if len(wrong) == 0 {
		return nil
	}
	return wrong
}

// RequiresTOTP reports whether this role must have a second factor.
func (r SignInRules) RequiresTOTP(role Role) bool {
	for _, required := range r.TOTPRoles {
		if required == role {
			return true
		}
	}
	return false
}
