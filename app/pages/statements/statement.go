package statements

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// A statement's page shows what the newest comparison, or an earlier one, found.

type statementPage struct {
	differencesPage
	Days, Times string // its period; empty until somebody enters it
	Newest      bool   // Run is the statement's newest comparison
	web.Progress
	Buckets  map[string]int64 // the number of transactions in each bucket
	Compared int64            // transactions that moved money in at least one book
	Totals   []currencyTotals
	Cases    bool // the comparison opened cases that the reader may read
	Runs     []comparisonRow
	Others   []statementRow // other statements of the same period
}

// currencyTotals are the sums of both books in one currency, and the differences between them.
type currencyTotals struct {
	Currency     string
	Spins        string // free-spin stakes, ours and theirs; empty if there are none
	Theirs, Ours moneyTotals
	Differences  []moneyTotals
}

// moneyTotals are the sums of a book or, for a bucket, our sums minus theirs.
type moneyTotals struct {
	Cash                  bool // turnover means cash-outs, and wins mean deposits
	Bucket                models.Bucket
	Turnover, Wins, Moved string
}

type comparisonRow struct {
	models.StatementRun
	Href    string
	Badge   views.Badge
	Current bool
}

// bucketWords describes a bucket. Its fields have no names where they are set, so that none can be left out. {other} stands for
// the other side.
type bucketWords struct{ Name, Icon, Word, Heading string }

// buckets lists the buckets in the order of the page.
var buckets = []bucketWords{
	{"agree", "agree", "Match", "Match"},
	{"amount", "amount", "Details differ", "Differences: details"},
	{"state", "state", "State differs", "Differences: state"},
	{"ours", "ours", "Missing at {other}", "Differences: missing at {other}"},
	{"theirs", "theirs", "Missing here", "Differences: missing here"},
	{silent, "", "No financial effect", "No financial effect"},
}

// Words returns the words for all buckets.
func (p *statementPage) Words() []bucketWords {
	list := slices.Clone(buckets)
	for i := range list {
		list[i].Word, list[i].Heading = p.named(list[i].Word), p.named(list[i].Heading)
	}
	return list
}

// ListHeading returns the heading above the list of differences.
func (p *statementPage) ListHeading() string {
	for _, b := range p.Words() {
		if b.Name == p.Shown {
			return b.Heading
		}
	}
	return "Differences"
}

// named replaces {other} in a text with the name of the other side.
func (p *statementPage) named(text string) string {
	return strings.ReplaceAll(text, "{other}", p.Other())
}

func (a *Area) Detail(c *fiber.Ctx, st models.Statement) (err error) {
	page := &statementPage{differencesPage: differencesPage{ListPage: web.ListPage{Page: a.Page(c, "")}, Statement: st},
		Days: periodDays(st), Times: periodTimes(st)}
	if page.Run, err = a.chosenRun(c.UserContext(), st, page.Params.Get("run")); err != nil {
		return err
	}
	run := page.Run
	page.Progress = web.NewProgress(pages.StatementPath(st.ID), run.State, views.Share(int64(run.Permille), 1000))
	if page.Reload(c) {
		return nil
	}
	page.Badges = []views.Badge{pages.StatementBadge(run)}
	page.Newest = run.ID == st.Run.ID
	if run.State == models.JobFinished {
		if err := a.statementResult(c, page); err != nil {
			return err
		}
	}
	if err := a.statementRuns(c, page); err != nil {
		return err
	}
	if page.Others, err = a.samePeriod(c.UserContext(), st); err != nil {
		return err
	}
	page.Cases = run.Cases && run.Differences > 0 && page.Can(web.ReadCases)
	return a.Render(c, "statements/statement", page)
}

// Bucket returns the address of this page with only one bucket shown, or with all if that bucket is the one shown now.
func (p *statementPage) Bucket(name string) string {
	if name == p.Shown {
		return web.WithQuery(pages.StatementPath(p.Statement.ID), runQuery(p))
	}
	return web.WithQuery(pages.StatementPath(p.Statement.ID), strings.Trim(runQuery(p)+"&bucket="+name, "&"))
}

