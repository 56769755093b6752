package staff_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// Two administrators review every account once a quarter. The review is on record once the second one confirms it.
func TestAccountReview(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		admin, second := s.SignedIn("ann", models.Administrator), s.SignedIn("eve", models.Administrator)
		mira := s.SignedIn("mira", models.Finance)
		require.NotContains(t, admin.Get("/").Text(), "Review of accounts overdue")
		require.Equal(t, http.StatusForbidden, mira.Get("/staff/review").Status)

		// An account that was added before the confirmation was not part of the review.
		approved := func(by *apptest.Browser, change string) string {
			if page := by.Post(change, change+"/approval", nil); page.Status != http.StatusSeeOther {
				return page.Text()
			}
			return by.Get(change).Text()
		}
		sign := func() *apptest.Answer {
			return admin.Post("", "/staff/review", apptest.FieldsOf(admin.Get("/staff/review"), "main form", "reason", "quarterly"))
		}
		unseen := apptest.FieldsOf(admin.Get("/staff/review"), "main form", "reason", "quarterly")
		s.Hire("otto", models.Support)
		require.Contains(t, admin.Post("", "/staff/review", unseen).Text(), "An account has changed since you opened this page")
		change := sign().Location
		require.Contains(t, admin.Get(change).Text(), "Review of accounts")
		require.Contains(t, second.Get(change).Text(), "finance, password only")
		s.Hire("noah", models.Support)
		require.Contains(t, approved(second, change), "was changed after this request")
		second.Post(change, change+"/refusal", url.Values{"why": {"an account was added"}})
		change = sign().Location
		require.Contains(t, approved(admin, change), "requested this yourself")
		require.Contains(t, approved(second, change), "in effect")
		last, found, err := s.Store.LastReview(t.Context())
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, "eve", last.Checker.Username)

		// The next review shows the changes since, and administrators are reminded when it is overdue.
		require.NoError(t, s.Store.SetStaffRole(t.Context(), models.System, apptest.StaffNamed(t, s, "noah").ID, models.Bonus))
		s.Hire("omar", models.Support)
		require.NoError(t, s.Store.DisableStaff(t.Context(), models.System, apptest.StaffNamed(t, s, "otto").ID, "left"))
		text := admin.Get("/staff/review").Text()
		require.Contains(t, text, "confirmed by eve")
		require.Contains(t, text, "noah support, password only bonus, password only")
		require.Contains(t, text, "omar none support, password only")
		require.Contains(t, text, "otto support, password only disabled")
		for range 2 { // in two steps, because an account is disabled if it is unused for 90 days
			s.Later(47 * 24 * time.Hour)
			require.Equal(t, "/", admin.SignIn("ann", apptest.Password).Location)
		}
		require.Contains(t, admin.Get("/").Text(), "Review of accounts overdue")
		require.Contains(t, admin.Get("/staff/review").Text(), "A review is overdue")
	})
}
