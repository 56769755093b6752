// Package storetest gives tests fresh databases on the engines that the store supports: SQLite, and a real MariaDB.
//
// PITBOSS_TEST_MYSQL_DSN names the MariaDB server. If it is not set, this package starts a private server once per test process
// (see package mariadb), and installs MariaDB first if it can. Tests are never skipped because the database is missing: they
// fail and say what to install. A test package that uses MariaDB has a TestMain that calls Main, which stops the private
// server. `make test` starts one server for all packages with the command withmariadb.
package storetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"pitboss/cmd/testing/mariadb"
)

// DSNVariable is the environment variable with the DSN of a MariaDB or MySQL server for tests, in the form of go-sql-driver,
// for example root@tcp(127.0.0.1:3306)/. The account must be able to create and drop databases whose names start with
// pitboss_test_.
const DSNVariable = "PITBOSS_TEST_MYSQL_DSN"

const adminTimeout = time.Minute // for creating or dropping a database on a busy machine

// shared is the server of this test process, which is found or started on first use.
var shared struct {
	once   sync.Once
	err    error
	dsn    string
	admin  *sql.DB
	server *mariadb.Server // nil if the environment names a server
	dir    string          // the folder of server
}

// Main runs the tests of a package, calls ends, stops the private server if one was started, and exits with the tests' exit
// code. A package's TestMain calls it.
func Main(m *testing.M, ends ...func() error) {
	code := m.Run()
	for _, end := range append(ends, stopShared) {
		if err := end(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// MySQLDSN returns the DSN of a real MariaDB or MySQL server, the same one for the whole test process. If it names a database,
// tests must not touch that database.
func MySQLDSN() (string, error) {
	shared.once.Do(func() { shared.err = startShared() })
	return shared.dsn, shared.err
}

// freshDatabase creates an empty MariaDB database for this test, runs the statements of fill in it, and returns its DSN. The
// database is dropped when the test ends.
func freshDatabase(t testing.TB, fill ...string) string {
	t.Helper()
	dsn, drop, err := createDatabase(fill...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(); err != nil {
			t.Error(err)
		}
	})
	return dsn
}

// directoryNotEmpty is the error with which MariaDB says that it cannot remove a database's folder (ER_DB_DROP_RMDIR).
const directoryNotEmpty = 1010

// createDatabase creates a database with the server's default character set, like one that an operator creates by hand, runs
// the statements of fill in it, and returns its DSN and a function that drops it.
func createDatabase(fill ...string) (dsn string, drop func() error, err error) {
	base, err := MySQLDSN()
	if err != nil {
		return "", nil, err
	}
	config, err := mysql.ParseDSN(base)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", DSNVariable, err)
	}
	config.DBName = "pitboss_test_" + strings.ToLower(rand.Text())
	drop = func() error {
		var err error
		for range 20 {
			// After a connection breaks, the server may still run its statement and create a table, whose files are then in the
			// way.
			var refused *mysql.MySQLError
			err = administer("DROP DATABASE IF EXISTS " + config.DBName)
			if !errors.As(err, &refused) || refused.Number != directoryNotEmpty {
				return err
			}
			time.Sleep(50 * time.Millisecond)
		}
		return err
	}
	if err := administer("CREATE DATABASE " + config.DBName); err != nil {
		return "", nil, err
	}
	if err := administer(append([]string{"USE " + config.DBName}, fill...)...); err != nil {
		return "", nil, errors.Join(err, drop())
	}
	return config.FormatDSN(), drop, nil
}

// administer runs statements as the administrator in one round trip.
func administer(statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), adminTimeout)
	defer cancel()
	if _, err := shared.admin.ExecContext(ctx, strings.Join(statements, ";\n")); err != nil {
		return fmt.Errorf("%s: %w", statements[0], err)
	}
	return nil
}

func startShared() error {
	shared.dsn = os.Getenv(DSNVariable)
	if shared.dsn == "" {
		dir, err := mariadb.TempDir("pitboss-test-mariadb-")
		if err != nil {
			return err
		}
		shared.dir = dir
		if shared.server, err = mariadb.Start(dir); err != nil {
			return err
		}
		shared.dsn = shared.server.DSN("")
	}
	config, err := mysql.ParseDSN(shared.dsn)
	if err != nil {
		return fmt.Errorf("%s: %w", DSNVariable, err)
	}
	config.MultiStatements = true
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return fmt.Errorf("%s: %w", DSNVariable, err)
	}
	shared.admin = sql.OpenDB(connector)
	return nil
}

func stopShared() error {
	if shared.admin != nil {
		_ = shared.admin.Close()
	}
	if shared.server != nil {
		// The data is deleted anyway, so there is no need for a clean shutdown.
		if err := shared.server.Kill(); err != nil {
			return err
		}
	}
	if shared.dir != "" {
		return os.RemoveAll(shared.dir)
	}
	return nil
}
