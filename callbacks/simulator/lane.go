package simulator

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"
)

// maxRecent is how many earlier transactions a lane remembers to repeat them later.
const maxRecent = 64

// maxPlayerMismatches is how many mismatches end the play of a player.
const maxPlayerMismatches = 20

// lane is a sequence of rounds of one player. It sends one call after the other, except in rounds that test simultaneous calls.
type lane struct {
	run   *run
	index int
	book  *book

	round   int
	kind    string
	step    int
	roundID string
	random  *rand.Rand
	recent  []*transaction
	stopped bool // no definite answer in time, or too many mismatches
}

// playRound plays the next round of the plan.
func (l *lane) playRound() {
	l.round++
	l.step = 0
	l.random = roundRandom(l.run.options.Seed, l.index, l.round)
	l.roundID = l.nextID()
	kind := planned(l.random, l.run.options.Gentle)
	l.kind = kind.name
	if l.run.options.Gentle || l.run.options.Company || l.random.IntN(10) == 0 {
		l.askBalance()
	}
	if l.book.now() < lowBalance {
		kind = refill
	}
	if first := l.run.options.First; l.round == 1 && l.index < len(first) {
		kind, _ = namedKind(first[l.index])
	}
	l.kind = kind.name
	kind.play(l)
	l.run.countRound(kind.name)
}

func (l *lane) planBet(amount minor) *transaction {
	return &transaction{call: call{endpoint: withdraw, userID: l.book.userID, transactionID: l.nextID(), roundID: l.roundID,
		bet: amount}}
}

func (l *lane) bet(amount minor) *transaction {
	return l.perform("bet", l.planBet(amount))
}

func (l *lane) win(amount minor) *transaction {
	planned := l.planBet(0)
	planned.call.endpoint, planned.call.win = deposit, amount
	return l.perform("win", planned)
}

func (l *lane) betWin(bet, win minor) *transaction {
	planned := l.planBet(bet)
	planned.call.endpoint, planned.call.win = betWin, win
	return l.perform("bet and win", planned)
}

// freeSpin plays a free spin, of a grant if the player has one.
func (l *lane) freeSpin(stake minor) *transaction {
	planned := l.planBet(stake)
	planned.call.freeSpin = true
	planned.freeSpinID = l.run.simulator.grants.take(l.book.userID)
	l.perform("free spin", planned)
	if planned.standing != applied && !l.stopped {
		l.run.simulator.grants.giveBack(planned.freeSpinID)
	}
	return planned
}

// again repeats a transaction unchanged.
func (l *lane) again(t *transaction, what string) {
	l.perform(what, t)
}

// perform sends a transaction, checks the answer against the books and records it there.
func (l *lane) perform(what string, t *transaction) *transaction {
	if l.stopped {
		return t
	}
	before := t.standing
	got, unsure, ok := l.exchange(t.call, l.loss())
	if !ok {
		l.account(t)
		return t
	}
	l.judge(what, t.call, got, l.book.expect(t, l.repeated(unsure)))
	l.book.record(t, got.result())
	if before == fresh {
		l.account(t)
		if t.standing == applied {
			l.remember(t)
		}
	}
	l.judgeBalance(what, t.call, got, resultSuccess, resultDuplicate)
	l.tell(what, t.call, got)
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
	l.run.simulator.statement.write(l.run.simulator.now(), t.call, state)
}

// withdrawRefused rolls back a refused bet, because an earlier attempt may still be on its way and would be processed if it
// arrived when there are funds again. If other lanes play the same player, that attempt may have been processed already.
func (l *lane) withdrawRefused(t *transaction) {
	c := call{endpoint: rollbackTransaction, userID: l.book.userID, transactionID: t.call.transactionID}
	got, unsure, ok := l.exchange(c, noLoss)
	if !ok {
		return
	}
	allowed := []int{resultNotFound}
	if !l.book.exact {
		allowed = append(allowed, resultSuccess)
		if unsure {
			allowed = append(allowed, resultRolledBack)
		}
	}
	l.judge("rollback of a refused bet", c, got, allowed)
	if t.standing = tombstoned; got.result() != resultNotFound {
		t.standing = rolledBack
	}
	l.account(t)
	l.tell("rollback of a refused bet", c, got)
}

