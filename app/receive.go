package app

import (
	"bytes"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"pitboss/app/reconcile"
	"pitboss/callbacks/listener"
	"pitboss/models"
)

// What a request may bring is decided before any of it is read. A body is in memory, several times over once it has been taken
// apart, so only those who are signed in may send more than a sign-in form needs, and only where files are uploaded may that be
// large.
const (
	anybodysBody  = 64 << 10 // bytes, of whoever is not signed in
	longestHeader = 24 << 10 // bytes, with a draft in the address and another one in the referrer
	formBody      = 1 << 20
	uploadBody    = 16 << 20
	mostFields    = 10_000 // of a form

	uploadsAtOnce = 4 // of files for import that are larger than a form
)

// Whoever takes longer than this is cut off.
const (
	bodyTime   = 30 * time.Second // for the body, unless it is a statement
	uploadTime = 30 * time.Minute // for a statement
)

// receive decides how large the body of a request may be. A statement is larger than other requests: it comes as a form of
// known length, which is written to disk while it arrives.
func (a *App) receive(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	cfg := fasthttp.RequestConfig{MaxRequestBodySize: anybodysBody, ReadTimeout: bodyTime}
	if !h.IsPost() || h.ContentLength() <= anybodysBody || listener.CheckBody(h) != nil {
		return cfg
	}
	role, signedIn := a.sender(h)
	if !signedIn {
		return cfg
	}
	path, _, _ := bytes.Cut(h.RequestURI(), []byte("?"))
	multipart := bytes.HasPrefix(h.ContentType(), []byte("multipart/form-data"))
	allowed := func(needs Permission) bool {
		ok, err := may(role, needs)
		return err == nil && ok
	}
	cfg.MaxRequestBodySize = formBody
	switch at := string(path); {
	case at == "/statements" && multipart && allowed(runStatements):
		cfg.MaxRequestBodySize, cfg.ReadTimeout = reconcile.MaxFile+formBody, uploadTime
	case strings.HasPrefix(at, "/free-spins/imports") && allowed(grantFreeSpins),
		strings.HasPrefix(at, "/players/imports") && allowed(managePlayers):
		if h.ContentLength() <= formBody || a.uploads.begin(h) {
			cfg.MaxRequestBodySize = uploadBody
		}
	}
	return cfg
}

// uploads are the large bodies in memory: a server has room for some of them, not for one on each of its connections. They are
// known by the header that their request has from its arrival to its answer. Statements are not among them: most of a statement
// is on disk.
type uploads struct {
	mu    sync.Mutex
	until map[*fasthttp.RequestHeader]time.Time // the body has arrived or failed; zero: it is being worked on
}

// begin takes a place for a request whose body is about to be read, and reports whether there was one.
func (u *uploads) begin(h *fasthttp.RequestHeader) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	// Where a client goes before the first byte of the body, nobody says that the request has ended.
	maps.DeleteFunc(u.until, func(other *fasthttp.RequestHeader, until time.Time) bool {
		return other == h || !until.IsZero() && time.Now().After(until)
	})
	if len(u.until) >= uploadsAtOnce {
		return false
	}
	u.until[h] = time.Now().Add(bodyTime + time.Second)
	return true
}

// arrived keeps the place of a request, if it has one, for as long as the request is worked on.
func (u *uploads) arrived(h *fasthttp.RequestHeader) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, there := u.until[h]; there {
		u.until[h] = time.Time{}
	}
}

func (u *uploads) end(h *fasthttp.RequestHeader) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.until, h)
}

// countUploads makes an upload's place free once it has been answered. What could not be read ends in fail.
func (a *App) countUploads(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		header := &ctx.Request.Header
		if header.ContentLength() > formBody {
			a.uploads.arrived(header)
			defer a.uploads.end(header)
		}
		next(ctx)
	}
}

