package golive

import (
	"context"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/shopspring/decimal"

	"pitboss/callbacks/scenarios"
	"pitboss/callbacks/wire"
)

// atOnce is how many connections make simultaneous calls.
const atOnce = 16

// planned is a check and how to run it.
type planned struct {
	Check
	gate  bool          // GetBalance: if it fails, nothing else is run
	needs func() string // returns why it cannot be run, or ""; may be nil
	play  func(ctx context.Context) (got string, ok bool)
}

// planner collects checks in order.
type planner struct {
	r     *run
	topic string
	plan  []*planned
}

func (p *planner) add(name, section, expected string, play func(context.Context) (string, bool)) *planned {
	c := &planned{Check: Check{Name: name, Topic: p.topic, Section: section, Expected: expected}, play: play}
	p.plan = append(p.plan, c)
	return c
}

// plan returns all checks except the last, which belongs to the clean-up.
func (r *run) plan() []*planned {
	p := &planner{r: r, topic: "The service"}
	p.service()
	for _, scenario := range scenarios.All {
		p.topic = scenario.Name
		p.scenario(scenario)
	}
	p.topic = "Many at once"
	p.simultaneous()
	p.topic = "All answers so far"
	p.answers()
	return p.plan
}

func (p *planner) service() {
	r := p.r
	p.add("GetBalance answers balance and currency", "Callback service 1", "0, a balance with two decimals, a currency",
		func(ctx context.Context) (string, bool) {
			a := r.balance(ctx)
			got := a.String()
			if a.balance != nil {
				got += ", " + a.balance.StringFixed(2)
			}
			if r.known {
				r.currency = printable(a.currency)
			}
			if a.currency == "" && a.definite() {
				got += ", no currency"
			} else if a.definite() {
				got += " " + printable(a.currency)
			}
			if len(a.wrongTypes) > 0 {
				got += ": " + few(a.wrongTypes)
			}
			return got, r.known && a.currency != "" && len(a.wrongTypes) == 0
		}).gate = true
	p.add("The address is served over HTTPS", "Authentication 1", "https, or this machine", func(context.Context) (string, bool) {
		u, err := url.Parse(r.caller.base)
		if err != nil {
			return "no address", false
		}
		if address := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || address != nil && address.IsLoopback() {
			return u.Scheme + " on this machine", true
		}
		return u.Scheme, u.Scheme == "https"
	}).Advisory = true
}

// scenario adds a check for each step.
func (p *planner) scenario(scenario scenarios.Scenario) {
	r, shared := p.r, map[string]*transaction{}
	for _, step := range scenario.Steps {
		t := shared[step.ID]
		if t == nil {
			t = r.transaction(step.Endpoint)
		}
		if step.ID != "" {
			shared[step.ID] = t
		}
		results, change := step.Results, decimal.Zero
		if r.config.Dialect == wire.GitSlotPark && step.Public != nil {
			results = step.Public
		}
		if step.Change != "" {
			change = decimal.RequireFromString(step.Change)
		}
		added := p.add(step.Name, step.Section, resultWords(results)+", "+changeWords(change),
			func(ctx context.Context) (string, bool) {
				var a *answer
				words, moved := r.effect(ctx, change, func() *answer {
					made := r.send(ctx, step.Message(r.request(t.id), r.last))
					a = &made
					return a
				})
				if a == nil {
					return words, false
				}
				right := a.definite() && (len(results) == 0 || slices.Contains(results, a.result))
				return a.String() + ", " + words, right && moved
			})
		added.Advisory = step.Advisory
		added.needs = func() string {
			switch {
			case step.Needs == scenarios.Processed && !t.live:
				return t.endpoint.String() + " was not processed"
			case step.Needs == scenarios.RolledBack && !t.reversed:
				return t.endpoint.String() + " was not rolled back"
			}
			return ""
		}
	}
}

// resultWords returns the results that pass a check in words; none means any definite answer.
func resultWords(results []wire.Result) string {
	if len(results) == 0 {
		return "any result"
	}
	words := make([]string, len(results))
	for i, result := range results {
		words[i] = strconv.Itoa(int(result))
	}
	return strings.Join(words, " or ")
}

