package listener_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"pitboss/callbacks/listener"
)

const (
	eventually = time.Minute
	tick       = time.Millisecond
)

// served is a guarded server on a free port of 127.0.0.1. Clients choose their own address in 127.0.0.0/8.
type served struct {
	*testing.T
	guard *listener.Guard
	addr  string
	hold  chan struct{} // requests to /hold wait for it
	held  chan struct{} // receives a value when such a request is in progress
}

func serve(t *testing.T, config listener.Config) *served {
	t.Helper()
	s := &served{T: t, guard: listener.New(config), hold: make(chan struct{}), held: make(chan struct{}, 100)}
	server := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		switch string(ctx.Path()) {
		case "/hold":
			s.held <- struct{}{}
			<-s.hold
		case "/large":
			ctx.SetBody(make([]byte, 16<<20))
			s.held <- struct{}{}
			return
		case "/vouch":
			s.guard.Vouch(ctx.Conn())
		}
		ctx.SetBodyString("answered")
	}}
	s.guard.Serve(server, func(ctx *fasthttp.RequestCtx) { ctx.SetStatusCode(http.StatusTooManyRequests) })
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.addr = ln.Addr().String()
	done := make(chan error, 1)
	go func() { done <- server.Serve(s.guard.Listener(ln)) }()
	t.Cleanup(func() {
		ln.Close()
		require.NoError(t, <-done)
	})
	return s
}

// dial connects. If the server cuts the connection immediately, that may already be an error.
func (s *served) dial(from string) net.Conn {
	s.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.Dial("tcp", s.addr)
	if err != nil {
		require.ErrorIs(s, err, syscall.ECONNRESET)
		return cutConn{}
	}
	s.Cleanup(func() { c.Close() })
	return c
}

// ask sends a request and returns the status of the answer, or 0 if the connection was cut.
func ask(c net.Conn, path string, header ...string) int {
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n", path)
	for _, h := range header {
		fmt.Fprintf(c, "%s\r\n", h)
	}
	io.WriteString(c, "\r\n")
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

// cutConn is a connection that the server cut.
type cutConn struct{ net.Conn }

func (cutConn) Read([]byte) (int, error)  { return 0, net.ErrClosed }
func (cutConn) Write([]byte) (int, error) { return 0, net.ErrClosed }
func (cutConn) Close() error              { return nil }

func isCut(c net.Conn) bool {
	_, err := c.Read(make([]byte, 1))
	return err != nil
}

func networks(t *testing.T, text string) (n listener.Networks) {
	t.Helper()
	require.NoError(t, n.UnmarshalText([]byte(text)))
	return n
}

func TestForbiddenPeersAreCutAtAccept(t *testing.T) {
	s := serve(t, listener.Config{Allow: networks(t, "127.0.0.1"), MaxConnections: 4, PerAddress: 4})
	for range 20 {
		require.True(t, isCut(s.dial("127.0.0.2")))
	}
	require.Equal(t, http.StatusOK, ask(s.dial("127.0.0.1"), "/"))
	require.EqualValues(t, 20, s.guard.Rejected(listener.Forbidden))
	require.Equal(t, 1, s.guard.Open())
}

func TestConnectionsOfOneAddress(t *testing.T) {
	s := serve(t, listener.Config{MaxConnections: 100, PerAddress: 3})
	var kept []net.Conn
	for range 3 {
		kept = append(kept, s.dial("127.0.0.2"))
	}
	require.True(t, isCut(s.dial("127.0.0.2")))
	require.Equal(t, http.StatusOK, ask(s.dial("127.0.0.3"), "/"), "another address")
	for _, c := range kept {
		require.Equal(t, http.StatusOK, ask(c, "/"), "the open ones stay")
	}
	kept[0].Close()
	require.Eventually(t, func() bool { return ask(s.dial("127.0.0.2"), "/") == http.StatusOK }, eventually, tick)
}

// A full listener cuts the connection that has been idle longest, and never one with a request in progress.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	s := serve(t, listener.Config{MaxConnections: 8, PerAddress: 100})
	busy := s.dial("127.0.0.2")
	answered := make(chan int, 1)
	go func() { answered <- ask(busy, "/hold") }()
	<-s.held
	// Unknown peers may have six connections; besides the one with a request, five more are idle.
	var silent []net.Conn
	for range 20 {
		silent = append(silent, s.dial("127.0.0.2"))
	}
	require.Equal(t, http.StatusOK, ask(s.dial("127.0.0.3"), "/"), "a peer that sends a request is answered")
	for _, c := range silent[:15] {
		require.True(t, isCut(c))
	}
	require.EqualValues(t, 16, s.guard.Rejected(listener.Cut))
	close(s.hold)
	require.Equal(t, http.StatusOK, <-answered)
}

