package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"pitboss/cmd/pitboss/config"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serviceManager listens on a socket as systemd does, and returns a function that returns the next message.
func serviceManager(t *testing.T, name string) func() string {
	t.Helper()
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() { socket.Close() })
	t.Setenv("NOTIFY_SOCKET", name)
	return func() string {
		told := make([]byte, 100)
		require.NoError(t, socket.SetReadDeadline(time.Now().Add(time.Minute)))
		n, err := socket.Read(told)
		require.NoError(t, err)
		return string(told[:n])
	}
}

// TestServiceManagerIsNotified serves under a service manager: it is told READY when both listeners answer, and STOPPING before
// they close.
func TestServiceManagerIsNotified(t *testing.T) {
	folder, err := os.MkdirTemp("", "notify") // short: the path of a socket has at most 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	next := serviceManager(t, filepath.Join(folder, "socket"))
	settings, err := config.Load[config.Server](environment("sqlite://" + filepath.Join(t.TempDir(), "pitboss.db")))
	require.NoError(t, err)
	server, err := NewServer(t.Context(), settings, newLog(&console{err: testLog{t}}, "text"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()

	require.Equal(t, "READY=1", next())
	answer, err := http.Get(server.AdminURL() + "/readyz")
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)
	cancel()
	require.Equal(t, "STOPPING=1", next())
	require.NoError(t, <-ended)
}

// TestServiceManagerBehindAnAbstractSocket tests the other form in which NOTIFY_SOCKET names a socket.
func TestServiceManagerBehindAnAbstractSocket(t *testing.T) {
	next := serviceManager(t, "@pitboss-test-"+filepath.Base(t.TempDir())+time.Now().Format("150405.000000"))
	require.NoError(t, notifyManager(serviceReady))
	require.Equal(t, "READY=1", next())
}

// TestServiceManagerThatIsGone: the program keeps serving.
func TestServiceManagerThatIsGone(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", filepath.Join(t.TempDir(), "nobody"))
	require.ErrorContains(t, notifyManager(serviceReady), "tell the service manager READY=1")
	t.Setenv("NOTIFY_SOCKET", "")
	require.NoError(t, notifyManager(serviceReady))
}
