package players

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/answers"
	"pitboss/app/pages"
	"pitboss/app/paper"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The statement for a player has the same figures as the statement's page, in the player's language and without anything that
// only staff need. It is a page for printing, and a PDF.

// paperLines limits how many lines are printed.
const paperLines = 5000

// papers returns the addresses of a page's statement for printing, starting with the player's language.
func papers(page *web.Page, p models.Player) (list []paperLinks) {
	for _, code := range models.PlayerLanguages {
		query := page.With("language", code)
		query = query[strings.IndexByte(query, '?'):]
		path := pages.PlayerPath(p.ID) + "/statement/"
		list = append(list, paperLinks{answers.Name(code), code, path + "paper" + query, path + "pdf" + query})
	}
	slices.SortStableFunc(list, func(a, b paperLinks) int {
		if a.Code == p.Language {
			return -1
		}
		return map[bool]int{true: 1}[b.Code == p.Language]
	})
	return list
}

type paperLinks struct{ Name, Code, Page, PDF string }

type paperPage struct {
	web.Page
	Sheet         paper.Statement
	Back, PDFHref string
}

// paper reads the statement at the address. If a filter is invalid or the statement has too many lines, there is none, and the
// reader is redirected to the page that says so.
func (a *Area) paper(c *fiber.Ctx, p models.Player) (page *paperPage, there bool, err error) {
	page = &paperPage{Page: a.Page(c, "")}
	page.Knows("language")
	code := cmp.Or(page.Params.Get("language"), p.Language, models.PlayerLanguages[0])
	var l web.Listed
	st, err := a.statement(c.UserContext(), &page.Page, &l, p)
	if err != nil {
		return nil, false, err
	}
	query := page.Query
	page.Back = web.WithQuery(pages.PlayerPath(p.ID)+"/statement", web.Without(page.Params, append(web.PlaceNames, "language")...))
	page.PDFHref = web.WithQuery(pages.PlayerPath(p.ID)+"/statement/pdf", query)
	if l.Instead != nil || !slices.Contains(models.PlayerLanguages, code) {
		return nil, false, c.Redirect(page.Back, fiber.StatusSeeOther)
	}
	words := answers.In(code)
	money := func(formatted string) string { return words.Amount(formatted) + " " + string(p.Wallet.Currency) }
	point := func(word string, at models.LedgerPoint) paper.Fact {
		text := money(at.Balance.Grouped())
		if at.Held != 0 {
			text = words.Word("held", "{amount}", text, "{held}", money(at.Held.Grouped()))
		}
		return paper.Fact{Word: words.Word(word), Text: text, Main: true}
	}
	since, until := l.Dates.Since, l.Dates.Until
	if since.IsZero() {
		since = p.CreatedAt
	}
	if until.IsZero() || until.After(page.Now) {
		until = page.Now
	}
	moment := func(at time.Time) string { return words.Moment(at.In(page.Zone)) }
	s := paper.Statement{Language: code, Operator: cmp.Or(a.Operator, "Pitboss"), Title: words.Word("title"), Page: words.Word("page"),
		Facts: []paper.Fact{{Word: words.Word("player"), Text: string(p.UserID)},
			{Word: words.Word("period"), Text: moment(since) + " – " + moment(until)}, {Word: words.Word("zone"), Text: page.Zone.String()},
			{Word: words.Word("made"), Text: moment(page.Now)}},
		Sums: []paper.Fact{point("opening", st.Opening)}, Note: words.Word("nothing")}
	for _, line := range strings.Split(a.PostalAddress, ";") {
		if line = strings.TrimSpace(line); line != "" {
			s.About = append(s.About, line)
		}
	}
	if a.Support != "" {
		s.About = append(s.About, words.Word("support", "{contact}", a.Support))
	}
	for _, kind := range models.EntryKinds {
		if amount := st.Sums[kind]; amount != 0 {
			s.Sums = append(s.Sums, paper.Fact{Word: words.Word(kind.String()), Text: money(amount.Signed())})
		}
	}
	s.Sums = append(s.Sums, point("closing", st.Closing))
	for _, name := range []string{"time", "what", "transaction", "amount", "balance"} {
		s.Columns = append(s.Columns, words.Word(name))
	}
	lines, err := a.lines(p, st).Read(c.UserContext(), models.Span{Limit: paperLines})
	for _, e := range lines.Rows {
		s.Note = ""
		s.Lines = append(s.Lines, []string{e.At.In(page.Zone).Format(time.DateTime), words.Word(e.Kind.String()), string(e.TransactionID),
			words.Amount(e.Amount.Signed()), words.Amount(e.After.Grouped())})
	}
	if err == nil && lines.More {
		return nil, false, a.Flash(c, page.Back, views.Warning("The statement is too long to print", fmt.Sprintf(
			"It has more than %s lines. Choose fewer days, or export it as a file.", web.Grouped(paperLines))))
	}
	page.Sheet = s
	return page, err == nil, err
}

// StatementPaper shows the statement as a page for printing.
func (a *Area) StatementPaper(c *fiber.Ctx, p models.Player) error {
	page, there, err := a.paper(c, p)
	if err != nil || !there {
		return err
	}
	return a.Render(c, "players/paper", page, "paper")
}

// StatementPDF sends the statement as a PDF.
func (a *Area) StatementPDF(c *fiber.Ctx, p models.Player) error {
	page, there, err := a.paper(c, p)
	if err != nil || !there {
		return err
	}
	var file bytes.Buffer
	if err := page.Sheet.PDF(&file); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "application/pdf")
	c.Set(fiber.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="statement-%d-%s.pdf"`, p.ID, page.Now.In(page.Zone).Format(time.DateOnly)))
	return c.Send(file.Bytes())
}
