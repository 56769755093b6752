package main

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/pitboss/config"
)

// TestSettingsAreInHandbook compares the handbook with the settings that the program reads: each variable has one
// row with its default, and each row names a variable.
func TestSettingsAreInHandbook(t *testing.T) {
	content, err := os.ReadFile("../../views/help/operating.md")
	require.NoError(t, err)
	rows := map[string]string{} // what is in the column "default"
	for line := range strings.Lines(string(content)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		name, isCode := codeSpan(cells[0])
		if !isCode || !strings.HasPrefix(line, "| ") {
			continue
		}
		require.Len(t, cells, 3, line)
		require.Equal(t, "`"+name+"`", cells[0], "a row names one variable")
		require.NotContains(t, rows, name, "there are two rows")
		require.Greater(t, len(cells[2]), 10, "%s: what does it mean?", name)
		rows[name] = cells[1]
	}
	defaults := defaultsInForce(t)
	for name, value := range defaults {
		if row, found := rows[name]; !found {
			t.Errorf("views/help/operating.md has no row for %s, whose default is %s", name, value)
		} else if !sameDefault(row, value) {
			t.Errorf("views/help/operating.md says that the default of %s is %s; it is %s", name, row, value)
		}
	}
	for name := range rows {
		if _, found := defaults[name]; !found {
			t.Errorf("views/help/operating.md has a row for %s, which the program does not read", name)
		}
	}
	if t.Failed() {
		return
	}
	// Names in the text outside the tables must be variables too.
	for _, word := range strings.FieldsFunc(string(content), func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') }) {
		if strings.HasPrefix(word, "PITBOSS_") {
			require.Contains(t, slices.Collect(maps.Keys(defaults)), word)
		}
	}
}

// codeSpan returns what is between the first two backquotes of a cell.
func codeSpan(cell string) (code string, found bool) {
	_, rest, found := strings.Cut(cell, "`")
	code, _, closed := strings.Cut(rest, "`")
	return code, found && closed
}

// sameDefault compares two defaults; 75s is 1m15s.
func sameDefault(row, value string) bool {
	if row == value {
		return true
	}
	a, isA := codeSpan(row)
	b, isB := codeSpan(value)
	if !isA || !isB || row != "`"+a+"`" {
		return false
	}
	x, err := time.ParseDuration(a)
	y, err2 := time.ParseDuration(b)
	return err == nil && err2 == nil && x == y
}

// defaultsInForce returns the value that each variable has if nobody sets it, from a server that was started with the required
// settings.
func defaultsInForce(t *testing.T) map[string]string {
	t.Helper()
	settings, err := config.Load[config.Server](environment("sqlite://"+filepath.Join(t.TempDir(), "pitboss.db"),
		"PITBOSS_LEDGER_KEY=", "PITBOSS_PLATFORM_URL=https://platform.example"))
	require.NoError(t, err)
	defaults := map[string]string{}
	config.EachVariable(func(f reflect.StructField, name string) {
		value := f.Tag.Get("envDefault")
		switch {
		case strings.HasSuffix(name, "_FILE"): // the twin of a variable
		case strings.Contains(f.Tag.Get("env"), ",required"):
			defaults[name] = "required"
		case value == "":
			defaults[name] = "none"
		default:
			defaults[name] = "`" + value + "`"
		}
	})

	server, err := NewServer(t.Context(), settings, newLog(&console{err: testLog{t}}, "text"))
	require.NoError(t, err)
	t.Cleanup(server.Close)
	require.Equal(t, []string{"platform.example"}, server.site.GameHosts)
	defaults["PITBOSS_GAME_HOSTS"] = "host of `PITBOSS_PLATFORM_URL`"
	defaults["PITBOSS_MIGRATE_DATABASE_URL"] = "as `PITBOSS_DATABASE_URL`" // models/store: Migrate
	return defaults
}
