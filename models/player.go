package models

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Player is someone who plays. UserID is the player's name at the platform. ID never changes, and is also the ID of the wallet.
type Player struct {
	ID        int64
	UserID    UserID
	Test      bool      // a test player: staff may play with its wallet, and reports exclude it
	CreatedAt time.Time `gorm:"column:created_at_us;serializer:micros"`
	Wallet    Wallet    `gorm:"embedded"`
	Erased    bool      // their personal data
	Zone      string    // an IANA name; empty if it is not known
	Language  string    // in which staff answer the player, one of PlayerLanguages; empty until somebody has chosen it
}

// PlayerLanguages are the languages of answers for players. The first is the default.
var PlayerLanguages = []string{"en", "it", "de", "es", "pt", "tr"}

// PlayerTold is the action of the audit event of what a player was told, which is about the player or a case; the reason is the
// text.
const PlayerTold = "player told"

// ErrPlayerTold refuses an answer that cannot be kept.
var ErrPlayerTold = errors.New("an answer has 1 to 4,000 characters")

// ErrPlayerLanguage refuses a language without answers.
var ErrPlayerLanguage = errors.New("choose one of the languages in the list")

// TimeZone returns the name of the zone in which the player reads times, or an empty string if it is not known. It is fixed
// while limits stand, whose periods begin at its midnight.
func (p Player) TimeZone(at time.Time) (name string, fixed bool) {
	if limits := ParseLimits(p.Wallet.Limits, p.Wallet.LimitSums); len(limits.At(at)) > 0 {
		return limits.Zone, true
	}
	return p.Zone, false
}

// LedgerPoint is a place in a player's money ledger: the wallet after a line.
type LedgerPoint struct {
	Seq     int64 // of the line; 0 before the first one
	Balance Amount
	Held    Amount // by cash-outs
}

// PlayerStatement is what happened in a player's wallet between two times. The opening balance and the sums add up to the
// closing balance.
type PlayerStatement struct {
	Opening, Closing LedgerPoint
	Sums             map[EntryKind]Amount
}

// PlayerCounts are how many rows a player's lists have, up to ManyRows each.
type PlayerCounts struct{ Transactions, Rounds, Sessions int }

// ManyRows is up to how many rows of one player's list are counted.
const ManyRows = 1000

// Why a player cannot be created or found.
var (
	ErrPlayerExists  = errors.New("a player with this ID already exists")
	ErrPlayerUnknown = errors.New("there is no player with this ID")
	// ErrBooksOpened refuses a real player with an opening balance once a day has been signed.
	ErrBooksOpened = errors.New("a day has been signed, so wallets of real players open with 0.00. " +
		"Create the player without a balance, then request a correction for the amount, which a second person approves")
)

// NewPlayer is a player to be created.
type NewPlayer struct {
	UserID   UserID
	Currency Currency
	Balance  Amount // opening balance, not negative
	Test     bool
	Zone     string // in which the player's limits begin; empty for that of reports
}

// LineError says what is wrong with a line of an uploaded file.
type LineError struct {
	Line int // counted from 1, including the header
	Err  error
}

// Error returns the line and the reason.
func (e LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Err) }

// Unwrap returns the reason.
func (e LineError) Unwrap() error { return e.Err }

// MaxImportedPlayers is how many players a file uploaded on the site may have.
const MaxImportedPlayers = 10_000

// PlayerFile is a list of players to be created, with their lines.
type PlayerFile struct {
	Players []NewPlayer
	Lines   []int
}

// Without returns the file without these lines.
func (f PlayerFile) Without(lines []LineError) (rest PlayerFile) {
	left := map[int]bool{}
	for _, l := range lines {
		left[l.Line] = true
	}
	for i, p := range f.Players {
		if !left[f.Lines[i]] {
			rest.Players, rest.Lines = append(rest.Players, p), append(rest.Lines, f.Lines[i])
		}
	}
	return rest
}

// shortenedNumber matches what spreadsheets make of a number with many digits.
var shortenedNumber = regexp.MustCompile(`(?i)^[0-9]([.,][0-9]+)?E\+?[0-9]+$`)

// ErrUserUnseen refuses a player's ID that looks like another one.
var ErrUserUnseen = errors.New("a player ID must not begin or end with a blank, nor contain tabs or other characters that cannot be " +
	"seen, such as U+200B")

// unseen reports whether a character leaves no mark, or changes the order of others.
func unseen(r rune) bool {
	return !unicode.IsGraphic(r) || r != ' ' && unicode.IsSpace(r) || r == '\u2800' ||
		unicode.In(r, unicode.Zs, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && r != ' '
}

// MixedScripts returns the scripts of an ID whose letters are of several scripts that look alike, such as Cyrillic and Latin,
// and nil otherwise.
func (u UserID) MixedScripts() (scripts []string) {
	for _, name := range []string{"Armenian", "Cherokee", "Cyrillic", "Greek", "Latin"} {
		if strings.ContainsFunc(string(u), func(r rune) bool { return unicode.Is(unicode.Scripts[name], r) }) {
			scripts = append(scripts, name)
		}
	}
	if len(scripts) < 2 {
		return nil
	}
	return scripts
}

// OddUserID returns a warning about a user ID that the platform probably does not use, or an empty string. An ID can never be
// changed, and a callback with any other spelling is refused.
func OddUserID(user UserID) string {
	if shortenedNumber.MatchString(string(user)) {
		return fmt.Sprintf("“%s” is how a spreadsheet shortens a long number: the other digits are lost. Format the column as text, and "+
			"enter the IDs again.", user)
	}
	var odd []string
	for _, r := range string(user) {
		plain := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("-_.@:", r)
		word := fmt.Sprintf("%#U", r)
		if r == ' ' {
			word = "a space"
		}
		if !plain && !slices.Contains(odd, word) {
			odd = append(odd, word)
		}
	}
	if len(odd) == 0 {
		return ""
	}
	return fmt.Sprintf("“%s” has characters that IDs rarely have: %s.", user, strings.Join(odd, ", "))
}
