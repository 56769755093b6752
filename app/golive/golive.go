// Package golive plays the platform's go-live checks against a callback service, whoever wrote it (specification, "What the
// service does" 7): signed calls over HTTP, each with the answer and the change of the balance that the specification asks for.
//
// The checks place bets and wins, none above 1.00 but those that have to be refused, so they are meant for a test player whom
// nobody else plays with meanwhile. At the end, also after a failure or a cancelled context, what they booked is rolled back;
// where the service's rollbacks do not lead back to the balance at the beginning, a last Deposit or Withdraw does.
//
// A check is required or advisory. Required is what the specification says. Advisory is what it leaves open and what a careful
// service does all the same: a service that fails only there has passed.
package golive

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"pitboss/callbacks/wire"
)

// Config says which service is checked, and how. CallbackURL, UserID, AgentID and SecretKey are required.
type Config struct {
	// CallbackURL is the base address that the platform would register; the endpoints' paths are appended to it.
	CallbackURL string
	// UserID names the test player.
	UserID string
	// AgentID and SecretKey are what the platform calls the service with.
	AgentID, SecretKey string
	// Dialect is how the service writes its answers. Default: wire.Spec.
	Dialect wire.Dialect

	// Timeout bounds each call, from dialling to the last byte of the answer. Default: 5 s.
	Timeout time.Duration
	// CleanUpTimeout bounds the return to the balance at the beginning, for which a cancelled context is no obstacle.
	// Default: 20 s.
	CleanUpTimeout time.Duration
	// Transport makes the calls. Default: one that opens as many HTTP/1.1 connections as there are calls at a time.
	Transport http.RoundTripper
	// Random is where transactionIDs come from. Default: crypto/rand.
	Random io.Reader
	// Progress, where there is one, is told of each check once it is done.
	Progress func(done, total int, check Check)
}

// Check is one line of the report.
type Check struct {
	Name     string
	Topic    string // under which it stands in the table, such as "Signatures"
	Section  string // of the specification, such as "Errors 3"
	Expected string
	Got      string
	OK       bool
	Advisory bool          // a failure does not fail the run
	NotRun   bool          // what it rests on failed before; Got says what
	Latency  time.Duration // of its slowest call; 0 where it made none
}

// Report is what came out of a run. It holds no secret.
type Report struct {
	CallbackURL string
	UserID      string
	AgentID     string
	Currency    string          // empty when the first GetBalance failed
	Opening     decimal.Decimal // the balance at the beginning; zero when the first GetBalance failed
	Checks      []Check
	// Unsettled says in a sentence what could not be brought back to what it was; empty when everything was.
	Unsettled string
}

// Passed reports whether every required check was run and held.
func (r *Report) Passed() bool {
	for i := range r.Checks {
		if c := &r.Checks[i]; !c.OK && !c.Advisory {
			return false
		}
	}
	return len(r.Checks) > 0
}

// ErrBalanceTooLow is returned when the test player has less than the checks need. Nothing was changed.
var ErrBalanceTooLow = errors.New("the test player's balance is too low")

// MinBalance is what the test player needs at least.
var MinBalance = decimal.RequireFromString("2.00")

// Run plays all checks, one after the other, and restores the balance. That a check fails is no error but stands in the report.
// An error says that the configuration is wrong, that the balance is too low (ErrBalanceTooLow), or that ctx ended before the
// checks did; in the latter two cases the report says what was run.
func Run(ctx context.Context, config Config) (Report, error) {
	base, err := config.complete()
	if err != nil {
		return Report{}, err
	}
	r := newRun(config, base)
	plan := r.plan()
	report := Report{CallbackURL: base, UserID: config.UserID, AgentID: config.AgentID}
	finish := func(c Check) {
		report.Checks = append(report.Checks, c)
		if config.Progress != nil {
			config.Progress(len(report.Checks), len(plan)+1, c)
		}
	}
	stop := "" // why no further check can be run
	for i := range plan {
		p := &plan[i]
		if stop == "" && ctx.Err() != nil {
			stop = "the run was stopped"
		}
		if stop != "" {
			p.Check.NotRun, p.Check.Got = true, "not run: "+stop
			finish(p.Check)
			continue
		}
		finish(r.play(ctx, p))
		if p.gate {
			stop, err = r.begin()
			report.Opening, report.Currency = r.opening, r.currency
		}
	}
	var last Check
	last, report.Unsettled = r.restore(ctx)
	finish(last)
	if err == nil {
		err = ctx.Err()
	}
	return report, err
}

// begin takes the balance that was read as the one at the beginning. stop says why nothing may be booked, where that is so.
func (r *run) begin() (stop string, err error) {
	if !r.known {
		return "GetBalance has to work first", nil
	}
	r.opening = r.last
	if r.opening.LessThan(MinBalance) {
		return "the balance is too low",
			fmt.Errorf("%w: player %s has %s %s and the checks need at least %s; credit the player or name another one "+
				"(with Pitboss: pitboss player create --user-id ID --currency %s --balance 100.00 --test)",
				ErrBalanceTooLow, printable(r.config.UserID), r.opening.StringFixed(2), r.currency, MinBalance.StringFixed(2),
				r.currency)
	}
	r.begun = true
	return "", nil
}

// complete fills in what was left out and returns the base address without a slash at its end. The error names everything that
// is wrong, and no secret.
func (c *Config) complete() (base string, err error) {
	var problems []error
	for _, required := range []struct{ value, name string }{
		{c.CallbackURL, "callback URL"}, {c.UserID, "user ID of a test player"}, {c.AgentID, "agent ID"},
		{c.SecretKey, "secret key"},
	} {
		if required.value == "" {
			problems = append(problems, fmt.Errorf("the %s is missing", required.name))
		}
	}
	if c.CallbackURL != "" {
		u, err := url.Parse(c.CallbackURL)
		switch {
		case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.RawQuery != "", u.Fragment != "":
			problems = append(problems, errors.New("the callback URL has to be like https://casino.example/WalletService"))
		case u.User != nil:
			problems = append(problems, errors.New("the callback URL must not hold a user name or password"))
		default:
			base = strings.TrimRight(u.String(), "/")
		}
	}
	if c.Timeout < 0 || c.CleanUpTimeout < 0 {
		problems = append(problems, errors.New("time-outs must not be negative"))
	}
	if c.Timeout == 0 {
		c.Timeout = 5 * time.Second
	}
	if c.CleanUpTimeout == 0 {
		c.CleanUpTimeout = 20 * time.Second
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Transport == nil {
		protocols := new(http.Protocols)
		protocols.SetHTTP1(true) // HTTP/2 would put calls of several connections on one
		c.Transport = &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: c.Timeout}).DialContext,
			MaxIdleConnsPerHost: atOnce,
			IdleConnTimeout:     30 * time.Second,
			DisableCompression:  true,
			Protocols:           protocols,
		}
	}
	return base, errors.Join(problems...)
}
