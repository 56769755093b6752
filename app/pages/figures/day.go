package figures

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// One day of the operator's zone: its report, what else a signer should have in front of them, and the signatures that close
// it.

const (
	dayPlayers = 10 // shown on a day's page
	lineRows   = 100
)

type dayPage struct {
	web.Page
	Day        models.Day
	State      models.DayState
	Zone       string
	Interval   string
	Generated  views.Moment
	UpTo       views.Moment
	Complete   *views.Note
	Formulas   []models.Formula
	Groups     []figureRow
	Control    []controlRow
	Standing   []views.HealthLine
	Signatures []signatureRow
	Sign       bool // the reader may sign it now
	Cannot     string
	Digest     string
	Note       views.Field
	Players    []playerFigures
	PlayersAll string
	Before     string
	After      string
}

type signatureRow struct {
	Role, By, Note, Saw string
	Moment              views.Moment
	Badge               views.Badge
}

// noSuchDay says that the address names no day, or one that has not come.
func noSuchDay() error {
	return web.Problem{
		Status: fiber.StatusNotFound, Title: "There is no such day",
		Happened: "The address names no day, or one that has not come yet.", Money: "Nothing has changed.",
		Do: "Choose a day from the list.", Links: []views.Link{{Word: "Reports", Href: "/reports", Main: true}},
	}
}

// theDay reads the day that the address names.
func theDay(c *fiber.Ctx) (models.Day, error) {
	day, err := models.ParseDay(c.Params("id"))
	if err != nil {
		return "", noSuchDay()
	}
	return day, nil
}

func (a *Area) Day(c *fiber.Ctx) error { return a.showDay(c, web.NewForm(c)) }

func (a *Area) showDay(c *fiber.Ctx, f *web.Form) error {
	ctx := c.UserContext()
	day, err := theDay(c)
	if err != nil {
		return err
	}
	page := &dayPage{Page: a.Page(c, day.Format("2 Jan 2006")), Day: day}
	page.Crumbs = []views.Crumb{{Word: "Reports", Href: "/reports"}, {Word: string(day)}}
	today, err := a.Store.ReportToday(ctx)
	if err != nil {
		return err
	}
	if day > today {
		return noSuchDay()
	}
	if page.Before = DayPath(day.Add(-1)); day < today {
		page.After = DayPath(day.Add(1))
	}
	interval, err := a.Store.DayInterval(ctx, day)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(interval.Zone)
	if err != nil {
		return err
	}
	upTo, err := a.Store.DaysUpTo(ctx)
	if err != nil {
		return err
	}
	if page.State, err = a.Store.DayState(ctx, day); err != nil {
		return err
	}
	const at = "2 Jan 2006, 15:04 -07:00"
	page.Zone, page.Interval = interval.Zone, interval.From.In(zone).Format(at)+" to "+interval.Until.In(zone).Format(at)
	page.Lede = day.Format("Monday") + ", from " + page.Interval + ", " + interval.Zone + "."
	page.Badges = []views.Badge{dayBadge(page.State)}
	page.Formulas = models.Formulas
	page.Generated, page.UpTo = views.NewMoment(page.Now, page.Now, zone), views.NewMoment(upTo, page.Now, zone)
	if upTo.IsZero() {
		page.Complete = &views.Note{Kind: "wait", Icon: "warning", Title: "Days are being summed up",
			Text: "What stands here is not whole yet. Look again in a while; if it stays so, verify the ledger."}
	}
	if err := a.dayFigures(ctx, page, interval); err != nil {
		return err
	}
	if err := a.dayStanding(c, page, interval, upTo); err != nil {
		return err
	}
	page.Note = f.Field(views.Field{Label: "Remark", Name: "note", Value: web.Posted(c, "note"), Autocomplete: "off",
		Hint: "Needed where something is open or missing. It stays."})
	if !f.Ok() {
		return a.Refused(c, "reports/day", page)
	}
	return a.Render(c, "reports/day", page)
}

// linesPath is the address of the lines behind a figure of a day.
func linesPath(day models.Day, figure models.Figure, currency models.Currency, test bool) string {
	path := DayPath(day) + "/lines?currency=" + string(currency)
	if figure != models.FigureAll {
		path += "&figure=" + string(figure)
	}
	if test {
		path += "&test=only"
	}
	return path
}

