package reports

import (
	"context"
	"maps"
	"slices"
	"strings"

	"pitboss/app/export"
	"pitboss/app/web"
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

// inBase returns cells with the rate of some days, and with their turnover and GGR in the base currency: dashes if a rate is missing.
// It returns none without a base currency.
func (p *reportPage) inBase(list []models.DayReport) []cell {
	if p.Rates.Base == "" {
		return nil
	}
	var turnover, ggr models.Amount
	missing := false
	for _, r := range slices.Backward(list) { // oldest first
		if r.Turnover() == 0 && r.GGR() == 0 {
			continue // needs no rate
		}
		more, known := p.Rates.Convert(r.Turnover(), r.Currency, r.Day)
		also, known2 := p.Rates.Convert(r.GGR(), r.Currency, r.Day)
		if !known || !known2 {
			p.lacks(r.Currency, r.Day)
			missing = true
		}
		turnover, ggr = turnover.Add(more), ggr.Add(also)
	}
	if missing {
		none := cell{nil, ratesPath}
		return []cell{none, none, none}
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

// lacks notes that a rate is missing, which the page names below the table.
func (p *reportPage) lacks(c models.Currency, day models.Day) {
	if p.missing == nil {
		p.missing = map[models.Currency][]models.Day{}
	}
	if !slices.Contains(p.missing[c], day) {
		p.missing[c] = append(p.missing[c], day)
	}
}

// Missing returns the rates that are missing, in words: "TRY on 28 Nov 2026; USD on 27 and 28 Nov 2026".
func (p *reportPage) Missing() string {
	var list []string
	for _, c := range slices.Sorted(maps.Keys(p.missing)) {
		days := slices.Sorted(slices.Values(p.missing[c]))
		var spans []string
		for i := 0; i < len(days); {
			last := i
			for last+1 < len(days) && days[last+1] == days[last].Add(1) {
				last++
			}
			spans = append(spans, web.DaysWords(days[i], days[last]))
			i = last + 1
		}
		list = append(list, string(c)+" on "+web.InWords(spans))
	}
	return strings.Join(list, "; ")
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
	missing := false
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
			together, missing = 0, false
		}
		converted, known := p.Rates.Convert(f.Funds, f.Currency, f.Day)
		last := cell{Value: converted}
		if together = together.Add(converted); !known {
			p.lacks(f.Currency, f.Day)
			last, missing = cell{nil, ratesPath}, true
		}
		rows = append(rows, append(row, cell{Value: p.rate(f.Currency, f.Day)}, last))
		if i+1 == len(list) || list[i+1].Day != f.Day {
			if last = (cell{Value: together}); missing {
				last = cell{nil, ratesPath}
			}
			rows = append(rows, append(cells(month, string(f.Day), "all", nil, nil, nil, ""), last))
		}
	}
	return next(rows)
}
