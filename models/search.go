package models

import (
	"slices"
	"strings"
)

// Folded returns text in lower case, for searches that ignore case.
func Folded(text string) string { return strings.ToLower(text) }

// IDPattern is what somebody entered to find an ID: its beginning, or its first and last characters, as in "ada7af…a32c". The
// zero value matches every ID.
type IDPattern struct {
	Head string
	Tail string // empty unless Head is followed by an ellipsis
}

// ParseIDPattern parses what was entered. Three dots count as an ellipsis.
func ParseIDPattern(text string) IDPattern {
	for _, ellipsis := range []string{"…", "..."} {
		if head, tail, short := strings.Cut(text, ellipsis); short {
			return IDPattern{Head: head, Tail: tail}
		}
	}
	return IDPattern{Head: text}
}

// IsZero reports whether nothing was entered, or only an ellipsis.
func (p IDPattern) IsZero() bool { return p == IDPattern{} }

// Matches reports whether id matches the pattern. Case matters.
func (p IDPattern) Matches(id string) bool {
	return len(id) >= len(p.Head)+len(p.Tail) && strings.HasPrefix(id, p.Head) && strings.HasSuffix(id, p.Tail)
}

// Cases returns the pattern as it is, in lower case and in upper case.
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

// Found is the result of a search: the first few results, and whether there are more.
type Found[T any] struct {
	Rows []T
	More bool
}
