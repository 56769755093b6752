package golive

import (
	"context"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/shopspring/decimal"

	"pitboss/callbacks/scenarios"
	"pitboss/callbacks/wire"
)

// atOnce is how many connections make simultaneous calls.
const atOnce = 16

// The sections of the specification and the platform notes on which checks are based.
const (
	sectionGoLive      = "Go-live"
	sectionHTTPS       = "Authentication 1"
	sectionAnswers     = "Callback service"
	sectionFields      = "Wallet callback response fields"
	sectionGetBalance  = "Callback service 1"
	sectionWithdraw    = "Callback service 2"
	sectionFreeSpin    = "Callback service 3"
	sectionDeposit     = "Callback service 4"
	sectionBetWin      = "Callback service 5"
	sectionRollback    = "Callback service 6"
	sectionIdempotent  = "Callback service 7"
	sectionSign        = "Authentication 4"
	sectionWrongSign   = "Authentication 7"
	sectionStatus      = "Errors 1"
	sectionCodes       = "Errors 2"
	sectionFunds       = "Errors 3"
	sectionRolledBack  = "Errors 4"
	sectionDuplicate   = "Errors 5"
	sectionNotFound    = "Errors 6"
	sectionNotes       = "Platform notes"
	sectionLateBet     = "not shown: a bet after its rollback"
	sectionBeyondShape = "not shown: strict reading"
)

// planned is a check and how to run it.
type planned struct {
	Check
	gate  bool          // GetBalance: if it fails, nothing else is run
	needs func() string // returns why it cannot be run, or ""; may be nil
	play  func(ctx context.Context) (got string, ok bool)
}

func (p *planned) advisory() *planned {
	p.Check.Advisory = true
	return p
}

// after runs the check only if t was processed and not rolled back.
func (p *planned) after(t *transaction) *planned {
	p.needs = func() string {
		if !t.live {
			return t.endpoint.String() + " was not processed"
		}
		return ""
	}
	return p
}

