package listener

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"
)

// peer is a connection from any address.
type peer struct {
	net.Conn
	addr net.TCPAddr
}

func (p *peer) RemoteAddr() net.Addr { return &p.addr }
func (p *peer) Close() error         { return nil }

// An IPv6 network has 2^64 addresses, but no more connections than a single IPv4 address.
func TestAttackManyAddressesOfOneNetwork(t *testing.T) {
	g := New(Config{MaxConnections: 1000, PerAddress: 3})
	admitted := func(ip string) bool { return g.admit(&peer{addr: net.TCPAddr{IP: net.ParseIP(ip), Port: 1}}) != nil }
	for _, row := range []struct {
		ip   string
		want bool
	}{
		{"2001:db8::1", true}, {"2001:db8::2", true}, {"2001:db8:0:0:ffff::3", true}, {"2001:db8::4", false},
		{"2001:db8:0:1::1", true},
		{"192.0.2.1", true}, {"::ffff:192.0.2.1", true}, {"192.0.2.1", true}, {"::ffff:192.0.2.1", false}, {"192.0.2.2", true},
	} {
		require.Equal(t, row.want, admitted(row.ip), row.ip)
	}
}

// If a connection is cut just as a request arrives, the request is not answered as if it had succeeded.
func TestCutConnectionIsNotAnswered(t *testing.T) {
	g := New(Config{MaxConnections: 4, PerAddress: 4})
	server := &fasthttp.Server{
		Handler: func(*fasthttp.RequestCtx) { t.Error("a request on a connection that was cut is handled") },
	}
	g.Serve(server, func(*fasthttp.RequestCtx) {})
	ours, theirs := net.Pipe()
	defer theirs.Close()
	c := g.admit(ours).(*conn)
	c.state.Store(cut)
	served := make(chan error, 1)
	go func() { served <- server.ServeConn(c) }()
	_, err := io.WriteString(theirs, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(theirs), nil)
	require.Error(t, err, "%v", response)
	require.True(t, errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe), err)
	<-served
}
