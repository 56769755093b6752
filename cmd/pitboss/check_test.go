package main

import (
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/testing/storetest"
)

// serve --check finds every problem at once and serve finds the same, before the database is touched. Each is one line.
func TestCheckNamesEveryProblem(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer taken.Close()
		shared := port(t) // each engine's own: both check at the same time whether they can listen
		environ := environment(url,
			"PITBOSS_CALLBACK_PATH=wallet",
			"PITBOSS_CALLBACK_ADDR="+taken.Addr().String(), "PITBOSS_ADMIN_ADDR="+shared,
			"PITBOSS_METRICS_ADDR="+shared,
			"PITBOSS_CALLBACK_ALOW=10.0.0.0/8", "PITBOSS_LEDGER_KEY_FLIE=/secret", "PITBOSS_SOMETHING_ELSE_ENTIRELY=1",
			"PITBOSS_DECIMAL_COMMA=perhaps",
		)
		for i, args := range [][]string{{"serve"}, {"serve", "--check"}} {
			status, out, errs := command(t, environ, args...)
			require.Equal(t, 1, status)
			require.Empty(t, out)
			list := []string{
				"PITBOSS_CALLBACK_ADDR: listen tcp " + taken.Addr().String() + ": bind: address already in use",
				": listen tcp " + shared + ": bind: address already in use",
				`the callback path "wallet"`,
				"PITBOSS_CALLBACK_ALOW is not a setting; correct its name or remove it",
				"PITBOSS_LEDGER_KEY_FLIE is not a setting; correct its name or remove it",
				"PITBOSS_SOMETHING_ELSE_ENTIRELY is not a setting; correct its name or remove it",
				"PITBOSS_DECIMAL_COMMA: it must be on or off",
			}
			for _, says := range list[2*i:] { // a port may be taken while an instance is running
				require.Equal(t, 1, strings.Count(errs, says), "%s\n\n%s", says, errs)
			}
			require.Equal(t, 8-2*i, strings.Count(errs, "\n"), "a heading and the problems:\n%s", errs)
		}
		status, out, _ := command(t, environment(url), "migrate", "status")
		require.Zero(t, status)
		require.NotContains(t, out, "applied", "the database was changed")
	})
}

// serve --check succeeds before the first start and while an instance runs.
func TestCheckWithARunningInstance(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		environ := environment(url, ports(t)...)
		status, out, errs := command(t, environ, "serve", "--check")
		require.Zero(t, status, errs)
		require.Contains(t, out, "No problem was found")
		start(t, environ)
		status, out, errs = command(t, environ, "serve", "--check")
		require.Zero(t, status, errs)
		require.Contains(t, out, "PITBOSS_CALLBACK_ADDR: a Pitboss that is running, or another program, listens on ")
		require.NotContains(t, out, "pending")
		status, _, errs = command(t, append(environ, "PITBOSS_LEDGER_KEY=another key than before"), "serve", "--check")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "PITBOSS_LEDGER_KEY is not the key")
		status, _, errs = command(t, environ, "serve")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "address already in use")

		elsewhere := append(slices.Clone(environ), ports(t)...)
		for _, key := range []string{"PITBOSS_SESSION_KEY", "PITBOSS_SECRET_KEY"} {
			wrong := append(slices.Clone(elsewhere), key+"=another-key-than-the-running-instance-has")
			for _, args := range [][]string{{"serve", "--check"}, {"serve"}} {
				status, _, errs = command(t, wrong, args...)
				require.Equal(t, 1, status)
				require.Contains(t, errs, key+" is not the key of the instance at ")
				require.NotContains(t, errs, "another-key")
			}
		}
		storetest.DropTriggers(t, url)
		status, out, errs = command(t, elsewhere, "serve", "--check")
		require.Zero(t, status, errs)
		require.Contains(t, out, "Triggers that protect the ledger are missing, so nothing stops UPDATE of ")
		status, _, errs = command(t, append(elsewhere, "PITBOSS_MIGRATE_DATABASE_URL=mysql://nobody:wrong@tcp(127.0.0.1:1)/x"),
			"serve", "--check")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "PITBOSS_MIGRATE_DATABASE_URL: ")
		require.NotContains(t, errs, "wrong")
	})
}

// A PITBOSS variable that no command reads is a problem for every command, unless tests use it.
func TestMisspelledVariables(t *testing.T) {
	status, _, errs := command(t, environment("sqlite://x", "PITBOSS_LEDGER_KYE=x"), "verify")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "PITBOSS_LEDGER_KYE is not a setting; correct its name or remove it")
	_, err := config.Load[config.Server](environment("sqlite://x", "PITBOSS_SECRET_KEY_PREVIOUS_FILE=", "PITBOSS_TEST_MYSQL_DSN=x"))
	require.NoError(t, err)
	_, err = config.Load[config.Server](environment("sqlite://x", "PITBOSS_SERVICE_PORT=1"))
	require.ErrorContains(t, err, "PITBOSS_SERVICE_PORT is not a setting")
}

// With an account that may not change the schema, migrations are refused with the database's own words.
func TestMigrateWithoutPrivileges(t *testing.T) {
	alongside(t)
	database, admin, url := privateMariaDB(t)
	status, out, errs := command(t, environment(url), "migrate", "status")
	require.Zero(t, status, errs)
	require.NotContains(t, out, "pending")
	for _, statement := range []string{
		"CREATE DATABASE another_one", "GRANT SELECT, INSERT, UPDATE, DELETE ON `another\\_one`.* TO pitboss@'127.0.0.1'",
	} {
		_, err := admin.Exec(statement)
		require.NoError(t, err)
	}
	environ := environment(strings.TrimSuffix(url, "pitboss") + "another_one")
	status, out, errs = command(t, environ, "migrate", "status")
	require.Zero(t, status, errs)
	require.Contains(t, out, "pending")
	for _, args := range [][]string{{"migrate", "up"}, {"serve"}} {
		status, _, errs = command(t, environ, args...)
		require.Equal(t, 1, status)
		require.Contains(t, errs, "CREATE command denied to user 'pitboss'")
	}
	environ = append(environ, "PITBOSS_MIGRATE_DATABASE_URL=mysql://"+database.DSN("another_one"))
	status, _, errs = command(t, environ, "migrate", "up")
	require.Zero(t, status, errs)
}
