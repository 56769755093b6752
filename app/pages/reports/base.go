package reports

import (
	"context"
	"fmt"
	"slices"

	"pitboss/app/export"
	"pitboss/models"
)

// Reports in the base currency. Each day's figures in a currency are converted at the rate of that day, and rounded to two decimals
// (models.Rates.Convert). Longer periods, and all currencies together, are sums of these. If one rate is missing, there is no sum.

// baseColumns returns a column for the rate, and columns with amounts in the base currency; none without a base currency.
func (p *reportPage) baseColumns(names ...string) (columns []column) {
	if p.Rates.Base == "" {
		return nil
	}
	columns = []column{text("Rate in " + string(p.Rates.Base))}
	for _, name := range names {
		columns = append(columns, money(name+string(p.Rates.Base)))
	}
	return columns
}

// inBase returns cells with the rate of some days, or the first that is missing, and with their turnover and GGR in the base currency.
// It returns none without a base currency.
func (p *reportPage) inBase(list []models.DayReport) []cell {
	if p.Rates.Base == "" {
		return nil
	}
	var turnover, ggr models.Amount
	for _, r := range slices.Backward(list) { // oldest first
		more, known := p.Rates.Convert(r.Turnover(), r.Currency, r.Day)
		also, known2 := p.Rates.Convert(r.GGR(), r.Currency, r.Day)
		if !known || !known2 {
			return cells(noRate(r.Currency, r.Day), nil, nil)
		}
		turnover, ggr = turnover.Add(more), ggr.Add(also)
	}
	if len(list) > 1 {
		return cells("daily", turnover, ggr)
	}
	return cells(p.rate(list[0].Currency, list[0].Day), turnover, ggr)
}

// rate returns the rate of a currency on a day, or "" if there is none.
func (p *reportPage) rate(c models.Currency, day models.Day) string {
	rate, known := p.Rates.On(day, c)
	if !known {
		return ""
	}
	return rate.Rate.Rate.String()
}

func noRate(c models.Currency, day models.Day) string {
	return fmt.Sprintf("no %s rate for %s", c, day)
}

func fundsColumns(p *reportPage) []column {
	end, funds := column{Column: export.Column{Name: "At the end of", Kind: export.Day}, Filed: true}, money("Player funds")
	funds.Lead = true
	return append([]column{text("Month"), end, text("Currency"), money("Balances"), money("Held by cash-outs"), funds},
		p.baseColumns("Player funds in ")...)
}

// fundsRows reads what was owed to players at the end of each month, newest month first: in each currency and, if there is a base
// currency, in all of them together.
func (a *Area) fundsRows(ctx context.Context, p *reportPage, next func([][]cell) error) error {
	list, err := a.Store.MonthlyFunds(ctx, p.of)
	if err != nil {
		return err
	}
	var rows [][]cell
	var together models.Amount
	missing := ""
	for i, f := range list {
		month := f.Day.Format("January 2006")
		if f.Day >= p.today {
			month += ", so far"
		}
		row := cells(month, string(f.Day), string(f.Currency), f.Funds.Sub(f.Held), f.Held, f.Funds)
		if p.Rates.Base == "" {
			rows = append(rows, row)
			continue
		}
		if i == 0 || list[i-1].Day != f.Day {
			together, missing = 0, ""
		}
		converted, known := p.Rates.Convert(f.Funds, f.Currency, f.Day)
		last := cell{Value: converted}
		if together = together.Add(converted); !known {
			missing = noRate(f.Currency, f.Day)
			last.Value = missing
		}
		rows = append(rows, append(row, cell{Value: p.rate(f.Currency, f.Day)}, last))
		if i+1 == len(list) || list[i+1].Day != f.Day {
			if last.Value = together; missing != "" {
				last.Value = missing
			}
			rows = append(rows, append(cells(month, string(f.Day), "all", nil, nil, nil, ""), last))
		}
	}
	return next(rows)
}
