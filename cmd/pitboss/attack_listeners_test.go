package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/cmd/pitboss/config"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// peakMemory returns the peak resident memory of a process, in bytes.
func (p *process) peakMemory(t *testing.T) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	require.NoError(t, err)
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			require.NoError(t, err)
			return kib << 10
		}
	}
	t.Fatal("the system does not report the peak of a process's memory")
	return 0
}

// exchange sends bytes over a new connection and returns the status of the answer. It returns 0 if the answer is lost, because
// the server may stop reading, answer and close the connection while we still write.
func exchange(t *testing.T, addr, head string, body io.Reader) int {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return 0
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	answered := make(chan int, 1)
	go func() {
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			answered <- 0
			return
		}
		defer response.Body.Close()
		io.Copy(io.Discard, response.Body)
		answered <- response.StatusCode
	}()
	if _, err := io.WriteString(conn, head); err == nil {
		io.Copy(conn, body)
	}
	return <-answered
}

// zeros is an endless body.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Nobody can make the program use much memory without signing in: not with data that is small on the wire and huge once
// unpacked, nor with millions of small pieces, nor by sheer size.
func TestAttackMemory(t *testing.T) {
	p := start(t, environment(storetest.URL(t, storetest.SQLite), ports(t)...))
	admin, wallet := p.value("PITBOSS_ADMIN_ADDR"), p.value("PITBOSS_CALLBACK_ADDR")
	const boundary = "Content-Type: multipart/form-data; boundary=b\r\n"
	part := "--b\r\nContent-Disposition: form-data; name=\"username\"\r\n\r\n"
	bomb := func(unpacked int64) string {
		var packed bytes.Buffer
		z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
		require.NoError(t, err)
		io.WriteString(z, part)
		_, err = io.CopyN(z, zeros{}, unpacked)
		require.NoError(t, err)
		io.WriteString(z, "\r\n--b--\r\n")
		require.NoError(t, z.Close())
		return packed.String()
	}
	small, large := bomb(8<<20), bomb(long[int64](256<<20, 1<<30))
	require.Less(t, len(small), 64<<10)
	fields, parts := strings.Repeat("a&", 8<<20),
		strings.Repeat("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n", 100_000)+"--b--\r\n"
	sized := func(method, path, header, body string) func() int {
		head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n", method, path, header, len(body))
		to := admin
		if path == "/GetBalance" {
			to = wallet
		}
		return func() int { return exchange(t, to, head, strings.NewReader(body)) }
	}
	const packed = "Content-Encoding: gzip\r\n"
	refusedBy := map[string]struct {
		send func() int
		want int // set if the whole request is read before it is answered
	}{
		"compressed form":  {sized("POST", "/signin", boundary+packed, small), http.StatusUnsupportedMediaType},
		"compressed query": {sized("GET", "/signin", packed, small), http.StatusUnsupportedMediaType},
		"encodings in a row": {
			sized("POST", "/signin", boundary+"Content-Encoding: identity\r\nContent-Encoding: gzip\r\n", small),
			http.StatusUnsupportedMediaType,
		},
		"large compressed form": {sized("POST", "/signin", boundary+packed, large), 0},
		"compressed statement":  {sized("POST", "/statements", boundary+packed, large), 0},
		"deflate, br and zstd": {sized("POST", "/signin", boundary+"Content-Encoding: deflate, br, zstd\r\n", small),
			http.StatusUnsupportedMediaType},
		"a form of 8 million fields": {sized("POST", "/signin", "Content-Type: application/x-www-form-urlencoded\r\n", fields),
			0},
		"a form of 100,000 parts": {sized("POST", "/signin", boundary, parts), 0},
		"an upload":               {sized("POST", "/players/imports/preview", boundary, parts), 0},
		"an endless chunk": {func() int {
			head := "POST /signin HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n" + boundary + "\r\n40000000\r\n"
			return exchange(t, admin, head, io.LimitReader(zeros{}, 64<<20))
		}, 0},
		"a large callback": {sized("POST", "/GetBalance", "", strings.Repeat("[", 1<<20)), 0},
	}
	for _, attack := range refusedBy { // so that memory allocated only once is not counted
		if attack.want != 0 {
			require.Equal(t, attack.want, attack.send())
		}
	}
	before := p.peakMemory(t)
	for name, attack := range refusedBy {
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if got := attack.send(); got != 0 && (got < 400 || got >= 500) && name != "a large callback" {
					t.Errorf("%s was answered %d", name, got)
				}
			})
		}
		group.Wait()
		grown := p.peakMemory(t) - before
		require.Less(t, grown, int64(64<<20), "%s: the peak of memory has grown by %d MiB", name, grown>>20)
	}
	t.Logf("the peak of memory was %d MiB, and grew by %d MiB", before>>20, (p.peakMemory(t)-before)>>20)
	r, err := http.Get("http://" + admin + "/readyz")
	require.NoError(t, err)
	r.Body.Close()
	require.Equal(t, http.StatusOK, r.StatusCode)
}

