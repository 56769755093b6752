package staff_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestProgramRunsAreRecorded(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		run := func(place, version, setting, other string, schema int64) int64 {
			id, err := s.BeginProgramRun(t.Context(), models.ProgramRun{
				Place: place, Version: version, Settings: map[string]string{"PITBOSS_A": setting, "PITBOSS_B": other},
				Schema: schema,
			})
			require.NoError(t, err)
			return id
		}
		last := func() (actions []string, newest models.AuditEvent) {
			list, err := s.AuditEvents(t.Context(), models.AuditFilter{Object: "program", Span: models.Span{Limit: 100}})
			require.NoError(t, err)
			for _, e := range list.Rows {
				actions = append(actions, e.Action)
			}
			return actions, list.Rows[0]
		}
		one := run("one", "1.0", "a", "x", 10)
		_, started := last()
		require.Empty(t, started.Before+started.Reason)

		// A newer instance in addition: the differences are recorded, and the first run does not end.
		two := run("two", "1.1", "a", "x", 11)
		_, started = last()
		require.Contains(t, started.Before, `"version":"1.0"`)
		require.Contains(t, started.After, `"version":"1.1"`)
		require.Contains(t, started.After, `"schema":11`)
		require.Empty(t, started.Reason)

		// The newer instance ends, and starts again with another setting.
		require.NoError(t, s.EndProgramRun(t.Context(), two, false))
		run("two", "1.1", "changed", "x", 11)
		actions, started := last()
		require.Equal(t, []string{"program started", "program stopped", "program started", "program started"}, actions)
		require.Contains(t, started.After, `"changed":["PITBOSS_A"]`)
		require.Empty(t, started.Reason)

		// The first instance is killed, and another takes its place.
		require.NoError(t, s.SeeProgramRun(t.Context(), one))
		run("one", "1.1", "changed", "y", 11)
		_, started = last()
		require.Contains(t, started.Reason, "Run 1 did not shut down cleanly")
		require.Contains(t, started.Reason, "last seen at 2026-03-14T12:00:00Z")
	})
}

// A program with another session key, or without a secret key in common, does not start beside one that is running. A rotation
// in steps of the platform's secret key goes on, and so does a start after all others have ended or fallen silent.
func TestProgramsNeedTheSameKeys(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		run := func(place, session, secret, previous string) models.ProgramRun {
			return models.ProgramRun{Place: place, Settings: map[string]string{"PITBOSS_SESSION_KEY": session,
				"PITBOSS_SECRET_KEY": secret, "PITBOSS_SECRET_KEY_PREVIOUS": previous}}
		}
		refused := func(r models.ProgramRun, variable string) {
			t.Helper()
			_, err := s.BeginProgramRun(t.Context(), r)
			var conflict models.KeyConflictError
			require.ErrorAs(t, err, &conflict)
			require.Equal(t, variable, conflict.Variable)
			require.ErrorContains(t, err, variable+" is not the key of the instance at one, which was running at 12:00:00 UTC. ")
			require.ErrorAs(t, s.CheckProgramRun(t.Context(), r), &conflict)
		}
		begin := func(r models.ProgramRun) int64 {
			t.Helper()
			require.NoError(t, s.CheckProgramRun(t.Context(), r))
			id, err := s.BeginProgramRun(t.Context(), r)
			require.NoError(t, err)
			return id
		}
		one := begin(run("one", "s", "old", "none"))
		refused(run("two", "another", "old", "none"), "PITBOSS_SESSION_KEY")
		refused(run("two", "s", "another", "none"), "PITBOSS_SECRET_KEY")
		for _, step := range []models.ProgramRun{
			run("", "s", "old", "new"), run("", "s", "new", "old"), run("", "s", "new", "none"),
		} {
			for _, place := range []string{"two", "one"} { // one instance after the other
				step.Place = place
				one = begin(step)
			}
		}
		require.NoError(t, s.EndProgramRun(t.Context(), one, false))
		now = now.Add(programGone)
		begin(run("three", "another", "another", "none"))
	})
}

// programGone is longer than a killed program counts as running.
const programGone = 3*time.Minute + time.Second
