package golive

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"pitboss/callbacks/scenarios"
	"pitboss/callbacks/wire"
)

// run is the state of a run: the balance, and what was booked with which transaction ID.
type run struct {
	config  Config
	caller  *caller
	round   string
	begun   bool // opening is set
	opening decimal.Decimal

	last     decimal.Decimal // the balance when it was last read
	known    bool            // last is current: nothing was sent since that could have changed it
	currency string

	mu      sync.Mutex // guards the fields below during simultaneous calls
	booked  []*transaction
	slowest time.Duration // of the current check
	form    form
}

// transaction is a transaction ID and what happened to it, for checks that depend on it.
type transaction struct {
	endpoint   wire.Endpoint
	userID, id string
	live       bool // processed and not rolled back, according to the service
	reversed   bool // rolled back, according to the service
	unclear    bool // sent without a definite answer
}

// form collects the faults in the form of all answers.
type form struct {
	answers                                                                      int
	noResult, wrongTypes, otherFields, disagreements, withoutBalance, otherTypes []string
}

func newRun(config Config, base string) *run {
	r := &run{config: config, caller: newCaller(config, base)}
	r.round = r.newID()
	return r
}

// newID returns an ID that is unique to this run, so that checks can be repeated against the same service.
func (r *run) newID() string {
	return "golive-" + uuid.Must(uuid.NewV7()).String()
}

// transaction returns a new transaction ID for the test player.
func (r *run) transaction(endpoint wire.Endpoint) *transaction {
	t := &transaction{endpoint: endpoint, userID: r.config.UserID, id: r.newID()}
	r.booked = append(r.booked, t)
	return t
}