// Unread answers do not pile up in memory.
func TestAttackUnreadStyleSheets(t *testing.T) {
	p := start(t, environment(storetest.URL(t, storetest.SQLite), ports(t)...))
	admin := p.value("PITBOSS_ADMIN_ADDR")
	r, err := http.Get("http://" + admin + "/signin")
	require.NoError(t, err)
	page, err := io.ReadAll(r.Body)
	r.Body.Close()
	require.NoError(t, err)
	sheet := regexp.MustCompile(`/static/main-[0-9a-f]+\.css`).Find(page)
	require.NotEmpty(t, sheet)
	before := p.peakMemory(t)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.2")},
		Control: func(_, _ string, raw syscall.RawConn) error {
			return raw.Control(func(fd uintptr) { syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 2048) })
		}}
	for range 250 {
		conn, err := dialer.Dial("tcp", admin)
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, strings.Repeat("GET "+string(sheet)+" HTTP/1.1\r\nHost: x\r\n\r\n", 40))
		require.NoError(t, err)
		_, err = conn.Read(make([]byte, 1)) // it is being answered
		require.NoError(t, err)
	}
	grown := p.peakMemory(t) - before
	t.Logf("the peak of memory grew by %d MiB", grown>>20)
	require.Less(t, grown, int64(64<<20), "the peak of memory has grown by %d MiB", grown>>20)
}

// With both a length and chunks, a proxy and the program may see two different requests: the back office answers 400 and closes
// the connection.
func TestAttackLengthAndChunks(t *testing.T) {
	server := boot(t, environment(storetest.URL(t, storetest.SQLite)))
	for _, order := range []string{"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
		"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n"} {
		conn, err := net.Dial("tcp", server.adminListener.Addr().String())
		require.NoError(t, err)
		defer conn.Close()
		_, err = fmt.Fprintf(conn,
			"POST /signin HTTP/1.1\r\nHost: x\r\n%s\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", order)
		require.NoError(t, err)
		all, err := io.ReadAll(conn)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(all), "HTTP/1.1 400 "), "%s", all)
		require.Equal(t, 1, strings.Count(string(all), "HTTP/1.1 "), "the smuggled request is not answered")
	}
}

// What follows the last boundary of a form, within its length, is not read as a request: behind a proxy its answer would go to
// the next client on the same connection.
func TestAttackRequestBehindForm(t *testing.T) {
	server := boot(t, environment(storetest.URL(t, storetest.SQLite)))
	const form, smuggled = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n", "GET /healthz " +
		"HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, request := range []string{"POST /signin", "GET /signin", "POST /nowhere", "PUT /signin", "BREW /signin"} {
		for _, more := range []string{"", "Expect: 100-continue\r\n", "Transfer-Encoding: identity\r\n"} {
			// The form reader reads some way ahead. What it has not read by then begins with one of many requests.
			body := form + strings.Repeat("\r\n", 2000) + strings.Repeat(smuggled, 400)
			conn, err := net.Dial("tcp", server.adminListener.Addr().String())
			require.NoError(t, err)
			defer conn.Close()
			_, err = fmt.Fprintf(conn,
				"%s HTTP/1.1\r\nHost: x\r\n%sContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n%s",
				request, more, len(body), body)
			require.NoError(t, err)
			all, _ := io.ReadAll(conn) // the connection is closed while our bytes are unread, which is an error here
			require.LessOrEqual(t, strings.Count(strings.ReplaceAll(string(all), "HTTP/1.1 100 Continue", ""), "HTTP/1.1 "), 1,
				"%s %s", request, more)
		}
	}
}

