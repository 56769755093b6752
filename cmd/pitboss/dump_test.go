package main

import (
	"bytes"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A database that has only a part of the schema is refused by name, and stays as it is: a dump that was cut off, a table that
// is gone while an instance serves, the schema of another build, and an account that may not create triggers.
func TestIncompleteDatabases(t *testing.T) {
	alongside(t)
	live := startMariaDB(t)
	url := createDatabase(t, live)
	server := boot(t, environment(url))
	players(t, open(t, url), 20)
	dump := runs(t, nil, "mariadb-dump", append(account(live), "--single-transaction", "--triggers", "--hex-blob", "pitboss")...)

	becomes(t, server.AdminURL(), http.StatusOK)
	tamper(t, url, "RENAME TABLE statements TO gone")
	require.Contains(t, becomes(t, server.AdminURL(), http.StatusServiceUnavailable)["migrations"], "table statements is missing")
	tamper(t, url, "RENAME TABLE gone TO statements")
	becomes(t, server.AdminURL(), http.StatusOK)

	refused := func(t *testing.T, name, url, says string, commands ...string) {
		tables := func() []byte {
			return runs(t, nil, "mariadb", append(account(live), "-e", "SHOW TABLES WHERE Tables_in_"+name+" <> 'migration_lock'", name)...)
		}
		before := tables()
		for _, words := range commands {
			status, _, errs := command(t, environment(url), strings.Fields(words)...)
			require.Equal(t, 1, status, words)
			require.Contains(t, errs, says, words)
		}
		require.Equal(t, string(before), string(tables()))
	}
	for name, c := range map[string]struct {
		dump       []byte
		then, says string
	}{
		"half":    {dump[:len(dump)/2], "", "is missing"},
		"most":    {dump[:len(dump)*99/100], "", "the newest player has no wallet. After a restore, the dump was incomplete"},
		"another": {dump, "ALTER TABLE games ADD COLUMN older INTEGER NOT NULL", "column older of table games is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			tamper(t, url, "CREATE DATABASE "+name)
			load := exec.Command(program(t, "mariadb"), append(account(live), name)...)
			load.Stdin = bytes.NewReader(c.dump)
			_ = load.Run() // it complains about the end of the file
			there := strings.Replace(url, "/pitboss", "/"+name, 1)
			if c.then != "" {
				tamper(t, there, c.then)
			}
			refused(t, name, there, c.says, "serve --check", "migrate up", "serve")
		})
	}
	t.Run("triggers", func(t *testing.T) {
		for _, statement := range []string{"CREATE DATABASE triggers", "CREATE USER small@'127.0.0.1' IDENTIFIED BY 'x'",
			"GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES ON triggers.* TO small@'127.0.0.1'"} {
			tamper(t, url, statement)
		}
		refused(t, "triggers", "mysql://small:x@tcp("+live.Addr()+")/triggers", "may not create the triggers that protect the ledger",
			"serve --check")
	})
}
