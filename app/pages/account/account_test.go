package account_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// TestOwnAccountAsksForThePassword asks even right after sign-in, because somebody else may be sitting at the desk.
func TestOwnAccountAsksForThePassword(t *testing.T) {
	s := apptest.SqliteSite(t)
	b := s.SignedIn("bob", models.Bonus)
	refused := b.Post("/account", "/account/second-factor/removal", url.Values{"password": {"wrong"}})
	require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
	require.Contains(t, refused.Find("#confirm-password-wrong").Text(), "not your password")
	require.Equal(t, http.StatusSeeOther,
		b.Post("/account", "/account/second-factor/removal", url.Values{"password": {apptest.Password}}).Status)
}

// An account created at the command line has no profile, and can choose colors like any other.
func TestThemeWithoutAProfile(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		_, err := s.Store.CreateStaff(t.Context(), models.System,
			models.Staff{Username: "ann", Name: "Ann", Role: models.Administrator, PasswordHash: apptest.PasswordHash()})
		require.NoError(t, err)
		ann := s.Browser("198.51.100.1")
		require.Equal(t, "/", ann.SignIn("ann", apptest.Password).Location)
		require.Equal(t, "UTC", ann.Get("/account").Find("input[name=zone]").AttrOr("value", ""))
		require.Equal(t, "/staff", ann.Post("/staff", "/account/theme", url.Values{"theme": {"dark"}, "back": {"/staff"}}).
			Location)
		require.Equal(t, "dark", ann.Get("/staff").Find("html").AttrOr("data-bs-theme", ""))
	})
}
