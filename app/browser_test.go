package app_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// TestFramesAreFine checks the pages of signing in and what every page has, in both themes and at both widths.
func TestFramesAreFine(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	ann := s.Hire("ann", models.Administrator)
	s.Hire("luiza-fernandes-de-albuquerque-e", models.Finance)
	made, err := s.Store.CreateStaff(t.Context(), models.Actor{Name: "ann"}, models.Staff{
		Username: "hostile", Name: `"><script>alert(1)</script><img src=x onerror=alert(1)>`, Role: models.Support,
		PasswordHash: apptest.PasswordHash(), Profile: models.DefaultProfile,
	})
	require.NoError(t, err)
	stranger := s.Browser("203.0.113.77")
	for range 5 {
		stranger.SignIn("hostile", "wrong password")
	}

	found, _ := s.CaseOfOpenBet()
	require.NoError(t, s.Store.OwnCase(t.Context(), models.System, found.ID, "", made.Username, ""))

	browser := browsertest.Start(t)
	tab := browser.Open(t, browsertest.View{})
	tab.Go(s.Base.String() + "/signin")
	tab.RequireFine("sign-in")
	tab.Fill("#username", "ann")
	tab.Fill("#password", "not it")
	tab.Follow(".pb-signin .btn-primary")
	tab.RequireFine("sign-in-refused")
	s.SignInTab(tab, "ann")
	require.NoError(t, s.Store.SetStaffProfile(t.Context(), ann.ID,
		models.Profile{Zone: "Europe/Vienna", Theme: "system", Density: "roomy"}))
	// The pages of signing in: one asks for a code, one for a new password.
	codes, hashes := credentials.NewRecoveryCodes()
	carl, err := s.Store.CreateStaff(t.Context(), models.System,
		models.Staff{Username: "carl", Name: "Carl", Role: models.Support, PasswordHash: apptest.PasswordHash(),
			MustChangePassword: true})
	require.NoError(t, err)
	require.NoError(t, s.Store.SetStaffTOTP(t.Context(), models.Actor{Name: "ann"}, carl.ID,
		models.SecondFactor{Sealed: s.Sealer.SealTOTP(carl.ID, credentials.NewTOTPSecret()), Codes: hashes}, ""))
	other := browser.Open(t, browsertest.View{})
	other.Go(s.Base.String() + "/signin")
	other.Fill("#username", "carl")
	other.Fill("#password", apptest.Password)
	other.Follow(".pb-signin .btn-primary")
	other.Wait("#code")
	other.RequireFine("sign-in-code")
	other.Fill("#code", codes[0])
	other.Follow(".pb-signin .btn-primary")
	other.WaitText("h1", "Change your password")
	other.RequireFine("sign-in-password")

	tab.Go(s.Base.String() + "/staff?role=finance")
	tab.Click("[popovertarget=views]")
	tab.Wait("#views")
	tab.RequireFine("views")
	tab.Go(s.Base.String() + "/staff")
	tab.Fill("[data-jump]", "host")
	tab.Wait("#jump-list [role=option]")
	tab.RequireFine("jump-to")
	tab.Go(s.Base.String() + "/")
	tab.Press("?")
	tab.WaitText("#shortcuts", "Players")
	tab.RequireFine("keys")
	tab.Look(browsertest.View{Width: browsertest.Phone})
	tab.Go(s.Base.String() + "/")
	tab.Click(".pb-menu-btn")
	tab.Wait("#nav")
	require.Empty(t, tab.Axe())
	tab.Screenshot("menu-light-360")
}

// TestKeys uses the site with the keyboard only.
func TestKeys(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	s.Hire("ann", models.Administrator)
	s.Hire("bob", models.Finance)
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(tab, "ann")

	tab.Press("g")
	tab.Press("u")
	tab.WaitText("h1", "Staff")
	tab.Press("/")
	tab.Press("bob")
	tab.Wait("#jump-list [role=option]")
	tab.Press(kb.ArrowDown)
	require.Equal(t, "m-staff-0", tab.Attribute("[data-jump]", "aria-activedescendant"))
	tab.Press(kb.Enter)
	tab.WaitText("h1", "Bob")

	tab.PressCtrl("k")
	tab.Press("notices")
	tab.Wait("#jump-list [role=option]")
	tab.Press(kb.ArrowDown)
	tab.Press(kb.Enter)
	tab.WaitText("h1", "Notices")

	// Rows of lists.
	focused := func() string { return tab.Strings("[document.activeElement.textContent.trim()]")[0] }
	tab.Go(s.Base.String() + "/staff")
	tab.Press("j")
	require.Equal(t, "Ann", focused())
	tab.Press("j")
	require.Equal(t, "Bob", focused())
	tab.Press("j")
	require.Equal(t, "Bob", focused(), "it is the last row")
	tab.Press("k")
	require.Equal(t, "Ann", focused())
	tab.Press("j")
	tab.Press(kb.Enter)
	tab.WaitText("h1", "Bob")
	tab.Go(s.Base.String() + "/staff")
	tab.Click("#f-q")
	tab.Press("jkx")
	require.Equal(t, "jkx", tab.Value("#f-q"), "letters typed into a field are text")
	s.OpenManyCases(models.CaseOverflow, 2)
	worker := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(worker, "bob")
	worker.Go(s.Base.String() + "/cases")
	worker.Press("j")
	worker.Press("x")
	worker.Press("j")
	worker.Press("x")
	worker.Press("k")
	worker.Press("x")
	require.Equal(t, []string{"1"}, worker.Strings("[...document.querySelectorAll('tbody :checked')].map((box) => box.value)"))
	worker.RequireFine("cases-selected")
	worker.Press("?")
	worker.WaitText("#shortcuts", "Select the row")
	require.Empty(t, tab.Errors())
}

// TestWithoutScripts does with forms alone what scripts make quicker.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	s.Hire("ann", models.Administrator)
	s.Hire("bob", models.Finance)
	tab := browsertest.Start(t).Open(t, browsertest.View{NoScripts: true})
	s.SignInTab(tab, "ann")

	tab.Fill("[data-jump]", "bob")
	tab.Press(kb.Enter)
	tab.Wait(".pb-facts")
	require.Contains(t, tab.Text("h1"), "Bob")
	tab.Go(s.Base.String() + "/staff?role=finance")
	tab.Click("[popovertarget=views]")
	tab.Fill("#view-name", "Money people")
	tab.Follow("#views .btn-primary")
	require.Contains(t, tab.Text(".pb-flash"), "Money people")
	tab.Follow(".pb-theme")
	require.Equal(t, "light", tab.Attribute("html", "data-bs-theme"))
	require.True(t, strings.HasPrefix(tab.Address(), s.Base.String()+"/staff"))
}