func (a *Area) dayFigures(ctx context.Context, page *dayPage, interval models.ClosedDay) error {
	groups, err := a.Store.DayGroups(ctx, page.Day)
	if err != nil {
		return err
	}
	page.Digest = models.ReportDigest(interval, groups)
	for _, g := range groups {
		row := newFigureRow(g.DayFigures, g.Currency)
		row.Opening, row.Closing, row.Test = g.Opening.Grouped(), g.Opening.Plus(g.Moved).Grouped(), g.Test
		row.InPlay, row.RoundsInPlay = g.InPlay.Grouped(), web.Grouped(g.RoundsInPlay)
		for figure, any := range map[models.Figure]bool{
			models.FigureAll: g.Active(), models.FigureTurnover: g.Bets > 0 || !g.StakesReversed.IsZero(),
			models.FigurePayout:    !g.Wins.IsZero() || !g.WinsReversed.IsZero(),
			models.FigureSpins:     !g.SpinStakes.IsZero() || g.Spins != 0,
			models.FigureSpinWins:  !g.SpinWins.IsZero() || !g.SpinWinsReversed.IsZero(),
			models.FigureRollbacks: g.Reversals > 0, models.FigureCorrections: g.Corrections > 0,
			models.FigureOpenings: !g.Openings.IsZero(),
		} {
			if any {
				row.Lines[string(figure)] = views.Link{Word: row.Lines[string(figure)].Word,
					Href: linesPath(page.Day, figure, g.Currency, g.Test)}
			}
		}
		page.Groups = append(page.Groups, row)
	}
	if page.Control, err = a.controlRows(ctx); err != nil {
		return err
	}
	filter := models.ReportFilter{From: page.Day, To: page.Day, Limit: dayPlayers}
	players, more, err := a.Store.PlayersReport(ctx, filter)
	if err != nil {
		return err
	}
	for _, p := range players {
		row := playerFigures{figureRow: newFigureRow(p.DayFigures, p.Currency), PlayerHref: things.PlayerPath(p.PlayerID)}
		row.What = string(p.UserID)
		row.Href = linesPath(page.Day, models.FigureAll, p.Currency, false) + "&player=" + web.EscapeQuery(string(p.UserID))
		page.Players = append(page.Players, row)
	}
	if more {
		page.PlayersAll = "/reports/players?from=" + string(page.Day) + "&to=" + string(page.Day)
	}
	return nil
}

// dayStanding is what else is in front of a signer, and whether they can sign.
func (a *Area) dayStanding(c *fiber.Ctx, page *dayPage, interval models.ClosedDay, upTo time.Time) error {
	ctx := c.UserContext()
	standing, err := a.Store.DayStanding(ctx, interval.Until)
	if err != nil {
		return err
	}
	add := func(what, href, note string, badge views.Badge) {
		if !a.Opens(c, strings.Split(href, "?")[0]) {
			href = ""
		}
		page.Standing = append(page.Standing, views.HealthLine{What: what, Href: href, Badge: badge, Note: note})
	}
	line := func(what, href, note string, fine bool, word string) {
		badge := views.Waiting(word)
		if fine {
			badge = views.Quiet(word)
		}
		add(what, href, note, badge)
	}
	if standing.Checkpoint > 0 {
		line("Checkpoint", "/integrity", "Written after the day ended, and delivered.", true,
			"Number "+strconv.FormatInt(standing.Checkpoint, 10))
	} else {
		line("Checkpoint", "/integrity", "None has been written since the day ended.", false, "Missing")
	}
	run, verified, err := a.LastVerification(ctx)
	when := "Verified " + a.Clock(c, run.EndedAt) + "."
	if verified && !run.Report.AsOf.IsZero() {
		when = "Verified " + a.Clock(c, run.EndedAt) + ", on a replica."
	}
	switch {
	case err != nil:
		return err
	case !verified:
		line("Ledger", "/integrity", "It has never been verified.", false, "Not verified")
	case run.Faults > 0:
		line("Ledger", "/integrity", when, false, web.Several(run.Faults, "fault", "faults"))
	default:
		line("Ledger", "/integrity", when, true, "Whole")
	}
	line("Open cases", "/cases", "Of any day, now.", standing.OpenCases == 0, web.Grouped(standing.OpenCases))
	line("Grants of unknown outcome", "/free-spins", "Of any day, now.", standing.UnknownGrants == 0,
		web.Grouped(standing.UnknownGrants))

	may := page.Can(web.SignDays)
	for _, role := range models.DaySigners {
		row := signatureRow{Role: web.FirstUpper(string(role)), Badge: views.Plain("Not signed")}
		if s, signed := interval.SignedBy(role); signed {
			row.By, row.Note, row.Moment, row.Badge = s.By, s.Note, page.Time(s.At), views.Quiet("Signed")
			row.Saw = sawWords(s)
			if s.By == page.Reader.Username {
				may = false
			}
			if role == page.Reader.Role {
				may = false
			}
		}
		page.Signatures = append(page.Signatures, row)
	}
	ties, err := a.Store.Ties(ctx)
	if err != nil {
		return err
	}
	tied, err := a.TiedNote(ctx, &page.Page, interval.CheckSigner(a.Signer(c), ties), 0, page.Reader.Role)
	if err != nil {
		return err
	}
	switch {
	case !may:
	case tied != nil:
		page.Cannot = "You cannot sign it beside your colleague for now. " + strings.Join(tied.Because, " ") +
			" Another colleague of your role can."
	case upTo.Before(interval.Until.Add(models.DayRest)):
		page.Cannot = "It can be signed from " + page.Time(interval.Until.Add(models.DayRest)).Brief() +
			" in your zone, once what was under way at its end is booked."
	case slices.ContainsFunc(page.Control, func(r controlRow) bool { return !r.Agrees }):
		page.Cannot = "It cannot be signed while the control totals do not agree."
	default:
		page.Sign = true
	}
	return nil
}

