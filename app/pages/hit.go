package pages

import (
	"strconv"
	"strings"

	"pitboss/models"
	"pitboss/views"
)

// Hit is a search result.
type Hit struct {
	Text  string   // for example "Bet of 25.00 EUR, anna"
	ID    views.ID // shown next to Text, unless Text is the ID itself
	Value string   // what a picker puts into its field
	Href  string
	State *views.Badge
	Exact bool // the reader typed its whole ID
}

// HitsOf turns the store's results into hits.
func HitsOf[T any](found models.Found[T], each func(T) Hit) models.Found[Hit] {
	hits := models.Found[Hit]{More: found.More}
	for _, row := range found.Rows {
		hits.Rows = append(hits.Rows, each(row))
	}
	return hits
}

// OneHit returns h as the only result, or no result if there is false.
func OneHit(h Hit, there bool) models.Found[Hit] {
	if !there {
		return models.Found[Hit]{}
	}
	return models.Found[Hit]{Rows: []Hit{h}}
}

// NumberAfter returns the internal ID in a text such as "case 12", "case:12", "Case #12" or "12", and whether it follows the
// word. It returns 0 for any other text.
func NumberAfter(text, word string) (id int64, named bool) {
	digits, named := strings.CutPrefix(strings.ToLower(text), word)
	id, err := strconv.ParseInt(strings.TrimLeft(digits, " :#"), 10, 64)
	if err != nil || id < 1 {
		return 0, false
	}
	return id, named
}
