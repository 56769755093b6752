package db_test

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/mariadb"
	"pitboss/cmd/testing/storetest"
	"pitboss/models/store"
)

// requireRefused requires that the database of x refuses every change to append-only lines, and that none happened.
func requireRefused(t *testing.T, x *storetest.Database, db *sql.DB) {
	t.Helper()
	before := x.Digest(t)
	for _, statement := range []string{
		"UPDATE postings SET bet_minor = 1", "UPDATE postings SET hash = hash WHERE seq = 1", "DELETE FROM postings",
		"DELETE FROM postings WHERE seq = 2",
		"REPLACE INTO postings SELECT * FROM postings", "UPDATE spin_entries SET spins = 1", "DELETE FROM spin_entries",
		"REPLACE INTO spin_entries SELECT * FROM spin_entries",
		"UPDATE declined_texts SET kind = 1", "DELETE FROM declined_texts", "REPLACE INTO declined_texts SELECT * FROM declined_texts",
		"UPDATE audit_events SET reason = ''", "DELETE FROM audit_events",
		"REPLACE INTO audit_events SELECT * FROM audit_events",
	} {
		_, err := db.ExecContext(t.Context(), statement)
		require.ErrorContains(t, err, "are only added", statement)
	}
	require.Equal(t, before, x.Digest(t))
}

// storeLike opens a database as the store does.
func storeLike(t *testing.T, x *storetest.Database) *sql.DB {
	if path, ok := strings.CutPrefix(x.Config.URL, "sqlite://"); ok {
		db, err := sql.Open("sqlite", "file:"+path+"?_pragma=recursive_triggers(1)")
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		return db
	}
	return x.DB
}

func TestTheDatabaseRefusesChanges(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.BookEveryKind(t, s)
		requireRefused(t, x, storeLike(t, x))
		open, err := s.Unguarded(t.Context())
		require.NoError(t, err)
		require.Empty(t, open)

		// Triggers are created again if they are missing, and only then.
		storetest.DropTriggers(t, x.Config.URL)
		again := x.Open(t)
		requireRefused(t, x, storeLike(t, x))
		storetest.Apply(t, again, storetest.Bet("anna", "after", 1))
		storetest.RequireWhole(t, again)
	})
}

// Triggers whose definer does not exist, as in a dump restored on another server, are created again when the program starts.
func TestTriggersOfAnAbsentAccount(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.MariaDB)
	storetest.BookEveryKind(t, x.Open(t))
	for _, statement := range []string{"DROP TRIGGER postings_no_update",
		"CREATE DEFINER='gone'@'elsewhere' TRIGGER postings_no_update BEFORE UPDATE ON postings FOR EACH ROW " +
			"SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'postings are only added'"} {
		_, err := x.DB.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	_, err := x.DB.ExecContext(t.Context(), "UPDATE postings SET bet_minor = 1")
	require.ErrorContains(t, err, "definer")
	s := x.Open(t)
	requireRefused(t, x, x.DB)
	storetest.RequireWhole(t, s)
}

// Unguarded returns which changes of lines the account could make, and changes nothing.
func TestUnguarded(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.BookEveryKind(t, s)
		storetest.DropTriggers(t, x.Config.URL)
		before := x.Digest(t)
		open, err := s.Unguarded(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{
			"UPDATE of postings", "DELETE of postings",
			"UPDATE of spin_entries", "DELETE of spin_entries", "UPDATE of declined_texts", "DELETE of declined_texts",
			"UPDATE of audit_events", "DELETE of audit_events",
		}, open)
		require.Equal(t, before, x.Digest(t))
	})
}

