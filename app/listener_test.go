package app_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app"
	"pitboss/app/uploads"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// The platform's page warns about settings that are less safe than they could be, and every page names the version.
func TestWarningsAndVersionAreShown(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t, func(cfg *app.Config, _ *app.Deps) {
		cfg.Version, cfg.Platform.Warnings = "1.2.3", []string{"Any address may send callbacks."}
	})
	require.Equal(t, "Pitboss 1.2.3", s.Browser("").Get("/signin").Find("footer.pb-version").Text())
	ann := s.SignedIn("ann", models.Administrator)
	require.Zero(t, apptest.SqliteSite(t).SignedIn("ann", models.Administrator).Get("/platform").Find(".pb-note.wait").Length())
	require.Contains(t, ann.Get("/platform").Find(".pb-note.wait").Text(), "Any address may send callbacks.")
	for _, path := range []string{"/", "/platform", "/nowhere", "/account"} {
		require.Equal(t, "Pitboss 1.2.3", ann.Get(path).Find("footer.pb-version").Text(), path)
	}
}

// Behind a proxy, the forwarded address has to be allowed, for every request.
func TestAllowedNetworksOfTheSite(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	s.Allow = append(s.Allow, netip.MustParsePrefix("198.51.100.0/24"))
	for from, want := range map[string]int{"198.51.100.7": http.StatusOK, "203.0.113.7": http.StatusForbidden,
		"198.51.100.7, 203.0.113.7": http.StatusForbidden, "nonsense": http.StatusForbidden} {
		page := s.Browser(from).Get("/signin")
		require.Equal(t, want, page.Status, from)
		if want == http.StatusForbidden {
			require.Contains(t, page.Find(".pb-error").Text(), "can add your network to the allowed ones", from)
		}
	}
}

// How large a request may be depends on who sends it and on its address.
func TestSizesOfBodies(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	sofia := s.SignedIn("sofia", models.Support)
	stranger := s.Browser("")
	file := "user_id,currency\n" +
		strings.Repeat("# a comment that is longer than anybody may send who is not signed in\n", 3000)
	for _, row := range []struct {
		who  *apptest.Browser
		path string
		size int
		want int
	}{
		{stranger, "/signin", web.AnybodysBody, http.StatusRequestEntityTooLarge},
		{sofia, "/account/profile", web.AnybodysBody, http.StatusForbidden}, // it is read, and has no token
		{sofia, "/account/profile", web.FormBody, http.StatusRequestEntityTooLarge},
		{sofia, "/campaigns/preview", web.FormBody, http.StatusRequestEntityTooLarge}, // which support may not import
		{sofia, "/players/imports/preview", web.FormBody, http.StatusForbidden},
	} {
		require.Equal(t, row.want, sendSized(row.who, row.path, row.size+1), "%s with %d bytes", row.path, row.size+1)
	}
	require.Greater(t, len(file), web.AnybodysBody)
	require.Equal(t, http.StatusUnprocessableEntity, sofia.Upload("big.csv", file).Status, "it is read")

	fields := strings.Repeat("a&", web.MaxFields)
	request, err := http.NewRequest(http.MethodPost, s.Base.String()+"/account/profile", strings.NewReader(fields))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	require.Equal(t, http.StatusRequestEntityTooLarge, sofia.Send(request).Status)

	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("username=ann&password=x"))
	require.NoError(t, z.Close())
	request, err = http.NewRequest(http.MethodPost, s.Base.String()+"/signin", &packed)
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Content-Encoding", "gzip")
	refused := stranger.Send(request)
	require.Equal(t, http.StatusUnsupportedMediaType, refused.Status)
	require.Contains(t, refused.Find(".pb-error").Text(), "Compressed requests are not accepted")
}

// Even if somebody who is signed in opens many connections, only uploads.AtOnce large uploads are in memory at a time.
func TestAttackUploadsAtOnce(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	sofia := s.SignedIn("sofia", models.Support)
	cookies := ""
	for _, c := range sofia.Client.Jar.Cookies(s.Base) {
		cookies += c.Name + "=" + c.Value + "; "
	}
	under := func() int {
		s.Uploads.Mu.Lock()
		defer s.Uploads.Mu.Unlock()
		return len(s.Uploads.Until)
	}
	begin := func() net.Conn {
		conn, err := net.Dial("tcp", s.Base.Host)
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
		_, err = fmt.Fprintf(conn,
			"POST /players/imports/preview HTTP/1.1\r\nHost: x\r\nCookie: %s\r\nContent-Length: %d\r\n\r\n", cookies,
			2*web.FormBody)
		require.NoError(t, err)
		return conn
	}
	var held []net.Conn
	for n := range uploads.AtOnce {
		held = append(held, begin())
		require.Eventually(t, func() bool { return under() == n+1 }, time.Minute, time.Millisecond)
	}
	// It is refused by its header. If a body were being sent, the answer could be lost in the reset of the connection.
	refused, err := http.ReadResponse(bufio.NewReader(begin()), nil)
	require.NoError(t, err)
	require.NoError(t, refused.Body.Close())
	require.Equal(t, http.StatusRequestEntityTooLarge, refused.StatusCode)
	require.Equal(t, http.StatusForbidden, sendSized(sofia, "/players/imports/preview", web.FormBody), "small bodies are read")
	require.NoError(t, held[0].Close())
	require.Eventually(t, func() bool { return under() == uploads.AtOnce-1 }, time.Minute, time.Millisecond)
	for range 3 {
		require.Equal(t, http.StatusForbidden, sendSized(sofia, "/players/imports/preview", 2*web.FormBody),
			"an upload that was answered frees its place")
	}
}

// sendSized sends a form of size bytes and returns the status of the answer. If a body is refused while it is being sent, the
// connection may be reset before the answer has arrived: then the form is sent again.
func sendSized(b *apptest.Browser, path string, size int) int {
	b.T.Helper()
	for range 50 {
		request, err := http.NewRequest(http.MethodPost, b.Site.Base.String()+path,
			strings.NewReader("a="+strings.Repeat("x", size-2)))
		require.NoError(b.T, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", "same-origin")
		response, err := b.Client.Do(request)
		if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
			continue
		}
		require.NoError(b.T, err)
		require.NoError(b.T, response.Body.Close())
		return response.StatusCode
	}
	b.T.Fatalf("%s: no answer survived the reset of its connection", path)
	return 0
}
