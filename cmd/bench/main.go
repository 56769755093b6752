// Command bench measures Pitboss's callbacks on this machine and prints ratios within the run, because absolute figures drift.
// `make bench` runs it against MariaDB and against SQLite.
//
// The measuring process serves the callbacks on loopback; a second process of the same program loads them over real, signed HTTP on a
// given number of connections, each waiting for its answer before it sends again. Beside the callbacks as they are served it measures,
// in the same run and interleaved,
//
//	ceiling    the same handlers over a store that only answers: HTTP, JSON and signs alone
//	batched without callback log
//	           shows what the log costs
//	unbatched  PITBOSS_BATCH=off: a database transaction for each callback
//	raw SQL    a transaction per operation (lock, look up, insert, update, commit) straight on the database, without HTTP and without
//	           chains
//
// All loads are bounded in time and in number, and go to loopback only.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are the measuring process's.
type options struct {
	engine      string
	rounds      int
	duration    time.Duration
	players     int
	connections []int
	growth      int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == loadArgument {
		return runLoad(ctx, os.Stdin, os.Stdout)
	}
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.engine, "engine", "mariadb", "mariadb: on a private server; sqlite")
	flags.IntVar(&o.rounds, "rounds", 3, "interleaved rounds; medians are printed")
	flags.DurationVar(&o.duration, "duration", 2*time.Second, "length of one measurement")
	flags.IntVar(&o.players, "players", 10000, "players who play")
	connections := flags.String("connections", "1,16,64,256", "numbers of connections")
	flags.IntVar(&o.growth, "growth", 0, "instead: compare an empty ledger with one of this many entries")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, n := range strings.Split(*connections, ",") {
		c, err := strconv.Atoi(n)
		if err != nil || c < 1 || c > 1024 {
			return fmt.Errorf("-connections are numbers from 1 to 1024, not %q", n)
		}
		o.connections = append(o.connections, c)
	}
	slices.Sort(o.connections)
	dir, err := os.MkdirTemp("", "pitboss-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	engine, err := newEngine(o.engine, dir)
	if err != nil {
		return err
	}
	defer engine.stop()
	b, err := newBench(ctx, o, engine, "bench")
	if err != nil {
		return err
	}
	defer b.close()
	if o.growth > 0 {
		grown, err := newBench(ctx, o, engine, "grown")
		if err != nil {
			return err
		}
		defer grown.close()
		return b.compareGrowth(ctx, grown)
	}
	return b.compareRoads(ctx)
}
