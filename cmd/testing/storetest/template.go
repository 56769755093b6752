package storetest

import (
	"context"
	"database/sql"
	"encoding/hex"
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

// A test process migrates one database per engine, when a test first needs one, and creates all others from it. A SQLite
// database is a copy of the file, which takes almost no time. A MariaDB database is created by a script in one round trip,
// which takes a quarter of the time of the migrations.
//
// Each process has its own template, even if several processes share a server, so the template always matches the migrations
// and the code of the process. It has no ledger, because that depends on the key of the test (see Open).

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

// mariaDBTemplate returns the statements that fill an empty database so that it equals a migrated one.
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
	return dump(ctx, db)
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

// Copy returns the URL of a copy of a database, which is what a backup would be restored to.
func Copy(t testing.TB, url string) string {
	t.Helper()
	if strings.HasPrefix(url, "sqlite://") {
		copied, path := sqliteURL(t)
		_, err := OpenURL(t, url).ExecContext(t.Context(), "VACUUM INTO ?", path)
		require.NoError(t, err)
		return copied
	}
	script, err := dump(t.Context(), OpenURL(t, url))
	require.NoError(t, err)
	return "mysql://" + freshDatabase(t, script)
}

// dump returns the statements that create the tables, rows and triggers of a small database again. The schema has no views and
// no foreign keys, so the order of the tables does not matter.
func dump(ctx context.Context, db *sql.DB) (string, error) {
	tables, err := query(ctx, db, "SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'")
	if err != nil {
		return "", err
	}
	var script strings.Builder
	for _, table := range tables {
		name := "`" + table[0].text + "`"
		created, err := query(ctx, db, "SHOW CREATE TABLE "+name)
		if err != nil {
			return "", err
		}
		script.WriteString(created[0][1].text + ";\n")
		rows, err := query(ctx, db, "SELECT * FROM "+name)
		if err != nil {
			return "", err
		}
		for _, row := range rows {
			literals := make([]string, len(row))
			for j, value := range row {
				literals[j] = value.literal()
			}
			script.WriteString("INSERT INTO " + name + " VALUES (" + strings.Join(literals, ", ") + ");\n")
		}
	}
	triggers, err := query(ctx, db, "SHOW TRIGGERS")
	if err != nil {
		return "", err
	}
	for _, trigger := range triggers {
		created, err := query(ctx, db, "SHOW CREATE TRIGGER `"+trigger[0].text+"`")
		if err != nil {
			return "", err
		}
		script.WriteString("SET sql_mode = " + created[0][1].literal() + ";\n" + created[0][2].text + ";\n")
	}
	return script.String(), nil
}

// value is one value of a row, as the server prints it.
type value struct {
	text         string
	null, binary bool
}

// literal returns the value as an SQL literal.
func (v value) literal() string {
	switch {
	case v.null:
		return "NULL"
	case v.binary:
		return "X'" + hex.EncodeToString([]byte(v.text)) + "'"
	default:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(v.text) + "'"
	}
}

// query returns the rows of a statement.
func query(ctx context.Context, db *sql.DB, statement string) (out [][]value, err error) {
	rows, err := db.QueryContext(ctx, statement)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", statement, err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", statement, err)
	}
	for rows.Next() {
		texts := make([]sql.NullString, len(types))
		into := make([]any, len(types))
		for i := range texts {
			into[i] = &texts[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("%s: %w", statement, err)
		}
		row := make([]value, len(types))
		for i, text := range texts {
			kind := types[i].DatabaseTypeName()
			row[i] = value{text.String, !text.Valid, strings.HasSuffix(kind, "BINARY") || strings.HasSuffix(kind, "BLOB")}
		}
		out = append(out, row)
	}
	return out, rows.Err()
}
