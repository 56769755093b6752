package simulator

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// lane is one player, the sequence of rounds played for that player, and the player's books. It sends one call at a time.
type lane struct {
	run     *run
	index   int
	userID  string
	balance models.Amount // according to the books

	round   int
	kind    string
	step    int
	roundID string
	random  *rand.Rand

	stopped bool // because an operation got no definite answer in time
}

// standing is the state of a transaction ID according to the books.
type standing int

const (
	fresh      standing = iota // not processed: never sent, or refused
	applied                    // processed
	rolledBack                 // processed, then rolled back
	tombstoned                 // rolled back before it was processed; the original will be refused
)

// transaction is a transaction ID with its call and its state.
type transaction struct {
	call       call
	standing   standing
	freeSpinID string // the grant whose spin it uses, if any
}

// effect returns by how much the transaction changes the balance when it is processed. A free spin changes nothing
// (specification, Callback service rule 3).
func (t *transaction) effect() models.Amount {
	if t.call.FreeSpin {
		return 0
	}
	return t.call.Win - t.call.Bet
}

// playRound plays the next round of the plan. Each round has its own random source, so its plan depends only on the seed, the
// lane and the round's number, and not on how earlier rounds went.
func (l *lane) playRound() {
	options := &l.run.options
	l.round++
	l.step = 0
	l.random = rand.New(rand.NewPCG(options.Seed, uint64(l.index)<<32|uint64(l.round)))
	l.roundID = l.nextID()
	kind := planned(l.random, options.Gentle)
	l.kind = kind.Name
	if options.Gentle || options.Company || l.random.IntN(10) == 0 {
		l.askBalance()
	}
	if l.balance < lowBalance {
		kind = refill
	}
	if l.round == 1 && l.index < len(options.First) {
		kind, _ = namedKind(options.First[l.index])
	}
	l.kind = kind.Name
	kind.play(l)
	l.run.count(func(r *Report) { r.Rounds++ })
}

func (l *lane) planBet(amount models.Amount) *transaction {
	return &transaction{call: call{Endpoint: wire.Withdraw, UserID: l.userID, TransactionID: l.nextID(), RoundID: l.roundID,
		Bet: amount}}
}

func (l *lane) bet(amount models.Amount) *transaction { return l.perform("bet", l.planBet(amount)) }

func (l *lane) win(amount models.Amount) *transaction {
	planned := l.planBet(0)
	planned.call.Endpoint, planned.call.Win = wire.Deposit, amount
	return l.perform("win", planned)
}

func (l *lane) betWin(bet, win models.Amount) *transaction {
	planned := l.planBet(bet)
	planned.call.Endpoint, planned.call.Win = wire.BetWin, win
	return l.perform("bet and win", planned)
}

// freeSpin plays a spin of a grant, or of no grant if freeSpinID is empty.
func (l *lane) freeSpin(stake models.Amount, freeSpinID string) *transaction {
	planned := l.planBet(stake)
	planned.call.FreeSpin, planned.freeSpinID = true, freeSpinID
	l.perform("free spin", planned)
	if planned.standing != applied && !l.stopped {
		l.run.simulator.books.giveBack(freeSpinID)
	}
	return planned
}

// perform sends a transaction, checks the answer against the books, and updates the books. If the wallet says that it processed
// a fresh transaction, the books follow even if it was wrong to, so that one fault is not reported again at every later step.
func (l *lane) perform(what string, t *transaction) *transaction {
	if l.stopped {
		return t
	}
	before := t.standing
	got, unsure, ok := l.send(what, t.call, l.loses(), func(unsure bool) []wire.Result { return l.expect(t, unsure) })
	if ok && t.standing == fresh && (got.result == wire.Success || got.result == wire.DuplicateTransaction) {
		t.standing = applied
		l.balance += t.effect()
	}
	if !ok || before == fresh {
		l.account(t)
	}
	if !ok {
		return t
	}
	l.judgeBalance(what, t.call, got, wire.Success, wire.DuplicateTransaction)
	if unsure && t.standing == fresh { // an earlier attempt may still arrive, and be processed once there are funds
		l.rollback(t)
	}
	return t
}

// expect returns the results that the wallet may answer to the transaction now. unsure means that the wallet may have received
// an earlier attempt whose answer was lost; then even the first answer may say duplicate.
func (l *lane) expect(t *transaction, unsure bool) []wire.Result {
	switch t.standing {
	case applied:
		return []wire.Result{wire.DuplicateTransaction, wire.Success} // the specification allows both (Errors 5)
	case rolledBack, tombstoned:
		return []wire.Result{wire.AlreadyRolledBack}
	}
	allowed := []wire.Result{wire.Success}
	if needsFunds := t.call.Bet > 0 && !t.call.FreeSpin; needsFunds && l.run.options.Company {
		allowed = append(allowed, wire.InsufficientFunds)
	} else if needsFunds && l.balance < t.call.Bet {
		return []wire.Result{wire.InsufficientFunds}
	}
	if unsure {
		allowed = append(allowed, wire.DuplicateTransaction)
	}
	if l.run.options.Company && t.call.Endpoint != wire.Deposit {
		allowed = append(allowed, wire.GeneralError) // staff may have restricted the player meanwhile
	}
	return allowed
}

// account writes the transaction's current state to the statement.
func (l *lane) account(t *transaction) {
	state := [...]string{fresh: lineFailed, applied: lineSettled, rolledBack: lineRolledBack, tombstoned: lineRolledBack}[t.standing]
	l.run.simulator.books.write(l.run.simulator.config.Now(), t.call, state)
}

