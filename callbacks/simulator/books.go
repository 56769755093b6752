package simulator

import (
	"slices"
	"sync"
)

// standing is where a transactionID stands by the books.
type standing int

const (
	fresh      standing = iota // the wallet has not processed it: it was never sent, or was refused
	applied                    // processed
	rolledBack                 // processed, then rolled back
	tombstoned                 // rolled back before it was processed; the original comes too late now
)

// transaction is one transactionID and what the books know of it.
type transaction struct {
	call       call
	standing   standing
	freeSpinID string // the grant whose spin it uses, where there is one
}

// effect is what the transaction does to the money balance when it is processed. A free spin does nothing to it (specification,
// Callback service rule 3).
func (t *transaction) effect() minor {
	if t.call.freeSpin {
		return 0
	}
	return t.call.win - t.call.bet
}

// book is what a player's balance must be. With exact, one lane alone plays the player, so that every answer can be foretold;
// otherwise several do, and only the sum of what was acknowledged is certain.
type book struct {
	userID  string
	exact   bool
	company bool // see PlayOptions.Company

	mu         sync.Mutex
	start      minor
	balance    minor
	mismatches int
	unsettled  bool
}

func (b *book) now() minor {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.balance
}

// takeOver makes an answered balance the book's own.
func (b *book) takeOver(balance minor) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.balance = balance
}

func (b *book) add(effect minor) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.balance += effect
}

// expect lists the results that a wallet may give to the transaction now. unsure says that an earlier attempt may have been
// received although its answer never came, so that a first success may show as a duplicate.
func (b *book) expect(t *transaction, unsure bool) []int {
	switch t.standing {
	case applied:
		return []int{resultDuplicate, resultSuccess} // both readings of the specification (Errors 5)
	case rolledBack, tombstoned:
		return []int{resultRolledBack}
	}
	allowed := []int{resultSuccess}
	if needsFunds := t.call.bet > 0 && !t.call.freeSpin; needsFunds {
		switch {
		case !b.exact:
			allowed = []int{resultSuccess, resultInsufficientFunds}
		case b.now() < t.call.bet:
			return []int{resultInsufficientFunds}
		}
	}
	if unsure {
		allowed = append(allowed, resultDuplicate)
	}
	if b.company && t.call.endpoint != deposit {
		allowed = append(allowed, resultGeneralError) // the player may be blocked by now
	}
	return allowed
}

// record books a result of the transaction. A wallet that says it processed a fresh one is believed, so that one fault is not
// reported again at every later step.
func (b *book) record(t *transaction, result int) {
	if t.standing == fresh && (result == resultSuccess || result == resultDuplicate) {
		t.standing = applied
		b.add(t.effect())
	}
}

// expectRollback lists the results that a wallet may give to a rollback of the transaction now.
func (b *book) expectRollback(t *transaction, unsure bool) []int {
	switch t.standing {
	case applied:
		if unsure {
			return []int{resultSuccess, resultRolledBack}
		}
		return []int{resultSuccess}
	case rolledBack:
		return []int{resultRolledBack}
	}
	return []int{resultNotFound}
}

// recordRollback books a rollback that was answered definitely.
func (b *book) recordRollback(t *transaction) {
	switch t.standing {
	case applied:
		t.standing = rolledBack
		b.add(-t.effect())
	case fresh:
		t.standing = tombstoned
	}
}

// raceAllowed tells whether a bet and its own rollback, sent at once, may have been answered so. One of them came first: either
// the bet was processed and then rolled back, or the rollback found nothing and the bet came too late.
func raceAllowed(bet, rollback int, betUnsure, rollbackUnsure bool, betResults []int) bool {
	betTaken := bet == resultSuccess || betUnsure && bet == resultDuplicate
	betLate := bet == resultRolledBack
	switch rollback {
	case resultSuccess:
		betRefused := bet == resultInsufficientFunds && slices.Contains(betResults, resultInsufficientFunds)
		return slices.Contains(betResults, resultSuccess) && (betTaken || betUnsure && (betLate || betRefused))
	case resultRolledBack:
		return rollbackUnsure && (betTaken || betLate && betUnsure)
	case resultNotFound:
		return betLate || bet == resultInsufficientFunds && slices.Contains(betResults, resultInsufficientFunds)
	}
	return false
}
