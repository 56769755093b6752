package main

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// told returns the audit events about the program, oldest first, and their actions.
func told(t *testing.T, s *store.Store) (events []models.AuditEvent, actions []string) {
	t.Helper()
	list, err := s.AuditEvents(t.Context(), models.AuditFilter{Object: "program", Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	slices.Reverse(list.Rows)
	for _, e := range list.Rows {
		require.Equal(t, models.System.Name, e.Actor.Name)
		actions = append(actions, e.Action)
	}
	return list.Rows, actions
}

func (p *process) stop(t *testing.T) {
	t.Helper()
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.NoError(t, p.Wait())
}

// Starts, stops and changes of the configuration are in the audit log, and so is an end that could not be recorded at the time.
func TestProgramRuns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		p := start(t, environment(url, ports(t)...))
		s := open(t, url)
		p.stop(t)
		p.launch(t)
		p.kill()
		p.environ = append(p.environ, "PITBOSS_ENVIRONMENT=Elsewhere", "PITBOSS_API_TOKEN=another-token-of-the-tests")
		p.launch(t)
		events, actions := told(t, s)
		require.Equal(t, []string{"program started", "program stopped", "program started", "program started"}, actions)
		require.Contains(t, events[0].After, version)
		last := events[3]
		require.Contains(t, last.Reason, "Run "+events[2].ObjectID+" did not shut down cleanly: it was killed")
		require.Contains(t, last.After, `"changed":["PITBOSS_API_TOKEN","PITBOSS_ENVIRONMENT"]`)
		require.NotEqual(t, last.Before, last.After)
		for _, e := range events {
			for _, secret := range []string{testSecret, testToken, testLedger, "another-token", "session-key", "Elsewhere"} {
				require.NotContains(t, e.Before+e.After+e.Reason, secret)
			}
		}
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, v.Faulty)
	})
}

// Every setting that may contain a secret is one of those whose digest is keyed.
func TestSecretVariables(t *testing.T) {
	secret := regexp.MustCompile(`KEY|SECRET|TOKEN|PASSWORD|WEBHOOK|` +
		`DATABASE_URL|TRACES_URL|TRACES_HEADER|SMTP_USER|AUTH_FIELDS`)
	seen := map[string]bool{}
	config.EachVariable(func(_ reflect.StructField, name string) {
		seen[name] = true
		require.Equal(t, secret.MatchString(name), config.Secret[name], name)
	})
	for name := range config.Secret {
		require.True(t, seen[name], name)
	}
	settings, err := config.Load[config.Server](environment("sqlite:///var/pitboss.db", "PITBOSS_CALLBACK_ALLOW=10.0.0.0/8,192.0.2.1",
		"PITBOSS_SECRET_KEY_PREVIOUS=another-secret", "PITBOSS_PUBLIC_URL=https://back.example"))
	require.NoError(t, err)
	text := ""
	for _, s := range settings.SiteConfig("1").Platform.Settings {
		text += s.Variable + "=" + s.Value + "\n"
	}
	for _, line := range []string{"PITBOSS_CALLBACK_ALLOW=10.0.0.0/8 192.0.2.1/32", "PITBOSS_DATABASE_URL=set", "PITBOSS_WIRE=spec",
		"PITBOSS_PUBLIC_URL=https://back.example", "PITBOSS_CALLBACK_DEADLINE=2.5s", "PITBOSS_OIDC_ISSUER=not set",
		"PITBOSS_PLATFORM_SIGN_USER_AUTH=agentID userID gameID"} {
		require.Contains(t, text, line+"\n")
	}
	require.NotRegexp(t, "another-secret|pitboss.db|"+testSecret+"|"+testToken, text)
	settings, err = config.Load[config.Server](environment("sqlite://x"))
	require.NoError(t, err)
	before, err := settings.ProgramRun("here", version)
	require.NoError(t, err)
	again, err := settings.ProgramRun("here", version)
	require.NoError(t, err)
	require.Equal(t, before, again)
	settings.Callbacks.PreviousSecretKey = "old"
	after, err := settings.ProgramRun("here", version)
	require.NoError(t, err)
	require.Equal(t, []string{"PITBOSS_SECRET_KEY_PREVIOUS"}, after.Changed(before))
	settings.Callbacks.Allow.Any = true
	opened, err := settings.ProgramRun("here", version)
	require.NoError(t, err)
	require.Equal(t, []string{"PITBOSS_CALLBACK_ALLOW"}, opened.Changed(after))
}

func TestVersion(t *testing.T) {
	status, out, _ := command(t, nil, "version")
	require.Zero(t, status)
	require.Regexp(t, `^pitboss `+regexp.QuoteMeta(version)+`, go\S+ \w+/\w+\n$`, out)
	require.Equal(t, 1, strings.Count(out, "\n"))
}

// Commands that change the database without a member of staff are in the audit log.
func TestCommandsAreRecorded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		environ := environment(url)
		for _, line := range [][]string{{"migrate", "up"}, {"figures", "rebuild"}} {
			status, _, errs := command(t, environ, line...)
			require.Zero(t, status, errs)
		}
		list, err := open(t, url).AuditEvents(t.Context(), models.AuditFilter{Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, list.Rows, 1)
		require.Equal(t, "figures rebuilt", list.Rows[0].Action)
	})
}
