package models

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Languages are the codes in which a game can be opened (specification, Platform API rule 3).
var Languages = []string{"en", "fr", "de", "it", "kr", "tr", "pt", "id", "es", "zh", "uk", "ru"}

// CheckLanguage returns an error that lists the languages if s is not one of them.
func CheckLanguage(s string) error {
	if !slices.Contains(Languages, s) {
		return fmt.Errorf("the language must be one of %s, not %.20q", strings.Join(Languages, ", "), s)
	}
	return nil
}

// GameSessionState is how far opening a game has come.
type GameSessionState uint8

const (
	// GameSessionRequested: the platform's answer is unknown, or has not arrived yet.
	GameSessionRequested GameSessionState = 1
	// GameSessionOpened: the platform answered with a URL.
	GameSessionOpened GameSessionState = 2
	// GameSessionFailed: there was no URL.
	GameSessionFailed GameSessionState = 3
)

var gameSessionStateWords = words[GameSessionState]{
	{GameSessionRequested, "asked for"},
	{GameSessionOpened, "opened"},
	{GameSessionFailed, "failed"},
}

// String returns the state in words.
func (s GameSessionState) String() string { return gameSessionStateWords.of(s, "unknown") }

// GameSession is a game that staff or an API client opened for a player; it uses the player's wallet.
type GameSession struct {
	ID        int64
	At        time.Time `gorm:"column:at_us;serializer:micros"`
	Actor     string
	PlayerID  int64
	UserID    UserID  `gorm:"->"`
	Game      GameRef `gorm:"embedded;embeddedPrefix:game_"`
	Language  string
	Currency  Currency // as sent to the platform; empty if none was sent
	Reason    string
	Launch    string // identifies the form from which it was launched, see CheckLaunch; may be empty
	State     GameSessionState
	Failure   string        // in words, for GameSessionFailed
	Latency   time.Duration `gorm:"column:latency_us;serializer:micros"` // of the platform's answer
	GameURL   string        // redacted: see RedactAddress
	AnswerRaw string        // after a failure, the platform's answer, shortened
}

// Why a game is not opened.
var (
	ErrPlayerRestricted = errors.New("the player is restricted")
	ErrNotTestPlayer    = errors.New("not a test player: this uses the player’s own money")
	ErrReasonMissing    = errors.New("a reason is required")
)

// CheckLaunch reports whether s can identify a form: 26 letters and digits, as rand.Text returns them.
func CheckLaunch(s string) bool {
	return len(s) == 26 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// GameSessionLasts is how long after a session was opened the player's transactions are attributed to its game, unless another
// session is opened.
const GameSessionLasts = 4 * time.Hour

// GameSessionFilter selects game sessions, newest first.
type GameSessionFilter struct {
	Span
	PlayerID int64 // 0 for all
	GameID   int64 // internal ID; 0 for all
	Actor    string
	State    GameSessionState // 0 for all
	OpenAt   time.Time        // only those to whose game transactions were attributed then; zero for all
}

// RedactAddress returns where an address leads, without what may open the game again: its scheme and host. It returns an empty
// string if the address is invalid.
func RedactAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host + "/***"
}
