package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"
)

// Some decisions take two people, so nobody may be able to use two accounts. Whoever creates an account, or gives it a role, a
// link that sets its password, or a way in without its second factor, could sign in as its owner. So an account that was given
// something can only view pages until an administrator who did not give it confirms it in the browser. Nobody knows who is at
// the command line, and the identity provider has administrators of its own: what they give is confirmed like anything else.
//
// The first two administrators come from the command line, and nobody confirms them. Neither is confirmed what the command line
// gives an administrator while fewer than two are confirmed: nobody could. What Pitboss does by itself, as in the demo, gives
// nothing.

// StaffAct is how somebody was given access.
type StaffAct string

// The acts. They are stored.
const (
	StaffCreated    StaffAct = "created"
	StaffLinked     StaffAct = "link" // a link that sets a new password
	StaffFactor     StaffAct = "factor"
	StaffRole       StaffAct = "role"
	StaffEnabled    StaffAct = "enabled"
	StaffIdentified StaffAct = "identity"
)

var staffActWords = words[StaffAct]{
	{StaffCreated, "created the account"},
	{StaffLinked, "made a link that sets its password"},
	{StaffFactor, "removed its second factor"},
	{StaffRole, "changed its role"},
	{StaffEnabled, "enabled it"},
	{StaffIdentified, "changed its single sign-on"},
}

// String returns the act in words that follow who did it.
func (a StaffAct) String() string { return staffActWords.of(a, "changed the account") }

// Given is an unconfirmed change of an account.
type Given struct {
	Act  StaffAct  `json:"act"`
	ByID int64     `json:"by_id,omitempty"` // a staff member; 0 for the command line and the identity provider
	By   string    `json:"by"`              // the username, or the name of where it came from
	At   time.Time `json:"at"`
}

// Those that give access and are nobody's account.
const (
	GivenAtCommandLine = "The command line"
	GivenByProvider    = "The identity provider"
)

// String says who did what: "ann made a link that sets its password".
func (g Given) String() string { return g.By + " " + g.Act.String() }

// Unconfirmed lists the unconfirmed changes of an account, oldest first.
type Unconfirmed []Given

// With returns the list after a further change. A change at the command line replaces all earlier ones, because its author
// could have made them all.
func (u Unconfirmed) With(g Given) Unconfirmed {
	if g.By == GivenAtCommandLine {
		return Unconfirmed{g}
	}
	rest := slices.DeleteFunc(slices.Clone(u), func(old Given) bool { return old.Act == g.Act && old.By == g.By })
	return append(rest, g)
}

// Besides returns the list after somebody has confirmed all changes made by others.
func (u Unconfirmed) Besides(staffID int64) Unconfirmed {
	return slices.DeleteFunc(slices.Clone(u), func(g Given) bool { return g.ByID != staffID })
}

// Digest identifies the list, so that nobody confirms what their page did not show.
func (u Unconfirmed) Digest() string {
	text, _ := json.Marshal(u) // it always can be
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:8])
}

// MayConfirm returns an ApprovalError if this person may not confirm the changes.
func (s *Staff) MayConfirm(by Signer) error {
	switch {
	case by.Role != Administrator:
		return ApprovalError{ErrCheckerRole}
	case by.Unconfirmed:
		return ApprovalError{ErrUnconfirmed}
	case by.StaffID == s.ID || len(s.Unconfirmed.Besides(by.StaffID)) == len(s.Unconfirmed):
		return ApprovalError{ErrOwnRequest}
	}
	return nil
}
