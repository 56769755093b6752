package statements

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/reconcile"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page of one statement: what its newest comparison found, or an earlier one's.

type statementPage struct {
	web.Page
	Statement   models.Statement
	Run         models.StatementRun
	Under       bool
	State       string
	Meter       views.Meter
	At          string
	Note        *views.Note
	Edges       *views.Note
	Buckets     []bucketPart
	Sums        []sumRow
	Differences []differenceRow
	Shown       string // the bucket that is shown, in words
	Paging      views.Paging
	Together    string
	Cases       string // the address of its cases; empty where there are none, or none that the reader may read
	Empty       views.Empty
	Runs        []comparisonRow
	Details     []web.Definition
}

type bucketPart struct {
	Icon, Word, Count, Note, Href string
	Current                       bool
}

type sumRow struct {
	Currency                                     string
	TurnoverOurs, TurnoverTheirs, TurnoverDiffer string
	PayoutOurs, PayoutTheirs, PayoutDiffer       string
	TurnoverSame, PayoutSame                     bool
	Spins                                        string
}

type differenceRow struct {
	models.Difference
	Moment                 views.Moment
	What, Href, PlayerHref string
	Icon, Word             string
	OursState, Ours        string
	TheirsState, Theirs    string
	Remedy                 string
	Leave                  bool
	CaseHref               string
	OursThere, TheirsThere bool
}

type comparisonRow struct {
	models.StatementRun
	Href    string
	Moment  views.Moment
	Badge   views.Badge
	Current bool
	Words   string
}

// bucketNames are the buckets' names in addresses and their drawings.
var bucketNames = map[models.Bucket]string{
	models.Agrees: "agree", models.AmountDiffers: "amount", models.StateDiffers: "state", models.OnlyOurs: "ours",
	models.OnlyTheirs: "theirs",
}

func (a *Area) Detail(c *fiber.Ctx) error {
	st, err := a.theStatement(c)
	if err != nil {
		return err
	}
	page := &statementPage{Page: a.Page(c, statementTitle(st)), Statement: st}
	if page.Run, err = a.chosenRun(c, st, page.Params.Get("run")); err != nil {
		return err
	}
	run := page.Run
	page.State = strconv.Itoa(int(run.State))
	if c.Get("HX-Target") == "progress" && c.Query("state") != page.State {
		c.Set("HX-Refresh", "true") // the rest of the page has changed with it
		return c.SendStatus(fiber.StatusNoContent)
	}
	page.Crumbs = []views.Crumb{{Word: "Statements", Href: "/statements"}, {Word: strconv.FormatInt(st.ID, 10)}}
	page.Badges = []views.Badge{statementBadge(run)}
	page.Under = run.State == models.RunUnderWay || run.State == models.RunPaused
	page.Meter = views.Share(int64(run.Permille), 1000)
	page.At = phaseWords(run)
	page.Lede = statementLede(page)
	if err := a.statementActions(page); err != nil {
		return err
	}
	page.notes()
	if run.State == models.RunFinished {
		if err := a.statementResult(c, page); err != nil {
			return err
		}
	}
	if err := a.statementRuns(c, page); err != nil {
		return err
	}
	page.details()
	if run.Cases && run.Differences > 0 && a.HasPage("/cases") {
		readable := page.Can(web.ReadCases)
		if readable {
			page.Cases = "/cases?state=all&statement=" + strconv.FormatInt(st.ID, 10)
		}
	}
	if len(page.Differences) > 0 {
		if err := a.Viewed(c, "statement", st.ID); err != nil {
			return err
		}
	}
	return a.Render(c, "statements/statement", page)
}

func statementLede(p *statementPage) string {
	words := p.Statement.FileName
	if !p.Statement.Since.IsZero() {
		words += ", " + periodWords(p.Statement)
	}
	switch run := p.Run; {
	case run.State == models.RunFinished:
		return words + ". " + web.Several(run.Lines, "line", "lines") + " read in " + web.Lasted(run.Took) + "."
	case p.Under:
		return words + ". You can leave this page, it goes on."
	}
	return words + "."
}

func phaseWords(run models.StatementRun) string {
	if run.State == models.RunPaused {
		return "Paused"
	}
	switch run.Phase {
	case models.PhaseMatching:
		return "Looking ours up, " + web.Several(run.Theirs, "transaction", "transactions") + " of theirs so far"
	case models.PhaseWalking:
		return "Looking for ours without a line, " + web.Grouped(run.Ours) + " so far"
	case models.PhaseCases:
		return "Opening cases"
	}
	return "Reading the file, " + web.Several(run.Lines, "line", "lines") + " so far"
}

