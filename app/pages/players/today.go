package players

import (
	"context"
	"strings"
	"time"

	"pitboss/app/web"
	"pitboss/models"
)

// otherMoney has the changes of a balance that were neither bets nor wins.
type otherMoney struct {
	Opening     models.Amount // the opening balance
	Corrections models.Amount // credits less debits
	Cash        models.Amount // deposits less cash-outs, which leave the balance when they are requested
}

// Sum returns by how much the balance changed.
func (m otherMoney) Sum() models.Amount { return m.Opening + m.Corrections + m.Cash }

// String returns what changed the balance, in words; empty if nothing did.
func (m otherMoney) String() string {
	var parts []string
	for _, part := range []struct {
		word   string
		amount models.Amount
	}{{"opening balance", m.Opening}, {"corrections", m.Corrections}, {"cash", m.Cash}} {
		if part.amount != 0 {
			parts = append(parts, part.word+" "+part.amount.Signed())
		}
	}
	return strings.Join(parts, ", ")
}

// otherMoney adds up the changes of a player's balance since a time, except for bets and wins.
func (a *Area) otherMoney(ctx context.Context, p models.Player, since time.Time) (m otherMoney, err error) {
	f := models.TransactionFilter{PlayerID: p.ID, NotPlay: true, Span: models.Span{Since: since}}
	err = a.eachTransaction(ctx, f, func(t models.TransactionLine) {
		switch {
		case t.Kind == models.Opening:
			m.Opening += t.Win
		case t.Kind == models.Adjustment:
			m.Corrections += t.Win - t.Bet
		case t.State != models.Reversed:
			m.Cash += t.Win - t.Bet
		}
	})
	if err != nil {
		return m, err
	}
	f.Kind, f.ByRollback = models.CashOut, true
	err = a.eachTransaction(ctx, f, func(t models.TransactionLine) {
		if t.At.Before(since) { // it left the balance on an earlier day
			m.Cash += t.Bet
		}
	})
	return m, err
}

// eachTransaction calls each with every transaction that f selects.
func (a *Area) eachTransaction(ctx context.Context, f models.TransactionFilter, each func(models.TransactionLine)) error {
	list := models.List(f, web.TransactionsSeen, a.Store.Transactions, f.Place)
	for found, err := range list.Pages(ctx, web.TransactionsSeen) {
		if err != nil {
			return err
		}
		for _, t := range found.Rows {
			each(t)
		}
	}
	return nil
}
