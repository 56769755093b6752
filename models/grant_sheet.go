package models

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// GrantRow is a line of a sheet of grants as a person wrote it, with or without errors.
type GrantRow struct {
	Line    int // in the sheet, counted from 1, including the header
	Player  string
	Game    string
	Spins   string
	Columns int `json:",omitempty"` // how many there are, if not three
}

// RowError says what is wrong with a cell of a GrantRow.
type RowError struct {
	Field string // "player", "game", "spins", or empty for the whole line
	Text  string
}

// Error returns the text.
func (e RowError) Error() string { return e.Text }

// The columns of a sheet in their usual order, and their accepted names in a header, in lower case with spaces between words.
var sheetColumns = []struct {
	word  string
	names []string
}{
	{"player", []string{"player", "user id", "userid", "player id", "playerid", "username", "user"}},
	{"game", []string{"game", "game id", "gameid"}},
	{"spins", []string{"spins", "free spins", "freespins", "number of spins", "quantity"}},
}

var lineNames = []string{"line"}

const (
	sheetSeparators = "\t;,"
	mostRows        = 100_000
)

// ReadGrantSheet reads an uploaded or pasted sheet of grants: columns for player, game and spins, separated by tabs, semicolons
// or commas, in the order of the header or, without a header, in that order. Every line that is not empty becomes a row, even
// with errors. An error means that the sheet cannot be read at all. Spaces around a cell are removed, unless the cell is
// quoted.
func ReadGrantSheet(contents []byte) ([]GrantRow, error) {
	contents = bytes.TrimPrefix(contents, []byte("\ufeff"))
	if !utf8.Valid(contents) || bytes.ContainsRune(contents, 0) {
		return nil, errors.New("the file is not UTF-8 text. In the spreadsheet, save it as “CSV UTF-8”, or copy the cells " +
			"and paste them")
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(contents)), "\n")
	var rows []GrantRow
	var columns []int // the indexes of player, game, spins and the line's number; nil before the first line
	separator := ','
	for i, text := range lines {
		if strings.TrimSpace(text) == "" {
			continue
		}
		if columns == nil {
			separator = separatorOf(text)
			header, err := headerOf(splitCells(text, separator))
			if err != nil {
				return nil, err
			}
			if columns = header; columns != nil {
				continue
			}
			columns = []int{0, 1, 2, -1}
			if n := len(splitCells(text, separator)); n != 3 {
				return nil, fmt.Errorf("the first line has %s; 3 are expected: player, game and spins, separated by tabs, "+
					"semicolons or commas", columnCount(n))
			}
		}
		if len(rows) == mostRows {
			return nil, fmt.Errorf("the sheet has more than %d lines; split it", mostRows)
		}
		rows = append(rows, readRow(splitCells(text, separator), columns, i+1))
	}
	if len(rows) == 0 {
		return nil, errors.New("the sheet has no lines with grants")
	}
	return Numbered(rows), nil
}

// Numbered returns the rows sorted by line. If two rows have the same line, the later one is moved to the end.
func Numbered(rows []GrantRow) []GrantRow {
	taken, last := map[int]bool{}, 0
	for _, r := range rows {
		last = max(last, r.Line)
	}
	for i := range rows {
		if taken[rows[i].Line] {
			last++
			rows[i].Line = last
		}
		taken[rows[i].Line] = true
	}
	slices.SortFunc(rows, func(a, b GrantRow) int { return a.Line - b.Line })
	return rows
}

func columnCount(n int) string {
	if n == 1 {
		return "1 column"
	}
	return strconv.Itoa(n) + " columns"
}

// separatorOf returns the separator of a line's cells: the first of tab, semicolon and comma that splits it into three cells or
// more.
func separatorOf(line string) rune {
	for _, r := range sheetSeparators {
		if len(splitCells(line, r)) >= len(sheetColumns) {
			return r
		}
	}
	for _, r := range sheetSeparators {
		if strings.ContainsRune(line, r) {
			return r
		}
	}
	return ','
}

