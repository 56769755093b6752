package callbacks

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// nowhere is a store that no request must reach.
type nowhere struct{}

func (nowhere) Apply(context.Context, models.Operation) (models.Result, error) { panic("reached") }
func (nowhere) KeepRefused(context.Context, string, models.Reading) error      { return nil }

func (nowhere) Balance(context.Context, models.UserID) (models.Balance, bool, error) {
	panic("reached")
}

// A panic before the store had the operation cannot have had an effect: a definite 1. After that, the outcome is unknown.
func TestPanics(t *testing.T) {
	for _, c := range []struct {
		handed bool
		status int
	}{{false, 200}, {true, 503}} {
		var log bytes.Buffer
		s, err := New(Config{AgentID: "a", SecretKey: "k", Deadline: time.Second, OutageStatus: 503,
			Logger: slog.New(slog.NewTextHandler(&log, nil))}, nowhere{})
		require.NoError(t, err)
		s.app.Post("/fault", s.serve(wire.Withdraw, func(cb *callback) (models.Result, error) {
			cb.handed = c.handed
			panic("a fault")
		}))
		response, err := s.app.Test(httptest.NewRequest("POST", "/fault", nil))
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		assert.Equal(t, c.status, response.StatusCode)
		assert.Equal(t, `{"result":1}`, string(body))
		assert.Contains(t, log.String(), "level=ERROR")
		assert.Contains(t, log.String(), "a fault")
		assert.Contains(t, log.String(), "panic_test.go", "the stack")
	}
}

// Counting an answer, and not writing a line about it, must not allocate.
func TestAnswersAllocateNothing(t *testing.T) {
	s := &Server{failures: newFailureLog(slog.New(slog.DiscardHandler)), counters: newCounters()}
	c := &callback{endpoint: wire.Withdraw, handed: true, request: wire.Request{UserID: "anna", TransactionID: "t1"}}
	v := reply{models.Applied, wire.Success, 200}
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		s.counters.answered(wire.Withdraw, v, 1)
		s.failures.callback(c, nil, v, 1)
	}))
}
