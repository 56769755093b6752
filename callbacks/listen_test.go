package callbacks_test

import (
	"context"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
)

// exhausted fails its first few accepts, as a process does that has no file descriptor left.
type exhausted struct {
	net.Listener
	failures atomic.Int32
}

func (l *exhausted) Accept() (net.Conn, error) {
	if l.failures.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
	}
	return l.Listener.Accept()
}

func TestTheServerOutlivesFailingAccepts(t *testing.T) {
	m := newMemory()
	m.create(t, "anna", 10000)
	server, err := callbacks.New(callbacks.Config{AgentID: agent, SecretKey: key}, m)
	require.NoError(t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	poor := &exhausted{Listener: ln}
	poor.failures.Store(3)
	served := make(chan error, 1)
	go func() { served <- server.Listen(poor) }()
	d := &door{url: "http://" + ln.Addr().String(), client: newClient(t)}
	assert.Equal(t, has("100.00"), d.call(t, wire.GetBalance, balanceOf("anna")).body)
	require.NoError(t, server.Shutdown(context.Background()))
	require.NoError(t, <-served)
}

// Plain HTTP that others than a proxy can reach is worth a warning.
func TestPlainHTTPWithoutAProxyIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		addr, proxies string
		warned        bool
	}{{"0.0.0.0:0", "", true}, {"0.0.0.0:0", "10.0.0.1", false}, {"127.0.0.1:0", "", false}} {
		d := openAt(t, c.addr, untouched{t}, func(config *callbacks.Config) { config.Proxies = networks(t, c.proxies) })
		d.post(t, "/nowhere", "")
		assert.Equal(t, c.warned, strings.Contains(d.log.String(), "plain HTTP"), c)
	}
}
