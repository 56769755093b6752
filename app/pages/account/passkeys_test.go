package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// onLocalhost gives a site a name, because browsers do not support passkeys at IP addresses.
func onLocalhost(cfg *app.Config, _ *app.Deps) {
	cfg.PublicURL.Host = "localhost:" + cfg.PublicURL.Port()
}

// Somebody adds a passkey, signs in with it, confirms an action with it, and removes it.
func TestPasskeys(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.Hire("mira", models.Finance)
		tab := browsertest.Start(t).Open(t, browsertest.View{})
		tab.Authenticator()
		s.SignInTab(tab, "mira")
		add := func(name string) {
			tab.Go(s.Base.String() + "/account/passkeys/new")
			tab.RequireFine("passkey-new")
			tab.Fill("#f-name", name)
		}
		add("blue key")
		tab.Click(".pb-narrow .btn-primary")
		tab.WaitText("h1", "Your second factor is set up")
		mira := apptest.StaffNamed(t, s, "mira")
		require.Equal(t, "password and passkey", mira.SignsInWith())
		codes, err := s.Store.RecoveryCodesLeft(t.Context(), mira.ID)
		require.NoError(t, err)
		require.EqualValues(t, 10, codes)

		signIn := func() {
			tab.Go(s.Base.String() + "/account")
			tab.Click("section[aria-label='Sign out'] button")
			tab.Wait("#username")
			tab.Fill("#username", "mira")
			tab.Fill("#password", apptest.Password)
			tab.Follow(".pb-signin .btn-primary")
			tab.Wait("[data-passkey]")
		}
		signIn()
		tab.RequireFine("passkey-sign-in")
		tab.Click("[data-passkey]")
		tab.Wait(".pb-shell")

		// The same device cannot be added twice. Removing a passkey needs the password and a second factor: here, the passkey
		// itself.
		tab.Go(s.Base.String() + "/account")
		tab.WaitText("body", "blue key")
		tab.RequireFine("passkey-account")
		tab.Follow("[aria-label='Remove the passkey blue key']")
		tab.Fill("#confirm-password", apptest.Password)
		tab.Click("[data-passkey]")
		tab.WaitText("body", "was removed")
		mira = apptest.StaffNamed(t, s, "mira")
		require.Equal(t, "password only", mira.SignsInWith())
		codes, err = s.Store.RecoveryCodesLeft(t.Context(), mira.ID)
		require.NoError(t, err)
		require.Zero(t, codes, "recovery codes go with the last second factor")

		// The authenticator's count is below the one on record, so there are two copies of the key.
		add("red key")
		tab.Click(".pb-narrow .btn-primary")
		tab.WaitText("h1", "Your second factor is set up")
		p := apptest.StaffNamed(t, s, "mira").Kept.Passkeys[0]
		used, err := s.Store.UsePasskey(t.Context(), models.System, p, 1000)
		require.NoError(t, err)
		require.True(t, used)
		signIn()
		tab.Click("[data-passkey]")
		tab.WaitText("body", "This code is wrong")
		events, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: "staff passkey copied", Span: models.Span{Limit: 9}})
		require.NoError(t, err)
		require.Len(t, events.Rows, 1)
		require.Contains(t, events.Rows[0].Reason, "had counted 1000 before")
	}, onLocalhost)
}

// Without scripts, the pages say what to use instead of a passkey.
func TestPasskeysWithoutScripts(t *testing.T) {
	s := apptest.SqliteSite(t, onLocalhost)
	b := s.SignedIn("mira", models.Finance)
	require.Contains(t, b.Get("/account/passkeys/new").Find("noscript").Text(), "authenticator app")
	without := apptest.SqliteSite(t).SignedIn("mira", models.Finance)
	require.NotContains(t, without.Get("/account").Text(), "Add a passkey", "an address has no passkeys")
	require.Equal(t, http.StatusNotFound, without.Get("/account/passkeys/new").Status)
}

// Answers that no authenticator gave to this session's challenge add no passkey and prove nothing.
func TestAttackPasskeys(t *testing.T) {
	s := apptest.SqliteSite(t, onLocalhost)
	b := s.SignedIn("mira", models.Finance)
	mira := apptest.StaffNamed(t, s, "mira")
	for name, answer := range map[string]string{"nothing": "", "no JSON": "x", "an empty answer": "{}",
		"an answer with nothing in it": `{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}`,
		"a long answer":                "{" + strings.Repeat(" ", 30_000)} {
		page := b.Post("/account/passkeys/new", "/account/passkeys", url.Values{"name": {"mine"}, "passkey": {answer}})
		require.Contains(t, page.Find("#f-name-wrong").Text(), "did not create a passkey", name)
	}
	require.NoError(t, s.Store.AddPasskey(t.Context(), models.System,
		models.Passkey{StaffID: mira.ID, Name: "key", Credential: `{"id":"AAAA","publicKey":"AAAA"}`}, nil, ""))
	theirs := s.Browser("198.51.100.5")
	require.Equal(t, "/signin/code", theirs.SignIn("mira", apptest.Password).Location)
	for _, answer := range []string{"{}", `{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"e30",` +
		`"authenticatorData":"AAAA","signature":"AAAA"}}`} {
		page := theirs.Post("/signin/code", "/signin/code", url.Values{"code": {answer}})
		require.Equal(t, http.StatusUnprocessableEntity, page.Status)
	}
	require.ErrorIs(t, s.Store.RemovePasskey(t.Context(), models.System, mira.ID, 99, ""), models.ErrPasskeyLost)
}
