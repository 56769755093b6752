package simulator

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
	if t.call.FreeSpin {
		return 0
	}
	return t.call.Win - t.call.Bet
}

// expect returns the results that the wallet may answer to the transaction now. unsure means that the wallet may have received
// an earlier attempt whose answer was lost, so that the first answer may already be a duplicate.
func (l *lane) expect(t *transaction, unsure bool) []int {
	switch t.standing {
	case applied:
		return []int{resultDuplicate, resultSuccess} // the specification allows both (Errors 5)
	case rolledBack, tombstoned:
		return []int{resultRolledBack}
	}
	allowed := []int{resultSuccess}
	if needsFunds := t.call.Bet > 0 && !t.call.FreeSpin; needsFunds && l.run.options.Company {
		allowed = append(allowed, resultInsufficientFunds)
	} else if needsFunds && l.balance < t.call.Bet {
		return []int{resultInsufficientFunds}
	}
	if unsure {
		allowed = append(allowed, resultDuplicate)
	}
	if l.run.options.Company && t.call.Endpoint != deposit {
		allowed = append(allowed, resultGeneralError) // the player may have been blocked meanwhile
	}
	return allowed
}

// record books a transaction's result. If the wallet says that it processed a fresh transaction, the books follow it even if
// that was wrong, so that one fault is not reported at every later step.
func (l *lane) record(t *transaction, result int) {
	if t.standing == fresh && (result == resultSuccess || result == resultDuplicate) {
		t.standing = applied
		l.balance += t.effect()
	}
}

// expectRollback returns the results that the wallet may answer to a rollback of the transaction now.
func (l *lane) expectRollback(t *transaction, unsure bool) []int {
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
func (l *lane) recordRollback(t *transaction) {
	switch t.standing {
	case applied:
		t.standing = rolledBack
		l.balance -= t.effect()
	case fresh:
		t.standing = tombstoned
	}
}
