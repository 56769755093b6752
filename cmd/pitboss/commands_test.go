package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/testing/storetest"
)

func TestConfigurationNamesEveryProblem(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	status, out, errs := command(t, []string{
		"PITBOSS_DATABASE_URL=postgres://somebody:hunter2@there/pitboss", "PITBOSS_SECRET_KEY=open-sesame",
		"PITBOSS_SECRET_KEY_FILE=" + missing,
		"PITBOSS_AGENT_ID_FILE=" + missing, "PITBOSS_LEDGER_KEY=tooshort", "PITBOSS_CALLBACK_DEADLINE=soon",
		"PITBOSS_WIRE=morse",
		"PITBOSS_CALLBACK_ALLOW=10.0.0.0/8,home", "PITBOSS_DUPLICATE_RESULT=7",
		"PITBOSS_CALLBACK_ADDR=8081",
	}, "serve")
	require.Equal(t, 1, status)
	require.Empty(t, out)
	for _, name := range []string{
		"PITBOSS_DATABASE_URL", "PITBOSS_SECRET_KEY and PITBOSS_SECRET_KEY_FILE are both set", "PITBOSS_AGENT_ID_FILE",
		"PITBOSS_AGENT_ID is not set",
		"PITBOSS_LEDGER_KEY", "PITBOSS_CALLBACK_DEADLINE", "PITBOSS_WIRE", "PITBOSS_CALLBACK_ALLOW",
		"PITBOSS_DUPLICATE_RESULT",
		"PITBOSS_CALLBACK_ADDR",
	} {
		require.Contains(t, errs, name)
	}
	for _, secret := range []string{"open-sesame", "hunter2", "tooshort"} {
		require.NotContains(t, errs, secret)
	}
}

func TestConfigurationFromFiles(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	for text, want := range map[string]string{"open sesame\r\n": "open sesame", "\ufeffopen sesame": "open sesame", "\xff\xfeo\x00": ""} {
		require.NoError(t, os.WriteFile(secret, []byte(text), 0o600))
		settings, problems := config.Load[config.Platform]([]string{"PITBOSS_AGENT_ID=a", "PITBOSS_SECRET_KEY_FILE=" + secret})
		require.Equal(t, want == "", problems != nil && strings.Contains(problems.Error(), "save it as UTF-8"), "%q: %v", text, problems)
		require.Equal(t, want, settings.SecretKey)
	}
}

// A parser's error names a field, so a field's name must identify its variable.
func TestFieldsOfSettingsAreUnique(t *testing.T) {
	fields := map[string]string{}
	config.EachVariable(func(f reflect.StructField, variable string) {
		if f.Name == "Addr" || f.Name == "URL" || f.Type.Kind() == reflect.String { // any text can be parsed as a string
			return
		}
		require.Empty(t, fields[f.Name], "%s and %s", fields[f.Name], variable)
		fields[f.Name] = variable
	})
}

func TestCommandLine(t *testing.T) {
	for line, want := range map[string]struct {
		status int
		says   string
	}{
		"--help":                             {0, "migrate up"},
		"":                                   {2, "pitboss --help"},
		"dance":                              {2, "pitboss --help"},
		"player create --user-id a":          {2, "currency"},
		"player create --currency EUR --x y": {2, "--x"},
	} {
		t.Run(line, func(t *testing.T) {
			status, out, errs := command(t, nil, strings.Fields(line)...)
			require.Equal(t, want.status, status)
			require.Contains(t, out+errs, want.says)
		})
	}
}

