package sheet

import (
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

// ReadGrants reads a file or pasted cells: columns for player, game and spins, in the order of the header or, without a header, in
// that order. If given has the game or the spins of all lines, their column may be missing; without a header, a line then may have
// just the player. Every line that is not empty becomes a row, even with errors. An error means that it cannot be read at all.
func ReadGrants(from io.ReadSeeker, given models.GrantRow) (g Grants, err error) {
	f, err := Open(from, known(grantColumns))
	if err != nil {
		return g, err
	}
	at, err := f.place(grantColumns)
	if err != nil {
		return g, err
	}
	headed, columns := len(f.Header) > 0, 0
	if !headed {
		columns = 3
		at = map[string]int{"player": 0, "game": 1, "spins": 2}
	} else {
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
	}
	for {
		row, err := f.Next()
		var bad models.LineError
		switch {
		case err == io.EOF && len(g.Rows) == 0:
			return g, errors.New("the file has no lines with grants")
		case err == io.EOF:
			g.Notes = f.Notes
			return g, nil
		case errors.As(err, &bad) && !headed && len(g.Rows) == 0:
			return g, bad
		case errors.As(err, &bad):
			g.Rows = append(g.Rows, models.GrantRow{Line: bad.Line, Wrong: bad.Err.Error()})
		case err != nil:
			return g, err
		case !headed && len(g.Rows) == 0 && len(row.Cells) != columns && (len(row.Cells) != 1 || given.Game == "" || given.Spins == ""):
			return g, fmt.Errorf("the first line has %s, “%.60s”; 3 are expected: player, game and spins, separated by commas, "+
				"semicolons or tabs", columnCount(len(row.Cells)), strings.Join(row.Cells, " · "))
		default:
			if !headed && len(g.Rows) == 0 && len(row.Cells) == 1 {
				at["game"], at["spins"], columns = -1, -1, 1
			}
			g.Rows = append(g.Rows, grantRow(row, at, columns, given))
		}
		if len(g.Rows) > MaxGrants {
			return g, fmt.Errorf("the file has more than %d lines; split it", MaxGrants)
		}
	}
}

func columnCount(n int) string {
	if n == 1 {
		return "1 column"
	}
	return strconv.Itoa(n) + " columns"
}

// grantRow returns the grant of a line. columns is how many it may have; 0 for any number.
func grantRow(r Row, at map[string]int, columns int, given models.GrantRow) models.GrantRow {
	cell := func(field, given string) string {
		switch i := at[field]; {
		case i < 0:
			return given
		case i < len(r.Cells):
			return r.Cells[i]
		}
		return ""
	}
	row := models.GrantRow{Line: r.Line, Player: cell("player", ""), Game: cell("game", given.Game), Spins: cell("spins", given.Spins)}
	if columns > 0 && len(r.Cells) > columns {
		row.Wrong = fmt.Sprintf("This line has %d columns, not %d. Correct a cell, or remove the line.", len(r.Cells), columns)
	}
	return row
}