// from returns a client whose connections come from this address, a new one for each request.
func from(t *testing.T, address string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: time.Minute}
	client := &http.Client{Timeout: time.Minute,
		Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// silence opens n connections from each of the addresses, and sends nothing, or a part of a header. Each address opens three
// times as many one after the other, and keeps the last n until stop is called.
func silence(t *testing.T, to string, n int, addresses ...string) (opened func() bool, stop func()) {
	t.Helper()
	ended := make(chan struct{})
	var group sync.WaitGroup
	var mu sync.Mutex
	tried := 0
	for _, address := range addresses {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: time.Minute}
		group.Go(func() {
			var held []net.Conn
			defer func() {
				for _, c := range held {
					c.Close()
				}
			}()
			for i := range 3 * n {
				select {
				case <-ended:
					return
				default:
				}
				c, err := dialer.Dial("tcp", to)
				if err == nil {
					if i%2 == 0 {
						io.WriteString(c, "POST /GetBalance HTTP/1.1\r\nHo")
					}
					held = append(held, c)
				}
				if len(held) > n {
					held[0].Close()
					held = held[1:]
				}
				mu.Lock()
				tried++
				mu.Unlock()
			}
			<-ended
		})
	}
	opened = func() bool {
		mu.Lock()
		defer mu.Unlock()
		return tried >= 3*n*len(addresses)
	}
	return opened, sync.OnceFunc(func() { close(ended); group.Wait() })
}

// Thousands of silent connections do not keep the platform or staff out: neither from addresses that are not allowed nor, where
// everybody is allowed, from eight unknown addresses.
func TestAttackSilentConnections(t *testing.T) {
	most := long("256", "2048")
	strangers := []string{"127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.7", "127.0.0.8",
		"127.0.0.9"}
	for name, row := range map[string]struct {
		allow, reason string
	}{
		"from forbidden addresses": {"127.0.0.1", "forbidden"},
		"where everybody may call": {"any", "cut"},
	} {
		t.Run(name, func(t *testing.T) {
			url := storetest.URL(t, storetest.SQLite)
			metrics := port(t)
			environ := append(environment(url, ports(t)...), "PITBOSS_METRICS_ADDR="+metrics,
				"PITBOSS_CALLBACK_ALLOW="+row.allow,
				"PITBOSS_CALLBACK_MAX_CONNECTIONS="+most, "PITBOSS_ADMIN_MAX_CONNECTIONS="+most)
			if row.allow != "any" {
				environ = append(environ, "PITBOSS_ADMIN_ALLOW="+row.allow)
			}
			p := start(t, environ)
			players(t, open(t, url), 1)
			request := wire.Request{AgentID: testAgent, UserID: "player-0"}
			request.Sign = wire.Sign(testSecret, request.SignedValues(wire.GetBalance, nil)...)
			body, err := json.Marshal(request)
			require.NoError(t, err)
			ours := from(t, "127.0.0.1")
			ask := func() {
				t.Helper()
				r, err := ours.Post(p.callbackURL()+"/GetBalance", "application/json", bytes.NewReader(body))
				require.NoError(t, err)
				answer, err := io.ReadAll(r.Body)
				r.Body.Close()
				require.NoError(t, err)
				require.Contains(t, string(answer), `"result":0`)
				r, err = ours.Get("http://" + p.value("PITBOSS_ADMIN_ADDR") + "/healthz")
				require.NoError(t, err)
				r.Body.Close()
				require.Equal(t, http.StatusOK, r.StatusCode)
			}
			ask()
			n := long(80, 400)
			calling, stopCalling := silence(t, p.value("PITBOSS_CALLBACK_ADDR"), n, strangers...)
			looking, stopLooking := silence(t, p.value("PITBOSS_ADMIN_ADDR"), n, strangers...)
			defer stopCalling()
			defer stopLooking()
			for asked := 0; asked < 20 || !calling() || !looking(); asked++ {
				ask()
			}
			stopCalling()
			stopLooking()
			r, err := http.Get("http://" + metrics + "/metrics")
			require.NoError(t, err)
			text, err := io.ReadAll(r.Body)
			r.Body.Close()
			require.NoError(t, err)
			for _, listener := range []string{"callbacks", "admin"} {
				require.Regexp(t, `pitboss_connections_rejected_total\{listener="`+listener+`",reason="`+row.reason+
					`"\} [1-9]`, string(text))
			}
			log, err := os.ReadFile(p.log.Name())
			require.NoError(t, err)
			require.Contains(t, string(log), "last_address=127.0.0.")
			require.Less(t, bytes.Count(log, []byte("last_address=")), 100, "the log has few lines about it")
		})
	}
}

