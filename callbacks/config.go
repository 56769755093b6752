package callbacks

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"

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
	// TLSCertFile and TLSKeyFile are PEM files, PITBOSS_CALLBACK_TLS_CERT and PITBOSS_CALLBACK_TLS_KEY. They are read again when
	// they change. Default: plain HTTP, for use behind a TLS proxy.
	TLSCertFile, TLSKeyFile string
	// Proxies are the TLS proxies in front, PITBOSS_CALLBACK_PROXY. X-Forwarded-For is believed from them and from nobody else.
	// Default: none.
	Proxies Networks
	// Allow are the networks from which clients may call, PITBOSS_CALLBACK_ALLOW. Default: all.
	Allow Networks

	// MaxConnections is how many connections are served at a time, PITBOSS_CALLBACK_MAX_CONNECTIONS. Each may hold a body of
	// 1 MiB. Default: 2048.
	MaxConnections int
	// ReadTimeout bounds how long a client may take to send a request, header and body, or a TLS handshake,
	// PITBOSS_CALLBACK_READ_TIMEOUT. Default: 10 s.
	ReadTimeout time.Duration
	// IdleTimeout is how long a connection may stay open between requests, PITBOSS_CALLBACK_IDLE_TIMEOUT. Default: 75 s.
	IdleTimeout time.Duration

	// Journal takes the door's part of the callback log. Default: nobody does.
	Journal Journal
	// Logger takes the log. Default: slog.Default().
	Logger *slog.Logger
	// LogLevel is the least level of the line that each callback writes, PITBOSS_CALLBACK_LOG_LEVEL. What the levels mean stands
	// at the top of log.go; above ERROR means ERROR. Default: slog.LevelInfo.
	LogLevel slog.Level
	// LogRate is how many lines about answered callbacks are written in a second; above it, a sample is. PITBOSS_CALLBACK_LOG_RATE.
	// Default: 20, about 0.5 GB a day.
	LogRate int
}

// withDefaults fills in what was left out and names everything that is wrong at once. It never names a secret.
func (c Config) withDefaults() (Config, error) {
	var problems []error
	must := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	orDefault(&c.Deadline, 2500*time.Millisecond)
	orDefault(&c.OutageStatus, 503)
	orDefault(&c.MaxConnections, 2048)
	orDefault(&c.ReadTimeout, 10*time.Second)
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
	must(validPath(c.Path), "the callback path %q is not like /WalletService: a slash before each part, none at the end, and of letters, digits, '-', '.', '_' and '~' only", c.Path)
	must((c.TLSCertFile == "") == (c.TLSKeyFile == ""), "TLS needs both a certificate file and a key file")
	must(c.MaxConnections > 0, "the number of connections must be positive, not %d", c.MaxConnections)
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

// Networks is a set of address ranges.
type Networks []netip.Prefix

// UnmarshalText reads networks in CIDR notation and single addresses, separated by commas: "10.0.0.0/8, 192.0.2.7, 2001:db8::/32".
func (n *Networks) UnmarshalText(text []byte) error {
	*n = nil
	for item := range strings.SplitSeq(string(text), ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(item)
		if err != nil {
			addr, err := netip.ParseAddr(item)
			if err != nil || addr.Zone() != "" {
				return fmt.Errorf("%q is neither a network such as 10.0.0.0/8 nor an address", item)
			}
			prefix = netip.PrefixFrom(addr, addr.BitLen())
		}
		if addr := prefix.Addr(); addr.Is4In6() {
			if prefix.Bits() < 96 {
				return fmt.Errorf("%q mixes IPv4 and IPv6", item)
			}
			prefix = netip.PrefixFrom(addr.Unmap(), prefix.Bits()-96)
		}
		*n = append(*n, prefix.Masked())
	}
	if len(*n) == 0 && len(text) > 0 {
		return errors.New("it names no network; leave it unset to mean the default") // a list that means nobody must not mean everybody
	}
	return nil
}

// Contains reports whether addr lies in one of the networks. An IPv4 address written as IPv6 is the IPv4 address.
func (n Networks) Contains(addr netip.Addr) bool {
	addr = addr.Unmap()
	for _, prefix := range n {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}
