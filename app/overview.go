package app

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/shopspring/decimal"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/views"
)

// The overview: today beside the same time yesterday, in the reader's zone. All of it is one part that asks for itself again.

type overviewPage struct {
	Page
	Waiting  []views.Todo
	Start    startPage
	Figures  *todaysFigures // nil before anybody has played
	Door     *doorCharts    // nil before the first callback
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
	page := &overviewPage{Page: a.page(c, "Overview")}
	page.Live = true
	ctx, now := c.UserContext(), page.now
	day := newDay(now, page.zone)
	page.Lede = day.words()
	last, answered, err := a.Store.LastCallback(ctx)
	if err != nil {
		return err
	}
	if answered {
		if page.Door, err = a.doorCharts(ctx, day); err != nil {
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
	if page.Health, err = a.health(c, day, last); err != nil {
		return err
	}
	if page.Figures == nil && page.Door == nil {
		page.Lede = "What is played, how callbacks are answered, and what waits for a person: today beside yesterday, as " +
			"soon as there is play."
		page.Live = false
		page.Beginner = a.beginnersSteps(c)
	}
	return a.render(c, "overview/overview", page)
}

// day is a reader's day until now, and the day before until the same time by the clock, which is 23 or 25 hours ago where the
// clocks were changed between.
type day struct {
	began, until   time.Time // midnight, and now
	beganY, untilY time.Time // the same of yesterday; its minutes are whole ones
}

func newDay(now time.Time, zone *time.Location) day {
	local := now.In(zone)
	at := func(back, hour, minute int) time.Time {
		return time.Date(local.Year(), local.Month(), local.Day()-back, hour, minute, 0, 0, zone)
	}
	return day{began: at(0, 0, 0), until: local, beganY: at(1, 0, 0), untilY: at(1, local.Hour(), local.Minute())}
}

// back is how long ago yesterday's time of day was.
func (d day) back() time.Duration { return d.until.Truncate(time.Minute).Sub(d.untilY) }

func (d day) words() string {
	return d.until.Format("Monday 2 January until 15:04") + ", beside " + d.untilY.Format("Monday until 15:04") + "."
}

// todaysFigures reads what was played. The strip shows the one currency in which most bets are placed: amounts of several
// cannot be added up.
func (a *App) todaysFigures(ctx context.Context, d day) (*todaysFigures, error) {
	today, err := a.played.between(ctx, a.Store, d.began, d.until.Truncate(playSharedFor))
	if err != nil {
		return nil, err
	}
	yesterday, err := a.played.between(ctx, a.Store, d.beganY, d.untilY)
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
	sortByBets(today, before)
	f := &todaysFigures{}
	main, was := today[0], before[today[0].Currency]
	f.Caption = "Today in " + string(main.Currency)
	f.Measures = measures(main, was)
	staked, err := a.staked.now(ctx, a.Store, d.until)
	if err != nil {
		return nil, err
	}
	inPlay := map[models.Currency]models.Sum{}
	for _, s := range stakesOf(staked, models.ReportFilter{}) {
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
			Change: orDash(change(p.Turnover().Decimal(), before[p.Currency].Turnover().Decimal())),
			RTP:    orDash(percent(p.RTP())), Players: grouped(p.Players),
			InPlay: inPlay[p.Currency].Grouped(),
		}
		f.Currencies = append(f.Currencies, row)
		used += p.Spins
		if p.Spins != 0 || !p.SpinPayout().IsZero() {
			spins = append(spins, p.SpinPayout().Grouped()+" "+string(p.Currency))
		}
	}
	f.Players = several(players, "player", "players")
	if len(today) > 1 {
		f.Notes = append(f.Notes, "The figures at the top are of "+string(main.Currency)+", in which most bets were placed.")
	}
	if len(spins) > 0 {
		f.Notes = append(f.Notes,
			several(used, "free spin", "free spins")+" used; they won "+inWords(spins)+", which is no part of payout and GGR.")
	}
	return f, nil
}

// playSharedFor is how long readers share what was read: in a large casino counting a day's distinct players takes a tenth of a
// second.
const playSharedFor = 4 * time.Second

// playReader reads what was played between two times once for all who ask at about the same time.
type playReader struct {
	mu   sync.Mutex
	read map[[2]int64][]models.CurrencyPlay
}

func (p *playReader) between(ctx context.Context, s *store.Store, from, to time.Time) ([]models.CurrencyPlay, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := [2]int64{from.UnixMicro(), to.UnixMicro()}
	if play, ok := p.read[key]; ok {
		return slices.Clone(play), nil
	}
	play, err := s.Play(ctx, from, to)
	if err != nil {
		return nil, err
	}
	if p.read == nil || len(p.read) >= 64 {
		p.read = map[[2]int64][]models.CurrencyPlay{}
	}
	p.read[key] = slices.Clone(play)
	return play, nil
}

// measures are the strip's five figures.
func measures(p, was models.CurrencyPlay) []views.Measure {
	amount := func(label string, now, before models.Sum) views.Measure {
		return views.Measure{Label: label, Value: now.Grouped(), Unit: string(p.Currency),
			Change: change(now.Decimal(), before.Decimal()), From: "from " + before.Grouped()}
	}
	rtp := views.Measure{Label: "RTP", Value: orDash(percent(p.RTP())), From: "none yesterday"}
	now, played := p.RTP()
	if before, playedY := was.RTP(); playedY {
		rtp.From = "from " + percent(before, true)
		if played {
			rtp.Change = signed(now.Sub(before), 2)
		}
	}
	return []views.Measure{
		amount("Turnover", p.Turnover(), was.Turnover()), amount("Payout", p.Payout(), was.Payout()),
		amount("GGR", p.GGR(), was.GGR()), rtp,
		{Label: "Active players", Value: grouped(p.Players),
			Change: change(decimal.NewFromInt(p.Players), decimal.NewFromInt(was.Players)),
			From:   "from " + grouped(was.Players)},
	}
}

// sortByBets puts the currency with most bets first: those of today, where there are none those of yesterday.
func sortByBets(list []models.CurrencyPlay, before map[models.Currency]models.CurrencyPlay) {
	slices.SortFunc(list, func(a, b models.CurrencyPlay) int {
		return cmp.Or(cmp.Compare(b.Bets, a.Bets), cmp.Compare(before[b.Currency].Bets, before[a.Currency].Bets),
			cmp.Compare(a.Currency, b.Currency))
	})
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

func percent(d decimal.Decimal, known bool) string {
	if !known {
		return ""
	}
	return strings.ReplaceAll(d.StringFixed(2), "-", "−") + " %"
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// grouped writes a whole number, thousands apart.
func grouped(n int64) string { return views.Figure(float64(n)) }

// several writes a number of things.
func several(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// inWords lists things in a sentence.
func inWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// waiting are the things that wait for a person, the most pressing first: of each kind that the reader may read, where there
// are any.
func (a *App) waiting(c *fiber.Ctx) ([]views.Todo, error) {
	var list []views.Todo
	for _, kind := range []struct {
		needs Permission
		count func(*fiber.Ctx) (views.Todo, error)
	}{
		{readIntegrity, a.faultsWaiting},
		{confirmRestores, a.restoresWaiting},
		{readFreeSpins, a.grantsWaiting},
		{checkCorrections, a.correctionsWaiting},
		{readCases, a.casesWaiting},
		{signDays, a.daysWaiting},
		{approveExceptions, a.exceptionsWaiting},
		{changeSettings, a.changesWaiting},
		{manageStaff, a.alertsWaiting},
	} {
		allowed, err := may(reader(c).Role, kind.needs)
		if err != nil {
			return nil, err
		}
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
	run, _, err := a.lastVerification(c.UserContext())
	todo := views.Todo{N: run.Faults, Word: "Faults in the ledger", Note: "found " + a.clock(c, run.EndedAt),
		Href: verificationPath(run.ID), Kind: "risk"}
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
	todo.Note = several(spins, "spin", "spins") + ", since " + a.clock(c, oldest.At)
	if n == 1 {
		todo.Word, todo.Href = "Grant of unknown outcome", pathOf("/free-spins", oldest.ID)
	}
	return todo, nil
}

// mostUnsigned is how many days are counted that wait for a signature.
const mostUnsigned = 31

// correctionsWaiting are the corrections that the reader can decide.
func (a *App) correctionsWaiting(c *fiber.Ctx) (views.Todo, error) {
	n, err := a.countCorrections(c.UserContext(), reader(c))
	todo := views.Todo{N: int64(n.N), Word: "Corrections to decide", Note: "requested by colleagues", Href: "/corrections",
		Kind: "wait"}
	if n.N == 1 {
		todo.Word = "Correction to decide"
	}
	return todo, err
}

// daysWaiting are the days that the reader can sign now, once days are signed here at all.
func (a *App) daysWaiting(c *fiber.Ctx) (views.Todo, error) {
	days, err := a.Store.SignableDays(c.UserContext(), a.signer(c), mostUnsigned)
	todo := views.Todo{N: int64(len(days)), Word: "Days to sign", Kind: "wait"}
	if err != nil || len(days) == 0 {
		return todo, err
	}
	oldest := days[len(days)-1]
	if todo.Href = dayPath(oldest); len(days) == 1 {
		todo.Word = "Day to sign"
	}
	todo.Note = "for " + string(reader(c).Role) + ", oldest " + oldest.Format("2 January")
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
	if todo.N, _, err = a.countOf(c.UserContext(), models.CaseFilter{State: models.CaseOpen}); err != nil {
		return todo, err
	}
	if todo.N == manyCases {
		todo.Word = "Open cases at least"
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
	todo.Note = firstUpper(open[0].Rule.String())
	if len(open) > 1 {
		todo.Note += " first"
	}
	todo.Note += ", oldest " + age(a.Now().Sub(oldest))
	return todo, nil
}

// clock is a time in a sentence, in the reader's zone.
func (a *App) clock(c *fiber.Ctx, at time.Time) string {
	return views.NewMoment(at, a.Now(), reader(c).Zone).Brief()
}

// opens reports whether there is a page of this path, and its reader may open it.
func (a *App) opens(c *fiber.Ctx, path string) bool {
	for _, r := range a.table {
		if r.method == get && r.path == path {
			ok, err := may(reader(c).Role, r.needs)
			return ok && err == nil
		}
	}
	return false
}

// beginnersSteps are the way from an empty database to the first bet.
func (a *App) beginnersSteps(c *fiber.Ctx) []beginnersStep {
	way := func(word, href string) *views.Link {
		path, _, _ := strings.Cut(href, "#")
		if !a.opens(c, path) {
			return nil
		}
		return &views.Link{Word: word, Href: href}
	}
	return []beginnersStep{
		{"Bring the players in",
			"One by one or from a file. They begin with a balance of zero; one or two test players are needed to try games " +
				"out.", way("Players", "/players")},
		{"Fetch the games", "The platform's list is fetched by itself every hour, if its address and token are right.",
			way("Games", "/games")},
		{"Show the platform the way",
			"It is told one address, to which it adds /GetBalance, /Withdraw and the others. It must be reached over HTTPS.",
			way("Platform", "/platform")},
		{"Play the go-live checks",
			"They are the platform's own: signatures, balances, duplicates, rollbacks, against a test player.",
			way("How", "/platform#go-live")},
	}
}
