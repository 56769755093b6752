package callbacks_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
)

// openFor starts a server with a memory in which anna has 100.00, and returns it with a signed GetBalance request for her.
func openFor(t testing.TB, change ...func(*callbacks.Config)) (*testServer, string) {
	m := newStore(t)
	m.create(t, "anna", 10000)
	return open(t, m, change...), signed(t, wire.GetBalance, balanceOf("anna"), key)
}

func TestMethodsAndPaths(t *testing.T) {
	d, body := openFor(t)
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"POST", "/GetBalance", 200},
		{"POST", "/GetBalance?x=1", 200},
		{"GET", "/GetBalance", 405},
		{"PUT", "/GetBalance", 405},
		{"DELETE", "/GetBalance", 405},
		{"OPTIONS", "/GetBalance", 405},
		{"HEAD", "/GetBalance", 405},
		{"GET", "/", 404},
		{"POST", "/", 404},
		{"POST", "/getbalance", 404},
		{"POST", "/GETBALANCE", 404},
		{"POST", "/GetBalance/", 404},
		{"POST", "/x/GetBalance", 404},
		{"POST", "//GetBalance", 200}, // the base address ends with a slash
		{"POST", "///GetBalance", 404},
		{"POST", "/Get%42alance", 404},
		{"POST", "/Rollback", 404},
	} {
		request, err := http.NewRequestWithContext(t.Context(), c.method, d.url+c.path, strings.NewReader(body))
		require.NoError(t, err)
		got := d.do(t, request)
		assert.Equal(t, c.status, got.status, "%s %s", c.method, c.path)
		assert.Equal(t, "application/json", got.header.Get("Content-Type"), "%s %s", c.method, c.path)
		switch {
		case c.status == 200:
			assert.Equal(t, has("100.00"), got.body)
		case c.method != "HEAD":
			assert.Equal(t, wrongInput, got.body, "%s %s", c.method, c.path)
		}
	}
	assert.EqualValues(t, 5, d.server.Counters().Refused(405))
	assert.EqualValues(t, 9, d.server.Counters().Refused(404))
	assert.EqualValues(t, 3, d.server.Counters().Answered(wire.GetBalance, wire.Success))
}

func TestPathPrefix(t *testing.T) {
	d, body := openFor(t, func(c *callbacks.Config) { c.Path = "/v1/WalletService" })
	require.True(t, strings.HasSuffix(d.url, "/v1/WalletService"))
	assert.Equal(t, has("100.00"), d.post(t, "/GetBalance", body).body)
	d.url = "http://" + d.addr
	assert.Equal(t, 404, d.post(t, "/GetBalance", body).status)
	assert.Equal(t, 404, d.post(t, "/v1/walletservice/GetBalance", body).status)
}

func TestContentTypeIsIgnored(t *testing.T) {
	d, body := openFor(t)
	for _, contentType := range []string{
		"", "application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
		"multipart/form-data", "nonsense",
		"application/json; charset=utf-16",
	} {
		assert.Equal(t, has("100.00"), d.post(t, "/GetBalance", body, "Content-Type", contentType).body, contentType)
	}
}

func TestEncodedBodiesAreRefused(t *testing.T) {
	d, body := openFor(t)
	for _, encoding := range []string{"gzip", "deflate", "br", "zstd", "gzip, gzip", "identity, gzip"} {
		got := d.post(t, "/GetBalance", body, "Content-Encoding", encoding)
		assert.Equal(t, 200, got.status, encoding)
		assert.Equal(t, wrongInput, got.body, encoding)
	}
	assert.Equal(t, has("100.00"), d.post(t, "/GetBalance", body, "Content-Encoding", "identity").body, "which is none")
}

func TestAnswersCarryARequestID(t *testing.T) {
	d, body := openFor(t)
	first := d.post(t, "/GetBalance", body).header.Get("X-Request-ID")
	second := d.post(t, "/nowhere", body, "X-Request-ID", "theirs").header.Get("X-Request-ID")
	assert.Regexp(t, `^[0-9a-f]{13}-[0-7][0-9a-f]{7}-1$`, first)
	assert.Regexp(t, `^[0-9a-f]{13}-[0-7][0-9a-f]{7}-2$`, second)
}

// padded returns a Withdraw's body of exactly n bytes.
func padded(t testing.TB, n int) string {
	body := strings.TrimSuffix(signed(t, wire.GetBalance, balanceOf("anna"), key), "}") + `,"x":"`
	return body + strings.Repeat("x", n-len(body)-2) + `"}`
}

func TestLongBodies(t *testing.T) {
	d, _ := openFor(t)
	assert.Equal(t, has("100.00"), d.post(t, "/GetBalance", padded(t, callbacks.MaxBodyBytes)).body)
	assert.Equal(t, wrongInput, d.post(t, "/GetBalance", strings.Repeat("x", callbacks.MaxBodyBytes)).body)
	// One more byte still gets an answer. The server closes the connection without reading the body, so a client that only
	// writes may get an error; this one reads the answer.
	for _, framing := range []string{
		fmt.Sprintf("Content-Length: %d\r\n\r\n", callbacks.MaxBodyBytes+1),
		"Content-Length: 99999999999\r\n\r\n",
	} {
		got := d.raw(t, "POST /GetBalance HTTP/1.1\r\nHost: x\r\n"+framing)
		assert.Equal(t, 200, got.status)
		assert.Equal(t, wrongInput, got.body)
	}
	chunked := d.raw(t, "POST /GetBalance HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"+
		fmt.Sprintf("%x\r\n", callbacks.MaxBodyBytes+1))
	assert.Equal(t, wrongInput, chunked.body)
	// The server still serves others.
	assert.Equal(t, has("100.00"), d.call(t, wire.GetBalance, balanceOf("anna")).body)
}

