// Command bench compares two builds of the program pitboss on this machine: the older one (-against) and the newer one (-build). It
// prints ratios within one run, because absolute figures drift. Variables set with -env apply to the newer build only, so that a
// build can be compared with itself under other settings:
//
//	bench -env PITBOSS_OUTAGE_STATUS=200
//
// It sends signed callbacks over HTTP on a given number of connections. Each connection waits for its answer before it sends
// again. All loads are bounded in time and number and go to loopback only.
//
// If other programs share the machine, one round differs from the next by a fifth or more. Many short rounds show a small
// difference despite that noise:
//
//	bench -against old/pitboss -only play,bets -connections 64 -rounds 100 -duration 400ms -fill 0
//
// Each build gets a database of its own, on MariaDB with a server of its own, and new ones every two rounds. It is used only
// through its command line, its variables and its callback listener. Each measurement is taken on one build, then immediately on
// the other. The run has three parts:
//
//  1. Callbacks per second and their latency, for each number of connections.
//  2. The bytes on disk that one bet takes in all tables and indexes, from -fill bets sent to each build in turns. InnoDB
//     enlarges a file by up to 4 MB at a time, so a small -fill gives a rough figure.
//  3. `pitboss verify` by each build, of each of its ledgers.
//
// The databases are in the folder for temporary files (TMPDIR), which needs about 3 kB for each bet of -fill and 2 GB for the
// logs of MariaDB. If that folder is in memory, commits cost less than on a disk.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// options are the options of the comparison.
type options struct {
	engine      engineName
	rounds      int
	duration    time.Duration
	players     int
	connections []int

	against string   // the older build
	build   string   // the newer one
	env     []string // variables of the new build alone
	fill    int      // how many bets are sent to compare the sizes on disk
	cells   []cell   // the workloads to measure
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	o, err := readOptions(args)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "pitboss-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return compareBuilds(ctx, o, dir, os.Stdout)
}

func readOptions(args []string) (o options, err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar((*string)(&o.engine), "engine", "mariadb", "mariadb, on a private server, or sqlite")
	flags.IntVar(&o.rounds, "rounds", 3, "interleaved rounds; medians are printed")
	flags.DurationVar(&o.duration, "duration", 2*time.Second, "length of one measurement, up to a minute")
	flags.IntVar(&o.players, "players", 10000, "players who play")
	connections := flags.String("connections", "1,16,64,256", "numbers of connections")
	flags.StringVar(&o.against, "against", "var/pitboss", "the older build of pitboss")
	flags.StringVar(&o.build, "build", "var/pitboss", "the newer build")
	flags.Func("env", "a variable NAME=VALUE of the newer build only; may be repeated", func(v string) error {
		if name, _, ok := strings.Cut(v, "="); !ok || !strings.HasPrefix(name, "PITBOSS_") {
			return errors.New("it must look like PITBOSS_NAME=VALUE")
		}
		o.env = append(o.env, v)
		return nil
	})
	flags.IntVar(&o.fill, "fill", 500_000, "bets that are sent to measure sizes; 0 leaves these out")
	only := flags.String("only", "play,bets,one-player,balance", "which workloads to measure")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for _, name := range strings.Split(*only, ",") {
		i := slices.IndexFunc(cells, func(c cell) bool { return c.name == name })
		if i < 0 {
			return o, fmt.Errorf("-only takes any of play, bets, one-player and balance, separated by commas, not %q", name)
		}
		o.cells = append(o.cells, cells[i])
	}
	if o.rounds < 1 || o.players < 1 || o.fill < 0 || o.duration <= 0 || o.duration > time.Minute {
		return o, errors.New("-rounds and -players must be at least 1, -fill at least 0, and -duration more than 0 and up to 1m")
	}
	for _, n := range strings.Split(*connections, ",") {
		c, err := strconv.Atoi(n)
		if err != nil || c < 1 || c > 1024 {
			return o, fmt.Errorf("-connections must be numbers from 1 to 1024, not %q", n)
		}
		o.connections = append(o.connections, c)
	}
	slices.Sort(o.connections)
	return o, nil
}
