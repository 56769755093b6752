package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"pitboss/callbacks/simulator"
	"pitboss/models"
)

type demoCommand struct {
	Dir   string        `default:"var" help:"Where the demo keeps its data."`
	Games int           `default:"300" help:"How many games the platform offers."`
	Pace  time.Duration `default:"2s" help:"How long the playing platform waits between rounds."`
}

// demoPlayers are whom the platform plays as, and anna's friends to play with by hand.
var demoPlayers = []models.NewPlayer{
	{UserID: "anna", Currency: "EUR", Balance: 10000},
	{UserID: "bertold", Currency: "EUR", Balance: 25000},
	{UserID: "chiara", Currency: "EUR", Balance: 8050},
	{UserID: "deniz", Currency: "TRY", Balance: 400000},
	{UserID: "elif", Currency: "TRY", Balance: 125000},
	{UserID: "fedir", Currency: "UAH", Balance: 300000},
	{UserID: "gabriela", Currency: "BRL", Balance: 60000},
	{UserID: "hugo", Currency: "BRL", Balance: 45000},
	{UserID: "ines", Currency: "EUR", Balance: 300},
	{UserID: "jan", Currency: "EUR", Balance: 100000},
	{UserID: "test-eur", Currency: "EUR", Balance: 50000, Test: true},
	{UserID: "golive", Currency: "EUR", Balance: 10000, Test: true},
	{UserID: "test-try", Currency: "TRY", Balance: 500000, Test: true},
}

