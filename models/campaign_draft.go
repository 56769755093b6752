package models

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// CampaignDraft is a campaign in preparation; nothing in it has been granted.
type CampaignDraft struct {
	ID      string `json:"-"`
	StaffID int64  `json:"-"`
	CampaignTerms
	FileName string
	Repeats  int64 `json:",omitempty"` // the campaign whose players it repeats; 0 for none
	Rows     []GrantRow
	Notes    []string // how the file was read, in sentences
}

// A draft is deleted after 12 hours, and a staff member's oldest if they have more than 20.
const (
	CampaignDraftLasts  = 12 * time.Hour
	MaxCampaignDraftsOf = 20
)

// PastedLines is the file name of a draft whose lines were typed or pasted.
const PastedLines = "Pasted lines"

// ErrDraftGone means that a draft does not exist, or belongs to another staff member.
var ErrDraftGone = errors.New("there is no such draft")

// GrantRow is a line of a file of grants as a person wrote it, with or without errors.
type GrantRow struct {
	Line   int // in the file, counted from 1
	Player string
	Game   string
	Spins  string
	Wrong  string `json:",omitempty"` // what is wrong with the whole line
}

// RowError says what is wrong with a cell of a GrantRow.
type RowError struct {
	Field string // "player", "game", "spins", or empty for the whole line
	Text  string
}

// Error returns the text.
func (e RowError) Error() string { return e.Text }

// Grant returns the grant of the row, or what is wrong with its cells.
func (r GrantRow) Grant() (GrantLine, []RowError) {
	var wrong []RowError
	refuse := func(field, format string, args ...any) {
		wrong = append(wrong, RowError{field, fmt.Sprintf(format, args...)})
	}
	if r.Wrong != "" {
		refuse("", "%s", r.Wrong)
		return GrantLine{}, wrong
	}
	for _, id := range []struct{ field, word, text string }{
		{"player", "The player ID", r.Player}, {"game", "The game ID", r.Game},
	} {
		switch {
		case id.text == "":
			refuse(id.field, "%s is missing.", id.word)
		case len(id.text) > 255:
			refuse(id.field, "%s is too long: at most 255 bytes.", id.word)
		case CheckID(id.text) != nil:
			refuse(id.field, "%s has characters that an ID cannot have.", id.word)
		}
	}
	spins, err := strconv.ParseInt(strings.TrimSpace(r.Spins), 10, 64)
	switch {
	case strings.TrimSpace(r.Spins) == "":
		refuse("spins", "The number of spins is missing.")
	case err != nil:
		refuse("spins", "“%.40s” is not a number of spins. Enter a whole number, such as 20.", r.Spins)
	case spins < 1 || spins > MaxSpins:
		refuse("spins", "Enter a number from 1 to %d.", MaxSpins)
	}
	return GrantLine{Line: r.Line, UserID: UserID(r.Player), GameID: GameID(r.Game), Spins: spins}, wrong
}
