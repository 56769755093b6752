package signin_test

import (
	"encoding/base32"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/app/pages/staff"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// giveCode signs in with a password and a code.
func giveCode(b *apptest.Browser, username, code string) *apptest.Answer {
	b.T.Helper()
	require.Equal(b.T, "/signin/code", b.SignIn(username, apptest.Password).Location)
	return b.Post("/signin/code", "/signin/code", url.Values{"code": {code}})
}

func TestSecondFactorsAreSealed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		ann, bob := s.SignedIn("ann", models.Administrator), s.SignedIn("bob", models.Finance)
		requireHidden := func(secret string) {
			t.Helper()
			raw, err := base32.StdEncoding.DecodeString(secret)
			require.NoError(t, err)
			held := apptest.DumpDatabase(t, dbURL)
			require.True(t, strings.Contains(held, "bob"), "the dump lacks bob")
			require.False(t, strings.Contains(held, secret), "the dump has the secret as text")
			require.False(t, strings.Contains(held, string(raw)), "the dump has the secret as bytes")
		}

		// The secret is not in the database, either before or after its first code.
		requireHidden(strings.ReplaceAll(bob.Get("/account/second-factor").Find(".pb-steps .id").Text(), " ", ""))
		secret, _ := bob.Enroll()
		requireHidden(secret)
		member, _, err := s.Store.StaffNamed(t.Context(), "bob")
		require.NoError(t, err)
		again := s.Sealer.SealTOTP(member.ID, secret)
		require.NotEqual(t, member.TOTPSecret, again, "the same secret never looks the same")
		require.Equal(t, http.StatusSeeOther, giveCode(s.Browser("198.51.100.2"), "bob", s.TotpCode(secret)).Status)

		// Somebody with write access to the database cannot put their own secret into a colleague's row: the row no longer
		// matches the audit log, and the seal does not open.
		mine, _ := ann.Enroll()
		owner, _, err := s.Store.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		for _, planted := range []string{owner.TOTPSecret, mine, "", "AAAA",
			member.TOTPSecret[:len(member.TOTPSecret)-2]} {
			_, err := s.Sealer.OpenTOTP(member.ID, planted)
			require.Error(t, err, planted)
			apptest.AlterDatabase(t, dbURL,
				"UPDATE staff SET totp_step = -1, totp_secret = '"+planted+"' WHERE username = 'bob'")
			require.NotEqual(t, http.StatusSeeOther, s.Browser("198.51.100.4").SignIn("bob", apptest.Password).Status, planted)
			apptest.AlterDatabase(t, dbURL, "DELETE FROM sign_in_counters")
		}
	})
}

func TestSecondFactorUnderAnotherKey(t *testing.T) {
	s := apptest.SqliteSite(t)
	admin, bob := s.SignedIn("ann", models.Administrator), s.SignedIn("bob", models.Finance)
	secret, codes := bob.Enroll()
	member, _, err := s.Store.StaffNamed(t.Context(), "bob")
	require.NoError(t, err)
	s.Sealer, err = credentials.NewSealer([]byte("another key of the tests"))
	require.NoError(t, err)

	// Before and after a code, the sign-in says what has happened and what to do.
	b := s.Browser("198.51.100.2")
	require.Equal(t, "/signin/code", b.SignIn("bob", apptest.Password).Location)
	asked := b.Get("/signin/code")
	require.Equal(t, http.StatusOK, asked.Status)
	require.Contains(t, asked.Find("[role=status]").Text(), "ask an administrator to reset your second factor")
	require.Contains(t, asked.Find("label").Text(), "Recovery code")
	refused := b.Post("/signin/code", "/signin/code", url.Values{"code": {s.TotpCode(secret)}})
	require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
	require.Contains(t, refused.Find("[role=status]").Text(), "ask an administrator to reset your second factor")

	// A recovery code signs in, and a newly set up phone works under the new key.
	require.Equal(t, "/", b.Post("/signin/code", "/signin/code", url.Values{"code": {codes[0]}}).Location)
	secret, _ = b.Enroll(codes[1])
	require.Equal(t, http.StatusSeeOther, giveCode(s.Browser("198.51.100.3"), "bob", s.TotpCode(secret)).Status)

	// An administrator sees that the second factor cannot be read, and resets it.
	s.Sealer, err = credentials.NewSealer([]byte("a third key of the tests"))
	require.NoError(t, err)
	path := staff.StaffPath(member.ID)
	require.Contains(t, admin.Get(path).Find("main").Text(), "Cannot be read")
	require.Equal(t, path, admin.Post(path+"/second-factor", path+"/second-factor", url.Values{"reason": {"lost phone"}}).Location)
	require.Equal(t, "/", s.Browser("198.51.100.4").SignIn("bob", apptest.Password).Location)
}
