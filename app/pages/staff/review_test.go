package staff_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages/staff"
	"pitboss/models"
)

// Two administrators review every account once a quarter. What they decide takes effect when the second one confirms it.
func TestAccountReview(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		admin, second := s.SignedIn("ann", models.Administrator), s.SignedIn("eve", models.Administrator)
		mira := s.SignedIn("mira", models.Finance)
		id := func(username string) string {
			return strings.TrimPrefix(staff.StaffPath(apptest.StaffNamed(t, s, username).ID), "/staff/")
		}
		require.NotContains(t, admin.Get("/").Text(), "Review of accounts overdue")
		decisions := url.Values{"account-" + id("ann"): {"keep"}, "account-" + id("eve"): {"keep"}, "reason": {"quarterly"}}
		undecided := admin.Post("/staff/review", "/staff/review", decisions)
		require.Contains(t, undecided.Text(), "Decide whether mira stays")
		decisions.Set("account-"+id("mira"), "deactivate")
		myself := url.Values{"account-" + id("ann"): {"deactivate"}}
		require.Contains(t, admin.Post("/staff/review", "/staff/review", myself).Text(), "cannot deactivate yourself")
		require.Equal(t, http.StatusForbidden, mira.Get("/staff/review").Status)

		// An account that is added before the confirmation was not reviewed.
		approved := func(by *apptest.Browser, change string) string {
			if page := by.Post(change, change+"/approval", nil); page.Status != http.StatusSeeOther {
				return page.Text()
			}
			return by.Get(change).Text()
		}
		decided := func() string {
			decisions.Del("csrf")
			return admin.Post("/staff/review", "/staff/review", decisions).Location
		}
		change := decided()
		require.Contains(t, admin.Get(change).Text(), "Review of accounts")
		require.Contains(t, second.Get(change).Text(), "finance, password only")
		s.Hire("noah", models.Support)
		require.Contains(t, approved(second, change), "was changed after this request")
		second.Post(change, change+"/refusal", url.Values{"why": {"an account was added"}})
		decisions.Set("account-"+id("noah"), "keep")
		change = decided()
		require.Contains(t, approved(admin, change), "requested this yourself")
		require.Equal(t, http.StatusOK, mira.Get("/").Status)
		require.Contains(t, approved(second, change), "in effect")
		require.True(t, apptest.StaffNamed(t, s, "mira").Disabled)
		require.False(t, apptest.StaffNamed(t, s, "noah").Disabled)
		require.Contains(t, mira.Get("/").Location, "/signin")
		last, found, err := s.Store.LastReview(t.Context())
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, "eve", last.Checker.Username)

		// The next review shows what has changed since, and administrators are told that it is overdue.
		require.NoError(t, s.Store.SetStaffRole(t.Context(), models.System, apptest.StaffNamed(t, s, "noah").ID, models.Bonus))
		s.Hire("omar", models.Support)
		text := admin.Get("/staff/review").Text()
		require.Contains(t, text, "confirmed by eve")
		require.Contains(t, text, "noah support, password only bonus, password only")
		require.Contains(t, text, "omar none support, password only")
		require.NotContains(t, text, "mira")
		for range 2 { // an account that is not used for 90 days is disabled
			s.Later(47 * 24 * time.Hour)
			require.Equal(t, "/", admin.SignIn("ann", apptest.Password).Location)
		}
		require.Contains(t, admin.Get("/").Text(), "Review of accounts overdue")
		require.Contains(t, admin.Get("/staff/review").Text(), "A review is overdue")
	})
}

// A confirmed review cannot lock out its second administrator, or the last one.
func TestAttackReviewDeactivatesItsChecker(t *testing.T) {
	s := apptest.SqliteSite(t)
	admin, second := s.SignedIn("ann", models.Administrator), s.SignedIn("eve", models.Administrator)
	decisions := url.Values{"reason": {"quarterly"}}
	for username, decision := range map[string]string{"ann": "keep", "eve": "deactivate"} {
		path := staff.StaffPath(apptest.StaffNamed(t, s, username).ID)
		decisions.Set("account-"+strings.TrimPrefix(path, "/staff/"), decision)
	}
	change := admin.Post("/staff/review", "/staff/review", decisions).Location
	second.Post(change, change+"/approval", nil)
	require.Contains(t, second.Get(change).Text(), "deactivates your own account")
	require.False(t, apptest.StaffNamed(t, s, "eve").Disabled)
}
