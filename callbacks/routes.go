package callbacks

import (
	"errors"
	"net/netip"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// callback is one request and what is known about it so far.
type callback struct {
	endpoint wire.Endpoint
	arrived  time.Time
	id       models.RequestID
	client   netip.Addr
	body     []byte // Fiber reuses this memory: only decode may read it
	unsound  error  // why the body must not be read
	request  wire.Request
	verified bool   // the signature is valid
	signed   string // the signed text after the agent ID, if it is
	handed   bool   // the store has the operation: after an error its outcome is unknown
}

// routes registers the five endpoints, POST only, below Config.Path.
func (s *Server) routes() {
	for endpoint, answer := range map[wire.Endpoint]func(*callback) (models.Result, error){
		wire.GetBalance:          s.getBalance,
		wire.Withdraw:            s.operation,
		wire.Deposit:             s.operation,
		wire.BetWin:              s.operation,
		wire.RollbackTransaction: s.operation,
	} {
		s.app.Post(s.config.Path+endpoint.Path(), s.serve(endpoint, answer))
		// A base address that was registered with a slash at its end.
		s.app.Post(s.config.Path+"/"+endpoint.Path(), s.serve(endpoint, answer))
	}
}

// serve returns a handler that calls an endpoint's function and always responds, even after a panic.
func (s *Server) serve(endpoint wire.Endpoint, answer func(*callback) (models.Result, error)) fiber.Handler {
	return func(f *fiber.Ctx) error {
		c := &callback{
			endpoint: endpoint,
			arrived:  f.Context().Time(),
			body:     f.Request().Body(),
			unsound:  listener.CheckBody(&f.Request().Header),
		}
		if errors.Is(c.unsound, listener.ErrFraming) { // it is unclear where the next request begins
			f.Context().SetConnectionClose()
		}
		c.id = s.identify(f, c.arrived)
		var allowed bool
		if c.client, allowed = s.client(f); !allowed {
			s.forbid(f, c.id, c.client)
			return nil
		}
		defer func() {
			if p := recover(); p != nil {
				s.finish(f, c, models.Result{}, newPanicError(p))
			}
		}()
		result, err := answer(c)
		s.finish(f, c, result, err)
		return nil
	}
}

// identify gives a request its number, which the answer's header and the logs show, and its time by the configured clock.
func (s *Server) identify(f *fiber.Ctx, arrived time.Time) models.RequestID {
	if s.config.Now != nil {
		arrived = s.config.Now()
	}
	id := s.newRequestID(arrived)
	var text [48]byte
	f.Response().Header.SetBytesV(fiber.HeaderXRequestID, id.AppendTo(text[:0]))
	return id
}

func (s *Server) newRequestID(received time.Time) models.RequestID {
	return models.RequestID{Received: received.UTC().Truncate(time.Microsecond), Number: s.run<<32 | int64(s.lastReq.Add(1))}
}
