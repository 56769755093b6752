package callbacks

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"pitboss/models"
)

// failureLog writes a line for each callback that got no definite answer or made the program panic: somebody has to look. The
// callback log in the database has every other one. An outage fails every callback, so at most failuresPerSecond lines are
// written per second; metrics count all of them.
type failureLog struct {
	logger *slog.Logger

	mu   sync.Mutex
	left allowance
}

const failuresPerSecond = 20

func newFailureLog(logger *slog.Logger) *failureLog {
	return &failureLog{logger: logger, left: allowance{burst: failuresPerSecond, rate: failuresPerSecond}}
}

// callback logs an error, if it is one of those.
func (l *failureLog) callback(c *callback, err error, said reply, took time.Duration) {
	if _, panicked := err.(*panicError); !panicked && said.verdict != models.VerdictNoAnswer {
		return
	}
	l.mu.Lock()
	admitted := l.left.take(time.Now())
	l.mu.Unlock()
	if !admitted {
		return
	}
	l.logger.LogAttrs(context.Background(), slog.LevelError, "callback", slog.String("request_id", c.id.String()),
		slog.String("endpoint", c.endpoint.String()), slog.String("player", cut(c.request.UserID, maxCause)),
		slog.String("transaction_id", cut(c.request.TransactionID, maxCause)), slog.Int("status", said.status),
		slog.Any("error", err), slog.Duration("latency", took), slog.String("address", c.client.String()))
}
