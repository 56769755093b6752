package apptest

import (
	"database/sql"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// AlterDatabase changes a database behind the program's back, as somebody with write access could.
func AlterDatabase(t *testing.T, dbURL, query string, args ...any) {
	t.Helper()
	driver, dsn, _ := strings.Cut(dbURL, "://")
	if driver == "sqlite" {
		dsn = "file:" + dsn + "?_pragma=busy_timeout(20000)"
	}
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	defer db.Close()
	done, err := db.ExecContext(t.Context(), query, args...)
	require.NoError(t, err)
	n, err := done.RowsAffected()
	require.NoError(t, err)
	require.Positive(t, n)
}

// LinkCode returns the code from the link that a page shows.
func LinkCode(t testing.TB, page *Answer) string {
	t.Helper()
	require.Equal(t, http.StatusOK, page.Status, page.Body)
	link, err := url.Parse(page.Find(".pb-link-code .id").Text())
	require.NoError(t, err)
	require.NotEmpty(t, link.Fragment, page.Body)
	require.NotContains(t, strings.TrimSuffix(link.String(), link.Fragment), link.Fragment)
	return link.Fragment
}

// UseLink sets a password with a link.
func (b *Browser) UseLink(code, chosen string) *Answer {
	b.T.Helper()
	return b.Post("/link", "/link", url.Values{"code": {code}, "new": {chosen}, "repeat": {chosen}})
}

const ChosenPassword = "second copper window"

// PostCredit requests a credit of 5.00 for anna. secret is the password typed on the confirmation page.
func (b *Browser) PostCredit(secret string) *Answer {
	b.T.Helper()
	page := b.Post("/corrections/new", "/corrections/new",
		url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"5.00"}, "reason": {"goodwill"}, "text": {"As agreed."},
			"another": {"They lost two payments."}})
	require.Equal(b.T, http.StatusOK, page.Status, page.Body)
	done := b.Post("", "/corrections", FieldsOf(page, ".pb-confirm", "password", secret))
	require.Equal(b.T, http.StatusSeeOther, done.Status, done.Body)
	return done
}
