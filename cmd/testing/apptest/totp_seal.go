package apptest

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"
)

// DumpDatabase returns everything that a database has about staff and their sessions. For SQLite, it returns the bytes of the
// files.
func DumpDatabase(t *testing.T, dbURL string) string {
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

// Enroll sets up a second factor as its owner would, and returns its secret and recovery codes. old is a code from the factor
// that it replaces.
func (b *Browser) Enroll(old ...string) (secret string, codes []string) {
	b.T.Helper()
	secret = strings.ReplaceAll(b.Get("/account/second-factor").Find(".pb-steps .id").Text(), " ", "")
	require.Len(b.T, secret, 32)
	done := b.Post("/account/second-factor", "/account/second-factor",
		url.Values{"code": {b.Site.TotpCode(secret)}, "password": {Password}, "old": old})
	require.Equal(b.T, http.StatusOK, done.Status, done.Body)
	done.Find(".pb-recovery li").Each(func(_ int, li *goquery.Selection) { codes = append(codes, li.Text()) })
	b.Site.Later(time.Minute)
	return secret, codes
}
