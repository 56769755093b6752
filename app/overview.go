package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/shopspring/decimal"

	"pitboss/app/pages/admin"
	"pitboss/app/pages/figures"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The overview: today beside the same time yesterday, in the reader's zone. All of it is one part that asks for itself again.

type overviewPage struct {
	web.Page
	Waiting  []views.Todo
	Start    startPage
	Figures  *todaysFigures    // nil before anybody has played
	Door     *admin.DoorCharts // nil before the first callback
	Health   []views.HealthLine
	Beginner []beginnersStep
}

// todaysFigures are what was played today until now, and yesterday until the same time.
type todaysFigures struct {
	Caption    string // what the strip is of
	Measures   []views.Measure
	Players    string
	Currencies []currencyRow
	Notes      []string // which currency the strip is of, where there are several; what free spins won
}

type currencyRow struct{ Currency, Turnover, Change, Payout, GGR, RTP, InPlay, Players string }

// beginnersStep is what a new installation needs next.
type beginnersStep struct {
	Title, Text string
	Link        *views.Link
}

func (a *App) overview(c *fiber.Ctx) error {
	page := &overviewPage{Page: a.Page(c, "Overview")}
	page.Live = true
	ctx, now := c.UserContext(), page.Now
	day := things.NewDay(now, page.Zone)
	page.Lede = day.Words()
	last, answered, err := a.Store.LastCallback(ctx)
	if err != nil {
		return err
	}
	if answered {
		if page.Door, err = a.admin.DoorCharts(ctx, day); err != nil {
			return err
		}
	}
	if page.Figures, err = a.todaysFigures(ctx, day); err != nil {
		return err
	}
	if page.Waiting, err = a.waiting(c); err != nil {
		return err
	}
	if page.Start, err = a.start(c, &page.Page); err != nil {
		return err
	}
	if page.Health, err = a.admin.Health(c, day, last); err != nil {
		return err
	}
	if page.Figures == nil && page.Door == nil {
		page.Lede = "Today’s play, callbacks and open work, compared with yesterday. The figures appear with " +
			"the first bet."
		page.Live = false
		page.Beginner = a.beginnersSteps(c)
	}
	return a.Render(c, "overview/overview", page)
}

// todaysFigures reads what was played. The strip shows the one currency in which most bets are placed: amounts of several
// cannot be added up.
func (a *App) todaysFigures(ctx context.Context, d things.Day) (*todaysFigures, error) {
	today, err := a.figures.Played.Between(ctx, a.Store, d.Began, d.Until.Truncate(figures.PlaySharedFor))
	if err != nil {
		return nil, err
	}
	yesterday, err := a.figures.Played.Between(ctx, a.Store, d.BeganY, d.UntilY)
	if err != nil {
		return nil, err
	}
	if len(today)+len(yesterday) == 0 {
		return nil, nil
	}
	before := map[models.Currency]models.CurrencyPlay{}
	for _, p := range yesterday {
		before[p.Currency] = p
		if !slices.ContainsFunc(today, func(t models.CurrencyPlay) bool { return t.Currency == p.Currency }) {
			today = append(today, models.CurrencyPlay{Currency: p.Currency})
		}
	}
	figures.SortByBets(today, before)
	f := &todaysFigures{}
	main, was := today[0], before[today[0].Currency]
	f.Caption = "Today in " + string(main.Currency)
	f.Measures = measures(main, was)
	staked, err := a.figures.Staked.Now(ctx, a.Store, d.Until)
	if err != nil {
		return nil, err
	}
	inPlay := map[models.Currency]models.Sum{}
	for _, s := range figures.StakesOf(staked, models.ReportFilter{}) {
		inPlay[s.Currency] = s.Sum
	}
	var players int64
	var spins []string
	var used int64
	for _, p := range today {
		players += p.Players
		row := currencyRow{
			Currency: string(p.Currency), Turnover: p.Turnover().Grouped(), Payout: p.Payout().Grouped(),
			GGR:    p.GGR().Grouped(),
			Change: web.OrDash(change(p.Turnover().Decimal(), before[p.Currency].Turnover().Decimal())),
			RTP:    web.OrDash(web.Percent(p.RTP())), Players: web.Grouped(p.Players),
			InPlay: inPlay[p.Currency].Grouped(),
		}
		f.Currencies = append(f.Currencies, row)
		used += p.Spins
		if p.Spins != 0 || !p.SpinPayout().IsZero() {
			spins = append(spins, p.SpinPayout().Grouped()+" "+string(p.Currency))
		}
	}
	f.Players = web.Several(players, "active player", "active players")
	if len(today) > 1 {
		f.Players += " in " + web.Several(int64(len(today)), "currency", "currencies")
		f.Measures[len(f.Measures)-1].Label = string(main.Currency) + " players"
		f.Notes = append(f.Notes, "The figures at the top are in "+string(main.Currency)+", the currency with the most bets.")
	}
	if len(spins) > 0 {
		f.Notes = append(f.Notes,
			web.Several(used, "free spin", "free spins")+" used; they won "+web.InWords(spins)+
				", which payout and GGR do not include.")
	}
	return f, nil
}

