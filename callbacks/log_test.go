package callbacks_test

import (
	"context"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks"
	"pitboss/callbacks/wire"
	"pitboss/models"
)

func TestOneLineForEachCallback(t *testing.T) {
	m := newStore(t)
	m.create(t, "anna", 10000)
	d := open(t, m)
	for i, c := range []struct {
		send func() answer
		want map[string]any
	}{
		{
			func() answer { return d.call(t, wire.GetBalance, balanceOf("anna")) },
			map[string]any{"level": "INFO", "endpoint": "GetBalance", "player": "anna", "result": 0.0, "outcome": "read"},
		},
		{
			func() answer { return d.call(t, wire.Withdraw, bet("anna", "1.00", "t1")) },
			map[string]any{"level": "INFO", "endpoint": "Withdraw", "player": "anna", "transaction_id": "t1", "result": 0.0,
				"outcome": "applied"},
		},
		{
			func() answer { return d.call(t, wire.Deposit, bet("anna", "1.00", "t1")) },
			map[string]any{"level": "WARN", "endpoint": "Deposit", "player": "anna", "transaction_id": "t1", "result": 11.0,
				"outcome": "duplicate transaction", "other_contents": true},
		},
		{
			func() answer { return d.call(t, wire.Withdraw, bet("anna", "1.00", "t1")) },
			map[string]any{"level": "INFO", "endpoint": "Withdraw", "player": "anna", "transaction_id": "t1", "result": 11.0,
				"outcome": "duplicate transaction"},
		},
		{
			func() answer { return d.call(t, wire.Withdraw, spin("anna", "1.00", "t2")) },
			map[string]any{"level": "INFO", "endpoint": "Withdraw", "player": "anna", "transaction_id": "t2", "result": 0.0,
				"outcome": "applied", "unexplained_free_spin": true},
		},
		{
			func() answer { return d.call(t, wire.Withdraw, bet("anna", "1000.00", "t3")) },
			map[string]any{"level": "INFO", "endpoint": "Withdraw", "player": "anna", "transaction_id": "t3", "result": 6.0,
				"outcome": "insufficient funds"},
		},
		{
			func() answer { return d.call(t, wire.RollbackTransaction, undo("anna", "t4")) },
			map[string]any{"level": "INFO", "endpoint": "RollbackTransaction", "player": "anna", "transaction_id": "t4",
				"result": 8.0, "outcome": "transaction not found"},
		},
		{
			func() answer { return d.call(t, wire.GetBalance, balanceOf("bert")) },
			map[string]any{"level": "WARN", "endpoint": "GetBalance", "player": "bert", "result": 2.0,
				"outcome": "unknown player"},
		},
		{
			func() answer { return d.call(t, wire.Withdraw, bet("anna", "1.0", "t5")) },
			map[string]any{"level": "WARN", "endpoint": "Withdraw", "player": "anna", "transaction_id": "t5", "result": 2.0,
				"error": "amount: " + models.ErrAmountShape.Error()},
		},
		{
			func() answer { return d.post(t, "/Withdraw", `{"userID":"anna"}`) },
			map[string]any{"level": "WARN", "endpoint": "Withdraw", "player": "anna", "transaction_id": "", "result": 2.0,
				"error": "agentID is missing"},
		},
		{
			func() answer {
				return d.post(t, "/GetBalance", signed(t, wire.GetBalance, balanceOf("anna"), "another"))
			},
			map[string]any{"level": "WARN", "endpoint": "GetBalance", "player": "anna", "result": 3.0,
				"error": "the sign does not match"},
		},
	} {
		got := c.send()
		lines := d.log.lines(t, i+1)
		line := lines[i]
		c.want["msg"] = "callback"
		c.want["request_id"] = got.header.Get("X-Request-ID")
		c.want["address"] = "127.0.0.1"
		assert.Contains(t, line, "time")
		assert.Contains(t, line, "latency_ms")
		delete(line, "time")
		delete(line, "latency_ms")
		assert.Equal(t, c.want, line)
	}
}

