package players

import (
	"context"
	"time"

	"pitboss/app/web"
	"pitboss/models"
)

// otherMoney has the changes of a balance that were neither bets nor wins.
type otherMoney struct {
	Opening     models.Amount // the opening balance
	Corrections models.Amount // credits, including deposits, less debits
}

// otherMoney adds up the changes of a player's balance since a time, except for bets and wins.
func (a *Area) otherMoney(ctx context.Context, p models.Player, since time.Time) (m otherMoney, err error) {
	f := models.TransactionFilter{PlayerID: p.ID, NotPlay: true, Span: models.Span{Since: since}}
	err = a.eachTransaction(ctx, f, func(t models.TransactionLine) {
		if t.Kind == models.Opening {
			m.Opening += t.Win
		} else {
			m.Corrections += t.Win - t.Bet
		}
	})
	return m, err
}

// eachTransaction calls each with every transaction that f selects and that was not rolled back.
func (a *Area) eachTransaction(ctx context.Context, f models.TransactionFilter, each func(models.TransactionLine)) error {
	list := models.List(f, web.TransactionsSeen, a.Store.Transactions, f.Place)
	for found, err := range list.Pages(ctx, web.TransactionsSeen) {
		if err != nil {
			return err
		}
		for _, t := range found.Rows {
			if t.State != models.Reversed {
				each(t)
			}
		}
	}
	return nil
}
