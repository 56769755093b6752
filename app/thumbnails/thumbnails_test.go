package thumbnails

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// picture returns a PNG of a size.
func picture(t testing.TB, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.Bytes()
}

// claims returns a PNG whose header claims a size.
func claims(t testing.TB, width, height uint32) []byte {
	t.Helper()
	b := picture(t, 1, 1)
	for i, v := range []uint32{width, height} {
		b[16+4*i], b[17+4*i], b[18+4*i], b[19+4*i] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
	}
	sum := crc32.ChecksumIEEE(b[12:29])
	b[29], b[30], b[31], b[32] = byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum)
	return b
}

// outside serves a handler as the platform's host, and returns a service that may fetch from it, with the host's address.
func outside(t testing.TB, handler http.HandlerFunc, change func(*Config)) (*Service, string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	config := Config{Hosts: []string{server.Listener.Addr().String()}, Dir: filepath.Join(t.TempDir(), "thumbnails")}
	if change != nil {
		change(&config)
	}
	return New(config), server.URL
}

func TestPicturesAreFetchedOnceAndKept(t *testing.T) {
	for kind, contents := range map[string][]byte{
		"image/png": picture(t, 160, 120),
		"image/gif": func() []byte {
			var b bytes.Buffer
			require.NoError(t, gif.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 4)), nil))
			return b.Bytes()
		}(),
		"image/jpeg": func() []byte {
			var b bytes.Buffer
			require.NoError(t, jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 4)), nil))
			return b.Bytes()
		}(),
		"image/webp": []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x9f\xc0\x1d\x00\x07\x10\x11\x11\x88\x88\xfe\x07\x00"),
	} {
		t.Run(kind, func(t *testing.T) {
			var asked atomic.Int32
			now := time.Now()
			s, base := outside(t, func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				require.Empty(t, r.Header.Get("Cookie"))
				w.Header().Set("Content-Type", "text/html") // the type in the answer does not count
				_, _ = w.Write(contents)
			}, func(c *Config) { c.Now = func() time.Time { return now } })
			for range 3 {
				got, err := s.Get(t.Context(), base+"/a")
				require.NoError(t, err)
				require.Equal(t, kind, got.Type)
				require.Equal(t, contents, got.Bytes)
			}
			require.EqualValues(t, 1, asked.Load())
			again := New(s.Config)
			_, err := again.Get(t.Context(), base+"/a")
			require.NoError(t, err)
			require.EqualValues(t, 1, asked.Load(), "it is on disk")
			now = now.Add(8 * 24 * time.Hour)
			_, err = again.Get(t.Context(), base+"/a")
			require.NoError(t, err)
			require.EqualValues(t, 2, asked.Load(), "a week later it is fetched again")
		})
	}
}

// Answers of a hostile or broken host are neither served nor kept, and the picture is not requested again at once.
func TestAttackThumbnailAnswers(t *testing.T) {
	endless := func(w http.ResponseWriter, r *http.Request) {
		chunk := append(picture(t, 8, 8), bytes.Repeat([]byte{0}, 32<<10)...)
		for r.Context().Err() == nil {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	write := func(kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(body))
		}
	}
	for name, handler := range map[string]http.HandlerFunc{
		"SVG": write("image/svg+xml",
			`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"SVG called PNG":         write("image/png", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`),
		"HTML called PNG":        write("image/png", `<html><script>alert(1)</script></html>`),
		"script behind a magic":  write("image/gif", `GIF89a=1;alert(1)`),
		"BMP":                    write("image/bmp", "BM"+strings.Repeat("\x00", 60)),
		"nothing":                write("image/png", ""),
		"cut off":                write("image/png", string(picture(t, 8, 8)[:20])),
		"WebP without a size":    write("image/webp", "RIFF\x1a\x00\x00\x00WEBPVP8 "+strings.Repeat("\x00", 30)),
		"endless":                endless,
		"more bytes than stated": write("image/png", string(picture(t, 8, 8))+strings.Repeat("x", 600<<10)),
		"a bomb of pixels":       write("image/png", string(claims(t, 60_000, 60_000))),
		"a long strip":           write("image/png", string(claims(t, 1_000_000, 1))),
		"not found":              http.NotFound,
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
		},
		"redirect to itself": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) },
		"stated length too large": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99999999")
			_, _ = w.Write(picture(t, 8, 8))
		},
		"connection cut": func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) },
		"no body in time": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "500")
			_, _ = w.Write(picture(t, 8, 8)[:30])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"no answer in time": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			s, base := outside(t, func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				handler(w, r)
			}, func(c *Config) {
				if strings.Contains(name, "in time") {
					c.Timeout = 200 * time.Millisecond
				}
			})
			for range 2 {
				_, err := s.Get(t.Context(), base+"/a.png")
				require.ErrorIs(t, err, ErrNoImage)
			}
			require.EqualValues(t, 1, asked.Load(), "it is asked once, and no redirect is followed")
			kept, err := os.ReadDir(s.Dir)
			require.True(t, err == nil || errors.Is(err, os.ErrNotExist))
			require.Empty(t, kept)
		})
	}
}

