package app_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// Requests that reach no handler are answered by the site's own page too, with its headers and a number.
func TestUnreadableRequestsGetAPage(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	for name, test := range map[string]struct {
		head string
		want int
	}{
		"a body over the limit": {
			"POST /signin HTTP/1.1\r\nContent-Length: " + strconv.Itoa(web.AnybodysBody+1) + "\r\n",
			http.StatusRequestEntityTooLarge,
		},
		"headers over the limit": {"GET /signin HTTP/1.1\r\nX-Long: " + strings.Repeat("x", 40_000) + "\r\n",
			http.StatusRequestHeaderFieldsTooLarge},
		"no HTTP":             {"Hello\r\n", http.StatusBadRequest},
		"a method of no page": {"DELETE /signin HTTP/1.1\r\nSec-Fetch-Site: same-origin\r\n", http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", s.Base.Host)
			require.NoError(t, err)
			defer conn.Close()
			_, err = io.WriteString(conn, test.head+"Host: "+s.Base.Host+"\r\n\r\n")
			require.NoError(t, err)
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			defer response.Body.Close()
			page, err := goquery.NewDocumentFromReader(response.Body)
			require.NoError(t, err)
			require.Equal(t, test.want, response.StatusCode)
			require.NotEmpty(t, page.Find(".pb-error h1").Text())
			require.Contains(t, page.Find(".pb-error .id").Text(), "req_")
			require.NotEmpty(t, response.Header.Get("Content-Security-Policy"))
			require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
		})
	}
}

// Opening an address that only accepts forms redirects to the nearest page above it. Other unknown addresses are not found.
func TestAddressesOfChangesLeadToTheirPages(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	farid := s.SignedIn("farid", models.Finance)
	for at, to := range map[string]string{
		"/statements/3/runs": "/statements/3", "/corrections/1/approval": "/corrections/1",
		"/cases/5/decision?x=1": "/cases/5", "/account/sessions/revocation": "/account",
		"/reports/days/2026-11-19/signatures": "/reports/days/2026-11-19", "/signout": "/", "/views": "/",
		"/corrections/%2F%2Fevil.example/approval": "/corrections/%2F%2Fevil.example",
	} {
		page := farid.Get(at)
		require.Equal(t, http.StatusSeeOther, page.Status, at)
		require.Equal(t, to, page.Location, at)
	}
	for _, at := range []string{"/statements/3/nothing", "/nowhere/1/approval", "/corrections/1/approval/",
		"//evil.example/approval"} {
		require.Equal(t, http.StatusNotFound, farid.Get(at).Status, at)
	}
}

// An error page has the same navigation and counts as other pages.
func TestErrorPageCountsWhatWaits(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	players := &s.Contents.Navigation[1].Items[0]
	require.Equal(t, "/players", players.Path)
	players.Counter = func(ctx context.Context, _ *web.Reader) (web.Count, error) {
		return web.Count{N: 3, Word: "waiting"}, ctx.Err()
	}
	ann := s.SignedIn("ann", models.Administrator)
	for _, path := range []string{"/", "/nowhere"} {
		require.Contains(t, ann.Get(path).Find(".pb-nav").Text(), "3 waiting", path)
	}
}
