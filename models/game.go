package models

import (
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// GameID is the platform's name for a game. Like every name from outside it is bytes.
type GameID string

// OfferedGame is a game as the platform's list names it (specification, Game).
type OfferedGame struct {
	GameID    GameID
	Name      string
	Type      string
	Provider  string
	Thumbnail string // an http or https address; empty where there is none that can be used
}

// Game is a game as we keep it. One that the platform no longer offers stays, so that what refers to it can still be read.
type Game struct {
	ID int64 // our own number
	OfferedGame
	FormerName string    // what it was called before it was last renamed; empty if it never was
	AddedAt    time.Time `gorm:"column:added_at_us;serializer:micros"` // when it was first offered
	SeenAt     time.Time `gorm:"column:seen_at_us;serializer:micros"`  // when it was last offered
	// when it was first missing from the list; zero while it is offered
	GoneAt    time.Time `gorm:"column:gone_at_us;serializer:micros"`
	AddedSync int64     // the synchronisation that was the first to offer it
	Search    string    // SearchText, by which it is found and listed
	New       bool      `gorm:"-"` // the latest synchronisation was the first to offer it, and an earlier one offered others
}

// GameRef names a game in the row of what is about it, with what people call it. Only the number is stored there; the names are
// joined.
type GameRef struct {
	ID     int64  // our own number
	GameID GameID `gorm:"column:platform_id;->"`
	Name   string `gorm:"->"`
}

// Title is the game's name, or its ID where the platform gave it none.
func (g GameRef) Title() string {
	if g.Name == "" {
		return string(g.GameID)
	}
	return g.Name
}

// Ref names the game.
func (g Game) Ref() GameRef { return GameRef{g.ID, g.GameID, g.Name} }

// Gone reports whether the platform no longer offers the game.
func (g Game) Gone() bool { return !g.GoneAt.IsZero() }

// The ways in which a game cannot be used.
var (
	ErrGameUnknown = errors.New("there is no game with this ID in the list of games; synchronize the list if the platform " +
		"offers it")
	ErrGameGone = errors.New("the platform no longer offers this game")
)

// maxGameText is how many characters of a name, type or provider are kept.
const maxGameText = 255

// NewOfferedGame makes a game of what the platform wrote. Its error is for an ID that cannot be one; everything else is made to
// fit: texts are trimmed, freed of control characters and cut, and an address that is neither http nor https is left out.
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

// maxSearchBytes is how much of a game's search text is kept: it is indexed whole, and MySQL's keys end at 3072 bytes.
const maxSearchBytes = 2400

// SearchText is what a search of games looks in: name, ID and provider, folded as SearchWords folds what is looked for. Games
// are listed in its order, so by name.
func (g OfferedGame) SearchText() string {
	s := Folded(strings.TrimSpace(g.Name) + "\n" + string(g.GameID) + "\n" + g.Provider)
	if len(s) > maxSearchBytes {
		s = strings.ToValidUTF8(s[:maxSearchBytes], "")
	}
	return s
}

// GameNameKeys are the search texts from and below which the games lie that are called so, in any case. ok is false for a name
// that no game is found by: an empty one, or one of more bytes than are kept.
func GameNameKeys(name string) (from, below string, ok bool) {
	name = Folded(strings.TrimSpace(name))
	return name + "\n", name + "\v", name != "" && len(name) < maxSearchBytes
}

// SearchWords splits what somebody looks for into folded words, all of which have to occur.
func SearchWords(text string) []string { return strings.Fields(strings.ToLower(text)) }

// States by which games are listed.
const (
	GamesOffered = "offered"
	GamesNew     = "new" // not offered before the latest synchronisation
	GamesGone    = "gone"
)

// GameFilter selects games, in the order of their names.
type GameFilter struct {
	Text     string // words that occur in name, ID or provider
	Provider string // exactly; empty for all
	Type     string // exactly; empty for all
	State    string // GamesOffered, GamesNew, GamesGone, or empty for all
	Next     int64  // the number of the game after which the page begins; 0 from the first
	Previous int64  // the number of the game before which the page ends; Next is not looked at then
	Limit    int
}

// GameSync is one synchronisation of the games with the platform's list.
type GameSync struct {
	ID       int64
	At       time.Time `gorm:"column:at_us;serializer:micros"` // when it began
	Actor    string
	Latency  time.Duration `gorm:"column:latency_us;serializer:micros"` // of the platform's answer
	Offered  int           // usable games in the answer
	Unusable int           // entries that were left out: without a usable ID, or a second one of the same ID
	Added    int
	Renamed  int
	Changed  int // in anything, the renamed among them
	Gone     int
	Returned int
	Error    string // why nothing was changed; empty for a success
}

// GameChangeKind is what happened to a game in the platform's list.
type GameChangeKind uint8

const (
	// GameAppeared: the platform offered it for the first time.
	GameAppeared GameChangeKind = 1
	// GameDisappeared: the platform no longer offered it.
	GameDisappeared GameChangeKind = 2
	// GameReturned: the platform offered it again.
	GameReturned GameChangeKind = 3
	// GameRenamed: the platform called it something else.
	GameRenamed GameChangeKind = 4
)

var gameChangeKindWords = words[GameChangeKind]{
	{GameAppeared, "appeared"},
	{GameDisappeared, "disappeared"},
	{GameReturned, "returned"},
	{GameRenamed, "renamed"},
}

// String is the kind's word.
func (k GameChangeKind) String() string { return gameChangeKindWords.of(k, "unknown") }

// GameChangeKinds are all kinds, in the order in which a filter offers them.
var GameChangeKinds = gameChangeKindWords.values()

// GameChange is one line of the log of when each game was available, which regulators ask for (58 Pa. Code 811a.7(f)). Its time
// is that of the synchronisation which noticed the change.
type GameChange struct {
	ID         int64
	At         time.Time `gorm:"column:at_us;serializer:micros"`
	SyncID     int64     // 0 for what was known before the log began
	GameNumber int64     `gorm:"column:game"` // our own
	GameID     GameID    `gorm:"-"`
	Provider   string    `gorm:"-"` // as the platform says now
	Kind       GameChangeKind
	Name       string // after the change
	FormerName string // GameRenamed only
}

// GameChangeFilter selects changes, the newest first. Zero values select all.
type GameChangeFilter struct {
	Game         int64 // our own number
	Kind         GameChangeKind
	Since, Until time.Time
	Page         Cursor
	Limit        int
}