// Only the hosts of the configuration are asked, over https unless they are this machine.
func TestAttackThumbnailAddresses(t *testing.T) {
	s := New(Config{Hosts: []string{"img.example", "img.example:8443", "127.0.0.1:8090"}, Dir: t.TempDir()})
	for address, want := range map[string]bool{
		"https://img.example/a.png": true, "https://IMG.example/a.png": true, "https://img.example:8443/a": true,
		"http://127.0.0.1:8090/a":  true,
		"http://img.example/a.png": false, "https://img.example:444/a.png": false, "https://img.example.evil.example/a": false,
		"https://evil.example/img.example":   false,
		"https://img.example@evil.example/a": false, "https://user:pass@img.example/a": false,
		"http://127.0.0.1:8091/a": false, "http://localhost:8090/a": false,
		"http://169.254.169.254/latest": false, "file:///etc/passwd": false, "ftp://img.example/a": false,
		"javascript:alert(1)": false, "//img.example/a": false, "": false,
		"https://img.example.": false, "https://[::ffff:127.0.0.1]:8090/a": false,
	} {
		require.Equal(t, want, s.Allows(address), address)
		if !want {
			_, err := s.Get(t.Context(), address)
			require.ErrorIs(t, err, ErrNoImage, address)
		}
	}
	require.False(t, New(Config{}).Allows("https://img.example/a"), "no host, no picture")
}

// A host name in the configuration that resolves to this machine or a private network is not followed.
func TestAttackThumbnailLeadsInside(t *testing.T) {
	var asked atomic.Int32
	inside, base := outside(t, func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); _, _ = w.Write(picture(t, 8, 8)) },
		nil)
	port := inside.Hosts[0][strings.LastIndex(inside.Hosts[0], ":"):]
	named := "localhost.images.example" + port
	s := New(Config{Hosts: []string{named}, Private: true, Dir: t.TempDir()})
	// The resolver says that the name is this machine: the address is refused before the socket connects.
	s.client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		require.Equal(t, named, address)
		return s.dialer("localhost.images.example").DialContext(ctx, network, inside.Hosts[0])
	}
	_, err := s.Get(t.Context(), "http://"+named+"/a.png")
	require.ErrorIs(t, err, ErrNoImage)
	require.Zero(t, asked.Load())
	_, err = inside.Get(t.Context(), base+"/a.png")
	require.NoError(t, err, "an address that the configuration names itself")

	closed := []string{
		"127.0.0.1", "127.8.8.8", "::1", "169.254.169.254", "fe80::1", "0.0.0.0", "0.1.2.3", "::", "224.0.0.1", "ff02::1",
		"100.64.0.1", "192.0.0.8", "198.18.0.1", "240.0.0.1",
		"255.255.255.255", "64:ff9b::7f00:1", "2002:7f00:1::", "::ffff:127.0.0.1",
	}
	private := []string{"10.0.0.1", "172.16.5.4", "192.168.1.1", "fd00::1", "::ffff:10.0.0.1"}
	for _, allowed := range []bool{false, true} {
		s := New(Config{Private: allowed})
		for _, ip := range closed {
			require.False(t, s.mayDial("img.example", netip.MustParseAddr(ip).Unmap()), ip)
		}
		for _, ip := range private {
			require.Equal(t, allowed, s.mayDial("img.example", netip.MustParseAddr(ip).Unmap()), ip)
		}
		require.True(t, s.mayDial("img.example", netip.MustParseAddr("93.184.216.34")))
		require.True(t, s.mayDial("img.example", netip.MustParseAddr("2606:2800:220:1::1")))
	}
}

