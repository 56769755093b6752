package simulator

import (
	"slices"
	"sync"
)

// standing is the state of a transaction ID according to the books.
type standing int

const (
	fresh      standing = iota // not processed: never sent, or refused
	applied                    // processed
	rolledBack                 // processed, then rolled back
	tombstoned                 // rolled back before it was processed; the original will be refused
)

// transaction is a transaction ID and its call and state.
type transaction struct {
	call       call
	standing   standing
	freeSpinID string // the grant whose spin it uses, if any
}

// effect returns how the transaction changes the balance when it is processed: by nothing for a free spin (specification,
// Callback service rule 3).
func (t *transaction) effect() minor {
	if t.call.freeSpin {
		return 0
	}
	return t.call.win - t.call.bet
}

// book is what a player's balance must be. If exact is true, only one lane plays the player, so every answer can be predicted.
// Otherwise several lanes do, and only the sum of acknowledged transactions is certain.
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

// takeOver sets the book's balance to one that the wallet answered.
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

// expect returns the results that the wallet may answer to the transaction now. unsure means that the wallet may have received
// an earlier attempt whose answer was lost, so that the first answer may already be a duplicate.
func (b *book) expect(t *transaction, unsure bool) []int {
	switch t.standing {
	case applied:
		return []int{resultDuplicate, resultSuccess} // the specification allows both (Errors 5)
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
		allowed = append(allowed, resultGeneralError) // the player may have been blocked meanwhile
	}
	return allowed
}

// record books a transaction's result. If the wallet says that it processed a fresh transaction, the books follow it even if
// that was wrong, so that one fault is not reported at every later step.
func (b *book) record(t *transaction, result int) {
	if t.standing == fresh && (result == resultSuccess || result == resultDuplicate) {
		t.standing = applied
		b.add(t.effect())
	}
}

// expectRollback returns the results that the wallet may answer to a rollback of the transaction now.
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

// recordRollback books a rollback that got a definite answer.
func (b *book) recordRollback(t *transaction) {
	switch t.standing {
	case applied:
		t.standing = rolledBack
		b.add(-t.effect())
	case fresh:
		t.standing = tombstoned
	}
}

// raceAllowed reports whether the wallet may answer like this to a bet and its rollback sent simultaneously: either the bet was
// processed and then rolled back, or the rollback came first and the bet was refused.
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
