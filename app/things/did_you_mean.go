package things

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"pitboss/models"
)

// "Did you mean": the things whose IDs or names are closest to one that does not exist.

const (
	suggestions      = 3
	farthestPerRunes = 3    // one change for so many letters
	gamesAtOnce      = 5000 // games read in one statement
)

// Suggestion is a value that may have been meant, and the word by which a person knows it.
type Suggestion struct {
	Value, Word string
	Use         string // what takes it: what a button sends, or an address
}

// Games are the games that the platform offers, to suggest some of them.
type Games []models.Game

// Games reads all games that the platform offers.
func (s *Site) Games(ctx context.Context) (games Games, err error) {
	f := models.GameFilter{State: models.GamesOffered, Limit: gamesAtOnce}
	for more := true; more; f.Next = games[len(games)-1].ID {
		var list []models.Game
		if list, more, err = s.store.Games(ctx, f); err != nil || len(list) == 0 {
			return games, err
		}
		games = append(games, list...)
	}
	return games, nil
}

// Like are the games whose IDs or names are closest to text. All games of a name come before those that are spelt otherwise.
func (g Games) Like(text string) []Suggestion {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	near := NewNearest(text)
	for _, game := range g {
		near.Offer(Suggestion{Value: string(game.GameID), Word: game.Ref().Title() + " (" + string(game.GameID) + ")"},
			string(game.GameID), game.Name)
	}
	return near.Best()
}

// NoGame says that no game has an ID, and which ones may have been meant.
func (g Games) NoGame(text string) string {
	words := make([]string, 0, suggestions)
	for _, s := range g.Like(text) {
		words = append(words, s.Word)
	}
	if len(words) == 0 {
		return "No game has this ID or name. Type part of its name and choose it from the list."
	}
	return "No game has this ID, and not exactly one game has this name. Did you mean " + strings.Join(words, ", or ") + "?"
}

// GameTyped is the ID of the game that somebody typed: its ID, or its name if only one game has it.
func (s *Site) GameTyped(ctx context.Context, text string) (models.GameID, error) {
	if text == "" {
		return "", nil
	}
	found, err := s.GamesTyped(ctx, []string{text})
	return cmp.Or(found[text], models.GameID(text)), err
}

// GamesTyped is GameTyped for many texts. Those that name no game, or several, are left out.
func (s *Site) GamesTyped(ctx context.Context, texts []string) (map[string]models.GameID, error) {
	return s.store.GamesTyped(ctx, texts)
}

// nearest collects what is closest to a text: as few letters away as possible, and not too many.
type nearest struct {
	text       string
	farthest   int
	candidates []scored
}

type scored struct {
	Suggestion
	distance int
}

// NewNearest begins a search for what is spelt most like text.
func NewNearest(text string) *nearest {
	folded := strings.ToLower(text)
	return &nearest{text: folded, farthest: max(1, len([]rune(folded))/farthestPerRunes)}
}

// Offer takes a candidate by any of the names that it has.
func (n *nearest) Offer(s Suggestion, names ...string) {
	distance := n.farthest + 1
	for _, name := range names {
		folded := strings.ToLower(strings.TrimSpace(name))
		d := changes([]rune(n.text), []rune(folded), n.farthest)
		if len(n.text) >= 4 && strings.HasPrefix(folded, n.text) {
			d = min(d, 1) // a name of which only the beginning was typed
		}
		distance = min(distance, d)
	}
	if distance <= n.farthest && !slices.ContainsFunc(n.candidates, func(other scored) bool { return other.Value == s.Value }) {
		n.candidates = append(n.candidates, scored{s, distance})
	}
}

// Found reports whether there is any.
func (n *nearest) Found() bool { return len(n.candidates) > 0 }

// Best returns what was found, the closest first.
func (n *nearest) Best() (list []Suggestion) {
	slices.SortStableFunc(n.candidates, func(a, b scored) int { return a.distance - b.distance })
	for _, s := range n.candidates[:min(len(n.candidates), suggestions)] {
		list = append(list, s.Suggestion)
	}
	return list
}

// changes counts the letters to insert, delete, replace or swap with their neighbor to make b of a. It stops counting above
// most.
func changes(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		if slices.Min(row) > most {
			return most + 1
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
