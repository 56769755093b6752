package app

import (
	"database/sql"
	"encoding/base32"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/app/pages/staff"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// dump returns all that a database has about staff and their sessions; for SQLite, the bytes of its files.
func dump(t *testing.T, dbURL string) string {
	t.Helper()
	driver, dsn, _ := strings.Cut(dbURL, "://")
	var all strings.Builder
	if driver == "sqlite" {
		for _, path := range []string{dsn, dsn + "-wal"} {
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			all.Write(content)
		}
		return all.String()
	}
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	defer db.Close()
	for _, table := range []string{"staff", "staff_sessions", "audit_events"} {
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM "+table)
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(sql.RawBytes)
		}
		for rows.Next() {
			require.NoError(t, rows.Scan(values...))
			for _, v := range values {
				fmt.Fprintf(&all, "%s\n", *v.(*sql.RawBytes))
			}
		}
		require.NoError(t, rows.Err())
		rows.Close()
	}
	return all.String()
}

// enroll sets up a second factor as its owner does, and returns its secret and recovery codes. old is a code of the factor that
// is replaced.
func (b *browser) enroll(old ...string) (secret string, codes []string) {
	b.t.Helper()
	secret = strings.ReplaceAll(b.get("/account/second-factor").Find(".pb-steps .id").Text(), " ", "")
	require.Len(b.t, secret, 32)
	done := b.post("/account/second-factor", "/account/second-factor",
		url.Values{"code": {b.site.totpCode(secret)}, "password": {password}, "old": old})
	require.Equal(b.t, http.StatusOK, done.status, done.text)
	done.Find(".pb-recovery li").Each(func(_ int, li *goquery.Selection) { codes = append(codes, li.Text()) })
	b.site.later(time.Minute)
	return secret, codes
}

// giveCode signs in with a password and a code.
func (b *browser) giveCode(username, code string) *answer {
	b.t.Helper()
	require.Equal(b.t, "/signin/code", b.signIn(username, password).location)
	return b.post("/signin/code", "/signin/code", url.Values{"code": {code}})
}

func TestSecondFactorsAreSealed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := newSite(t, dbURL)
		ann, bob := s.signedIn("ann", models.Administrator), s.signedIn("bob", models.Finance)
		requireHidden := func(secret string) {
			t.Helper()
			raw, err := base32.StdEncoding.DecodeString(secret)
			require.NoError(t, err)
			held := dump(t, dbURL)
			require.True(t, strings.Contains(held, "bob"), "the dump lacks bob")
			require.False(t, strings.Contains(held, secret), "the dump has the secret as text")
			require.False(t, strings.Contains(held, string(raw)), "the dump has the secret as bytes")
		}

		// The database has the secret neither before its first code nor after it.
		requireHidden(strings.ReplaceAll(bob.get("/account/second-factor").Find(".pb-steps .id").Text(), " ", ""))
		secret, _ := bob.enroll()
		requireHidden(secret)
		member, _, err := s.Store.StaffNamed(t.Context(), "bob")
		require.NoError(t, err)
		again := s.Sealer.Seal(member.ID, secret)
		require.NotEqual(t, member.TOTPSecret, again, "the same secret never looks the same")
		require.Equal(t, http.StatusSeeOther, s.browser("198.51.100.2").giveCode("bob", s.totpCode(secret)).status)

		// Somebody who can write to the database cannot put their own secret in a colleague's row: the row no longer matches the
		// audit log, and the seal does not open.
		mine, _ := ann.enroll()
		owner, _, err := s.Store.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		for _, planted := range []string{owner.TOTPSecret, mine, credentials.SealedMark, credentials.SealedMark + "AAAA",
			member.TOTPSecret[:len(member.TOTPSecret)-2]} {
			_, err := s.Sealer.Open(member.ID, planted)
			require.Error(t, err, planted)
			alterDB(t, dbURL, "UPDATE staff SET totp_step = -1, totp_secret = '"+planted+"' WHERE username = 'bob'")
			require.NotEqual(t, http.StatusSeeOther, s.browser("198.51.100.4").signIn("bob", password).status, planted)
			alterDB(t, dbURL, "DELETE FROM sign_in_counters")
		}
	})
}

func TestSecondFactorUnderAnotherKey(t *testing.T) {
	s := sqliteSite(t)
	admin, bob := s.signedIn("ann", models.Administrator), s.signedIn("bob", models.Finance)
	secret, codes := bob.enroll()
	member, _, err := s.Store.StaffNamed(t.Context(), "bob")
	require.NoError(t, err)
	s.Sealer, err = credentials.NewSealer([]byte("another key of the tests"))
	require.NoError(t, err)
	unreadable, err := s.UnreadableSecondFactors(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, unreadable)

	// The sign-in says what has happened and what to do, before and after a code.
	b := s.browser("198.51.100.2")
	require.Equal(t, "/signin/code", b.signIn("bob", password).location)
	asked := b.get("/signin/code")
	require.Equal(t, http.StatusOK, asked.status)
	require.Contains(t, asked.Find("[role=status]").Text(), "ask an administrator to reset your second factor")
	require.Contains(t, asked.Find("label").Text(), "Recovery code")
	refused := b.post("/signin/code", "/signin/code", url.Values{"code": {s.totpCode(secret)}})
	require.Equal(t, http.StatusUnprocessableEntity, refused.status)
	require.Contains(t, refused.Find("[role=status]").Text(), "ask an administrator to reset your second factor")

	// A recovery code signs in, and another phone can be set up, which works under the new key.
	require.Equal(t, "/", b.post("/signin/code", "/signin/code", url.Values{"code": {codes[0]}}).location)
	secret, _ = b.enroll(codes[1])
	require.Equal(t, http.StatusSeeOther, s.browser("198.51.100.3").giveCode("bob", s.totpCode(secret)).status)

	// An administrator sees it and resets it.
	s.Sealer, err = credentials.NewSealer([]byte("a third key of the tests"))
	require.NoError(t, err)
	path := staff.StaffPath(member.ID)
	require.Contains(t, admin.get(path).Find("main").Text(), "Cannot be read")
	require.Equal(t, path, admin.post(path+"/second-factor", path+"/second-factor", nil).location)
	require.Equal(t, "/", s.browser("198.51.100.4").signIn("bob", password).location)
}
