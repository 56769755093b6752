package models

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// Folded is a text as searches without regard to case compare it.
func Folded(text string) string { return strings.ToLower(text) }

// IDPattern is what somebody typed to find an ID: its beginning, or its first and last characters as pages shorten it
// ("ada7af…a32c"). The zero value matches every ID.
type IDPattern struct {
	Head string
	Tail string // empty unless Head is followed by an ellipsis
}

// ParseIDPattern reads what was typed. Three dots are an ellipsis too.
func ParseIDPattern(text string) IDPattern {
	for _, ellipsis := range []string{"…", "..."} {
		if head, tail, short := strings.Cut(text, ellipsis); short {
			return IDPattern{Head: head, Tail: tail}
		}
	}
	return IDPattern{Head: text}
}

// IsZero reports that nothing was typed, or nothing beside an ellipsis.
func (p IDPattern) IsZero() bool { return p == IDPattern{} }

// Matches reports whether the pattern is of id. Case counts.
func (p IDPattern) Matches(id string) bool {
	return len(id) >= len(p.Head)+len(p.Tail) && strings.HasPrefix(id, p.Head) && strings.HasSuffix(id, p.Tail)
}

// Cases returns the pattern as it was typed, in lower case and in upper case.
func (p IDPattern) Cases() []IDPattern {
	list := []IDPattern{p}
	for _, other := range []IDPattern{
		{strings.ToLower(p.Head), strings.ToLower(p.Tail)}, {strings.ToUpper(p.Head), strings.ToUpper(p.Tail)},
	} {
		if !slices.Contains(list, other) {
			list = append(list, other)
		}
	}
	return list
}

// Found is what a search found: the first few, and how many there are.
type Found[T any] struct {
	Rows  []T
	Total int
	Many  bool // there are more than Total, which is as far as they were counted
}

// ErrManyIDs is returned for the beginning of an ID that too many share.
var ErrManyIDs = errors.New("more than 200 transaction IDs begin like this. Type more of the ID")

// MaxPartBytes is how long the pieces of user IDs are by which players are found. Longer texts are looked for by their rarest
// piece.
const MaxPartBytes = 12

// PartBeginning marks the piece with which a user ID begins.
const PartBeginning = "\x01"

// PartsOf returns the pieces by which a player is found: for each place in the folded user ID what follows from there on, cut
// to MaxPartBytes, and the first of them again behind PartBeginning.
func PartsOf(user UserID) []string {
	folded := Folded(string(user))
	parts := []string{PartBeginning + CutPart(folded)}
	for i := range folded {
		parts = append(parts, CutPart(folded[i:]))
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

// CutPart cuts a text to MaxPartBytes, between two characters.
func CutPart(text string) string {
	end := min(len(text), MaxPartBytes)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