// Metrics have a listener of their own, so that a proxy in front of the back office does not let everybody in.
func TestAttackMetricsThroughProxy(t *testing.T) {
	url := storetest.URL(t, storetest.SQLite)
	server := boot(t, environment(url, "PITBOSS_ADMIN_PROXY=127.0.0.1", "PITBOSS_METRICS_ADDR=127.0.0.1:0",
		"PITBOSS_METRICS_ALLOW=127.0.0.7"))
	for _, client := range []*http.Client{from(t, "127.0.0.1"), from(t, "127.0.0.7")} {
		request, err := http.NewRequest(http.MethodGet, server.AdminURL()+"/metrics", nil)
		require.NoError(t, err)
		request.Header.Set("X-Forwarded-For", "127.0.0.1")
		r, err := client.Do(request)
		require.NoError(t, err)
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		require.NoError(t, err)
		require.Equal(t, http.StatusNotFound, r.StatusCode)
		require.NotContains(t, string(text), "pitboss_callback")
	}
	_, err := from(t, "127.0.0.1").Get(server.metrics.URL())
	require.Error(t, err, "addresses that are not allowed are cut off")
	r, err := from(t, "127.0.0.7").Get(server.metrics.URL())
	require.NoError(t, err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), "pitboss_callback_answers_total")
	require.Contains(t, string(text), `pitboss_connections_rejected_total{listener="metrics",reason="forbidden"} 1`)
}