// statementActions adds what the reader may do.
func (a *Area) statementActions(page *statementPage) error {
	path, run := things.StatementPath(page.Statement.ID), page.Run
	may := page.Can(web.RunStatements)
	newest := run.ID == page.Statement.Run.ID
	if may && newest {
		switch {
		case run.State == models.RunUnderWay:
			page.Actions = append(page.Actions, views.Link{Word: "Pause", Href: path + "/pause", Icon: "pause", Post: true},
				views.Link{Word: "Stop", Href: path + "/stop", Post: true, Destroys: true})
		case run.State == models.RunPaused:
			page.Actions = append(page.Actions,
				views.Link{Word: "Go on", Href: path + "/resume", Icon: "play", Post: true, Main: true},
				views.Link{Word: "Stop", Href: path + "/stop", Post: true, Destroys: true})
		case page.Statement.Kept() && run.ID == 0:
			page.Actions = append(page.Actions, views.Link{Word: "Say how it is read", Href: path + "/reading", Main: true})
		case page.Statement.Kept():
			page.Actions = append(page.Actions, views.Link{Word: "Read it differently", Href: path + "/reading"},
				views.Link{Word: "Run again", Href: path + "/runs", Icon: "again", Post: true})
		}
	}
	if run.State == models.RunFinished {
		page.Actions = append(page.Actions,
			views.Link{Word: "Report", Href: web.WithQuery(path+"/report.csv", runQuery(page)), Icon: "download", Main: true})
	}
	return nil
}

// runQuery keeps the address at an earlier run.
func runQuery(p *statementPage) string {
	if p.Run.ID == p.Statement.Run.ID {
		return ""
	}
	return "run=" + strconv.FormatInt(p.Run.ID, 10)
}

// notes adds what a reader has to know before they trust the figures.
func (p *statementPage) notes() {
	run, path := p.Run, things.StatementPath(p.Statement.ID)
	switch {
	case run.State == models.RunFailed:
		p.Note = &views.Note{Kind: "wait", Icon: "warning", Title: "It could not be compared", Text: run.Failure}
		if run.BadLines > 0 {
			p.Note.Links = []views.Link{{Word: "Look at these lines", Href: web.WithQuery(path+"/lines", runQuery(p))}}
		}
	case run.State == models.RunFinished && run.BadLines > 0:
		p.Note = &views.Note{
			Kind: "wait", Icon: "warning", Title: web.Several(run.BadLines, "line", "lines") + " could not be read",
			Text:  "The others were compared. What stands in these lines is missing from theirs: it may show as only ours.",
			Links: []views.Link{{Word: "Look at these lines", Href: web.WithQuery(path+"/lines", runQuery(p))}},
		}
	}
	switch {
	case run.State != models.RunFinished:
	case p.Statement.Ends().Before(p.Statement.Until):
		p.Edges = &views.Note{
			Icon: "clock", Title: "The period was not over when the file was uploaded",
			Text: fmt.Sprintf("What we booked after %s is not held against it, and what we booked less than %.0f minutes "+
				"before and it lacks is left aside: %s. Upload the file of the whole period once it is over.",
				p.Time(p.Statement.At).Brief(), p.Statement.Margin.Minutes(),
				web.Several(run.Edges, "transaction", "transactions")),
		}
	case run.Edges > 0:
		p.Edges = &views.Note{
			Icon: "clock", Title: web.Several(run.Edges, "transaction", "transactions") + " of ours near an edge of the period",
			Text: fmt.Sprintf("Without a line here, and within %.0f minutes of where the period begins or ends: by the "+
				"platform’s clock they may stand in the neighbouring statement. They are left aside, with no case. If that "+
				"statement lacks them too, they are differences there.", p.Statement.Margin.Minutes()),
		}
	}
}

