package models

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// An exception allows a grant, or a campaign, to exceed the limits on free spins.
//
// When a second person, with a role that is responsible for bonuses or money, approves it (Approval), the grant is requested in
// the same transaction, exactly as it was. An exception only overrides limits: a restricted player, a game that is gone or frozen or an
// earlier grant of unknown outcome still prevent the grant. A grant under an exception counts against the limits of its day.

// ExceptionLasts is how long an exception can be decided: long enough for a weekend.
const ExceptionLasts = 72 * time.Hour

// ExceptionRule says who requests and who approves exceptions. Administrators set the limits, so they do neither.
var ExceptionRule = ApprovalRule{Makers: []Role{Bonus}, Checkers: []Role{Bonus, Finance}}

// Rule returns who may decide the exception, and until when.
func (e GrantException) Rule() ApprovalRule {
	rule := ExceptionRule
	rule.Until = e.ExpiresAt
	return rule
}

// Exceeds returns the limits that it exceeded when requested, each in words.
func (e GrantException) Exceeds() []string {
	if e.Limit == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(e.Limit, "over the limit: ", ""), "; ")
}

// GrantException is a request for a grant, or a campaign, beyond the limits.
type GrantException struct {
	ID        int64
	At        time.Time `gorm:"column:at_us;serializer:micros"`
	ExpiresAt time.Time `gorm:"column:expires_at_us;serializer:micros"`
	Reason    string    // of the grant
	Limit     string    `gorm:"column:exceeded"` // the limits that it exceeded when requested, in words

	// The grant; CampaignID is 0.
	PlayerID int64
	UserID   UserID   `gorm:"->"`
	Currency Currency `gorm:"->"`
	Game     GameRef  `gorm:"embedded;embeddedPrefix:game_"`
	Spins    int64
	Again    bool // even if another grant of this game to this player has an unknown outcome

	CampaignID int64 // the campaign, if it is not for a single grant; otherwise 0
	Lines      int64 `gorm:"column:row_count;->"` // of the campaign

	Approval
	GrantID int64 // the grant, once approved; 0 for a campaign
}

// Why an exception is refused. Staff see these texts.
var (
	ErrExceptionUnknown  = errors.New("there is no such exception")
	ErrExceptionNeedless = errors.New("this is within the limits, so it does not need an exception")
	ErrMakerChanged      = errors.New("the requester has been disabled or has another role now: refuse the exception")
)

// ExceptionWaitsError refuses a second request for the same grant.
type ExceptionWaitsError struct{ ID int64 }

// Error says which exception it is.
func (e ExceptionWaitsError) Error() string {
	return fmt.Sprintf("exception %d for the same spins is already waiting", e.ID)
}

// ExceptionFilter selects exceptions, newest first.
type ExceptionFilter struct {
	Span
	State ApprovalState // 0 for all
}
