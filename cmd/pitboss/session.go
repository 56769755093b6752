package main

import (
	"context"
	"fmt"

	"pitboss/app/gamesession"
	"pitboss/models"
)

type sessionCommand struct {
	Launch sessionLaunchCommand `cmd:"" help:"Open a game with a player's wallet and print its address. Open the address at once: it expires within minutes."`
}

type sessionLaunchCommand struct {
	UserID   string `required:"" help:"The player's ID."`
	GameID   string `required:"" help:"The platform's name for the game."`
	Language string `required:"" help:"One of en, fr, de, it, kr, tr, pt, id, es, zh, uk, ru."`
	Reason   string `help:"Why, for the audit log. Required unless the player is a test player."`
	actorFlag
}

// Run opens the game.
func (c sessionLaunchCommand) Run(ctx context.Context, con *console) error {
	s, over, err := openServices(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	gameURL, _, err := over.launcher.Launch(ctx, c.actor(), gamesession.Request{
		UserID: models.UserID(c.UserID), GameID: models.GameID(c.GameID), Language: c.Language, Reason: c.Reason, AnyOne: true,
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(con.out, gameURL)
	return nil
}
