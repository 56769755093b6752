package callbacks

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"pitboss/callbacks/listener"
	"pitboss/callbacks/wire"
)

// Config is how the callback service is set up. Each field names the environment variable it comes from; a zero value takes the
// default that stands beside it.
type Config struct {
	// AgentID is ours, PITBOSS_AGENT_ID. Required.
	AgentID string
	// SecretKey signs the callbacks, PITBOSS_SECRET_KEY. Required.
	SecretKey string
	// PreviousSecretKey is accepted too while the key is being rotated, PITBOSS_SECRET_KEY_PREVIOUS. Default: none.
	PreviousSecretKey string

	// Dialect is how answers are written, PITBOSS_WIRE. Default: wire.Spec.
	Dialect wire.Dialect
	// Formats are those of the platform's IDs and ours, PITBOSS_TRANSACTION_ID_FORMAT, PITBOSS_ROUND_ID_FORMAT and
	// PITBOSS_USER_ID_FORMAT. A callback whose IDs do not match is WrongInput: its values cannot be what the platform signed.
	// Default: any.
	Formats wire.Formats
	// DuplicateIsSuccess answers 0 instead of 11 when a processed transaction comes again with the same contents,
	// PITBOSS_DUPLICATE_RESULT=0 (specification, Errors 5). Default: 11.
	DuplicateIsSuccess bool
	// Deadline bounds the time from a callback's arrival to its answer, retries included, PITBOSS_CALLBACK_DEADLINE.
	// Default: 2.5 s.
	Deadline time.Duration
	// OutageStatus is the HTTP status when there is no definite answer, 503 or 200, PITBOSS_OUTAGE_STATUS. Default: 503, at
	// which the platform repeats the callback and meets idempotency. With 200 it takes the bet as refused, which it may not be.
	OutageStatus int

	// Path stands before the endpoints' own, PITBOSS_CALLBACK_PATH, such as "/WalletService". Default: none.
	Path string
	// TLSCertFile and TLSKeyFile are PEM files, PITBOSS_CALLBACK_TLS_CERT and PITBOSS_CALLBACK_TLS_KEY. They are read again
	// when they change. Default: plain HTTP, for use behind a TLS proxy.
	TLSCertFile, TLSKeyFile string
	// Proxies are the trusted TLS proxies in front, PITBOSS_CALLBACK_PROXY: X-Forwarded-For counts from them only. Default:
	// none.
	Proxies listener.Networks
	// Allow are the networks from which clients may call, PITBOSS_CALLBACK_ALLOW. Others are cut off at accept, and refused if
	// they come through a proxy. Default: everybody may call, which cmd/pitboss accepts on loopback or where the setting says
	// "any".
	Allow listener.Networks

	// MaxConnections is how many connections are open at a time, PITBOSS_CALLBACK_MAX_CONNECTIONS. Each may hold a body of
	// MaxBodyBytes. Default: 2048.
	MaxConnections int
	// MaxPerAddress is how many connections one address may have, PITBOSS_CALLBACK_MAX_PER_ADDRESS; behind a trusted proxy, how
	// many requests under way. Default: half of MaxConnections.
	MaxPerAddress int
	// HeaderTimeout bounds how long a client may take for a TLS handshake and a request's header,
	// PITBOSS_CALLBACK_HEADER_TIMEOUT. Default: 5 s, or ReadTimeout where that is shorter.
	HeaderTimeout time.Duration
	// ReadTimeout bounds how long a client may take to send a request's body, PITBOSS_CALLBACK_READ_TIMEOUT. Default: 10 s.
	ReadTimeout time.Duration
	// Traced is told of each callback that was answered, for traces. It must not wait. Default: nobody is told.
	Traced func(Traced)

	// IdleTimeout is how long a connection may stay open between requests, PITBOSS_CALLBACK_IDLE_TIMEOUT. Default: 75 s.
	IdleTimeout time.Duration

	// Now is the clock by which callbacks are numbered and logged. Default: when the request arrived. The demo plays its past
	// with it.
	Now func() time.Time
	// Journal takes the door's part of the callback log. Default: nobody does.
	Journal Journal
	// Logger takes the log. Default: slog.Default().
	Logger *slog.Logger
	// LogLevel is the least level of the line that each callback writes, PITBOSS_CALLBACK_LOG_LEVEL. What the levels mean
	// stands at the top of log.go; above ERROR means ERROR. Default: slog.LevelInfo.
	LogLevel slog.Level
	// LogRate is how many lines about answered callbacks are written in a second; above it, a sample is.
	// PITBOSS_CALLBACK_LOG_RATE. Default: 20, about 0.5 GB a day.
	LogRate int
}

// WithDefaults returns the configuration with what was left out filled in. Its error names everything that is wrong at once,
// and no secret.
func (c Config) WithDefaults() (Config, error) {
	var problems []error
	must := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	orDefault(&c.Deadline, 2500*time.Millisecond)
	orDefault(&c.OutageStatus, 503)
	orDefault(&c.MaxConnections, 2048)
	orDefault(&c.MaxPerAddress, max(1, c.MaxConnections/2))
	orDefault(&c.ReadTimeout, 10*time.Second)
	orDefault(&c.HeaderTimeout, min(5*time.Second, c.ReadTimeout))
	orDefault(&c.IdleTimeout, 75*time.Second)
	orDefault(&c.LogRate, 20)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.LogLevel = min(c.LogLevel, slog.LevelError)
	must(c.AgentID != "", "the agent ID is missing")
	must(c.SecretKey != "", "the secret key is missing")
	must(c.Deadline > 0, "the callback deadline must be positive, not %v", c.Deadline)
	must(c.OutageStatus == 503 || c.OutageStatus == 200, "the outage status is 503 or 200, not %d", c.OutageStatus)
	must(validPath(c.Path),
		"the callback path %q is not like /WalletService: a slash before each part, none at the end, and of letters, "+
			"digits, '-', '.', '_' and '~' only", c.Path)
	must((c.TLSCertFile == "") == (c.TLSKeyFile == ""), "TLS needs both a certificate file and a key file")
	must(c.MaxConnections > 0, "the number of connections must be positive, not %d", c.MaxConnections)
	must(c.MaxPerAddress > 0, "the number of connections of one address must be positive, not %d", c.MaxPerAddress)
	must(c.HeaderTimeout > 0 || c.ReadTimeout < 0, "the header timeout must be positive, not %v", c.HeaderTimeout)
	must(c.ReadTimeout > 0, "the read timeout must be positive, not %v", c.ReadTimeout)
	must(c.IdleTimeout > 0, "the idle timeout must be positive, not %v", c.IdleTimeout)
	must(c.LogRate > 0, "the log rate must be 1 line per second or more, not %d", c.LogRate)
	return c, errors.Join(problems...)
}

func orDefault[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}

// validPath leaves no character that the router would read as a pattern.
func validPath(path string) bool {
	if path == "" {
		return true
	}
	first, rest, _ := strings.Cut(path, "/")
	if first != "" {
		return false
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
		for _, r := range part {
			if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-._~", r) {
				return false
			}
		}
	}
	return true
}
