// Package mariadb starts, kills and restarts private MariaDB servers for tests.
//
// A Server keeps its data in a folder of the caller, listens on 127.0.0.1 only, and never outlives the process that
// started it. Its settings are those of a production server where durability is concerned: a commit is on disk before it is
// acknowledged, so that a test may kill the server and expect every acknowledged row to be there again.
package mariadb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Ports are taken from below the ranges that Linux (32768) and IANA (49152) give to outgoing connections. A client that
// redials a killed server on a port of such a range can end up connected to itself, and the server cannot come back.
const (
	lowestPort  = 20000
	highestPort = 29999
)

const (
	startAttempts = 20               // each on another port, since a free port may be taken before the server binds it
	startTimeout  = 90 * time.Second // crash recovery on a busy machine included
	stopTimeout   = 60 * time.Second
	askInterval   = 20 * time.Millisecond
)

// Server is one private MariaDB server. Its methods may be called from several goroutines.
type Server struct {
	dir     string
	port    int
	args    []string
	install installation

	// position gives a Galera node more arguments at each start; nil for other servers.
	position func() ([]string, error)
	env      []string // of the server's program; nil for this program's

	mu      sync.Mutex
	process *process // nil while the server is down
}

// process is one run of the server's program.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed once the program has ended and been reaped
}

// Start creates a database server under dir, which must exist and be empty, and waits until it answers. Further args are
// settings of mariadbd such as "--innodb-lock-wait-timeout=1"; they stand after our own and so win over them. The account
// is root without a password. Where no server program is found, the error says what to install.
func Start(dir string, args ...string) (*Server, error) {
	found, err := locate()
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("mariadb: %w", err)
	}
	s := &Server{dir: dir, args: args, install: found}
	if err := s.createDataDir(); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		if s.port, err = freePort(); err != nil {
			return nil, err
		}
		if err = s.Restart(); err == nil {
			return s, nil
		}
		if attempt == startAttempts || !errors.Is(err, errExited) || s.portIsFree() {
			return nil, err
		}
	}
}

// Addr is where the server listens, as host:port. It stays the same over restarts.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// DSN names the database on this server, in the form of go-sql-driver and without parameters. An empty name gives the DSN
// of the server itself.
func (s *Server) DSN(database string) string {
	return "root@tcp(" + s.Addr() + ")/" + database
}

// DataDir is the folder of the server's data, with a folder for each database.
func (s *Server) DataDir() string { return filepath.Join(s.dir, "data") }

// PID is the number of the server's process, or 0 while the server is down.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return 0
	}
	return s.process.cmd.Process.Pid
}

// Kill ends the server as a crash would, with SIGKILL, and returns once it is gone. Killing a server that is down does
// nothing.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end(syscall.SIGKILL)
}

// Stop shuts the server down in good order and returns once it is gone. Stopping a server that is down does nothing.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end(syscall.SIGTERM)
}

// Restart starts the server again after Kill or Stop, on the same port and the same data, and waits until it answers.
// It stops a server that is still running first.
func (s *Server) Restart() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.end(syscall.SIGTERM); err != nil {
		return err
	}
	p, err := s.launch()
	if err != nil {
		return err
	}
	s.process = p
	if err := s.awaitReady(p); err != nil {
		return errors.Join(err, s.end(syscall.SIGKILL))
	}
	return nil
}

// end sends the signal and waits for the program's end; a server that ignores it is killed. The caller holds mu.
func (s *Server) end(signal syscall.Signal) error {
	p := s.process
	if p == nil {
		return nil
	}
	s.process = nil
	if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("mariadb: signal the server: %w", err)
	}
	select {
	case <-p.exited:
		return nil
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.exited
		return fmt.Errorf("mariadb: the server did not end within %s of %s and was killed", stopTimeout, signal)
	}
}

func (s *Server) logFile() string { return filepath.Join(s.dir, "mariadbd.log") }

// tablesDir makes the folder of temporary tables. A server that starts, the one that makes the system tables too, removes what
// it takes for leftovers there: each has its own.
func (s *Server) tablesDir() (string, error) {
	dir := filepath.Join(s.dir, "tables")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("mariadb: %w", err)
	}
	return dir, nil
}

