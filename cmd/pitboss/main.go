// Command pitboss is the back office for an operator on a seamless-wallet game platform. `pitboss --help` lists its commands;
// all of them are configured by environment variables, see config/config.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // staff choose their zone, and a bare machine has no zone files

	"github.com/alecthomas/kong"

	"pitboss/models/store"
)

// commands is the command tree.
type commands struct {
	Serve      serveCommand      `cmd:"" help:"Apply pending migrations, then serve the callbacks and the back office until SIGTERM."`
	Migrate    migrateCommand    `cmd:"" help:"Show the database's schema version, or apply migrations."`
	Player     playerCommand     `cmd:"" help:"Create, erase and import players."`
	Staff      staffCommand      `cmd:"" help:"Create staff accounts and password links."`
	Games      gamesCommand      `cmd:"" help:"Sync and list the platform's games."`
	Verify     verifyCommand     `cmd:"" help:"Read the whole ledger and check that every balance follows from it. Exits with 1 if it finds a fault."`
	Checkpoint checkpointCommand `cmd:"" help:"Write a signed summary of the ledger. It shows later whether entries were cut off or an older state was restored."`
	Pack       packCommand       `cmd:"" help:"Check dispute packs that were made in the back office."`
	Figures    figuresCommand    `cmd:"" help:"Check or recalculate the figures that are made from the ledger."`
	Golive     goliveCommand     `cmd:"" help:"Run the platform's go-live checks against the callbacks of a server, with a test player. Exits with 1 if a check fails."`
	Version    versionCommand    `cmd:"" help:"Print the version."`
	Demo       demoCommand       `cmd:"" help:"Start a demo on SQLite, with players, games and a simulated platform that plays."`
}

// console is a command's environment, input and output, passed in so that tests can replace them.
type console struct {
	environ []string
	in      io.Reader
	out     io.Writer // results
	err     io.Writer // progress, remarks and the log
}

// errFailed ends the program with status 1 after its command has printed why.
var errFailed = errors.New("failed")

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals) // before anybody can see that the program is stopping: a second signal ends it at once
		cancel()
	}()
	os.Exit(run(ctx, os.Args[1:], &console{environ: os.Environ(), in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// run executes one command line and returns the exit status: 0 for success, 1 for failure, 2 for an invalid command line.
func run(ctx context.Context, args []string, con *console) (status int) {
	type exit int
	defer func() {
		switch e := recover().(type) {
		case nil:
		case exit: // kong has printed its help
			status = int(e)
		default:
			panic(e)
		}
	}()
	var ledger *store.Store // opened for the command that needs it
	defer func() {
		if ledger != nil {
			ledger.Close()
		}
	}()
	var tree commands
	parser, err := kong.New(&tree,
		kong.Name("pitboss"),
		kong.Description("The back office for a casino on a seamless-wallet game platform."),
		kong.Writers(con.out, con.err),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(con),
		kong.BindToProvider(func() (s *store.Store, err error) {
			ledger, err = openLedger(ctx, con)
			return ledger, err
		}),
	)
	if err != nil {
		fmt.Fprintln(con.err, "pitboss:", err)
		return 2
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(con.err, "pitboss: %s\nSee pitboss --help.\n", err)
		return 2
	}
	if err := command.Run(); err != nil {
		if !errors.Is(err, errFailed) {
			fmt.Fprintln(con.err, "pitboss:", err)
		}
		return 1
	}
	return 0
}