// Early reports whether the file was uploaded before its period was over.
func (p *statementPage) Early() bool { return p.Statement.Ends().Before(p.Statement.Until) }

// TheirsCompared returns how many transactions of the other side were compared: those that moved money in at least one book.
func (p *statementPage) TheirsCompared() int64 { return p.Compared - p.Buckets["ours"] }

// Share returns the percentage of the other side's compared transactions that match. It is below 100 unless all of them match.
func (p *statementPage) Share() string {
	matched := p.Buckets["agree"]
	if matched == p.TheirsCompared() {
		return "100"
	}
	return fmt.Sprintf("%.3f", min(99.999, 100*float64(matched)/float64(p.TheirsCompared())))
}

// runQuery returns the query that selects an earlier comparison, or "" for the newest.
func runQuery(p *statementPage) string {
	if p.Newest {
		return ""
	}
	return "run=" + strconv.FormatInt(p.Run.ID, 10)
}

// totals adds up the compared transactions by currency.
func (page *statementPage) totals() {
	sums, cash := map[models.Currency]map[models.Bucket]models.StatementSum{}, page.Statement.ClientID != 0
	for _, s := range page.Run.Sums {
		if s.Edge {
			continue
		}
		if sums[s.Currency] == nil {
			sums[s.Currency] = map[models.Bucket]models.StatementSum{}
		}
		sums[s.Currency][s.Bucket] = s
	}
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		row := currencyTotals{Currency: currencyWord(currency)}
		var theirs, ours models.BookSum
		for _, bucket := range models.Buckets {
			s := sums[currency][bucket]
			theirs, ours = theirs.Add(s.Theirs), ours.Add(s.Ours)
			if s.Ours.Turnover != s.Theirs.Turnover || s.Ours.Payout != s.Theirs.Payout {
				row.Differences = append(row.Differences, moneyTotals{cash, bucket, s.Ours.Turnover.Sub(s.Theirs.Turnover).Signed(),
					s.Ours.Payout.Sub(s.Theirs.Payout).Signed(), s.Ours.Moved().Sub(s.Theirs.Moved()).Signed()})
			}
		}
		row.Theirs = moneyTotals{cash, 0, theirs.Turnover.Grouped(), theirs.Payout.Grouped(), theirs.Moved().Signed()}
		row.Ours = moneyTotals{cash, 0, ours.Turnover.Grouped(), ours.Payout.Grouped(), ours.Moved().Signed()}
		if ours.SpinStakes != 0 || theirs.SpinStakes != 0 {
			row.Spins = ours.SpinStakes.Grouped() + " / " + theirs.SpinStakes.Grouped()
		}
		page.Totals = append(page.Totals, row)
	}
}

// statementResult reads what a finished comparison found.
func (a *Area) statementResult(c *fiber.Ctx, page *statementPage) error {
	run := page.Run
	page.Buckets = map[string]int64{silent: run.Silent()}
	for _, b := range models.Buckets {
		name := bucketNames[b]
		n := int64(0)
		for _, s := range run.Sums {
			if s.Bucket == b && !s.Edge {
				n += s.Count
			}
		}
		page.Buckets[name] = n
		page.Compared += n
	}
	page.totals()
	_, err := a.differences(page.Other()).Show(c.UserContext(), &page.differencesPage)
	return err
}

// currencyWord returns a currency for display. The currency is unknown if neither the line nor its player tells it.
func currencyWord(c models.Currency) string {
	if c == "" {
		return "of no known currency"
	}
	return string(c)
}

// statementRuns lists the comparisons of a statement.
func (a *Area) statementRuns(c *fiber.Ctx, page *statementPage) error {
	runs, err := a.Store.StatementRuns(c.UserContext(), page.Statement.ID, runRows)
	if err != nil {
		return err
	}
	for _, run := range runs {
		row := comparisonRow{StatementRun: run, Badge: pages.StatementBadge(run),
			Current: run.ID == page.Run.ID, Href: pages.StatementPath(page.Statement.ID)}
		if run.ID != page.Statement.Run.ID {
			row.Href += "?run=" + strconv.FormatInt(run.ID, 10)
		}
		page.Runs = append(page.Runs, row)
	}
	return nil
}
