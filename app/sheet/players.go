package sheet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pitboss/models"
)

var playerColumns = []column{
	{"user_id", []string{"userid", "playerid", "player", "username", "user", "login", "playerlogin", "playername"}},
	{"currency", []string{"currency", "currencycode", "ccy", "curr"}},
	{"balance", []string{"balance", "openingbalance"}},
	{"time_zone", []string{"timezone", "zone", "tz"}},
}

// maxBadLines is how many lines with errors are collected. Nobody corrects more line by line, and each takes memory.
const maxBadLines = 10_000

var errBadLines = fmt.Errorf("more than %d lines have errors. Is it the right file?", maxBadLines)

// Players is a file of players to create.
type Players struct {
	models.PlayerFile
	Bad   []models.LineError // every line that cannot be used, so that a person can correct them all at once
	Notes []string           // see File
}

// ReadPlayers reads a file with a header and columns for the player ID, the currency and, if there are any, the balance and the
// time zone. An error means that it cannot be read at all.
func ReadPlayers(ctx context.Context, from io.ReadSeeker) (p Players, err error) {
	free, err := alone(from)
	if err != nil {
		return p, err
	}
	defer free()
	f, err := Open(ctx, from, known(playerColumns))
	if err != nil {
		return p, err
	}
	if len(f.Header) == 0 {
		return p, errors.New("the file needs a header line with the columns user_id and currency")
	}
	at, err := f.place(playerColumns)
	if err != nil {
		return p, err
	}
	for _, name := range []string{"user_id", "currency"} {
		if at[name] < 0 {
			return p, fmt.Errorf("the header line has the columns %s, and none for %s. Name them user_id and currency", f.names(), name)
		}
	}
	type found struct {
		line                 int
		user, currency, zone string
		balance              Cell
	}
	var rows []found
	var balances []Cell
	refuse := func(bad models.LineError) error {
		if p.Bad = append(p.Bad, bad); len(p.Bad) > maxBadLines {
			return errBadLines
		}
		return nil
	}
	err = f.each(func(row Row) error {
		user, err := row.Cells[at["user_id"]].ID()
		if err != nil {
			return refuse(models.LineError{Line: row.Line, Err: err})
		}
		next := found{line: row.Line, user: user, currency: row.Cells[at["currency"]].Text, balance: Cell{Text: "0.00"}}
		if at["balance"] >= 0 {
			next.balance = row.Cells[at["balance"]]
			balances = append(balances, next.balance)
		}
		if at["time_zone"] >= 0 {
			next.zone = row.Cells[at["time_zone"]].Text
		}
		rows = append(rows, next)
		return nil
	}, refuse)
	if err != nil {
		return p, err
	}
	mark := decimalMark(balances)
	if mark == "" {
		return p, errors.New("a balance such as 1.000 can mean two amounts, and no other balance says which: write balances with two " +
			"decimals, such as 1000.00")
	}
	if mark == "," {
		f.note("Balances have a decimal comma.")
	}
	p.Notes = f.Notes
	first := map[models.UserID]int{}
	for _, r := range rows {
		player, err := readPlayer(r.user, r.currency, r.balance, mark)
		if player.Zone = r.zone; err == nil && r.zone != "" && models.CheckZone(r.zone) != nil {
			err = fmt.Errorf("time_zone %.60q: %w", r.zone, models.ErrLimitZone)
		}
		if err == nil && first[player.UserID] != 0 {
			err = fmt.Errorf("user_id %q is already in line %d", player.UserID, first[player.UserID])
		}
		if err == nil {
			first[player.UserID] = r.line
			p.Players, p.Lines = append(p.Players, player), append(p.Lines, r.line)
		} else if err := refuse(models.LineError{Line: r.line, Err: err}); err != nil {
			return p, err
		}
	}
	slices.SortFunc(p.Bad, func(a, b models.LineError) int { return a.Line - b.Line })
	return p, nil
}

// PlayerID is a player's ID in a file, and its line.
type PlayerID struct {
	Line int
	ID   string
}

// ReadPlayerIDs returns the distinct player IDs in a file: those in the column of IDs or, without a header, in the first
// column.
func ReadPlayerIDs(ctx context.Context, from io.ReadSeeker) (ids []PlayerID, bad []models.LineError, err error) {
	free, err := alone(from)
	if err != nil {
		return nil, nil, err
	}
	defer free()
	f, err := Open(ctx, from, OfPlayerIDs.known)
	if err != nil {
		return nil, nil, err
	}
	column := 0
	if len(f.Header) > 0 {
		at, err := f.place(playerColumns[:1])
		if err != nil {
			return nil, nil, err
		}
		if column = at["user_id"]; column < 0 {
			return nil, nil, fmt.Errorf("the header line has the columns %s, and none for the player’s ID. Name it user_id", f.names())
		}
	}
	refuse := func(line models.LineError) error {
		if bad = append(bad, line); len(bad) > maxBadLines {
			return errBadLines
		}
		return nil
	}
	seen := map[string]bool{}
	err = f.each(func(row Row) error {
		id, err := row.Cells[column].ID()
		if err != nil {
			return refuse(models.LineError{Line: row.Line, Err: err})
		}
		if id != "" && !seen[id] {
			seen[id], ids = true, append(ids, PlayerID{row.Line, id})
		}
		return nil
	}, refuse)
	return ids, bad, err
}

func readPlayer(user, currency string, balance Cell, mark string) (p models.NewPlayer, err error) {
	if err := models.CheckUserID(user); err != nil {
		return p, fmt.Errorf("user_id %.60q: %w", user, err)
	}
	p.UserID = models.UserID(user)
	if p.Currency, err = models.ParseCurrency(strings.ToUpper(currency)); err != nil {
		return p, err
	}
	if p.Balance, err = balance.amount(mark); err == nil && p.Balance < 0 {
		err = errors.New("a wallet cannot open below zero")
	}
	if err != nil {
		return p, fmt.Errorf("balance %.60q: %w", balance.Text, err)
	}
	return p, nil
}
