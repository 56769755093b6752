package export

import "strings"

// Cell makes a text safe to open in a spreadsheet. Spreadsheets run a text that begins with = + - @, a tab or a carriage return
// as a formula; an apostrophe in front prevents that. Names come from players and the platform and may be anything.
func Cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
