package things

import (
	"strconv"
	"strings"

	"pitboss/models"
	"pitboss/views"
)

// Hit is something that was found.
type Hit struct {
	Text  string   // what it is, such as "Bet of 25.00 EUR, anna"
	ID    views.ID // shown beside it, where Text is not the ID itself
	Value string   // what a picker puts into its field
	Href  string
	State *views.Badge
	Exact bool // what was typed is its whole ID

	Sought string
}

// What is the text with the parts that match marked.
func (h Hit) What() []views.Piece { return views.Mark(h.Text, h.Sought) }

// Name is the ID, as pages show it, with the parts that match marked.
func (h Hit) Name() []views.Piece { return views.Mark(h.ID.Shown(), h.Sought) }

// HitsOf turns what the store found into hits.
func HitsOf[T any](found models.Found[T], each func(T) Hit) models.Found[Hit] {
	hits := models.Found[Hit]{Total: found.Total, Many: found.Many}
	for _, row := range found.Rows {
		hits.Rows = append(hits.Rows, each(row))
	}
	return hits
}

// OneHit is the only thing that a search can find, where it exists.
func OneHit(h Hit, there bool) models.Found[Hit] {
	if !there {
		return models.Found[Hit]{}
	}
	return models.Found[Hit]{Rows: []Hit{h}, Total: 1}
}

// NumberAfter reads a thing's number, and whether its word comes before it: "case 12", "case:12", "Case #12" or "12". It is 0
// where the text is something else.
func NumberAfter(text, word string) (id int64, named bool) {
	digits, named := strings.CutPrefix(strings.ToLower(text), word)
	id, err := strconv.ParseInt(strings.TrimLeft(digits, " :#"), 10, 64)
	if err != nil || id < 1 {
		return 0, false
	}
	return id, named
}