// When requests occupy every connection that unknown peers may have, there is still room for known peers.
func TestKnownPeersHaveReservedCapacity(t *testing.T) {
	s := serve(t, listener.Config{MaxConnections: 8, PerAddress: 100})
	require.Equal(t, http.StatusOK, ask(s.dial("127.0.0.9"), "/vouch"))
	done := make(chan int, 8)
	for range 5 { // the sixth place is the known peer's idle connection
		c := s.dial("127.0.0.2")
		go func() { done <- ask(c, "/hold") }()
		<-s.held
	}
	require.True(t, isCut(s.dial("127.0.0.3")))
	require.EqualValues(t, 1, s.guard.Rejected(listener.Full))
	require.Equal(t, http.StatusOK, ask(s.dial("127.0.0.9"), "/"))
	close(s.hold)
	for range 5 {
		require.Equal(t, http.StatusOK, <-done)
	}
}

// Peers that request large answers and read none of them do not keep others out.
func TestAttackUnreadAnswers(t *testing.T) {
	s := serve(t, listener.Config{MaxConnections: 8, PerAddress: 100, Patience: time.Millisecond})
	unread := make([]net.Conn, 6) // every connection that unknown peers may have
	for i := range unread {
		unread[i] = s.dial("127.0.0.2")
		io.WriteString(unread[i], "GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
		<-s.held
	}
	require.Eventually(t, func() bool { return ask(s.dial("127.0.0.3"), "/") == http.StatusOK }, eventually, tick)
	require.EqualValues(t, 1, s.guard.Rejected(listener.Cut))
}

// Behind a proxy the limit is the number of requests in progress per forwarded address.
func TestRequestsOfOneForwardedAddress(t *testing.T) {
	s := serve(t, listener.Config{Proxies: networks(t, "127.0.0.1"), MaxConnections: 100, PerAddress: 2})
	done := make(chan int, 2)
	for range 2 {
		c := s.dial("127.0.0.1")
		go func() { done <- ask(c, "/hold", "X-Forwarded-For: 192.0.2.1") }()
		<-s.held
	}
	require.Equal(t, http.StatusTooManyRequests, ask(s.dial("127.0.0.1"), "/", "X-Forwarded-For: 198.51.100.7, 192.0.2.1"))
	require.Equal(t, http.StatusOK, ask(s.dial("127.0.0.1"), "/", "X-Forwarded-For: 192.0.2.2"))
	require.NotZero(t, s.guard.Rejected(listener.Busy))
	close(s.hold)
	require.Equal(t, http.StatusOK, <-done)
	require.Equal(t, http.StatusOK, <-done)
}

func TestCheckBody(t *testing.T) {
	for text, want := range map[string]error{
		"Content-Length: 4": nil, "Transfer-Encoding: chunked": nil,
		"X-Note: content-length: 4\r\nTransfer-Encoding: chunked": nil,
		"Content-Length: 4\r\nTransfer-Encoding: chunked":         listener.ErrFraming,
		"transfer-encoding: chunked\r\ncontent-length: 0":         listener.ErrFraming,
		"Transfer-Encoding: identity":                             listener.ErrFraming, "Transfer-Encoding:\r\n Chunked": nil,
		"Content-Encoding: identity": nil, "Content-Encoding: gzip": listener.ErrEncoded,
		"content-encoding: identity\r\ncontent-encoding: br": listener.ErrEncoded,
		"Content-Encoding: identity, gzip":                   listener.ErrEncoded, "Content-Encoding:": nil,
	} {
		var header fasthttp.RequestHeader
		require.NoError(t, header.Read(bufio.NewReader(strings.NewReader("POST / HTTP/1.1\r\nHost: x\r\n"+text+"\r\n\r\n"))),
			text)
		require.Equal(t, want, listener.CheckBody(&header), text)
	}
}
