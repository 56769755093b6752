package reports

import (
	"cmp"
	"context"
	"net/url"
	"slices"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// figureRow has figures as a table shows them, each with a link to its transactions if it has any.
type figureRow struct {
	What, Href             string
	Currency               string
	Turnover, Payout, GGR  string
	RTP                    string
	SpinStakes, SpinWins   string
	Rollbacks, Corrections string
	BetsBack, WinsBack     string // taken back by rollbacks
	Opening, Openings      string
	Deposits, CashOuts     string // paid
	Cash                   string // deposits less cash-outs paid
	Requested, Returned    string // cash-outs
	Held                   string // at the end of a day
	InPlay, RoundsInPlay   string // at the end of a day
	Moved, Closing         string
	Players                string
	Badge                  views.Badge
	Lines                  map[string]views.Link // each figure, on a day's page with a link to its transactions
	Agrees                 bool
	Test                   bool
	Base                   baseFigures // in the base currency
}

func newFigureRow(f models.DayFigures, currency models.Currency) figureRow {
	row := figureRow{
		Currency: string(currency), Turnover: f.Turnover().Grouped(), Payout: f.Payout().Grouped(), GGR: f.GGR().Grouped(),
		RTP:        web.OrDash(web.Percent(f.RTP())),
		SpinStakes: f.SpinStakes.Grouped(), SpinWins: f.SpinPayout().Grouped(), Rollbacks: web.Grouped(f.Reversals),
		BetsBack: f.StakesReversed.Grouped(), WinsBack: f.WinsReversed.Add(f.SpinWinsReversed).Grouped(),
		Corrections: f.Corrected().Signed(),
		Openings:    f.Openings.Grouped(), Moved: f.Moved.Signed(), Players: web.Grouped(f.Players),
		Deposits: f.Deposits.Grouped(), CashOuts: f.Paid.Grouped(), Cash: f.Deposits.Sub(f.Paid).Grouped(),
		Requested: f.Requested.Grouped(), Returned: f.Returned.Grouped(),
		Agrees: f.Explained() == f.Moved,
	}
	if f.Corrections == 0 {
		row.Corrections = "0.00"
	}
	if f.Moved == 0 {
		row.Moved = "0.00"
	}
	row.Lines = map[string]views.Link{
		"": {Word: row.Moved}, "turnover": {Word: row.Turnover}, "payout": {Word: row.Payout}, "free-spins": {Word: row.SpinStakes},
		"free-spin-wins": {Word: row.SpinWins}, "rollbacks": {Word: row.Rollbacks}, "corrections": {Word: row.Corrections},
		"openings": {Word: row.Openings}, "deposits": {Word: row.Deposits}, "cash-outs": {Word: row.CashOuts},
	}
	return row
}

type daysReportPage struct {
	*reportPage
	Main    *models.DayReport // all days together, in the currency with the most bets; nil without any rows
	RTP     string            // of Main
	Several bool              // there are other currencies
	Chart   *views.Chart
	Net     *views.Chart
	Rows    []figureRow
	Totals  []figureRow
	All     []figureRow // each day or month with all currencies together, in the base currency; none without one
}

// controlRow compares the sums of all days with the balances of wallets, now.
type controlRow struct {
	Currency, Counted, Balances string
	Agrees                      bool
}

// Days returns how many days the report has, including those without activity.
func (p *daysReportPage) Days() int { return p.of.Days() }

func (a *Area) Reports(c *fiber.Ctx) error {
	report, err := a.newReport(c)
	if err != nil {
		return err
	}
	page := &daysReportPage{reportPage: report}
	if page.Broken() {
		return a.Render(c, "reports/days", page)
	}
	ctx := c.UserContext()
	list, err := a.Store.DayReports(ctx, page.of)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return a.Render(c, "reports/days", page)
	}
	if page.ByMonth {
		page.Rows = page.months(list)
	} else {
		page.Rows = page.days(list)
	}
	page.together(list)
	totals := together(list)
	page.Totals = totalRows(totals)
	page.Main, page.Several = totals[0], len(totals) > 1
	page.RTP = web.OrDash(web.Percent(page.Main.RTP()))
	page.charts(list, page.Main.Currency)
	if page.Control, err = a.controlRows(ctx); err != nil {
		return err
	}
	return a.Render(c, "reports/days", page)
}

// days returns a row for each day and currency.
func (p *daysReportPage) days(list []models.DayReport) (rows []figureRow) {
	for _, r := range list {
		row := newFigureRow(r.DayFigures, r.Currency)
		row.What, row.Href, row.Badge = r.Day.Format("Mon, 2 Jan 2006"), DayPath(r.Day), dayBadge(r.State)
		if p.of.PlayerID != 0 { // the day's page covers all players: link to this one's transactions
			row.Href = transactionsOf(r.Day.Begin(p.zoned), r.Day.End(p.zoned), r.Currency) + "&" + pages.PlayerOf(p.of.PlayerID)
		}
		row.Closing, row.Base = r.Closing().Grouped(), p.byCurrency([]models.DayReport{r}, r.Currency)
		rows = append(rows, row)
	}
	return rows
}

