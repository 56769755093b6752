package models

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// Player is someone who plays. Its UserID is what the platform calls it; its number never changes and names its wallet too.
type Player struct {
	ID        int64
	UserID    UserID
	Test      bool      // a test player: its wallet may be played with, and it is left out of reports
	CreatedAt time.Time `gorm:"column:created_at_us;serializer:micros"`
	Wallet    Wallet    `gorm:"embedded"`
}

// The ways in which a player cannot be made or found.
var (
	ErrPlayerExists  = errors.New("a player with this user ID exists already")
	ErrPlayerUnknown = errors.New("there is no player with this user ID")
	// ErrBooksOpened refuses a real player with an opening balance once a day has been signed.
	ErrBooksOpened = errors.New("a day has been signed, so wallets of real players open with 0.00. " +
		"Create the player without a balance, then request a correction for the amount, which a second person approves")
)

// NewPlayer is what it takes to make a player.
type NewPlayer struct {
	UserID   UserID
	Currency Currency
	Balance  Amount // with which its wallet opens, not negative
	Test     bool
}

// LineError is what is wrong with one line of an uploaded file.
type LineError struct {
	Line int // counted from 1, the header included
	Err  error
}

// Error names the line.
func (e LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Err) }

// Unwrap returns the reason.
func (e LineError) Unwrap() error { return e.Err }

// PlayerFile is a list of players to make, each with the line that it came from.
type PlayerFile struct {
	Players []NewPlayer
	Lines   []int
}

var playerColumns = []string{"user_id", "currency", "balance"}

// ReadPlayers reads a CSV file with a header and the columns user_id, currency and balance, in any order. It reads the whole of
// it and returns a LineError for each bad line, so that a person can mend them all at once; the error is for a file that cannot
// be read on.
func ReadPlayers(r io.Reader) (file PlayerFile, bad []LineError, err error) {
	first := map[UserID]int{}
	bad, err = readColumns(r, playerColumns, func(line int, fields []string) error {
		p, err := readPlayer(fields[0], fields[1], fields[2])
		if err == nil && first[p.UserID] != 0 {
			err = fmt.Errorf("user_id %q is already in line %d", p.UserID, first[p.UserID])
		}
		if err != nil {
			return err
		}
		first[p.UserID] = line
		file.Players = append(file.Players, p)
		file.Lines = append(file.Lines, line)
		return nil
	})
	return file, bad, err
}

func readPlayer(user, currency, balance string) (p NewPlayer, err error) {
	if err := CheckID(user); err != nil {
		return p, fmt.Errorf("user_id %.60q: %w", user, err)
	}
	p.UserID = UserID(user)
	if p.Currency, err = ParseCurrency(currency); err != nil {
		return p, err
	}
	if p.Balance, err = ParseAmount(balance); err != nil {
		return p, fmt.Errorf("balance %.60q: %w", balance, err)
	}
	return p, nil
}
