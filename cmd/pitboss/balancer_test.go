package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/csv"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// balancer is HAProxy in front of two instances, with the shipped configuration: only addresses are changed.
type balancer struct {
	callbacks, office string // base URLs
	transport         *http.Transport
	control           string // socket
	instances         [2]addresses
}

// addresses are where one instance listens.
type addresses struct{ callbacks, admin string }

// hosts are two machines on loopback, so that both instances have the same ports, as in the example.
var hosts = [2]string{"127.0.0.11", "127.0.0.12"}

// newBalancer chooses addresses. The balancer is up once the instances are.
func newBalancer(t *testing.T) *balancer {
	t.Helper()
	b := &balancer{callbacks: "https://" + port(t), office: "https://" + port(t),
		control: filepath.Join(t.TempDir(), "control")}
	ports := [2]string{commonPort(t), commonPort(t)}
	for i, host := range hosts {
		b.instances[i] = addresses{callbacks: net.JoinHostPort(host, ports[0]), admin: net.JoinHostPort(host, ports[1])}
	}
	return b
}

// commonPort returns a port that is free on both hosts.
func commonPort(t *testing.T) string {
	t.Helper()
	for range 100 {
		_, number, err := net.SplitHostPort(port(t))
		require.NoError(t, err)
		free := true
		for _, host := range hosts {
			l, err := net.Listen("tcp", net.JoinHostPort(host, number))
			if err != nil {
				free = false
				continue
			}
			l.Close()
		}
		if free {
			return number
		}
	}
	t.Fatal("no port is free on " + strings.Join(hosts[:], " and "))
	return ""
}

// settings returns the settings that the example requires of an instance.
func (b *balancer) settings(instance int) []string {
	at := b.instances[instance]
	return []string{"PITBOSS_CALLBACK_ADDR=" + at.callbacks, "PITBOSS_ADMIN_ADDR=" + at.admin,
		"PITBOSS_CALLBACK_PROXY=127.0.0.1", "PITBOSS_ADMIN_PROXY=127.0.0.1", "PITBOSS_CALLBACK_ALLOW=127.0.0.1",
		"PITBOSS_PUBLIC_URL=" + b.office}
}

// start runs HAProxy and waits until it sends requests to both instances.
func (b *balancer) start(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	pair := filepath.Join(dir, "both.pem")
	b.transport = certificate(t, pair)
	t.Cleanup(b.transport.CloseIdleConnections)
	example, err := os.ReadFile(filepath.Join("packaging", "haproxy.cfg"))
	require.NoError(t, err)
	text := string(example)
	_, admin, _ := net.SplitHostPort(b.instances[0].admin)
	for _, change := range [][2]string{
		{"log     /dev/log ", "log     " + filepath.Join(dir, "nobody-listens") + " "},
		{"bind :8443 ", "bind " + strings.TrimPrefix(b.callbacks, "https://") + " "},
		{"bind :443 ", "bind " + strings.TrimPrefix(b.office, "https://") + " "},
		{"/etc/ssl/wallet.casino.example.pem", pair}, {"/etc/ssl/backoffice.casino.example.pem", pair},
		{"bind :9443 ", "bind unix@" + filepath.Join(dir, "api") + " "},
		{"/etc/ssl/api.casino.example.pem", pair}, {"/etc/ssl/systems.pem", pair},
		{"10.0.0.11:8083", b.instances[0].callbacks}, {"10.0.0.12:8083", b.instances[1].callbacks},
		{"src 192.0.2.0/24", "src 127.0.0.1"}, {"src 198.51.100.0/24", "src 127.0.0.1"},
		{"check port 8080", "check port " + admin},
		{"10.0.0.11:8081", b.instances[0].callbacks}, {"10.0.0.12:8081", b.instances[1].callbacks},
		{"10.0.0.11:8080", b.instances[0].admin}, {"10.0.0.12:8080", b.instances[1].admin},
	} {
		require.Equal(t, 1, strings.Count(text, change[0]), change[0])
		text = strings.Replace(text, change[0], change[1], 1)
	}
	file := filepath.Join(dir, "haproxy.cfg")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	proxy := exec.Command(haproxy(), "-W", "-db", "-q", "-S", b.control, "-f", file)
	var said bytes.Buffer
	proxy.Stdout, proxy.Stderr = &said, &said
	proxy.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started, ended := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread() // the kernel ends HAProxy when the thread that started it ends
		defer runtime.UnlockOSThread()
		err := proxy.Start()
		started <- err
		if err == nil {
			proxy.Wait()
		}
	}()
	require.NoError(t, <-started, "HAProxy is needed: .ci/need balancer installs it")
	t.Cleanup(func() {
		proxy.Process.Signal(syscall.SIGTERM) // an interrupt is ignored if the tests run in the background
		<-ended
		if t.Failed() {
			t.Logf("HAProxy said:\n%s", said.Bytes()[max(0, said.Len()-4000):])
		}
	})
	require.Eventually(t, b.up, time.Minute, 100*time.Millisecond, "HAProxy does not see both instances")
}