// Nothing is open unless somebody has opened it.
func TestAttackListenersLeftOpen(t *testing.T) {
	safe := []string{"PITBOSS_CALLBACK_ADDR=0.0.0.0:0", "PITBOSS_CALLBACK_ALLOW=192.0.2.0/24",
		"PITBOSS_CALLBACK_PROXY=192.0.2.9"}
	for name, row := range map[string]struct {
		environ []string
		says    string // empty: it starts
	}{
		"nobody is named":            {[]string{"PITBOSS_CALLBACK_ALLOW="}, "PITBOSS_CALLBACK_ALLOW is not set"},
		"everybody by a network":     {[]string{"PITBOSS_CALLBACK_ALLOW=0.0.0.0/0"}, "set it to any"},
		"everybody by an IPv6 one":   {[]string{"PITBOSS_CALLBACK_ALLOW=192.0.2.1,::/0"}, "set it to any"},
		"everybody in halves":        {[]string{"PITBOSS_CALLBACK_ALLOW=0.0.0.0/1,128.0.0.0/1"}, "set it to any"},
		"everybody on the Internet":  {[]string{"PITBOSS_CALLBACK_ALLOW=2000::/3"}, "set it to any"},
		"everybody by mapped halves": {[]string{"PITBOSS_CALLBACK_ALLOW=::ffff:0.0.0.0/97,::ffff:128.0.0.0/97"}, "set it to any"},
		"half of everybody a proxy": {
			[]string{"PITBOSS_ADMIN_PROXY=128.0.0.0/1,0.0.0.0/1"}, "PITBOSS_ADMIN_PROXY: 128.0.0.0/1 includes all or nearly all addresses",
		},
		"a proxy before loopback": {
			[]string{"PITBOSS_CALLBACK_ADDR=127.0.0.1:0", "PITBOSS_CALLBACK_PROXY=127.0.0.1", "PITBOSS_CALLBACK_ALLOW="},
			"through the proxy in PITBOSS_CALLBACK_PROXY",
		},
		"an empty list": {[]string{"PITBOSS_CALLBACK_ALLOW= , "}, "names no network"},
		"another host": {
			[]string{"PITBOSS_CALLBACK_ADDR=:0", "PITBOSS_CALLBACK_ALLOW="}, "PITBOSS_CALLBACK_ALLOW is not set",
		},
		"everybody a proxy":      {[]string{"PITBOSS_CALLBACK_PROXY=::/0"}, "includes all or nearly all addresses"},
		"plain HTTP":             {[]string{"PITBOSS_CALLBACK_PROXY="}, "PITBOSS_PLAIN_HTTP=on"},
		"plain HTTP of the site": {[]string{"PITBOSS_ADMIN_ADDR=0.0.0.0:0"}, "PITBOSS_PLAIN_HTTP=on"},
		"plain HTTP to the platform": {
			[]string{"PITBOSS_PLATFORM_URL=http://platform.example"}, "PITBOSS_PLAIN_HTTP=on",
		},
		"as it should be": {nil, ""},
		"private networks": {
			[]string{"PITBOSS_CALLBACK_ALLOW=10.0.0.0/8,fc00::/7", "PITBOSS_ADMIN_PROXY=10.0.0.0/8"}, "",
		},
		"all of it accepted": {[]string{
			"PITBOSS_CALLBACK_ALLOW=any", "PITBOSS_CALLBACK_PROXY=", "PITBOSS_ADMIN_ADDR=0.0.0.0:0",
			"PITBOSS_PLATFORM_URL=http://platform.example", "PITBOSS_PLAIN_HTTP=on",
		}, ""},
		"on loopback": {[]string{"PITBOSS_CALLBACK_ADDR=[::1]:0", "PITBOSS_CALLBACK_ALLOW=", "PITBOSS_CALLBACK_PROXY="}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Load[config.Server](environment("sqlite://x", append(safe, row.environ...)...))
			if row.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, row.says)
		})
	}
}

// Pitboss warns about accepted risks for as long as they are accepted.
func TestWarningsAboutAcceptedRisks(t *testing.T) {
	url := storetest.URL(t, storetest.SQLite)
	environ := environment(url, "PITBOSS_CALLBACK_ADDR=0.0.0.0:0", "PITBOSS_CALLBACK_ALLOW=any", "PITBOSS_ADMIN_ADDR=0.0.0.0:0",
		"PITBOSS_PLATFORM_URL=http://192.0.2.1", "PITBOSS_PLAIN_HTTP=on")
	server := boot(t, environ)
	_, adminPort, err := net.SplitHostPort(server.adminListener.Addr().String())
	require.NoError(t, err)
	_, callbackPort, err := net.SplitHostPort(server.callbackListener.Addr().String())
	require.NoError(t, err)
	r, err := http.Get("http://127.0.0.1:" + adminPort + "/readyz")
	require.NoError(t, err)
	defer r.Body.Close()
	var checks struct{ Warnings []string }
	require.NoError(t, json.NewDecoder(r.Body).Decode(&checks))
	require.Equal(t, http.StatusOK, r.StatusCode)
	variables := []string{"PITBOSS_CALLBACK_ALLOW=any", "PITBOSS_CALLBACK_PROXY", "PITBOSS_ADMIN_PROXY", "PITBOSS_PLATFORM_URL"}
	require.Len(t, checks.Warnings, len(variables))
	for i, name := range variables {
		require.Contains(t, checks.Warnings[i], name)
	}
	_, err = open(t, url).CreatePlayer(t.Context(), models.System,
		models.NewPlayer{UserID: "tester", Currency: "EUR", Balance: 10000, Test: true})
	require.NoError(t, err)
	status, out, errs := command(t, environ, "golive", "--callback-url", "http://127.0.0.1:"+callbackPort, "--user-id",
		"tester")
	require.Zero(t, status, errs)
	for _, name := range variables {
		require.Contains(t, out, name)
	}
}
