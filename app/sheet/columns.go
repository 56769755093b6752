package sheet

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// column is a column that a kind of file may have, and the names that people give it, in order of preference: in lower case,
// letters and digits only.
type column struct {
	field string
	names []string
}

// plain returns a column's name in the form of column.names, without text in parentheses, as in "Created (UTC)".
func plain(name string) string {
	name, _, _ = strings.Cut(name, "(")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// find returns the index of a field's column in a header, or -1.
func (c column) find(header []string) int {
	for _, name := range c.names {
		if i := slices.IndexFunc(header, func(h string) bool { return plain(h) == name }); i >= 0 {
			return i
		}
	}
	return -1
}

// known returns a function for Open that counts the columns that a line names.
func known(columns []column) func(cells []string) int {
	return func(cells []string) (n int) {
		for _, c := range columns {
			if c.find(cells) >= 0 {
				n++
			}
		}
		return n
	}
}

// place finds the columns in the header, and notes the others. It refuses a header that has one of them twice.
func (f *File) place(columns []column) (map[string]int, error) {
	at := map[string]int{}
	for _, c := range columns {
		i := c.find(f.Header)
		if at[c.field] = i; i < 0 {
			continue
		}
		for _, other := range f.Header[i+1:] {
			if plain(other) == plain(f.Header[i]) {
				return nil, fmt.Errorf("the header line has two columns for %s: %s and %s. Keep one", c.field, f.Header[i], other)
			}
		}
	}
	f.noteUnused(func(i int) bool {
		for _, used := range at {
			if used == i {
				return true
			}
		}
		return false
	})
	return at, nil
}

// noteUnused names the columns that are not used.
func (f *File) noteUnused(used func(column int) bool) {
	var names []string
	for i, name := range f.Header {
		if !used(i) && name != "" {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		f.note("Not used: %s.", strings.Join(names, ", "))
	}
}

// names returns names of columns as a list for people.
func (f *File) names() string { return strings.Join(f.Header, ", ") }