func (l *lane) rollback(t *transaction) {
	if l.stopped {
		return
	}
	c := call{endpoint: rollbackTransaction, userID: l.book.userID, transactionID: t.call.transactionID}
	got, unsure, ok := l.exchange(c, l.loss())
	if !ok {
		return
	}
	l.judge("rollback", c, got, l.book.expectRollback(t, l.repeated(unsure)))
	if t.standing == applied && t.freeSpinID != "" {
		l.run.simulator.grants.giveBack(t.freeSpinID)
	}
	l.book.recordRollback(t)
	l.account(t)
	l.judgeBalance("rollback", c, got, resultSuccess)
	l.tell("rollback", c, got)
}

func (l *lane) askBalance() {
	if l.stopped {
		return
	}
	c := call{endpoint: getBalance, userID: l.book.userID}
	got, _, ok := l.exchange(c, noLoss)
	if !ok {
		return
	}
	l.judge("balance", c, got, []int{resultSuccess})
	if l.book.company && got.answer.Balance != nil {
		l.book.takeOver(*got.answer.Balance)
	}
	l.judgeBalance("balance", c, got, resultSuccess)
	l.tell("balance", c, got)
}

// asOther sends a call in another player's name. It checks only the result: that player's balance, which must not change, is in
// the books of another lane.
func (l *lane) asOther(what string, c call, want int) {
	if l.stopped {
		return
	}
	got, _, ok := l.exchange(c, noLoss)
	if !ok {
		return
	}
	l.judge(what, c, got, []int{want})
	l.tell(what, c, got)
}

// pair sends two calls simultaneously. ok is false if one of them got no definite answer.
func (l *lane) pair(first, second call) (got [2]exchange, unsure [2]bool, ok bool) {
	var done [2]bool
	var wait sync.WaitGroup
	for i, c := range []call{first, second} {
		wait.Go(func() { got[i], unsure[i], done[i] = l.exchange(c, noLoss) })
	}
	wait.Wait()
	return got, unsure, done[0] && done[1]
}

// twins sends the same bet twice simultaneously: it must be processed once.
func (l *lane) twins() {
	if l.stopped {
		return
	}
	bet := l.planBet(l.stake())
	got, unsure, ok := l.pair(bet.call, bet.call)
	if !ok {
		l.halt()
		return
	}
	allowed := l.book.expect(bet, true)
	for i := range got {
		l.judge("one of two at once", bet.call, got[i], allowed)
		l.book.record(bet, got[i].result())
	}
	if got[0].result() == resultDuplicate && got[1].result() == resultDuplicate && !l.repeated(unsure[0] || unsure[1]) {
		l.mismatch("one of two at once", bet.call, "both were answered as duplicates, and neither as processed")
	}
	l.account(bet)
	if bet.standing == applied {
		l.remember(bet)
	}
	for i := range got {
		l.judgeBalance("one of two at once", bet.call, got[i], resultSuccess, resultDuplicate)
		l.tell("one of two at once", bet.call, got[i])
	}
	if (unsure[0] || unsure[1]) && bet.standing == fresh {
		l.withdrawRefused(bet)
	}
	l.again(bet, "the bet a third time")
}

// race sends a bet and its rollback simultaneously. Whichever comes first, no money may have moved in the end, and the bet is
// refused from then on.
func (l *lane) race() {
	if l.stopped {
		return
	}
	bet := l.planBet(l.stake())
	undo := call{endpoint: rollbackTransaction, userID: l.book.userID, transactionID: bet.call.transactionID}
	betResults := l.book.expect(bet, false)
	got, unsure, ok := l.pair(bet.call, undo)
	if !ok {
		l.halt()
		return
	}
	betResult, undoResult := got[0].result(), got[1].result()
	if !raceAllowed(betResult, undoResult, l.repeated(unsure[0]), l.repeated(unsure[1]), betResults) {
		l.mismatch("bet and its rollback at once", bet.call,
			fmt.Sprintf("the bet was answered %d and the rollback %d, which no order of the two explains", betResult,
				undoResult))
	}
	if bet.standing = tombstoned; undoResult != resultNotFound {
		bet.standing = rolledBack
	}
	l.account(bet)
	l.tell("bet, in a race", bet.call, got[0])
	l.tell("rollback, in a race", undo, got[1])
	l.askBalance()
	l.again(bet, "the bet after its race")
	l.rollback(bet)
}

func (l *lane) remember(t *transaction) {
	if len(l.recent) == maxRecent {
		l.recent = slices.Delete(l.recent, 0, 1)
	}
	l.recent = append(l.recent, t)
}