func TestPlayerCommands(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		environ := environment(url)
		status, _, errs := command(t, environ, "verify")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "pitboss migrate up", "an empty database")

		status, out, _ := command(t, environ, "migrate", "status")
		require.Zero(t, status)
		require.Contains(t, out, "00001_players.sql")
		require.Contains(t, out, "pending")
		status, _, _ = command(t, environ, "migrate", "up")
		require.Zero(t, status)
		_, out, _ = command(t, environ, "migrate", "status")
		require.NotContains(t, out, "pending")

		// While a server is running.
		server := boot(t, environ)
		status, out, errs = command(t, environ, "player", "create", "--user-id", "anna", "--currency", "EUR", "--balance",
			"100.00", "--test", "--as", "ann")
		require.Zero(t, status, errs)
		require.Contains(t, out, "100.00 EUR")
		require.Contains(t, out, "test player")
		status, _, errs = command(t, environ, "player", "create", "--user-id", "anna", "--currency", "EUR")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "already exists")
		status, _, errs = command(t, environ, "player", "create", "--user-id", strings.Repeat("x", 256), "--currency", "euro",
			"--balance", "1.5")
		require.Equal(t, 1, status)
		for _, problem := range []string{"--user-id", "capital letters", "--balance"} {
			require.Contains(t, errs, problem)
		}
		file := filepath.Join(t.TempDir(), "players.csv")
		write := func(content string) { require.NoError(t, os.WriteFile(file, []byte(content), 0o600)) }
		write("user_id,currency,balance\nbert,EUR,1.00\nanna,EUR,2.00\n")
		status, out, errs = command(t, environ, "player", "import", file)
		require.Equal(t, 1, status)
		require.Empty(t, out)
		require.Contains(t, errs, "line 3")
		_, found, err := open(t, url).Player(t.Context(), "bert")
		require.NoError(t, err)
		require.False(t, found, "all or nothing")
		write("user_id,currency,balance\nbert,EUR,x\ncarl,EUR,2.00,3\n,EUR,1.00\n")
		status, _, errs = command(t, environ, "player", "import", file)
		require.Equal(t, 1, status)
		for _, line := range []string{"line 2", "line 3", "line 4"} {
			require.Contains(t, errs, line)
		}
		write("Balance;Currency;Player\n1,00;EUR;bert\n2,00;TRY;carl\n")
		status, out, errs = command(t, environ, "player", "import", file)
		require.Equal(t, 1, status, out)
		require.Contains(t, errs, "line 3: No player has the currency TRY.")
		require.Contains(t, errs, "add --sure")
		status, out, errs = command(t, environ, "player", "import", "--sure", file)
		require.Zero(t, status, errs)
		require.Contains(t, errs, "Balances have a decimal comma.")
		require.Contains(t, out, "2 players imported")

		status, out, _ = command(t, environ, "verify")
		require.Zero(t, status)
		require.Contains(t, out, "no faults found")
		status, _, errs = command(t, append(environ, "PITBOSS_LEDGER_KEY=another key than before"), "verify")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "PITBOSS_LEDGER_KEY")
		tamper(t, url, "UPDATE wallets SET balance_minor = balance_minor + 1 WHERE player_id = (SELECT id FROM players "+
			"WHERE user_id = 'carl')")
		status, out, _ = command(t, environ, "verify")
		require.Equal(t, 1, status)
		require.Contains(t, out, `"carl" has faults`)
		require.NotContains(t, out, "anna")
		require.NotNil(t, server)
	})
}

func tamper(t *testing.T, url, statement string) {
	t.Helper()
	driver, dsn, _ := strings.Cut(url, "://")
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(statement)
	require.NoError(t, err)
}

func TestVerifyWithoutKeySaysSo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		environ := environment(url, "PITBOSS_LEDGER_KEY=")
		status, _, _ := command(t, environ, "migrate", "up")
		require.Zero(t, status)
		status, out, _ := command(t, environ, "verify")
		require.Zero(t, status)
		require.Contains(t, out, "unkeyed")
	})
}

// A server on an empty database migrates it and serves.
func TestHealth(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		server := boot(t, environment(url))
		get := func(path string) (int, string) {
			r, err := http.Get(server.AdminURL() + path)
			require.NoError(t, err)
			defer r.Body.Close()
			body, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			return r.StatusCode, string(body)
		}
		status, _ := get("/healthz")
		require.Equal(t, http.StatusOK, status)
		status, body := get("/readyz")
		require.Equal(t, http.StatusOK, status)
		require.True(t, json.Valid([]byte(body)))
		r, err := http.Get(server.CallbackURL() + "/readyz")
		require.NoError(t, err)
		r.Body.Close()
		require.Equal(t, http.StatusNotFound, r.StatusCode, "the callback listener serves only callbacks")
	})
}
