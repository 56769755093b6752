package main

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/pitboss/demo"
)

// visitor reads pages of the back office as a browser without scripts does.
type visitor struct {
	client *http.Client
	base   string
}

// newVisitor signs in as a member of the demo's staff.
func newVisitor(t *testing.T, base, username string, transport http.RoundTripper) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	v := &visitor{base: base, client: &http.Client{Jar: jar, Transport: transport, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	status, page := v.ask(t.Context(), http.MethodGet, "/signin", nil)
	token := formToken(page)
	require.NotEmpty(t, token, "%d: %s", status, page)
	status, page = v.ask(t.Context(), http.MethodPost, "/signin",
		url.Values{"csrf": {token}, "username": {username}, "password": {demo.Password}})
	require.Equal(t, http.StatusSeeOther, status, page)
	return v
}

// formToken returns the token with which a page's forms are sent, or "" if the page has no form.
func formToken(page string) string {
	if found := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(page); found != nil {
		return found[1]
	}
	return ""
}

// ask returns the status and the page. The status is 0, and the page an error's text, if there was no answer.
func (v *visitor) ask(ctx context.Context, method, path string, form url.Values) (status int, page string) {
	request, err := http.NewRequestWithContext(ctx, method, v.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, err.Error()
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", v.base)
	answer, err := v.client.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(text)
}

// pages are some pages that together read most of the tables. The first player exists.
var pages = []string{"/", "/players", "/players/1", "/transactions", "/rounds", "/callbacks", "/cases", "/reports", "/audit",
	"/integrity"}
