package reports

import (
	"context"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"pitboss/app/web"
	"pitboss/models"
)

// The report that compares a period with an earlier one has a row for each currency and figure.

// besideOptions are the choices for the earlier period: the same number of days, weeks or months before, or the same weekdays.
var besideOptions = []web.Option[bool]{
	{Word: "The period before"},
	web.Offer("week", "The same weekdays before", true),
}

// readBeside reads which period the report's period is compared with. By default, the report compares yesterday with the same
// day of the week before.
func (p *reportPage) readBeside() {
	if len(p.Params) == 0 {
		p.Params.Set(web.DaysName, web.Yesterday)
		p.Params.Set("beside", "week")
	}
	p.readDays("")
	unit := p.Dates.Unit
	if web.Choose(&p.Page, "beside", "Compared with", besideOptions) {
		unit = models.Weeks
	}
	p.before = p.of
	p.before.From, p.before.To = p.of.From.Before(p.of.To, unit)
}

// Compared returns the address of the report that compares this report's days with the period before.
func (p *reportPage) Compared() string {
	query := web.Without(p.Params, append(web.PlaceNames, "by")...)
	if p.Dates.First == "" && p.Dates.Last == "" {
		query += "&days=" + web.Last30Days
	}
	return web.WithQuery(comparedPath, strings.TrimPrefix(query, "&"))
}

func comparedColumns(p *reportPage) []column {
	now, before := money(web.DaysWords(p.of.From, p.of.To)), money(web.DaysWords(p.before.From, p.before.To))
	now.Lead = true
	return []column{text("Figure"), text("Currency"), now, before, money("Difference"), percent("Change")}
}

func (a *Area) comparedRows(ctx context.Context, p *reportPage, next func([][]cell) error) error {
	p.before.Currency, p.before.Test, p.before.PlayerID = p.of.Currency, p.of.Test, p.of.PlayerID
	days, err := a.Store.DayReports(ctx, p.of)
	if err != nil {
		return err
	}
	earlier, err := a.Store.DayReports(ctx, p.before)
	if err != nil {
		return err
	}
	var rows [][]cell
	was := together(earlier)
	for _, now := range together(days) {
		var before models.DayGroup
		if i := slices.IndexFunc(was, func(g models.DayGroup) bool { return g.Currency == now.Currency }); i >= 0 {
			before = was[i]
		}
		for _, f := range figures[1:] {
			left, right := f.of(&now.DayFigures), f.of(&before.DayFigures)
			if slices.Contains(onPages, f.Name) || left != right || left != models.Amount(0) && left != int64(0) {
				row := comparedRow(f.Name, string(now.Currency), left, right)
				for i, of := range []models.ReportFilter{p.of, p.before} {
					row[2+i].Href = behind(p.transactions(of.From, of.To, now.Currency, of.PlayerID), f.Name, row[2+i].Value)
				}
				rows = append(rows, row)
			}
		}
		rows = append(rows, comparedRow("Closing liability", string(now.Currency), now.Opening.Add(now.Funds()), before.Opening.Add(before.Funds())))
	}
	if p.Rates.Base != "" && len(rows) > 0 {
		left, right := p.inBase(days), p.inBase(earlier)
		for i, name := range []string{"Turnover", "GGR"} {
			row := comparedRow(name, "all in "+string(p.Rates.Base), left[i+1].Value, right[i+1].Value)
			row[2], row[3] = left[i+1], right[i+1]
			rows = append(rows, row)
		}
	}
	return next(rows)
}

// comparedRow returns a figure in two periods and the difference, which is empty if one of them is not known.
func comparedRow(name, currency string, now, before any) []cell {
	row := cells(name, currency, now, before, nil, "")
	switch left := now.(type) {
	case models.Amount:
		if right, known := before.(models.Amount); known {
			row[4].Value, row[5].Value = left.Sub(right), change(left.Decimal(), right.Decimal())
		}
	case int64:
		right := before.(int64)
		row[4].Value, row[5].Value = left-right, change(decimal.NewFromInt(left), decimal.NewFromInt(right))
	case string: // a percentage
		row[0].Value = name + " in percent"
		if right, _ := before.(string); left != "" && right != "" {
			row[4].Value = decimal.RequireFromString(left).Sub(decimal.RequireFromString(right)).StringFixed(2)
		}
	}
	return row
}

// change returns by how many percent a figure differs from an earlier one, or "" if the earlier one was 0.
func change(now, before decimal.Decimal) string {
	if before.IsZero() {
		return ""
	}
	return now.Sub(before).Mul(decimal.NewFromInt(100)).DivRound(before.Abs(), 1).StringFixed(1)
}

func drawCompared(_ context.Context, p *reportPage) error {
	rows := p.Main.Rows
	p.Main.Rows = slices.DeleteFunc(slices.Clone(rows), func(row []cell) bool {
		return !slices.Contains([]string{"Turnover", "Payout", "GGR", "Free-spin wins"}, row[0].Value.(string))
	})
	p.drawRows("Figure", p.Main.Columns[2].Name, p.Main.Columns[3].Name)
	p.Main.Rows = rows
	return nil
}
