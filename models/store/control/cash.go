package control

import (
	"context"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/ledger"
)

// ApplyCash is ledger.Store.TryCash, but if the client has used the ID before for other contents, it opens a case before it
// answers: the cashier may have taken a payment that the player did not get. The client's terms say whether a cash-out waits
// for approval (models.CashReview).
func (s *Store) ApplyCash(ctx context.Context, by models.Actor, op models.Operation,
	terms models.APITerms) (models.CashResult, error) {
	var more ledger.More
	if op.Kind == models.CashOut && terms.Reviews(op.Currency) {
		more = s.requestReview(by, op, terms)
	}
	r, err := s.ledger.TryCash(ctx, op, more)
	if err == nil && r.Answered() && op.Kind == models.CashOut {
		var waited bool // under the terms of the first answer
		if waited, err = s.reviewed(ctx, op.TransactionID); waited {
			r.State = models.CashWaiting
		}
	}
	if err != nil || !r.OtherContents {
		return r, err
	}
	first, found, err := s.ledger.Cash(ctx, op.TransactionID)
	if err != nil || !found {
		return models.CashResult{}, fmt.Errorf("read the first request %.80q: %w", op.TransactionID, err)
	}
	if p, _, err := s.players.PlayerByID(ctx, first.PlayerID); err != nil || p.Test {
		return r, err // as everywhere, test players open no cases
	}
	words := func(kind models.OperationKind, amount models.Amount, currency models.Currency) string {
		return fmt.Sprintf("%s of %s %s", kind, amount.Grouped(), currency)
	}
	again := words(op.Kind, op.Bet+op.Win, op.Currency)
	if op.UserID != first.UserID {
		again += ", of another player"
	}
	_, _, err = s.OpenCases(ctx, []models.Finding{{
		Rule: models.CaseOtherCash, At: s.db.Now(), PlayerID: first.PlayerID, Transaction: first.Number, Amount: op.Bet + op.Win,
		Currency: first.Currency, TransactionID: op.TransactionID, Key: string(op.TransactionID),
		Facts: []models.CaseFact{
			{Label: "The first", Value: words(first.Kind, first.Amount, first.Currency)},
			{Label: "Came again as", Value: again},
			{Label: "API client", Value: fmt.Sprintf("%d, which calls it %s", first.Client, first.ID)},
			{Label: "Answered", Value: "refused: the first stands"},
		},
	}})
	return r, err
}
