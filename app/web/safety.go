package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"pitboss/app/assets"
)

// isDownload reports whether a request is for a file. Files are sent as they are: compressing them would cost more than it
// saves.
func isDownload(c *fiber.Ctx) bool {
	return c.Path() == "/exports" || c.Path() == "/packs" ||
		strings.HasPrefix(c.Path(), "/integrity/checkpoints/") && strings.HasSuffix(c.Path(), "/file")
}

// Web safety. A change is made only if the browser says that the request comes from our own pages (Sec-Fetch-Site or Origin),
// and if it has the token of its session. Pages have no inline scripts or styles, so the Content-Security-Policy allows none.
// Nothing may be framed, sniffed or cached.

// tag gives a request its deadline and its number, which error pages and the log both show. It also looks up the request's
// address and whether the page itself sent it, because parts of a page that are read at the same time need both and must not
// search the header.
func (s *Site) tag(c *fiber.Ctx) error {
	requestID(c)
	s.Address(c)
	c.Locals(pollKey, c.Method() == fiber.MethodGet && c.Get("Pitboss-Live") != "")
	ctx, deadline := c.UserContext(), time.Minute
	if Safe(c) {
		deadline = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	c.SetUserContext(ctx)
	return c.Next()
}

// requestID returns the request's number, and makes it on the first call.
func requestID(c *fiber.Ctx) string {
	if id, ok := c.Locals(requestIDKey).(string); ok {
		return id
	}
	id := "req_" + strings.ReplaceAll(uuid.Must(uuid.NewV7()).String(), "-", "")[:20]
	c.Locals(requestIDKey, id)
	return id
}

func (s *Site) headers(c *fiber.Ctx) error {
	s.setHeaders(c)
	return c.Next()
}

func (s *Site) setHeaders(c *fiber.Ctx) {
	h := &c.Response().Header
	h.Set(fiber.HeaderContentSecurityPolicy, s.csp)
	h.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	h.Set(fiber.HeaderReferrerPolicy, "same-origin")
	h.Set(fiber.HeaderXFrameOptions, "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()")
	if s.Secure() {
		h.Set(fiber.HeaderStrictTransportSecurity, "max-age=63072000; includeSubDomains")
	}
	if !assets.Asked(c) {
		h.Set(fiber.HeaderCacheControl, "no-store")
	}
}

// sameOrigin refuses changes that another site's page has sent.
func (s *Site) sameOrigin(c *fiber.Ctx) error {
	if err := s.cross.Check(Request(c)); err != nil {
		s.Log.Warn("A change from another site was refused.", "path", c.Path(), "origin", c.Get(fiber.HeaderOrigin), "address",
			s.Address(c))
		return errOtherSite
	}
	return c.Next()
}

// Request returns the parts of a net/http request that cookies and the check of origins need, copied out of Fiber's buffers.
func Request(c *fiber.Ctx) *http.Request {
	if r, ok := c.Locals(requestKey).(*http.Request); ok {
		return r
	}
	r := &http.Request{Method: strings.Clone(c.Method()), Host: strings.Clone(c.Hostname()), Header: http.Header{},
		URL: &url.URL{Path: strings.Clone(c.Path())}}
	for _, name := range []string{fiber.HeaderCookie, fiber.HeaderOrigin, "Sec-Fetch-Site"} {
		if value := c.Get(name); value != "" {
			r.Header.Set(name, strings.Clone(value))
		}
	}
	r = r.WithContext(c.UserContext())
	c.Locals(requestKey, r)
	return r
}

// headerOnly is a ResponseWriter with nothing but a header, for setting cookies through net/http.
type headerOnly http.Header

func (h headerOnly) Header() http.Header { return http.Header(h) }

func (headerOnly) Write(b []byte) (int, error) { return len(b), nil }

func (headerOnly) WriteHeader(int) {}

// sendTo copies the cookies to Fiber's answer.
func (h headerOnly) sendTo(c *fiber.Ctx) {
	for _, cookie := range h.Header().Values(fiber.HeaderSetCookie) {
		c.Response().Header.Add(fiber.HeaderSetCookie, cookie)
	}
}

// SetCookie sends a cookie with the answer.
func SetCookie(c *fiber.Ctx, cookie *http.Cookie) {
	w := headerOnly{}
	http.SetCookie(w, cookie)
	w.sendTo(c)
}

// CookieName returns a cookie's full name. Over TLS its prefix makes browsers accept it from this host only.
func (s *Site) CookieName(name string) string {
	if s.Secure() {
		return "__Host-" + name
	}
	return name
}

// Cookie returns a cookie of this site, which scripts cannot read.
func (s *Site) Cookie(name, value string, age time.Duration) *http.Cookie {
	return &http.Cookie{Name: s.CookieName(name), Value: value, Path: "/", MaxAge: int(age / time.Second), HttpOnly: true,
		Secure: s.Secure(), SameSite: http.SameSiteLaxMode}
}
