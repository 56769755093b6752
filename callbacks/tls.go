package callbacks

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"
)

// certificate is a certificate and its key in files, read again when either file changes, so that a renewal needs no restart.
// If the new pair cannot be read, or does not match because only one of the files has been replaced yet, the last good pair
// stays in use.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	version [2]fileVersion
	looked  time.Time
}

type fileVersion struct {
	modified time.Time
	size     int64
}

// lookInterval is how often handshakes check the files at most.
const lookInterval = time.Second

func loadCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	if _, err := c.reload(); err != nil {
		return nil, err
	}
	c.looked = time.Now()
	return c, nil
}

// reload reads the files if they have changed, and reports whether they had.
func (c *certificate) reload() (bool, error) {
	var version [2]fileVersion
	for i, name := range [2]string{c.certFile, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return false, fmt.Errorf("TLS certificate: %w", err)
		}
		version[i] = fileVersion{info.ModTime(), info.Size()}
	}
	if c.current != nil && version == c.version {
		return false, nil
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return false, fmt.Errorf("TLS certificate %s with key %s: %w", c.certFile, c.keyFile, err)
	}
	c.current, c.version = &pair, version
	return true, nil
}

// get is tls.Config.GetCertificate.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.looked) >= lookInterval {
		c.looked = now
		switch changed, err := c.reload(); {
		case err != nil:
			c.log.Error("the callback listener's TLS certificate could not be read again; the last one stays in use",
				slog.Any("error", err))
		case changed:
			c.log.Info("the callback listener's TLS certificate was read again", slog.Time("expires", c.current.Leaf.NotAfter))
		}
	}
	return c.current, nil
}

// expires returns the earliest expiry of the certificate in use and of the issuer certificates in its file. Like a handshake,
// it first reads the files again if they have changed.
func (c *certificate) expires() (first time.Time, err error) {
	pair, err := c.get(nil)
	if err != nil {
		return first, err
	}
	for _, der := range pair.Certificate {
		parsed, err := x509.ParseCertificate(der)
		if err != nil {
			return first, fmt.Errorf("TLS certificate %s: %w", c.certFile, err)
		}
		if first.IsZero() || parsed.NotAfter.Before(first) {
			first = parsed.NotAfter
		}
	}
	return first, nil
}

func (c *certificate) listener(ln net.Listener) net.Listener {
	return tls.NewListener(ln, &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"http/1.1"},
		GetCertificate: c.get,
	})
}
