package models

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// Player is someone who plays. UserID is the player's name at the platform. ID never changes, and is also the ID of the wallet.
type Player struct {
	ID        int64
	UserID    UserID
	Test      bool      // a test player: staff may play with its wallet, and reports exclude it
	CreatedAt time.Time `gorm:"column:created_at_us;serializer:micros"`
	Wallet    Wallet    `gorm:"embedded"`
}

// Why a player cannot be created or found.
var (
	ErrPlayerExists  = errors.New("a player with this ID exists already")
	ErrPlayerUnknown = errors.New("there is no player with this ID")
	// ErrBooksOpened refuses a real player with an opening balance once a day has been signed.
	ErrBooksOpened = errors.New("a day has been signed, so wallets of real players open with 0.00. " +
		"Create the player without a balance, then request a correction for the amount, which a second person approves")
)

// NewPlayer is a player to be created.
type NewPlayer struct {
	UserID   UserID
	Currency Currency
	Balance  Amount // opening balance, not negative
	Test     bool
}

// LineError says what is wrong with a line of an uploaded file.
type LineError struct {
	Line int // counted from 1, including the header
	Err  error
}

// Error returns the line and the reason.
func (e LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Err) }

// Unwrap returns the reason.
func (e LineError) Unwrap() error { return e.Err }

// PlayerFile is a list of players to be created, with their lines.
type PlayerFile struct {
	Players []NewPlayer
	Lines   []int
}

var playerColumns = []string{"user_id", "currency", "balance"}

// ReadPlayers reads a CSV file with a header and the columns user_id, currency and balance, in any order. It reads the whole
// file and returns a LineError for each bad line, so that a person can correct them all at once. An error means that the file
// cannot be read.
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