// undo returns the rollback of a transaction.
func (l *lane) undo(t *transaction) call {
	return call{Endpoint: wire.RollbackTransaction, UserID: l.userID, TransactionID: t.call.TransactionID}
}

func (l *lane) rollback(t *transaction) {
	c := l.undo(t)
	got, _, ok := l.send("rollback", c, l.loses(), func(unsure bool) []wire.Result { return l.expectRollback(t, unsure) })
	switch {
	case !ok:
		return
	case t.standing == applied:
		l.balance -= t.effect()
		l.run.simulator.books.giveBack(t.freeSpinID)
		t.standing = rolledBack
	case t.standing == fresh && got.result != wire.TransactionNotFound:
		t.standing = rolledBack
	case t.standing == fresh:
		t.standing = tombstoned
	}
	l.account(t)
	l.judgeBalance("rollback", c, got, wire.Success)
}

// expectRollback returns the results that the wallet may answer to the rollback now. In company, a bet that was first refused
// for lack of funds may have been processed since, if an earlier attempt arrived late.
func (l *lane) expectRollback(t *transaction, unsure bool) []wire.Result {
	switch {
	case t.standing == applied && unsure:
		return []wire.Result{wire.Success, wire.AlreadyRolledBack}
	case t.standing == applied:
		return []wire.Result{wire.Success}
	case t.standing == rolledBack:
		return []wire.Result{wire.AlreadyRolledBack}
	case l.run.options.Company:
		return []wire.Result{wire.TransactionNotFound, wire.Success, wire.AlreadyRolledBack}
	}
	return []wire.Result{wire.TransactionNotFound}
}

func (l *lane) askBalance() {
	c := call{Endpoint: wire.GetBalance, UserID: l.userID}
	got, _, ok := l.send("balance", c, false, only(wire.Success))
	if !ok {
		return
	}
	if l.run.options.Company && got.balance != nil {
		l.balance = *got.balance
	}
	l.judgeBalance("balance", c, got, wire.Success)
}

// loses reports whether to lose the first answer to the next call by dropping the connection as soon as the request is written.
func (l *lane) loses() bool { return l.random.Float64() < l.run.options.LostAnswers }

// only allows just this result, whether or not an earlier attempt may have arrived.
func only(result wire.Result) func(bool) []wire.Result {
	return func(bool) []wire.Result { return []wire.Result{result} }
}

// send sends a call until there is a definite answer, checks that its result is one that allowed returns, and reports the
// event. It sends nothing once the lane has stopped. exchange explains the results.
func (l *lane) send(what string, c call, lost bool, allowed func(unsure bool) []wire.Result) (got answer, unsure, ok bool) {
	if l.stopped {
		return got, false, false
	}
	if got, unsure, ok = l.exchange(c, lost); !ok {
		return got, unsure, ok
	}
	if may := allowed(unsure); !slices.Contains(may, got.result) {
		l.mismatch(what, c, fmt.Sprintf("the result is %d, but must be one of %d", int(got.result), may))
	}
	if tell := l.run.options.OnEvent; tell != nil {
		c.RoundID = l.roundID // a balance or a rollback in a round
		event := Event{call: c, At: l.run.simulator.config.Now(), What: what, Result: int(got.result)}
		if got.balance != nil {
			event.Balance = got.balance.String()
		}
		l.run.telling.Lock()
		defer l.run.telling.Unlock()
		tell(event)
	}
	return got, unsure, ok
}

// exchange sends the same bytes until there is a definite answer, as the platform does. unsure means that the wallet may have
// received an attempt before the one it answered. If ok is false, the time for retries ran out or play was stopped: the lane
// ends, and the outcome of the call is unknown.
func (l *lane) exchange(c call, lost bool) (got answer, unsure, ok bool) {
	ctx, cancel := context.WithTimeout(l.run.ctx, l.run.options.RetryFor)
	defer cancel()
	pause := 20 * time.Millisecond
	for attempt := 0; ; attempt++ {
		attemptCtx, done := context.WithTimeout(ctx, l.run.options.AttemptTimeout)
		cut := attempt == 0 && lost
		got, err := l.run.simulator.send(attemptCtx, c, cut)
		done()
		switch {
		case cut:
			continue
		case err == nil:
			return got, attempt > 0, true
		case errors.Is(err, errUnreadable):
			l.mismatch("answer", c, err.Error())
			l.stopped = true
			return got, false, false
		}
		l.run.count(func(r *Report) { r.Retries++ })
		select {
		case <-ctx.Done():
			l.stopped = true
			return got, false, false
		case <-time.After(pause + rand.N(pause)): // the plan does not depend on this jitter
		}
		pause = min(2*pause, time.Second)
	}
}

// judgeBalance compares the answer's balance with the books. An answer with one of the required results must have a balance
// (platform notes, Wallet callbacks).
func (l *lane) judgeBalance(what string, c call, got answer, required ...wire.Result) {
	balance := got.balance
	switch {
	case balance == nil && slices.Contains(required, got.result):
		l.mismatch(what, c, "the answer has no balance")
	case balance != nil && !l.run.options.Company && *balance != l.balance:
		l.mismatch(what, c, fmt.Sprintf("the balance is %s, but must be %s", *balance, l.balance))
	}
}

func (l *lane) mismatch(what string, c call, found string) {
	l.run.count(func(r *Report) {
		r.Mismatches = append(r.Mismatches, fmt.Sprintf("player %s, round %d (%s), transaction %q: %s (%s): %s", c.UserID, l.round, l.kind,
			c.TransactionID, what, c.Endpoint, found))
	})
}
