// Command withmariadb runs a command with a private MariaDB server, so that tests and benchmarks of several packages can share
// one:
//
//	withmariadb -- go test ./...
//
// The command finds the server's DSN in PITBOSS_TEST_MYSQL_DSN. If that variable is already set, withmariadb passes it on and
// starts no server. The exit code is the command's, or 125 if the server or the command could not be started.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"pitboss/cmd/testing/mariadb"
)

const (
	variable  = "PITBOSS_TEST_MYSQL_DSN"
	notOurRun = 125
)

func main() {
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: withmariadb -- command [argument ...]")
		os.Exit(notOurRun)
	}
	code, err := run(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = notOurRun
	}
	os.Exit(code)
}

// run runs the command with a private server, or with the one that the environment names.
func run(args []string) (int, error) {
	if os.Getenv(variable) != "" {
		return runCommand(args)
	}
	dir, err := mariadb.TempDir("pitboss-mariadb-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	server, err := mariadb.Start(dir)
	if err != nil {
		return 0, err
	}
	if err := os.Setenv(variable, server.DSN("")); err != nil {
		return 0, errors.Join(err, server.Kill())
	}
	code, err := runCommand(args)
	return code, errors.Join(err, server.Kill()) // the data is deleted, so there is no need for a clean shutdown
}

// runCommand runs the command and returns its exit code, or 1 if a signal ended the command.
func runCommand(args []string) (int, error) {
	// The command is in the same process group, so an interrupt from the terminal reaches it too. This program waits for the
	// command to end and then stops the server. It passes SIGTERM on to the command.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)

	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case received := <-signals:
			if received == syscall.SIGTERM {
				_ = cmd.Process.Signal(received)
			}
		case err := <-ended:
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				return 0, err
			}
			if code := cmd.ProcessState.ExitCode(); code >= 0 {
				return code, nil
			}
			return 1, nil
		}
	}
}
