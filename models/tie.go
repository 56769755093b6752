package models

import (
	"fmt"
	"slices"
	"time"
)

// Some decisions take two people. Two accounts only count as two people if neither person could sign in as the other. Somebody
// who creates an account, makes a link that sets its password, resets its second factor or changes the address that links are
// sent to could sign in as its owner. Somebody who unlocks or enables an account or changes its role has at least helped its
// owner. Each such act ties the two people for a period (TieDays), in which neither can approve what the other requests.
//
// Acts that could let somebody sign in as the owner also tie people indirectly: an administrator who created two accounts could
// use both, so the two are tied to each other, through any number of steps. Nobody knows who is at the command line, so an
// account that was changed there is tied to everybody. Accounts that the system created by itself, as in the demo, tie nobody.
//
// The period ends, so it cannot stop one administrator who creates two accounts and waits. So a second administrator confirms
// each such act once, except unlocking and a new e-mail address, which let nobody in by themselves: a link to that address is
// another act. That applies to every role, because each has a part in some decision that takes two people: administrators decide
// limits and confirm accounts, compliance signs days. Acts at the command line need no confirmation, and replace one: whoever is
// there owns the machine and its database.

// TieAct is what somebody did to a colleague's account.
type TieAct string

// The acts. They are stored.
const (
	TieCreated  TieAct = "created"
	TieReset    TieAct = "reset"    // made a link that sets a new password
	TieFactor   TieAct = "factor"   // reset the second factor
	TieEmail    TieAct = "email"    // changed the address that links are sent to
	TieRole     TieAct = "role"     // changed the role
	TieUnlocked TieAct = "unlocked" // cleared the failed sign-ins
	TieEnabled  TieAct = "enabled"
	TieIdentity TieAct = "identity" // linked it to an identity of single sign-on, or to none
)

// givesKeys reports whether somebody who did this could sign in as the owner of the account.
func (a TieAct) givesKeys() bool {
	return a == TieCreated || a == TieReset || a == TieFactor || a == TieEmail || a == TieIdentity
}

var tieActWords = words[TieAct]{
	{TieCreated, "created the account of"},
	{TieReset, "made a link that sets the password of"},
	{TieFactor, "reset the second factor of"},
	{TieEmail, "changed the e-mail address of"},
	{TieRole, "changed the role of"},
	{TieUnlocked, "unlocked the account of"},
	{TieEnabled, "enabled the account of"},
	{TieIdentity, "changed the single sign-on of"},
}

// String returns the act in words, to be followed by the name of the account's owner.
func (a TieAct) String() string { return tieActWords.of(a, "changed the account of") }

// SomebodyAtTheCommandLine replaces the ID of the staff member if an account was changed at the command line.
const SomebodyAtTheCommandLine int64 = 0

// Tie is one act of By on the account of Staff.
type Tie struct {
	ID      int64
	StaffID int64
	Staff   string `gorm:"->"` // the owner's name
	ByID    int64  // a staff member, or SomebodyAtTheCommandLine
	By      string `gorm:"column:by_name;->"`
	Act     TieAct
	At      time.Time `gorm:"column:at_us;serializer:micros"`
	Until   time.Time `gorm:"-"` // when it no longer counts
}

// TableName returns the table's name for GORM.
func (Tie) TableName() string { return "staff_ties" }

// String says who did what, and when.
func (t Tie) String() string {
	by := t.By
	if t.ByID == SomebodyAtTheCommandLine {
		by = "The command line"
	}
	return fmt.Sprintf("%s %s %s on %s", by, t.Act, t.Staff, t.At.UTC().Format("2 Jan 2006"))
}

// Confirmable reports whether a second administrator has to confirm such an act.
func (a TieAct) Confirmable() bool { return a != TieUnlocked && a != TieEmail }

// MayConfirm returns an ApprovalError if this administrator may not confirm the act.
func (t Tie) MayConfirm(by Signer, ties Ties, at time.Time) error {
	request := Approval{Maker: Signature{StaffID: t.ByID}, State: ApprovalWaiting}
	return request.MayApprove(t.ConfirmRule(), by, ties, at)
}

// ConfirmRule says who confirms the act: an administrator who is tied neither to the one who did it nor to the account.
func (t Tie) ConfirmRule() ApprovalRule {
	return ApprovalRule{Checkers: []Role{Administrator}, Untied: []int64{t.StaffID}}
}

// Ties are all ties that count at one time.
type Ties []Tie

// TiedError refuses an approval because the two people are tied.
type TiedError struct {
	Because []Tie     // the acts that tie them, directly or in several steps
	Until   time.Time // when they are no longer tied
}

// Error names the acts.
func (e TiedError) Error() string {
	text := "this takes two people, neither of whom has recently changed or had access to the other’s account: "
	for i, t := range e.Because {
		if i > 0 {
			text += "; "
		}
		text += t.String()
	}
	return text
}

// Between returns a TiedError if two staff members are tied, or nil if they are not. One of them may be
// SomebodyAtTheCommandLine.
func (t Ties) Between(a, b int64) error {
	because := t.path(a, b)
	if because == nil {
		return nil
	}
	err := TiedError{Because: because}
	var ends []time.Time
	for _, tie := range t {
		ends = append(ends, tie.Until)
	}
	slices.SortFunc(ends, time.Time.Compare)
	for _, end := range ends {
		later := slices.DeleteFunc(slices.Clone(t), func(tie Tie) bool { return !tie.Until.After(end) })
		if err.Until = end; later.path(a, b) == nil {
			break
		}
	}
	return err
}

// path returns the acts that tie a and b, or nil if there are none.
func (t Ties) path(a, b int64) []Tie {
	for _, tie := range t {
		direct := tie.StaffID == a && tie.ByID == b || tie.StaffID == b && tie.ByID == a
		anybody := tie.ByID == SomebodyAtTheCommandLine && (tie.StaffID == a || tie.StaffID == b)
		if direct || anybody {
			return []Tie{tie}
		}
	}
	ofA, ofB := t.holders(a), t.holders(b)
	var shortest []Tie
	consider := func(path []Tie) {
		if shortest == nil || len(path) < len(shortest) {
			shortest = path
		}
	}
	for holder, path := range ofA {
		if other, both := ofB[holder]; both {
			consider(slices.Concat(path, other))
		}
	}
	for _, holders := range []map[int64][]Tie{ofA, ofB} {
		if path := holders[SomebodyAtTheCommandLine]; len(path) > 0 {
			consider(path)
		}
	}
	return shortest
}

// holders returns who could sign in as this staff member, including themselves, each with the acts that make it possible.
func (t Ties) holders(id int64) map[int64][]Tie {
	found := map[int64][]Tie{id: {}}
	for queue := []int64{id}; len(queue) > 0; queue = queue[1:] {
		for _, tie := range t {
			if _, known := found[tie.ByID]; tie.StaffID == queue[0] && tie.Act.givesKeys() && !known {
				found[tie.ByID] = append(slices.Clone(found[queue[0]]), tie)
				queue = append(queue, tie.ByID)
			}
		}
	}
	return found
}

// TieDays is how many days a tie counts. Until then, somebody who changed a colleague's account and that colleague cannot approve each
// other's requests.
const TieDays = 7
