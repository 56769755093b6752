// Package mariadb starts, kills and restarts private MariaDB servers for tests.
//
// A Server keeps its data in a folder that the caller provides and listens on 127.0.0.1 only. On Linux, it is killed when the
// process that started it dies. It is as durable as a production server: it writes a commit to disk before acknowledging it, so
// a test may kill the server and expect to find every acknowledged row again.
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

// Ports are below the ranges from which Linux (from 32768) and IANA (from 49152) take ports for outgoing connections. On a port
// in such a range, a client that redials a killed server may connect to itself, and then the server cannot restart on that
// port.
const (
	lowestPort  = 20000
	highestPort = 29999
)

const (
	startAttempts = 20               // each on another port: another program may take a free port before the server does
	startTimeout  = 90 * time.Second // includes crash recovery on a busy machine
	stopTimeout   = 60 * time.Second
	askInterval   = 20 * time.Millisecond
)

// Server is one private MariaDB server. Its methods may be called from several goroutines.
type Server struct {
	dir     string
	port    int
	args    []string
	install installation

	// position returns further arguments of a Galera node at each start. It is nil for other servers.
	position func() ([]string, error)
	env      []string // of the server's program; nil for this program's environment

	mu      sync.Mutex
	process *process // nil while the server is down
}

// process is one run of the server's program.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed once the program has ended and been reaped
}

// Start creates a database server under dir, which must exist and be empty, and waits until it answers. args are additional
// settings of mariadbd, such as "--innodb-lock-wait-timeout=1", which override the defaults here. The account is root without a
// password. If no server program is found, the error says what to install.
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

// Addr returns the host:port at which the server listens. A restart does not change it.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// DSN returns the DSN of a database on this server in the form of go-sql-driver, without parameters. If the name is empty, it
// is the DSN of the server itself.
func (s *Server) DSN(database string) string {
	return "root@tcp(" + s.Addr() + ")/" + database
}

// DataDir returns the server's data folder, which has a folder for each database.
func (s *Server) DataDir() string { return filepath.Join(s.dir, "data") }

// PID returns the ID of the server's process, or 0 if the server is down.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return 0
	}
	return s.process.cmd.Process.Pid
}

// Kill ends the server with SIGKILL, like a crash, and waits until it has ended. It does nothing if the server is down.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end(syscall.SIGKILL)
}

// Stop shuts the server down cleanly and waits until it has ended. It does nothing if the server is down.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end(syscall.SIGTERM)
}

// Restart starts the server again after Kill or Stop, on the same port and with the same data, and waits until it answers. If
// the server is still running, Restart stops it first.
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

// end sends the signal and waits until the program has ended. If the program takes too long, end kills it and returns an error.
// The caller holds mu.
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

// tablesDir creates the folder for temporary tables. Each server needs its own: whenever a server starts, even to create the
// system tables, it deletes whatever it takes for leftovers there.
func (s *Server) tablesDir() (string, error) {
	dir := filepath.Join(s.dir, "tables")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("mariadb: %w", err)
	}
	return dir, nil
}

// createDataDir creates the system tables.
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
		// A server started with another size would create the redo log again.
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

// arguments returns the arguments of the server's program.
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

// launch starts the server's program. The socket has a folder of its own, because its path may only have about a hundred
// characters, and a test's folder may have a longer path.
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
		// The kernel kills the server when the thread that started it ends, so this goroutine keeps its thread until then.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // the server's log says how it ended
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

// awaitReady waits until the server answers a query. If the server ends or takes too long, the error has the end of its log.
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
			// Another server may have taken the port in the meantime. Ours is the one with our data folder.
			var dataDir string
			err := db.QueryRowContext(ctx, "SELECT @@datadir").Scan(&dataDir)
			if err == nil && filepath.Clean(dataDir) == filepath.Clean(s.DataDir()) {
				return nil
			}
		}
	}
}

// logTail returns the end of the server's log, for errors.
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

// given has every port that this process has given to a server. No port is given twice, because a server that is down needs its
// port again.
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

// asRoot returns the argument without which MariaDB refuses to run as root, or nothing for other users.
func asRoot() []string {
	if os.Geteuid() == 0 {
		return []string{"--user=root"}
	}
	return nil
}
