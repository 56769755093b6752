package models

import (
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// Every quarter, one administrator looks at every account that can be used, and decides whether it stays. A second one confirms
// the review, which is a ChangeRequest like others: it is on record with who was looked at, what was decided, by whom and when.

// ErrOwnReview refuses a review under which somebody would lock themselves out.
var ErrOwnReview = errors.New("the review deactivates your own account: another administrator decides that")

// ReviewedAccount is an account as it was when it was reviewed, and what was decided.
type ReviewedAccount struct {
	ID         int64     `json:"id"`
	Username   string    `json:"username"`
	Role       Role      `json:"role"`
	SignsIn    string    `json:"signs_in_with"` // as Staff.SignsInWith returned it
	SignedInAt time.Time `json:"signed_in_at"`  // zero if never
	Deactivate bool      `json:"deactivate"`
}

// ReviewedRole is what a review is compared with when it is confirmed: who could do what must not have changed since it was
// requested.
type ReviewedRole struct {
	ID   int64 `json:"id"`
	Role Role  `json:"role"`
}

// ParseAccountReview parses the accounts of a review.
func ParseAccountReview(value string) ([]ReviewedAccount, error) {
	var accounts []ReviewedAccount
	err := json.Unmarshal([]byte(value), &accounts)
	if err == nil && (len(accounts) == 0 || slices.ContainsFunc(accounts, func(a ReviewedAccount) bool { return a.ID == 0 })) {
		err = ErrChangeInvalid
	}
	return accounts, err
}

// Reviewed returns the account as a review shows it.
func (s *Staff) Reviewed(deactivate bool) ReviewedAccount {
	return ReviewedAccount{ID: s.ID, Username: s.Username, Role: s.Role, SignsIn: s.SignsInWith(), SignedInAt: s.SignedInAt,
		Deactivate: deactivate}
}

// ReviewDue returns when the next review of accounts is due. last is when the previous one was confirmed, or, before the first
// one, when the oldest account was created.
func ReviewDue(last time.Time) time.Time { return last.AddDate(0, 3, 0) }
