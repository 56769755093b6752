package corrections_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages/staff"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// An administrator creates an account, its owner sets a password, and another administrator approves a change, with and without
// scripts.
func TestTwoPeopleInBrowsers(t *testing.T) {
	t.Parallel()
	for name, view := range map[string]browsertest.View{"with scripts": {}, "without scripts": {NoScripts: true}} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			s.Hire("ann", models.Administrator)
			s.Hire("eve", models.Administrator)
			browser := browsertest.Start(t)
			look := func(tab *browsertest.Tab, name string) {
				if !view.NoScripts {
					tab.RequireFine(name)
				}
			}
			ann := browser.Open(t, view)
			s.SignInTab(ann, "ann")
			ann.Go(s.Base.String() + "/staff/new")
			ann.Fill("#f-username", "zoe")
			ann.Fill("#f-name", "Zoé Rivière")
			ann.Click("#f-role-3")
			look(ann, "link-new-staff")
			ann.Follow(".pb-form .btn-primary")
			ann.WaitText("h1", "Link for Zoé Rivière")
			look(ann, "link-shown")
			link := ann.Text(".pb-link-code .id")

			zoe := browser.Open(t, view)
			zoe.Go(link)
			zoe.WaitText("h1", "Set your password")
			if view.NoScripts {
				address, err := url.Parse(link)
				require.NoError(t, err)
				zoe.Fill("#link-code", address.Fragment)
			} else {
				require.Equal(t, s.Base.String()+"/link", zoe.Address(),
					"the code is neither in the address nor in the history")
			}
			zoe.Fill("#f-new", apptest.ChosenPassword)
			zoe.Fill("#f-repeat", "something else")
			zoe.Follow(".pb-signin .btn-primary")
			look(zoe, "link-refused")
			zoe.Fill("#f-new", apptest.ChosenPassword)
			zoe.Fill("#f-repeat", apptest.ChosenPassword)
			zoe.Follow(".pb-signin .btn-primary")
			zoe.WaitText("h1", "Your password is set")
			look(zoe, "link-done")
			zoe.Follow(".pb-signin .btn-primary")
			zoe.Fill("#username", "zoe")
			zoe.Fill("#password", apptest.ChosenPassword)
			zoe.Follow(".pb-signin .btn-primary")
			zoe.Wait(".pb-shell")

			ann.Go(s.Base.String() + "/settings/free-spins")
			ann.Fill("#f-grant", "80")
			ann.Fill("#f-reason", "A quiet winter")
			ann.Follow(".pb-form-foot .btn-primary")
			ann.WaitText("h1", "Free-spin limits")
			look(ann, "change-own")
			eve := browser.Open(t, view)
			s.SignInTab(eve, "eve")
			eve.Go(ann.Address())
			look(eve, "change-to-approve")
			eve.Follow(".pb-form-foot .btn-primary")
			require.Contains(t, eve.Text(".pb-flash"), "The change is in effect")
			rules, err := s.Store.GrantRules(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 80, rules.Limits.SpinsPerGrant)

			// The account cannot change anything until the second administrator confirms it.
			require.Contains(t, zoe.Text(".pb-note.wait"), "You can view pages")
			look(zoe, "unconfirmed")
			zoe.Go(s.Base.String() + "/corrections/new")
			look(zoe, "unconfirmed-refused")
			path := s.Base.String() + staff.StaffPath(apptest.StaffNamed(t, s, "zoe").ID)
			ann.Go(path)
			look(ann, "staff-unconfirmed")
			eve.Go(path)
			eve.Follow(".pb-note.wait .btn-primary")
			look(eve, "staff-confirmation")
			eve.Follow(".pb-confirm .btn-primary")
			require.Contains(t, eve.Text(".pb-flash"), "The account of Zoé Rivière is confirmed")

			if !view.NoScripts {
				require.Empty(t, ann.Errors())
				require.Empty(t, zoe.Errors())
			}
		})
	}
}