// afterRollback runs the check only if t was rolled back.
func (p *planned) afterRollback(t *transaction) *planned {
	p.needs = func() string {
		if !t.reversed {
			return t.endpoint.String() + " was not rolled back"
		}
		return ""
	}
	return p
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

// codes are the results that pass a check; none means any definite answer.
type codes []wire.Result

func (c codes) String() string {
	if len(c) == 0 {
		return "any result"
	}
	words := make([]string, len(c))
	for i, code := range c {
		words[i] = strconv.Itoa(int(code))
	}
	return strings.Join(words, " or ")
}

func (c codes) take(a *answer) bool {
	if !a.definite() {
		return false
	}
	for _, code := range c {
		if a.result == code {
			return true
		}
	}
	return len(c) == 0
}

// code checks only a call's result.
func (p *planner) code(name, section string, want codes, build func() scenarios.Message) *planned {
	return p.add(name, section, want.String(), func(ctx context.Context) (string, bool) {
		a := p.r.send(ctx, build())
		return a.String(), want.take(&a)
	})
}

// money checks a call's result and the change of the balance. build may use the balance.
func (p *planner) money(name, section string, want codes, change string, build func() scenarios.Message) *planned {
	wanted := decimal.RequireFromString(change)
	return p.add(name, section, want.String()+", "+changeWords(wanted), func(ctx context.Context) (string, bool) {
		var a *answer
		words, moved := p.r.effect(ctx, wanted, func() *answer {
			made := p.r.send(ctx, build())
			a = &made
			return a
		})
		if a == nil {
			return words, false
		}
		return a.String() + ", " + words, want.take(a) && moved
	})
}

// refused is money for a call that must not change the balance.
func (p *planner) refused(name, section string, want codes, build func() scenarios.Message) *planned {
	return p.money(name, section, want, "0.00", build)
}

// together sends messages simultaneously over several connections, and checks the results and that they had one effect.
func (p *planner) together(name, section, expected, change string, build func() []scenarios.Message,
	judge func(results map[wire.Result]int) bool) *planned {
	wanted := decimal.RequireFromString(change)
	return p.add(name, section, expected+", "+changeWords(wanted), func(ctx context.Context) (string, bool) {
		var answers []answer
		words, moved := p.r.effect(ctx, wanted, func() *answer {
			answers = p.r.sendTogether(ctx, build())
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

// The messages on which checks are based.

func (r *run) getBalance() scenarios.Message {
	return scenarios.Message{Endpoint: wire.GetBalance, Request: r.request()}
}

func (r *run) bet(t *transaction, amount string, edits ...scenarios.Edit) scenarios.Message {
	m := scenarios.Message{Endpoint: wire.Withdraw, Request: r.request(), Edits: edits}
	m.Request.Amount, m.Request.TransactionID, m.Request.RoundID = amount, t.id, r.round
	return m
}

func (r *run) freeSpin(t *transaction, stake string) scenarios.Message {
	m := r.bet(t, stake)
	m.Request.FreeSpin = true
	return m
}

func (r *run) win(t *transaction, amount string) scenarios.Message {
	m := r.bet(t, amount)
	m.Endpoint = wire.Deposit
	return m
}

func (r *run) betWin(t *transaction, bet, win string) scenarios.Message {
	m := scenarios.Message{Endpoint: wire.BetWin, Request: r.request()}
	m.Request.BetAmount, m.Request.WinAmount, m.Request.TransactionID, m.Request.RoundID = bet, win, t.id, r.round
	return m
}

func (r *run) rollback(t *transaction, edits ...scenarios.Edit) scenarios.Message {
	m := scenarios.Message{Endpoint: wire.RollbackTransaction, Request: r.request(), Edits: edits}
	m.Request.TransactionID = t.id
	return m
}

// small returns a correct call of an endpoint, with a new transaction ID if it moves money.
func (r *run) small(endpoint wire.Endpoint) scenarios.Message {
	switch endpoint {
	case wire.Withdraw:
		return r.bet(r.transaction(endpoint), "0.01")
	case wire.Deposit:
		return r.win(r.transaction(endpoint), "0.01")
	case wire.BetWin:
		return r.betWin(r.transaction(endpoint), "0.02", "0.01")
	case wire.RollbackTransaction:
		return r.rollback(r.transaction(wire.Withdraw))
	}
	return r.getBalance()
}

// of returns a builder of a fixed message.
func of(m scenarios.Message) func() scenarios.Message { return func() scenarios.Message { return m } }

// above returns an amount that exceeds the balance.
func (r *run) above(more string) string {
	return decimal.Max(r.last, decimal.Zero).Add(decimal.RequireFromString(more)).StringFixed(2)
}

// plan returns all checks except the last, which belongs to the clean-up.
func (r *run) plan() []planned {
	p := &planner{r: r}
	for _, part := range []struct {
		topic string
		add   func()
	}{
		{"The service", p.service},
		{"Signatures", p.signatures},
		{"Wrong input", p.wrongInput},
		{"Unknown players", p.unknownPlayer},
		{"Bets", p.bets},
		{"Wins", p.wins},
		{"Bets and wins in one", p.betWins},
		{"Rollbacks", p.rollbacks},
		{"Free spins", p.freeSpins},
		{"Many at once", p.simultaneous},
		{"Strictness where the specification is silent", p.strictness},
		{"All answers so far", p.answers},
	} {
		p.topic = part.topic
		part.add()
	}
	plan := make([]planned, len(p.plan))
	for i, c := range p.plan {
		plan[i] = *c
	}
	return plan
}

func (p *planner) service() {
	r := p.r
	p.add("GetBalance answers balance and currency", sectionGetBalance, "0, a balance with two decimals, a currency",
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
	p.refused("GetBalance again changes nothing", sectionGetBalance, codes{wire.Success},
		func() scenarios.Message { return r.getBalance() })
	p.add("The address is served over HTTPS", sectionHTTPS, "https, or this machine", func(context.Context) (string, bool) {
		u, err := url.Parse(r.caller.base)
		if err != nil {
			return "no address", false
		}
		address := net.ParseIP(u.Hostname())
		here := u.Hostname() == "localhost" || address != nil && address.IsLoopback()
		if here {
			return u.Scheme + " on this machine", true
		}
		return u.Scheme, u.Scheme == "https"
	}).advisory()
}

func (p *planner) signatures() { p.refusals(scenarios.WrongSigns) }

func (p *planner) wrongInput() {
	p.refusals(scenarios.WrongInput)
	r, want := p.r, codes{wire.WrongInput}
	if r.config.Dialect == wire.GitSlotPark {
		want = codes{wire.InvalidAgent}
	}
	for _, m := range []scenarios.Message{r.small(wire.GetBalance), r.small(wire.Withdraw)} {
		m.Request.AgentID = r.newID()
		p.refused(m.Endpoint.String()+" of another agent", sectionNotes, want, of(m)).advisory()
	}
}

// refusals adds the scenarios of a list.
func (p *planner) refusals(list []scenarios.Refusal) (added []*planned) {
	for _, c := range list {
		m := p.r.small(c.Endpoint)
		c.Change(&m)
		add := p.refused
		if c.Endpoint == wire.GetBalance {
			add = p.code
		}
		added = append(added, add(c.Name, c.Section, codes{c.Result}, of(m)))
	}
	return added
}

func (p *planner) unknownPlayer() {
	r := p.r
	want, section := codes{wire.WrongInput}, sectionCodes
	if r.config.Dialect == wire.GitSlotPark {
		want, section = codes{wire.UserNotFound}, sectionNotes
	}
	for _, endpoint := range wire.Endpoints() {
		m := r.small(endpoint)
		m.Request.UserID = r.newID()
		codes := want
		if endpoint == wire.RollbackTransaction {
			codes = append(codes[:1:1], wire.TransactionNotFound) // whichever is looked for first
		}
		p.code(endpoint.String()+" for an unknown player", section, codes, of(m))
	}
	// If the signature did not cover UTF-8 bytes, the result would be 3.
	m := r.getBalance()
	m.Request.UserID = "Ζεύς-" + r.newID()
	p.code("GetBalance for an unknown player with a Greek name", sectionSign, want, of(m))
	m.Request.UserID = r.config.UserID + " "
	p.code("GetBalance for the player's name and a space", sectionBeyondShape, want, of(m)).advisory()
}

// A processed transaction ID is answered with 11, or with 0 and no second effect.
var processedBefore = codes{wire.DuplicateTransaction, wire.Success}

func (p *planner) bets() {
	r := p.r
	success, poor := codes{wire.Success}, codes{wire.InsufficientFunds}
	bet := r.transaction(wire.Withdraw)
	p.money("Withdraw of 1.00", sectionWithdraw, success, "-1.00", of(r.bet(bet, "1.00")))
	p.refused("the same Withdraw again", sectionDuplicate, processedBefore, of(r.bet(bet, "1.00"))).after(bet)
	p.refused("that Withdraw's transactionID with another amount", sectionDuplicate, processedBefore, of(r.bet(bet, "0.50"))).
		after(bet)
	p.refused("that Withdraw's transactionID in a Deposit", sectionIdempotent, processedBefore, of(r.win(bet, "0.50"))).
		after(bet)
	p.refused("that Withdraw's transactionID in a BetWin", sectionIdempotent, processedBefore,
		of(r.betWin(bet, "0.01", "0.50"))).after(bet)
	p.refused("Withdraw of 0.00", sectionWithdraw, success, of(r.bet(r.transaction(wire.Withdraw), "0.00")))

	dear := r.transaction(wire.Withdraw)
	p.refused("Withdraw of 0.01 more than the balance", sectionFunds, poor,
		func() scenarios.Message { return r.bet(dear, r.above("0.01")) })
	p.refused("Withdraw of 0.01 more than the balance again", sectionFunds, poor,
		func() scenarios.Message { return r.bet(dear, r.above("0.01")) })
	p.refused("Withdraw of a trillion less a cent", sectionFunds, poor,
		of(r.bet(r.transaction(wire.Withdraw), "999999999999.99")))
	p.money("a refused transactionID with 0.01 is a new bet", sectionDuplicate, success, "-0.01", of(r.bet(dear, "0.01"))).
		advisory()
	p.money("Withdraw with fields in another order", sectionAnswers, success, "-0.01",
		of(r.bet(r.transaction(wire.Withdraw), "0.01", scenarios.Reversed)))
	p.money("Withdraw with unknown fields", sectionAnswers, success, "-0.01",
		of(r.bet(r.transaction(wire.Withdraw), "0.01", scenarios.Again("gameID", `"20001"`), scenarios.Again("extra", `{"a":[1,null]}`))))
	escaped := r.transaction(wire.Withdraw)
	escaped.id += "/é"
	p.money("Withdraw with an escaped letter, signed unescaped", sectionSign, success, "-0.01",
		of(r.bet(escaped, "0.01", scenarios.With(wire.FieldTransactionID, strings.ReplaceAll(scenarios.Quoted(escaped.id), "é", `\u00e9`))))).
		advisory()
}

func (p *planner) wins() {
	r := p.r
	win := r.transaction(wire.Deposit)
	p.money("Deposit of 0.50", sectionDeposit, codes{wire.Success}, "0.50", of(r.win(win, "0.50")))
	p.refused("the same Deposit again", sectionDuplicate, processedBefore, of(r.win(win, "0.50"))).after(win)
	p.money("rollback of the Deposit", sectionRollback, codes{wire.Success}, "-0.50", of(r.rollback(win))).after(win)
	p.refused("rollback of the Deposit again", sectionRolledBack, codes{wire.AlreadyRolledBack}, of(r.rollback(win))).
		afterRollback(win)
	p.refused("Deposit of 0.00", sectionDeposit, codes{wire.Success}, of(r.win(r.transaction(wire.Deposit), "0.00")))
}

func (p *planner) betWins() {
	r := p.r
	success := codes{wire.Success}
	won, dear := r.transaction(wire.BetWin), r.transaction(wire.BetWin)
	p.money("BetWin of 0.50 and 0.75", sectionBetWin, success, "0.25", of(r.betWin(won, "0.50", "0.75")))
	p.refused("the same BetWin again", sectionDuplicate, processedBefore, of(r.betWin(won, "0.50", "0.75"))).after(won)
	p.money("rollback of the BetWin", sectionRollback, success, "-0.25", of(r.rollback(won))).after(won)
	p.refused("rollback of the BetWin again", sectionRolledBack, codes{wire.AlreadyRolledBack}, of(r.rollback(won))).
		afterRollback(won)
	p.money("BetWin that is lost: 0.05 and 0.00", sectionBetWin, success, "-0.05",
		of(r.betWin(r.transaction(wire.BetWin), "0.05", "0.00")))
	p.refused("BetWin of 0.01 more than the balance, and a win above it", sectionBetWin, codes{wire.InsufficientFunds},
		func() scenarios.Message {
			return r.betWin(dear, r.above("0.01"), r.above("0.02"))
		})
}

func (p *planner) rollbacks() {
	r := p.r
	success, gone := codes{wire.Success}, codes{wire.AlreadyRolledBack}
	bet := r.transaction(wire.Withdraw)
	p.money("Withdraw that will be rolled back", sectionWithdraw, success, "-0.40", of(r.bet(bet, "0.40")))
	p.refused("rollback of the Withdraw with a wrong sign", sectionWrongSign, codes{wire.InvalidSign},
		of(r.rollback(bet, scenarios.WrongSign))).after(bet)
	unknown := r.rollback(bet)
	unknown.Request.UserID = r.newID()
	p.refused("rollback of the Withdraw for an unknown player", sectionCodes,
		codes{wire.WrongInput, wire.UserNotFound, wire.TransactionNotFound}, of(unknown)).after(bet)
	p.money("rollback of the Withdraw", sectionRollback, success, "0.40", of(r.rollback(bet))).after(bet)
	p.refused("rollback of the Withdraw again", sectionRolledBack, gone, of(r.rollback(bet))).afterRollback(bet)
	p.refused("the rolled-back Withdraw again takes nothing", sectionDuplicate, nil, of(r.bet(bet, "0.40"))).afterRollback(bet)
	p.code("the rolled-back Withdraw again is refused", sectionRolledBack, gone, of(r.bet(bet, "0.40"))).afterRollback(bet).
		advisory()

	late := r.transaction(wire.Withdraw)
	p.refused("rollback of an unknown transaction", sectionNotFound, codes{wire.TransactionNotFound}, of(r.rollback(late)))
	p.refused("rollback of an unknown transaction again", sectionNotFound,
		codes{wire.TransactionNotFound, wire.AlreadyRolledBack}, of(r.rollback(late)))
	p.refused("the bet after its rollback takes nothing", sectionLateBet, nil, of(r.bet(late, "0.02")))
	p.code("the bet after its rollback is refused", sectionLateBet, gone, of(r.bet(late, "0.02"))).advisory()
}

func (p *planner) freeSpins() {
	r := p.r
	success := codes{wire.Success}
	spin := r.transaction(wire.Withdraw)
	p.refused("free spin", sectionFreeSpin, success, of(r.freeSpin(spin, "0.20")))
	p.refused("the same free spin again", sectionDuplicate, processedBefore, of(r.freeSpin(spin, "0.20"))).after(spin)
	p.refused("rollback of the free spin", sectionRollback, success, of(r.rollback(spin))).after(spin)
	p.refused("rollback of the free spin again", sectionRolledBack, codes{wire.AlreadyRolledBack}, of(r.rollback(spin))).
		afterRollback(spin)
	dear := r.transaction(wire.Withdraw)
	p.refused("free spin with a stake above the balance", sectionFreeSpin, success,
		func() scenarios.Message { return r.freeSpin(dear, r.above("1.00")) })
	p.money("Withdraw with freeSpin false", sectionFreeSpin, success, "-0.01",
		of(r.bet(r.transaction(wire.Withdraw), "0.01", scenarios.Again(wire.FieldFreeSpin, "false"))))
}

func (p *planner) simultaneous() {
	r := p.r
	one := r.transaction(wire.Withdraw)
	repeated := func(m scenarios.Message) func() []scenarios.Message {
		return func() (out []scenarios.Message) {
			for range atOnce {
				out = append(out, m)
			}
			return out
		}
	}
	p.together("one Withdraw from 16 connections at once", sectionDuplicate, "0 once, else 11 or 0", "-0.01",
		repeated(r.bet(one, "0.01")),
		func(results map[wire.Result]int) bool {
			return results[wire.Success] > 0 && results[wire.Success]+results[wire.DuplicateTransaction] == atOnce
		})
	p.together("the rollback from 16 connections at once", sectionRolledBack, "0 once, else 9", "0.01",
		repeated(r.rollback(one)),
		func(results map[wire.Result]int) bool {
			return results[wire.Success] == 1 && results[wire.AlreadyRolledBack] == atOnce-1
		}).after(one)
	p.together("16 different bets at once", sectionWithdraw, "all 0", "-0.16", func() (out []scenarios.Message) {
		for range atOnce {
			out = append(out, r.bet(r.transaction(wire.Withdraw), "0.01"))
		}
		return out
	}, func(results map[wire.Result]int) bool { return results[wire.Success] == atOnce })
	p.together("8 bets and 8 wins at once", sectionDeposit, "all 0", "0.00", func() (out []scenarios.Message) {
		for range atOnce / 2 {
			out = append(out, r.bet(r.transaction(wire.Withdraw), "0.01"), r.win(r.transaction(wire.Deposit), "0.01"))
		}
		return out
	}, func(results map[wire.Result]int) bool { return results[wire.Success] == atOnce })
}

// strictness checks what the specification leaves open.
func (p *planner) strictness() {
	for _, c := range p.refusals(scenarios.Strictness) {
		c.advisory()
	}
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
	over("every answer is HTTP 200 with JSON and a result", sectionStatus, "all", func() []string { return f.noResult })
	over("fields have their types", sectionFields, "all", func() []string { return f.wrongTypes })
	over("a balance in an answer is the one after the call", sectionFields, "all", func() []string { return f.disagreements })
	over("bets and wins are answered with the balance", sectionNotes, "all", func() []string { return f.withoutBalance }).
		advisory()
	over("there are no unknown fields", sectionFields, "none", func() []string { return f.otherFields }).advisory()
	over("Content-Type is application/json", sectionAnswers, "all", func() []string {
		if f.otherContentType == 0 {
			return nil
		}
		return []string{strconv.Itoa(f.otherContentType) + " answers of another type"}
	}).advisory()
}