// account creates an account with only these privileges on the database of dsn, and returns its DSN.
func account(t *testing.T, dsn, name, privileges string) string {
	t.Helper()
	config, err := mysql.ParseDSN(dsn)
	require.NoError(t, err)
	db, err := sql.Open("mysql", dsn)
	require.NoError(t, err)
	defer db.Close()
	user := fmt.Sprintf("'%s'@'%%'", name)
	for _, statement := range []string{"CREATE USER " + user + " IDENTIFIED BY 'geheim'",
		"GRANT " + privileges + " ON " + config.DBName + ".* TO " + user} {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	config.User, config.Passwd = name, "geheim"
	return config.FormatDSN()
}

// The program runs with an account that can only read and write rows; migrations have their own account.
func TestAccountsOfTheirOwn(t *testing.T) {
	t.Parallel() // it waits most of the time
	server, err := mariadb.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Kill()) })
	root := database(t, server)
	x := &storetest.Database{Engine: storetest.MariaDB, Config: store.Config{LedgerKey: storetest.LedgerKey},
		DB: storetest.OpenURL(t, "mysql://"+root)}
	x.Config.URL = "mysql://" + account(t, root, "runtime", "SELECT, INSERT, UPDATE, DELETE")

	// The account alone can do nothing with an empty database.
	s, err := store.Open(t.Context(), x.Config)
	require.NoError(t, err)
	_, err = s.Migrate(t.Context())
	require.Error(t, err)
	require.NotContains(t, err.Error(), "geheim")
	require.NoError(t, s.Close())

	x.Config.Migrate = "mysql://" + account(t, root, "owner", "ALL PRIVILEGES")
	s = x.Open(t)
	storetest.BookEveryKind(t, s)
	storetest.RequireWhole(t, s)
	open, err := s.Unguarded(t.Context())
	require.NoError(t, err)
	require.Empty(t, open)
	requireRefused(t, x, storetest.OpenURL(t, x.Config.URL))
	for _, statement := range []string{"DROP TRIGGER postings_no_update", "DROP TABLE postings", "TRUNCATE TABLE postings",
		"ALTER TABLE postings ADD COLUMN x INT"} {
		_, err := storetest.OpenURL(t, x.Config.URL).ExecContext(t.Context(), statement)
		require.ErrorContains(t, err, "denied", statement)
	}

	// Once it is migrated, the owner's account is not needed to start.
	x.Config.Migrate = ""
	storetest.RequireWhole(t, x.Open(t))

	// A migration URL that names another database, or another kind of database, is refused.
	x.Config.Migrate = "mysql://" + database(t, server)
	x.Config.URL = "mysql://" + account(t, database(t, server), "elsewhere", "SELECT, INSERT, UPDATE, DELETE")
	s, err = store.Open(t.Context(), x.Config)
	require.NoError(t, err)
	_, err = s.Migrate(t.Context())
	require.ErrorContains(t, err, "not where PITBOSS_DATABASE_URL does")
	require.NoError(t, s.Close())
	x.Config.Migrate = storetest.URL(t, storetest.SQLite)
	s, err = store.Open(t.Context(), x.Config)
	require.NoError(t, err)
	_, err = s.Migrate(t.Context())
	require.ErrorContains(t, err, "PITBOSS_MIGRATE_DATABASE_URL")
	require.NoError(t, s.Close())
}

// database creates a database on a server and returns its DSN.
func database(t *testing.T, server *mariadb.Server) string {
	t.Helper()
	name := "pitboss_test_" + strings.ToLower(rand.Text())
	db, err := sql.Open("mysql", server.DSN(""))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "CREATE DATABASE "+name)
	require.NoError(t, err)
	return server.DSN(name)
}

// With a binary log, MariaDB and MySQL let only accounts with SUPER create triggers. Migrations succeed all the same, and the
// store reports it; likewise for an account without the privilege TRIGGER.
func TestTriggersThatCannotBeMade(t *testing.T) {
	t.Parallel() // it waits most of the time
	server, err := mariadb.Start(t.TempDir(), "--log-bin=binlog", "--server-id=1")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Kill()) })
	for name, privileges := range map[string]string{"binlog": "ALL PRIVILEGES",
		"notrigger": "SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP"} {
		t.Run(name, func(t *testing.T) {
			root := database(t, server)
			x := &storetest.Database{Engine: storetest.MariaDB,
				Config: store.Config{LedgerKey: storetest.LedgerKey, URL: "mysql://" + account(t, root, name, privileges)},
				DB:     storetest.OpenURL(t, "mysql://"+root)}
			s := x.Open(t)
			storetest.BookEveryKind(t, s)
			storetest.RequireWhole(t, s)
			open, err := s.Unguarded(t.Context())
			require.NoError(t, err)
			require.Len(t, open, 8)

			// The remedy: an account with the privilege.
			x.Config.Migrate = "mysql://" + root
			x.Open(t)
			requireRefused(t, x, x.DB)
		})
	}
}
