package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/callbacks/simulator"
	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// asPitboss makes the test's own binary the program, so that tests can start, kill and restart real processes.
const asPitboss = "PITBOSS_TEST_AS_PITBOSS"

// testClock says by how much the clock of such a program is off.
const testClock = "CLOCK_OF_THE_TESTS"

func TestMain(m *testing.M) {
	credentials.HashParams.Memory, credentials.HashParams.Iterations = 8, 1 // as in apptest: many sign in
	if os.Getenv(asPitboss) != "" {
		if off, err := time.ParseDuration(os.Getenv(testClock)); err == nil {
			machineClock = func() time.Time { return time.Now().Add(off) }
		}
		if dir := os.Getenv(testMigrations); dir != "" {
			becomeNext(dir)
		}
		signal.Ignore(syscall.SIGXFSZ) // a write beyond a limit that a test sets fails then, as on a full disk
		main()
		return
	}
	storetest.Main(m, browsertest.End)
}

const (
	testAgent  = "Partner01"
	testSecret = "secret-key-of-the-tests"
	testToken  = "token-of-the-tests"
	testLedger = "ledger-key-of-the-tests"
)

// environment returns the environment of a server on the database at url, which chooses free ports.
func environment(url string, more ...string) []string {
	return append([]string{
		"PITBOSS_DATABASE_URL=" + url, "PITBOSS_AGENT_ID=" + testAgent, "PITBOSS_SECRET_KEY=" + testSecret,
		"PITBOSS_LEDGER_KEY=" + testLedger,
		"PITBOSS_API_TOKEN=" + testToken, "PITBOSS_PLATFORM_URL=http://127.0.0.1:9",
		"PITBOSS_SESSION_KEY=session-key-of-the-tests-of-32-bytes",
		"PITBOSS_ADMIN_ADDR=127.0.0.1:0", "PITBOSS_CALLBACK_ADDR=127.0.0.1:0",
		"PITBOSS_DRAIN_DELAY=0s",
	}, more...)
}

// command runs one command line in this process.
func command(t *testing.T, environ []string, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(t.Context(), args, &console{environ: environ, in: strings.NewReader(""), out: &stdout, err: &stderr})
	return status, stdout.String(), stderr.String()
}

// boot serves in this process until the test ends.
func boot(t *testing.T, environ []string) *Server {
	t.Helper()
	settings, err := config.Load[config.Server](environ)
	require.NoError(t, err)
	server, err := NewServer(t.Context(), settings, newLog(&console{err: testLog{t}}, "text"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	return server
}

type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Helper()
	l.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// process is a separate pitboss process.
type process struct {
	*exec.Cmd
	environ []string
	log     *os.File
}

// start runs pitboss serve as a separate process and waits until it is ready. The callbacks' port stays the same across
// restarts, so it is outside the range from which the system picks ports for clients.
func start(t *testing.T, environ []string) *process {
	t.Helper()
	p := prepare(t, environ)
	p.launch(t)
	return p
}

// prepare is start for a process that is launched later.
func prepare(t *testing.T, environ []string) *process {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "pitboss.log"))
	require.NoError(t, err)
	p := &process{environ: environ, log: log}
	t.Cleanup(func() {
		if p.Cmd != nil && p.Process != nil {
			p.Process.Kill()
			p.Wait()
		}
		log.Close()
		if t.Failed() {
			content, _ := os.ReadFile(log.Name())
			t.Logf("the server's log ends with:\n%s", content[max(0, len(content)-4000):])
		}
	})
	return p
}

func (p *process) launch(t *testing.T) {
	t.Helper()
	require.NoError(t, p.begin())
	require.Eventually(t, func() bool {
		r, err := http.Get("http://" + p.value("PITBOSS_ADMIN_ADDR") + "/readyz")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusOK
	}, 2*time.Minute, 20*time.Millisecond, "the server is not ready")
}

// begin starts the program.
func (p *process) begin() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p.Cmd = exec.Command(self, "serve")
	p.Env = programEnvironment(p.environ)
	p.Stdout, p.Stderr = p.log, p.log
	return p.Start()
}

// programEnvironment returns the environment of a separate process: that of the tests without their own settings, plus environ.
func programEnvironment(environ []string) []string {
	list := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PITBOSS_") })
	return append(append(list, asPitboss+"=1"), environ...)
}

// kill ends the process as a power cut would.
func (p *process) kill() {
	p.Process.Signal(syscall.SIGKILL)
	p.Wait()
}

func (p *process) value(name string) string {
	value := ""
	for _, line := range p.environ {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			value = v
		}
	}
	return value
}

func (p *process) callbackURL() string { return "http://" + p.value("PITBOSS_CALLBACK_ADDR") }

// ports returns settings with free ports for a process.
func ports(t *testing.T) []string {
	t.Helper()
	return []string{"PITBOSS_ADMIN_ADDR=" + port(t), "PITBOSS_CALLBACK_ADDR=" + port(t)}
}

// given are the ports that tests of this process use: no other test may take one while its server restarts.
var given sync.Map

// port returns an address with a free port, below those of the tests' MariaDB servers.
func port(t *testing.T) string {
	t.Helper()
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", 15000+rand.IntN(5000))
		if _, taken := given.LoadOrStore(addr, true); taken {
			continue
		}
		l, err := net.Listen("tcp", addr)
		if err == nil {
			l.Close()
			return addr
		}
	}
	t.Fatal("no port is free")
	return ""
}

// open opens the servers' database on another connection.
func open(t *testing.T, url string) *store.Store {
	t.Helper()
	return storetest.Open(t, store.Config{URL: url, LedgerKey: []byte(testLedger), LockWait: commandLockWait})
}

// players makes n players with 500.00 EUR each.
func players(t *testing.T, s *store.Store, n int) (users []string) {
	t.Helper()
	for i := range n {
		p, err := s.CreatePlayer(t.Context(), models.System,
			models.NewPlayer{UserID: models.UserID(fmt.Sprintf("player-%d", i)), Currency: "EUR", Balance: 50000})
		require.NoError(t, err)
		users = append(users, string(p.UserID))
	}
	return users
}

func newPlatform(t *testing.T, callbackURL string) *simulator.Simulator {
	t.Helper()
	sim, err := simulator.New(simulator.Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret,
		CallbackURL: callbackURL})
	require.NoError(t, err)
	return sim
}

func requireWhole(t *testing.T, s *store.Store) models.Verification {
	t.Helper()
	v, err := s.Verify(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, v.Faulty)
	return v
}

// long chooses between the form of a test in `make test` and that in `make prove`.
func long[T any](short, long T) T {
	if os.Getenv("PITBOSS_PROVE") != "" {
		return long
	}
	return short
}

// alongside lets a test run at the same time as others of this package, because it waits most of the time. Its long form
// measures, so it runs alone.
func alongside(t *testing.T) {
	t.Helper()
	if long(true, false) {
		t.Parallel()
	}
}

// set returns the value of a variable of the tests, or otherwise if it is not set.
func set[T any](name string, read func(string) (T, error), otherwise T) T {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	value, err := read(text)
	if err != nil {
		panic(name + ": " + err.Error())
	}
	return value
}

// Keys of log lines have no blanks, and durations say their unit.
func TestLogLines(t *testing.T) {
	for format, line := range map[string]string{"json": `"round_trip_ms":1.5}`, "text": "round_trip_ms=1.5\n"} {
		var log bytes.Buffer
		newLog(&console{err: &log}, format).Info("Round trip.", "round trip", 1500*time.Microsecond)
		require.Contains(t, log.String(), line)
	}
}
