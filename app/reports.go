package app

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/models"
	"pitboss/views"
)

// Reports, made from the sums of days (models/report.go has their rules): by day, by player, by game, and what is owed at an
// instant. One day's page is in day.go. Times and days here are those of the operator's zone, not of the reader's.

const (
	reportDays = 30  // shown unless the reader says which
	mostDays   = 366 // at once
	reportRows = 50  // players on a page
	overdrawn  = 50  // players below zero, listed

	playersAtOnce = 20_000 // in an export: each time all players of the days are put in their order
)

// reportPage is what every report has.
type reportPage struct {
	Page
	Tabs       []views.Tab
	From, To   views.Field
	Player     views.Field
	Currencies []views.Choice
	Tests      []views.Choice
	Control    []controlRow
	Interval   string
	Complete   *views.Note // what is missing
	Generated  views.Moment
	UpTo       views.Moment
	Zone       string
	Formulas   []models.Formula
	Empty      views.Empty

	of    models.ReportFilter
	zoned *time.Location
	today models.Day
	upTo  time.Time
}

var testWords = []string{"", "Left out", "with", "Included", "only", "Alone"}

var testFilters = map[string]models.TestPlayers{"with": models.WithTest, "only": models.OnlyTest}

// newReport begins a report: its days, its filters, and how far the sums are.
func (a *App) newReport(c *fiber.Ctx, title string) (*reportPage, *views.Empty, error) {
	page := &reportPage{Page: a.page(c, title)}
	wrong, err := a.readReport(c, page)
	return page, wrong, err
}

func (a *App) readReport(c *fiber.Ctx, page *reportPage) (wrong *views.Empty, err error) {
	ctx := c.UserContext()
	page.Heading, page.Saveable, page.Formulas = "Reports", true, models.Formulas
	for _, tab := range []struct{ word, path string }{
		{"Days", "/reports"}, {"Players", "/reports/players"}, {"Games", "/reports/games"}, {"Liability", "/reports/liability"},
	} {
		page.Tabs = append(page.Tabs, views.Tab{Word: tab.word, Href: tab.path, Current: page.Path == tab.path})
	}
	if page.Zone, err = a.Store.ReportZone(ctx); err != nil {
		return nil, err
	}
	if page.zoned, err = time.LoadLocation(page.Zone); err != nil {
		return nil, err
	}
	if page.today, err = a.Store.ReportToday(ctx); err != nil {
		return nil, err
	}
	if page.upTo, err = a.Store.DaysUpTo(ctx); err != nil {
		return nil, err
	}
	page.Generated, page.UpTo = views.NewMoment(page.now, page.now, page.zoned),
		views.NewMoment(page.upTo, page.now, page.zoned)
	if page.upTo.IsZero() {
		page.Complete = &views.Note{Kind: "wait", Icon: "warning", Title: "Days are being summed up",
			Text: "What stands here is not whole yet: the sums are made for the first time, or anew after a change. Look " +
				"again in a while; if it stays so, verify the ledger."}
	}
	page.From, page.To, page.Player = page.filterField("from", "First day"), page.filterField("to", "Last day"),
		page.filterField("player", "Player")
	page.From.Type, page.To.Type = "date", "date"
	page.Player.Picker = "player"
	page.Tests = choices(page.params.Get("test"), testWords...)
	day := func(name, label string, otherwise models.Day) models.Day {
		text := page.filter(name, label, nil)
		if text == "" {
			return otherwise
		}
		d, err := models.ParseDay(text)
		if err != nil && wrong == nil {
			e := unread(err, &page.Page)
			wrong = &e
		}
		return cmp.Or(d, otherwise)
	}
	f := &page.of
	f.To = day("to", "Last day", page.today)
	f.From = day("from", "First day", f.To.Add(1-reportDays))
	page.From.Value, page.To.Value = string(f.From), string(f.To)
	switch days := f.Days(); {
	case wrong != nil:
	case days < 1:
		wrong = &views.Empty{Title: "The first day is after the last", Text: "Choose days in their order.",
			Links: []views.Link{{Word: "Show the last " + strconv.Itoa(reportDays) + " days", Href: page.Path, Main: true}}}
	case days > mostDays:
		wrong = &views.Empty{Title: "Too many days at once",
			Text:  "A report holds at most " + strconv.Itoa(mostDays) + " days.",
			Links: []views.Link{{Word: "Show the last " + strconv.Itoa(reportDays) + " days", Href: page.Path, Main: true}}}
	}
	if page.filter("currency", "Currency", nil) != "" {
		if f.Currency, err = models.ParseCurrency(page.params.Get("currency")); err != nil && wrong == nil {
			e := unread(err, &page.Page)
			wrong = &e
		}
	}
	f.Test = testFilters[page.filter("test", "Test players", wordOf(testWords))]
	player, nobody, err := a.playerFilter(c, &page.Page)
	if err != nil {
		return nil, err
	}
	if f.PlayerID = player.ID; nobody != nil {
		wrong = nobody
	}
	currencies, err := a.Store.ReportCurrencies(ctx)
	if err != nil {
		return nil, err
	}
	words := []string{"", "All"}
	for _, currency := range currencies {
		words = append(words, string(currency), string(currency))
	}
	page.Currencies = choices(string(f.Currency), words...)
	page.Interval = page.interval(f.From.Begin(page.zoned), f.To.End(page.zoned))
	return wrong, nil
}

