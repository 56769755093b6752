package models

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// A complaint is a case that a person opens: a player disputes something, or an arbiter or regulator does on the player's
// behalf. It has the complainant's reference and a deadline for the answer. The player's words are the case's first comment, so
// that erasing the player erases them too.

// NewComplaint is a complaint to be recorded.
type NewComplaint struct {
	PlayerID  int64
	Reference string      // the complainant's reference, unique for the player
	Due       time.Time   // the end of the last day for the answer
	Text      string      // what the player says
	About     Transaction // the transaction that it is about, or the first one of the round; zero for none
}

// MaxComplaintReference is the maximum length of a complaint's reference, in characters.
const MaxComplaintReference = 100

// complaintYears is how far from today a deadline may be; anything farther is a typing error.
const complaintYears = 2

// Check returns what is wrong with the complaint, by form field: reference, due, text.
func (c NewComplaint) Check(now time.Time) map[string]string {
	wrong := map[string]string{}
	switch n := utf8.RuneCountInString(c.Reference); {
	case strings.TrimSpace(c.Reference) == "":
		wrong["reference"] = "Enter the complainant's reference for the complaint."
	case n > MaxComplaintReference || !printable(c.Reference):
		wrong["reference"] = fmt.Sprintf("A reference has at most %d characters, on one line.", MaxComplaintReference)
	}
	if err := CheckDue(c.Due, now); err != nil {
		wrong["due"] = err.Error()
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

// DueBy returns the deadline of an answer that is due by a day: the end of the day in UTC, so that it is the same day for every
// reader.
func DueBy(day Day) time.Time { return day.End(time.UTC) }

// DueDay returns the last day before a deadline.
func DueDay(due time.Time) Day { return DayOf(due.Add(-time.Second), time.UTC) }

// DueError says why a day cannot be the last one for an answer.
type DueError string

// Error returns the reason.
func (e DueError) Error() string { return string(e) }

// CheckDue returns a DueError unless due, the end of a day, can be a deadline.
func CheckDue(due, now time.Time) error {
	switch day := DueDay(due).Format("2 Jan 2006"); {
	case due.IsZero():
		return DueError("Enter the last day for an answer, such as 2026-11-30.")
	case !now.Before(due):
		return DueError(day + " is over. Enter the last day on which an answer is in time.")
	case due.After(now.AddDate(complaintYears, 0, 0)):
		return DueError(day + " is more than two years from today. Check the year.")
	}
	return nil
}

// MoveDue gives an open complaint another deadline. It returns ErrCaseClosed, ErrNotComplaint or a DueError.
func (c *Case) MoveDue(due, now time.Time) error {
	switch {
	case c.State != CaseOpen:
		return ErrCaseClosed
	case c.Rule != CaseComplaint:
		return ErrNotComplaint
	case due.Equal(c.Due):
		return DueError("The answer is due on this day already. Enter another one.")
	}
	if err := CheckDue(due, now); err != nil {
		return err
	}
	c.Due = due
	return nil
}

// Finding returns the finding that opens the complaint's case. Recording the same reference for the player again gives the same
// finding, so it opens no second case.
func (c NewComplaint) Finding(now time.Time) Finding {
	return Finding{Rule: CaseComplaint, Key: fmt.Sprintf("complaint %d %s", c.PlayerID, c.Reference), At: now,
		PlayerID: c.PlayerID, Transaction: c.About.ID, TransactionID: c.About.TransactionID, Reference: c.Reference, Due: c.Due}
}

// Question returns the finding of a case that hands a thing over. Pressing the button twice gives the same finding.
func (r Remark) Question(to string, now time.Time) Finding {
	f := r.About
	f.Rule, f.At, f.Key = CaseQuestion, now, fmt.Sprintf("question %s %s %s %s", r.Object, r.ObjectID, to, r.Text)
	f.Facts = []CaseFact{{Label: "About", Value: r.Object}}
	return f
}

// ComplaintKnownError means that the player's complaint with this reference was already recorded.
type ComplaintKnownError struct{ CaseID int64 }

// Error says which case it is.
func (e ComplaintKnownError) Error() string {
	return fmt.Sprintf("this complaint is already recorded as case %d", e.CaseID)
}

// Overdue reports whether the case is open and its deadline has passed.
func (c *Case) Overdue(now time.Time) bool {
	return c.State == CaseOpen && !c.Due.IsZero() && !now.Before(c.Due)
}
