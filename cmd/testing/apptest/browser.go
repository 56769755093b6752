package apptest

import (
	"pitboss/cmd/testing/browsertest"
)

// SignInTab signs somebody in on the sign-in page.
func (s *Site) SignInTab(tab *browsertest.Tab, username string) {
	s.T.Helper()
	tab.Go(s.Base.String() + "/signin")
	tab.Fill("#username", username)
	tab.Fill("#password", Password)
	tab.Follow(".pb-signin .btn-primary")
	tab.Wait(".pb-shell")
}