// interval writes from when to when a report is.
func (p *reportPage) interval(from, until time.Time) string {
	const at = "2 January 2006 15:04 -07:00"
	return from.In(p.zoned).Format(at) + " to " + until.In(p.zoned).Format(at)
}

// dayPath is the address of a day's page.
func dayPath(d models.Day) string { return "/reports/days/" + string(d) }

func dayBadge(s models.DayState) views.Badge {
	switch s {
	case models.DayRunning:
		return views.Active("Running")
	case models.DayClosed:
		return views.Waiting("Closed")
	case models.DaySigned:
		return views.Quiet("Signed")
	}
	return views.Plain("Open")
}

// figureRow are figures as a table shows them, each with the way to its lines where there is one.
type figureRow struct {
	What, Href             string
	Currency               string
	Turnover, Payout, GGR  string
	RTP                    string
	SpinStakes, SpinWins   string
	Rollbacks, Corrections string
	BetsBack, WinsBack     string // taken back by rollbacks
	Opening, Openings      string
	InPlay, RoundsInPlay   string // at the end of a day
	Moved, Closing         string
	Players                string
	Badge                  views.Badge
	Lines                  map[string]views.Link // each figure, and on a day what leads to its lines
	Agrees                 bool
	Test                   bool
}

func newFigureRow(f models.DayFigures, currency models.Currency) figureRow {
	row := figureRow{
		Currency: string(currency), Turnover: f.Turnover().Grouped(), Payout: f.Payout().Grouped(), GGR: f.GGR().Grouped(),
		RTP:        orDash(percent(f.RTP())),
		SpinStakes: f.SpinStakes.Grouped(), SpinWins: f.SpinPayout().Grouped(), Rollbacks: grouped(f.Reversals),
		BetsBack: f.StakesReversed.Grouped(), WinsBack: f.WinsReversed.Plus(f.SpinWinsReversed).Grouped(),
		Corrections: f.Corrected().Signed(),
		Openings:    f.Openings.Grouped(), Moved: f.Moved.Signed(), Players: grouped(f.Players),
		Agrees: f.Explained() == f.Moved,
	}
	if f.Corrections == 0 {
		row.Corrections = "0.00"
	}
	if f.Moved.IsZero() {
		row.Moved = "0.00"
	}
	row.Lines = map[string]views.Link{}
	for figure, word := range map[models.Figure]string{
		models.FigureAll: row.Moved, models.FigureTurnover: row.Turnover, models.FigurePayout: row.Payout,
		models.FigureSpins:    row.SpinStakes,
		models.FigureSpinWins: row.SpinWins, models.FigureRollbacks: row.Rollbacks, models.FigureCorrections: row.Corrections,
		models.FigureOpenings: row.Openings,
	} {
		row.Lines[string(figure)] = views.Link{Word: word}
	}
	return row
}

type daysReportPage struct {
	*reportPage
	Caption  string
	Measures []views.Measure
	Chart    *views.Chart
	Net      *views.Chart
	Rows     []figureRow
	Totals   []figureRow
}

// controlRow holds the sums of all days against what wallets hold.
type controlRow struct {
	Currency, Counted, Balances string
	Agrees                      bool
}

