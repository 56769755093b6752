package simulator

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
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

// catalogue has all games. A removed game keeps its place, so that it can be restored.
type catalogue struct {
	mu      sync.RWMutex
	games   []Game
	byID    map[string]int
	removed map[string]bool
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
func newCatalogue(count int, seed uint64, plain bool) *catalogue {
	random := rand.New(rand.NewPCG(seed, 0x67616d6573))
	c := &catalogue{byID: make(map[string]int, count), removed: map[string]bool{}}
	taken := make(map[string]int, count)
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	for i := range count {
		game := Game{GameID: strconv.Itoa(20001 + i), GameType: "slots", Provider: pick(providers)}
		if random.IntN(6) == 0 {
			game.GameType = "table"
			game.GameName = pick(tableRooms) + " " + pick(tableGames)
		} else {
			game.GameName = strings.TrimSpace(pick(qualities) + " " + pick(nouns) + " " + pick(endings))
		}
		if random.IntN(20) > 0 {
			game.Thumbnail = thumbnailMark + "/thumbnails/" + game.GameID
		}
		if !plain && count >= 50 && i%(count/len(hostileNames)) == 3 && i/(count/len(hostileNames)) < len(hostileNames) {
			game.GameName = hostileNames[i/(count/len(hostileNames))]
		}
		if taken[game.GameName]++; taken[game.GameName] > 1 {
			game.GameName = fmt.Sprintf("%s %d", game.GameName, taken[game.GameName])
		}
		if i == 7 && !plain {
			game.Thumbnail = "javascript:alert(1)"
		}
		c.byID[game.GameID] = len(c.games)
		c.games = append(c.games, game)
	}
	return c
}

// offered returns the games that are not removed, with thumbnails at publicURL.
func (c *catalogue) offered(publicURL string) []Game {
	c.mu.RLock()
	defer c.mu.RUnlock()
	games := make([]Game, 0, len(c.games))
	for _, game := range c.games {
		if !c.removed[game.GameID] {
			game.Thumbnail = strings.Replace(game.Thumbnail, thumbnailMark, publicURL, 1)
			games = append(games, game)
		}
	}
	return games
}

// find returns a game that is not removed.
func (c *catalogue) find(gameID string) (Game, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	i, known := c.byID[gameID]
	if !known || c.removed[gameID] {
		return Game{}, false
	}
	return c.games[i], true
}

func (c *catalogue) change(gameID string, change func(game *Game)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, known := c.byID[gameID]
	if !known {
		return fmt.Errorf("there is no game %.60q", gameID)
	}
	change(&c.games[i])
	return nil
}

// Games returns what /gameList answers now. Thumbnails are relative to the simulator's address.
func (s *Simulator) Games() []Game { return s.games.offered("") }

// RemoveGame removes a game: it disappears from the list, and launching it or granting spins on it is refused. Here and below,
// an unknown gameID is an error.
func (s *Simulator) RemoveGame(gameID string) error {
	return s.games.change(gameID, func(*Game) { s.games.removed[gameID] = true })
}

// RestoreGame restores a removed game.
func (s *Simulator) RestoreGame(gameID string) error {
	return s.games.change(gameID, func(*Game) { delete(s.games.removed, gameID) })
}

// RenameGame changes a game's name.
func (s *Simulator) RenameGame(gameID, name string) error {
	return s.games.change(gameID, func(game *Game) { game.GameName = name })
}
