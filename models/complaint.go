package models

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// A complaint is a case that a person opens: a player, or an arbiter or a regulator on the player's behalf, disputes something.
// It has the reference by which whoever complained knows it, and the day by which it must be answered. What the player says is
// the case's first comment, so that erasing the player erases it too.

// NewComplaint is a complaint that somebody records.
type NewComplaint struct {
	PlayerID  int64
	Reference string    // of whoever complained; one player's complaints each have another
	Due       time.Time // the end of the last day for an answer
	Text      string    // what the player says
}

// MaxComplaintReference is how long the reference of a complaint may be, in characters.
const MaxComplaintReference = 100

// complaintYears is how far from today a deadline may be: what is farther is a slip of the keyboard.
const complaintYears = 2

// Check returns what is wrong with the complaint by itself, by the names of its form's fields: reference, due, text.
func (c NewComplaint) Check(now time.Time) map[string]string {
	wrong := map[string]string{}
	switch n := utf8.RuneCountInString(c.Reference); {
	case strings.TrimSpace(c.Reference) == "":
		wrong["reference"] = "Enter the reference by which whoever complained knows the complaint."
	case n > MaxComplaintReference || !printable(c.Reference):
		wrong["reference"] = fmt.Sprintf("A reference has at most %d characters, on one line.", MaxComplaintReference)
	}
	switch {
	case c.Due.IsZero():
		wrong["due"] = "Enter the last day for an answer, such as 2026-11-30."
	case c.Due.Before(now.AddDate(-complaintYears, 0, 0)) || c.Due.After(now.AddDate(complaintYears, 0, 0)):
		wrong["due"] = fmt.Sprintf("%s is more than two years from today. Check the year.",
			c.Due.Add(-time.Second).Format("2 Jan 2006"))
	}
	switch {
	case strings.TrimSpace(c.Text) == "":
		wrong["text"] = "Enter what the player says."
	case utf8.RuneCountInString(c.Text) > MaxCaseText:
		wrong["text"] = "Enter at most 4,000 characters."
	case !utf8.ValidString(c.Text) || strings.ContainsRune(c.Text, 0):
		wrong["text"] = "This text contains bytes that are not characters. Type it again."
	}
	return wrong
}

// Finding is the complaint as its case has it. A player's reference names one case, however often it is recorded.
func (c NewComplaint) Finding(now time.Time) Finding {
	return Finding{Rule: CaseComplaint, Key: fmt.Sprintf("complaint %d %s", c.PlayerID, c.Reference), At: now,
		PlayerID: c.PlayerID, Reference: c.Reference, Due: c.Due}
}

// ComplaintKnownError says that the player's complaint with this reference has been recorded before.
type ComplaintKnownError struct{ CaseID int64 }

// Error names the case.
func (e ComplaintKnownError) Error() string {
	return fmt.Sprintf("this complaint is case %d already", e.CaseID)
}

// Overdue reports that the case is open and its deadline has passed.
func (c *Case) Overdue(now time.Time) bool {
	return c.State == CaseOpen && !c.Due.IsZero() && !now.Before(c.Due)
}