// raw sends bytes over a new connection and returns the first answer, and whether the connection was then closed.
func (d *testServer) raw(t testing.TB, text string) answer {
	t.Helper()
	conn, err := net.Dial("tcp", d.addr)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = io.WriteString(conn, text)
	require.NoError(t, err)
	return readAnswer(t, bufio.NewReader(conn))
}

func readAnswer(t testing.TB, r *bufio.Reader) answer {
	t.Helper()
	response, err := http.ReadResponse(r, nil)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, string(body), response.Header, response.Close}
}

func TestBrokenRequests(t *testing.T) {
	d, body := openFor(t)
	n := len(body)
	for name, c := range map[string]struct {
		head   string
		status int
	}{
		"two conflicting lengths": {
			fmt.Sprintf("POST /GetBalance HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nContent-Length: 5\r\n\r\n", n), 400,
		},
		"a negative length":         {"POST /GetBalance HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400},
		"a length that is no digit": {"POST /GetBalance HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n", 400},
		"an unknown coding":         {"POST /GetBalance HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: rot13\r\n\r\n", 400},
		"a header without colon":    {"POST /GetBalance HTTP/1.1\r\nHost: x\r\nrubbish\r\n\r\n", 400},
		"a space before the colon": {fmt.Sprintf("POST /GetBalance HTTP/1.1\r\nHost: x\r\nContent-Length : %d\r\n\r\n", n),
			400},
		"no request at all": {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
		"too long a header": {"POST /GetBalance HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 20<<10) + "\r\n\r\n",
			431},
	} {
		got := d.raw(t, c.head+body)
		assert.Equal(t, c.status, got.status, name)
		assert.Equal(t, wrongInput, got.body, name)
	}
}

func TestChunksAndContinue(t *testing.T) {
	d, body := openFor(t)
	half := len(body) / 2
	got := d.raw(t, fmt.Sprintf("POST /GetBalance HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "+
		"chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n",
		half, body[:half], len(body)-half, body[half:]))
	assert.Equal(t, has("100.00"), got.body)

	conn, err := net.Dial("tcp", d.addr)
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /GetBalance HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		len(body))
	require.NoError(t, err)
	r := bufio.NewReader(conn)
	line, err := r.ReadString('\n')
	require.NoError(t, err)
	assert.Contains(t, line, "100")
	_, err = r.ReadString('\n')
	require.NoError(t, err)
	_, err = io.WriteString(conn, body)
	require.NoError(t, err)
	assert.Equal(t, has("100.00"), readAnswer(t, r).body)
}

// Consecutive requests on a connection must not see each other's memory.
func TestPipelinedRequests(t *testing.T) {
	m := newStore(t)
	var text strings.Builder
	for _, user := range []string{"anna", "bert-with-a-longer-name", "c"} {
		body := signed(t, wire.GetBalance, balanceOf(user), key)
		fmt.Fprintf(&text, "POST /GetBalance HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	m.create(t, "anna", 100)
	m.create(t, "bert-with-a-longer-name", 200)
	m.create(t, "c", 300)
	d := open(t, m)
	conn, err := net.Dial("tcp", d.addr)
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, text.String())
	require.NoError(t, err)
	r := bufio.NewReader(conn)
	for _, want := range []string{"1.00", "2.00", "3.00"} {
		assert.Equal(t, has(want), readAnswer(t, r).body)
	}
}

// closed waits until the server closes the connection, and returns what it sent before that.
func closed(t testing.TB, conn net.Conn) string {
	t.Helper()
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(20*time.Second)))
	said, err := io.ReadAll(conn)
	require.NoError(t, err, "the connection was not closed")
	return string(said)
}

func TestSlowClientsAreDropped(t *testing.T) {
	d, body := openFor(t, func(c *callbacks.Config) {
		c.ReadTimeout, c.IdleTimeout = 100*time.Millisecond,
			100*time.Millisecond
	})
	for name, text := range map[string]string{
		"nothing sent":  "",
		"half a header": "POST /GetBalance HTTP/1.1\r\nHost: x\r\n",
		"half a body": fmt.Sprintf("POST /GetBalance HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body),
			body[:10]),
	} {
		conn, err := net.Dial("tcp", d.addr)
		require.NoError(t, err)
		_, err = io.WriteString(conn, text)
		require.NoError(t, err)
		if said := closed(t, conn); said != "" {
			assert.True(t, strings.HasPrefix(said, "HTTP/1.1 408"), "%s: %s", name, said)
		}
		conn.Close()
	}
	conn, err := net.Dial("tcp", d.addr)
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /GetBalance HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(t, err)
	assert.Contains(t, closed(t, conn), has("100.00"), "an idle connection is closed after its answer")
}