// statementResult shows what a finished run found.
func (a *Area) statementResult(c *fiber.Ctx, page *statementPage) error {
	run, path := page.Run, things.StatementPath(page.Statement.ID)
	shown := models.Bucket(0)
	name := page.Params.Get("bucket")
	for _, b := range models.Buckets {
		part := bucketPart{Icon: bucketNames[b], Word: web.FirstUpper(b.String()),
			Href:    web.WithQuery(path, strings.Trim(runQuery(page)+"&bucket="+bucketNames[b], "&")),
			Current: name == bucketNames[b]}
		if part.Current {
			shown, page.Shown = b, b.String()
			part.Href = web.WithQuery(path, runQuery(page))
		}
		var n int64
		var by []string
		for _, s := range run.Sums {
			if s.Bucket == b && !s.Edge {
				n += s.Count
				by = append(by, web.Grouped(s.Count)+" "+reconcile.CurrencyWord(s.Currency))
			}
		}
		part.Count = web.Grouped(n)
		switch {
		case b == models.Agrees && run.Theirs > 0:
			part.Note = fmt.Sprintf("%.3f %% of theirs", 100*float64(n)/float64(run.Theirs))
		case b != models.Agrees:
			part.Note = strings.Join(by[:min(len(by), 3)], ", ")
			if len(by) > 3 {
				part.Note += " and others"
			}
		}
		page.Buckets = append(page.Buckets, part)
	}
	page.sums()
	at, err := page.Place()
	if err != nil {
		return err
	}
	if shown != models.Agrees {
		list, more, err := a.Store.Differences(c.UserContext(),
			models.DifferenceFilter{RunID: run.ID, Bucket: shown, After: at, Limit: differenceRows})
		if err != nil {
			return err
		}
		for _, d := range list {
			row, err := a.differenceRow(page, d)
			if err != nil {
				return err
			}
			page.Differences = append(page.Differences, row)
		}
		page.Paging.Note = fmt.Sprintf("%d of %s", len(list), web.Grouped(run.Differences+run.Edges))
		if more {
			page.Paging.Older = page.With("after", list[len(list)-1].Place().String())
		}
		if !at.IsZero() {
			page.Paging.Newer = web.WithQuery(page.Path, page.Query)
		}
	}
	switch {
	case shown == models.Agrees:
		page.Empty = views.Empty{Title: "What agrees is not listed",
			Text: "These stand in both books alike: the amount, the state, and all else that the file says. Look one up by " +
				"its ID."}
		if silent := run.Silent(); silent > 0 {
			page.Empty.Text += " Not counted here, and no difference either: " +
				web.Several(silent, "transaction", "transactions") + " in one book only, rolled back or failed there."
		}
	case run.Differences == 0 && run.BadLines > 0:
		page.Empty = views.Empty{Title: "No differences in the lines that could be read",
			Text: web.Several(run.BadLines, "line", "lines") +
				" could not be read, so the comparison is not complete. Correct the file and upload it again."}
	case run.Differences == 0:
		page.Empty = views.Empty{Title: "The two books agree",
			Text: "Every line that moved money is the same in both books, and neither lacks one."}
	default:
		page.Empty = views.Empty{Title: "None in this bucket", Text: "The others hold what differs."}
	}
	return nil
}

// sums adds the sums per currency, and what would be done with all of them.
func (p *statementPage) sums() {
	type both struct{ ours, theirs models.BookSum }
	totals, order := map[models.Currency]*both{}, []models.Currency{}
	remedies := map[models.Remedy][]string{}
	for _, s := range p.Run.Sums {
		if s.Edge {
			continue
		}
		t := totals[s.Currency]
		if t == nil {
			t = &both{}
			totals[s.Currency], order = t, append(order, s.Currency)
		}
		t.ours, t.theirs = t.ours.Plus(s.Ours), t.theirs.Plus(s.Theirs)
	}
	for _, currency := range order {
		t := totals[currency]
		row := sumRow{
			Currency: reconcile.CurrencyWord(currency), TurnoverOurs: t.ours.Turnover.Grouped(),
			TurnoverTheirs: t.theirs.Turnover.Grouped(), TurnoverDiffer: t.ours.Turnover.Minus(t.theirs.Turnover).Signed(),
			PayoutOurs: t.ours.Payout.Grouped(), PayoutTheirs: t.theirs.Payout.Grouped(),
			PayoutDiffer: t.ours.Payout.Minus(t.theirs.Payout).Signed(),
			TurnoverSame: t.ours.Turnover == t.theirs.Turnover, PayoutSame: t.ours.Payout == t.theirs.Payout,
		}
		if !t.ours.SpinStakes.IsZero() || !t.theirs.SpinStakes.IsZero() {
			row.Spins = t.ours.SpinStakes.Grouped() + " / " + t.theirs.SpinStakes.Grouped()
		}
		p.Sums = append(p.Sums, row)
		sum := func(remedy models.Remedy, of func(models.StatementSum) models.Sum) {
			var total models.Sum
			for _, s := range p.Run.Sums {
				if s.Currency == currency && !s.Edge {
					total = total.Plus(of(s))
				}
			}
			if !total.IsZero() {
				remedies[remedy] = append(remedies[remedy], total.Grouped()+" "+reconcile.CurrencyWord(currency))
			}
		}
		sum(models.RemedyGiveBack, func(s models.StatementSum) models.Sum { return s.GiveBack })
		sum(models.RemedyCredit, func(s models.StatementSum) models.Sum { return s.Credit })
		sum(models.RemedyDebit, func(s models.StatementSum) models.Sum { return s.Debit })
	}
	var parts []string
	for _, r := range []models.Remedy{models.RemedyGiveBack, models.RemedyCredit, models.RemedyDebit} {
		if len(remedies[r]) > 0 {
			parts = append(parts, r.String()+" "+web.InWords(remedies[r]))
		}
	}
	if len(parts) > 0 {
		p.Together = "Together, if theirs is right: " + strings.Join(parts, "; ") + "."
	}
}

