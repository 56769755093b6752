package callbacks_test

import (
	"context"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
	"pitboss/models"
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
	m := newStore(t)
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

// A server that is told to stop while it starts does not serve forever.
func TestListenAfterShutdown(t *testing.T) {
	server, err := callbacks.New(required(), newStore(t))
	require.NoError(t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, server.Shutdown(t.Context()))
	served := make(chan error, 1)
	go func() { served <- server.Listen(ln) }()
	select {
	case err := <-served:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("it still serves")
	}
}

// journaled counts the callbacks that it is given, slowly, as a busy database would.
type journaled struct{ callbacks atomic.Int64 }

func (j *journaled) LogCallbacks(ctx context.Context, list []models.Callback) error {
	select {
	case <-time.After(300 * time.Millisecond):
	case <-ctx.Done():
		return ctx.Err()
	}
	j.callbacks.Add(int64(len(list)))
	return nil
}

// The callback log of those who were answered is written, although another callback takes longer than the server waits.
func TestShutdownWritesTheLogBesideAHangingCallback(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	var calls atomic.Int64
	j := &journaled{}
	d := open(t, failing{func(context.Context) error {
		if calls.Add(1) == 2 {
			close(entered)
			<-leave
		}
		return nil
	}}, func(c *callbacks.Config) { c.Journal = j })
	d.call(t, wire.Withdraw, bet("anna", "much", "t1"))
	answered := make(chan answer, 1)
	go func() { answered <- d.call(t, wire.Withdraw, bet("anna", "1.00", "t2")) }()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, d.server.Shutdown(ctx), context.Canceled)
	assert.Positive(t, j.callbacks.Load())
	close(leave)
	<-answered
}