// together sends messages simultaneously over several connections, and checks the results and that they had one effect.
func (p *planner) together(name, section, expected, change string, messages []scenarios.Message,
	judge func(results map[wire.Result]int) bool) *planned {
	wanted := decimal.RequireFromString(change)
	return p.add(name, section, expected+", "+changeWords(wanted), func(ctx context.Context) (string, bool) {
		var answers []answer
		words, moved := p.r.effect(ctx, wanted, func() *answer {
			answers = p.r.sendTogether(ctx, messages)
			return nil
		})
		if answers == nil {
			return words, false
		}
		results, got, definite := map[wire.Result]int{}, []string{}, true
		for i := range answers {
			got = append(got, answers[i].String())
			results[answers[i].result]++
			definite = definite && answers[i].definite()
		}
		return few(got) + ", " + words, moved && definite && judge(results)
	})
}

// sendTogether sends all messages at the same moment.
func (r *run) sendTogether(ctx context.Context, messages []scenarios.Message) []answer {
	answers, start := make([]answer, len(messages)), make(chan struct{})
	var done sync.WaitGroup
	for i := range messages {
		done.Go(func() {
			<-start
			answers[i] = r.send(ctx, messages[i])
		})
	}
	close(start)
	done.Wait()
	return answers
}

func (p *planner) simultaneous() {
	r := p.r
	message := func(endpoint wire.Endpoint, t *transaction) scenarios.Message {
		m := scenarios.Message{Endpoint: endpoint, Request: r.request(t.id)}
		m.Request.Amount = "0.01"
		return m
	}
	fresh := func(endpoint wire.Endpoint) scenarios.Message { return message(endpoint, r.transaction(endpoint)) }
	one := r.transaction(wire.Withdraw)
	p.together("one Withdraw from 16 connections at once", "Errors 5", "0 once, else 11 or 0", "-0.01",
		slices.Repeat([]scenarios.Message{message(wire.Withdraw, one)}, atOnce),
		func(results map[wire.Result]int) bool {
			return results[wire.Success] > 0 && results[wire.Success]+results[wire.DuplicateTransaction] == atOnce
		})
	p.together("the rollback from 16 connections at once", "Errors 4", "0 once, else 9", "0.01",
		slices.Repeat([]scenarios.Message{message(wire.RollbackTransaction, one)}, atOnce),
		func(results map[wire.Result]int) bool {
			return results[wire.Success] == 1 && results[wire.AlreadyRolledBack] == atOnce-1
		}).needs = func() string {
		if !one.live {
			return "Withdraw was not processed"
		}
		return ""
	}
	var bets, mixed []scenarios.Message
	for range atOnce / 2 {
		bets = append(bets, fresh(wire.Withdraw), fresh(wire.Withdraw))
		mixed = append(mixed, fresh(wire.Withdraw), fresh(wire.Deposit))
	}
	processed := func(results map[wire.Result]int) bool { return results[wire.Success] == atOnce }
	p.together("16 different bets at once", "Callback service 2", "all 0", "-0.16", bets, processed)
	p.together("8 bets and 8 wins at once", "Callback service 4", "all 0", "0.00", mixed, processed)
}

// answers checks the form of all answers so far.
func (p *planner) answers() {
	f := &p.r.form
	over := func(name, section, expected string, faults func() []string) *planned {
		return p.add(name, section, expected, func(context.Context) (string, bool) {
			if found := faults(); len(found) > 0 {
				return few(found), false
			}
			return strconv.Itoa(f.answers) + " answers checked", true
		})
	}
	const fields = "Wallet callback response fields"
	over("every answer is HTTP 200 with JSON and a result", "Errors 1", "all", func() []string { return f.noResult })
	over("fields have their types", fields, "all", func() []string { return f.wrongTypes })
	over("a balance in an answer is the one after the call", fields, "all", func() []string { return f.disagreements })
	over("bets and wins are answered with the balance", "Platform notes", "all",
		func() []string { return f.withoutBalance }).Advisory = true
	over("there are no unknown fields", fields, "none", func() []string { return f.otherFields }).Advisory = true
	over("Content-Type is application/json", "Callback service", "all",
		func() []string { return f.otherTypes }).Advisory = true
}