func (a *App) reports(c *fiber.Ctx) error {
	report, wrong, err := a.newReport(c, "Reports")
	if err != nil {
		return err
	}
	page := &daysReportPage{reportPage: report}
	page.Lede = "What was played and what is owed, by day of " + page.Zone + ". A rollback counts on the day on which it came."
	if wrong != nil {
		page.Empty = *wrong
		return a.render(c, "reports/days", page)
	}
	ctx := c.UserContext()
	list, err := a.Store.DayReports(ctx, page.of)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		page.Empty = views.Empty{Title: "No activity",
			Text: "Nothing was booked from " + page.Interval + " that passes these filters."}
		return a.render(c, "reports/days", page)
	}
	for _, r := range list {
		row := newFigureRow(r.DayFigures, r.Currency)
		row.What, row.Href, row.Badge = r.Day.Format("Mon 2 Jan 2006"), dayPath(r.Day), dayBadge(r.State)
		if page.of.PlayerID != 0 { // the day's page is of all players: straight to this one's lines
			row.Href = linesPath(r.Day, models.FigureAll, r.Currency, false) + "&player=" +
				escapeQuery(page.params.Get("player"))
		}
		row.Closing = r.Closing().Grouped()
		page.Rows = append(page.Rows, row)
	}
	totals := together(list)
	page.Totals = totalRows(totals)
	main := totals[0]
	page.Caption = "In " + string(main.Currency)
	if len(totals) > 1 {
		page.Caption += ", in which most bets were placed"
	}
	days := int64(page.of.Days())
	page.Measures = []views.Measure{
		{Label: "Turnover", Value: main.Turnover().Grouped(), Unit: string(main.Currency),
			From: several(main.Bets, "bet", "bets")},
		{Label: "Payout", Value: main.Payout().Grouped(), Unit: string(main.Currency),
			From: "RTP " + orDash(percent(main.RTP()))},
		{Label: "GGR", Value: main.GGR().Grouped(), Unit: string(main.Currency), From: "turnover minus payout"},
		{Label: "Free spins won", Value: main.SpinPayout().Grouped(), Unit: string(main.Currency),
			From: several(main.Spins, "spin", "spins")},
		{Label: "Owed at the end", Value: main.Closing().Grouped(), Unit: string(main.Currency),
			From: several(days, "day", "days")},
	}
	page.charts(list, main.Currency)
	if page.Control, err = a.controlRows(ctx); err != nil {
		return err
	}
	return a.render(c, "reports/days", page)
}

// together sums days up by currency, that in which most bets were placed first.
func together(list []models.DayReport) (totals []*models.DayReport) {
	of := map[models.Currency]*models.DayReport{}
	var bets []models.CurrencyPlay
	for _, r := range slices.Backward(list) {
		if of[r.Currency] == nil {
			of[r.Currency] = &models.DayReport{Currency: r.Currency, Opening: r.Opening}
		}
		of[r.Currency].Add(r.DayFigures)
	}
	for currency, total := range of {
		bets = append(bets, models.CurrencyPlay{Currency: currency, MoneySums: total.MoneySums})
	}
	sortByBets(bets, nil)
	for _, b := range bets {
		totals = append(totals, of[b.Currency])
	}
	return totals
}

// totalRows show totals from what was owed to what is owed.
func totalRows(totals []*models.DayReport) (rows []figureRow) {
	for _, total := range totals {
		row := newFigureRow(total.DayFigures, total.Currency)
		row.Opening, row.Closing = total.Opening.Grouped(), total.Closing().Grouped()
		rows = append(rows, row)
	}
	return rows
}

// charts draws the days of one currency, those without activity too.
func (p *daysReportPage) charts(list []models.DayReport, currency models.Currency) {
	days := p.of.Days()
	if days < 2 {
		return
	}
	turnover, payout, owed := make([]float64, days), make([]float64, days), make([]float64, days)
	at := map[models.Day]models.DayReport{}
	var before models.Sum
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
	net := views.NewChart("What is owed to players at the end of each day, in "+string(currency), "mid", "", low)
	net.Area("ar", low, owed)
	net.Line("ln", low, owed)
	net.X = labels
	p.Chart, p.Net = &chart, &net
}

// whole is a sum for a drawing.
func whole(s models.Sum) float64 { return s.Decimal().InexactFloat64() }