func (a *Area) differenceRow(page *statementPage, d models.Difference) (differenceRow, error) {
	row := differenceRow{Difference: d, Moment: page.Time(d.At), What: web.FirstUpper(d.Kind.String()),
		Icon: bucketNames[d.Bucket], Word: web.FirstUpper(d.Bucket.String()), OursThere: d.Ours.There,
		TheirsThere: d.Theirs.There}
	if d.At.IsZero() {
		row.Moment = views.Moment{}
	}
	if d.FreeSpin {
		row.What = "Free spin"
	}
	if d.OurNumber != 0 {
		row.Href = things.TransactionPath(d.OurNumber)
	}
	if d.PlayerID != 0 {
		row.PlayerHref = things.PlayerPath(d.PlayerID)
	}
	if d.Edge {
		row.Word += ", at an edge"
	}
	row.Ours, row.Theirs = sideAmount(d.Ours), sideAmount(d.Theirs)
	if d.Bucket == models.StateDiffers {
		row.OursState, row.TheirsState = d.Ours.Standing.String(), d.Theirs.Standing.String()
	}
	row.Remedy = remedyWords(d)
	row.Leave = d.Edge || d.Remedy == models.RemedyLeave || d.Remedy == models.RemedyNone
	if d.CaseID != 0 && a.HasPage("/cases/:id") {
		readable := page.Can(web.ReadCases)
		if readable {
			row.CaseHref = web.PathOf("/cases", d.CaseID)
		}
	}
	return row, nil
}

// remedyWords says what would be done if the platform is right.
func remedyWords(d models.Difference) string {
	switch {
	case d.Edge:
		return "Left aside"
	case d.Remedy == models.RemedyNone, d.Remedy == models.RemedyLook:
		return web.FirstUpper(d.Remedy.String())
	}
	return strings.TrimSpace(web.FirstUpper(d.Remedy.String()) + " " + d.RemedyAmount.Grouped() + " " + string(d.Currency))
}

// statementRuns lists how often the statement was compared, and what had been settled by then.
func (a *Area) statementRuns(c *fiber.Ctx, page *statementPage) error {
	runs, err := a.Store.StatementRuns(c.UserContext(), page.Statement.ID, runRows)
	if err != nil {
		return err
	}
	for _, run := range runs {
		row := comparisonRow{StatementRun: run, Moment: page.Time(run.At), Badge: statementBadge(run),
			Current: run.ID == page.Run.ID, Href: things.StatementPath(page.Statement.ID)}
		if run.ID != page.Statement.Run.ID {
			row.Href += "?run=" + strconv.FormatInt(run.ID, 10)
		}
		if run.Before != 0 {
			row.Words = web.Grouped(run.Settled) + " settled, " + web.Grouped(run.New) + " new"
		}
		page.Runs = append(page.Runs, row)
	}
	return nil
}

// details are what the statement is.
func (p *statementPage) details() {
	st := p.Statement
	p.Details = []web.Definition{
		{Label: "Uploaded", Value: p.Time(st.At).Brief() + " by " + st.Actor}, {Label: "Size", Value: web.SizeWords(st.Bytes)},
		{Label: "SHA-256", ID: &views.ID{Text: st.Digest, Kind: "SHA-256", Short: true}},
	}
	if !st.Since.IsZero() {
		p.Details = append(p.Details, web.Definition{Label: "Read as", Value: st.Layout.Words()},
			web.Definition{Label: "Margin", Value: fmt.Sprintf("%.0f minutes", st.Margin.Minutes())})
	}
	if !st.Kept() {
		p.Details = append(p.Details, web.Definition{Label: "File", Value: "not kept here"})
	}
}

// reportTime is how long a report may take to be sent.
const reportTime = 10 * time.Minute

// StatementReport sends what a run found as CSV, of any length.
func (a *Area) StatementReport(c *fiber.Ctx) error {
	st, err := a.theStatement(c)
	if err != nil {
		return err
	}
	run, err := a.chosenRun(c, st, c.Query("run"))
	if err != nil {
		return err
	}
	if run.State != models.RunFinished {
		return web.NotFound("report yet: the comparison has no result")
	}
	if err := a.Viewed(c, "statement", st.ID); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="pitboss-statement-%d-run-%d.csv"`, st.ID, run.ID))
	c.Context().SetBodyStreamWriter(func(to *bufio.Writer) {
		ctx, cancel := context.WithTimeout(context.Background(), reportTime)
		defer cancel()
		if err := reconcile.WriteReport(ctx, a.Store, to, st, run); err != nil {
			a.Log.Warn("a report was cut off", "statement", st.ID, "run", run.ID, "err", err)
		}
	})
	return nil
}
