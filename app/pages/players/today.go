package players

import (
	"context"
	"time"

	"pitboss/app/web"
	"pitboss/models"
)

// moneyBesidePlay is what changed a balance and is neither bet nor win.
type moneyBesidePlay struct {
	Opening     models.Amount // with which the wallet began
	Corrections models.Amount // credits, deposits among them, less debits
}

// besidePlay sums up what changed a player's balance since a time and is neither bet nor win.
func (a *Area) besidePlay(ctx context.Context, p models.Player, since time.Time) (m moneyBesidePlay, err error) {
	if !p.CreatedAt.Before(since) {
		err = a.eachTransaction(ctx, models.TransactionFilter{PlayerID: p.ID, Kind: models.Opening, Since: since},
			func(t models.TransactionLine) {
				m.Opening += t.Win
			})
	}
	if err != nil {
		return m, err
	}
	return m, a.eachTransaction(ctx, models.TransactionFilter{PlayerID: p.ID, Kind: models.Adjustment, Since: since},
		func(t models.TransactionLine) {
			m.Corrections += t.Win - t.Bet
		})
}

// eachTransaction calls each with every transaction that f selects and that counts.
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