func (a *App) controlRows(ctx context.Context) (rows []controlRow, err error) {
	list, err := a.Store.Control(ctx)
	for _, t := range list {
		rows = append(rows, controlRow{string(t.Currency), t.Counted.Grouped(), t.Balances.Grouped(), t.Agrees()})
	}
	return rows, err
}

type playersReportPage struct {
	*reportPage
	Rows   []playerFigures
	Totals []figureRow // of all players, those of other pages too
	Next   string
	Note   string
}

type playerFigures struct {
	figureRow
	PlayerHref string
}

// playerPlace reads where in a list of players by turnover a page begins.
func playerPlace(text string) (p models.PlayerPlace, err error) {
	turnover, player, _ := strings.Cut(text, ".")
	if p.Turnover, err = models.ParseSum(turnover); err == nil {
		p.PlayerID, err = strconv.ParseInt(player, 10, 64)
	}
	return p, err
}

func playerPlaceText(r models.PlayerReport) string {
	return r.Turnover().Minor() + "." + strconv.FormatInt(r.PlayerID, 10)
}

func (a *App) playersReport(c *fiber.Ctx) error {
	report, wrong, err := a.newReport(c, "Report by player")
	if err != nil {
		return err
	}
	page := &playersReportPage{reportPage: report}
	page.Lede = "What each player played and won, the largest turnover first."
	if wrong != nil {
		page.Empty = *wrong
		return a.render(c, "reports/players", page)
	}
	f := page.of
	f.Limit = reportRows
	if text := page.params.Get("after"); text != "" {
		if f.After, err = playerPlace(text); err != nil {
			return badAddress("It names a place in the list that does not exist.")
		}
	}
	list, more, err := a.Store.PlayersReport(c.UserContext(), f)
	if err != nil {
		return err
	}
	for _, p := range list {
		row := playerFigures{figureRow: newFigureRow(p.DayFigures, p.Currency), PlayerHref: playerPath(p.PlayerID)}
		row.What, row.Test = string(p.UserID), p.Test
		row.Href = "/reports?player=" + escapeQuery(string(p.UserID)) + "&from=" + string(f.From) + "&to=" + string(f.To)
		page.Rows = append(page.Rows, row)
	}
	page.Note = several(int64(len(list)), "player", "players") + " shown"
	if more {
		page.Next = page.with("after", playerPlaceText(list[len(list)-1]))
	}
	days, err := a.Store.DayReports(c.UserContext(), page.of)
	if err != nil {
		return err
	}
	page.Totals = totalRows(together(days))
	if page.Control, err = a.controlRows(c.UserContext()); err != nil {
		return err
	}
	page.Empty = views.Empty{Title: "No activity",
		Text: "No player played from " + page.Interval + " that passes these filters."}
	return a.render(c, "reports/players", page)
}

const gamesInferred = "Inferred, not told: callbacks name no game. Here is only what was played within four hours of " +
	"opening a session from this back office."

type gamesReportPage struct {
	*reportPage
	Rows      []gameFigures
	Providers []gameFigures
	Known     []knownRow
	More      bool
}

type gameFigures struct {
	figureRow
	Provider, Sessions string
	SessionsHref       string
}

// knownRow tells how much of a currency's turnover a session makes the game known of.
type knownRow struct{ Currency, All, Known, Other string }

func newGameFigures(g models.GameReport) gameFigures {
	return gameFigures{figureRow: newFigureRow(models.DayFigures{MoneySums: g.MoneySums}, g.Currency), Provider: g.Provider,
		Sessions: grouped(g.Sessions)}
}

