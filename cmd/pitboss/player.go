package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"

	"pitboss/app/sheet"
	"pitboss/models"
	"pitboss/models/store"
)

type playerCommand struct {
	Create playerCreateCommand `cmd:"" help:"Create a player. The opening balance is a ledger entry like any other."`
	Erase  playerEraseCommand  `cmd:"" help:"Erase a player's personal data. The ledger entries stay, under a placeholder name. Cannot be undone."`
	Import playerImportCommand `cmd:"" help:"Create all players of a file (CSV or XLSX) with the columns user_id, currency and balance, or none of them."`
}

// commandLockWait is how long a command waits for a lock, which a busy server may have.
const commandLockWait = 10 * time.Second

// actorFlag names who runs a command, for the audit log.
type actorFlag struct {
	As string `help:"Who is doing this, for the audit log, which also names the system user. By default the system user." placeholder:"NAME"`
}

func (f actorFlag) actor() models.Actor { return atCommandLine(f.As) }

// atCommandLine returns the actor for somebody at the command line. Nobody has checked the name, so the audit log also names
// the operating system's user.
func atCommandLine(name string) models.Actor {
	by := models.Actor{Name: name, Channel: models.ChannelCommandLine, OSUser: "unknown"}
	if u, err := user.Current(); err == nil {
		by.OSUser = u.Username
	}
	if by.Name == "" {
		by.Name = by.OSUser
	}
	return by
}

// openLedger opens the configured database, which must be migrated. A ledger that was started with another key is an error.
func openLedger(ctx context.Context, con *console) (*store.Store, error) {
	s, err := openDatabase(ctx, con)
	if err != nil {
		return nil, err
	}
	pending, err := pendingMigrations(ctx, s)
	if err == nil && pending > 0 {
		err = errors.New("the database's schema is not this program's: run pitboss migrate up")
	}
	if err == nil {
		err = s.BeginLedger(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

type playerCreateCommand struct {
	UserID   string `required:"" help:"The player's ID, as the platform sends it."`
	Currency string `required:"" help:"The wallet's currency, such as EUR."`
	Balance  string `default:"0.00" help:"The opening balance, such as 100.00."`
	Test     bool   `help:"A test player, whose wallet staff may play with."`
	sureFlag
	actorFlag
}

// sureFlag confirms doubtful IDs and currencies of new players.
type sureFlag struct {
	Sure bool `help:"Create players even if an ID has unusual characters or differs from another only in case, or no player has the currency."`
}

// ask prints doubtful IDs and currencies of new players and returns an error, unless they were confirmed.
func (f sureFlag) ask(ctx context.Context, con *console, s *store.Store, file models.PlayerFile) error {
	if f.Sure {
		return nil
	}
	doubts, err := s.DoubtfulPlayers(ctx, file)
	if err != nil || len(doubts) == 0 {
		return err
	}
	for _, d := range doubts {
		fmt.Fprintln(con.err, d)
	}
	fmt.Fprintln(con.err, "nothing was created: neither an ID nor a currency can be changed later. If they are right, add --sure")
	return errFailed
}

// Run creates the player.
func (c playerCreateCommand) Run(ctx context.Context, con *console, s *store.Store) error {
	currency, currencyErr := models.ParseCurrency(c.Currency)
	balance, balanceErr := models.ParseAmount(c.Balance)
	if balanceErr != nil {
		balanceErr = fmt.Errorf("--balance: %w", balanceErr)
	}
	userErr := models.CheckUserID(c.UserID)
	if userErr != nil {
		userErr = fmt.Errorf("--user-id: %w", userErr)
	}
	if err := errors.Join(userErr, currencyErr, balanceErr); err != nil {
		return err
	}
	player := models.NewPlayer{UserID: models.UserID(c.UserID), Currency: currency, Balance: balance, Test: c.Test}
	if err := c.ask(ctx, con, s, models.PlayerFile{Players: []models.NewPlayer{player}, Lines: []int{1}}); err != nil {
		return err
	}
	p, err := s.CreatePlayer(ctx, c.actor(), player)
	if err != nil {
		return fmt.Errorf("%s: %w", c.UserID, err)
	}
	kind := "player"
	if p.Test {
		kind = "test player"
	}
	fmt.Fprintf(con.out, "%s %q has %s %s\n", kind, p.UserID, p.Wallet.Balance, p.Wallet.Currency)
	return nil
}

type playerEraseCommand struct {
	UserID string `required:"" help:"The player's ID."`
	Reason string `required:"" help:"Why, for the audit log; without the player's name."`
	actorFlag
}

// Run erases the player.
func (c playerEraseCommand) Run(ctx context.Context, con *console, s *store.Store) error {
	if strings.Contains(c.Reason, c.UserID) {
		return errors.New("--reason stays in the audit log: leave the player's name out of it")
	}
	e, err := s.ErasePlayer(ctx, c.actor(), models.UserID(c.UserID), c.Reason)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "the player is now called %s; erased: %d texts of audit events, %d texts of cases, %d "+
		"lines of the callback log; renamed: %d differences of statements\n",
		e.Player.UserID, e.AuditTexts, e.CaseTexts, e.CallbackLines, e.Differences)
	fmt.Fprintln(con.out, "archives, downloaded exports and backups still contain the old name")
	return nil
}

type playerImportCommand struct {
	File string `arg:"" type:"existingfile" help:"A file (CSV or XLSX) with the columns user_id and currency and, if there are any, balance and time_zone."`
	sureFlag
	actorFlag
}

// Run creates the players of the file. If any line has an error, it prints the errors and creates no players.
func (c playerImportCommand) Run(ctx context.Context, con *console, s *store.Store) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	file, err := sheet.ReadPlayers(ctx, f)
	if err != nil {
		return err
	}
	tellNotes(con, file.Notes)
	if len(file.Bad) > 0 {
		return badLines(con, file.Bad)
	}
	if err := c.ask(ctx, con, s, file.PlayerFile); err != nil {
		return err
	}
	p := newProgress(con, "importing players")
	bad, err := s.ImportPlayers(ctx, c.actor(), file.PlayerFile, func(n int) { p.show(int64(n), int64(len(file.Players))) })
	if err != nil {
		return err
	}
	if len(bad) > 0 {
		return badLines(con, bad)
	}
	fmt.Fprintf(con.out, "%d players imported\n", len(file.Players))
	return nil
}

// tellNotes prints how a file was read.
func tellNotes(con *console, notes []string) {
	for _, note := range notes {
		fmt.Fprintln(con.err, note)
	}
}

// badLines prints each line with an error.
func badLines(con *console, bad []models.LineError) error {
	for _, b := range bad {
		fmt.Fprintln(con.err, b.Error())
	}
	fmt.Fprintf(con.err, "%d lines have errors; nothing was imported\n", len(bad))
	return errFailed
}