// Even if many readers want a picture at the same time, it is fetched once. Only a few pictures are fetched at a time.
func TestOneFetchAPicture(t *testing.T) {
	var asked, running, most atomic.Int32
	release := make(chan struct{})
	s, base := outside(t, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		now := running.Add(1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		<-release
		running.Add(-1)
		_, _ = w.Write(picture(t, 8, 8))
	}, func(c *Config) { c.Timeout = time.Minute })
	var group sync.WaitGroup
	for i := range 60 {
		group.Go(func() {
			_, err := s.Get(t.Context(), fmt.Sprintf("%s/%d.png", base, i%6))
			require.NoError(t, err)
		})
	}
	// Somebody who gives up waiting does not end the fetch of the others.
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Get(gone, base+"/0.png")
	require.ErrorIs(t, err, context.Canceled)
	require.Eventually(t, func() bool { return running.Load() == fetches }, 10*time.Second, time.Millisecond)
	close(release)
	group.Wait()
	require.EqualValues(t, 6, asked.Load())
	require.EqualValues(t, fetches, most.Load())
}

func TestTheCacheIsBoundedAndStaleIsBetterThanNone(t *testing.T) {
	now := time.Now()
	down := false
	one := picture(t, 64, 64)
	s, base := outside(t, func(w http.ResponseWriter, _ *http.Request) {
		if down {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_, _ = w.Write(one)
	}, func(c *Config) { c.Now, c.Cache = func() time.Time { return now }, 5*int64(len(one)) })
	require.NoError(t, os.MkdirAll(s.Dir, 0o700))
	other := filepath.Join(s.Dir, "notes.txt")
	require.NoError(t, os.WriteFile(other, bytes.Repeat([]byte("x"), 1<<20), 0o600))
	for i := range 12 {
		now = now.Add(time.Minute)
		_, err := s.Get(t.Context(), fmt.Sprintf("%s/%d.png", base, i))
		require.NoError(t, err)
		kept, err := filepath.Glob(filepath.Join(s.Dir, "*"+suffix))
		require.NoError(t, err)
		require.Len(t, kept, min(i+1, 5))
	}
	require.FileExists(t, other, "other files stay")
	down = true
	now = now.Add(30 * 24 * time.Hour)
	_, err := s.Get(t.Context(), base+"/11.png")
	require.NoError(t, err, "the old one")
	_, err = s.Get(t.Context(), base+"/0.png")
	require.ErrorIs(t, err, ErrNoImage, "it is no longer kept")

	// A file that somebody has changed is only ever served as a picture.
	require.NoError(t, os.WriteFile(s.file(keyOf(base+"/11.png")), []byte("<script>alert(1)</script>"), 0o600))
	_, err = s.Get(t.Context(), base+"/11.png")
	require.ErrorIs(t, err, ErrNoImage)

	// After a while, what failed is tried again.
	down = false
	now = now.Add(s.Retry)
	_, err = s.Get(t.Context(), base+"/0.png")
	require.NoError(t, err)
	for i := range 3 * maxFailures {
		s.remember(keyOf(url.PathEscape(fmt.Sprint(i))))
	}
	require.LessOrEqual(t, len(s.failed), maxFailures)
}
