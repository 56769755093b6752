// Command bench measures how many callbacks per second the program pitboss answers on this machine, and how quickly. It creates
// a database with players, starts the program, sends signed callbacks over HTTP and verifies the ledger at the end. It repeats
// the measurement with different numbers of connections, each of which waits for an answer before it sends the next callback.
// It deletes everything afterwards.
//
// The database is in the folder for temporary files (TMPDIR). If that folder is in memory, commits are cheaper than on a disk.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"

	"pitboss/cmd/testing/mariadb"
)

const (
	agentID   = "bench"
	secretKey = "the benchmark's secret key"
	callbacks = "127.0.0.1:18081"
	admin     = "127.0.0.1:18080"
)

// bench is one run. Its files are in dir.
type bench struct {
	program, engine, dir string
	players              int
	duration             time.Duration
	environ              []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var b bench
	flag.StringVar(&b.program, "program", "var/pitboss", "the program to measure")
	flag.StringVar(&b.engine, "engine", "mariadb", "mariadb (on a private server) or sqlite")
	flag.IntVar(&b.players, "players", 5000, "number of players, at least 1")
	flag.DurationVar(&b.duration, "duration", 3*time.Second, "length of one measurement, up to a minute")
	flag.Parse()
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (b bench) run(ctx context.Context) (err error) {
	if b.players < 1 || b.duration <= 0 || b.duration > time.Minute {
		return errors.New("-players must be at least 1, and -duration up to 1m")
	}
	if b.program, err = filepath.Abs(b.program); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "pitboss-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	database := "sqlite://" + filepath.Join(b.dir, "bench.db")
	if b.engine == "mariadb" {
		server, err := mariadb.Start(b.dir, "--innodb-buffer-pool-size=2G", "--innodb-log-file-size=1G", "--max-connections=800",
			"--init-file="+b.write("init.sql", "CREATE DATABASE bench;"))
		if err != nil {
			return err
		}
		defer server.Stop()
		database = "mysql://" + server.DSN("bench")
	} else if b.engine != "sqlite" {
		return fmt.Errorf("-engine must be mariadb or sqlite, not %q", b.engine)
	}
	b.environ = append(os.Environ(), "PITBOSS_DATABASE_URL="+database, "PITBOSS_AGENT_ID="+agentID, "PITBOSS_SECRET_KEY="+secretKey,
		"PITBOSS_LEDGER_KEY=the benchmark's ledger key", "PITBOSS_SESSION_KEY=the benchmark's session key of 32 bytes",
		"PITBOSS_API_TOKEN=the benchmark's token", "PITBOSS_PLATFORM_URL=http://127.0.0.1:9", // nothing listens there
		"PITBOSS_PUBLIC_URL=http://127.0.0.1", "PITBOSS_CALLBACK_ADDR="+callbacks, "PITBOSS_ADMIN_ADDR="+admin,
		"PITBOSS_CALLBACK_DEADLINE=30s", "PITBOSS_DRAIN_DELAY=0s")
	players := "user_id,currency,balance\n"
	for i := range b.players {
		players += playerID(i) + ",EUR,1000000.00\n"
	}
	for _, args := range [][]string{{"migrate", "up"}, {"player", "import", b.write("players.csv", players)}} {
		if err := b.command(ctx, nil, args...); err != nil {
			return err
		}
	}
	stop, err := b.serve(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(b.measureWorkloads(ctx), stop()); err != nil {
		return err
	}
	return b.command(ctx, os.Stdout, "verify")
}

func (b bench) measureWorkloads(ctx context.Context) error {
	if _, err := b.measure(play, 64); err != nil { // warms up: a database's first seconds are not typical
		return err
	}
	fmt.Printf("%s, %d players, %s each\n%-12s connections  per second    p50, ms    p99, ms\n", b.engine, b.players, b.duration, "")
	for _, w := range []workload{play, bets, onePlayer, balances} {
		for _, connections := range []int{1, 16, 64, 256} {
			s, err := b.measure(w, connections)
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			fmt.Printf("%-12s %11d %11.0f %10.2f %10.2f\n", w, connections, float64(s.requests)/s.seconds,
				s.p50.Seconds()*1000, s.p99.Seconds()*1000)
			if s.failed > 0 {
				return fmt.Errorf("%d callbacks had a wrong answer or none: %s", s.failed, s.failure)
			}
		}
	}
	return nil
}

// write writes a file and returns its path.
func (b bench) write(name, text string) string {
	path := filepath.Join(b.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err) // in a folder that was just made
	}
	return path
}

// command runs the program with these arguments and writes its output to out.
func (b bench) command(ctx context.Context, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = b.environ, b.dir, out, os.Stderr
	return cmd.Run()
}

// serve starts the program's server and waits until it answers. stop ends it.
func (b bench) serve(ctx context.Context) (stop func() error, err error) {
	if conn, err := net.Dial("tcp", callbacks); err == nil {
		return nil, errors.Join(fmt.Errorf("another program listens on %s", callbacks), conn.Close())
	}
	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, b.program, "serve")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = b.environ, b.dir, &log, &log, 30*time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for range 1200 {
		if status, _, err := fasthttp.Get(nil, "http://"+admin+"/readyz"); err == nil && status == fasthttp.StatusOK {
			return func() error { return errors.Join(cmd.Process.Signal(syscall.SIGTERM), <-ended) }, nil
		}
		select {
		case err := <-ended:
			return nil, fmt.Errorf("the server ended before it answered: %w\n%s", err, &log)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil, errors.Join(errors.New("the server did not answer for a minute"), cmd.Process.Kill())
}
