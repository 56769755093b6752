package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/shopspring/decimal"

	"pitboss/app/atonce"
	"pitboss/app/pages"
	"pitboss/app/pages/platform"
	"pitboss/app/pages/reports"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The overview compares the casino's day with the day before until the same time. The whole page is one part that
// refreshes itself.

type overviewPage struct {
	web.Page
	Today     pages.Today
	Waiting   []views.Todo
	Figures   *todaysFigures           // nil before any play
	Callbacks *platform.CallbackCharts // nil before the first callback
	Health    platform.Health
}

// Beginner reports whether the installation has neither bets nor callbacks yet.
func (p *overviewPage) Beginner() bool { return p.Figures == nil && p.Callbacks == nil }

// todaysFigures are the figures of play today until now, and of yesterday until the same time.
type todaysFigures struct {
	Main, Before currencyRow // of the currency with the most bets
	Day, DayY    models.Day  // the current casino day, and the one before
	Players      int64       // on the casino day
	Currencies   []currencyRow
	Spins        int64
	SpinWins     []string
}

// currencyRow has the figures of play in one currency.
type currencyRow struct {
	models.CurrencyPlay
	Players int64  // with a bet or free spin on the casino day
	Change  string // of the turnover since yesterday, as change returns it
	RTP     string // empty if there was no turnover
	InPlay  models.Amount
}

func (a *App) overview(c *fiber.Ctx) error {
	page := &overviewPage{Page: a.Page(c, "")}
	ctx := c.UserContext()
	zone, err := a.CasinoZone(ctx)
	if err != nil {
		return err
	}
	day := pages.NewToday(page.Now, zone)
	page.Today = day
	last, answered, err := a.Store.LastCallback(ctx)
	if err != nil {
		return err
	}
	err = atonce.Read(
		func() (err error) {
			if answered {
				page.Callbacks, err = a.platform.CallbackCharts(ctx, day)
			}
			return err
		},
		func() (err error) {
			page.Figures, err = a.todaysFigures(ctx, day)
			return err
		},
		func() (err error) {
			page.Waiting, err = a.waiting(c, a.allWork())
			return err
		},
		func() (err error) {
			page.Health, err = a.platform.Health(ctx, last)
			return err
		})
	if err != nil {
		return err
	}
	page.Live = !page.Beginner()
	return a.Render(c, "overview/overview", page)
}

// todaysFigures returns the figures of play, or nil without play today or yesterday. The strip shows only the currency with
// the most bets, because amounts in different currencies cannot be added up.
func (a *App) todaysFigures(ctx context.Context, d pages.Today) (*todaysFigures, error) {
	today, err := a.Store.Play(ctx, d.Began, d.Until)
	if err != nil {
		return nil, err
	}
	yesterday, err := a.Store.Play(ctx, d.BeganY, d.UntilY)
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
	slices.SortFunc(today, func(a, b models.CurrencyPlay) int {
		return cmp.Or(cmp.Compare(b.Bets, a.Bets), cmp.Compare(before[b.Currency].Bets, before[a.Currency].Bets),
			cmp.Compare(a.Currency, b.Currency))
	})
	staked, err := a.reports.Staked.Now(ctx, a.Store, d.Until)
	if err != nil {
		return nil, err
	}
	f := &todaysFigures{Before: newCurrencyRow(before[today[0].Currency])}
	// Distinct players are only known of whole casino days, of which FollowDays has counted all but the last minute.
	if f.Day, err = a.Store.ReportToday(ctx); err != nil {
		return nil, err
	}
	f.DayY = f.Day.Add(-1)
	days, err := a.Store.DayReports(ctx, models.ReportFilter{From: f.DayY, To: f.Day})
	if err != nil {
		return nil, err
	}
	type casinoDay struct {
		day      models.Day
		currency models.Currency
	}
	active := map[casinoDay]int64{}
	for _, r := range days {
		active[casinoDay{r.Day, r.Currency}] = r.Players
	}
	f.Before.Players = active[casinoDay{f.DayY, today[0].Currency}]
	inPlay := map[models.Currency]models.Amount{}
	for _, s := range reports.StakesOf(staked, models.ReportFilter{}) {
		inPlay[s.Currency] = s.Sum
	}
	for _, p := range today {
		row := newCurrencyRow(p)
		row.Players = active[casinoDay{f.Day, p.Currency}]
		row.Change, row.InPlay = change(p.Turnover().Decimal(), before[p.Currency].Turnover().Decimal()), inPlay[p.Currency]
		f.Currencies = append(f.Currencies, row)
		f.Players += row.Players
		f.Spins += p.Spins
		if p.Spins != 0 || p.SpinPayout() != 0 {
			f.SpinWins = append(f.SpinWins, p.SpinPayout().Grouped()+" "+string(p.Currency))
		}
	}
	f.Main = f.Currencies[0]
	return f, nil
}

func newCurrencyRow(p models.CurrencyPlay) currencyRow {
	return currencyRow{CurrencyPlay: p, RTP: web.Percent(p.RTP())}
}

// change returns by how many percent a figure has changed, with its sign. It returns an empty string if the earlier figure is
// zero or has the opposite sign, and says so if it is so small that a percentage would mean nothing.
func change(now, before decimal.Decimal) string {
	if before.IsZero() || now.Sign()*before.Sign() < 0 {
		return ""
	}
	percent := now.Sub(before).Mul(decimal.NewFromInt(100)).DivRound(before.Abs(), 1)
	switch text := percent.Abs().StringFixed(1) + "%"; {
	case percent.Abs().GreaterThanOrEqual(decimal.NewFromInt(1000)):
		return "was almost 0"
	case percent.IsNegative():
		return "−" + text
	case percent.IsPositive():
		return "+" + text
	default:
		return "±" + text
	}
}

