package main

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPackagedSettings starts from the settings that the Debian package installs. Filled in as views/help/installing.md says, they
// are enough for pitboss serve; none has a misspelled name, and none of the secrets is in the environment file.
func TestPackagedSettings(t *testing.T) {
	files := filepath.Join("..", "dist", "files")
	unit, err := os.ReadFile(filepath.Join(files, "pitboss.service"))
	require.NoError(t, err)
	settings, err := os.ReadFile(filepath.Join(files, "pitboss.env"))
	require.NoError(t, err)

	values := map[string]string{
		"PITBOSS_AGENT_ID": "Partner01", "PITBOSS_PLATFORM_URL": "https://platform.example",
		"PITBOSS_CALLBACK_ALLOW": "192.0.2.0/24",
		"PITBOSS_PUBLIC_URL":     "https://backoffice.casino.example",
	}
	var environ []string
	for _, setting := range regexp.MustCompile(`(?m)^#?(PITBOSS_\w+)=(.*)$`).FindAllStringSubmatch(string(settings), -1) {
		require.False(t, secretVariables[setting[1]], "%s is a secret", setting[1])
		value := setting[2]
		if value == "" {
			value = values[setting[1]]
			require.NotEmpty(t, value, setting[1])
		}
		environ = append(environ, setting[1]+"="+value)
	}

	credentials := t.TempDir()
	for name, secret := range map[string]string{
		"database_url": "mysql://pitboss:password@tcp(127.0.0.1:3306)/pitboss", "secret_key": "k", "api_token": "t",
		"session_key": strings.Repeat("s", 64), "ledger_key": strings.Repeat("l", 64),
	} {
		require.Contains(t, string(unit), "LoadCredential="+name+":/etc/pitboss/credentials/"+name+"\n")
		require.NoError(t, os.WriteFile(filepath.Join(credentials, name), []byte(secret+"\n"), 0o600))
	}
	for _, setting := range regexp.MustCompile(`(?m)^Environment=(PITBOSS_\w+)=(.*)$`).FindAllStringSubmatch(string(unit), -1) {
		environ = append(environ, setting[1]+"="+strings.NewReplacer("%d", credentials, "%S", "/var/lib").Replace(setting[2]))
	}
	for _, setting := range environ {
		name, _, _ := strings.Cut(setting, "=")
		require.True(t, knownSettings()[name], "%s is not a setting", name)
	}
	_, err = load[serverSettings](environ)
	require.NoError(t, err)
}

// TestExamplesNameSettings: names of settings in examples are those that the program reads.
func TestExamplesNameSettings(t *testing.T) {
	known := knownSettings()
	for _, example := range []string{"compose.yaml", "cmd/dist/files/nginx.conf", "cmd/dist/files/haproxy.cfg",
		"cmd/dist/files/pitboss.service", "views/help/installing.md", "views/help/going-live.md"} {
		content, err := os.ReadFile(filepath.Join(repository(t), example))
		require.NoError(t, err)
		named := regexp.MustCompile(`PITBOSS_[A-Z_]*[A-Z]`).FindAllString(string(content), -1)
		require.NotEmpty(t, named, example)
		for _, name := range slices.Compact(slices.Sorted(slices.Values(named))) {
			own := example == "compose.yaml" && name == "PITBOSS_PROXY" // a variable of its own
			require.True(t, known[name] || own, "%s names %s, which is none of %s", example, name,
				slices.Sorted(maps.Keys(known)))
		}
	}
}

// knownSettings are the variables that the program reads.
func knownSettings() map[string]bool {
	known := map[string]bool{}
	for _, group := range everySetting {
		eachVariable(group, func(_ reflect.StructField, name string) { known[name], known[name+"_FILE"] = true, true })
	}
	return known
}

// TestHAProxyKeepsIdleConnections: HAProxy ends an idle connection of a client after the shorter of two times. If that is
// "timeout client", clients that trust http-keep-alive send requests into connections that are being closed.
func TestHAProxyKeepsIdleConnections(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(repository(t), "cmd/dist/files/haproxy.cfg"))
	require.NoError(t, err)
	timeout := func(name string) time.Duration {
		found := regexp.MustCompile(`(?m)^ *timeout ` + name + ` +(\S+)$`).FindSubmatch(content)
		require.NotNil(t, found, name)
		d, err := time.ParseDuration(string(found[1]))
		require.NoError(t, err)
		return d
	}
	require.Greater(t, timeout("client"), timeout("http-keep-alive"))
}
