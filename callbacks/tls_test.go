package callbacks_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
)

// certify writes a new certificate with this serial number, and its key, as PEM files.
func certify(t testing.TB, serial int64) (cert, key []byte) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}, &x509.Certificate{SerialNumber: big.NewInt(serial)}, private.Public(), private)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
}

func TestTLS(t *testing.T) {
	certFile, keyFile := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	write := func(file string, content []byte) { require.NoError(t, os.WriteFile(file, content, 0o600)) }
	cert, private := certify(t, 1)
	write(certFile, cert)
	write(keyFile, private)
	d, body := openFor(t, func(c *callbacks.Config) { c.TLSCertFile, c.TLSKeyFile = certFile, keyFile })

	// handshake returns the serial number of the certificate in use.
	handshake := func() int64 {
		conn, err := tls.Dial("tcp", d.addr, &tls.Config{InsecureSkipVerify: true})
		require.NoError(t, err)
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: true}}
	call := func() string {
		response, err := client.Post("https://"+d.addr+"/GetBalance", "", strings.NewReader(body))
		require.NoError(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return string(text)
	}
	assert.Equal(t, has("100.00"), call())
	assert.EqualValues(t, 1, handshake())

	_, err := tls.Dial("tcp", d.addr,
		&tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11})
	assert.Error(t, err, "TLS 1.1")
	conn, err := tls.Dial("tcp", d.addr, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12})
	require.NoError(t, err, "TLS 1.2")
	conn.Close()

	// A new pair is used only once both of its files have been replaced.
	cert, private = certify(t, 2)
	write(certFile, cert)
	require.Eventually(t, func() bool {
		handshake()
		return strings.Contains(d.log.String(), "could not be read again")
	}, 20*time.Second, 20*time.Millisecond)
	assert.EqualValues(t, 1, handshake())
	assert.Equal(t, has("100.00"), call())
	write(keyFile, private)
	require.Eventually(t, func() bool { return handshake() == 2 }, 20*time.Second, 20*time.Millisecond)
	assert.Equal(t, has("100.00"), call())

	// Missing files leave the last pair in use too.
	require.NoError(t, os.Remove(certFile))
	require.Eventually(t, func() bool {
		handshake()
		return strings.Count(d.log.String(), "could not be read again") >= 2
	}, 20*time.Second, 20*time.Millisecond)
	assert.Equal(t, has("100.00"), call())
	assert.NotContains(t, d.log.String(), "BEGIN")
}

// Plain HTTP on the TLS port gets no answer, and a stalled handshake is disconnected.
func TestTLSDropsClientsWithoutHandshake(t *testing.T) {
	certFile, keyFile := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	cert, private := certify(t, 1)
	require.NoError(t, os.WriteFile(certFile, cert, 0o600))
	require.NoError(t, os.WriteFile(keyFile, private, 0o600))
	d, body := openFor(t, func(c *callbacks.Config) {
		c.TLSCertFile, c.TLSKeyFile, c.ReadTimeout = certFile, keyFile, 100*time.Millisecond
	})
	for _, text := range []string{"", "\x16\x03\x01\x02\x00", "POST /GetBalance HTTP/1.1\r\nHost: x\r\n\r\n" + body} {
		conn, err := net.Dial("tcp", d.addr)
		require.NoError(t, err)
		_, err = io.WriteString(conn, text)
		require.NoError(t, err)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(20*time.Second)))
		said, err := io.ReadAll(conn)
		assert.False(t, os.IsTimeout(err), "the connection was not closed")
		assert.NotContains(t, string(said), "result")
		conn.Close()
	}
}
