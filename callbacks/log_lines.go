package callbacks

import (
	"context"
	"log/slog"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// The callback listener's log has one line per callback. The level says who should look at it:
//
//	error  the callback got no definite answer, or the program panicked: somebody has to look
//	warn   a correctly configured platform does not send this: a wrong shape or signature, another agent, an unknown player, a
//	       transaction ID repeated with other contents, a balance that would overflow; or it is not a callback at all
//	info   everything else: applied callbacks, and callbacks declined by the wallet's rules
//
// At 1,000 callbacks per second a line for each would take 20 GB a day, and the callback log in the database has all of them
// anyway. So each class of lines has a budget: Config.LogRate lines per second for answered callbacks, rejectedRate for wrong
// requests (anybody who reaches the port can cause those), errorRate for errors (an outage fails every callback). The line after
// those that were left out says how many they were, and a metric counts them.
//
// Text from outside is shortened and escaped. Signatures, keys and bodies are never written.

const (
	rejectedRate = 20 // lines per second
	errorRate    = 20 // lines per second
)

// maxLogged is how many bytes of an ID from outside a line shows.
const maxLogged = 128

type lineLog struct {
	logger                    *slog.Logger
	level                     slog.Level
	counters                  *Counters
	answered, rejected, fails lineBudget
}

func newLineLog(c Config, counters *Counters) *lineLog {
	return &lineLog{
		logger: c.Logger, level: c.LogLevel, counters: counters,
		answered: lineBudget{rate: int64(c.LogRate)}, rejected: lineBudget{rate: rejectedRate},
		fails: lineBudget{rate: errorRate},
	}
}

// lineBudget lets through at most rate lines per second, the first of each.
type lineBudget struct {
	rate int64

	mu      sync.Mutex
	second  int64 // Unix time of the second that written is for
	written int64
	leftOut int64 // since the last line that was let through
}

// admit reports whether the budget has room for a line in this second, and how many were left out since the last line.
func (b *lineBudget) admit(second int64) (leftOut int64, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if second != b.second {
		b.second, b.written = second, 0
	}
	if b.written == b.rate {
		b.leftOut++
		return 0, false
	}
	b.written++
	leftOut, b.leftOut = b.leftOut, 0
	return leftOut, true
}

// admit returns the first attributes of a line if budget has room for it.
func (l *lineLog) admit(budget *lineBudget) ([]slog.Attr, bool) {
	leftOut, ok := budget.admit(time.Now().Unix())
	if !ok {
		l.counters.unlogged.Add(1)
		return nil, false
	}
	attrs := make([]slog.Attr, 0, 14)
	if leftOut > 0 {
		attrs = append(attrs, slog.Int64("lines_left_out", leftOut))
	}
	return attrs, true
}

// callback writes the line of an answered callback, if its level is enabled.
func (l *lineLog) callback(c *callback, r models.Result, err error, v verdict, took time.Duration) {
	level := levelOf(c, r, err)
	if level < l.level || !l.logger.Enabled(context.Background(), level) {
		return
	}
	budget := &l.answered
	switch {
	case level == slog.LevelError:
		budget = &l.fails
	case err != nil:
		budget = &l.rejected
	}
	attrs, ok := l.admit(budget)
	if !ok {
		return
	}
	attrs = append(attrs,
		slog.String("request_id", c.id.String()),
		slog.String("endpoint", c.endpoint.String()),
		slog.String("player", legible(c.request.UserID)),
	)
	if c.endpoint != wire.GetBalance {
		attrs = append(attrs, slog.String("transaction_id", legible(c.request.TransactionID)))
	}
	attrs = append(attrs, slog.Int("result", int(v.result)))
	if err == nil {
		attrs = append(attrs, slog.String("outcome", outcome(c, r)))
	} else {
		attrs = append(attrs, slog.Any("error", legibleError(err)))
	}
	if !v.definite {
		attrs = append(attrs, slog.Int("status", v.status))
	}
	if r.OtherContents {
		attrs = append(attrs, slog.Bool("other_contents", true))
	}
	if r.Unexplained {
		attrs = append(attrs, slog.Bool("unexplained_free_spin", true))
	}
	attrs = append(attrs, slog.Float64("latency_ms", float64(took.Microseconds())/1000),
		slog.String("address", c.client.String()))
	l.logger.LogAttrs(context.Background(), level, "callback", attrs...)
}

func levelOf(c *callback, r models.Result, err error) slog.Level {
	if err != nil {
		if _, panicked := err.(*panicError); panicked || c.handed {
			return slog.LevelError
		}
		return slog.LevelWarn
	}
	if r.OtherContents || r.Decline == models.UnknownPlayer || r.Decline == models.BalanceOverflow ||
		r.Decline == models.SignReused || r.Decline == models.GrantMissing {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

func outcome(c *callback, r models.Result) string {
	if c.endpoint == wire.GetBalance && r.Decline == models.None {
		return "read"
	}
	return r.Decline.String()
}

// refused writes the line of a request that is not a callback.
func (l *lineLog) refused(id models.RequestID, client netip.Addr, status int, problem string) {
	if slog.LevelWarn < l.level || !l.logger.Enabled(context.Background(), slog.LevelWarn) {
		return
	}
	attrs, ok := l.admit(&l.rejected)
	if !ok {
		return
	}
	l.logger.LogAttrs(context.Background(), slog.LevelWarn, "not a callback", append(attrs,
		slog.String("request_id", id.String()),
		slog.Int("status", status),
		slog.String("error", problem),
		slog.String("address", client.String()))...)
}

// legible returns a short text of printable ASCII unchanged. Any other text is quoted and escaped; a long one is shortened, and
// its length is added.
func legible(text string) string {
	if len(text) <= maxLogged && printable(text) {
		return text
	}
	if len(text) <= maxLogged {
		return strconv.QuoteToASCII(text)
	}
	return strconv.QuoteToASCII(text[:maxLogged]) + "... of " + strconv.Itoa(len(text)) + " bytes"
}

func printable(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\' {
			return false
		}
	}
	return true
}

// legibleError returns a panic with its stack and the text of any other error, shortened.
func legibleError(err error) any {
	if p, ok := err.(*panicError); ok {
		return p
	}
	const maxError = 1024
	text := err.Error()
	if len(text) > maxError {
		text = text[:maxError]
	}
	return text
}
