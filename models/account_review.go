package models

import (
	"encoding/json"
	"slices"
	"time"
)

// Every quarter, one administrator reviews every account that can be used, disables those no longer needed, and signs the list.
// A second one confirms the review, a ChangeRequest like any other, which records the accounts, both people and the date.

// ReviewedAccount is an account as it was when it was reviewed.
type ReviewedAccount struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
	Role     Role   `json:"role"`
	SignsIn  string `json:"signs_in_with"` // as Staff.SignsInWith returned it
}

// ReviewedRole is compared when a review is confirmed: the accounts and their roles must not have changed since it was
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
func (s *Staff) Reviewed() ReviewedAccount {
	return ReviewedAccount{ID: s.ID, Username: s.Username, Role: s.Role, SignsIn: s.SignsInWith()}
}

// ReviewDue returns when the next review of accounts is due. last is when the previous one was confirmed, or, before the first
// one, when the oldest account was created.
func ReviewDue(last time.Time) time.Time { return last.AddDate(0, 3, 0) }
