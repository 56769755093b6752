package reports

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Figures from outside that reports are calculated with: exchange rates, and theoretical returns of games. Both are typed as lines or
// read from a file, and requested. A second person, who sees what they change and where they differ much, confirms them.

const (
	ratesPath   = "/reports/rates"
	returnsPath = "/reports/returns"
	ratesShown  = 31 // days
	errorsShown = 5
	maxTyped    = 60_000 // bytes of typed lines, or of a file instead of them
)

// figuresPage is the page of a form of lines.
type figuresPage struct {
	web.Page
	pages.ChangeForm
	Lines   views.Field
	InBase  models.Currency
	NewBase views.Field
	ForBase pages.SecondForm
	Rates   table             // of the latest days
	Games   int               // how many games have a theoretical return
	Skips   bool              // lines with errors can be left out
	Changed *pages.LastChange // of the base currency, or of the returns
}

// typedLines returns the lines that were typed, or the file that was chosen instead.
func typedLines(c *fiber.Ctx, f *web.Form) io.ReadSeeker {
	sent, err := c.FormFile("file")
	if err != nil || sent.Size == 0 {
		return strings.NewReader(f.Text("lines"))
	}
	opened, err := sent.Open()
	if err != nil {
		f.Refuse("lines", "The file did not arrive completely. Choose it again.")
		return strings.NewReader("")
	}
	defer opened.Close()
	content, err := io.ReadAll(io.LimitReader(opened, maxTyped+1))
	if err != nil || len(content) > maxTyped {
		f.Refuse("lines", "The file has more than 60 KB.")
	}
	return bytes.NewReader(content)
}

// refuseLines refuses the lines that cannot be used.
func refuseLines(f *web.Form, bad []models.LineError, err error) {
	if err != nil {
		f.Refuse("lines", web.Sentence(err.Error()))
		return
	}
	var wrong []string
	for _, b := range bad[:min(len(bad), errorsShown)] {
		wrong = append(wrong, web.Sentence(b.Error()))
	}
	if more := len(bad) - errorsShown; more > 0 {
		wrong = append(wrong, web.Several(int64(more), "more line has an error.", "more lines have errors."))
	}
	if len(wrong) > 0 {
		f.Refuse("lines", strings.Join(wrong, " "))
	}
}

// Rates shows the exchange rates of the latest days, and the form for new ones.
func (a *Area) Rates(c *fiber.Ctx) error { return a.showRates(c, web.NewForm(c)) }

func (a *Area) showRates(c *fiber.Ctx, f *web.Form) error {
	ctx := c.UserContext()
	page := &figuresPage{Page: a.Page(c, "")}
	var err error
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, models.ChangeRates, models.ChangeBaseCurrency)
	if err != nil {
		return err
	}
	if page.Changed, err = a.LastChange(c, &page.Page, string(models.ChangeBaseCurrency)); err != nil {
		return err
	}
	today, err := a.Store.ReportToday(ctx)
	if err != nil {
		return err
	}
	rates, err := a.Store.Rates(ctx, today.Add(1-ratesShown), today)
	if err != nil {
		return err
	}
	currencies, err := a.Store.WalletCurrencies(ctx)
	if err != nil {
		return err
	}
	page.InBase, page.Skips = rates.Base, true
	page.NewBase = f.Field(views.Field{Name: "base", Value: string(rates.Base), Required: true, Autocomplete: "off",
		Placeholder: "EUR"})
	page.NewBase.Value = cmp.Or(page.NewBase.Value, string(rates.Base)) // the form with rates does not send it
	_, baseSent := f.Values()["base"]
	page.ForBase = page.Second(&page.Page, "base-", baseSent)
	empty := "day,currency,rate\n"
	for _, currency := range currencies {
		if _, known := rates.On(today.Add(-1), currency); !known {
			empty += fmt.Sprintf("%s,%s,\n", today.Add(-1), currency)
		}
	}
	page.Rates = table{Title: "Confirmed rates, newest first",
		Columns: []column{text("Day"), text("Currency"), number("Rate"), text("Confirmed by")}}
	for day := today; day > today.Add(-ratesShown); day = day.Add(-1) {
		for _, rate := range rates.OfDay(day) {
			confirmed := cell{Value: fmt.Sprint("Change ", rate.Request)}
			if page.Can(web.ReadSettings) {
				confirmed.Href = pages.ChangePath(rate.Request)
			}
			page.Rates.Rows = append(page.Rates.Rows,
				append(cells(day.Format("2 Jan 2006"), string(rate.Currency), rate.Rate.Rate.String()), confirmed))
		}
	}
	page.Lines = f.Field(views.Field{Name: "lines", Required: true, Max: maxTyped})
	page.Lines.Value = cmp.Or(page.Lines.Value, empty)
	return a.RenderForm(c, !f.Ok(), "reports/rates", page)
}

