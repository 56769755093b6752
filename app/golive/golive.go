// Package golive runs the platform's go-live checks against any callback service (specification, "What the service does" 7):
// signed calls over HTTP, each with the expected answer and change of the balance.
//
// The checks place bets and wins, none above 1.00 except those that must be refused, so they are meant for a test player that
// nobody else uses at the same time. At the end, even after a failure or a canceled context, everything that was booked is
// rolled back. If the service's rollbacks do not restore the initial balance, a final Deposit or Withdraw does.
//
// A check is required or advisory. Required checks follow from the specification. Advisory ones concern what it leaves open; a
// service that fails only those has passed.
package golive

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"pitboss/callbacks/wire"
)

// Config says which service to check, and how. CallbackURL, UserID, AgentID and SecretKey are required.
type Config struct {
	// CallbackURL is the base address that the platform would use; the endpoints' paths are appended to it.
	CallbackURL string
	// UserID names the test player.
	UserID string
	// AgentID and SecretKey are the platform's credentials for the service.
	AgentID, SecretKey string
	// Dialect is the format of the service's answers. Default: wire.Spec.
	Dialect wire.Dialect

	// Timeout limits each call, including connecting and reading the answer. Default: 5 s.
	Timeout time.Duration
	// Progress, if not nil, is called after each check.
	Progress func(done, total int, check Check)
}

// cleanUpTimeout limits the restoring of the initial balance, which is done even if the context is canceled.
const cleanUpTimeout = 20 * time.Second

// Check is one line of the report.
type Check struct {
	Name     string
	Topic    string // its section in the table, such as "Signatures"
	Section  string // of the specification, such as "Errors 3"
	Expected string
	Got      string
	OK       bool
	Advisory bool          // a failure does not fail the run
	NotRun   bool          // because something that it depends on failed; Got says what
	Latency  time.Duration // of its slowest call; 0 if it made none
}

// Report is the result of a run. It contains no secret.
type Report struct {
	CallbackURL string
	UserID      string
	AgentID     string
	Currency    string          // empty when the first GetBalance failed
	Opening     decimal.Decimal // the balance at the beginning; zero when the first GetBalance failed
	Checks      []Check
	// Unsettled says what could not be restored; empty if everything was.
	Unsettled string
}

// Passed reports whether every required check was run and passed.
func (r *Report) Passed() bool {
	for i := range r.Checks {
		if c := &r.Checks[i]; !c.OK && !c.Advisory {
			return false
		}
	}
	return len(r.Checks) > 0
}

// ErrBalanceTooLow means that the test player does not have enough money for the checks. Nothing was changed.
var ErrBalanceTooLow = errors.New("the test player's balance is too low")

// MinBalance is the balance that the test player needs.
var MinBalance = decimal.RequireFromString("2.00")

// Run runs all checks one after the other and restores the balance. Failed checks are in the report and are not an error. An
// error means that the configuration is wrong, that the balance is too low (ErrBalanceTooLow), or that ctx ended; in the last
// two cases the report has the checks that were run.
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
	stop := "" // why the remaining checks cannot be run
	for _, p := range plan {
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

// begin stores the balance as the initial one. stop says why nothing may be booked, if that is the case.
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

// complete sets defaults and returns the base address without a trailing slash. Its error lists every problem and contains no
// secret.
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
			problems = append(problems, errors.New("the callback URL must not contain a user name or password"))
		default:
			base = strings.TrimRight(u.String(), "/")
		}
	}
	if c.Timeout < 0 {
		problems = append(problems, errors.New("the timeout must not be negative"))
	}
	if c.Timeout == 0 {
		c.Timeout = 5 * time.Second
	}
	return base, errors.Join(problems...)
}
