package simulator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Game is a game of the catalogue, with the fields of the game list (specification, Game) and the thumbnail of the platform's
// public documentation.
type Game struct {
	GameID    string `json:"gameID"`
	GameName  string `json:"gameName"`
	GameType  string `json:"gameType"`
	Provider  string `json:"provider"`
	Thumbnail string `json:"thumbnail,omitempty"`
}

// thumbnailMark stands for the simulator's own address at the front of a thumbnail's URL. It is replaced in the answer, when
// the address is known.
const thumbnailMark = "{public}"

// game is a game of the catalogue, which may have been removed. It keeps its place, so that it can be restored.
type game struct {
	Game
	removed bool
}

var (
	providers = []string{"Northwind Play", "Ember & Oak", "Lucky Harbour", "Copper Kettle Games", "Sieben Studios",
		"Aurora Reels", "Tabla Viva", "Quiet Fox", "Grand Meridian", "Paper Tiger", "Halcyon Tables", "Étoile Jeux"}
	qualities = []string{"Golden", "Wild", "Lucky", "Midnight", "Royal", "Crimson", "Silver", "Ancient", "Electric", "Frozen",
		"Burning", "Hidden", "Jade", "Velvet", "Cosmic", "Sunken", "Enchanted", "Mighty", "Sugar", "Twilight"}
	nouns = []string{"Fox", "Pharaoh", "Dragon", "Orchard", "Temple", "Caravan", "Pirates", "Koi", "Buffalo", "Gems",
		"Clover", "Lanterns", "Vikings", "Panther", "Harvest", "Comet", "Crown", "Oracle", "Rapids", "Safari", "Bells",
		"Phoenix", "Fruits", "Lagoon", "Tiger"}
	endings    = []string{"", "Deluxe", "Megaways", "Hold & Win", "Respin", "Gold", "Rush", "Quest", "Nights", "Jackpot"}
	tableGames = []string{"Roulette", "Blackjack", "Baccarat", "Sic Bo", "Casino Hold'em", "Three Card Poker", "Dragon Tiger",
		"Craps"}
	tableRooms = []string{"European", "French", "Classic", "Speed", "Lightning", "VIP", "Salon Privé", "Vegas", "Macau",
		"Atlantic"}
)

// hostileNames are names that Pitboss has to handle: markup, quotes, right-to-left text, a spreadsheet formula, leading and
// trailing spaces, zero-width characters, and a length of 200.
var hostileNames = []string{
	`<script>alert("game")</script>`,
	`"><img src=x onerror=alert(1)>`,
	"لعبة الحظ الذهبية",
	"Right\u202Eotceler\u202C Left",
	`=HYPERLINK("http://evil.example","Fruits")`,
	"  Spaces   around  ",
	"Zero\u200BWidth\u200DJoin",
	"{{.Secret}} ${7*7} %s %n",
	"日本の祭り 🎏🎰",
	"O'Brien's \"Lucky\" & <Sons>",
	strings.Repeat("A very long name ", 12)[:200],
}

// newCatalogue returns count games, the same for the same seed. With 50 games or more, some have hostile names unless plain is
// true.
func newCatalogue(count int, seed uint64, plain bool) (games []game) {
	random := rand.New(rand.NewPCG(seed, 0x67616d6573))
	taken := make(map[string]int, count)
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	for i := range count {
		id := strconv.Itoa(20001 + i)
		next := Game{GameID: id, GameType: "slots", Provider: pick(providers), Thumbnail: thumbnailMark + "/thumbnails/" + id}
		if random.IntN(6) == 0 {
			next.GameType = "table"
			next.GameName = pick(tableRooms) + " " + pick(tableGames)
		} else {
			next.GameName = strings.TrimSpace(pick(qualities) + " " + pick(nouns) + " " + pick(endings))
		}
		if random.IntN(20) == 0 {
			next.Thumbnail = ""
		}
		if every := count / len(hostileNames); !plain && count >= 50 && i%every == 3 && i/every < len(hostileNames) {
			next.GameName = hostileNames[i/every]
		}
		if i == 7 && !plain {
			next.Thumbnail = "javascript:alert(1)"
		}
		if taken[next.GameName]++; taken[next.GameName] > 1 {
			next.GameName = fmt.Sprintf("%s %d", next.GameName, taken[next.GameName])
		}
		games = append(games, game{Game: next})
	}
	return games
}

// offered returns the games that are not removed, with thumbnails at publicURL.
func (s *Simulator) offered(publicURL string) []Game {
	s.mu.Lock()
	defer s.mu.Unlock()
	offered := []Game{}
	for _, g := range s.games {
		if !g.removed {
			g.Thumbnail = strings.Replace(g.Thumbnail, thumbnailMark, publicURL, 1)
			offered = append(offered, g.Game)
		}
	}
	return offered
}

// findGame returns a game that is not removed.
func (s *Simulator) findGame(gameID string) (Game, bool) {
	games := s.offered("")
	i := slices.IndexFunc(games, func(g Game) bool { return g.GameID == gameID })
	if i < 0 {
		return Game{}, false
	}
	return games[i], true
}

func (s *Simulator) changeGame(gameID string, change func(*game)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.games, func(g game) bool { return g.GameID == gameID })
	if i < 0 {
		return fmt.Errorf("there is no game %.60q", gameID)
	}
	change(&s.games[i])
	return nil
}

// Games returns what /gameList answers now. Thumbnails are relative to the simulator's address.
func (s *Simulator) Games() []Game { return s.offered("") }

// RemoveGame removes a game: it disappears from the list, and launching it or granting spins on it is refused. Here and below,
// an unknown gameID is an error.
func (s *Simulator) RemoveGame(gameID string) error {
	return s.changeGame(gameID, func(g *game) { g.removed = true })
}

// RestoreGame restores a removed game.
func (s *Simulator) RestoreGame(gameID string) error {
	return s.changeGame(gameID, func(g *game) { g.removed = false })
}

// RenameGame changes a game's name.
func (s *Simulator) RenameGame(gameID, name string) error {
	return s.changeGame(gameID, func(g *game) { g.GameName = name })
}