func (a *App) gamesReport(c *fiber.Ctx) error {
	report, wrong, err := a.newReport(c, "Report by game")
	if err != nil {
		return err
	}
	page := &gamesReportPage{reportPage: report}
	page.Lede = gamesInferred
	if wrong != nil {
		page.Empty = *wrong
		return a.render(c, "reports/games", page)
	}
	f := page.of
	list, more, err := a.Store.GamesReport(c.UserContext(), f, f.From.Begin(page.zoned), f.To.End(page.zoned))
	if err != nil {
		return err
	}
	days, err := a.Store.DayReports(c.UserContext(), f)
	if err != nil {
		return err
	}
	for _, total := range together(days) {
		page.Known = append(page.Known, newKnownRow(total, list))
	}
	var providers []models.GameReport
	for _, g := range list {
		row := newGameFigures(g)
		row.What, row.Href = g.Name, pathOf("/games", g.GameID)
		if a.opens(c, "/sessions") {
			row.SessionsHref = page.sessionsOf(g)
		}
		page.Rows = append(page.Rows, row)
		i := slices.IndexFunc(providers,
			func(p models.GameReport) bool { return p.Provider == g.Provider && p.Currency == g.Currency })
		if i < 0 {
			i, providers = len(providers), append(providers, models.GameReport{Provider: g.Provider, Currency: g.Currency})
		}
		sum := models.DayFigures{MoneySums: providers[i].MoneySums}
		sum.Add(models.DayFigures{MoneySums: g.MoneySums})
		providers[i].MoneySums, providers[i].Sessions = sum.MoneySums, providers[i].Sessions+g.Sessions
	}
	slices.SortStableFunc(providers, func(a, b models.GameReport) int { return b.Turnover().Cmp(a.Turnover()) })
	for _, p := range providers {
		row := newGameFigures(p)
		row.What = orWord(p.Provider, "Unnamed")
		page.Providers = append(page.Providers, row)
	}
	page.More = more
	page.Empty = views.Empty{Title: "No activity",
		Text: "Nobody was given a session from " + page.Interval +
			". Sessions of test players are left out unless they are asked for.",
		Links: []views.Link{{Word: "With test players", Href: page.with("test", "with"), Main: true}}}
	return a.render(c, "reports/games", page)
}

// newKnownRow holds what is known of games against all that was played in a currency.
func newKnownRow(total *models.DayReport, list []models.GameReport) knownRow {
	var known models.Sum
	for _, g := range list {
		if g.Currency == total.Currency {
			known = known.Plus(g.Turnover())
		}
	}
	return knownRow{string(total.Currency), total.Turnover().Grouped(), known.Grouped(),
		total.Turnover().Minus(known).Grouped()}
}

// sessionsOf is the address of the sessions that a game's figures are made of, those that may have begun the evening before
// among them: each leads to what was played in it.
func (p *gamesReportPage) sessionsOf(g models.GameReport) string {
	at := func(t time.Time) string { return escapeQuery(t.UTC().Format(time.RFC3339)) }
	path := "/sessions?game=" + escapeQuery(string(g.Offered)) + "&state=opened&since=" +
		at(p.of.From.Begin(p.zoned).Add(-models.GameSessionLasts)) + "&until=" + at(p.of.To.End(p.zoned))
	if p.of.PlayerID != 0 {
		path += "&player=" + escapeQuery(p.params.Get("player"))
	}
	return path
}

type liabilityPage struct {
	*reportPage
	At       views.Field
	Asked    string // the instant, in words; empty for now
	Day      string // the page of its day
	Rows     []liabilityRow
	Negative []negativeRow
	InPlay   []stakesRow

	Interrupted     []stakesRow // now
	MoreInterrupted bool
}

type liabilityRow struct{ Currency, Sum, Negative, Owing, Wallets string }

type negativeRow struct {
	UserID, Href string
	Balance      views.Money
	Cases        string
}

func (a *App) liability(c *fiber.Ctx) error {
	report, wrong, err := a.newReport(c, "Liability")
	if err != nil {
		return err
	}
	ctx := c.UserContext()
	page := &liabilityPage{reportPage: report}
	page.Lede = "What players could take out: the sum of their balances, now or at an instant; balances below zero; stakes " +
		"in play."
	at, noTime := page.instant()
	if wrong = cmp.Or(wrong, noTime); wrong != nil {
		page.Empty = *wrong
		return a.render(c, "reports/liability", page)
	}
	owed, err := a.owed(ctx, page, at)
	if err != nil {
		return err
	}
	for _, l := range owed {
		page.Rows = append(page.Rows,
			liabilityRow{string(l.Currency), l.Sum.Grouped(), l.Negative.Grouped(), grouped(l.Owing), grouped(l.Wallets)})
	}
	if page.Control, err = a.controlRows(ctx); err != nil {
		return err
	}
	if page.Day = dayPath(page.today); !at.IsZero() {
		page.Day = dayPath(models.DayOf(at, page.zoned))
	}
	if at.IsZero() {
		list, err := a.Store.NegativeBalances(ctx, page.of.Test, overdrawn)
		if err != nil {
			return err
		}
		for _, p := range list {
			page.Negative = append(page.Negative,
				negativeRow{string(p.UserID), playerPath(p.ID), page.Signed(p.Wallet.Balance, p.Wallet.Currency),
					"/cases?state=all&player=" + escapeQuery(string(p.UserID))})
		}
	}
	stakes, err := a.stakesAt(ctx, page, at)
	if err != nil {
		return err
	}
	if page.InPlay = stakesRows(stakes); at.IsZero() {
		interrupted, more, err := a.interrupted(ctx, page.of)
		if err != nil {
			return err
		}
		page.Interrupted, page.MoreInterrupted = stakesRows(interrupted), more
	}
	page.Empty = views.Empty{Title: "Nobody has a wallet yet", Text: "Players come by file, by hand or over the platform."}
	return a.render(c, "reports/liability", page)
}

