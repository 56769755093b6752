package callbacks

import (
	"context"
	"log/slog"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// The callbacks' log: one line each, at a level that says who should look at it.
//
//	error  there was no definite answer, or a panic. Somebody has to look. Never left out
//	warn   what a platform that is set up rightly does not send: a wrong shape or sign, another agent, an unknown player, a
//	       transactionID with other contents, a balance that would overflow; and what is no callback at all
//	info   everything else: successes, of which Config.LogSample keeps every Nth, and refusals by the wallet's rules, all of them
//
// Anybody who reaches the port can cause the warnings of what is refused before the store is asked. Of those at most maxWarnings
// are written in a second; the next one says how many were left out, and so does a metric.
//
// What comes from outside is shortened and escaped. Signs, keys and bodies are never written.

// maxWarnings is how many lines a second strangers can cause.
const maxWarnings = 20

// maxLogged is how many bytes of a name from outside a line holds.
const maxLogged = 128

type callbackLog struct {
	logger    *slog.Logger
	level     slog.Level
	sample    uint64
	counters  *Counters
	successes atomic.Uint64
	second    atomic.Int64 // that the two below belong to
	warnings  atomic.Int64
	leftOut   atomic.Int64 // since the last line that told
}

func newCallbackLog(c Config, counters *Counters) *callbackLog {
	return &callbackLog{logger: c.Logger, level: c.LogLevel, sample: uint64(c.LogSample), counters: counters}
}

// callback writes the line of an answered callback. It costs nothing to speak of when the line is not wanted.
func (l *callbackLog) callback(c *callback, r models.Result, err error, v verdict, took time.Duration) {
	level := levelOf(c, r, err)
	if level < l.level || !l.logger.Enabled(context.Background(), level) {
		return
	}
	if err == nil && r.Decline == models.None && !r.Unexplained && l.successes.Add(1)%l.sample != 0 {
		return
	}
	attrs := make([]slog.Attr, 0, 14)
	if level == slog.LevelWarn && err != nil {
		var ok bool
		if attrs, ok = l.admit(attrs); !ok {
			return
		}
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
	attrs = append(attrs, slog.Float64("latency_ms", float64(took.Microseconds())/1000), slog.String("address", c.client.String()))
	l.logger.LogAttrs(context.Background(), level, "callback", attrs...)
}

func levelOf(c *callback, r models.Result, err error) slog.Level {
	if err != nil {
		if _, panicked := err.(*panicError); panicked || c.handed {
			return slog.LevelError
		}
		return slog.LevelWarn
	}
	if r.OtherContents || r.Decline == models.UnknownPlayer || r.Decline == models.BalanceOverflow {
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

// refused writes the line of a request that is no callback.
func (l *callbackLog) refused(id models.RequestID, client netip.Addr, status int, problem string) {
	if slog.LevelWarn < l.level || !l.logger.Enabled(context.Background(), slog.LevelWarn) {
		return
	}
	attrs, ok := l.admit(nil)
	if !ok {
		return
	}
	l.logger.LogAttrs(context.Background(), slog.LevelWarn, "not a callback", append(attrs,
		slog.String("request_id", id.String()),
		slog.Int("status", status),
		slog.String("error", problem),
		slog.String("address", client.String()))...)
}

// admit reports whether this second has room for one more line caused by a stranger. Seconds need not be exact, so two of them
// may share a limit when many requests pass at the same moment.
func (l *callbackLog) admit(attrs []slog.Attr) ([]slog.Attr, bool) {
	now := time.Now().Unix()
	if then := l.second.Load(); then != now && l.second.CompareAndSwap(then, now) {
		l.warnings.Store(0)
	}
	if l.warnings.Add(1) > maxWarnings {
		l.leftOut.Add(1)
		l.counters.unlogged.Add(1)
		return attrs, false
	}
	if n := l.leftOut.Swap(0); n > 0 {
		attrs = append(attrs, slog.Int64("lines_left_out", n))
	}
	return attrs, true
}

// legible returns text as it is where it is short, printable ASCII, and else its beginning, quoted and escaped, with its length.
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

// legibleError keeps a panic's stack and shortens every other error.
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
