package simulator

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// lane is a player with the sequence of rounds that are played for him, and his books. It sends one call after the other.
type lane struct {
	run     *run
	index   int
	userID  string
	balance minor // by the books

	round   int
	kind    string
	step    int
	roundID string
	random  *rand.Rand

	stopped bool // an operation got no definite answer in time
}

// playRound plays the next round of the plan.
func (l *lane) playRound() {
	options := &l.run.options
	l.round++
	l.step = 0
	l.random = roundRandom(options.Seed, l.index, l.round)
	l.roundID = l.nextID()
	kind := planned(l.random, options.Gentle)
	l.kind = kind.name
	if options.Gentle || options.Company || l.random.IntN(10) == 0 {
		l.askBalance()
	}
	if l.balance < lowBalance {
		kind = refill
	}
	if l.round == 1 && l.index < len(options.First) {
		kind, _ = namedKind(options.First[l.index])
	}
	l.kind = kind.name
	kind.play(l)
	l.run.count(func(r *Report) {
		r.Rounds++
		r.Kinds[kind.name]++
	})
}

func (l *lane) planBet(amount minor) *transaction {
	return &transaction{call: call{Endpoint: withdraw, UserID: l.userID, TransactionID: l.nextID(), RoundID: l.roundID,
		Bet: amount}}
}

func (l *lane) bet(amount minor) *transaction {
	return l.perform("bet", l.planBet(amount))
}

func (l *lane) win(amount minor) *transaction {
	planned := l.planBet(0)
	planned.call.Endpoint, planned.call.Win = deposit, amount
	return l.perform("win", planned)
}

func (l *lane) betWin(bet, win minor) *transaction {
	planned := l.planBet(bet)
	planned.call.Endpoint, planned.call.Win = betWin, win
	return l.perform("bet and win", planned)
}

// freeSpin plays a free spin, of a grant if the player has one.
func (l *lane) freeSpin(stake minor) *transaction {
	planned := l.planBet(stake)
	planned.call.FreeSpin = true
	planned.freeSpinID = l.run.simulator.books.takeSpin(l.userID)
	l.perform("free spin", planned)
	if planned.standing != applied && !l.stopped {
		l.run.simulator.books.giveBack(planned.freeSpinID)
	}
	return planned
}

// send sends a call until there is a definite answer, unless play has stopped for this player, and compares its result with those
// that allowed returns. See exchange for the rest.
func (l *lane) send(what string, c call, lost bool, allowed func(unsure bool) []int) (got exchange, unsure, ok bool) {
	if l.stopped {
		return got, false, false
	}
	if got, unsure, ok = l.exchange(c, lost); ok {
		l.judge(what, c, got, allowed(unsure))
		l.tell(what, c, got)
	}
	return got, unsure, ok
}

// only allows one result.
func only(result int) func(bool) []int { return func(bool) []int { return []int{result} } }

// perform sends a transaction, checks the answer against the books and records it there.
func (l *lane) perform(what string, t *transaction) *transaction {
	if l.stopped {
		return t
	}
	before := t.standing
	got, unsure, ok := l.send(what, t.call, l.loses(), func(unsure bool) []int { return l.expect(t, unsure) })
	if !ok {
		l.account(t)
		return t
	}
	l.record(t, got.result())
	if before == fresh {
		l.account(t)
	}
	l.judgeBalance(what, t.call, got, resultSuccess, resultDuplicate)
	if unsure && t.standing == fresh {
		l.withdrawRefused(t)
	}
	return t
}

// account enters a transaction's current state in the statement.
func (l *lane) account(t *transaction) {
	state := lineFailed
	switch t.standing {
	case applied:
		state = lineSettled
	case rolledBack, tombstoned:
		state = lineRolledBack
	}
	l.run.simulator.books.write(l.run.simulator.now(), t.call, state)
}

// undo is the rollback of a transaction.
func (l *lane) undo(t *transaction) call {
	return call{Endpoint: rollbackTransaction, UserID: l.userID, TransactionID: t.call.TransactionID}
}

// withdrawRefused rolls back a refused bet, because an earlier attempt may still be on its way and would be processed if it
// arrived when there are funds again. In company, that attempt may have been processed already.
func (l *lane) withdrawRefused(t *transaction) {
	got, _, ok := l.send("rollback of a refused bet", l.undo(t), false, func(unsure bool) []int {
		if !l.run.options.Company {
			return []int{resultNotFound}
		}
		return append(l.expectRollback(&transaction{standing: applied}, unsure), resultNotFound)
	})
	if !ok {
		return
	}
	if t.standing = tombstoned; got.result() != resultNotFound {
		t.standing = rolledBack
	}
	l.account(t)
}

