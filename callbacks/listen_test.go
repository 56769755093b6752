package callbacks_test

import (
	"context"
	"net"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
)

// exhausted is a listener whose first accepts fail, as when the process has no file descriptors left.
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
	server, err := callbacks.New(required(), m)
	require.NoError(t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	poor := &exhausted{Listener: ln}
	poor.failures.Store(3)
	served := make(chan error, 1)
	go func() { served <- server.Listen(poor) }()
	d := &testServer{url: "http://" + ln.Addr().String(), client: newClient(t)}
	assert.Equal(t, has("100.00"), d.call(t, wire.GetBalance, balanceOf("anna")).body)
	require.NoError(t, server.Shutdown(context.Background()))
	require.NoError(t, <-served)
}