// instant reads the time that liability is asked for: none for now.
func (p *liabilityPage) instant() (at time.Time, wrong *views.Empty) {
	p.At, p.Interval = p.filterField("at", "At"), ""
	text := p.filter("at", "At", nil)
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", time.DateTime,
		time.DateOnly, time.RFC3339} {
		var err error
		if at, err = time.ParseInLocation(layout, text, p.zoned); err == nil && at.Year() >= 2000 && !at.After(p.now) {
			p.Asked = at.In(p.zoned).Format("2 January 2006 15:04:05 -07:00")
			return at, nil
		}
	}
	return time.Time{}, &views.Empty{Title: "No such instant",
		Text:  "Give a time that has passed, like 2026-03-14 15:09, in " + p.Zone + ".",
		Links: []views.Link{{Word: "Now", Href: p.Path, Main: true}}}
}

// owed is what is owed to players now, or at an instant, in the currencies that are asked for.
func (a *App) owed(ctx context.Context, p *liabilityPage, at time.Time) (list []models.Liability, err error) {
	if at.IsZero() {
		list, err = a.Store.LiabilityNow(ctx, p.of.Test)
	} else {
		list, err = a.Store.LiabilityAt(ctx, at, p.of.Test)
	}
	return slices.DeleteFunc(list,
		func(l models.Liability) bool { return p.of.Currency != "" && p.of.Currency != l.Currency }), err
}

// about is what every exported report says of itself: what its page says, whatever stands at its default included.
func (p *reportPage) about() (list []export.Remark) {
	if p.Interval != "" {
		list = append(list, export.Remark{Name: "Interval", Text: p.Interval})
	}
	upTo := "never"
	if !p.upTo.IsZero() {
		upTo = p.upTo.In(p.zoned).Format(time.RFC3339)
	}
	list = append(list, export.Remark{Name: "Days", Text: "of " + p.Zone + ", summed up until " + upTo})
	if p.params.Get("player") == "" {
		list = append(list, export.Remark{Name: "Test players", Text: wordOf(testWords)(p.params.Get("test"))})
	}
	for _, f := range p.Formulas {
		list = append(list, export.Remark{Name: f.Figure, Text: f.Words})
	}
	return list
}

// reportColumns are the columns of an exported report after what it is by.
func reportColumns(by ...export.Column) []export.Column {
	return append(by, []export.Column{
		{Name: "Currency"}, {Name: "Bets", Kind: export.Number}, {Name: "Turnover", Kind: export.Money},
		{Name: "Payout", Kind: export.Money}, {Name: "GGR", Kind: export.Money}, {Name: "RTP, %"},
		{Name: "Free spins used", Kind: export.Number}, {Name: "Free-spin stakes", Kind: export.Money},
		{Name: "Free-spin wins", Kind: export.Money}, {Name: "Rolled back, lines", Kind: export.Number},
		{Name: "Bets given back", Kind: export.Money}, {Name: "Wins taken back", Kind: export.Money},
		{Name: "Corrections, credits", Kind: export.Money}, {Name: "Corrections, debits", Kind: export.Money},
		{Name: "Opening balances", Kind: export.Money}, {Name: "Moved", Kind: export.Money},
	}...)
}

func reportRow(f models.DayFigures, currency models.Currency, by ...any) export.Row {
	return append(by, string(currency), f.Bets, f.Turnover(), f.Payout(), f.GGR(), rtpText(f.MoneySums), f.Spins, f.SpinStakes,
		f.SpinPayout(), f.Reversals, f.StakesReversed, f.WinsReversed.Plus(f.SpinWinsReversed),
		f.Credits, f.Debits, f.Openings, f.Moved)
}

