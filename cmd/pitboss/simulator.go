package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"pitboss/callbacks/simulator"
	"pitboss/cmd/pitboss/config"
)

type simulatorCommand struct {
	Addr        string        `default:"127.0.0.1:8090" help:"Where the platform's API and its game pages are served."`
	CallbackURL string        `required:"" help:"Base address of the wallet's callbacks."`
	PublicURL   string        `help:"Base of the game addresses in answers. By default the host of the request."`
	Games       int           `default:"200" help:"How many games the platform offers."`
	Seed        uint64        `default:"1" help:"Seed of the games and of the play."`
	Mood        []string      `help:"How the platform misbehaves, such as assignFreeSpin=dropped-after:1." placeholder:"CALL=MOOD[:N]"`
	Play        []string      `help:"Play as these players, then compare every balance with the simulator's own books." placeholder:"USER-ID"`
	Rounds      int           `help:"How many rounds to play; 0 plays until it is stopped."`
	Workers     int           `default:"1" help:"How many rounds run at once."`
	Pace        time.Duration `help:"Pause of a worker after each round."`
	Gentle      bool          `help:"Play as a platform usually does. Without it, the play looks for faults."`
	LostAnswers float64       `help:"Share of money callbacks, from 0 to 1, whose first answer is lost."`
}

// simulatorSettings are what the platform signs with.
type simulatorSettings struct {
	Platform config.Platform
	APIToken string `env:"PITBOSS_API_TOKEN,required,notEmpty"`
}

// Run serves the platform until ctx ends or play is over.
func (c simulatorCommand) Run(ctx context.Context, con *console) error {
	settings, err := config.Load[simulatorSettings](con.environ)
	if err != nil {
		return err
	}
	sim, err := simulator.New(simulator.Config{
		AgentID: settings.Platform.AgentID, APIToken: settings.APIToken, SecretKey: settings.Platform.SecretKey,
		CallbackURL: c.CallbackURL, PublicURL: c.PublicURL, Games: c.Games, Seed: c.Seed,
	})
	if err != nil {
		return err
	}
	for _, mood := range c.Mood {
		if err := sim.SetMood(mood); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.err, "the platform is at http://%s, %d games\n", listener.Addr(), len(sim.Games()))
	served := serveHTTP(ctx, listener, sim.Handler())
	if len(c.Play) == 0 {
		<-ctx.Done()
		return <-served
	}
	report, err := sim.Play(ctx, simulator.PlayOptions{
		Players: c.Play, Seed: c.Seed, Rounds: c.Rounds, Workers: c.Workers, Pace: c.Pace, Gentle: c.Gentle,
		LostAnswers: c.LostAnswers,
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(con.out, report.String())
	if report.Err() != nil {
		return errFailed
	}
	return nil
}

// serveHTTP serves handler until ctx ends. The channel then gets the server's error, or nil.
func serveHTTP(ctx context.Context, l net.Listener, handler http.Handler) <-chan error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 2) // of Serve and of Shutdown: nobody may read the second
	context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		ended <- server.Shutdown(grace)
	})
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			ended <- err
		}
	}()
	return ended
}
