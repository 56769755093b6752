package callbacks

import (
	"context"
	"errors"
	"strings"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// What is checked in a callback before the store sees it. respond.go has the verdict on each refusal, and models/decide.go
// has what a wallet declines.

// receive decodes and verifies a callback: its shape, its signature, the agent ID, and its IDs. It verifies the signature of a
// malformed callback too, so that keepRefused is called for it.
func (s *Server) receive(c *callback) error {
	if c.unsound != nil {
		return c.unsound
	}
	var malformed error
	c.request, malformed = wire.Decode(c.endpoint, c.body)
	var room [6]string
	values := c.request.SignedValues(c.endpoint, room[:])
	key, err := s.verifier.Verify(c.request.Sign, values...)
	if c.verified = err == nil || errors.Is(err, wire.ErrSignCase); c.verified {
		c.signed = strings.Join(values[1:], "")
		used := &s.counters.keys[key]
		used.signed.Add(1)
		used.last.Store(c.arrived.UnixMicro())
	}
	switch {
	case malformed != nil:
		return malformed
	case err != nil:
		return err
	case c.request.AgentID != s.config.AgentID:
		return errAgent
	}
	return models.CheckSigned(models.TransactionID(c.request.TransactionID), models.RoundID(c.request.RoundID))
}

// keepRefused stores the digest of a verified callback that was refused before the store had it, so that its signature cannot
// be used for other values (models/signed.go). If that fails, the callback has no definite answer.
func (s *Server) keepRefused(c *callback) error {
	text, ours := strings.CutPrefix(c.request.AgentID+c.signed, s.config.AgentID)
	if !ours {
		return nil // no reading of it names our agent
	}
	var reading models.Reading
	if c.request.AgentID == s.config.AgentID {
		reading = models.Reading{Kind: models.OperationKind(kinds[c.endpoint]), UserLength: len(c.request.UserID),
			TransactionLength: len(c.request.TransactionID)}
	}
	ctx, cancel := context.WithDeadline(context.Background(), c.arrived.Add(s.config.Deadline))
	defer cancel()
	err := s.store.KeepRefused(ctx, text, reading)
	c.handed = err != nil
	return err
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
