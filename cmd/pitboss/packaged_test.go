package main

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"pitboss/cmd/pitboss/config"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// TestPackagedSettings starts from the settings that the Debian package installs. Filled in as views/help/installing.md says,
// they are enough for pitboss serve; none has a misspelled name, and none of the secrets is in the environment file.
func TestPackagedSettings(t *testing.T) {
	files := "packaging"
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
		require.False(t, config.Secret[setting[1]], "%s is a secret", setting[1])
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
	_, err = config.Load[config.Server](environ)
	require.NoError(t, err)
}

// TestExamplesNameSettings: names of settings in examples are those that the program reads.
func TestExamplesNameSettings(t *testing.T) {
	known := knownSettings()
	for _, example := range []string{"compose.yaml", "cmd/pitboss/packaging/nginx.conf", "cmd/pitboss/packaging/haproxy.cfg",
		"cmd/pitboss/packaging/kubernetes.yaml", "cmd/pitboss/packaging/pitboss.service", "views/help/installing.md", "views/help/going-live.md"} {
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
	config.EachVariable(func(_ reflect.StructField, name string) { known[name], known[name+"_FILE"] = true, true })
	return known
}

// TestHAProxyKeepsIdleConnections: HAProxy ends an idle connection of a client after the shorter of two times. If that is
// "timeout client", clients that trust http-keep-alive send requests into connections that are being closed.
func TestHAProxyKeepsIdleConnections(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(repository(t), "cmd/pitboss/packaging/haproxy.cfg"))
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

// TestKubernetesExample starts from the settings of the example for Kubernetes. Its secret has the files that they name, and a
// pod has time to drain.
func TestKubernetesExample(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(repository(t), "cmd/pitboss/packaging/kubernetes.yaml"))
	require.NoError(t, err)
	secrets := map[string]string{"database_url": "mysql://pitboss:p@tcp(10.0.0.1:3306)/pitboss", "secret_key": "k", "api_token": "t",
		"migrate_database_url": "mysql://migrate:p@tcp(10.0.0.1:3306)/pitboss",
		"session_key":          strings.Repeat("s", 64), "ledger_key": strings.Repeat("l", 64)}
	dir := t.TempDir()
	for name, secret := range secrets {
		require.Contains(t, string(content), "--from-file="+name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(secret), 0o600))
	}
	type object struct {
		Kind string
		Data map[string]string
		Spec struct {
			Template struct {
				Spec struct {
					TerminationGracePeriodSeconds int `yaml:"terminationGracePeriodSeconds"`
					Containers                    []struct {
						ReadinessProbe struct {
							HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
						} `yaml:"readinessProbe"`
					}
				}
			}
		}
	}
	var environ []string
	kinds := map[string]object{}
	for documents := yaml.NewDecoder(bytes.NewReader(content)); ; {
		var o object
		if err := documents.Decode(&o); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		kinds[o.Kind] = o
		for name, value := range o.Data {
			environ = append(environ, name+"="+strings.Replace(value, "/run/pitboss", dir, 1))
		}
	}
	settings, err := config.Load[config.Server](environ)
	require.NoError(t, err)
	pod := kinds["Deployment"].Spec.Template.Spec
	require.GreaterOrEqual(t, time.Duration(pod.TerminationGracePeriodSeconds)*time.Second,
		settings.DrainDelay+drainGrace+20*time.Second)
	require.Len(t, pod.Containers, 1)
	require.Equal(t, "/readyz", pod.Containers[0].ReadinessProbe.HTTPGet.Path)
	require.Contains(t, kinds, "PodDisruptionBudget")
}

// TestPitbossctl: the command gets every file of the credentials' folder as a setting.
func TestPitbossctl(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(repository(t), "cmd/pitboss/packaging/pitbossctl"))
	require.NoError(t, err)
	dir := t.TempDir()
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "credentials"), 0o700))
	put("credentials/database_url", "x")
	put("credentials/secret_key_previous", "y")
	put("pitbossctl", strings.ReplaceAll(string(script), "/etc/pitboss/", dir+"/"))
	put("systemd-run", "#!/bin/sh\necho \"$@\" >"+dir+"/asked\nwhile [ \"$1\" != sh ]; do shift; done\n"+
		"CREDENTIALS_DIRECTORY="+dir+"/credentials exec \"$@\"\n")
	put("pitboss", "#!/bin/sh\necho \"$@\"\nenv | grep ^PITBOSS_ | sort\n")
	command := exec.Command(filepath.Join(dir, "pitbossctl"), "verify", "--as", "two words")
	command.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH")}
	said, err := command.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Equal(t, "verify --as two words\nPITBOSS_DATABASE_URL_FILE="+dir+"/credentials/database_url\n"+
		"PITBOSS_SECRET_KEY_PREVIOUS_FILE="+dir+"/credentials/secret_key_previous\n", string(said))
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	require.NoError(t, err)
	require.Contains(t, string(asked), "--property=LoadCredential=secret_key_previous:"+dir+"/credentials/secret_key_previous ")
}
