package imports

import (
	"context"
	"slices"
	"strings"

	"pitboss/app/web"
	"pitboss/models"
)

// "Did you mean": the players and games whose ID or name is closest to one that does not exist.

const (
	suggestions      = 3
	candidatesAsked  = 200
	shortestStem     = 2
	farthestPerRunes = 3 // one change for so many letters
)

// Suggestion is a value for a cell, and the word by which a person knows it.
type Suggestion struct {
	Value, Word string
	Use         string // what the button that takes it sends
}

// suggestPlayers returns the players whose IDs are closest to id. Candidates begin like id, in any case.
func (a *Area) suggestPlayers(ctx context.Context, id string) ([]Suggestion, error) {
	trimmed := strings.TrimSpace(id)
	if trimmed == "" {
		return nil, nil
	}
	near := NewNearest(trimmed)
	stem := []rune(trimmed)
	for length := len(stem); length >= min(shortestStem, len(stem)); length = min(length-1, length/2+1) {
		begin := string(stem[:length])
		cases := []string{begin, strings.ToLower(begin), strings.ToUpper(begin), web.FirstUpper(strings.ToLower(begin))}
		slices.Sort(cases)
		for _, beginning := range slices.Compact(cases) {
			list, _, err := a.Store.Players(ctx, models.PlayerFilter{Beginning: beginning, Limit: candidatesAsked})
			if err != nil {
				return nil, err
			}
			for _, p := range list {
				near.Offer(Suggestion{Value: string(p.UserID), Word: string(p.UserID)}, string(p.UserID))
			}
		}
		if near.found() || length <= shortestStem {
			break
		}
	}
	return near.Best(), nil
}

// suggestGames returns the games whose IDs or names are closest to text.
func suggestGames(games []models.Game, text string) []Suggestion {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	near := NewNearest(text)
	for _, g := range games {
		near.Offer(Suggestion{Value: string(g.GameID), Word: g.Ref().Title() + " (" + string(g.GameID) + ")"},
			string(g.GameID),
			g.Name)
	}
	return near.Best()
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

func (n *nearest) found() bool { return len(n.candidates) > 0 }

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
