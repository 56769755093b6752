package web

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"pitboss/app/reconcile"
	"pitboss/app/staffsession"
	"pitboss/app/uploads"
	"pitboss/callbacks/listener"
	"pitboss/models"
)

// The size limit of a request is decided before its body is read. A body is in memory, and several times over once it is
// parsed. So only people who are signed in may send more than a sign-in form needs, and only uploads may be large.
const (
	AnybodysBody  = 64 << 10 // bytes, from those who are not signed in
	longestHeader = 24 << 10 // bytes, with a draft in the address and another one in the referrer
	FormBody      = 1 << 20
	UploadBody    = 16 << 20
	MaxFields     = 10_000 // of a form
)

// uploadTime is how long the upload of a statement may take.
const uploadTime = 30 * time.Minute

// receive returns how large the body of a request may be and how long it may take. A statement may be larger than any other
// request: it is a form of known length that is written to disk while it arrives.
func (s *Site) receive(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	cfg := fasthttp.RequestConfig{MaxRequestBodySize: AnybodysBody, ReadTimeout: uploads.BodyTime}
	if !h.IsPost() || h.ContentLength() <= AnybodysBody || listener.CheckBody(h) != nil {
		return cfg
	}
	role, signedIn := s.sender(h)
	if !signedIn {
		return cfg
	}
	path, _, _ := bytes.Cut(h.RequestURI(), []byte("?"))
	multipart := bytes.HasPrefix(h.ContentType(), []byte("multipart/form-data"))
	allowed := func(needs Permission) bool { return May(role, needs) }
	cfg.MaxRequestBodySize = FormBody
	switch at := string(path); {
	case at == "/statements" && multipart && allowed(RunStatements):
		cfg.MaxRequestBodySize, cfg.ReadTimeout = reconcile.MaxFile+FormBody, uploadTime
	case strings.HasPrefix(at, "/campaigns") && allowed(GrantFreeSpins),
		strings.HasPrefix(at, "/players/imports") && allowed(ManagePlayers):
		if h.ContentLength() <= FormBody || s.Uploads.Begin(h) {
			cfg.MaxRequestBodySize = UploadBody
		}
	}
	return cfg
}

// countUploads frees an upload's place once it has been answered. If it could not be read, fail frees it.
func (s *Site) countUploads(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		header := &ctx.Request.Header
		if header.ContentLength() > FormBody {
			s.Uploads.Arrived(header)
			defer s.Uploads.End(header)
		}
		next(ctx)
	}
}

// sender returns the role of the person who sends a request, from its header alone. It returns false if they are not signed in.
func (s *Site) sender(h *fasthttp.RequestHeader) (models.Role, bool) {
	request, err := http.NewRequest(http.MethodGet, "/", nil)
	if err != nil {
		return "", false
	}
	request.Header.Set("Cookie", string(h.Peek("Cookie")))
	session, err := s.Sessions.New(request, SessionName)
	if err != nil {
		return "", false
	}
	row, there := staffsession.RowOf(session)
	stage, _ := session.Values[ValueStage].(string)
	if !there || stage == StageCode {
		return "", false
	}
	return row.Staff.Role, true
}

// endAfterForm closes the connection after a form that was parsed while it arrived. Parsing ends at the form's last boundary,
// and the rest of the body would be read as the next request. A proxy in front would not know of that request, so it would give
// its answer to another person.
func endAfterForm(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		if len(ctx.Request.Header.MultipartFormBoundary()) > 0 {
			ctx.SetConnectionClose()
		}
		next(ctx)
	}
}

// screen refuses some requests before a session is looked up, a body is parsed or a route is chosen.
func (s *Site) screen(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		if err := s.unfit(ctx); err != nil {
			s.failed(ctx, err)
			return
		}
		next(ctx)
	}
}

// failed answers with the page of an error.
func (s *Site) failed(ctx *fasthttp.RequestCtx, err error) {
	c := s.fiber.AcquireCtx(ctx)
	defer s.fiber.ReleaseCtx(c)
	if err := s.fail(c, err); err != nil {
		s.Log.Error("An error page could not be shown.", "request", requestID(c), "err", err)
	}
}

// unfit returns why a request is refused whatever its address, or nil.
func (s *Site) unfit(ctx *fasthttp.RequestCtx) error {
	header := &ctx.Request.Header
	if client, ok := listener.Client(listener.Peer(ctx.RemoteAddr()), header, s.TrustedProxies); len(s.Allow) > 0 &&
		(!ok || !s.Allow.Contains(client)) {
		ctx.SetConnectionClose()
		return errOtherNetwork(client)
	}
	if err := unreadable(header); err != nil {
		ctx.SetConnectionClose()
		return err
	}
	// A form with files has at most 1,000 parts: mime/multipart's own limit.
	if bytes.HasPrefix(header.ContentType(), []byte(fiber.MIMEApplicationForm)) &&
		bytes.Count(ctx.Request.Body(), []byte("&")) >= MaxFields {
		return errManyFields
	}
	return nil
}

// unreadable returns why the body of a request must not be read, or nil.
func unreadable(header *fasthttp.RequestHeader) error {
	switch err := listener.CheckBody(header); {
	case errors.Is(err, listener.ErrEncoded):
		return errCompressed
	case errors.Is(err, listener.ErrFraming):
		return errFraming
	}
	return nil
}

// busy refuses a request because its client, behind a proxy, has too many requests under way.
func (s *Site) busy(ctx *fasthttp.RequestCtx) {
	s.failed(ctx, errBusy)
}

// Address returns where a request came from, for the audit log and for limits, or an empty string if that is unknown. It is
// looked up once, because parts of a page that are read at the same time must not search the header: fasthttp uses one buffer
// for that.
func (s *Site) Address(c *fiber.Ctx) string {
	if known, ok := c.Locals(addressKey).(string); ok {
		return known
	}
	address := ""
	if at, _ := listener.Client(listener.Peer(c.Context().RemoteAddr()), &c.Request().Header, s.TrustedProxies); at.IsValid() {
		address = at.String()
	}
	c.Locals(addressKey, address)
	return address
}
