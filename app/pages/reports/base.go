package reports

import (
	"context"
	"fmt"
	"slices"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Reports in the base currency. Each day's figures in a currency are converted at the rate of that day, and rounded to two decimals
// (models.Rates.Convert). Longer periods, and all currencies together, are sums of these. If one rate is missing, there is no sum.

// fundsPath is the address of what was owed to players at the end of each month.
const fundsPath = "/reports/funds"

// baseSum is what some days come to in the base currency.
type baseSum struct {
	turnover, ggr models.Amount
	rate          string // of the only day; empty if there are several
	missing       string // the first rate that is missing
}

// inBase converts days into the base currency.
func (p *reportPage) inBase(list []models.DayReport) (sum baseSum) {
	for _, r := range slices.Backward(list) { // oldest first
		turnover, known := p.Rates.Convert(r.Turnover(), r.Currency, r.Day)
		ggr, known2 := p.Rates.Convert(r.GGR(), r.Currency, r.Day)
		if !known || !known2 {
			if sum.missing == "" {
				sum.missing = noRate(r.Currency, r.Day)
			}
			continue
		}
		sum.turnover, sum.ggr = sum.turnover.Add(turnover), sum.ggr.Add(ggr)
		if len(list) == 1 {
			rate, _ := p.Rates.On(r.Day, r.Currency)
			sum.rate = rate.Rate.Rate.String()
		}
	}
	return sum
}

func noRate(c models.Currency, day models.Day) string {
	return fmt.Sprintf("no %s rate for %s", c, day)
}

// baseFigures are figures in the base currency as tables show them.
type baseFigures struct{ Rate, Turnover, GGR, Missing string }

func (s baseSum) figures() baseFigures {
	if s.missing != "" {
		return baseFigures{Missing: s.missing}
	}
	return baseFigures{Rate: s.rate, Turnover: s.turnover.Grouped(), GGR: s.ggr.Grouped()}
}

// byCurrency returns what some days come to in the base currency, for each currency.
func (p *reportPage) byCurrency(list []models.DayReport, c models.Currency) baseFigures {
	return p.inBase(slices.DeleteFunc(slices.Clone(list), func(r models.DayReport) bool { return r.Currency != c })).figures()
}

// baseColumns are the columns with the base currency at the end of an exported report by day; none without a base currency.
func (p *reportPage) baseColumns() (columns []export.Column) {
	if p.Rates.Base == "" {
		return nil
	}
	in := " in " + string(p.Rates.Base)
	return []export.Column{{Name: "Rate" + in}, {Name: "Turnover" + in, Kind: export.Money}, {Name: "GGR" + in, Kind: export.Money}}
}

func (p *reportPage) baseCells(r models.DayReport) []any {
	if p.Rates.Base == "" {
		return nil
	}
	sum := p.inBase([]models.DayReport{r})
	if sum.missing != "" {
		return []any{sum.missing, nil, nil}
	}
	return []any{sum.rate, sum.turnover, sum.ggr}
}

type fundsPage struct {
	*reportPage
	Rows []fundsRow
}

// fundsRow is a month in one currency, or in all together in the base currency.
type fundsRow struct {
	Month, Currency      string
	Balances, Held, Sum  string
	Rate, InBase, NoRate string
	Together             bool
}

// Funds shows what was owed to players at the end of each month.
func (a *Area) Funds(c *fiber.Ctx) error {
	report, err := a.newReport(c)
	if err != nil {
		return err
	}
	page := &fundsPage{reportPage: report}
	if page.Broken() {
		return a.Render(c, "reports/funds", page)
	}
	err = a.eachFunds(c.UserContext(), page.reportPage, func(f models.MonthFunds, row fundsRow) {
		row.Balances, row.Held, row.Sum = f.Funds.Sub(f.Held).Grouped(), f.Held.Grouped(), f.Funds.Grouped()
		page.Rows = append(page.Rows, row)
	})
	if err != nil {
		return err
	}
	if page.Control, err = a.controlRows(c.UserContext()); err != nil {
		return err
	}
	return a.Render(c, "reports/funds", page)
}

// eachFunds calls each with every month and currency, newest month first, and after a month's currencies with their sum in the base
// currency, if there is one.
func (a *Area) eachFunds(ctx context.Context, page *reportPage, each func(models.MonthFunds, fundsRow)) error {
	list, err := a.Store.MonthlyFunds(ctx, page.of)
	if err != nil {
		return err
	}
	together := fundsRow{}
	var sum models.MonthFunds
	for i, f := range list {
		row := fundsRow{Month: f.Day.Format("January 2006"), Currency: string(f.Currency)}
		if f.Day >= page.today {
			row.Month += ", so far"
		}
		if i == 0 || list[i-1].Day != f.Day {
			together = fundsRow{Month: row.Month, Currency: string(page.Rates.Base), Together: true}
			sum = models.MonthFunds{Day: f.Day, Currency: page.Rates.Base}
		}
		if page.Rates.Base != "" {
			funds, known := page.Rates.Convert(f.Funds, f.Currency, f.Day)
			held, known2 := page.Rates.Convert(f.Held, f.Currency, f.Day)
			if known && known2 {
				rate, _ := page.Rates.On(f.Day, f.Currency)
				row.Rate, row.InBase = rate.Rate.Rate.String(), funds.Grouped()
				sum.Funds, sum.Held = sum.Funds.Add(funds), sum.Held.Add(held)
			} else {
				row.NoRate = noRate(f.Currency, f.Day)
				together.NoRate = row.NoRate
			}
		}
		each(f, row)
		if last := i+1 == len(list) || list[i+1].Day != f.Day; last && page.Rates.Base != "" {
			if together.NoRate == "" {
				together.InBase = sum.Funds.Grouped()
			}
			each(sum, together)
		}
	}
	return nil
}

// ExportFunds reads the funds of players by month for a file; see web.Exportable.
func (a *Area) ExportFunds(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &reportPage{Page: p}
	err := a.readReport(ctx, page)
	return export.List{
		About: page.about(),
		Columns: []export.Column{{Name: "Month"}, {Name: "At the end of", Kind: export.Day}, {Name: "Currency"},
			{Name: "All currencies together", Kind: export.Flag}, {Name: "Balances", Kind: export.Money},
			{Name: "Held by cash-outs", Kind: export.Money}, {Name: "Player funds", Kind: export.Money},
			{Name: "Rate"}, {Name: "Missing rate"}},
		Read: func(ctx context.Context, next func(export.Page) error) error {
			var rows []export.Row
			err := a.eachFunds(ctx, page, func(f models.MonthFunds, row fundsRow) {
				amounts := []any{f.Funds.Sub(f.Held), f.Held, f.Funds}
				if row.Together && row.NoRate != "" {
					amounts = []any{nil, nil, nil}
				}
				rows = append(rows, slices.Concat(export.Row{row.Month, string(f.Day), row.Currency, row.Together}, amounts,
					export.Row{row.Rate, row.NoRate}))
			})
			if err != nil {
				return err
			}
			return next(export.Page{Rows: rows})
		},
	}, page.Chips, page.wrong(), err
}
