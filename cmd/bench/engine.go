package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"pitboss/models/store/storetest/mariadb"
)

// engine makes empty databases in a folder of the benchmark's own.
type engine struct {
	dir    string
	server *mariadb.Server // nil: SQLite
}

// newEngine starts a private MariaDB where that is asked for. Its pool holds what a growing ledger keeps hot; it flushes its log at every
// commit, as in production.
func newEngine(name, dir string) (*engine, error) {
	e := &engine{dir: dir}
	switch name {
	case "sqlite":
		return e, nil
	case "mariadb":
		var err error
		e.server, err = mariadb.Start(filepath.Join(dir, "mariadb"), "--innodb-buffer-pool-size=6G", "--innodb-log-file-size=1G", "--max-connections=800")
		return e, err
	}
	return nil, fmt.Errorf("-engine is mariadb or sqlite, not %q", name)
}

// database makes an empty database and returns its URL, and its DSN on MariaDB.
func (e *engine) database(ctx context.Context, name string) (url, dsn string, err error) {
	if e.server == nil {
		return "sqlite://" + filepath.Join(e.dir, name+".db"), "", nil
	}
	db, err := sql.Open("mysql", e.server.DSN(""))
	if err != nil {
		return "", "", err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return "", "", err
	}
	dsn = e.server.DSN(name)
	return "mysql://" + dsn, dsn, nil
}

func (e *engine) stop() {
	if e.server != nil {
		e.server.Stop()
	}
}
