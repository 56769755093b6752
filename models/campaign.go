package models

import (
	"errors"
	"fmt"
	"time"
)

// GrantLine is a line of a file of grants.
type GrantLine struct {
	Line   int // counted from 1, including the header
	UserID UserID
	GameID GameID
	Spins  int64
}

// Campaign is a file of grants. Each line gets at most one grant.
type Campaign struct {
	ID         int64
	At         time.Time `gorm:"column:at_us;serializer:micros"`
	Actor      string
	Role       Role
	FileName   string
	Digest     string // of the lines in any order, in hexadecimal
	Reason     string
	Again      bool  // even if the file was granted before, and to players with a grant of unknown outcome
	Repeats    int64 `gorm:"-"` // with Again, the file's newest campaign that the uploader has seen; 0 for any. Not stored
	State      JobState
	Lines      int64 `gorm:"column:row_count"`
	Spins      int64
	FinishedAt time.Time `gorm:"column:finished_at_us;serializer:micros"`
	Exception  int64     `gorm:"column:exception_id"` // the exception from limits under which it runs, or 0

	Granted CampaignCount `gorm:"-"`
	Refused CampaignCount `gorm:"-"` // by the platform or by our rules
	Unknown CampaignCount `gorm:"-"` // including those closed as granted again
	ToGo    CampaignCount `gorm:"-"` // including those in progress
}

// CampaignCount counts the lines with one outcome, and their spins.
type CampaignCount struct{ Lines, Spins int64 }

// CampaignLine is a line of a campaign and its outcome.
type CampaignLine struct {
	GrantLine
	PlayerID   int64
	GameNumber int64
	GrantID    int64      // 0 if there is none yet
	State      GrantState // the grant's; GrantRefused without a grant if our rules refused it; 0 if it has no outcome yet
	FreeSpinID FreeSpinID
	Message    string
	At         time.Time // when it got its grant, or was refused
}

// GrantedBeforeError refuses a file that was granted before.
type GrantedBeforeError struct {
	ID int64
	At time.Time
}

// Error says which campaign it was.
func (e GrantedBeforeError) Error() string {
	return fmt.Sprintf("this file was granted before, as campaign %d at %s: confirm that you want to grant all of it again",
		e.ID,
		e.At.Format("2 Jan 2006, 15:04 UTC"))
}

// Why a campaign cannot be changed.
var (
	ErrCampaignUnknown = errors.New("there is no such campaign")
	ErrCampaignEnded   = errors.New("this campaign has ended")
	ErrCampaignWaiting = errors.New("this campaign waits for a second person to approve its exception")
	ErrCampaignHeld    = errors.New("this campaign is not running: it is paused, waits for an approval or has ended")
)

// CampaignFilter selects campaigns, newest first.
type CampaignFilter struct {
	Span
	State JobState // 0 for all
}

// CampaignLineFilter selects lines of a campaign.
type CampaignLineFilter struct {
	Span       // Page is by the number of the line
	CampaignID int64
	State      GrantState // GrantActive for all that were granted; 0 for all lines
	ToGo       bool       // only lines without an outcome; State is then ignored
	Last       bool       // the lines processed last, latest first; Page is then ignored
}

// CampaignLine returns the code that proves that a line of a campaign was uploaded: the player, the game (internal IDs) and the
// number of spins.
func (c *Chain) CampaignLine(campaignID int64, line int, player, game, spins int64) Hash {
	return c.sum(tagCampaignLine, Hash{}, func(b []byte) []byte { return put(b, campaignID, int64(line), player, game, spins) })
}
