package sheet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pitboss/models"
)

var grantColumns = []column{
	{"player", []string{"userid", "playerid", "player", "username", "user", "login", "playerlogin", "playername"}},
	{"game", []string{"gameid", "game", "gamename"}},
	{"spins", []string{"spins", "freespins", "numberofspins", "quantity"}},
}

// MaxGrants is how many lines a file may have.
const MaxGrants = 100_000

// Grants is a file of free spins to grant.
type Grants struct {
	Rows  []models.GrantRow
	Notes []string // see File
}

// ReadGrants reads a file or pasted cells: columns for player, game and spins, in the order of the header or, without a header,
// in that order. A game or spins in given apply to all lines, whatever the file has. Every line that is not empty becomes a
// row, even with errors. An error means that the file cannot be read at all.
func ReadGrants(ctx context.Context, from io.ReadSeeker, given models.GrantRow) (g Grants, err error) {
	free, err := alone(from)
	if err != nil {
		return g, err
	}
	defer free()
	f, err := Open(ctx, from, known(grantColumns))
	if err != nil {
		return g, err
	}
	at, err := f.place(grantColumns)
	if err != nil {
		return g, err
	}
	headed := len(f.Header) > 0
	if !headed {
		at = map[string]int{"player": 0, "game": 1, "spins": 2}
	}
	var missing []string
	for _, c := range grantColumns {
		if at[c.field] < 0 && (c.field != "game" || given.Game == "") && (c.field != "spins" || given.Spins == "") {
			missing = append(missing, c.field)
		}
	}
	if len(missing) > 0 {
		return g, fmt.Errorf("the header line has the columns %s, and none for %s. Name them player, game and spins", f.names(),
			strings.Join(missing, " and "))
	}
	replaced := map[string]bool{}
	add := func(row models.GrantRow) error {
		if g.Rows = append(g.Rows, row); len(g.Rows) > MaxGrants {
			return fmt.Errorf("the file has more than %d lines; split it", MaxGrants)
		}
		return nil
	}
	err = f.each(func(r Row) error {
		row := models.GrantRow{Line: r.Line}
		cell := func(field, given string) string {
			i := at[field]
			if i < 0 || i >= len(r.Cells) {
				return given
			}
			if given != "" {
				replaced[field] = replaced[field] || r.Cells[i].Text != "" && r.Cells[i].Text != given
				return given
			}
			if _, err := r.Cells[i].ID(); err != nil {
				row.Wrong = err.Error()
			}
			return r.Cells[i].Text
		}
		n := len(r.Cells)
		if !headed && len(g.Rows) == 0 && n != len(at) && (n != 1 || given.Game == "" || given.Spins == "") {
			return fmt.Errorf("the first line has %s, “%.60s”; 3 are expected: player, game and spins, separated by commas, "+
				"semicolons or tabs", columnCount(n), strings.Join(texts(r.Cells), " · "))
		}
		row.Player, row.Game, row.Spins = cell("player", ""), cell("game", given.Game), cell("spins", given.Spins)
		if n > len(at) && !headed {
			row.Wrong = fmt.Sprintf("This line has %d columns, not %d. Correct a cell, or remove the line.", n, len(at))
		}
		return add(row)
	}, func(bad models.LineError) error { return add(models.GrantRow{Line: bad.Line, Wrong: bad.Err.Error()}) })
	for _, name := range []string{"game", "spins"} {
		if replaced[name] {
			f.note("The %s that you entered replaces that of the file.", name)
		}
	}
	if g.Notes = f.Notes; err == nil && len(g.Rows) == 0 {
		err = errors.New("the file has no lines with grants")
	}
	return g, err
}

func columnCount(n int) string {
	if n == 1 {
		return "1 column"
	}
	return strconv.Itoa(n) + " columns"
}