// sender returns the role of whoever is signed in, of whom all that there is yet is a header.
func (a *App) sender(h *fasthttp.RequestHeader) (models.Role, bool) {
	request, err := http.NewRequest(http.MethodGet, "/", nil)
	if err != nil {
		return "", false
	}
	request.Header.Set("Cookie", string(h.Peek("Cookie")))
	session, err := a.sessions.New(request, sessionName)
	if err != nil {
		return "", false
	}
	row, there := session.Values[rowKey{}].(*sessionRow)
	stage, _ := session.Values[valueStage].(string)
	if !there || stage == stageCode {
		return "", false
	}
	return row.staff.Role, true
}

// endAfterForm closes the connection after a form that was taken apart while it arrived. Reading ends at the form's last
// boundary, and what is left of the body would be read as the next request: one that a proxy in front has never seen, and whose
// answer it would give to somebody else.
func endAfterForm(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		if len(ctx.Request.Header.MultipartFormBoundary()) > 0 {
			ctx.SetConnectionClose()
		}
		next(ctx)
	}
}

// screen answers what goes no further: before a session is looked up, a body is taken apart or a route is chosen.
func (a *App) screen(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		if err := a.unfit(ctx); err != nil {
			a.failed(ctx, err)
			return
		}
		next(ctx)
	}
}

// failed answers with the page of an error.
func (a *App) failed(ctx *fasthttp.RequestCtx, err error) {
	c := a.fiber.AcquireCtx(ctx)
	defer a.fiber.ReleaseCtx(c)
	if err := a.fail(c, err); err != nil {
		a.Log.Error("error page failed", "request", requestID(c), "err", err)
	}
}

// unfit says why a request is refused whatever it asks for.
func (a *App) unfit(ctx *fasthttp.RequestCtx) error {
	header := &ctx.Request.Header
	if client, ok := listener.Client(listener.Peer(ctx.RemoteAddr()), header, a.TrustedProxies); len(a.Allow) > 0 &&
		(!ok || !a.Allow.Contains(client)) {
		ctx.SetConnectionClose()
		return problem{
			Status: fiber.StatusForbidden, Title: "This address may not come here",
			Happened: "The back office answers certain networks only (PITBOSS_ADMIN_ALLOW), and " + client.String() +
				" is in none of them.",
			Money: "Nothing has changed.",
			Do: "Connect from the office or its VPN. Whoever operates the server can add your network " +
				"(PITBOSS_ADMIN_ALLOW).",
		}
	}
	if err := unreadable(header); err != nil {
		ctx.SetConnectionClose()
		return err
	}
	// Of files there are at most a thousand parts, by mime/multipart's own limit.
	if bytes.HasPrefix(header.ContentType(), []byte(fiber.MIMEApplicationForm)) &&
		bytes.Count(ctx.Request.Body(), []byte("&")) >= mostFields {
		return problem{
			Status: fiber.StatusRequestEntityTooLarge, Title: "This form has too many fields",
			Happened: "A form has at most 10,000 fields.",
			Money:    "Nothing has changed.", Do: "Send it in smaller pieces.", Links: overviewLink,
		}
	}
	return nil
}

// unreadable says why the body of a request must not be read.
func unreadable(header *fasthttp.RequestHeader) error {
	switch err := listener.CheckBody(header); {
	case errors.Is(err, listener.ErrEncoded):
		return problem{
			Status: fiber.StatusUnsupportedMediaType, Title: "Compressed requests are not accepted",
			Happened: "The request has a Content-Encoding. Browsers do not send one.", Money: "Nothing has changed.",
			Do: "Send it uncompressed.",
		}
	case errors.Is(err, listener.ErrFraming):
		return problem{
			Status: fiber.StatusBadRequest, Title: "This request could not be read",
			Happened: "It has both a Content-Length and a Transfer-Encoding, or a Transfer-Encoding other than chunked.",
			Money:    "Nothing has changed.",
			Do:       "Send either a Content-Length or chunks.",
		}
	}
	return nil
}

// busy answers a client behind a proxy that has too many requests under way.
func (a *App) busy(ctx *fasthttp.RequestCtx) {
	a.failed(ctx, problem{
		Status: fiber.StatusTooManyRequests, Title: "Too many requests at once",
		Happened: "Your address has as many requests under way as one address may have (PITBOSS_ADMIN_MAX_PER_ADDRESS).",
		Money:    "Nothing has changed.", Do: "Wait a moment and try again.",
	})
}