// measures are the strip's five figures.
func measures(p, was models.CurrencyPlay) []views.Measure {
	amount := func(label string, now, before models.Sum) views.Measure {
		return views.Measure{Label: label, Value: now.Grouped(), Unit: string(p.Currency),
			Change: change(now.Decimal(), before.Decimal()), From: "from " + before.Grouped()}
	}
	rtp := views.Measure{Label: "RTP", Value: web.OrDash(web.Percent(p.RTP())), From: "none yesterday"}
	now, played := p.RTP()
	if before, playedY := was.RTP(); playedY {
		rtp.From = "from " + web.Percent(before, true)
		if played {
			rtp.Change = signed(now.Sub(before), 2)
		}
	}
	return []views.Measure{
		amount("Turnover", p.Turnover(), was.Turnover()), amount("Payout", p.Payout(), was.Payout()),
		amount("GGR", p.GGR(), was.GGR()), rtp,
		{Label: "Active players", Value: web.Grouped(p.Players),
			Change: change(decimal.NewFromInt(p.Players), decimal.NewFromInt(was.Players)),
			From:   "from " + web.Grouped(was.Players)},
	}
}

// change is by how many per cent a figure has changed, with its sign, and empty where that cannot be said.
func change(now, before decimal.Decimal) string {
	if before.IsZero() || now.Sign()*before.Sign() < 0 {
		return ""
	}
	return signed(now.Sub(before).Mul(decimal.NewFromInt(100)).DivRound(before.Abs(), 4), 1) + " %"
}

// signed writes a number with its sign, a true minus.
func signed(d decimal.Decimal, places int32) string {
	text := d.Abs().StringFixed(places)
	switch rounded := d.Round(places); {
	case rounded.IsNegative():
		return "−" + text
	case rounded.IsPositive():
		return "+" + text
	}
	return "±" + text
}

// waiting are the things that wait for a person, the most pressing first: of each kind that the reader may read, where there
// are any.
func (a *App) waiting(c *fiber.Ctx) ([]views.Todo, error) {
	var list []views.Todo
	for _, kind := range []struct {
		needs web.Permission
		count func(*fiber.Ctx) (views.Todo, error)
	}{
		{web.ReadIntegrity, a.faultsWaiting},
		{web.ConfirmRestores, a.integrity.RestoresWaiting},
		{web.ReadFreeSpins, a.grantsWaiting},
		{web.CheckCorrections, a.correctionsWaiting},
		{web.ReadCases, a.complaintsWaiting},
		{web.ReadCases, a.casesWaiting},
		{web.SignDays, a.daysWaiting},
		{web.ApproveExceptions, a.freespins.ExceptionsWaiting},
		{web.ChangeSettings, a.admin.ChangesWaiting},
		{web.ManageStaff, a.admin.AlertsWaiting},
	} {
		allowed := web.May(web.ReaderOf(c).Role, kind.needs)
		if !allowed {
			continue
		}
		todo, err := kind.count(c)
		if err != nil {
			return nil, err
		}
		if todo.N > 0 {
			list = append(list, todo)
		}
	}
	return list, nil
}

// faultsWaiting are the faults that the newest verification found in the ledger.
func (a *App) faultsWaiting(c *fiber.Ctx) (views.Todo, error) {
	run, _, err := a.LastVerification(c.UserContext())
	todo := views.Todo{N: run.Faults, Word: "Faults in the ledger", Note: "found " + a.Clock(c, run.EndedAt),
		Href: things.VerificationPath(run.ID), Kind: "risk"}
	if todo.N == 1 {
		todo.Word = "Fault in the ledger"
	}
	return todo, err
}

// grantsWaiting are the grants of which nobody has found out yet whether they were given.
func (a *App) grantsWaiting(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{Word: "Grants of unknown outcome", Href: "/free-spins?state=waiting", Kind: "risk"}
	n, err := a.Store.CountUnresolvedGrants(c.UserContext())
	if err != nil || n == 0 {
		return todo, err
	}
	// More than a hundred have been found out about by nobody only where something is very wrong; then the number says enough.
	grants, more, err := a.Store.Grants(c.UserContext(), models.GrantFilter{Unresolved: true, Limit: 100})
	if todo.N = n; err != nil || more || len(grants) == 0 {
		return todo, err
	}
	oldest, spins := grants[len(grants)-1], int64(0)
	for _, g := range grants {
		spins += g.Spins
	}
	todo.Note = web.Several(spins, "spin", "spins") + ", since " + a.Clock(c, oldest.At)
	if n == 1 {
		todo.Word, todo.Href = "Grant of unknown outcome", web.PathOf("/free-spins", oldest.ID)
	}
	return todo, nil
}

// mostUnsigned is how many days are counted that wait for a signature.
const mostUnsigned = 31