// send makes a call, and notes what it may have booked and the faults of the answer's form.
func (r *run) send(ctx context.Context, m scenarios.Message) answer {
	a := r.caller.post(ctx, m.Endpoint, m.Bytes(r.config.SecretKey))
	if ctx.Err() != nil && !a.definite() {
		a.problem = "no answer: the run was stopped"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slowest = max(r.slowest, a.latency)
	r.note(&m, &a)
	if ctx.Err() == nil {
		r.form.note(m.Endpoint, &a)
	}
	return a
}

// find returns the transaction of a call.
func (r *run) find(m *scenarios.Message) *transaction {
	at := slices.IndexFunc(r.booked, func(t *transaction) bool {
		return t.id == m.Request.TransactionID && t.userID == m.Request.UserID
	})
	if at >= 0 {
		return r.booked[at]
	}
	t := &transaction{endpoint: m.Endpoint, userID: m.Request.UserID, id: m.Request.TransactionID}
	r.booked = append(r.booked, t)
	return t
}

// note updates a call's transaction from the answer.
func (r *run) note(m *scenarios.Message, a *answer) {
	if m.Endpoint == wire.GetBalance || m.Request.TransactionID == "" {
		return
	}
	t := r.find(m)
	switch {
	case m.Endpoint != wire.RollbackTransaction && a.definite():
		if a.result == wire.Success {
			t.live, t.unclear = true, false
		}
	case m.Endpoint != wire.RollbackTransaction:
		t.unclear = true
	case a.definite() && (a.result == wire.Success || a.result == wire.AlreadyRolledBack):
		t.live, t.unclear, t.reversed = false, false, true
	case a.definite() && a.result == wire.TransactionNotFound:
		t.live, t.unclear = false, false
	}
}

func (f *form) note(endpoint wire.Endpoint, a *answer) {
	f.answers++
	where := endpoint.String() + ": "
	if !a.definite() {
		f.noResult = append(f.noResult, where+a.problem)
		return
	}
	for _, problem := range a.wrongTypes {
		f.wrongTypes = append(f.wrongTypes, where+problem)
	}
	for _, name := range a.otherFields {
		f.otherFields = append(f.otherFields, where+name)
	}
	if a.notJSONType {
		f.otherTypes = append(f.otherTypes, "another type")
	}
	books := endpoint == wire.Withdraw || endpoint == wire.Deposit || endpoint == wire.BetWin
	if books && a.balance == nil && a.result == wire.Success {
		f.withoutBalance = append(f.withoutBalance, endpoint.String())
	}
}

// few joins notes, each kind once with its count, and at most three kinds.
func few(notes []string) string {
	counts := map[string]int{}
	var kinds []string
	for _, n := range notes {
		if counts[n]++; counts[n] == 1 {
			kinds = append(kinds, n)
		}
	}
	var parts []string
	for i, k := range kinds {
		if i == 3 {
			parts = append(parts, fmt.Sprintf("and %d other kinds", len(kinds)-i))
			break
		}
		if counts[k] > 1 {
			k += fmt.Sprintf(" (%d times)", counts[k])
		}
		parts = append(parts, k)
	}
	return strings.Join(parts, "; ")
}

// balance gets the balance and stores it.
func (r *run) balance(ctx context.Context) answer {
	a := r.send(ctx, scenarios.Message{Endpoint: wire.GetBalance, Request: r.request("")})
	r.known = a.definite() && a.result == wire.Success && a.balance != nil
	if r.known {
		r.last = *a.balance
	} else if a.definite() && a.result == wire.Success {
		a.problem = "0 without a balance that can be read"
	}
	return a
}

// request returns a request about the test player's transaction.
func (r *run) request(id string) wire.Request {
	return wire.Request{AgentID: r.config.AgentID, UserID: r.config.UserID, TransactionID: id, RoundID: r.round}
}

// play runs one check.
func (r *run) play(ctx context.Context, p *planned) Check {
	c := p.Check
	if p.needs != nil {
		if reason := p.needs(); reason != "" {
			c.NotRun, c.Got = true, "not run: "+reason
			return c
		}
	}
	r.slowest = 0
	c.Got, c.OK = p.play(ctx)
	c.Latency = r.slowest
	return c
}

// effect makes calls between two readings of the balance. It returns the change in words and whether it is the wanted one. If a
// single call's successful answer has a balance, it must be the one after the call.
func (r *run) effect(ctx context.Context, want decimal.Decimal, calls func() (single *answer)) (words string, ok bool) {
	if !r.known {
		if a := r.balance(ctx); !r.known {
			return "GetBalance before it: " + a.String(), false
		}
	}
	before := r.last
	single := calls()
	if a := r.balance(ctx); !r.known {
		return "GetBalance after it: " + a.String(), false
	}
	change := r.last.Sub(before)
	if single != nil && single.definite() && single.result == wire.Success && single.balance != nil &&
		!single.balance.Equal(r.last) {
		r.form.disagreements = append(r.form.disagreements,
			fmt.Sprintf("answered %s, then %s", single.balance.StringFixed(2), r.last.StringFixed(2)))
	}
	return changeWords(change), change.Equal(want)
}

func changeWords(change decimal.Decimal) string {
	switch change.Sign() {
	case 0:
		return "balance unchanged"
	case 1:
		return "balance +" + change.StringFixed(2)
	}
	return "balance " + change.StringFixed(2)
}

// restore rolls back everything that was booked, bets first, so that the balance never becomes negative, and compares the
// balance with the initial one. If they differ, the service's rollbacks or refusals are wrong and have failed a check; a
// Deposit or Withdraw of the difference compensates for them.
func (r *run) restore(ctx context.Context) (c Check, unsettled string) {
	c = Check{Name: "the balance is restored", Topic: "At the end", Section: "Go-live",
		Expected: "the balance at the beginning"}
	if !r.begun {
		c.NotRun, c.Got = true, "not run: nothing was booked"
		return c, ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTimeout)
	defer cancel()
	r.slowest = 0
	c.Expected = r.opening.StringFixed(2)
	var left []*transaction
	for _, wins := range []bool{false, true} {
		for _, t := range r.booked {
			if (t.live || t.unclear) && (t.endpoint == wire.Deposit) == wins && !r.takeBack(ctx, t) {
				left = append(left, t)
			}
		}
	}
	a := r.balanceForSure(ctx)
	note := ""
	if r.known && !r.last.Equal(r.opening) {
		note = r.makeUp(ctx)
		a = r.balanceForSure(ctx)
	}
	c.Latency = r.slowest
	switch {
	case !r.known:
		c.Got = "GetBalance: " + a.String()
		unsettled = "The balance could not be read at the end; it was " + r.opening.StringFixed(2) + " at the beginning."
	case !r.last.Equal(r.opening):
		c.Got = r.last.StringFixed(2) + note
		unsettled = fmt.Sprintf("The balance is %s and was %s at the beginning.", r.last.StringFixed(2),
			r.opening.StringFixed(2))
	default:
		c.Got, c.OK = r.last.StringFixed(2)+note, true
	}
	// If the balance is right, transactions that were never reported as processed do not matter.
	left = slices.DeleteFunc(left, func(t *transaction) bool { return c.OK && !t.live })
	if len(left) > 0 {
		unsettled = strings.TrimSpace(unsettled + " Not rolled back: " + some(left) + ".")
	}
	return c, unsettled
}

// some returns the IDs of a few transactions and the number of others.
func some(transactions []*transaction) string {
	const most = 5
	var names []string
	for _, t := range transactions[:min(len(transactions), most)] {
		names = append(names, t.id)
	}
	if others := len(transactions) - most; others > 0 {
		names = append(names, fmt.Sprintf("and %d others", others))
	}
	return strings.Join(names, ", ")
}

// tries is how often the clean-up attempts a call until it gets a definite answer.
const tries = 3

// takeBack rolls t back and reports whether the service says that it has no effect: rolled back now or before, or unknown.
func (r *run) takeBack(ctx context.Context, t *transaction) bool {
	request := wire.Request{AgentID: r.config.AgentID, UserID: t.userID, TransactionID: t.id}
	for range tries {
		if a := r.send(ctx, scenarios.Message{Endpoint: wire.RollbackTransaction, Request: request}); a.definite() {
			return a.result == wire.Success || a.result == wire.AlreadyRolledBack || a.result == wire.TransactionNotFound
		}
	}
	return false
}

func (r *run) balanceForSure(ctx context.Context) (a answer) {
	for range tries {
		if a = r.balance(ctx); a.definite() {
			break
		}
	}
	return a
}

// makeUp books the difference from the initial balance, with one transaction ID however often it is sent. It does nothing if
// the balance changes by itself, because then somebody else plays with this player.
func (r *run) makeUp(ctx context.Context) (note string) {
	seen := r.last
	if r.balanceForSure(ctx); !r.known || !r.last.Equal(seen) {
		return ", and it changes without these checks"
	}
	difference := r.opening.Sub(r.last)
	m := scenarios.Message{Endpoint: wire.Deposit, Request: r.request(r.newID())}
	if difference.Sign() < 0 {
		m.Endpoint = wire.Withdraw
	}
	m.Request.Amount = difference.Abs().StringFixed(2)
	a := answer{}
	for range tries {
		if a = r.send(ctx, m); a.definite() {
			break
		}
	}
	return fmt.Sprintf(", after a %s of %s to make up the difference was answered %s", m.Endpoint, m.Request.Amount, a.String())
}
