package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"pitboss/models/store/storetest/mariadb"
)

// engineName is the kind of database, as in -engine.
type engineName string

const (
	mariaDB engineName = "mariadb"
	sqlite  engineName = "sqlite"
)

// String returns the product's name.
func (n engineName) String() string {
	if n == sqlite {
		return "SQLite"
	}
	return "MariaDB"
}

// engine makes empty databases in a folder of the benchmark's own.
type engine struct {
	dir    string
	server *mariadb.Server // nil: SQLite
}

// newEngine returns an engine with its files in dir, which must exist. For MariaDB it starts a private server, which flushes its log at every commit, as in production.
func newEngine(name engineName, dir string) (*engine, error) {
	e := &engine{dir: dir}
	switch name {
	case sqlite:
		return e, nil
	case mariaDB:
		var err error
		e.server, err = mariadb.Start(dir, "--innodb-buffer-pool-size=2G", "--innodb-log-file-size=1G",
			"--max-connections=800")
		return e, err
	}
	return nil, fmt.Errorf("-engine must be mariadb or sqlite, not %q", string(name))
}

// database makes an empty database and returns its URL.
func (e *engine) database(ctx context.Context, name string) (url string, err error) {
	if e.server == nil {
		return "sqlite://" + e.file(name), nil
	}
	db, err := sql.Open("mysql", e.server.DSN(""))
	if err != nil {
		return "", err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	return "mysql://" + e.server.DSN(name), nil
}

// file returns the path of an SQLite database.
func (e *engine) file(name string) string { return filepath.Join(e.dir, name+".db") }

// bytes returns the size on disk of all tables and indexes of a database that no program has open, without the engine's logs.
// InnoDB enlarges a file as soon as it needs a page, and writes the page later, so a flush would not change the size.
func (e *engine) bytes(name string) (size int64, err error) {
	root, belongs := e.dir, func(path string) bool { return strings.HasPrefix(path, e.file(name)) }
	if e.server != nil {
		root, belongs = filepath.Join(e.server.DataDir(), name), func(path string) bool { return filepath.Ext(path) == ".ibd" }
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary file
		}
		if err != nil || entry.IsDir() || !belongs(path) {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// pid returns the process ID of the database server, or 0 if there is none.
func (e *engine) pid() int {
	if e.server == nil {
		return 0
	}
	return e.server.PID()
}

func (e *engine) stop() {
	if e.server != nil {
		e.server.Stop()
	}
}
