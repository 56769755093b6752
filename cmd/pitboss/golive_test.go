package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// The go-live checks pass against the whole server, in both dialects and on both databases, and leave the ledger intact.
func TestGoLive(t *testing.T) {
	for _, setting := range []string{"PITBOSS_WIRE=spec", "PITBOSS_WIRE=gitslotpark", "PITBOSS_DUPLICATE_RESULT=0"} {
		t.Run(setting, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, url string) {
				environ := environment(url, setting)
				server := boot(t, environ)
				s := open(t, url)
				for user, balance := range map[models.UserID]models.Amount{"tester": 10000, "poor": 100} {
					_, err := s.CreatePlayer(t.Context(), models.System,
						models.NewPlayer{UserID: user, Currency: "EUR", Balance: balance, Test: true})
					require.NoError(t, err)
				}
				status, out, errs := command(t, environ, "golive", "--callback-url", server.CallbackURL(), "--user-id",
					"tester")
				require.Zero(t, status, "%s%s", out, errs)
				require.Contains(t, out, "Passed.")
				p, _, err := s.Player(t.Context(), "tester")
				require.NoError(t, err)
				require.EqualValues(t, 10000, p.Wallet.Balance)
				status, _, errs = command(t, environ, "golive", "--callback-url", server.CallbackURL(), "--user-id", "poor")
				require.Equal(t, 1, status)
				require.Contains(t, errs, "2.00")
				status, out, _ = command(t, append(environ, "PITBOSS_SECRET_KEY=not the secret key"), "golive",
					"--callback-url", server.CallbackURL(), "--user-id", "tester")
				require.Equal(t, 1, status)
				require.NotContains(t, out, "Passed.")
				requireWhole(t, s)
			})
		})
	}
}
