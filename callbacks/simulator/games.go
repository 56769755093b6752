package simulator

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
)

// Game is one game of the catalogue, with the fields of the game list (specification, Game) and the thumbnail that the
// platform's public pages add.
type Game struct {
	GameID    string `json:"gameID"`
	GameName  string `json:"gameName"`
	GameType  string `json:"gameType"`
	Provider  string `json:"provider"`
	Thumbnail string `json:"thumbnail,omitempty"`
}

// thumbnailMark stands at the front of a thumbnail until the address of the simulator is known, which is when it is asked.
const thumbnailMark = "{public}"

// catalogue is the platform's offer. A game that was removed keeps its place, so that it can return.
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

// hostileNames are names that a partner has to survive: mark-up, quotes, right-to-left text, a spreadsheet formula, spaces at
// the ends, characters without width, and the length of 200.
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

// newCatalogue makes count games, the same ones for the same seed. From 50 games on, the hostile names are among them, unless
// names are to be plain.
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
			game.Thumbnail = thumbnailMark + "/thumbnails/" + game.GameID + ".png"
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

// offered lists the games that are not removed, with their thumbnails at publicURL.
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

// find answers a game that is offered now.
func (c *catalogue) find(gameID string) (Game, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	i, known := c.byID[gameID]
	if !known || c.removed[gameID] {
		return Game{}, false
	}
	return c.games[i], true
}

func (c *catalogue) gone() []Game {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var games []Game
	for _, game := range c.games {
		if c.removed[game.GameID] {
			games = append(games, game)
		}
	}
	return games
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

// Games lists what /gameList offers now. Thumbnails are relative to the simulator's own address.
func (s *Simulator) Games() []Game { return s.games.offered("") }

// RemoveGame takes a game out of the offer: it leaves the list, and launching it or granting spins on it is refused. An unknown
// gameID is an error, here and below.
func (s *Simulator) RemoveGame(gameID string) error {
	return s.games.change(gameID, func(*Game) { s.games.removed[gameID] = true })
}

// RestoreGame offers a removed game again.
func (s *Simulator) RestoreGame(gameID string) error {
	return s.games.change(gameID, func(*Game) { delete(s.games.removed, gameID) })
}

// RenameGame gives a game another name.
func (s *Simulator) RenameGame(gameID, name string) error {
	return s.games.change(gameID, func(game *Game) { game.GameName = name })
}
