// Command bench measures Pitboss's callbacks on this machine and prints ratios within the run, because absolute figures drift.
// `make bench` runs it against MariaDB and against SQLite.
//
// The measuring process serves the callbacks on loopback; a second process of the same program loads them over real, signed HTTP on a
// given number of connections, each waiting for its answer before it sends again. Beside the callbacks as they are served it measures,
// in the same run and interleaved,
//
//	ceiling    the same handlers over a store that only answers: HTTP, JSON and signs alone
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
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"pitboss/models/store/storetest/mariadb"
)

// options are the measuring process's.
type options struct {
	engine      string
	url         string
	rounds      int
	duration    time.Duration
	players     int
	connections []int
	growth      int
	check       bool
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
	switch o.engine {
	case "sqlite":
		o.url = "sqlite://" + filepath.Join(dir, "bench.db")
	case "mariadb":
		// The pool holds what a growing ledger keeps hot; a flush at every commit is storetest's setting and stays.
		server, err := mariadb.Start(filepath.Join(dir, "mariadb"), "--innodb-buffer-pool-size=4G", "--max-connections=800")
		if err != nil {
			return err
		}
		defer server.Stop()
		if err := createDatabase(ctx, server.DSN("")); err != nil {
			return err
		}
		o.url = "mysql://" + server.DSN(databaseName)
	default:
		return fmt.Errorf("-engine is mariadb or sqlite, not %q", o.engine)
	}
	b, err := newBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	if o.growth > 0 {
		return b.compareGrowth(ctx)
	}
	return b.compareRoads(ctx)
}
