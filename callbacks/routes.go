package callbacks

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// callback is one request on its way through the door.
type callback struct {
	endpoint wire.Endpoint
	arrived  time.Time
	id       models.RequestID
	client   netip.Addr
	body     []byte // Fiber's own memory: only decode may look at it
	unsound  error  // why the body cannot be taken as it stands
	request  wire.Request
	verified bool // the sign holds
	handed   bool // the operation has been handed to the store: from here on a failure may have had its effect
}

// routes says which endpoint is answered by what. Each comes under Config.Path, by POST only.
func (s *Server) routes() {
	for endpoint, answer := range map[wire.Endpoint]func(*callback) (models.Result, error){
		wire.GetBalance:          s.getBalance,
		wire.Withdraw:            s.withdraw,
		wire.Deposit:             s.deposit,
		wire.BetWin:              s.betWin,
		wire.RollbackTransaction: s.rollback,
	} {
		s.app.Post(s.config.Path+endpoint.Path(), s.serve(endpoint, answer))
	}
}

// serve turns an endpoint's function into a handler, which always responds.
func (s *Server) serve(endpoint wire.Endpoint, answer func(*callback) (models.Result, error)) fiber.Handler {
	return func(f *fiber.Ctx) error {
		c := &callback{
			endpoint: endpoint,
			arrived:  f.Context().Time(),
			client:   s.client(f),
			body:     f.Request().Body(),
			unsound:  unsound(f),
		}
		c.id = s.identify(f, s.received(c.arrived))
		if !s.allowed(c.client) {
			s.forbid(f, c.id, c.client)
			return nil
		}
		defer func() {
			if p := recover(); p != nil {
				s.respond(f, c, models.Result{}, newPanicError(p))
			}
		}()
		result, err := answer(c)
		if c.verified {
			s.guard.Vouch(f.Context().Conn())
		}
		s.respond(f, c, result, err)
		return nil
	}
}

// received is when a request arrived, by the configured clock.
func (s *Server) received(arrived time.Time) time.Time {
	if s.config.Now != nil {
		return s.config.Now()
	}
	return arrived
}

// unsound returns why a body must not be read. A request whose framing is ambiguous is the last one on its connection.
func unsound(f *fiber.Ctx) error {
	err := listener.CheckBody(&f.Request().Header)
	if errors.Is(err, listener.ErrFraming) {
		f.Context().SetConnectionClose()
	}
	return err
}

// receive decodes and verifies a callback: its shape, its sign, our agentID, the formats of IDs, in this order.
func (s *Server) receive(c *callback) error {
	if c.unsound != nil {
		return c.unsound
	}
	var err error
	if c.request, err = wire.Decode(c.endpoint, c.body); err != nil {
		return err
	}
	var values [6]string
	if err := s.verifier.Verify(c.request.Sign, c.request.SignedValues(c.endpoint, values[:])...); err != nil {
		return err
	}
	c.verified = true
	if c.request.AgentID != s.config.AgentID {
		return errAgent
	}
	return s.config.Formats.Check(c.endpoint, &c.request)
}

// amount reads the decoded value of one of a callback's amounts.
func amount(field, value string) (models.Amount, error) {
	a, err := models.ParseAmount(value)
	if err != nil {
		return 0, &amountError{field, err}
	}
	return a, nil
}

// apply hands an operation to the store.
func (s *Server) apply(c *callback, op models.Operation) (models.Result, error) {
	op.Source = models.SourcePlatform
	op.UserID = models.UserID(c.request.UserID)
	op.TransactionID = models.TransactionID(c.request.TransactionID)
	op.RoundID = models.RoundID(c.request.RoundID)
	op.Signed = c.request.SignedText(c.endpoint)
	op.Receipt = &models.Receipt{RequestID: c.id, Address: c.client}
	ctx, cancel := context.WithDeadline(context.Background(), c.arrived.Add(s.config.Deadline))
	defer cancel()
	c.handed = true
	return s.store.Apply(ctx, op)
}

// errAgent refuses a request that is signed with our key and names another agent.
var errAgent = errors.New("the agentID is not ours")

// amountError says which field is not an amount.
type amountError struct {
	field string
	err   error
}

func (e *amountError) Error() string { return e.field + ": " + e.err.Error() }

// identify gives the request an ID of ours, which the answer's header and the logs carry.
func (s *Server) identify(f *fiber.Ctx, received time.Time) models.RequestID {
	id := s.newRequestID(received)
	var text [48]byte
	f.Response().Header.SetBytesV(fiber.HeaderXRequestID, id.AppendTo(text[:0]))
	return id
}

func (s *Server) newRequestID(received time.Time) models.RequestID {
	return models.RequestID{Received: received.UTC().Truncate(time.Microsecond), Number: s.run<<32 | int64(s.lastReq.Add(1))}
}
