package pages

import (
	"context"

	"pitboss/app/reconcile"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// BridgeTable leads from the platform's figures in a compared statement to our report. Its partial is in partials/bridge.html.
type BridgeTable struct {
	Statement  int64
	From, To   models.Day
	Compared   views.Moment
	Currencies []BridgeRows
}

// BridgeRows are the rows in one currency.
type BridgeRows struct {
	Currency string
	Spins    string // stakes of free spins, ours and theirs; empty if there are none
	Rows     []BridgeRow
}

// BridgeRow is a row with its amounts: totals plain, the steps between them with a sign.
type BridgeRow struct {
	Step                  models.BridgeStep
	Turnover, Wins, Moved string
}

// Bridge reads the bridge of a finished comparison.
func (s *Site) Bridge(ctx context.Context, p *web.Page, st models.Statement, run models.StatementRun) (*BridgeTable, error) {
	list, from, to, err := s.Store.Bridge(ctx, st, run)
	if err != nil {
		return nil, err
	}
	t := &BridgeTable{Statement: st.ID, From: from, To: to, Compared: p.Time(run.FinishedAt)}
	for _, b := range list {
		rows := BridgeRows{Currency: reconcile.CurrencyWord(b.Currency)}
		var ours, theirs models.Amount
		for _, sum := range run.Sums {
			if sum.Currency == b.Currency && !sum.Edge {
				ours, theirs = ours.Add(sum.Ours.SpinStakes), theirs.Add(sum.Theirs.SpinStakes)
			}
		}
		if ours != 0 || theirs != 0 {
			rows.Spins = ours.Grouped() + " / " + theirs.Grouped()
		}
		for _, r := range b.Rows() {
			row := BridgeRow{r.Step, r.Turnover.Signed(), r.Wins.Signed(), r.Moved.Signed()}
			if r.Step.Total() {
				row.Turnover, row.Wins = r.Turnover.Grouped(), r.Wins.Grouped()
			}
			rows.Rows = append(rows.Rows, row)
		}
		t.Currencies = append(t.Currencies, rows)
	}
	return t, nil
}