// correctionsWaiting are the corrections that the reader can decide.
func (a *App) correctionsWaiting(c *fiber.Ctx) (views.Todo, error) {
	n, err := a.corrections.CountCorrections(c.UserContext(), web.ReaderOf(c))
	todo := views.Todo{N: int64(n.N), Word: "Corrections to decide", Note: "requested by colleagues", Href: "/corrections",
		Kind: "wait"}
	if n.N == 1 {
		todo.Word = "Correction to decide"
	}
	return todo, err
}

// signableDays are the days that the reader can sign. They are read once for a page, which shows them in two places.
func (a *App) signableDays(c *fiber.Ctx) ([]models.Day, error) {
	const read = "signable days"
	if days, known := c.Locals(read).([]models.Day); known {
		return days, nil
	}
	days, err := a.Store.SignableDays(c.UserContext(), a.Signer(c), mostUnsigned)
	if err == nil {
		c.Locals(read, days)
	}
	return days, err
}

// daysWaiting are the days that the reader can sign now, once days are signed here at all.
func (a *App) daysWaiting(c *fiber.Ctx) (views.Todo, error) {
	days, err := a.signableDays(c)
	todo := views.Todo{N: int64(len(days)), Word: "Days to sign", Kind: "wait"}
	if err != nil || len(days) == 0 {
		return todo, err
	}
	oldest := days[len(days)-1]
	if todo.Href = figures.DayPath(oldest); len(days) == 1 {
		todo.Word = "Day to sign"
	}
	todo.Note = "for " + string(web.ReaderOf(c).Role) + ", oldest " + oldest.Format("2 Jan")
	return todo, nil
}

// dueSoon is how long before their deadline complaints are on the overview. The list of cases can be filtered by as much.
const dueSoon = 7 * 24 * time.Hour

// complaintsWaiting are the complaints that are overdue or due soon, for the roles that record, answer or prove them.
func (a *App) complaintsWaiting(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{Word: "Complaints to answer", Href: "/cases?due=168h", Kind: "wait"}
	role := web.ReaderOf(c).Role
	if !web.May(role, web.RecordComplaints) && !web.May(role, web.MakePacks) {
		return todo, nil
	}
	f := models.CaseFilter{State: models.CaseOpen, DueBefore: a.Now().Add(dueSoon), ByDue: true, Limit: 1}
	nearest, _, err := a.Store.Cases(c.UserContext(), f)
	if err != nil || len(nearest) == 0 {
		return todo, err
	}
	if todo.N, err = a.Store.CountCases(c.UserContext(), f, things.ManyCases); err != nil {
		return todo, err
	}
	first := nearest[0]
	if todo.N == 1 {
		todo.Word, todo.Href = "Complaint to answer", things.CasePath(first.ID)
	}
	todo.Note = "first due " + views.NewMoment(first.Due.Add(-time.Second), a.Now(), web.ReaderOf(c).Zone).Date()
	if first.Overdue(a.Now()) {
		todo.Kind, todo.Note = "risk", "overdue by "+web.Age(a.Now().Sub(first.Due))
	}
	return todo, nil
}

// casesWaiting are the open cases: the riskiest rule by name, and how long the oldest of all has been open.
func (a *App) casesWaiting(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{Word: "Open cases", Href: "/cases", Kind: "wait"}
	open, err := a.Store.CaseBacklogs(c.UserContext(), 1)
	if err != nil || len(open) == 0 {
		return todo, err
	}
	oldest := open[0].Oldest
	if todo.N, _, err = a.cases.CountOf(c.UserContext(), models.CaseFilter{State: models.CaseOpen}); err != nil {
		return todo, err
	}
	if todo.N == things.ManyCases {
		todo.Word = "or more open cases"
	}
	for _, rule := range open {
		if rule.Oldest.Before(oldest) {
			oldest = rule.Oldest
		}
	}
	if todo.N == 1 {
		todo.Word = "Open case"
	}
	if open[0].Rule.Risky() {
		todo.Kind = "risk"
	}
	todo.Note = web.FirstUpper(open[0].Rule.String())
	if len(open) > 1 {
		todo.Note += " and other rules"
	}
	todo.Note += ", oldest " + web.Age(a.Now().Sub(oldest))
	return todo, nil
}

// beginnersSteps are the way from an empty database to the first bet.
func (a *App) beginnersSteps(c *fiber.Ctx) []beginnersStep {
	way := func(word, href string) *views.Link {
		path, _, _ := strings.Cut(href, "#")
		if !a.Opens(c, path) {
			return nil
		}
		return &views.Link{Word: word, Href: href}
	}
	return []beginnersStep{
		{"Add the players",
			"One by one or from a file. Their balances start at 0.00. You need one or two test players to try games " +
				"out.", way("Players", "/players")},
		{"Fetch the games", "Pitboss fetches the platform’s list every hour. Its address and token have to be right.",
			way("Games", "/games")},
		{"Register the callback address",
			"Give the platform one address. It adds /GetBalance, /Withdraw and the others, and calls over HTTPS.",
			way("Platform", "/platform")},
		{"Run the go-live checks",
			"The platform’s own checks, with a test player: signatures, balances, duplicates and rollbacks.",
			way("How", "/platform#go-live")},
	}
}
