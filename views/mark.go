package views

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Piece is a part of a text. It is marked if it matches the search.
type Piece struct {
	Text   string
	Marked bool
}

// Mark splits a text into pieces and marks those that match sought: the whole of it, the beginning and the end of a shortened
// ID, or each of its words. Case does not matter.
func Mark(text, sought string) []Piece {
	folded, sought := strings.ToLower(text), strings.ToLower(strings.TrimSpace(sought))
	plain := []Piece{{Text: text}}
	if sought == "" || text == "" || len(folded) != len(text) {
		return plain // lower case changed the length, so positions in the two texts differ
	}
	var spans [][2]int
	add := func(from, length int) {
		if from >= 0 && length > 0 {
			spans = append(spans, [2]int{from, from + length})
		}
	}
	find := func(word string) { add(strings.Index(folded, word), len(word)) }
	head, tail, shortened := strings.Cut(folded, "…")
	soughtHead, soughtTail, short := strings.Cut(strings.ReplaceAll(sought, "...", "…"), "…")
	switch {
	case strings.Contains(folded, sought):
		find(sought)
	case short:
		if strings.HasPrefix(folded, soughtHead) {
			add(0, len(soughtHead))
		}
		if strings.HasSuffix(folded, soughtTail) {
			add(len(text)-len(soughtTail), len(soughtTail))
		}
	case shortened && len(head) > 0 && strings.HasPrefix(sought, head):
		add(0, len(head))
		if strings.HasSuffix(sought, tail) {
			add(len(text)-len(tail), len(tail))
		}
	default:
		for _, word := range strings.Fields(sought) {
			find(word)
		}
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var pieces []Piece
	at := 0
	for _, s := range spans {
		from, to := max(s[0], at), s[1]
		if from >= to || !utf8.RuneStart(text[from]) {
			continue
		}
		if from > at {
			pieces = append(pieces, Piece{Text: text[at:from]})
		}
		pieces, at = append(pieces, Piece{text[from:to], true}), to
	}
	if at < len(text) {
		pieces = append(pieces, Piece{Text: text[at:]})
	}
	return pieces
}
