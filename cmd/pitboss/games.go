package main

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"pitboss/cmd/pitboss/config"
	"pitboss/models"
	"pitboss/models/store"
)

type gamesCommand struct {
	Sync gamesSyncCommand `cmd:"" help:"Fetch the platform's list of games and print how many it offers."`
	List gamesListCommand `cmd:"" help:"List the games: game ID, name, type, provider, state, separated by tabs."`
}

// overPlatformSettings are the settings of commands that call the platform.
type overPlatformSettings struct {
	Database config.Database
	Platform config.Platform
	API      config.API
}

func (s overPlatformSettings) Check() config.Problems {
	return append(s.Database.Check(), s.API.Check()...)
}

type gamesSyncCommand struct{ actorFlag }

// Run synchronizes the games.
func (c gamesSyncCommand) Run(ctx context.Context, con *console) error {
	settings, err := config.Load[overPlatformSettings](con.environ) // with the platform's, before the database is opened
	if err != nil {
		return err
	}
	s, err := openLedger(ctx, con)
	if err != nil {
		return err
	}
	defer s.Close()
	over, err := newServices(settings.API, settings.Platform, s, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	sync, err := over.catalogue.Sync(ctx, c.actor())
	if err != nil {
		return err
	}
	fmt.Fprintf(con.err, "%d added, %d changed, %d gone, %d returned, %d unusable entries in the list\n",
		sync.Added, sync.Changed, sync.Gone, sync.Returned, sync.Unusable)
	fmt.Fprintln(con.out, sync.Offered)
	return nil
}

type gamesListCommand struct {
	Search   string `help:"Words in the name, ID or provider."`
	Provider string `help:"Only games of this provider."`
	Type     string `help:"Only games of this type, such as slots."`
	State    string `enum:"offered,new,gone,all" default:"offered" help:"offered, new, gone or all."`
}

// listedAtOnce is how many games are read at a time.
const listedAtOnce = 1000

// Run lists the games.
func (c gamesListCommand) Run(ctx context.Context, con *console, s *store.Store) error {
	filter := models.GameFilter{Text: c.Search, Provider: c.Provider, Type: c.Type, State: c.State,
		Span: models.Span{Limit: listedAtOnce}}
	if c.State == "all" {
		filter.State = ""
	}
	for {
		games, err := s.Games(ctx, filter)
		if err != nil {
			return err
		}
		for _, g := range games.Rows {
			state := models.GamesOffered
			if g.Gone() {
				state = models.GamesGone
			}
			fmt.Fprintln(con.out, strings.Join([]string{cell(string(g.GameID)), cell(g.Name), cell(g.Type), cell(g.Provider),
				state}, "\t"))
		}
		if !games.More {
			return nil
		}
		filter.Page = models.Cursor{ID: games.Rows[len(games.Rows)-1].ID}
	}
}

// cell returns a text from outside, quoted if it has characters that are not printable, so that it cannot disturb a terminal or
// a table.
func cell(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}
