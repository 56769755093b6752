package export

import "strings"

// Cell makes a text safe to open in a spreadsheet, which takes one that begins with = + - @, a tab or a carriage return for a
// formula and runs it: an apostrophe in front makes it text again. Names come from players and the platform, who may call
// themselves anything.
func Cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
