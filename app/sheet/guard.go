package sheet

import "strings"

// Spreadsheets run a cell that begins with one of these characters as a formula, even after blanks. IDs, names and reasons come
// from players and the platform, and may be anything.
const formulaStarts = "=+-@＝＋－＠"

// Guard makes a text safe in a spreadsheet, whatever separator the spreadsheet uses: it puts an apostrophe before anything that
// could start a formula, at the beginning of the text and after each semicolon, tab and line break. unguard removes the
// apostrophes.
func Guard(s string) string {
	if !strings.ContainsAny(s, formulaStarts) {
		return s
	}
	var b strings.Builder
	for begins, rest := true, s; rest != ""; {
		if begins && startsFormula(rest) {
			b.WriteByte('\'')
		}
		begins = strings.IndexByte(";\t\r\n", rest[0]) >= 0
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	return b.String()
}

// unguard returns the text from which Guard made s.
func unguard(s string) string {
	if !strings.Contains(s, "'") || !strings.ContainsAny(s, formulaStarts) {
		return s
	}
	var b strings.Builder
	for begins, rest := true, s; rest != ""; {
		if begins && rest[0] == '\'' && startsFormula(rest[1:]) {
			rest, begins = rest[1:], false
			continue
		}
		begins = strings.IndexByte(";\t\r\n", rest[0]) >= 0
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	return b.String()
}

// startsFormula reports whether a text begins with a formula, after blanks and apostrophes.
func startsFormula(s string) bool {
	s = strings.TrimLeft(s, " \u00a0'")
	return s != "" && strings.IndexAny(s, formulaStarts) == 0
}
