package golive

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"pitboss/callbacks/scenarios"
	"pitboss/callbacks/wire"
)

// run is the state of a run: the balance, and what may be booked.
type run struct {
	config Config
	base   string
	client *http.Client
	round  string

	last   decimal.Decimal // the balance when it was last read
	known  bool            // it could be read
	booked []booking
}

// booking is a transaction that the service has processed, or may have processed, and that was not rolled back.
type booking struct {
	endpoint wire.Endpoint
	userID   string
	id       string
}

func newRun(config Config, base string) *run {
	r := &run{config: config, base: base, client: newClient()}
	r.round = r.newID()
	return r
}

// newID returns an ID that is unique to this run, so that checks can be repeated against the same service.
func (r *run) newID() string { return "golive-" + uuid.Must(uuid.NewV7()).String() }

// request returns a request about the test player's transaction.
func (r *run) request(id string) wire.Request {
	return wire.Request{AgentID: r.config.AgentID, UserID: r.config.UserID, TransactionID: id, RoundID: r.round}
}

// send makes a call, and notes what may be booked after it.
func (r *run) send(ctx context.Context, m scenarios.Message) answer {
	a := r.post(ctx, m.Endpoint, m.Bytes(r.config.SecretKey))
	of := booking{m.Endpoint, m.Request.UserID, m.Request.TransactionID}
	same := func(b booking) bool { return b.userID == of.userID && b.id == of.id }
	switch {
	case m.Endpoint == wire.GetBalance || of.id == "":
	case m.Endpoint == wire.RollbackTransaction:
		if a.definite() && (a.result == wire.Success || a.result == wire.AlreadyRolledBack || a.result == wire.TransactionNotFound) {
			r.booked = slices.DeleteFunc(r.booked, same)
		}
	case (!a.definite() || a.result == wire.Success) && !slices.ContainsFunc(r.booked, same):
		r.booked = append(r.booked, of)
	}
	return a
}

// balance reads the balance.
func (r *run) balance(ctx context.Context) answer {
	a := r.send(ctx, scenarios.Message{Endpoint: wire.GetBalance, Request: r.request("")})
	if r.known = a.definite() && a.result == wire.Success && a.balance != nil; r.known {
		r.last = *a.balance
	}
	return a
}

// play runs one step between two readings of the balance. ids are the scenario's transaction IDs so far.
func (r *run) play(ctx context.Context, step scenarios.Step, ids map[string]string) Check {
	id := ids[step.ID]
	if id == "" || step.ID == "" {
		id = r.newID()
		ids[step.ID] = id
	}
	results, change := step.Results, decimal.Zero
	if r.config.Dialect == wire.GitSlotPark && step.Public != nil {
		results = step.Public
	}
	if step.Change != "" {
		change = decimal.RequireFromString(step.Change)
	}
	words := make([]string, len(results))
	for i, result := range results {
		words[i] = strconv.Itoa(int(result))
	}
	c := Check{Name: step.Name, Section: step.Section, Expected: strings.Join(words, " or ") + ", " + changeWords(change)}
	if !r.known {
		if a := r.balance(ctx); !r.known {
			c.Got = "GetBalance before it: " + a.String()
			return c
		}
	}
	before := r.last
	a := r.send(ctx, step.Message(r.request(id), r.last))
	if after := r.balance(ctx); !r.known {
		c.Got = a.String() + ", and GetBalance after it: " + after.String()
		return c
	}
	c.Got = a.String() + ", " + changeWords(r.last.Sub(before))
	c.OK = a.definite() && slices.Contains(results, a.result) && r.last.Sub(before).Equal(change)
	if a.balance != nil && !a.balance.Equal(r.last) {
		c.OK, c.Got = false, c.Got+", but answered as "+a.balance.StringFixed(2)
	}
	return c
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

// cleanUpTimeout limits the restoring of the initial balance, which is done even if the context is canceled.
const cleanUpTimeout = 20 * time.Second

// tries is how often the clean-up attempts a call until it gets a definite answer.
const tries = 3

// restore rolls back everything that may be booked, bets first, so that the balance never becomes negative, and compares the
// balance with the initial one.
func (r *run) restore(ctx context.Context, opening decimal.Decimal) Check {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTimeout)
	defer cancel()
	list := slices.Clone(r.booked)
	slices.SortStableFunc(list, func(a, b booking) int {
		return strings.Compare(strconv.FormatBool(a.endpoint == wire.Deposit), strconv.FormatBool(b.endpoint == wire.Deposit))
	})
	for _, b := range list {
		request := wire.Request{AgentID: r.config.AgentID, UserID: b.userID, TransactionID: b.id}
		for range tries {
			if r.send(ctx, scenarios.Message{Endpoint: wire.RollbackTransaction, Request: request}).definite() {
				break
			}
		}
	}
	a := r.balance(ctx)
	for try := 1; try < tries && !r.known; try++ {
		a = r.balance(ctx)
	}
	c := Check{Name: "the balance is as at the beginning", Section: "Go-live", Expected: opening.StringFixed(2)}
	if !r.known {
		c.Got = "GetBalance: " + a.String()
	} else {
		c.Got, c.OK = r.last.StringFixed(2), r.last.Equal(opening)
	}
	if len(r.booked) > 0 && !c.OK {
		var ids []string
		for _, b := range r.booked {
			ids = append(ids, b.id)
		}
		c.Got += "; not rolled back: " + strings.Join(ids, ", ")
	}
	return c
}
