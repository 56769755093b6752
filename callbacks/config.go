package callbacks

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"pitboss/callbacks/listener"
	"pitboss/callbacks/wire"
)

// MaxBodyBytes is the longest body that is read. A longer one is refused unread, and its connection is closed.
const MaxBodyBytes = 64 << 10

// maxHeaderBytes limits the request line and header together.
const maxHeaderBytes = 8 << 10

// Config is the configuration of the callback service. Each field names its environment variable. A field is either required or
// has a default, which applies if the field is zero. The defaults of required settings are in cmd/pitboss/config.
type Config struct {
	// AgentID is the agent ID that the platform gave us, PITBOSS_AGENT_ID. Required.
	AgentID string
	// SecretKey signs the callbacks, PITBOSS_SECRET_KEY. Required.
	SecretKey string
	// PreviousSecretKey is accepted too while the key is being rotated, PITBOSS_SECRET_KEY_PREVIOUS. Default: none.
	PreviousSecretKey string

	// Dialect is the format of answers, PITBOSS_WIRE. Default: wire.Spec.
	Dialect wire.Dialect
	// DuplicateIsSuccess answers 0 instead of 11 when the platform repeats a processed transaction with the same contents,
	// PITBOSS_DUPLICATE_RESULT=0 (specification, Errors 5). Default: 11.
	DuplicateIsSuccess bool
	// Deadline is the longest time from a callback's arrival to its answer, including retries, PITBOSS_CALLBACK_DEADLINE.
	// Required.
	Deadline time.Duration
	// OutageStatus is the HTTP status when the outcome is unknown, 503 or 200, PITBOSS_OUTAGE_STATUS. After a 503 the platform
	// repeats the callback and gets the outcome by its transaction ID. After a 200 the platform treats the bet as refused
	// although it may have been applied. Required.
	OutageStatus int

	// Path is the prefix of the endpoints' paths, such as "/WalletService", PITBOSS_CALLBACK_PATH. Default: none.
	Path string
	// Proxies are the trusted TLS proxies in front, PITBOSS_CALLBACK_PROXY. X-Forwarded-For is only used if one of them sent
	// it. Default: none.
	Proxies listener.Networks
	// Allow are the networks from which callbacks are accepted, PITBOSS_CALLBACK_ALLOW. Connections from other addresses are
	// closed at accept; requests that come through a proxy get 403. Default: any address, which cmd/pitboss accepts only on
	// loopback or if the setting is "any".
	Allow listener.Networks

	// MaxConnections is how many connections may be open at a time, PITBOSS_CALLBACK_MAX_CONNECTIONS. Each may use MaxBodyBytes of
	// memory for a body. One address may have half of them, or behind a trusted proxy, as many requests in progress. Default:
	// 2048.
	MaxConnections int
	// HeaderTimeout is how long a client may take for a request's header. Default: 5 s, or ReadTimeout if that
	// is shorter.
	HeaderTimeout time.Duration
	// ReadTimeout is how long a client may take to send a request's body. Default: 10 s.
	ReadTimeout time.Duration

	// IdleTimeout is how long a connection may stay open between requests. Default: 75 s.
	IdleTimeout time.Duration

	// Now is the clock that numbers and dates callbacks. Default: the time at which the request arrived. The demo uses it to
	// play past days.
	Now func() time.Time
	// Journal stores the listener's part of the callback log. Default: none.
	Journal Journal
	// Logger is where log lines go. Default: slog.Default().
	Logger *slog.Logger
}

// WithDefaults returns the configuration with defaults for the zero fields that have one. Its error lists every problem at once
// and contains no secret.
func (c Config) WithDefaults() (Config, error) {
	var problems []error
	must := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	c.MaxConnections = cmp.Or(c.MaxConnections, 2048)
	c.ReadTimeout = cmp.Or(c.ReadTimeout, 10*time.Second)
	c.HeaderTimeout = cmp.Or(c.HeaderTimeout, min(5*time.Second, c.ReadTimeout))
	c.IdleTimeout = cmp.Or(c.IdleTimeout, 75*time.Second)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	must(c.AgentID != "", "the agent ID is missing")
	must(c.SecretKey != "", "the secret key is missing")
	must(c.Deadline > 0, "the callback deadline must be positive, not %v", c.Deadline)
	must(c.OutageStatus == 503 || c.OutageStatus == 200, "the outage status is 503 or 200, not %d", c.OutageStatus)
	must(validPath.MatchString(c.Path),
		"the callback path %q is not like /WalletService: a slash before each part, none at the end, and of letters, "+
			"digits, '-', '.', '_' and '~' only", c.Path)
	must(c.MaxConnections > 0, "the number of connections must be positive, not %d", c.MaxConnections)
	return c, errors.Join(problems...)
}

// validPath matches paths that the router takes literally.
var validPath = regexp.MustCompile(`^(/[a-zA-Z0-9_~-][a-zA-Z0-9._~-]*)*$`)
