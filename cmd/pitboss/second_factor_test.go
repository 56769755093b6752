package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/cmd/pitboss/config"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// A start with another session key says that it cannot read second factors, and serves.
func TestSecondFactorsAtTheStart(t *testing.T) {
	url := storetest.URL(t, storetest.SQLite)
	s := open(t, url)
	bob, err := s.CreateStaff(t.Context(), models.System,
		models.Staff{Username: "bob", Name: "Bob", Role: models.Finance, PasswordHash: "x"})
	require.NoError(t, err)
	settings, err := config.Load[config.Server](environment(url))
	require.NoError(t, err)
	sealer, err := credentials.NewSealer([]byte(settings.Site.SessionKey))
	require.NoError(t, err)
	require.NoError(t, s.SetStaffTOTP(t.Context(), models.System, bob.ID,
		models.SecondFactor{Sealed: sealer.Seal(bob.ID, credentials.NewTOTPSecret())}, ""))
	started := func(more ...string) string {
		t.Helper()
		settings, err := config.Load[config.Server](environment(url, more...))
		require.NoError(t, err)
		var log bytes.Buffer
		server, err := NewServer(t.Context(), settings, newLog(&console{err: &log}, "text"))
		require.NoError(t, err)
		server.Close()
		return log.String()
	}
	require.NotContains(t, started(), "cannot be read")
	require.Contains(t, started("PITBOSS_SESSION_KEY=another-session-key-of-the-tests-of-32-bytes"),
		"cannot be read with this PITBOSS_SESSION_KEY")
}