// sawWords says what was in front of a signer.
func sawWords(s models.DaySignature) string {
	words := "no checkpoint"
	if s.Checkpoint > 0 {
		words = "checkpoint " + strconv.FormatInt(s.Checkpoint, 10)
	}
	return words + ", " + web.Several(s.OpenCases, "open case", "open cases") + ", " +
		web.Several(s.UnknownGrants, "grant of unknown outcome", "grants of unknown outcome")
}

// SignDay signs the figures that the form was shown with.
func (a *Area) SignDay(c *fiber.Ctx) error {
	day, err := theDay(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	_, err = a.Store.SignDay(c.UserContext(), a.Signer(c), day, web.Posted(c, "digest"), f.Text("note"))
	path := DayPath(day)
	var tied models.TiedError
	refused := func(title, do string) error {
		return a.Flash(c, path,
			views.Note{Kind: "wait", Icon: "warning", Title: title, Text: web.Sentence(err.Error()) + " " + do})
	}
	switch {
	case err == nil:
		return a.Done(c, path, "Signed for "+string(web.ReaderOf(c).Role)+". The day’s figures stay as they are from now on.")
	case errors.Is(err, models.ErrDayNote), errors.Is(err, models.ErrDayNoteLong):
		f.Refuse("note", err.Error())
		return a.showDay(c, f)
	case errors.Is(err, models.ErrDayMoved):
		return refused("Not signed", "Look at them as they are now.")
	case errors.Is(err, models.ErrSignerChanged), errors.Is(err, models.ErrDayBefore), errors.Is(err, models.ErrDayRuns),
		errors.Is(err, models.ErrDaySigned), errors.Is(err, models.ErrDaySigner), errors.Is(err, models.ErrDayGap),
		errors.Is(err, models.ErrDayUnbalanced), errors.As(err, &tied):
		return refused("Not signed", "Nothing has changed.")
	}
	return err
}

type dayLinesPage struct {
	web.Page
	Rows       []dayLineRow
	Player     views.Field
	Currencies []views.Choice
	Figures    []views.Choice
	Tests      []views.Choice
	Empty      views.Empty
	Next, Note string
}

type dayLineRow struct {
	models.DayLine
	Moment           views.Moment
	Href, PlayerHref string
	What             string
	Amount           views.Money
}

// DayLines lists what is behind a day's figure.
func (a *Area) DayLines(c *fiber.Ctx) error {
	day, err := theDay(c)
	if err != nil {
		return err
	}
	page := &dayLinesPage{Page: a.Page(c, "Lines of "+day.Format("2 Jan 2006"))}
	page.Crumbs = []views.Crumb{{Word: "Reports", Href: "/reports"}, {Word: string(day), Href: DayPath(day)}, {Word: "Lines"}}
	page.Lede = "The very lines of the ledger that the day’s figures are the sum of, by player and in their order."
	page.Exportable = a.MayExport(&page.Page, page.Path)
	f, nobody, err := a.dayLineFilter(c, page, day)
	if err != nil {
		return err
	}
	if nobody != nil {
		page.Empty = *nobody
		return a.Render(c, "reports/lines", page)
	}
	list, more, err := a.Store.DayLines(c.UserContext(), f)
	if err != nil {
		return err
	}
	for _, l := range list {
		row := dayLineRow{DayLine: l, Moment: page.Time(l.At), What: web.FirstUpper(l.Kind.String()),
			PlayerHref: things.PlayerPath(l.PlayerID), Amount: page.Signed(l.Amount, l.Currency)}
		if l.Transaction != 0 {
			row.Href = things.TransactionPath(l.Transaction)
		}
		row.Amount.Void = l.Spin
		page.Rows = append(page.Rows, row)
	}
	page.Note = web.Several(int64(len(list)), "line", "lines") + " shown"
	if more {
		last := list[len(list)-1]
		place := strconv.FormatInt(last.PlayerID, 10) + "." + strconv.FormatInt(last.Seq, 10)
		if last.Spin {
			place = "s" + place
		}
		page.Next = page.With("after", place)
	}
	page.Empty = views.Empty{Title: "No line is behind it", Text: "Nothing was booked on this day that passes these filters.",
		Links: []views.Link{{Word: "The day", Href: DayPath(day), Main: true}}}
	return a.Render(c, "reports/lines", page)
}

// dayLineFilter reads the filters from the address, and the place among the lines. A player whom there is none of is said in
// place of the list.
func (a *Area) dayLineFilter(c *fiber.Ctx, page *dayLinesPage,
	day models.Day) (f models.DayLineFilter, nobody *views.Empty, err error) {
	words := []string{"", "All"}
	for _, figure := range models.Figures {
		words = append(words, string(figure), web.FirstUpper(figure.String()))
	}
	f = models.DayLineFilter{Day: day, Limit: lineRows}
	var figure, test string
	figure, page.Figures = page.Choice("figure", "Figure", words)
	f.Figure = models.Figure(figure)
	test, page.Tests = page.Choice("test", "Test players", testWords)
	f.Test = testFilters[test]
	if f.Currency, page.Currencies, err = a.CurrencyFilter(c.UserContext(), &page.Page); err != nil {
		return f, nil, err
	}
	page.Player = page.FilterField("player", "Player")
	page.Player.Picker = "player"
	player, nobody, err := a.PlayerFilter(c, &page.Page)
	if err != nil {
		return f, nil, err
	}
	f.PlayerID = player.ID
	if text := page.Params.Get("after"); text != "" {
		text, spin := strings.CutPrefix(text, "s")
		at, err := models.ParseCursor(text)
		if err != nil {
			return f, nil, web.BadAddress("It names a place in the list that does not exist.")
		}
		f.After = models.LinePlace{Spin: spin, PlayerID: at.At.UnixMicro(), Seq: at.ID}
	}
	return f, cmp.Or(page.Unread(), nobody), nil
}

// ExportDayLines writes the lines that a day's figures are the sum of, in the order of the page.
func (a *Area) ExportDayLines(c *fiber.Ctx, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &dayLinesPage{Page: p}
	day, _ := web.Matched(web.LinesList, p.Path)
	page.Chips = append(page.Chips, views.Chip{Label: "Day", Value: day}) // which the page says by its title
	f, nobody, err := a.dayLineFilter(c, page, models.Day(day))
	f.Limit = web.ExportPage
	const money, stakes = "Sum of the lines in money", "Stakes of free spins, never money"
	total := export.NewSums(money, stakes)
	return export.List{
		Columns: []export.Column{
			{Name: "Time", Kind: export.Time}, {Name: "What"}, {Name: "Player"}, {Name: "Test player", Kind: export.Flag},
			{Name: "In the free-spin ledger", Kind: export.Flag},
			{Name: "Line", Kind: export.Number}, {Name: "Transaction", Kind: export.Number}, {Name: "Transaction ID"},
			{Name: "Round ID"}, {Name: "Amount", Kind: export.Money}, {Name: "Currency"},
		},
		Sums: total.List,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			f := f
			for {
				list, more, err := a.Store.DayLines(ctx, f)
				if err != nil {
					return err
				}
				rows := make([]export.Row, len(list))
				for i, l := range list {
					label := money
					if l.Spin {
						label = stakes
					}
					total.AddAmount(l.Currency, label, l.Amount)
					rows[i] = export.Row{
						l.At, web.FirstUpper(l.Kind.String()), string(l.UserID), l.Test, l.Spin, l.Seq,
						export.NumberOrNone(l.Transaction), string(l.TransactionID), string(l.RoundID), l.Amount,
						string(l.Currency),
					}
				}
				if err := next(export.Page{Rows: rows}); err != nil || !more {
					return err
				}
				last := list[len(list)-1]
				f.After = models.LinePlace{Spin: last.Spin, PlayerID: last.PlayerID, Seq: last.Seq}
			}
		},
	}, page.Chips, nobody, err
}