func TestLogLevel(t *testing.T) {
	m := newStore(t)
	m.create(t, "anna", 10000)
	for _, c := range []struct {
		change func(*callbacks.Config)
		lines  int
	}{
		{func(c *callbacks.Config) {}, 12},
		{func(c *callbacks.Config) { c.LogLevel = slog.LevelWarn }, 1},
		{func(c *callbacks.Config) { c.LogLevel = slog.LevelError }, 0},
	} {
		d := open(t, m, c.change)
		for range 10 {
			d.call(t, wire.GetBalance, balanceOf("anna"))
		}
		d.call(t, wire.Withdraw, bet("anna", "1000.00", "t")) // declined: also info
		d.post(t, "/Withdraw", "")                            // a wrong shape: a warning
		require.NoError(t, d.server.Shutdown(context.Background()))
		d.log.lines(t, c.lines)
	}
}

func TestHostileTextInTheLog(t *testing.T) {
	m := newStore(t)
	d := open(t, m)
	for i, c := range []struct{ user, want string }{
		{"a b", "a b"},
		{"a ", "a "},
		{"a\nlevel=ERROR msg=forged", `"a\nlevel=ERROR msg=forged"`},
		{`"quoted"`, `"\"quoted\""`},
		{"\x1b[31mred", `"\x1b[31mred"`},
		{"\u202egnp.exe", `"\u202egnp.exe"`},
		{"müller", `"m\u00fcller"`},
		{strings.Repeat("a", 128), strings.Repeat("a", 128)},
		{strings.Repeat("a", 255), `"` + strings.Repeat("a", 128) + `"... of 255 bytes`},
	} {
		d.call(t, wire.GetBalance, balanceOf(c.user))
		assert.Equal(t, c.want, d.log.lines(t, i+1)[i]["player"])
	}
}

// Anybody can send requests that are refused before the store, so the log must not grow with them.
func TestUnverifiedRequestsCannotFloodTheLog(t *testing.T) {
	d, good := openFor(t)
	const sent = 500
	began := time.Now()
	for range sent {
		d.post(t, "/Withdraw", "x")
	}
	seconds := time.Since(began).Seconds()
	assert.Equal(t, has("100.00"), d.post(t, "/GetBalance", good).body)
	require.NoError(t, d.server.Shutdown(context.Background()))
	lines := strings.Count(d.log.String(), "\n")
	leftOut := int(gather(t, d.server.Counters())["pitboss_callback_log_lines_left_out_total"])
	assert.Equal(t, sent+1, lines+leftOut, "each line is written or counted")
	assert.LessOrEqual(t, float64(lines), 20*(seconds+2)+1)
	assert.Contains(t, d.log.String(), `"outcome":"read"`, "the good callback's line is written all the same")
}

// Neither signatures nor keys are ever logged.
func TestSecretsStayOutOfTheLog(t *testing.T) {
	m := newStore(t)
	m.create(t, "anna", 10000)
	d := open(t, m, func(c *callbacks.Config) { c.SecretKey, c.PreviousSecretKey = "TOP-SECRET", "OLD-SECRET" })
	for e, r := range every {
		for _, k := range []string{"TOP-SECRET", "OLD-SECRET", "another"} {
			body := signed(t, e, r, k)
			d.post(t, e.Path(), body)
			d.post(t, e.Path(), body+"x")
			d.post(t, e.Path(), strings.Replace(body, `"userID"`, `"userid"`, 1))
			d.post(t, "/nowhere?"+k, body)
		}
	}
	require.NoError(t, d.server.Shutdown(context.Background()))
	assert.NotContains(t, d.log.String(), "SECRET")
	assert.NotRegexp(t, regexp.MustCompile(`[0-9A-F]{16}`), d.log.String())
}
