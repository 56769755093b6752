package callbacks

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"pitboss/callbacks/listener"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// How callbacks are answered (specification, Errors).
//
//   - A definite answer is HTTP 200 with a result code. Repeating the callback gets the same answer until something else
//     changes.
//   - If the outcome is unknown, the status is Config.OutageStatus with result 1. After a 503 the platform repeats the callback
//     and gets the outcome by its transaction ID (platform notes: any status but 200 is retried). Once the store has an
//     operation and returns an error, only a 503 is honest. Before that, nothing can have happened, so even a panic is a
//     definite 1.
//   - Requests that are not callbacks (another path or method, a broken header, a forbidden address) get other statuses; the
//     platform never sends them.

// reply is how a callback is answered.
type reply struct {
	verdict models.Verdict // VerdictNoAnswer if this is not a definite answer
	result  wire.Result
	status  int
}

// judge decides how a callback is answered. Nothing else does: models/verdict.go has the result code of each verdict.
func (s *Server) judge(c *callback, r models.Result, err error) reply {
	verdict, status := models.VerdictOf(r.Decline, r.OtherContents), fiber.StatusOK
	if err != nil && c.handed {
		verdict, status = models.VerdictNoAnswer, s.config.OutageStatus
	} else if err != nil {
		verdict = refusal(err)
	}
	result := wire.Result(verdict.Result(s.config.Dialect == wire.GitSlotPark))
	if verdict == models.VerdictDuplicate && s.config.DuplicateIsSuccess {
		result = wire.Success
	}
	return reply{verdict, result, status}
}

// refusal returns the verdict for an error from before the store.
func refusal(err error) models.Verdict {
	var shape *wire.ShapeError
	var notAmount *amountError
	switch {
	case errors.As(err, &shape), errors.As(err, &notAmount), errors.Is(err, models.ErrAmountFirst),
		errors.Is(err, listener.ErrEncoded), errors.Is(err, listener.ErrFraming):
		return models.VerdictWrongInput
	case errors.Is(err, wire.ErrSignShape), errors.Is(err, wire.ErrSignCase), errors.Is(err, wire.ErrSignMismatch):
		return models.VerdictInvalidSign
	case errors.Is(err, errAgent):
		return models.VerdictOtherAgent
	}
	return models.VerdictFault
}

// finish keeps what has to be kept of a refused callback, answers it, counts it and, unless it was applied, logs it.
func (s *Server) finish(f *fiber.Ctx, c *callback, r models.Result, err error) {
	if c.verified {
		s.guard.Vouch(f.Context().Conn())
		if err != nil && !c.handed {
			if failed := s.keepRefused(c); failed != nil {
				err = failed
			}
		}
	}
	said := s.judge(c, r, err)
	a := wire.Answer{Result: said.result}
	// These two answers contain the player's balance (platform notes, Wallet callbacks).
	if a.Result == wire.Success || a.Result == wire.DuplicateTransaction {
		a.Balance = r.Balance.Amount.String()
		if c.endpoint == wire.GetBalance {
			a.Currency = string(r.Balance.Currency)
		}
	}
	s.write(f, said.status, a)
	took := time.Since(c.arrived)
	s.counters.answered(c.endpoint, said, took)
	if err != nil {
		s.failures.callback(c, err, said, took)
	}
	if err != nil || r.Decline != models.None {
		s.journal.callback(c, r, err, said, took)
	}
}

// write sends an answer in the configured dialect.
func (s *Server) write(f *fiber.Ctx, status int, a wire.Answer) {
	if s.config.Dialect == wire.GitSlotPark && a.Result != wire.Success {
		a.Message = a.Result.String()
	}
	var buffer [128]byte
	response := f.Response()
	response.SetStatusCode(status)
	response.Header.SetContentType(fiber.MIMEApplicationJSON)
	response.SetBody(a.AppendTo(buffer[:0], s.config.Dialect))
}

// forbid answers a client outside Config.Allow and closes its connection, which counts against MaxConnections.
func (s *Server) forbid(f *fiber.Ctx, id models.RequestID, client netip.Addr) {
	f.Context().SetConnectionClose()
	s.write(f, fiber.StatusForbidden, wire.Answer{Result: wire.GeneralError})
	s.counters.refused(fiber.StatusForbidden)
	const problem = "the address is not in PITBOSS_CALLBACK_ALLOW"
	s.journal.refused(f, id, client, fiber.StatusForbidden, wire.GeneralError, models.VerdictForbidden, problem)
}

// busy answers a client behind a proxy that has too many requests in progress. Nothing has happened, and the platform repeats
// the callback.
func (s *Server) busy(ctx *fasthttp.RequestCtx) {
	ctx.SetStatusCode(fiber.StatusTooManyRequests)
	ctx.SetContentType(fiber.MIMEApplicationJSON)
	answer := wire.Answer{Result: wire.GeneralError}
	ctx.SetBody(answer.AppendTo(nil, s.config.Dialect))
	s.counters.refused(fiber.StatusTooManyRequests)
}

// refuse is Fiber's error handler. It answers requests that are not callbacks.
func (s *Server) refuse(f *fiber.Ctx, err error) error {
	if listener.WasCut(f.Context().Conn()) {
		return nil
	}
	received := f.Context().Time()
	if received.IsZero() { // nothing of the request could be read
		received = time.Now()
	}
	id := s.identify(f, received)
	client, allowed := s.client(f)
	if !allowed {
		s.forbid(f, id, client)
		return nil
	}
	status := fiber.StatusBadRequest
	if e := new(fiber.Error); errors.As(err, &e) {
		status = e.Code
	}
	problem := "not an HTTP request that can be read"
	switch status {
	case fiber.StatusRequestEntityTooLarge:
		// A callback that is too long is wrong input, which is a definite answer.
		status, problem = fiber.StatusOK, "the body is longer than 64 KiB"
	case fiber.StatusNotFound:
		problem = "no such path"
	case fiber.StatusMethodNotAllowed:
		problem = "the method is not POST"
	case fiber.StatusRequestTimeout:
		problem = "the request did not arrive in time"
	case fiber.StatusRequestHeaderFieldsTooLarge:
		problem = "the header is too long"
	case fiber.StatusBadGateway: // Fiber's status for a failure of the connection itself
		problem = "the connection failed"
	}
	s.write(f, status, wire.Answer{Result: wire.WrongInput})
	s.counters.refused(status)
	s.journal.refused(f, id, client, status, wire.WrongInput, models.VerdictNotACallback, problem)
	return nil
}

// panicError is a recovered panic.
type panicError struct {
	value any
	stack []byte
}

func newPanicError(value any) *panicError { return &panicError{value, debug.Stack()} }

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// LogValue returns the message and the stack as separate attributes.
func (e *panicError) LogValue() slog.Value {
	return slog.GroupValue(slog.String("message", e.Error()), slog.String("stack", string(e.stack)))
}
