package pages

import (
	"context"
	"slices"
	"strings"

	"pitboss/models"
)

// "Did you mean": the things whose IDs or names are closest to one that does not exist.

const (
	suggestions      = 3
	farthestPerRunes = 3    // letters of the text for each change allowed
	gamesAtOnce      = 5000 // games read in one statement
)

// Suggestion is a value that may have been meant, and its name for people.
type Suggestion struct {
	Value, Word string
	Use         string // how to choose it: the value that a button sends, or an address
}

// Games are the games that the platform offers, to suggest some of them.
type Games []models.Game

// Games returns all games that the platform offers.
func (s *Site) Games(ctx context.Context) (games Games, err error) {
	list := models.List(models.GameFilter{State: models.GamesOffered}, 0, s.Store.Games, models.Game.Place)
	for page, err := range list.Pages(ctx, gamesAtOnce) {
		if err != nil {
			return games, err
		}
		games = append(games, page.Rows...)
	}
	return games, nil
}

// Like returns the games whose IDs or names are most similar to text. All games with exactly this name come before games with
// similar names.
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

// NoGame returns a message that no game has this ID, and which games may have been meant.
func (g Games) NoGame(text string) string {
	words := make([]string, 0, suggestions)
	for _, s := range g.Like(text) {
		words = append(words, s.Word)
	}
	if len(words) == 0 {
		return "No game has this ID or name. Type part of its name and choose it from the list."
	}
	return "No single game has this ID or name. Did you mean " + strings.Join(words, ", or ") + "?"
}

// GamesTyped returns the IDs of the games that these texts name, by their ID, or by their name if only one game has it. It leaves
// out texts that name no game, or several.
func (s *Site) GamesTyped(ctx context.Context, texts []string) (map[string]models.GameID, error) {
	return s.Store.GamesTyped(ctx, texts)
}

// nearest collects the candidates that are spelled most like a text, up to farthest changes away.
type nearest struct {
	text       string
	farthest   int
	candidates []scored
}

type scored struct {
	Suggestion
	distance int
}

// NewNearest returns a nearest without candidates for text.
func NewNearest(text string) *nearest {
	folded := strings.ToLower(text)
	return &nearest{text: folded, farthest: max(1, len([]rune(folded))/farthestPerRunes)}
}

// Offer adds a candidate if any of its names is close enough.
func (n *nearest) Offer(s Suggestion, names ...string) {
	distance := n.farthest + 1
	for _, name := range names {
		folded := strings.ToLower(strings.TrimSpace(name))
		d := changes([]rune(n.text), []rune(folded), n.farthest)
		if len(n.text) >= 4 && strings.HasPrefix(folded, n.text) {
			d = min(d, 1) // only the beginning of the name was typed
		}
		distance = min(distance, d)
	}
	if distance <= n.farthest && !slices.ContainsFunc(n.candidates, func(other scored) bool { return other.Value == s.Value }) {
		n.candidates = append(n.candidates, scored{s, distance})
	}
}

// Found reports whether there are any candidates.
func (n *nearest) Found() bool { return len(n.candidates) > 0 }

// Best returns the closest candidates, the closest first.
func (n *nearest) Best() (list []Suggestion) {
	slices.SortStableFunc(n.candidates, func(a, b scored) int { return a.distance - b.distance })
	for _, s := range n.candidates[:min(len(n.candidates), suggestions)] {
		list = append(list, s.Suggestion)
	}
	return list
}

// changes returns how many letters have to be inserted, deleted, replaced or swapped with their neighbor to turn a into b. It
// stops counting above most.
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
