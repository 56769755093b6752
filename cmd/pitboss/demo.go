package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"pitboss/callbacks/simulator"
	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/pitboss/demo"
	"pitboss/cmd/pitboss/lobby"
)

// simulatorSettings are the agent ID and the keys of the simulated platform.
type simulatorSettings struct {
	Platform config.Platform
	APIToken string `env:"PITBOSS_API_TOKEN,required,notEmpty"`
}

type demoCommand struct {
	Dir          string        `name:"data" default:"var" help:"Folder where the demo keeps its data."`
	AdminAddr    string        `env:"PITBOSS_ADMIN_ADDR" help:"Address of the back office. If not set: 127.0.0.1:8080, or another port if that is taken."`
	CallbackAddr string        `env:"PITBOSS_CALLBACK_ADDR" help:"Address of the callbacks. If not set: 127.0.0.1:8081, or another port if that is taken."`
	APIAddr      string        `name:"api-addr" env:"PITBOSS_API_ADDR" help:"Address of the operator's API. If not set: 127.0.0.1:8083, or another port if that is taken."`
	Games        int           `default:"300" help:"How many games the platform offers."`
	Pace         time.Duration `default:"30s" help:"Pause of the simulated platform between rounds."`
}

// Run runs the demo until ctx ends. That is no error, even in the middle of its start.
func (c demoCommand) Run(ctx context.Context, con *console) error {
	if err := c.run(ctx, con); ctx.Err() == nil {
		return err
	}
	return nil
}

