package staff_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages/staff"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

func TestStaffChanges(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		admin := s.SignedIn("ann", models.Administrator)
		bob := s.SignedIn("bob", models.Finance)
		member, _, err := s.Store.StaffNamed(t.Context(), "bob")
		require.NoError(t, err)
		path := staff.StaffPath(member.ID)

		require.Equal(t, http.StatusSeeOther, admin.Post(path+"/role", path+"/role", url.Values{"role": {"support"}}).Status)
		require.Equal(t, http.StatusSeeOther, bob.Get("/").Status, "a change of role ends sessions")
		bob.SignIn("bob", apptest.Password)
		require.Contains(t, bob.Get("/").Find(".pb-who").Text(), "support")

		require.Equal(t, http.StatusUnprocessableEntity,
			admin.Post(path+"/disable", path+"/disable", url.Values{"reason": {" "}}).Status)
		found, _ := s.CaseOfOpenBet()
		require.NoError(t, s.Store.OwnCase(t.Context(), models.System, found.ID, "", "bob", ""))
		leaving := admin.Get(path + "/disable")
		require.Contains(t, leaving.Find(".pb-confirm").Text(), "Bob leaves open work. Colleagues with the support role are told.")
		require.Equal(t, "/cases/"+strconv.FormatInt(found.ID, 10), leaving.Find("[aria-label='Open work'] a").AttrOr("href", ""))
		require.Equal(t, http.StatusSeeOther,
			admin.Post(path+"/disable", path+"/disable", url.Values{"reason": {"left the company"}}).Status)
		found, _, _, err = s.Store.Case(t.Context(), found.ID)
		require.NoError(t, err)
		require.Empty(t, found.Owner)
		require.Equal(t, http.StatusSeeOther, bob.Get("/").Status)
		require.Contains(t, bob.SignIn("bob", apptest.Password).Find("[role=alert]").Text(), "disabled")
		require.Equal(t, http.StatusSeeOther, admin.Post(path+"/enable", path+"/enable", nil).Status)
		require.Equal(t, "/", bob.SignIn("bob", apptest.Password).Location)

		// At least one administrator must remain.
		ann, _, err := s.Store.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		own := func() *apptest.Answer {
			return admin.Post(staff.StaffPath(ann.ID)+"/role", staff.StaffPath(ann.ID)+"/role", url.Values{"role": {"finance"}})
		}
		require.Contains(t, own().Text(), "own role")
		require.Contains(t, admin.Post(staff.StaffPath(ann.ID)+"/disable", staff.StaffPath(ann.ID)+"/disable",
			url.Values{"reason": {"x"}}).
			Text(), "last administrator")
		eve := s.SignedIn("eve", models.Administrator)
		refused := own()
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status,
			"administrators cannot give themselves the right to move money")
		require.Contains(t, refused.Text(), "own role")
		demote := func() *apptest.Answer {
			return eve.Post(staff.StaffPath(ann.ID)+"/role", staff.StaffPath(ann.ID)+"/role", url.Values{"role": {"finance"}})
		}
		require.Contains(t, demote().Find(".invalid-feedback").Text(), "only while a third one can act")
		zoe := s.Hire("zoe", models.Administrator)
		require.Equal(t, http.StatusSeeOther, demote().Status)
		require.NoError(t, s.Store.DisableStaff(t.Context(), models.System, zoe.ID, "has left"))
		require.Equal(t, http.StatusSeeOther, admin.Get("/staff").Status)
		require.ErrorIs(t, s.Store.SetStaffRole(t.Context(), models.Actor{Name: "tester"}, apptest.StaffNamed(t, s, "eve").ID,
			models.Support), models.ErrLastAdmin)
	})
}

// TestSignedInNow follows two colleagues on the page of who is signed in. One is signed out there; the other's browser is idle
// for longer than the rules allow.
func TestSignedInNow(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ann, bob := s.SignedIn("ann", models.Administrator), s.SignedIn("bob", models.Finance)
		signedIn := func() (names []string) {
			page := ann.Get("/staff/sessions")
			apptest.RequireNothingInline(t, page)
			for _, row := range page.Find("tbody tr").EachIter() {
				names = append(names, row.Find("[data-label=Who]").Text()+" "+row.Find("[data-label=Role]").Text())
			}
			return names
		}
		require.Equal(t, http.StatusForbidden, bob.Get("/staff/sessions").Status)
		require.ElementsMatch(t, []string{"Ann admin", "Bob finance"}, signedIn())
		page := ann.Get("/staff/sessions")
		form := page.Find("tbody form")
		require.Equal(t, 1, form.Length(), "the reader’s own session has no button")
		require.Equal(t, http.StatusSeeOther, ann.Post("/staff/sessions", form.AttrOr("action", ""), nil).Status)
		require.Equal(t, []string{"Ann admin"}, signedIn())
		require.Equal(t, http.StatusSeeOther, bob.Get("/").Status, "bob is signed out")

		bob.SignIn("bob", apptest.Password)
		s.Later(time.Duration(models.DefaultSignInRules.IdleMinutes+1) * time.Minute)
		ann.SignIn("ann", apptest.Password)
		require.Equal(t, []string{"Ann admin"}, signedIn(), "bob’s browser is idle for too long")
	})
}
