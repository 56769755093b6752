package reports

import (
	"cmp"
	"context"
	"net/url"
	"slices"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The report by day or month has a row for each day or month and currency.

func dayColumns(p *reportPage) []column {
	first, opening := column{Column: export.Column{Name: "Day", Kind: export.Day}}, money("Opening liability")
	opening.Filed = true
	after := append([]column{opening, money("Closing liability")}, p.baseColumns("Turnover in ", "GGR in ")...)
	if p.ByMonth {
		return figureColumns(figures, []column{text("Month")}, after)
	}
	return figureColumns(figures, []column{first}, append(after, text("State")))
}

func (a *Area) dayRows(ctx context.Context, p *reportPage, next func([][]cell) error) (err error) {
	if p.days, err = a.Store.DayReports(ctx, p.of); err != nil {
		return err
	}
	var rows [][]cell
	for _, span := range p.spans() {
		for _, g := range together(span) {
			of := slices.DeleteFunc(slices.Clone(span), func(r models.DayReport) bool { return r.Currency != g.Currency })
			after := append(cells(g.Opening, g.Opening.Add(g.Funds())), p.inBase(of)...)
			if !p.ByMonth {
				after = append(after, cell{Value: dayBadge(span[0].State)})
			}
			first, last := of[len(of)-1].Day, of[0].Day
			rows = append(rows, figureCells(figures, []cell{p.spanCell(span, g.Currency)}, g.DayFigures, g.Currency,
				p.transactions(first, last, g.Currency, p.of.PlayerID), after...))
		}
	}
	return next(rows)
}

// spans returns the days or months of the report, newest first.
func (p *reportPage) spans() (list [][]models.DayReport) {
	begin := func(d models.Day) models.Day {
		if p.ByMonth {
			return d.Month()
		}
		return d
	}
	for i, r := range p.days {
		if i == 0 || begin(r.Day) != begin(p.days[i-1].Day) {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], r)
	}
	return list
}

// spanCell returns the name of a day or month with a link. A month leads to its days. A day leads to its page or, if the report
// is about one player, to that player's transactions, because a day's page is about all players.
func (p *reportPage) spanCell(span []models.DayReport, c models.Currency) cell {
	day := span[0].Day
	switch {
	case p.ByMonth:
		first, last := p.inMonth(day)
		return cell{p.monthWords(day), p.OnDays(url.Values{"from": {string(first)}, "to": {string(last)}}, "by")}
	case p.of.PlayerID != 0:
		return cell{string(day), p.transactions(day, day, c, p.of.PlayerID)}
	}
	return cell{string(day), DayPath(day)}
}

// inMonth returns the first and last day of a month that the report covers.
func (p *reportPage) inMonth(day models.Day) (first, last models.Day) {
	return max(day.Month(), p.of.From), min(monthEnd(day), p.of.To, max(p.today, day))
}

func monthEnd(day models.Day) models.Day { return day.Month().Add(31).Month().Add(-1) }

// monthWords returns a month's name, or the days of it that the report covers.
func (p *reportPage) monthWords(day models.Day) string {
	first, last := p.inMonth(day)
	switch {
	case first == day.Month() && last == monthEnd(day):
		return day.Format("January 2006")
	case first == day.Month() && last == p.today:
		return day.Format("January 2006") + ", so far"
	}
	return web.DaysWords(first, last)
}

// together adds up days by currency, starting with the currency that has the most bets.
func together(list []models.DayReport) (totals []models.DayGroup) {
	of := map[models.Currency]*models.DayGroup{}
	for _, r := range slices.Backward(list) {
		if of[r.Currency] == nil {
			of[r.Currency] = &models.DayGroup{Currency: r.Currency, Opening: r.Opening}
		}
		of[r.Currency].Add(r.DayFigures)
		of[r.Currency].HeldNow = r.HeldNow
	}
	for _, total := range of {
		totals = append(totals, *total)
	}
	slices.SortFunc(totals, func(a, b models.DayGroup) int {
		return cmp.Or(cmp.Compare(b.Bets, a.Bets), cmp.Compare(a.Currency, b.Currency))
	})
	return totals
}

// daysTogether adds charts of the currency with the most bets, all currencies together in the base currency, and the totals.
func (a *Area) daysTogether(_ context.Context, p *reportPage) error {
	totals := together(p.days)
	p.drawDays(totals[0].Currency)
	if base := string(p.Rates.Base); base != "" {
		t := table{Title: "All currencies in " + base, End: "at each day’s rate",
			Columns: []column{p.Main.Columns[0], money("Turnover"), money("GGR")},
			Note: "Each day’s figures in a currency are converted at the rate of that day and rounded to two decimals, halves away from " +
				"zero. Months and all currencies together add these up. A partial sum leaves out what has no rate."}
		for _, span := range p.spans() {
			sums := p.inBase(span)
			t.Rows = append(t.Rows, append([]cell{{Value: p.spanCell(span, "").Value}}, sums[1:3]...))
		}
		p.Tables = append(p.Tables, t)
	}
	p.Tables = append(p.Tables, p.account("All days together", totals))
	return nil
}

// drawDays draws every day in one currency, including days without activity.
func (p *reportPage) drawDays(currency models.Currency) {
	days := p.of.Days()
	if days < 2 {
		return
	}
	turnover, payout, owed := make([]float64, days), make([]float64, days), make([]float64, days)
	at := map[models.Day]models.DayReport{}
	var before models.Amount
	for _, r := range p.days { // newest first
		if r.Currency == currency {
			at[r.Day], before = r, r.Opening
		}
	}
	for i := range days {
		day := p.of.From.Add(i)
		if r, active := at[day]; active {
			turnover[i], payout[i], before = whole(r.Turnover()), whole(r.Payout()), r.Closing()
		}
		owed[i] = max(0, whole(before))
		if day > p.today {
			owed[i] = views.Gap
		}
	}
	labels := []string{p.of.From.Format("2 Jan"), p.of.From.Add(days / 2).Format("2 Jan"), p.of.To.Format("2 Jan")}
	if days == 2 {
		labels = slices.Delete(labels, 1, 2)
	}
	scale := views.NewScale(4, 1, turnover, payout)
	play := views.NewChart("Turnover as bars and payout as a line, in "+string(currency)+", by day", "mid", "", scale)
	play.Bars("b11", scale, turnover, nil)
	play.Line("ln", scale, payout)
	low := views.NewScale(4, 1, owed)
	net := views.NewChart("Liability to players at the end of each day, in "+string(currency), "mid", "", low)
	net.Area("ar", low, owed)
	net.Line("ln", low, owed)
	play.X, net.X = labels, labels
	p.Charts = []chart{{Chart: play, Title: "Turnover and payout", End: string(currency), Legend: []legend{{"s11", "turnover"}, {"s0", "payout"}}},
		{Chart: net, Title: "Liability to players", End: string(currency) + ", at the end of each day"}}
}

// whole returns a sum as a number for a chart.
func whole(s models.Amount) float64 { return s.Decimal().InexactFloat64() }
