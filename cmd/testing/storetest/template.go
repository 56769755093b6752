package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models/store"
)

// A test process migrates one database per engine, the first time a test needs one, and creates all others from it. For SQLite
// it copies the file, which takes almost no time. For MariaDB it runs a script in one round trip, which takes a quarter of the
// time of the migrations.
//
// Even if several processes share a server, each has its own template, so the template always matches the process's migrations
// and code. The template has no ledger, because a ledger depends on the test's key (see Open).

const templateTimeout = 5 * time.Minute // for all migrations on a busy machine

// sqliteTemplate returns the contents of a migrated database file.
var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "pitboss-test-template-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "pitboss.db")
	if err := migrate("sqlite://" + path); err != nil {
		return nil, err
	}
	// Closing the last connection has moved the write-ahead log into the file.
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not complete without its write-ahead log (%v)", path, err)
	}
	return os.ReadFile(path)
})

// mariaDBTemplate returns the statements that turn an empty database into a migrated one.
var mariaDBTemplate = sync.OnceValues(func() (script string, err error) {
	dsn, drop, err := createDatabase()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, drop()) }()
	if err := migrate("mysql://" + dsn); err != nil {
		return "", err
	}
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return "", err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), templateTimeout)
	defer cancel()
	return dumpMariaDB(ctx, db, true)
})

// migrate applies all migrations to the empty database at url.
func migrate(url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), templateTimeout)
	defer cancel()
	s, err := store.Open(ctx, store.Config{URL: url})
	if err != nil {
		return err
	}
	_, err = s.Migrate(ctx)
	return errors.Join(err, s.Close())
}

// Copy returns the URL of a copy of a database, such as a restored backup would be.
func Copy(t testing.TB, url string) string {
	t.Helper()
	if strings.HasPrefix(url, "sqlite://") {
		copied, path := sqliteURL(t)
		_, err := OpenURL(t, url).ExecContext(t.Context(), "VACUUM INTO ?", path)
		require.NoError(t, err)
		return copied
	}
	return "mysql://" + freshDatabase(t, Dump(t, url))
}
