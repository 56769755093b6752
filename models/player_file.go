package models

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
)

// MaxImportedPlayers is how many players a file uploaded on the site may have.
const MaxImportedPlayers = 10_000

// Why a file of players is refused.
var (
	ErrPlayersTooMany = fmt.Errorf("a file can have at most %d players here; import a larger one in parts, or on the command "+
		"line", MaxImportedPlayers)
	ErrPlayersNone = errors.New("the file has no players")
)

// errMoney refuses a balance other than 0.00.
var errMoney = errors.New("players begin with 0.00 here: money is added by a correction, which a second person approves")

// ReadPlayersWithoutMoney reads a CSV file with a header and the columns user_id and currency, in any order; the players'
// wallets open with 0.00. The file may have a column balance, so that a file made for ReadPlayers is not misread, but it must
// be 0.00 in every line. Like ReadPlayers it returns a LineError for each bad line, and an error if the whole file is refused.
func ReadPlayersWithoutMoney(content []byte) (file PlayerFile, bad []LineError, err error) {
	names := []string{"user_id", "currency"}
	header, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(content, []byte("\ufeff")))).Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return PlayerFile{}, nil, fmt.Errorf("this is not a CSV file: %w", err)
	}
	for _, name := range append(names, "balance") {
		if i := slices.Index(header, name); i >= 0 && slices.Contains(header[i+1:], name) {
			return PlayerFile{}, nil, fmt.Errorf("the header line has the column %s twice", name)
		}
	}
	if slices.Contains(header, "balance") {
		names = append(names, "balance")
	}
	first := map[UserID]int{}
	bad, err = readColumns(bytes.NewReader(content), names, func(line int, fields []string) error {
		balance := "0.00"
		if len(fields) > 2 {
			balance = fields[2]
		}
		p, err := readPlayer(fields[0], fields[1], balance)
		switch {
		case err != nil:
			return err
		case p.Balance != 0:
			return errMoney
		case first[p.UserID] != 0:
			return fmt.Errorf("user_id %q is already in line %d", p.UserID, first[p.UserID])
		}
		first[p.UserID] = line
		file.Players, file.Lines = append(file.Players, p), append(file.Lines, line)
		return nil
	})
	switch {
	case err != nil:
		return PlayerFile{}, nil, err
	case len(file.Players)+len(bad) > MaxImportedPlayers:
		return PlayerFile{}, nil, ErrPlayersTooMany
	case len(file.Players)+len(bad) == 0:
		return PlayerFile{}, nil, ErrPlayersNone
	}
	return file, bad, nil
}
