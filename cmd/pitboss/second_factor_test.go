package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
)

// A start encrypts the second factors that an earlier version has left in the clear, and one with another session key says what
// it cannot read, and serves.
func TestSecondFactorsAtTheStart(t *testing.T) {
	url := storetest.URL(t, storetest.SQLite)
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
	s := open(t, url)
	bob, err := s.CreateStaff(t.Context(), models.System,
		models.Staff{Username: "bob", Name: "Bob", Role: models.Finance, PasswordHash: "x"})
	require.NoError(t, err)
	require.NoError(t, s.SetStaffTOTP(t.Context(), models.System, bob.ID, models.SecondFactor{Sealed: secret}, ""))
	started := func(more ...string) string {
		t.Helper()
		settings, err := load[serverSettings](environment(url, more...))
		require.NoError(t, err)
		var log bytes.Buffer
		server, err := NewServer(t.Context(), settings, newLog(&console{err: &log}, "text"))
		require.NoError(t, err)
		server.Close()
		return log.String()
	}

	require.Contains(t, started(), "stood in the clear")
	bob, _, err = s.Staff(t.Context(), bob.ID)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(bob.TOTPSecret, "v1:"), bob.TOTPSecret)
	again := started()
	require.NotContains(t, again, "stood in the clear")
	require.NotContains(t, again, "cannot be read")
	require.Contains(t, started("PITBOSS_SESSION_KEY=another-session-key-of-the-tests-of-32-bytes"),
		"cannot be read with this PITBOSS_SESSION_KEY")
}