// openWork is a kind of work that waits for people, and who may view it.
type openWork struct {
	needs web.Permission
	count func(*fiber.Ctx) (views.Todo, error)
}

// requestKinds are the kinds of requests that take two people, the most urgent first.
func (a *App) requestKinds() []pages.RequestKind {
	return []pages.RequestKind{a.cashouts.Requests(), a.corrections.Requests(), a.campaigns.Requests(), a.restrictions.Requests(),
		a.settings.Changes()}
}

// toDecide is the work of deciding colleagues' requests.
func (a *App) toDecide() []openWork {
	var list []openWork
	for _, k := range a.requestKinds() {
		list = append(list, openWork{k.Decides, func(c *fiber.Ctx) (views.Todo, error) {
			n, err := a.CountApprovable(c.UserContext(), web.ReaderOf(c), k.Name)
			todo := k.Waits
			todo.N, todo.Href = n, k.List
			return todo, err
		}})
	}
	return list
}

// allWork is all kinds of work, the most urgent first.
func (a *App) allWork() []openWork {
	first := []openWork{{web.ReadOverview, a.assigned}, {web.ReadOverview, a.requested}, {web.ReadIntegrity, a.faultsWaiting}}
	last := []openWork{{web.ReadFreeSpins, a.grantsWaiting}, {web.ReadCases, a.complaintsWaiting}, {web.ReadCases, a.casesWaiting},
		{web.SignDays, a.daysWaiting}, {web.ManageStaff, a.staff.ReviewWaiting}}
	return slices.Concat(first, a.toDecide(), last)
}

// waiting returns the work that waits for a person. It leaves out kinds of work that the reader may not view.
func (a *App) waiting(c *fiber.Ctx, kinds []openWork) ([]views.Todo, error) {
	var list []views.Todo
	for _, kind := range kinds {
		allowed := web.ReaderOf(c).May(kind.needs)
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

// faultsWaiting returns the faults that the newest verification found in the ledger.
func (a *App) faultsWaiting(c *fiber.Ctx) (views.Todo, error) {
	run, _, err := a.LastVerification(c.UserContext())
	return views.Todo{N: run.Faults, One: "Fault in the ledger", Many: "Faults in the ledger",
		Note: "found " + a.Clock(c, run.FinishedAt), Href: pages.VerificationPath(run.ID), Risk: true}, err
}

// grantsWaiting returns the unresolved grants of unknown outcome.
func (a *App) grantsWaiting(c *fiber.Ctx) (views.Todo, error) {
	n, err := a.Store.CountUnresolvedGrants(c.UserContext())
	return views.Todo{N: n, One: "Unconfirmed grant", Many: "Unconfirmed grants", Note: "the platform did not answer",
		Href: "/free-spins?state=waiting", Risk: true}, err
}

// maxUnsigned is the most unsigned days that are counted.
const maxUnsigned = 31

// daysWaiting returns the days that nobody with the reader's role has signed yet.
func (a *App) daysWaiting(c *fiber.Ctx) (views.Todo, error) {
	role := web.ReaderOf(c).Role
	days, err := a.Store.UnsignedDays(c.UserContext(), role, maxUnsigned)
	todo := views.Todo{N: int64(len(days)), One: "Day to sign", Many: "Days to sign"}
	if err != nil || len(days) == 0 {
		return todo, err
	}
	oldest := days[len(days)-1]
	todo.Note, todo.Href = "for "+string(role)+", oldest "+oldest.Format("2 Jan"), reports.DayPath(oldest)
	return todo, nil
}

// dueSoon is how long before its deadline a complaint appears on the overview. The list of cases has a filter for the same
// period.
const dueSoon = 7 * 24 * time.Hour

// complaintsWaiting returns the complaints that are overdue or due soon, for roles that record complaints or make dispute
// packs.
func (a *App) complaintsWaiting(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{One: "Complaint to answer", Many: "Complaints to answer", Href: "/cases?due=168h"}
	role := web.ReaderOf(c).Role
	if !web.May(role, web.RecordComplaints) && !web.May(role, web.MakePacks) {
		return todo, nil
	}
	f := models.CaseFilter{State: models.CaseOpen, DueBefore: a.Now().Add(dueSoon), ByDue: true, Span: models.Span{Limit: 1}}
	nearest, err := a.Store.Cases(c.UserContext(), f)
	if err != nil || len(nearest.Rows) == 0 {
		return todo, err
	}
	if todo.N, err = a.Store.CountCases(c.UserContext(), f, pages.ManyCases); err != nil {
		return todo, err
	}
	first := nearest.Rows[0]
	todo.Note = "first due " + pages.LastDay(first.Due)
	if first.Overdue(a.Now()) {
		todo.Risk, todo.Note = true, "overdue by "+web.Age(a.Now().Sub(first.Due))
	}
	return todo, nil
}

// casesWaiting returns the number of open cases, the riskiest rule among them, and how long the oldest case has been open.
func (a *App) casesWaiting(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{One: "Open case", Many: "Open cases", Href: "/cases"}
	open, err := a.Store.CaseBacklogs(c.UserContext())
	if err != nil || len(open) == 0 {
		return todo, err
	}
	oldest := open[0].Oldest
	for _, rule := range open {
		todo.N += rule.N
		if rule.Oldest.Before(oldest) {
			oldest = rule.Oldest
		}
	}
	todo.Risk = open[0].Rule.Risky()
	todo.Note = "oldest " + web.Age(a.Now().Sub(oldest))
	if len(open) == 1 {
		todo.Note = web.FirstUpper(open[0].Rule.String()) + ", " + todo.Note
	}
	return todo, nil
}
