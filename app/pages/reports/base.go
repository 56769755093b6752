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

// Reports in the base currency. A day's figures in each currency are converted at that day's rate and rounded to two decimals
// (models.Rates.Convert). Longer periods, and all currencies together, add these up. If a rate is missing, the sum is partial,
// and the page and the file say which days it leaves out.

// baseColumns returns a column for the rate, one for each amount in the base currency, and one for missing rates. Without a
// base currency it returns none.
func (p *reportPage) baseColumns(names ...string) (columns []column) {
	if p.Rates.Base == "" {
		return nil
	}
	columns = []column{text("Rate in " + string(p.Rates.Base))}
	for _, name := range names {
		columns = append(columns, money(name+string(p.Rates.Base)))
	}
	missing := text("Left out, without a rate")
	missing.Filed = true
	return append(columns, missing)
}

// inBase returns the cells for baseColumns: the rate on these days, their turnover and GGR in the base currency, and the
// missing rates. Without a base currency it returns none.
func (p *reportPage) inBase(list []models.DayReport) []cell {
	if p.Rates.Base == "" {
		return nil
	}
	turnover, ggr := p.newBaseSum(), p.newBaseSum()
	for _, r := range slices.Backward(list) { // oldest first
		turnover.add(r.Turnover(), r.Currency, r.Day)
		ggr.add(r.GGR(), r.Currency, r.Day)
	}
	for c, days := range ggr.missing {
		for _, day := range days {
			turnover.missing.add(c, day)
		}
	}
	rate := "daily"
	if len(list) == 1 {
		rate = p.rate(list[0].Currency, list[0].Day)
	}
	return []cell{{Value: rate}, turnover.cell(), ggr.cell(), {Value: turnover.missing.words()}}
}

// rate returns a currency's rate on a day, or "" if there is none.
func (p *reportPage) rate(c models.Currency, day models.Day) string {
	rate, known := p.Rates.On(day, c)
	if !known {
		return ""
	}
	return rate.Rate.Rate.String()
}

// baseSum is a sum in the base currency.
type baseSum struct {
	page    *reportPage
	sum     models.Amount
	known   bool // at least one amount was converted
	missing missingRates
}

func (p *reportPage) newBaseSum() *baseSum { return &baseSum{page: p, missing: missingRates{}} }

// add adds an amount, converted at the rate of the day. 0.00 needs no rate.
func (s *baseSum) add(a models.Amount, c models.Currency, day models.Day) {
	more, known := s.page.Rates.Convert(a, c, day)
	if !known {
		s.missing.add(c, day)
		s.page.missing.add(c, day)
		return
	}
	s.sum, s.known = s.sum.Add(more), s.known || a != 0
}

// cell returns the sum, or a dash if nothing in it has a rate.
func (s *baseSum) cell() cell {
	switch {
	case len(s.missing) == 0:
		return cell{Value: s.sum}
	case s.known:
		return cell{Value: partial(s.sum), Href: ratesPath}
	}
	return cell{Href: ratesPath}
}

// missingRates are the rates that a sum needs but nobody has entered.
type missingRates map[models.Currency][]models.Day

func (m missingRates) add(c models.Currency, day models.Day) {
	if !slices.Contains(m[c], day) {
		m[c] = append(m[c], day)
	}
}

// words returns the rates in words, such as "TRY on 28 Nov 2026; USD on 27 and 28 Nov 2026".
func (m missingRates) words() string {
	var list []string
	for _, c := range slices.Sorted(maps.Keys(m)) {
		days := slices.Sorted(slices.Values(m[c]))
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

// Missing returns, in words, the rates that the page's sums lack.
func (p *reportPage) Missing() string { return p.missing.words() }

func fundsColumns(p *reportPage) []column {
	end, funds := column{Column: export.Column{Name: "At the end of", Kind: export.Day}, Filed: true}, money("Player funds")
	funds.Lead = true
	return append([]column{text("Month"), end, text("Currency"), money("Balances"), money("Held by cash-outs"), funds},
		p.baseColumns("Player funds in ")...)
}

// fundsRows reads what was owed to players at the end of each month, newest month first: by currency and, if there is a base
// currency, in all currencies together.
func (a *Area) fundsRows(ctx context.Context, p *reportPage, next func([][]cell) error) error {
	list, err := a.Store.MonthlyFunds(ctx, p.of)
	if err != nil {
		return err
	}
	var rows [][]cell
	var together *baseSum
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
			together = p.newBaseSum()
		}
		one := p.newBaseSum()
		one.add(f.Funds, f.Currency, f.Day)
		together.add(f.Funds, f.Currency, f.Day)
		rows = append(rows, append(row, cell{Value: p.rate(f.Currency, f.Day)}, one.cell(), cell{Value: one.missing.words()}))
		if i+1 == len(list) || list[i+1].Day != f.Day {
			rows = append(rows, append(cells(month, string(f.Day), "all", nil, nil, nil, ""), together.cell(),
				cell{Value: together.missing.words()}))
		}
	}
	return next(rows)
}

// drawFunds draws all currencies together or, without a base currency, the first one.
func drawFunds(_ context.Context, p *reportPage) error {
	of, in, rows := "Player funds", models.Currency(p.Main.Rows[0][2].Value.(string)), p.Main.Rows[0][2].Value
	if p.Rates.Base != "" {
		of, in, rows = "Player funds in "+string(p.Rates.Base), p.Rates.Base, "all"
	}
	p.drawMonths(of, in, func(row []cell) bool { return row[2].Value == rows })
	return nil
}