// splitCells returns the cells of a line. If the line's quotation marks do not match, it is split at every separator.
func splitCells(line string, separator rune) []string {
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.FieldsPerRecord = separator, -1
	cells, err := r.Read()
	if err != nil || strings.Count(line, `"`) == 0 {
		cells = strings.Split(line, string(separator))
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
	}
	for i, cell := range cells {
		// our own exports put an apostrophe before such cells
		if len(cell) > 1 && cell[0] == '\'' && strings.ContainsRune("=+-@", rune(cell[1])) {
			cells[i] = cell[1:]
		}
	}
	return cells
}

// headerOf returns the indexes of the columns if the line is a header, nil if it is not, and an error if a column is missing.
func headerOf(cells []string) ([]int, error) {
	at := make([]int, 0, len(sheetColumns)+1)
	find := func(names []string) (at []int) {
		for i, cell := range cells {
			if slices.Contains(names, strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(cell))) {
				at = append(at, i)
			}
		}
		return at
	}
	var found, missing []string
	for _, column := range sheetColumns {
		switch is := find(column.names); len(is) {
		case 0:
			missing, at = append(missing, column.word), append(at, -1)
		case 1:
			found, at = append(found, cells[is[0]]), append(at, is[0])
		default:
			return nil, fmt.Errorf("the header line has two columns for %s: %s and %s. Keep one", column.word, cells[is[0]],
				cells[is[1]])
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("the header line has the columns %s and none for %s. Name them player, game and spins",
			strings.Join(found, ", "), strings.Join(missing, " and "))
	}
	if is := find(lineNames); len(is) == 1 {
		return append(at, is[0]), nil
	}
	return append(at, -1), nil
}

func readRow(cells []string, columns []int, line int) GrantRow {
	cell := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return cells[i]
	}
	row := GrantRow{Line: line, Player: cell(columns[0]), Game: cell(columns[1]), Spins: cell(columns[2])}
	if n, err := strconv.Atoi(cell(columns[3])); err == nil && n > 0 && n < math.MaxInt32 {
		row.Line = n
	}
	if len(cells) > slices.Max(columns)+1 && columns[3] < 0 && slices.Equal(columns, []int{0, 1, 2, -1}) {
		row.Columns = len(cells)
	}
	return row
}

// Grant returns the grant of the row, or what is wrong with its cells.
func (r GrantRow) Grant() (GrantLine, []RowError) {
	var wrong []RowError
	refuse := func(field, format string, args ...any) {
		wrong = append(wrong, RowError{field, fmt.Sprintf(format, args...)})
	}
	if r.Columns > 0 {
		refuse("", "This line has %d columns; 3 are expected. Correct a cell, or remove the line.", r.Columns)
	}
	for _, id := range []struct{ field, word, text string }{
		{"player", "The player ID", r.Player}, {"game", "The game ID", r.Game},
	} {
		switch {
		case id.text == "":
			refuse(id.field, "%s is missing.", id.word)
		case len(id.text) > 255:
			refuse(id.field, "%s is too long: at most 255 bytes.", id.word)
		case CheckID(id.text) != nil:
			refuse(id.field, "%s has characters that an ID cannot have.", id.word)
		}
	}
	spins, err := strconv.ParseInt(strings.TrimSpace(r.Spins), 10, 64)
	switch {
	case strings.TrimSpace(r.Spins) == "":
		refuse("spins", "The number of spins is missing.")
	case err != nil:
		refuse("spins", "“%.40s” is not a number of spins. Enter a whole number, such as 20.", r.Spins)
	case spins < 1 || spins > MaxSpins:
		refuse("spins", "Enter a number from 1 to %d.", MaxSpins)
	}
	return GrantLine{Line: r.Line, UserID: UserID(r.Player), GameID: GameID(r.Game), Spins: spins}, wrong
}

// ReadGrants reads the lines of a sheet, and returns what is wrong with those that cannot be granted.
func ReadGrants(contents []byte) (lines []GrantLine, bad []LineError, err error) {
	rows, err := ReadGrantSheet(contents)
	for _, row := range rows {
		line, wrong := row.Grant()
		for _, w := range wrong {
			bad = append(bad, LineError{row.Line, w})
		}
		if len(wrong) == 0 {
			lines = append(lines, line)
		}
	}
	return lines, bad, err
}
