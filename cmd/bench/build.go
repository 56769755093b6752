package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// build is one of the two programs that are compared, with a database of its own. It is used only through its command line, its
// environment variables and its callback listener, because its packages may be older or newer than ours.
type build struct {
	options
	name    string // old or new
	program string
	dir     string
	common  []string // variables that both builds get
	env     []string // variables of this build alone, which override common
	engine  *engine
	url     string // of its database

	server *exec.Cmd     // pitboss serve, nil while it is down
	ended  chan struct{} // closed when the server has ended
	addr   string        // of the callbacks
	failed int           // callbacks with a wrong answer or none
}

// newBuild makes the build's database and its players in the folder dir. The build is called by the folder's name.
func newBuild(ctx context.Context, o options, dir, program string, env []string) (*build, error) {
	b := &build{options: o, name: filepath.Base(dir), dir: dir, env: env}
	var err error
	if b.program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(b.dir, "database"), 0o700); err != nil {
		return nil, err
	}
	if b.engine, err = newEngine(o.engine, filepath.Join(b.dir, "database")); err != nil {
		return nil, err
	}
	if b.url, err = b.engine.database(ctx, databaseName); err == nil {
		b.common = b.variables(b.url)
		err = b.createPlayers(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

const databaseName = "pitboss"

// variables returns the environment that both builds get. It has only settings that both of them know.
func (b *build) variables(url string) []string {
	list := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PITBOSS_") })
	return append(list,
		"PITBOSS_DATABASE_URL="+url, "PITBOSS_LEDGER_KEY="+ledgerKey, "PITBOSS_AGENT_ID="+agentID,
		"PITBOSS_SECRET_KEY="+secretKey,
		"PITBOSS_API_TOKEN=the benchmark's token", "PITBOSS_PLATFORM_URL=http://127.0.0.1:9", // nobody listens there
		"PITBOSS_SESSION_KEY=the benchmark's session key of 32 bytes", "PITBOSS_PUBLIC_URL=http://127.0.0.1",
		"PITBOSS_CALLBACK_ALLOW=127.0.0.0/8", "PITBOSS_CALLBACK_DEADLINE=30s",
		"PITBOSS_DRAIN_DELAY=0s",
	)
}

func (b *build) createPlayers(ctx context.Context) error {
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	w.Write([]string{"user_id", "currency", "balance"})
	for i := range b.players {
		w.Write([]string{playerID(i), "EUR", openingBalance.String()})
	}
	w.Flush()
	path := filepath.Join(b.dir, "players.csv")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{{"migrate", "up"}, {"player", "import", path}} {
		if _, err := b.command(ctx, nil, args...); err != nil {
			return err
		}
	}
	return nil
}

// command runs a command of the build to its end and returns its output. The error has the output too.
func (b *build) command(ctx context.Context, env []string, args ...string) (string, error) {
	cmd := b.prepare(ctx, env, args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s build: pitboss %s: %w\n%s", b.name, strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return string(out), nil
}

// prepare returns a command that is asked to end when ctx ends, and killed if it has not ended 30 seconds later.
func (b *build) prepare(ctx context.Context, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Env, cmd.Dir = slices.Concat(b.common, env, b.env), b.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	return cmd
}

// start runs pitboss serve and returns when it answers callbacks.
func (b *build) start(ctx context.Context) error {
	log, err := os.OpenFile(b.logFile(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	if b.addr, err = freeAddress(); err != nil {
		return err
	}
	cmd := b.prepare(ctx, []string{"PITBOSS_CALLBACK_ADDR=" + b.addr, "PITBOSS_ADMIN_ADDR=127.0.0.1:0"}, "serve")
	ended := make(chan struct{})
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		cmd.Wait()
		close(ended)
	}()
	b.server, b.ended = cmd, ended
	deadline := time.After(2 * time.Minute)
	for {
		failure := b.ask()
		if failure == "" {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return fmt.Errorf("the %s build's server ended before it answered; its log ends:\n%s", b.name, b.logTail())
		case <-deadline:
			return fmt.Errorf("the %s build's server does not answer a callback: %s; its log ends:\n%s", b.name, failure,
				b.logTail())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ask sends one GetBalance and returns what is wrong with the answer, or "" if it is right.
func (b *build) ask() (failure string) {
	conn, err := net.Dial("tcp", b.addr)
	if err != nil {
		return err.Error()
	}
	defer conn.Close()
	s := &script{job: b.job(b.addr, balances, 1), rand: newRand()}
	_, _, failure = send(conn, []request{s.next()}, time.Now().Add(time.Second))
	return failure
}

func (b *build) logFile() string { return filepath.Join(b.dir, "server.log") }

func (b *build) logTail() string {
	log, err := os.ReadFile(b.logFile())
	if err != nil {
		return err.Error()
	}
	return string(log[max(0, len(log)-2000):])
}

// stop asks the server to end and waits until it has. Stopping a server that is down does nothing.
func (b *build) stop() error {
	if b.server == nil {
		return nil
	}
	cmd := b.server
	b.server = nil
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-b.ended:
	case <-time.After(time.Minute):
		cmd.Process.Kill()
		<-b.ended
	}
	if !cmd.ProcessState.Success() {
		return fmt.Errorf("the %s build's server: %s; its log ends:\n%s", b.name, cmd.ProcessState, b.logTail())
	}
	return nil
}

// signal sends a signal to both servers of the build.
func (b *build) signal(sig syscall.Signal) error {
	err := b.server.Process.Signal(sig)
	if pid := b.engine.pid(); pid > 0 {
		err = errors.Join(err, syscall.Kill(pid, sig))
	}
	return err
}

func (b *build) close() error {
	err := b.stop()
	b.engine.stop()
	return err
}

// freeAddress returns a loopback address that nobody listens on. Its port is below those that the system gives to outgoing
// connections.
func freeAddress() (string, error) {
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(10000)))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
	}
	return "", errors.New("no free port between 20000 and 29999")
}