// createDataDir makes the system tables. MariaDB refuses to run as root unless it is told to.
func (s *Server) createDataDir() error {
	tables, err := s.tablesDir()
	if err != nil {
		return err
	}
	args := []string{
		"--no-defaults",
		"--auth-root-authentication-method=normal",
		"--skip-test-db",
		"--skip-name-resolve",
		"--datadir=" + s.DataDir(),
		"--tmpdir=" + tables,
		// The redo log is created at this size here, and again when the server is started with another.
		"--innodb-log-file-size=" + redoLogSize,
	}
	args = append(args, asRoot()...)
	out, err := exec.Command(s.install.installer, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("mariadb: %s: %w\n%s", filepath.Base(s.install.installer), err, out)
	}
	return nil
}

const redoLogSize = "64M"

// arguments are those of the server's program.
func (s *Server) arguments(socket string) []string {
	args := []string{
		"--no-defaults",
		"--datadir=" + s.DataDir(),
		"--tmpdir=" + filepath.Join(s.dir, "tables"),
		"--bind-address=127.0.0.1",
		"--port=" + strconv.Itoa(s.port),
		"--socket=" + socket,
		"--pid-file=" + filepath.Join(s.dir, "mariadbd.pid"),
		"--skip-name-resolve",
		"--max-connections=1000",
		"--innodb-flush-log-at-trx-commit=1",
		"--innodb-log-file-size=" + redoLogSize,
		"--innodb-buffer-pool-size=256M",
	}
	args = append(args, asRoot()...)
	return append(args, s.args...)
}

// launch runs the server's program. The socket lies in a folder of its own since a socket's path is limited to about a
// hundred characters, which a test's folder may exceed.
func (s *Server) launch() (*process, error) {
	socketDir, err := os.MkdirTemp("", "pb-sock-")
	if err != nil {
		return nil, fmt.Errorf("mariadb: %w", err)
	}
	if _, err := s.tablesDir(); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(s.logFile(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("mariadb: %w", err)
	}
	args := s.arguments(filepath.Join(socketDir, "sock"))
	if s.position != nil {
		more, err := s.position()
		if err != nil {
			return nil, err
		}
		args = append(args, more...)
	}
	cmd := exec.Command(s.install.server, args...)
	cmd.Env = s.env
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = processAttributes()

	p := &process{cmd: cmd, exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel ends the server when the thread that started it ends, so this goroutine keeps its thread
		// until the server is gone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is in its log
		}
		_ = log.Close()
		_ = os.RemoveAll(socketDir)
		close(p.exited)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("mariadb: start the server: %w", err)
	}
	return p, nil
}

var errExited = errors.New("mariadb: the server ended before it answered")

// awaitReady returns once the server answers a query, or with the end of its log when it does not.
func (s *Server) awaitReady(p *process) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	config, err := mysql.ParseDSN(s.DSN(""))
	if err != nil {
		return fmt.Errorf("mariadb: %w", err)
	}
	config.Logger = &mysql.NopLogger{} // refused connections are expected here
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return fmt.Errorf("mariadb: %w", err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	ticker := time.NewTicker(askInterval)
	defer ticker.Stop()
	for {
		select {
		case <-p.exited:
			return fmt.Errorf("%w; its log ends:\n%s", errExited, s.logTail())
		case <-ctx.Done():
			return fmt.Errorf("mariadb: no answer within %s; the server's log ends:\n%s", startTimeout, s.logTail())
		case <-ticker.C:
			// Another server may have taken the port since it was chosen: ours is the one with our data.
			var dataDir string
			err := db.QueryRowContext(ctx, "SELECT @@datadir").Scan(&dataDir)
			if err == nil && filepath.Clean(dataDir) == filepath.Clean(s.DataDir()) {
				return nil
			}
		}
	}
}

// logTail is the last part of the server's log, for an error's text.
func (s *Server) logTail() string {
	const most = 4000
	log, err := os.ReadFile(s.logFile())
	if err != nil {
		return err.Error()
	}
	return string(log[max(0, len(log)-most):])
}

func (s *Server) portIsFree() bool {
	listener, err := net.Listen("tcp4", s.Addr())
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

// given are the ports that servers of this process have or had: nobody may take one while its server is down.
var given sync.Map

func freePort() (int, error) {
	for range 100 {
		port := lowestPort + rand.IntN(highestPort-lowestPort+1)
		if _, taken := given.LoadOrStore(port, true); taken {
			continue
		}
		if (&Server{port: port}).portIsFree() {
			return port, nil
		}
	}
	return 0, fmt.Errorf("mariadb: no free port found between %d and %d", lowestPort, highestPort)
}

func asRoot() []string {
	if os.Geteuid() == 0 {
		return []string{"--user=root"}
	}
	return nil
}
