package callbacks_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

const (
	agent = "Partner01"
	key   = "1234567890"
)

// testServer is a running callback server, and a client of it.
type testServer struct {
	url    string
	addr   string
	server *callbacks.Server
	client *http.Client
	log    *logBuffer
}

// required returns a configuration with the settings that have no default in this package.
func required() callbacks.Config {
	return callbacks.Config{AgentID: agent, SecretKey: key, Deadline: 2500 * time.Millisecond, OutageStatus: 503}
}

// open starts a callback server on a free port and stops it when the test ends.
func open(t testing.TB, s callbacks.Store, change ...func(*callbacks.Config)) *testServer {
	t.Helper()
	return openAt(t, "127.0.0.1:0", s, change...)
}

func openAt(t testing.TB, addr string, s callbacks.Store, change ...func(*callbacks.Config)) *testServer {
	t.Helper()
	d := &testServer{log: &logBuffer{}, client: newClient(t)}
	config := required()
	config.Logger = slog.New(slog.NewJSONHandler(d.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	for _, c := range change {
		c(&config)
	}
	server, err := callbacks.New(config, s)
	require.NoError(t, err)
	ln, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	d.server, d.addr, d.url = server, ln.Addr().String(), "http://"+ln.Addr().String()+config.Path
	served := make(chan error, 1)
	go func() { served <- server.Listen(ln) }()
	t.Cleanup(func() {
		d.client.CloseIdleConnections()
		require.NoError(t, server.Shutdown(context.Background()))
		require.NoError(t, <-served)
	})
	return d
}

func newClient(t testing.TB) *http.Client {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// logBuffer collects log lines.
type logBuffer struct{ storetest.Log }

// lines returns the log lines so far. A callback's line is written just after its answer, so tests wait for it.
func (l *logBuffer) lines(t testing.TB, n int) []map[string]any {
	t.Helper()
	var lines []map[string]any
	require.Eventually(t, func() bool {
		lines = nil
		for line := range strings.Lines(l.String()) {
			var fields map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &fields))
			lines = append(lines, fields)
		}
		return len(lines) >= n
	}, time.Minute, time.Millisecond)
	require.Len(t, lines, n)
	return lines
}

// answer is a response.
type answer struct {
	status int
	body   string
	header http.Header
	closed bool // the server closes the connection
}

// post sends a body to a path, unchanged.
func (d *testServer) post(t testing.TB, path, body string, header ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.url+path, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		request.Header.Add(header[i], header[i+1])
	}
	return d.do(t, request)
}

func (d *testServer) do(t testing.TB, request *http.Request) answer {
	t.Helper()
	response, err := d.client.Do(request)
	// A body beyond the limit is refused before all of it has arrived. That may reset the connection before the client has read
	// the answer, or while it still writes; it then sends the request again.
	for (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) && request.ContentLength > callbacks.MaxBodyBytes {
		request.Body, err = request.GetBody()
		require.NoError(t, err)
		response, err = d.client.Do(request)
	}
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, string(body), response.Header, response.Close}
}

// call signs a request and sends it.
func (d *testServer) call(t testing.TB, e wire.Endpoint, r wire.Request) answer {
	t.Helper()
	return d.post(t, e.Path(), signed(t, e, r, key))
}

// signed returns a signed request's body.
func signed(t testing.TB, e wire.Endpoint, r wire.Request, key string) string {
	r.Sign = wire.Sign(key, r.SignedValues(e, nil)...)
	body, err := json.Marshal(r)
	require.NoError(t, err)
	return string(body)
}

func balanceOf(user string) wire.Request { return wire.Request{AgentID: agent, UserID: user} }

func bet(user, amount, id string) wire.Request {
	return wire.Request{AgentID: agent, UserID: user, Amount: amount, TransactionID: id, RoundID: "r1"}
}

func spin(user, amount, id string) wire.Request {
	r := bet(user, amount, id)
	r.FreeSpin = true
	return r
}

func betWin(user, bet, win, id string) wire.Request {
	return wire.Request{AgentID: agent, UserID: user, BetAmount: bet, WinAmount: win, TransactionID: id, RoundID: "r1"}
}

func undo(user, id string) wire.Request {
	return wire.Request{AgentID: agent, UserID: user, TransactionID: id}
}
