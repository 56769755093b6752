package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
)

// A database that lacks a table is named by serve --check, migrate up and serve, and an instance that runs on it is not ready.
func TestBrokenSchemaIsNamed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		server := boot(t, environment(url))
		becomes(t, server.AdminURL(), http.StatusOK)
		_, err := storetest.OpenURL(t, url).ExecContext(t.Context(), "ALTER TABLE wallets RENAME TO gone")
		require.NoError(t, err)
		require.Contains(t, becomes(t, server.AdminURL(), http.StatusServiceUnavailable)["migrations"], "table wallets is missing")
		for _, args := range [][]string{{"serve", "--check"}, {"migrate", "up"}, {"serve"}} {
			status, _, errs := command(t, environment(url), args...)
			require.Equal(t, 1, status)
			require.Contains(t, errs, "table wallets is missing")
		}
		_, err = storetest.OpenURL(t, url).ExecContext(t.Context(), "ALTER TABLE gone RENAME TO wallets")
		require.NoError(t, err)
	})
}

// A host name that passkeys refuse is a problem of the check, before serve would end because of it.
func TestCheckNamesAHostWithoutPasskeys(t *testing.T) {
	status, _, errs := command(t, environment(storetest.URL(t, storetest.SQLite), "PITBOSS_PUBLIC_URL=https://casino"), "serve", "--check")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "PITBOSS_PUBLIC_URL: passkeys need a host name with a dot")
}
