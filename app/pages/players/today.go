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
	f := models.TransactionFilter{PlayerID: p.ID, NotPlay: true, Since: since}
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
	f.Limit = web.TransactionsSeen
	for {
		found, err := a.Store.Transactions(ctx, f)
		if err != nil {
			return err
		}
		for _, t := range found.Rows {
			if t.State != models.Reversed {
				each(t)
			}
		}
		switch n := len(found.Rows); {
		case !found.Stopped.IsZero():
			f.Page = found.Stopped
		case found.More && n > 0:
			f.Page = models.Cursor{At: found.Rows[n-1].At, ID: found.Rows[n-1].ID}
		default:
			return nil
		}
	}
}