// RequestRates requests rates.
func (a *Area) RequestRates(c *fiber.Ctx) error {
	f := web.NewForm(c)
	list, bad, err := sheet.ReadRates(c.UserContext(), typedLines(c, f)) // one bad line must not keep back the others
	if f.Text("skip") == "" || err != nil || len(list) == 0 {
		refuseLines(f, bad, err)
	}
	of := models.RateSheet{Rates: list}
	if f.Ok() {
		if err := a.prepareRates(c.UserContext(), f, &of); err != nil {
			return err
		}
	}
	return a.SendChange(c, f, ratesPath, models.ChangeRates, of, func() error { return a.showRates(c, f) })
}

// prepareRates adds to rates what was known before them.
func (a *Area) prepareRates(ctx context.Context, f *web.Form, of *models.RateSheet) error {
	today, err := a.Store.ReportToday(ctx)
	if err != nil {
		return err
	}
	first := today
	for _, r := range of.Rates {
		first = min(first, r.Day)
		if r.Day > today {
			f.Refuse("lines", fmt.Sprintf("%s has not begun. Enter a rate on its day or later.", r.Day))
		}
	}
	known, err := a.Store.Rates(ctx, first.Add(-ratesShown), today)
	if err != nil {
		return err
	}
	if of.Base = known.Base; known.Base == "" {
		f.Refuse("lines", "Choose the base currency first.")
	}
	if err := of.Check(); err != nil {
		f.Refuse("lines", web.Sentence(err.Error()))
	}
	slices.SortFunc(of.Rates, func(a, b models.Rate) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Currency, b.Currency))
	})
	for i, r := range of.Rates {
		if now, there := known.On(r.Day, r.Currency); there {
			of.Rates[i].Replaces = now.Rate.Rate
		}
		if before, there := known.Before(r.Day, r.Currency); there {
			of.Rates[i].Before, of.Rates[i].BeforeDay = before.Rate.Rate, before.Day
		}
		known.Add(r, 0) // it is the one before those of later days
	}
	return nil
}

// RequestBase requests another base currency.
func (a *Area) RequestBase(c *fiber.Ctx) error {
	f := web.NewForm(c)
	base, err := models.ParseCurrency(strings.ToUpper(f.Text("base")))
	if err != nil {
		f.Refuse("base", web.Sentence(err.Error()))
	}
	return a.SendChange(c, f, ratesPath, models.ChangeBaseCurrency, base, func() error { return a.showRates(c, f) })
}

// GameReturns shows the theoretical returns of games, and the form to change them.
func (a *Area) GameReturns(c *fiber.Ctx) error { return a.showReturns(c, web.NewForm(c)) }

func (a *Area) showReturns(c *fiber.Ctx, f *web.Form) error {
	page := &figuresPage{Page: a.Page(c, "")}
	var err error
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, models.ChangeGameReturns)
	if err != nil {
		return err
	}
	if page.Changed, err = a.LastChange(c, &page.Page, string(models.ChangeGameReturns)); err != nil {
		return err
	}
	now, err := a.Store.GameReturns(c.UserContext())
	if err != nil {
		return err
	}
	page.Games = len(now)
	page.Lines = f.Field(views.Field{Name: "lines", Required: true, Max: maxTyped})
	page.Lines.Value = cmp.Or(page.Lines.Value, now.Lines())
	return a.RenderForm(c, !f.Ok(), "reports/returns", page)
}

// RequestReturns requests theoretical returns.
func (a *Area) RequestReturns(c *fiber.Ctx) error {
	f := web.NewForm(c)
	returns, bad, err := sheet.ReadGameReturns(c.UserContext(), typedLines(c, f))
	refuseLines(f, bad, err)
	if err := returns.Check(); err != nil {
		f.Refuse("lines", web.Sentence(err.Error()))
	}
	return a.SendChange(c, f, returnsPath, models.ChangeGameReturns, returns, func() error { return a.showReturns(c, f) })
}
