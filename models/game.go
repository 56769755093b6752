package models

import (
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// GameID is the platform's ID of a game, as bytes.
type GameID string

// OfferedGame is a game in the platform's list (specification, Game).
type OfferedGame struct {
	GameID    GameID
	Name      string
	Type      string
	Provider  string
	Thumbnail string // an http or https URL; empty if there is no usable one
}

// Game is a stored game. One that the platform no longer offers is kept, because other rows refer to it.
type Game struct {
	ID int64 // internal ID
	OfferedGame
	FormerName string    // the name before the last change; empty if it never changed
	AddedAt    time.Time `gorm:"column:added_at_us;serializer:micros"`            // when it was first offered
	SeenAt     time.Time `gorm:"column:seen_at_us;serializer:micros" covered:"-"` // when it was last offered
	// when it was first missing from the list; zero if it is available
	GoneAt    time.Time `gorm:"column:gone_at_us;serializer:micros"`
	AddedSync int64     `covered:"-"` // the synchronization that added it
	Search    string    `covered:"-"` // SearchText, by which games are found and sorted
}

// Games are all games, which the audit log covers together, because a synchronization may change thousands.
type Games []Game

// AllGames is the ObjectID of the audit events about the games.
const AllGames = "all"

// GameRef identifies a game in rows about it. Only the number is stored there; the names are joined.
type GameRef struct {
	ID     int64  // internal ID
	GameID GameID `gorm:"column:platform_id;->"`
	Name   string `gorm:"->"`
}

// Title returns the game's name, or its ID if it has no name.
func (g GameRef) Title() string {
	if g.Name == "" {
		return string(g.GameID)
	}
	return g.Name
}

// Ref returns a reference to the game.
func (g Game) Ref() GameRef { return GameRef{g.ID, g.GameID, g.Name} }

// Gone reports whether the platform no longer offers the game.
func (g Game) Gone() bool { return !g.GoneAt.IsZero() }

// Why a game cannot be used.
var (
	ErrGameUnknown = errors.New("there is no game with this ID in the list of games; synchronize the list if the platform " +
		"offers it")
	ErrGameGone = errors.New("the platform no longer offers this game")
)

// maxGameText is how many characters of a name, type or provider are stored.
const maxGameText = 255

// NewOfferedGame returns a game from the platform's data. It returns an error for an invalid ID. Everything else is made valid:
// texts are trimmed, stripped of control characters and shortened, and a URL that is neither http nor https is dropped.
func NewOfferedGame(id, name, kind, provider, thumbnail string) (OfferedGame, error) {
	if err := CheckID(id); err != nil {
		return OfferedGame{}, err
	}
	g := OfferedGame{GameID: GameID(id), Name: gameText(name), Type: gameText(kind), Provider: gameText(provider)}
	if address, err := url.Parse(thumbnail); err == nil && (address.Scheme == "http" || address.Scheme == "https") &&
		address.Host != "" && len(thumbnail) <= 1024 {
		g.Thumbnail = address.String()
	}
	return g, nil
}

func gameText(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
	if utf8.RuneCountInString(s) > maxGameText {
		s = string([]rune(s)[:maxGameText])
	}
	return s
}

// maxSearchBytes is how much of a game's search text is stored. All of it is indexed, and keys in MySQL are limited to 3072
// bytes.
const maxSearchBytes = 2400

// SearchText returns the text for searching and sorting games: name, ID and provider, folded like the words of SearchWords.
func (g OfferedGame) SearchText() string {
	s := Folded(strings.TrimSpace(g.Name) + "\n" + string(g.GameID) + "\n" + g.Provider)
	if len(s) > maxSearchBytes {
		s = strings.ToValidUTF8(s[:maxSearchBytes], "")
	}
	return s
}

// GameNameKeys returns the range of search texts of the games with this name, ignoring case. ok is false if games cannot be
// found by the name, because it is empty or longer than what is stored.
func GameNameKeys(name string) (from, below string, ok bool) {
	name = Folded(strings.TrimSpace(name))
	return name + "\n", name + "\v", name != "" && len(name) < maxSearchBytes
}

// SearchWords splits a search into folded words, all of which have to match.
func SearchWords(text string) []string { return strings.Fields(strings.ToLower(text)) }

// States for filtering games.
const (
	GamesOffered = "offered"
	GamesGone    = "gone"
)

// GameFilter selects games, sorted by name unless Newest is set.
type GameFilter struct {
	Span
	Text     string    // words that occur in name, ID or provider
	Provider string    // exactly; empty for all
	Type     string    // exactly; empty for all
	State    string    // GamesOffered, GamesGone, or empty for all
	Since    time.Time // only games that are new since then; zero for all
	Newest   bool      // in the order in which they were first seen, newest first, in place of their names
}

// GameNewDays is for how many days a game counts as new.
const GameNewDays = 7

// NewSince reports whether the platform began to offer the game at t or later. first is the synchronization that added the
// first games: when those appeared is unknown, so they are never new.
func (g Game) NewSince(t time.Time, first int64) bool {
	return g.AddedSync != first && !g.AddedAt.Before(t)
}

// GameSync is a synchronization of the games with the platform's list.
type GameSync struct {
	ID       int64
	At       time.Time `gorm:"column:at_us;serializer:micros"` // when it began
	Actor    string
	Latency  time.Duration `gorm:"column:latency_us;serializer:micros"` // of the platform's answer
	Offered  int           // usable games in the answer
	Unusable int           // entries skipped because of an invalid or repeated ID
	Added    int
	Renamed  int
	Changed  int // with any change, including renamed ones
	Gone     int
	Returned int
	Error    string // why nothing was changed; empty after success
}

// GameChangeKind is what happened to a game in the platform's list.
type GameChangeKind uint8

const (
	// GameAppeared: the platform offered it for the first time.
	GameAppeared GameChangeKind = 1
	// GameDisappeared: the platform no longer offers it.
	GameDisappeared GameChangeKind = 2
	// GameReturned: the platform offers it again.
	GameReturned GameChangeKind = 3
	// GameRenamed: the platform changed its name.
	GameRenamed GameChangeKind = 4
)

var gameChangeKindWords = words[GameChangeKind]{
	{GameAppeared, "appeared"},
	{GameDisappeared, "disappeared"},
	{GameReturned, "returned"},
	{GameRenamed, "renamed"},
}

// String returns the kind in words.
func (k GameChangeKind) String() string { return gameChangeKindWords.of(k, "unknown") }

// gamesListed are the changes of the platform's list itself, in words before its name.
var gamesListed = map[GameChangeKind]string{
	GameAppeared: "Appeared in", GameDisappeared: "Disappeared from", GameReturned: "Returned to",
}

// Listed returns what happened in words before the name of the platform's list, or "" for GameRenamed.
func (k GameChangeKind) Listed() string { return gamesListed[k] }

// GameChangeKinds are all kinds, in the order of the filter.
var GameChangeKinds = gameChangeKindWords.values()

// GameChange is a line of the log of when each game was available, which regulators require (58 Pa. Code 811a.7(f)). Its time
// is that of the synchronization that noticed the change.
type GameChange struct {
	ID         int64
	At         time.Time `gorm:"column:at_us;serializer:micros"`
	SyncID     int64     // 0 for games known before the log began
	GameNumber int64     `gorm:"column:game"` // internal ID
	GameID     GameID    `gorm:"-"`
	Provider   string    `gorm:"-"` // current
	Kind       GameChangeKind
	Name       string // after the change
	FormerName string // GameRenamed only
}

// GameChangeFilter selects changes, newest first. Zero values select all.
type GameChangeFilter struct {
	Span
	Game int64 // internal ID
	Kind GameChangeKind
}