// rtpText is the RTP in percent, and empty without turnover.
func rtpText(s models.MoneySums) string {
	if rtp, known := s.RTP(); known {
		return rtp.StringFixed(2)
	}
	return ""
}

const (
	sumTurnover, sumPayout, sumGGR, sumSpins, sumMoved = "Turnover", "Payout", "GGR", "Free-spin wins", "Moved"
	sumCounted, sumHeld                                = "Control total, all days together", "Control total, what wallets hold"
	sumAllGames                                        = "Turnover, of no known game too"
)

func addReport(total *sums, f models.DayFigures, currency models.Currency) {
	total.add(currency, sumTurnover, f.Turnover())
	total.add(currency, sumPayout, f.Payout())
	total.add(currency, sumGGR, f.GGR())
	total.add(currency, sumSpins, f.SpinPayout())
	total.add(currency, sumMoved, f.Moved)
}

// addControl holds all that was counted in days against what wallets hold, at the end of a report that is written.
func (a *App) addControl(ctx context.Context, total *sums) error {
	control, err := a.Store.Control(ctx)
	for _, c := range control {
		total.add(c.Currency, sumCounted, c.Counted)
		total.add(c.Currency, sumHeld, c.Balances)
	}
	return err
}

func (a *App) exportDays(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &reportPage{Page: p}
	wrong, err := a.readReport(c, page)
	total := newSums(sumTurnover, sumPayout, sumGGR, sumSpins, sumMoved, sumCounted, sumHeld)
	return export.List{
		About: page.about(),
		Columns: append(reportColumns(export.Column{Name: "Day"}),
			export.Column{Name: "Owed at its beginning", Kind: export.Money},
			export.Column{Name: "Owed at its end", Kind: export.Money}, export.Column{Name: "State"},
			export.Column{Name: "Zone of the days"}),
		Sums: total.list,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			list, err := a.Store.DayReports(ctx, page.of)
			if err != nil {
				return err
			}
			rows := make([]export.Row, len(list))
			for i, r := range list {
				addReport(total, r.DayFigures, r.Currency)
				rows[i] = append(reportRow(r.DayFigures, r.Currency, string(r.Day)), r.Opening, r.Closing(), r.State.String(),
					page.Zone)
			}
			if err := a.addControl(ctx, total); err != nil {
				return err
			}
			return next(export.Page{Rows: rows})
		},
	}, page.Chips, wrong, err
}

func (a *App) exportPlayerDays(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &reportPage{Page: p}
	wrong, err := a.readReport(c, page)
	total := newSums(sumTurnover, sumPayout, sumGGR, sumSpins, sumMoved, sumCounted, sumHeld)
	return export.List{
		About: page.about(),
		Columns: append(reportColumns(export.Column{Name: "Player"}, export.Column{Name: "Test player", Kind: export.Flag}),
			export.Column{Name: "First day"}, export.Column{Name: "Last day"}, export.Column{Name: "Zone of the days"}),
		Sums: total.list,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			f := page.of
			f.Limit = playersAtOnce
			for {
				list, more, err := a.Store.PlayersReport(ctx, f)
				if err != nil {
					return err
				}
				rows := make([]export.Row, len(list))
				for i, r := range list {
					addReport(total, r.DayFigures, r.Currency)
					rows[i] = append(reportRow(r.DayFigures, r.Currency, string(r.UserID), r.Test), string(f.From),
						string(f.To), page.Zone)
				}
				if !more {
					if err := a.addControl(ctx, total); err != nil {
						return err
					}
				}
				if err := next(export.Page{Rows: rows}); err != nil || !more {
					return err
				}
				last := list[len(list)-1]
				f.After = models.PlayerPlace{Turnover: last.Turnover(), PlayerID: last.PlayerID}
			}
		},
	}, page.Chips, wrong, err
}