// Run starts the server, the platform and its play, and tells where to look.
func (c demoCommand) Run(ctx context.Context, con *console) error {
	dir, unlock, err := c.claim(con)
	if err != nil {
		return err
	}
	defer unlock()
	platformListener, err := listenNear(con, "the platform", "127.0.0.1:8090")
	if err != nil {
		return err
	}
	defer platformListener.Close()
	environ, err := demoEnvironment(filepath.Join(dir, "demo.env"), map[string]string{
		"PITBOSS_DATABASE_URL":       "sqlite://" + filepath.Join(dir, "demo.db"),
		"PITBOSS_ADMIN_ADDR":         freeNear(con, "the back office", "127.0.0.1:8080"),
		"PITBOSS_CALLBACK_ADDR":      freeNear(con, "the callbacks", "127.0.0.1:8081"),
		"PITBOSS_CALLBACK_LOG_LEVEL": "WARN",
		"PITBOSS_AGENT_ID":           "demo",
		"PITBOSS_DRAIN_DELAY":        "0s",
		"PITBOSS_CHECKPOINT_DIR":     filepath.Join(dir, "checkpoints"),
		"PITBOSS_CHECKPOINT_EVERY":   "1h",
		"PITBOSS_EXPORT_DIR":         filepath.Join(dir, "exports"),
		"PITBOSS_STATEMENT_DIR":      filepath.Join(dir, "statements"),
		"PITBOSS_SHEET_DIR":          filepath.Join(dir, "sheets"),
		"PITBOSS_THUMBNAIL_DIR":      filepath.Join(dir, "thumbnails"),
		"PITBOSS_PLATFORM_URL":       "http://" + platformListener.Addr().String(),
	})
	if err != nil {
		return err
	}
	settings, err := load[serverSettings](environ)
	if err != nil {
		return err
	}
	known, err := load[simulatorSettings](environ)
	if err != nil {
		return err
	}
	logFile, err := os.OpenFile(filepath.Join(dir, "demo.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer logFile.Close()
	server, err := NewServer(ctx, settings, newLog(&console{err: logFile}, "text"))
	if err != nil {
		return err
	}
	if err := errors.Join(createDemoPlayers(ctx, server), createDemoStaff(ctx, server)); err != nil {
		server.Close()
		return err
	}
	sim, err := simulator.New(simulator.Config{
		AgentID: known.Platform.AgentID, APIToken: known.APIToken, SecretKey: known.Platform.SecretKey, CallbackURL: server.CallbackURL(), Games: c.Games, PlainNames: true, Seed: 1,
	})
	if err != nil {
		server.Close()
		return err
	}
	opened, _, err := server.store.Cases(ctx, models.CaseFilter{Limit: 1})
	if err != nil {
		server.Close()
		return err
	}
	first := len(opened) == 0
	c.welcome(con, dir, server, platformListener.Addr().String(), first)
	// Play ends first, so that the rounds under way are still answered.
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	group, ended := errgroup.WithContext(serving)
	group.Go(func() error { return server.Serve(ended) })
	group.Go(func() error { return <-serveHTTP(ended, platformListener, sim.Handler()) })
	group.Go(func() error {
		defer stop()
		playing, enough := context.WithCancel(ctx)
		defer enough()
		defer context.AfterFunc(ended, enough)()
		return c.play(playing, con, sim, first)
	})
	return group.Wait()
}

// claim makes the demo's folder its own: a second demo at the same time takes another.
func (c demoCommand) claim(con *console) (dir string, unlock func(), err error) {
	for n := 1; n < 100; n++ {
		dir := c.Dir
		if n > 1 {
			dir = fmt.Sprintf("%s-%d", c.Dir, n)
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return "", nil, err
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", nil, err
		}
		unlock, err := lockFile(filepath.Join(dir, "demo.lock"))
		if err == nil {
			return dir, unlock, nil
		}
		if !errors.Is(err, errLocked) {
			return "", nil, err
		}
		fmt.Fprintf(con.out, "Another demo is running in %s; this one takes a folder of its own.\n", dir)
	}
	return "", nil, errors.New("a hundred demos are running")
}

// demoSecrets are made once, and kept in the demo's environment file.
var demoSecrets = []string{"PITBOSS_API_TOKEN", "PITBOSS_SECRET_KEY", "PITBOSS_LEDGER_KEY", "PITBOSS_SESSION_KEY"}

// demoEnvironment is the demo's configuration: the given settings and the secrets of an earlier start, or new ones. It is kept in a file
// that only its owner reads and that a shell can take in, so that every command works on the demo's data.
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

// listenNear listens on addr, or on another port where that one is taken, and says so.
func listenNear(con *console, what, addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err == nil {
		return l, nil
	}
	host, port, _ := net.SplitHostPort(addr)
	if l, err = net.Listen("tcp", net.JoinHostPort(host, "0")); err == nil {
		fmt.Fprintf(con.out, "Port %s is taken. For %s it is %s.\n", port, what, l.Addr())
	}
	return l, err
}

// freeNear returns addr, or the same host with a free port where that one is taken.
func freeNear(con *console, what, addr string) string {
	l, err := listenNear(con, what, addr)
	if err != nil {
		return addr
	}
	defer l.Close()
	return l.Addr().String()
}

func createDemoPlayers(ctx context.Context, server *Server) error {
	for _, p := range demoPlayers {
		_, err := server.store.CreatePlayer(ctx, atCommandLine("demo"), p)
		if err != nil && !errors.Is(err, models.ErrPlayerExists) {
			return err
		}
	}
	return nil
}

// demoPassword lets all of the demo's staff in. The demo listens on loopback only.
const demoPassword = "seven-lucky-horseshoes"

var demoStaff = []models.Staff{
	{Username: "ada", Name: "Ada Lindqvist", Role: models.Administrator},
	{Username: "bruno", Name: "Bruno Keller", Role: models.Bonus},
	{Username: "sofia", Name: "Sofia Marchetti", Role: models.Support},
	{Username: "farid", Name: "Farid Haddad", Role: models.Finance},
	{Username: "mira", Name: "Mira Novak", Role: models.Finance},
	{Username: "chloe", Name: "Chloe Martin", Role: models.Compliance},
}

// createDemoStaff makes the demo's staff in the system's name, so that nobody is tied to anybody. At the first start it lets all of them
// sign in without a second factor.
func createDemoStaff(ctx context.Context, server *Server) error {
	_, set, err := server.store.Setting(ctx, models.SignInRulesSetting)
	if err != nil {
		return err
	}
	if !set {
		rules := models.DefaultSignInRules
		rules.TOTPRoles = nil
		if err := server.store.SetSignInRules(ctx, models.System, rules); err != nil {
			return err
		}
	}
	for _, member := range slices.Backward(demoStaff) { // the administrator last, who is told of what comes after them
		member, err := withPassword(member, demoPassword)
		if err != nil {
			return err
		}
		if _, err := server.store.CreateStaff(ctx, models.System, member); err != nil && !errors.Is(err, models.ErrStaffExists) {
			return err
		}
	}
	return nil
}

func (c demoCommand) welcome(con *console, dir string, server *Server, platform string, first bool) {
	fmt.Fprintf(con.out, `
Pitboss is running, with its data in %s.

  The back office                  %s
  The platform, to play against    http://%s
  Callbacks                        %s

Sign in with the password %s as

`, dir, server.AdminURL(), platform, server.CallbackURL(), demoPassword)
	for _, member := range demoStaff {
		fmt.Fprintf(con.out, "  %-8s %s\n", member.Username, member.Role)
	}
	fmt.Fprint(con.out, `
No second factor is asked for in this demo. Outside it, admin, finance and compliance set one up before anything else (Settings).
`)
	fmt.Fprintf(con.out, `
The platform plays gently as %d players. Ctrl-C ends it all; the next start goes on with the same data.
For other commands in another shell, take in the demo's configuration:

  set -a; . %s/demo.env; set +a
  var/pitboss golive --callback-url %s --user-id golive
  var/pitboss verify

`, len(playing()), dir, server.CallbackURL())
	if first {
		fmt.Fprint(con.out, "It begins with three things that no platform should send. A minute later they stand under Cases. A fourth, a bet that the\nplatform has not and the wallet has, shows once the platform's statement is uploaded under Statements:\n\n")
	} else {
		fmt.Fprint(con.out, "To compare its books with the wallet's, upload its statement of the day under Statements:\n\n")
	}
	fmt.Fprintf(con.out, "  curl -O http://%s/simulator/statement.csv\n\n", platform)
}

// playing are the players whom the platform plays as; test players are left to people.
func playing() (users []string) {
	for _, p := range demoPlayers {
		if !p.Test {
			users = append(users, string(p.UserID))
		}
	}
	return users
}

// play plays until ctx ends and prints what happens. The first play of all begins with what opens cases.
func (c demoCommand) play(ctx context.Context, con *console, sim *simulator.Simulator, first bool) error {
	report, err := sim.Play(ctx, simulator.PlayOptions{
		Players: playing(), Seed: uint64(time.Now().UnixNano()), Workers: 2, Pace: c.Pace, Gentle: true, Company: true, Odd: first, Drain: 3 * time.Second,
		OnEvent: func(e simulator.Event) {
			fmt.Fprintf(con.out, "%s  %-9s  %-20s  %14s  result %-2d  balance %s\n",
				e.At.Local().Format("15:04:05"), e.UserID, e.Endpoint, e.Amount, e.Result, e.Balance)
		},
	})
	if err != nil && ctx.Err() == nil {
		return err
	}
	if report.MismatchCount > 0 {
		fmt.Fprintln(con.out, report.String())
		return errFailed
	}
	return nil
}

// errLocked is returned by lockFile when another process holds the lock.
var errLocked = errors.New("locked by another process")

// lockFile takes a lock that ends with the process, whatever ends it.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, err
	}
	return func() { f.Close() }, nil
}