// run starts the server and a simulated platform that plays, and prints their addresses.
func (c demoCommand) run(ctx context.Context, con *console) error {
	dir, unlock, err := c.claim()
	if err != nil {
		return err
	}
	defer unlock()
	var office, wallet, operator, platformAddr, lobbyAddr string
	for _, a := range []struct {
		to                  *string
		chosen, usual, what string
	}{
		{&office, c.AdminAddr, "127.0.0.1:8080", "the back office"}, {&wallet, c.CallbackAddr, "127.0.0.1:8081", "the callback listener"},
		{&operator, c.APIAddr, "127.0.0.1:8083", "the operator's API"}, {&platformAddr, "", "127.0.0.1:8090", "the platform"},
		{&lobbyAddr, "", "127.0.0.1:8091", "the lobby"},
	} {
		if *a.to, err = address(con, a.chosen, a.usual, a.what); err != nil {
			return err
		}
	}
	environ, err := demoEnvironment(filepath.Join(dir, "demo.env"), map[string]string{
		"PITBOSS_DATABASE_URL":     "sqlite://" + filepath.Join(dir, "demo.db"),
		"PITBOSS_ADMIN_ADDR":       office,
		"PITBOSS_CALLBACK_ADDR":    wallet,
		"PITBOSS_API_ADDR":         operator,
		"PITBOSS_AGENT_ID":         "demo",
		"PITBOSS_DRAIN_DELAY":      "0s",
		"PITBOSS_CHECKPOINT_DIR":   filepath.Join(dir, "checkpoints"),
		"PITBOSS_CHECKPOINT_EVERY": "1h",
		"PITBOSS_THUMBNAIL_HOSTS":  platformAddr,
		"PITBOSS_PLATFORM_CONTACT": "support@platform.example",
		"PITBOSS_PLATFORM_URL":     "http://" + platformAddr,
	})
	if err != nil {
		return err
	}
	settings, err := config.Load[config.Server](environ)
	if err != nil {
		return err
	}
	known, err := config.Load[simulatorSettings](environ)
	if err != nil {
		return err
	}
	logFile, err := os.OpenFile(filepath.Join(dir, "demo.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer logFile.Close()
	log := newLog(&console{err: logFile}, "text")
	platform := simulator.Config{
		AgentID: known.Platform.AgentID, APIToken: known.APIToken, SecretKey: known.Platform.SecretKey, Games: c.Games,
		PublicURL: "http://" + platformAddr, Books: filepath.Join(dir, platformBooks),
	}
	if err := c.past(ctx, con, dir, settings, platform, log); err != nil {
		return err
	}
	server, err := NewServer(ctx, settings, log)
	if err != nil {
		return err
	}
	if err := demo.CreateStaff(ctx, server.store); err != nil {
		server.Close()
		return err
	}
	platform.CallbackURL = server.CallbackURL()
	sim, err := simulator.New(platform)
	if err != nil {
		server.Close()
		return err
	}
	defer sim.Close()
	token, err := demo.LobbyToken(ctx, server.store)
	if err != nil { // people may have changed the client, or the administrators who give it its token
		fmt.Fprintf(con.out, "The lobby is closed, because it has no token for the operator's API: %v.\n", err)
	}
	casino := lobby.New(lobby.Config{API: lobby.API{URL: server.APIURL(), Token: token, HTTP: &http.Client{Timeout: lobbyPatience}},
		Platform: platform.PublicURL, Currency: "EUR", Players: []string{"test-eur", "test-try"}, Log: log})
	c.welcome(con, dir, server, lobbyAddr, platform.PublicURL)
	// Play ends before the server, so that rounds in progress are still answered.
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	group, ended := errgroup.WithContext(serving)
	group.Go(func() error { return server.Serve(ended) })
	group.Go(func() error { return serveHTTP(ended, platformAddr, sim.Handler()) })
	group.Go(func() error { return serveHTTP(ended, lobbyAddr, casino) })
	group.Go(func() error {
		defer stop()
		playing, enough := context.WithCancel(ctx)
		defer enough()
		defer context.AfterFunc(ended, enough)()
		return c.play(playing, con, sim)
	})
	return group.Wait()
}

// lobbyPatience is how long the lobby waits for an answer of the operator's API.
const lobbyPatience = 10 * time.Second

// platformBooks is the file with the simulated platform's books.
const platformBooks = "platform.jsonl"

// past plays the demo's past at the first start, in a separate database that becomes the demo's once it is complete. So after
// an interruption the next start begins again from scratch.
func (c demoCommand) past(ctx context.Context, con *console, dir string, settings config.Server, platform simulator.Config,
	log *slog.Logger) error {
	if _, err := os.Stat(filepath.Join(dir, "demo.db")); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var problems []error
	for _, name := range []string{"past.db", "past.db-wal", "past.db-shm", platformBooks, "checkpoints"} {
		problems = append(problems, os.RemoveAll(filepath.Join(dir, name)))
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	began := time.Now()
	fmt.Fprintf(con.out, "First start: playing the past %d days, which takes about 20 seconds.\n", demo.Days)
	settings.Database.URL = "sqlite://" + filepath.Join(dir, "past.db")
	bar := newProgress(con, "playing the past three weeks, in days")
	past := pastOf(settings, platform, demo.Casino, log)
	past.Progress = bar.show
	err := demo.Play(ctx, past)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "The past was played in %.0f s.\n", time.Since(began).Seconds())
	return os.Rename(filepath.Join(dir, "past.db"), filepath.Join(dir, "demo.db"))
}

// pastOf returns the configuration for playing a past with these settings.
func pastOf(s config.Server, platform simulator.Config, size demo.Size, log *slog.Logger) demo.Config {
	return demo.Config{
		Database: s.Database.Store(log, callbackLockWait(s.Callbacks.Deadline)), Callbacks: s.CallbackConfig(log),
		API: s.API.Config(s.Platform, log), Platform: platform, Checkpoints: s.Evidence.Dir,
		Size: size, Until: time.Now().UTC(), Log: log,
	}
}

// claim makes and locks the demo's folder.
func (c demoCommand) claim() (dir string, unlock func(), err error) {
	if dir, err = filepath.Abs(c.Dir); err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		unlock, err = lockFile(filepath.Join(dir, "demo.lock"))
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("another demo is running in %s: end it, or choose another folder with --data", dir)
	}
	return dir, unlock, err
}

// demoSecrets are generated once and kept in the demo's environment file.
var demoSecrets = []string{"PITBOSS_API_TOKEN", "PITBOSS_SECRET_KEY", "PITBOSS_LEDGER_KEY", "PITBOSS_SESSION_KEY"}

// demoEnvironment returns the demo's configuration: the given settings, and the secrets of an earlier start or new ones. It
// writes them to a file that only its owner can read and that a shell can source, so that every command works with the demo's
// data.
func demoEnvironment(path string, settings map[string]string) ([]string, error) {
	earlier := map[string]string{}
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		earlier[name] = strings.Trim(value, "'")
	}
	for _, name := range demoSecrets {
		if settings[name] = earlier[name]; settings[name] == "" {
			settings[name] = randomHex(32)
		}
	}
	var environ []string
	var file strings.Builder
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		environ = append(environ, name+"="+settings[name])
		fmt.Fprintf(&file, "%s='%s'\n", name, strings.ReplaceAll(settings[name], "'", `'\''`))
	}
	return environ, os.WriteFile(path, []byte(file.String()), 0o600)
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// address returns the chosen address, or if there is none, usual, or if that is taken, one with a free port.
func address(con *console, chosen, usual, what string) (string, error) {
	l, err := net.Listen("tcp", cmp.Or(chosen, usual))
	if err != nil && chosen == "" {
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err == nil {
			fmt.Fprintf(con.out, "%s is taken. The address of %s is %s instead.\n", usual, what, l.Addr())
		}
	}
	if err != nil {
		return "", fmt.Errorf("the address of %s: %w", what, err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}

func (c demoCommand) welcome(con *console, dir string, server *Server, lobbyAddr, platform string) {
	fmt.Fprintf(con.out, `
Pitboss is running, with its data in %s.

  The back office          %s
  The callback listener    %s, which the platform calls
  The operator's API       %s, which the casino's own systems call
  A lobby for players      %s, a casino that calls that API: sign up, deposit, play, cash out
  A simulated platform     %s, which the back office calls

Sign in with the password %s as

`, dir, server.AdminURL(), server.CallbackURL(), server.APIURL(), "http://"+lobbyAddr, platform, demo.Password)
	for _, member := range demo.Staff {
		fmt.Fprintf(con.out, "  %-8s %s\n", member.Username, member.Role)
	}
	fmt.Fprint(con.out, `
This demo does not ask for a second factor. Elsewhere, admin, finance and compliance must set one up first (Settings).
`)
	fmt.Fprintf(con.out, `
The platform plays a round as one of %d players every %s. Press Ctrl-C to stop everything; the next start continues with the same data.
To run other commands in another shell, load the demo's configuration:

  set -a; . %s/demo.env; set +a
  var/pitboss golive --callback-url %s --user-id golive
  var/pitboss verify

`, len(demo.Playing(demo.Casino)), c.Pace, dir, server.CallbackURL())
	fmt.Fprintf(con.out, `What to try:

  sofia   search for anna, see why a bet of hers was refused, and open a game as test-eur
  bruno   grant 120 spins to jan beyond the limits; resolve the unconfirmed grant
  farid   approve the campaign and sofia's correction, sign a day, and compare today's statement with the ledger:
          curl -O %s/simulator/statement.csv
  chloe   sign a day, start a verification, write a checkpoint, and export anna's timeline
  ada     change the free-spin limits under Settings, and approve the change as adam

Or be a player in the lobby, and watch as sofia.

`, platform)
}

// play plays until ctx ends and prints what happens.
func (c demoCommand) play(ctx context.Context, con *console, sim *simulator.Simulator) error {
	report, err := sim.Play(ctx, simulator.PlayOptions{
		Players: demo.Playing(demo.Casino), Seed: uint64(time.Now().UnixNano()), Pace: c.Pace, Gentle: true,
		Company: true, Drain: 3 * time.Second,
		OnEvent: func(e simulator.Event) {
			fmt.Fprintf(con.out, "%s  %-9s  %-20s  %14s  result %-2d  balance %s\n",
				e.At.Local().Format("15:04:05"), e.UserID, e.Endpoint, e.Amount(), e.Result, e.Balance)
		},
	})
	if err != nil && ctx.Err() == nil {
		return err
	}
	if len(report.Mismatches) > 0 {
		fmt.Fprintln(con.out, report.Err())
		return errFailed
	}
	return nil
}

// lockFile takes a lock that the operating system releases when the process ends.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// serveHTTP serves handler until ctx ends.
func serveHTTP(ctx context.Context, addr string, handler http.Handler) error {
	server := &http.Server{Addr: addr, Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