func (l *lane) rollback(t *transaction) {
	if l.stopped {
		return
	}
	c := l.undo(t)
	got, _, ok := l.send("rollback", c, l.loses(), func(unsure bool) []int { return l.expectRollback(t, unsure) })
	if !ok {
		return
	}
	if t.standing == applied && t.freeSpinID != "" {
		l.run.simulator.books.giveBack(t.freeSpinID)
	}
	l.recordRollback(t)
	l.account(t)
	l.judgeBalance("rollback", c, got, resultSuccess)
}

func (l *lane) askBalance() {
	c := call{Endpoint: getBalance, UserID: l.userID}
	got, _, ok := l.send("balance", c, false, only(resultSuccess))
	if !ok {
		return
	}
	if l.run.options.Company && got.answer.Balance != nil {
		l.balance = *got.answer.Balance
	}
	l.judgeBalance("balance", c, got, resultSuccess)
}

// anotherPlayer returns another player, or an empty ID if there is none.
func (l *lane) anotherPlayer() string {
	lanes := l.run.lanes
	if len(lanes) < 2 {
		return ""
	}
	return lanes[(l.index+1+l.random.IntN(len(lanes)-1))%len(lanes)].userID
}

// loses reports whether the first answer to the next call is lost: the connection is dropped as soon as the request is written.
func (l *lane) loses() bool { return l.random.Float64() < l.run.options.LostAnswers }

// exchange sends a call until there is a definite answer, with the same bytes each time, as the platform does. unsure means
// that the wallet may have received an earlier attempt than the answered one. If ok is false,
// the deadline for retries passed or play was stopped: the lane ends, and the outcome of the call is unknown.
func (l *lane) exchange(c call, lost bool) (got exchange, unsure, ok bool) {
	body := c.body(l.run.simulator.config.AgentID, l.run.simulator.config.SecretKey)
	ctx, cancel := context.WithTimeout(l.run.ctx, l.run.options.RetryFor)
	defer cancel()
	pause := 20 * time.Millisecond
	for attempt := 0; ; attempt++ {
		cut := attempt == 0 && lost
		attemptCtx, done := context.WithTimeout(ctx, l.run.options.AttemptTimeout)
		got = l.run.simulator.send(attemptCtx, c.Endpoint, body, cut)
		done()
		if cut {
			continue
		}
		unsure = attempt > 0
		if got.answer != nil {
			l.run.simulator.books.learn(c.UserID, got)
			return got, unsure, true
		}
		if errors.Is(got.err, errUnreadable) {
			l.mismatch("answer", c, got.err.Error())
			l.stopped = true
			return got, unsure, false
		}
		l.run.count(func(r *Report) { r.Retries++ })
		select {
		case <-ctx.Done():
			l.stopped = true
			return got, unsure, false
		case <-time.After(pause + rand.N(pause)): // jitter does not affect the plan
		}
		pause = min(2*pause, time.Second)
	}
}

func (l *lane) judge(what string, c call, got exchange, allowed []int) {
	if !slices.Contains(allowed, got.result()) {
		l.mismatch(what, c, fmt.Sprintf("the result is %d, but must be %s", got.result(), either(allowed)))
	}
}

// judgeBalance compares the answered balance with the books. The results in required must come with a balance (platform notes,
// Wallet callbacks).
func (l *lane) judgeBalance(what string, c call, got exchange, required ...int) {
	balance := got.answer.Balance
	if balance == nil {
		if slices.Contains(required, got.result()) {
			l.mismatch(what, c, "the answer has no balance")
		}
		return
	}
	if want := l.balance; !l.run.options.Company && *balance != want {
		l.mismatch(what, c, fmt.Sprintf("the balance is %s, but must be %s", *balance, want))
	}
}

func (l *lane) mismatch(what string, c call, found string) {
	where := "player " + c.UserID
	if l.kind != "" {
		where += fmt.Sprintf(", round %d (%s) %s", l.round, l.kind, l.roundID)
	}
	if c.TransactionID != "" {
		where += fmt.Sprintf(", transaction %q", c.TransactionID)
	}
	l.run.count(func(r *Report) {
		r.Mismatches = append(r.Mismatches, fmt.Sprintf("%s: %s (%s): %s", where, what, c.Endpoint, found))
	})
}

func (l *lane) tell(what string, c call, got exchange) {
	if l.run.options.OnEvent == nil {
		return
	}
	c.RoundID = l.roundID // a balance or a rollback in a round
	event := Event{call: c, At: l.run.simulator.now(), Kind: l.kind, What: what, Result: got.result()}
	if got.answer.Balance != nil {
		event.Balance = got.answer.Balance.String()
	}
	l.run.telling.Lock()
	defer l.run.telling.Unlock()
	l.run.options.OnEvent(event)
}

func either(results []int) string {
	words := make([]string, len(results))
	for i, result := range results {
		words[i] = strconv.Itoa(result)
	}
	return strings.Join(words, " or ")
}
