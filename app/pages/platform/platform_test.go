package platform_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// TestPlatformPage shows administrators what they may see, and no secret.
func TestPlatformPage(t *testing.T) {
	client, err := platform.New(platform.Config{
		URL: "https://platform.example/api/", AgentID: "LUMEN01", APIToken: "token-that-nobody-sees",
		SecretKey: "key-that-nobody-sees",
	})
	require.NoError(t, err)
	configured := func(cfg *app.Config, deps *app.Deps) {
		deps.Platform = client
		cfg.Platform.CallbackPath = "/WalletService"
		cfg.Platform.Settings = []web.SettingInForce{{Variable: "PITBOSS_WIRE", Value: "<script>alert(1)</script>"}}
	}
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClock(time.Date(2026, 11, 20, 14, 42, 30, 0, time.UTC))
		admin := s.SignedIn("ann", models.Administrator)
		page := admin.Get("/platform")
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		require.Contains(t, apptest.TextOf(page, ".pb-facts"), "Calls to the platform Active")
		require.Contains(t, apptest.TextOf(page, ".pb-facts"), "Last callback None yet")

		s.NewPlayerIn("anna", "EUR", false)
		s.UnknownGrant("anna", 20)
		s.Answered(s.Now().Add(-time.Hour), map[models.CallbackAnswer]uint64{
			{Endpoint: "GetBalance"}: 1200, {Endpoint: "Withdraw"}: 800, {Endpoint: "Withdraw", Result: 6}: 30,
			{Endpoint: "Withdraw", Result: 3}: 2, {Endpoint: "Deposit", Result: models.NoAnswer}: 1, {Result: 404}: 7,
			{Result: 403}: 1,
		})
		_, err = s.Store.SyncGames(t.Context(), models.System,
			models.GameSync{At: s.Now(),
				Error: `the platform's /gameList: refused with result 7, "><img src=x onerror=alert(1)>`}, nil)
		require.NoError(t, err)
		page = admin.Get("/platform")
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		require.Contains(t, apptest.TextOf(page, "[aria-label='Health']"), `refused with result 7, "><img`)
		endpoints := apptest.TextOf(page, "[aria-label='Callbacks to us, 24 hours']")
		require.Contains(t, endpoints, "GetBalance 1,200 1,200 0 0 0 0")
		require.Contains(t, endpoints, "Withdraw 832 800 30 0 2 0")
		require.Contains(t, endpoints, "Deposit 1 0 0 0 0 1")
		require.Contains(t, endpoints,
			"1 request came from an address that is not allowed (403), 7 requests had an unknown path (404).")
		require.Contains(t, apptest.TextOf(page, "#go-live"), "https://wallet.casino.example/WalletService")
		require.Contains(t, apptest.TextOf(page, ".pb-settings"), "PITBOSS_WIRE <script>alert(1)</script>")
		for _, secret := range []string{"token-that-nobody-sees", "key-that-nobody-sees"} {
			require.NotContains(t, page.Body, secret)
		}
		apptest.RequireNothingInline(t, page)
		require.Zero(t, page.Find("img").Length())
	}, configured)
}
