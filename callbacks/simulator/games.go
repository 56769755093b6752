package simulator

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Game is a game of the catalogue, with the fields of the game list (specification, Game) and the thumbnail from the platform's
// public documentation.
type Game struct {
	GameID    string `json:"gameID"`
	GameName  string `json:"gameName"`
	GameType  string `json:"gameType"`
	Provider  string `json:"provider"`
	Thumbnail string `json:"thumbnail,omitempty"`
}

// game is a game of the catalogue. A removed one keeps its place in the list, so that it can be restored.
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
	tables = []string{"Roulette", "Blackjack", "Baccarat", "Sic Bo", "Casino Hold'em", "Dragon Tiger", "Craps"}
)

// newCatalogue returns count games, the same ones every time.
func newCatalogue(count int) (games []game) {
	random := rand.New(rand.NewPCG(1, 0x67616d6573))
	taken := make(map[string]int, count)
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	for i := range count {
		next := Game{GameID: strconv.Itoa(20001 + i), GameType: "slots", Provider: pick(providers)}
		if next.Thumbnail = "/thumbnails/" + next.GameID; random.IntN(20) == 0 {
			next.Thumbnail = ""
		}
		next.GameName = pick(qualities) + " "
		if random.IntN(6) == 0 {
			next.GameType, next.GameName = "table", next.GameName+pick(tables)
		} else {
			next.GameName += pick(nouns)
		}
		if taken[next.GameName]++; taken[next.GameName] > 1 {
			next.GameName += fmt.Sprint(" ", taken[next.GameName])
		}
		games = append(games, game{Game: next})
	}
	return games
}

// offered returns the games that have not been removed, with thumbnails under publicURL.
func (s *Simulator) offered(publicURL string) []Game {
	s.mu.Lock()
	defer s.mu.Unlock()
	offered := []Game{}
	for _, g := range s.games {
		if !g.removed {
			if strings.HasPrefix(g.Thumbnail, "/") {
				g.Thumbnail = publicURL + g.Thumbnail
			}
			offered = append(offered, g.Game)
		}
	}
	return offered
}

// findGame returns the game with this ID, unless it has been removed.
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

// Games returns what /gameList answers now. The addresses of thumbnails are relative to the simulator's.
func (s *Simulator) Games() []Game { return s.offered("") }

// RemoveGame takes a game off the list; the platform then refuses to launch it or to grant spins on it. Like RestoreGame and
// RenameGame, it returns an error if the gameID is unknown.
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

// thumbnail answers with a picture in one color, which depends on the game.
func thumbnail(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("gameID"))
	w.Header().Set("Content-Type", "image/svg+xml")
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="100%%" height="100%%" fill="hsl(%d,60%%,35%%)"/></svg>`,
		number*47%360)
}
