package callbacks

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// What is checked in a callback before the store sees it. respond.go has the result code of each refusal, and models/decide.go
// has what a wallet declines.

// unsound returns why a body must not be read. If the framing is ambiguous, it also closes the connection after this request.
func unsound(f *fiber.Ctx) error {
	err := listener.CheckBody(&f.Request().Header)
	if errors.Is(err, listener.ErrFraming) {
		f.Context().SetConnectionClose()
	}
	return err
}

// receive decodes and verifies a callback: first its shape, then its signature, the agent ID, and the formats of its IDs.
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

// amount parses one of a callback's amounts.
func amount(field, value string) (models.Amount, error) {
	a, err := models.ParseAmount(value)
	if err != nil {
		return 0, &amountError{field, err}
	}
	return a, nil
}

// errAgent refuses a request with a valid signature that names another agent.
var errAgent = errors.New("the agentID is not ours")

// amountError says which field is not a valid amount, and why.
type amountError struct {
	field string
	err   error
}

func (e *amountError) Error() string { return e.field + ": " + e.err.Error() }