// haproxy returns the program's path, because its folder may not be in PATH.
func haproxy() string {
	if program, err := exec.LookPath("haproxy"); err == nil {
		return program
	}
	return "/usr/sbin/haproxy"
}

// counters returns HAProxy's statistics of its servers and frontends, by name and column.
func (b *balancer) counters() (map[string]map[string]string, error) {
	conn, err := net.Dial("unix", b.control)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "@1 show stat\n"); err != nil {
		return nil, err
	}
	var text strings.Builder
	for lines := bufio.NewScanner(conn); lines.Scan() && lines.Text() != ""; { // an empty line ends the answer
		text.WriteString(lines.Text() + "\n")
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text.String(), "# ")))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	all := map[string]map[string]string{}
	for _, row := range rows[1:] {
		if len(row) < 2 {
			continue
		}
		columns := map[string]string{}
		for i, name := range rows[0][:min(len(row), len(rows[0]))] {
			columns[name] = row[i]
		}
		all[row[0]+"/"+row[1]] = columns
	}
	return all, nil
}

// resent counts how often HAProxy sent a callback again, to the same instance or to the other.
func (b *balancer) resent() (n int) {
	all, err := b.counters()
	if err != nil {
		return 0
	}
	for _, column := range []string{"wretr", "wredis"} {
		times, _ := strconv.Atoi(all["pitboss_callbacks/BACKEND"][column])
		n += times
	}
	return n
}

// up reports whether HAProxy sends requests to both instances.
func (b *balancer) up() bool {
	all, err := b.counters()
	if err != nil {
		return false
	}
	for _, server := range []string{"pitboss_callbacks/a", "pitboss_callbacks/b", "pitboss_backoffice/a",
		"pitboss_backoffice/b"} {
		if all[server]["status"] != "UP" {
			return false
		}
	}
	return true
}

// certificate writes a certificate for 127.0.0.1 and its key to a file, and returns a transport that trusts it.
func certificate(t *testing.T, file string) *http.Transport {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().AddDate(0, 0, 7), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true,
		BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...), 0o600))
	trusted := x509.NewCertPool()
	made, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	trusted.AddCert(made)
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, MaxIdleConns: 1024, MaxIdleConnsPerHost: 512,
		IdleConnTimeout: 50 * time.Second}
}

// With both instances gone every callback is answered with 503, on open connections too, and a 503 of an instance is passed on
// once.
func TestBalancerWithoutInstances(t *testing.T) {
	alongside(t)
	b := newBalancer(t)
	var callbacks atomic.Int32
	var servers []*http.Server
	for _, at := range b.instances {
		for _, addr := range []string{at.callbacks, at.admin} {
			l, err := net.Listen("tcp", addr)
			require.NoError(t, err)
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/readyz" {
					callbacks.Add(1)
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			})}
			servers = append(servers, server)
			go server.Serve(l)
			t.Cleanup(func() { server.Close() })
		}
	}
	b.start(t)
	client := &http.Client{Transport: b.transport, Timeout: patientTimeout}
	send := func() int {
		t.Helper()
		r, err := client.Post(b.callbacks+"/Withdraw", "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		defer r.Body.Close()
		_, err = io.Copy(io.Discard, r.Body)
		require.NoError(t, err)
		return r.StatusCode
	}
	for range 4 {
		require.Equal(t, http.StatusServiceUnavailable, send())
	}
	require.EqualValues(t, 4, callbacks.Load(), "each was sent once")
	for _, server := range servers {
		require.NoError(t, server.Close())
	}
	for b.up() {
		require.Equal(t, http.StatusServiceUnavailable, send())
	}
	require.Equal(t, http.StatusServiceUnavailable, send())
	require.EqualValues(t, 4, callbacks.Load())
}

// patientTimeout is longer than HAProxy takes to answer without instances, however busy the machine.
const patientTimeout = time.Minute
