// Package golive runs the platform's go-live checks against an installation of Pitboss (specification, "What the service does"
// 7): the steps of callbacks/scenarios, signed and over HTTP, each with the expected answer and change of the balance.
//
// The checks place bets and wins, none above 1.00 except those that must be refused, so they are meant for a test player that
// nobody else uses at the same time. At the end, even after a failure or a canceled context, everything that was booked is
// rolled back.
package golive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"pitboss/callbacks/scenarios"
	"pitboss/callbacks/wire"
)

// Config says which service to check, and how. All is required except Dialect, whose default is wire.Spec.
type Config struct {
	CallbackURL        string // the base address that the platform would use; the endpoints' paths are appended to it
	UserID             string // of the test player
	AgentID, SecretKey string // the platform's credentials for the service
	Dialect            wire.Dialect
	Timeout            time.Duration // of each call
}

// Check is one line of the report.
type Check struct {
	Name     string
	Topic    string // its section in the report, such as "Signatures"
	Section  string // of the specification, such as "Errors 3"
	Expected string
	Got      string
	OK       bool
}

// Report is the result of a run. It contains no secret.
type Report struct {
	CallbackURL, UserID, AgentID string
	Currency                     string
	Opening                      decimal.Decimal // the balance at the beginning
	Checks                       []Check
}

// Passed reports whether every check passed.
func (r *Report) Passed() bool {
	for _, c := range r.Checks {
		if !c.OK {
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
// error means that the configuration is wrong, that the player's balance cannot be read or is too low (ErrBalanceTooLow), or
// that ctx ended; then the report has the checks that were run.
func Run(ctx context.Context, config Config) (Report, error) {
	base, err := baseOf(config.CallbackURL)
	if err != nil {
		return Report{}, err
	}
	r := newRun(config, base)
	report := Report{CallbackURL: base, UserID: config.UserID, AgentID: config.AgentID}
	opening := r.balance(ctx)
	if !r.known || opening.currency == "" {
		return report, fmt.Errorf("GetBalance has to answer result 0 with a balance and a currency, and the answer was: %s", opening)
	}
	report.Opening, report.Currency = r.last, opening.currency
	if r.last.LessThan(MinBalance) {
		return report, fmt.Errorf("%w: player %s has %s %s and the checks need at least %s; credit the player or name another one "+
			"(pitboss player create --user-id ID --currency %[3]s --balance 100.00 --test)", ErrBalanceTooLow,
			printable(config.UserID), r.last.StringFixed(2), report.Currency, MinBalance.StringFixed(2))
	}
	finish := func(topic string, c Check) {
		c.Topic = topic
		report.Checks = append(report.Checks, c)
	}
	for _, scenario := range scenarios.All {
		ids := map[string]string{}
		for _, step := range scenario.Steps {
			if ctx.Err() == nil {
				finish(scenario.Name, r.play(ctx, step, ids))
			}
		}
	}
	finish("At the end", r.restore(ctx, report.Opening))
	return report, ctx.Err()
}

// baseOf returns a base address without a trailing slash.
func baseOf(address string) (string, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.RawQuery != "", u.Fragment != "":
		return "", errors.New("the callback URL must look like https://casino.example/WalletService")
	case u.User != nil:
		return "", errors.New("the callback URL must not contain a user name or password")
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// Write prints the report: a line for each check and, if it is not ok, what was expected and by which section of the
// specification. It returns w's error.
func (r *Report) Write(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Go-live checks of %s as agent %s, with player %s.\n", printable(r.CallbackURL), printable(r.AgentID),
		printable(r.UserID))
	text.WriteString("Use a test player that is not used for anything else: the checks place bets and wins, and roll them back.\n")
	fmt.Fprintf(&text, "Balance at the beginning: %s %s.\n", r.Opening.StringFixed(2), r.Currency)
	failed, topic := 0, ""
	for _, c := range r.Checks {
		if c.Topic != topic {
			topic = c.Topic
			fmt.Fprintf(&text, "\n%s\n", topic)
		}
		if c.OK {
			fmt.Fprintf(&text, "  ok    %s: %s\n", c.Name, c.Got)
			continue
		}
		failed++
		fmt.Fprintf(&text, "  FAIL  %s: %s; expected %s (%s)\n", c.Name, c.Got, c.Expected, c.Section)
	}
	if r.Passed() {
		fmt.Fprintf(&text, "\nPassed. %d checks were run.\n", len(r.Checks))
	} else {
		fmt.Fprintf(&text, "\nNot passed: %d of %d checks failed.\n", failed, len(r.Checks))
	}
	_, err := io.WriteString(w, text.String())
	return err
}