func (l *lane) anotherPlayer() string {
	books := l.run.books
	if len(books) < 2 {
		return ""
	}
	at := slices.Index(books, l.book)
	return books[(at+1+l.random.IntN(len(books)-1))%len(books)].userID
}

// loss is how the first answer to a call is lost.
type loss int

const (
	noLoss    loss = iota
	cutOff         // the connection is dropped as soon as the request is written
	discarded      // the answer arrives and is thrown away
)

func (l *lane) loss() loss {
	if l.random.Float64() >= l.run.options.LostAnswers {
		return noLoss
	}
	return cutOff + loss(l.random.IntN(2))
}

// exchange sends a call until there is a definite answer, with the same bytes each time, as the platform does. unsure means
// that the wallet may have received an earlier attempt than the answered one. If ok is false, the deadline for retries passed
// or play was stopped: the lane ends, and the outcome of the call is unknown.
func (l *lane) exchange(c call, lost loss) (got exchange, unsure, ok bool) {
	body := c.body(l.run.simulator.config.AgentID, l.run.simulator.config.SecretKey)
	ctx, cancel := context.WithTimeout(l.run.ctx, l.run.options.RetryFor)
	defer cancel()
	due := l.run.await()
	late := time.Since(due)
	pause := 20 * time.Millisecond
	for attempt := 0; ; attempt++ {
		first := attempt == 0
		attemptCtx, done := context.WithTimeout(ctx, l.run.options.AttemptTimeout)
		got = l.run.simulator.wallet.send(attemptCtx, c.endpoint, body, first && lost == cutOff)
		done()
		if first && lost != noLoss {
			unsure = unsure || got.sent
			l.run.countCall(c.endpoint, "answer lost")
			continue
		}
		l.run.countCall(c.endpoint, got.outcome())
		if got.definite() {
			l.run.simulator.statement.learn(c.userID, got)
			got.late, got.took = late, time.Since(due)
			return got, unsure, true
		}
		if got.outcome() == outcomeUnreadable {
			l.mismatch("answer", c, got.err.Error())
			l.halt()
			return got, unsure, false
		}
		unsure = unsure || got.sent
		l.run.countRetry()
		select {
		case <-ctx.Done():
			l.halt()
			return got, unsure, false
		case <-time.After(pause + rand.N(pause)): // jitter does not affect the plan
		}
		pause = min(2*pause, time.Second)
	}
}

// halt ends the lane after an operation with unknown outcome.
func (l *lane) halt() {
	l.book.mu.Lock()
	defer l.book.mu.Unlock()
	l.book.unsettled = true
	l.stopped = true
}

// repeated reports whether the wallet may have received a call before the attempt that it answered. unsure means that it may
// have received an earlier attempt of the simulator itself.
func (l *lane) repeated(unsure bool) bool { return unsure || l.run.options.Relayed }

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
	if want := l.book.now(); l.book.exact && *balance != want {
		l.mismatch(what, c, fmt.Sprintf("the balance is %s, but must be %s", *balance, want))
	}
}

func (l *lane) mismatch(what string, c call, found string) {
	l.run.report(Mismatch{
		UserID: c.userID, Round: l.round, Kind: l.kind, What: what, Endpoint: c.endpoint,
		RoundID: l.roundID, TransactionID: c.transactionID, Found: found,
	})
	l.book.mu.Lock()
	defer l.book.mu.Unlock()
	if l.book.mismatches++; l.book.mismatches >= maxPlayerMismatches {
		l.stopped = true
	}
}

func (l *lane) tell(what string, c call, got exchange) {
	if l.run.options.OnEvent == nil {
		return
	}
	event := Event{
		At: l.run.simulator.now(), UserID: c.userID, Round: l.round, Kind: l.kind, RoundID: l.roundID, What: what,
		Endpoint:      c.endpoint,
		TransactionID: c.transactionID, Amount: c.amount(), FreeSpin: c.freeSpin, Result: got.result(), Latency: got.latency,
		Late: got.late, Took: got.took,
	}
	if got.answer.Balance != nil {
		event.Balance = got.answer.Balance.String()
	}
	l.run.tell(event)
}

func either(results []int) string {
	written := ""
	for i, result := range results {
		if i > 0 {
			written += " or "
		}
		written += strconv.Itoa(result)
	}
	return written
}