// together adds the rows of all currencies together, in the base currency.
func (p *daysReportPage) together(list []models.DayReport) {
	for len(list) > 0 && p.Rates.Base != "" {
		first, words := list[0].Day, list[0].Day.Format("Mon, 2 Jan 2006")
		if p.ByMonth {
			first, words = first.Month(), first.Format("January 2006")
		}
		n := len(list)
		if i := slices.IndexFunc(list, func(r models.DayReport) bool { return r.Day < first }); i >= 0 {
			n = i
		}
		p.All = append(p.All, figureRow{What: words, Base: p.inBase(list[:n]).figures()})
		list = list[n:]
	}
}

// months returns a row for each month and currency, which leads to the days of the month that the report has.
func (p *daysReportPage) months(list []models.DayReport) (rows []figureRow) {
	for len(list) > 0 {
		month := list[0].Day.Month()
		n := len(list)
		if i := slices.IndexFunc(list, func(r models.DayReport) bool { return r.Day < month }); i >= 0 {
			n = i
		}
		href := p.OnDays(url.Values{"from": {string(max(month, p.of.From))}, "to": {string(list[0].Day)}}, "by")
		for _, row := range totalRows(together(list[:n])) {
			row.What, row.Href = month.Format("January 2006"), href
			row.Base = p.byCurrency(list[:n], models.Currency(row.Currency))
			rows = append(rows, row)
		}
		list = list[n:]
	}
	return rows
}

// together adds up days by currency, the one with most bets first.
func together(list []models.DayReport) (totals []*models.DayReport) {
	of := map[models.Currency]*models.DayReport{}
	var bets []models.CurrencyPlay
	for _, r := range slices.Backward(list) {
		if of[r.Currency] == nil {
			of[r.Currency] = &models.DayReport{Currency: r.Currency, Opening: r.Opening}
		}
		of[r.Currency].Add(r.DayFigures)
		of[r.Currency].HeldNow = r.HeldNow
	}
	for currency, total := range of {
		bets = append(bets, models.CurrencyPlay{Currency: currency, MoneySums: total.MoneySums})
	}
	SortByBets(bets, nil)
	for _, b := range bets {
		totals = append(totals, of[b.Currency])
	}
	return totals
}

// totalRows returns rows of totals, each with what was owed before and after.
func totalRows(totals []*models.DayReport) (rows []figureRow) {
	for _, total := range totals {
		row := newFigureRow(total.DayFigures, total.Currency)
		row.Opening, row.Closing, row.Held = total.Opening.Grouped(), total.Closing().Grouped(), total.HeldNow.Grouped()
		rows = append(rows, row)
	}
	return rows
}

// charts draws the days of one currency, including those without activity.
func (p *daysReportPage) charts(list []models.DayReport, currency models.Currency) {
	days := p.of.Days()
	if days < 2 {
		return
	}
	turnover, payout, owed := make([]float64, days), make([]float64, days), make([]float64, days)
	at := map[models.Day]models.DayReport{}
	var before models.Amount
	for _, r := range list { // the oldest comes last
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
	chart := views.NewChart("Turnover as bars and payout as a line, in "+string(currency)+", by day", "mid", "", scale)
	chart.Bars("b11", scale, turnover, nil)
	chart.Line("ln", scale, payout)
	chart.X = labels
	low := views.NewScale(4, 1, owed)
	net := views.NewChart("Liability to players at the end of each day, in "+string(currency), "mid", "", low)
	net.Area("ar", low, owed)
	net.Line("ln", low, owed)
	net.X = labels
	p.Chart, p.Net = &chart, &net
}

// whole returns a sum as a chart needs it.
func whole(s models.Amount) float64 { return s.Decimal().InexactFloat64() }

func (a *Area) controlRows(ctx context.Context) (rows []controlRow, err error) {
	list, err := a.Store.Control(ctx)
	for _, t := range list {
		rows = append(rows, controlRow{string(t.Currency), t.Counted.Grouped(), t.Balances.Grouped(), t.Agrees()})
	}
	return rows, err
}

// SortByBets sorts currencies by their number of bets, the highest first. Between equals, before (yesterday) decides, then the
// name.
func SortByBets(list []models.CurrencyPlay, before map[models.Currency]models.CurrencyPlay) {
	slices.SortFunc(list, func(a, b models.CurrencyPlay) int {
		return cmp.Or(cmp.Compare(b.Bets, a.Bets), cmp.Compare(before[b.Currency].Bets, before[a.Currency].Bets),
			cmp.Compare(a.Currency, b.Currency))
	})
}