func (a *App) exportGamesReport(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &reportPage{Page: p}
	wrong, err := a.readReport(c, page)
	total := newSums(sumTurnover, sumPayout, sumGGR, sumSpins, sumAllGames)
	about := append(page.about(), export.Remark{Name: "Inferred", Text: gamesInferred})
	return export.List{
		About: about,
		Columns: []export.Column{
			{Name: "Game"}, {Name: "Game ID"}, {Name: "Provider"}, {Name: "Known by"}, {Name: "Currency"},
			{Name: "Sessions", Kind: export.Number}, {Name: "Bets", Kind: export.Number},
			{Name: "Turnover", Kind: export.Money}, {Name: "Payout", Kind: export.Money}, {Name: "GGR", Kind: export.Money},
			{Name: "RTP, %"},
			{Name: "Free spins used", Kind: export.Number}, {Name: "Free-spin stakes", Kind: export.Money},
			{Name: "Free-spin wins", Kind: export.Money}, {Name: "Other sessions left out", Kind: export.Flag},
		},
		Sums: total.list,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			list, more, err := a.Store.GamesReport(ctx, page.of, page.of.From.Begin(page.zoned), page.of.To.End(page.zoned))
			if err != nil {
				return err
			}
			rows := make([]export.Row, len(list))
			for i, g := range list {
				total.add(g.Currency, sumTurnover, g.Turnover())
				total.add(g.Currency, sumPayout, g.Payout())
				total.add(g.Currency, sumGGR, g.GGR())
				total.add(g.Currency, sumSpins, g.SpinPayout())
				rows[i] = export.Row{
					g.Name, string(g.Offered), g.Provider, "Inferred", string(g.Currency), g.Sessions, g.Bets,
					g.Turnover(), g.Payout(), g.GGR(), rtpText(g.MoneySums), g.Spins, g.SpinStakes, g.SpinPayout(), more,
				}
			}
			days, err := a.Store.DayReports(ctx, page.of)
			if err != nil {
				return err
			}
			for _, day := range days {
				total.add(day.Currency, sumAllGames, day.Turnover())
			}
			return next(export.Page{Rows: rows})
		},
	}, page.Chips, wrong, err
}

func (a *App) exportLiability(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &liabilityPage{reportPage: &reportPage{Page: p}}
	wrong, err := a.readReport(c, page.reportPage)
	if err != nil {
		return export.List{}, nil, nil, err
	}
	at, noTime := page.instant()
	total := newSums(sumCounted, sumHeld)
	return export.List{
		Sums:  total.list,
		About: append(page.about(), export.Remark{Name: "At", Text: orWord(page.Asked, "the moment of writing")}),
		Columns: []export.Column{
			{Name: "What"}, {Name: "Player"}, {Name: "Currency"}, {Name: "Amount", Kind: export.Money},
			{Name: "How many", Kind: export.Number}, {Name: "Among"},
		},
		Read: func(ctx context.Context, next func(export.Page) error) error {
			owed, err := a.owed(ctx, page, at)
			if err != nil {
				return err
			}
			var rows []export.Row
			for _, l := range owed {
				if !at.IsZero() { // when nobody counted wallets
					rows = append(rows, export.Row{"Owed to players", "", string(l.Currency), l.Sum, nil, "all wallets"})
					continue
				}
				rows = append(rows, export.Row{"Owed to players", "", string(l.Currency), l.Sum, l.Wallets, "all wallets"},
					export.Row{"Wallets below zero, together", "", string(l.Currency), l.Negative, l.Owing, "all wallets"})
			}
			if at.IsZero() {
				list, err := a.Store.NegativeBalances(ctx, page.of.Test, exportPage)
				if err != nil {
					return err
				}
				for _, p := range list {
					if page.of.Currency == "" || page.of.Currency == p.Wallet.Currency {
						rows = append(rows, export.Row{"Wallet below zero", string(p.UserID), string(p.Wallet.Currency),
							p.Wallet.Balance, int64(1), "the lowest " + grouped(exportPage)})
					}
				}
			}
			stakes, err := a.stakesAt(ctx, page, at)
			if err != nil {
				return err
			}
			for _, st := range stakes {
				rows = append(rows, export.Row{"Stakes in play", "", string(st.Currency), st.Sum, st.Rounds, "all rounds"})
			}
			if at.IsZero() {
				interrupted, more, err := a.interrupted(ctx, page.of)
				if err != nil {
					return err
				}
				among := map[bool]string{false: "all rounds", true: "the newest " + grouped(interruptedAtOnce)}[more]
				for _, st := range interrupted {
					rows = append(rows, export.Row{"Stakes in interrupted rounds", "", string(st.Currency), st.Sum, st.Rounds,
						among})
				}
			}
			if err := a.addControl(ctx, total); err != nil {
				return err
			}
			return next(export.Page{Rows: rows})
		},
	}, page.Chips, cmp.Or(wrong, noTime), nil
}
