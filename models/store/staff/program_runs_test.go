package staff_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
)

func TestProgramRunsAreRecorded(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		run := func(place, version, setting, secrets string, schema int64) int64 {
			id, err := s.BeginProgramRun(t.Context(), models.ProgramRun{
				Place: place, Version: version, Settings: map[string]string{"PITBOSS_A": setting, "PITBOSS_B": "b"},
				Secrets: secrets, Schema: schema,
			})
			require.NoError(t, err)
			return id
		}
		seen := 0
		news := func() (actions []string, last models.AuditEvent) {
			list, _, err := s.AuditEvents(t.Context(), models.AuditFilter{Object: "program", Limit: 100})
			require.NoError(t, err)
			for i := len(list) - seen - 1; i >= 0; i-- {
				actions = append(actions, list[i].Action)
			}
			seen = len(list)
			return actions, list[0]
		}
		one := run("one", "1.0", "a", "x", 10)
		actions, _ := news()
		require.Equal(t, []string{"program started"}, actions)

		// A newer instance in addition: the differences are recorded, and the first run does not end.
		two := run("two", "1.1", "a", "x", 11)
		actions, last := news()
		require.Equal(t, []string{"program started", "program upgraded", "schema migrated"}, actions)
		require.JSONEq(t, `{"schema":11}`, last.After)

		// The newer instance ends, and starts again with other settings, then with another secret.
		require.NoError(t, s.EndProgramRun(t.Context(), two, false))
		two = run("two", "1.1", "changed", "x", 11)
		actions, last = news()
		require.Equal(t, []string{"program stopped", "program started", "program reconfigured"}, actions)
		require.Contains(t, last.After, `"changed":["PITBOSS_A"]`)
		require.NotContains(t, last.After, "secret")
		require.NoError(t, s.EndProgramRun(t.Context(), two, true))
		run("two", "1.1", "changed", "y", 11)
		actions, last = news()
		require.Equal(t, []string{"program stopped", "program started", "program reconfigured"}, actions)
		require.Contains(t, last.After, `"a secret changed":true`)

		// The first instance is killed, and another takes its place. The new one reports the second instance once that has been
		// silent for long.
		again := run("one", "1.1", "changed", "y", 11)
		actions, _ = news()
		require.Equal(t, []string{"program lost", "program started", "program upgraded", "schema migrated",
			"program reconfigured"}, actions)
		require.NotEqual(t, one, again)
		now = now.Add(9 * time.Minute)
		require.NoError(t, s.SeeProgramRun(t.Context(), again))
		actions, _ = news()
		require.Empty(t, actions)
		now = now.Add(2 * time.Minute)
		require.NoError(t, s.SeeProgramRun(t.Context(), again))
		actions, last = news()
		require.Equal(t, []string{"program lost"}, actions)
		require.Contains(t, last.Reason, "did not end in order")
		require.NoError(t, s.SeeProgramRun(t.Context(), again))
		actions, _ = news()
		require.Empty(t, actions, "it is reported once")
	})
}
