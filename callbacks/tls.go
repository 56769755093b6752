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

// certificate is a certificate and its key in files, read again when one of them changes, so that a renewal needs no restart. A
// pair that cannot be read, or does not match because only one of the two has been replaced yet, leaves the last good one in
// use.
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

// lookInterval bounds how often handshakes look at the files.
const lookInterval = time.Second

func loadCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	if _, err := c.reload(); err != nil {
		return nil, err
	}
	c.looked = time.Now()
	return c, nil
}

// reload reads the files if they are others than those in use, and reports whether it did.
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
			c.log.Error("the callbacks' TLS certificate was not read again; the last one stays in use", slog.Any("error", err))
		case changed:
			c.log.Info("the callbacks' TLS certificate was read again", slog.Time("expires", c.current.Leaf.NotAfter))
		}
	}
	return c.current, nil
}

// expires returns when the certificate in use, or one of those that the file has for its issuers, expires first. Like a
// handshake, it reads the files again if they have changed.
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
