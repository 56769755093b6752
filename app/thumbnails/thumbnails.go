// Package thumbnails fetches the pictures of games from the platform and caches them on disk, so that browsers only connect to
// the back office.
//
// The URL of a picture comes from the platform's game list, so a fetch trusts nothing. It only connects to configured hosts, at
// public addresses unless the configuration names a loopback host. It does not follow redirects. Time, bytes and pixels are
// limited, and the bytes must be a raster image, whatever type the answer has. Only one fetch per picture runs at a time, and a
// failed one is not retried for a while.
package thumbnails

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
)

// Config configures a Service.
type Config struct {
	// hosts of pictures, with a port if it is not the scheme's default; without hosts no picture is fetched
	Hosts   []string
	Private bool             // Hosts may have private addresses, for example in a container network
	Dir     string           // the cache folder, created if missing
	Timeout time.Duration    // for a whole fetch; 0 means 5 s
	Bytes   int64            // of one picture; 0 means 512 KiB
	Cache   int64            // bytes of all cached pictures; 0 means 64 MiB
	Fresh   time.Duration    // after which a picture is fetched again; 0 means a week
	Retry   time.Duration    // after which a failed fetch is tried again; 0 means 10 minutes
	Now     func() time.Time // the clock; nil means the system's
	Log     *slog.Logger     // nil means no log
}

// Limits that are not configurable.
const (
	maxSide     = 4096      // pixels
	maxPixels   = 4_000_000 // width times height
	fetches     = 4         // simultaneous fetches of all pictures
	maxFailures = 2000      // failed fetches that are remembered
)

// Image is a picture.
type Image struct {
	Type  string // image/png, image/jpeg, image/gif or image/webp
	Bytes []byte
	Tag   string // identifies these bytes
}

// ErrNoImage means that there is no usable picture. The log has the reason.
var ErrNoImage = errors.New("there is no picture of this game")

// Service fetches and keeps pictures. It is safe for concurrent use.
type Service struct {
	Config
	client *http.Client
	flight singleflight.Group
	places *semaphore.Weighted

	mu     sync.Mutex
	failed map[string]time.Time // by key, until when a picture is not fetched again
}

// New returns a service.
func New(config Config) *Service {
	setDefault(&config.Timeout, 5*time.Second)
	setDefault(&config.Bytes, 512<<10)
	setDefault(&config.Cache, 64<<20)
	setDefault(&config.Fresh, 7*24*time.Hour)
	setDefault(&config.Retry, 10*time.Minute)
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	hosts := make([]string, len(config.Hosts))
	for i, host := range config.Hosts {
		hosts[i] = strings.ToLower(host)
	}
	config.Hosts = hosts
	s := &Service{Config: config, places: semaphore.NewWeighted(fetches), failed: map[string]time.Time{}}
	// No proxy, because then the address behind a name could not be checked here.
	s.client = &http.Client{
		Transport: &http.Transport{
			DialContext:       s.dial,
			DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 32 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

func setDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

// Allows reports whether pictures may be fetched from a URL: over https from one of the hosts, or over http from one on this
// machine, as in the demo, or in a private network that the configuration allows.
func (s *Service) Allows(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || !slices.Contains(s.Hosts, strings.ToLower(u.Host)) {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && (s.Private || loopback(u.Hostname()))
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// dial connects to a configured host, and refuses addresses that a name on the internet must not have. It checks the address
// that is dialed, so that the name cannot change in between.
func (s *Service) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	return s.dialer(host).DialContext(ctx, network, address)
}

// dialer returns a dialer that only connects to addresses that the host may have.
func (s *Service) dialer(host string) *net.Dialer {
	return &net.Dialer{Timeout: s.Timeout, Control: func(_, dialed string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(dialed)
		if err != nil {
			return err
		}
		if ip := to.Addr().Unmap(); !s.mayDial(host, ip) {
			return fmt.Errorf("%s resolves to %s, which is not an allowed address", host, ip)
		}
		return nil
	}}
}

// closed are networks that are not public and that netip has no method for.
var closed = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("2002::/16"),
}

// mayDial reports whether a host may have an address: any public one, a private one if private networks are allowed, and a
// loopback one if the configured host is a loopback address itself.
func (s *Service) mayDial(host string, ip netip.Addr) bool {
	switch {
	case ip.IsLoopback():
		return loopback(host)
	case ip.IsPrivate():
		return s.Private
	}
	return ip.IsGlobalUnicast() && !slices.ContainsFunc(closed, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// Get returns the picture at a URL, from the cache or fetched now. It returns ErrNoImage if there is no usable picture, and
// ctx's error if that ends first; the fetch then continues for others.
func (s *Service) Get(ctx context.Context, address string) (Image, error) {
	if !s.Allows(address) {
		return Image{}, ErrNoImage
	}
	key := keyOf(address)
	kept, at, found := s.kept(key)
	if found && s.Now().Sub(at) < s.Fresh {
		return kept, nil
	}
	if !s.failedLately(key) {
		fetched := s.flight.DoChan(key, func() (any, error) { return s.renew(context.WithoutCancel(ctx), key, address) })
		select {
		case <-ctx.Done():
			return Image{}, ctx.Err()
		case result := <-fetched:
			if result.Err == nil {
				return result.Val.(Image), nil
			}
		}
	}
	if found {
		return kept, nil // an old picture is better than none
	}
	return Image{}, ErrNoImage
}

// keyOf returns the cache key of a URL.
func keyOf(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:])
}

// Tag returns a short ID that differs between URLs.
func Tag(address string) string { return keyOf(address)[:12] }

// renew fetches a picture and caches it, or remembers that the fetch failed.
func (s *Service) renew(ctx context.Context, key, address string) (Image, error) {
	if kept, at, found := s.kept(key); found && s.Now().Sub(at) < s.Fresh {
		return kept, nil // fetched in the meantime
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	if err := s.places.Acquire(ctx, 1); err != nil {
		return Image{}, err // too many simultaneous fetches, which is not this picture's fault
	}
	defer s.places.Release(1)
	contents, err := s.fetch(ctx, address)
	var kind string
	if err == nil {
		kind, err = check(contents)
	}
	if err != nil {
		s.Log.Warn("A thumbnail could not be used.", "address", address, "error", err)
		s.remember(key)
		return Image{}, err
	}
	if err := s.keep(key, contents); err != nil {
		s.Log.Warn("A thumbnail could not be kept.", "error", err)
	}
	return newImage(kind, contents), nil
}

func (s *Service) fetch(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "image/png, image/jpeg, image/webp, image/gif")
	response, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("HTTP status %d", response.StatusCode)
	}
	if response.ContentLength > s.Bytes {
		return nil, fmt.Errorf("%d bytes are more than the %d allowed", response.ContentLength, s.Bytes)
	}
	contents, err := io.ReadAll(io.LimitReader(response.Body, s.Bytes+1))
	if err != nil {
		return nil, err
	}
	if int64(len(contents)) > s.Bytes {
		return nil, fmt.Errorf("there are more than the %d bytes allowed", s.Bytes)
	}
	return contents, nil
}

// failedLately reports whether a picture must not be fetched again yet.
func (s *Service) failedLately(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Now().Before(s.failed[key])
}

func (s *Service) remember(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	if len(s.failed) >= maxFailures {
		for k, until := range s.failed {
			if !now.Before(until) || len(s.failed) >= maxFailures {
				delete(s.failed, k)
			}
		}
	}
	s.failed[key] = now.Add(s.Retry)
}
