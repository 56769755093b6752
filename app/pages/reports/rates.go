package reports

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Figures from outside on which reports depend: exchange rates and theoretical returns of games. One person types them as lines
// or uploads a file. A second person sees what they would change and where they differ a lot, and confirms them.

const (
	ratesPath   = "/reports/rates"
	returnsPath = "/reports/returns"
	ratesShown  = 31     // days
	maxTyped    = 60_000 // bytes of typed lines, or of a file instead of them
)

// figuresPage is the page with a form for lines of figures.
type figuresPage struct {
	web.Page
	pages.ChangeForm
	Lines   views.Field
	InBase  models.Currency
	NewBase views.Field
	ForBase pages.SecondForm
	Rates   table             // the rates of the latest days
	Games   int               // how many games have a theoretical return
	Bad     *views.BadLines   // the bad ones among the lines that were sent
	File    string            // the file whose lines were sent; empty if they were typed
	Kept    []views.Hidden    // that file, to be sent again
	Changed *pages.LastChange // the last change of the base currency or of the returns
}

// typedLines returns the typed lines, or the file that was chosen instead.
func typedLines(c *fiber.Ctx, f *web.Form, about sheet.Subject) (read web.ReadFile, err error) {
	if read, err = web.Upload(c, f, maxTyped); len(read.Content) == 0 {
		read.Name, read.Content = "Typed lines.csv", []byte(f.Text("lines"))
	}
	read.About = about
	if wrong := f.Wrong["file"]; wrong != "" {
		f.Refuse("lines", wrong)
	}
	return read, err
}

// refuseLines refuses the lines if some cannot be used, unless the reader skips those. err says why none can be read.
func (p *figuresPage) refuseLines(c *fiber.Ctx, f *web.Form, read web.ReadFile, err error) error {
	if err != nil {
		f.Refuse("lines", web.Sentence(err.Error()))
		return nil
	}
	if len(read.Bad) == 0 || read.Skips(f) {
		return nil
	}
	wrong := web.Sentence(read.Bad[0].Error())
	if more := len(read.Bad) - 1; more > 0 {
		wrong += " " + web.Several(int64(more), "more line has an error.", "more lines have errors.")
	}
	f.Refuse("lines", wrong)
	if p.Bad, err = read.Shown(c.UserContext(), "figures", c.Path()); read.Name != "Typed lines.csv" {
		p.File, p.Kept = read.Name, read.Kept()
	}
	return err
}

// Rates shows the exchange rates of the latest days, and the form for entering more.
func (a *Area) Rates(c *fiber.Ctx) error { return a.showRates(c, web.NewForm(c), &figuresPage{}) }

func (a *Area) showRates(c *fiber.Ctx, f *web.Form, page *figuresPage) error {
	ctx := c.UserContext()
	page.Page = a.Page(c, "")
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
	page.InBase = rates.Base
	page.NewBase = f.Field(views.Field{Name: "base", Value: string(rates.Base), Required: true, Autocomplete: "off",
		Placeholder: "EUR"})
	page.NewBase.Value = cmp.Or(page.NewBase.Value, string(rates.Base)) // the form for rates does not send it
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

// RequestRates requests new rates.
func (a *Area) RequestRates(c *fiber.Ctx) error {
	f, page := web.NewForm(c), &figuresPage{}
	read, err := typedLines(c, f, sheet.OfRates)
	if err != nil {
		return err
	}
	list, bad, err := sheet.ReadRates(c.UserContext(), bytes.NewReader(read.Content)) // one bad line must not stop the others
	read.Refuse(bad)
	if read.Good = len(list); f.Downloads() && err == nil {
		return a.SendBadLines(c, read)
	}
	if err := page.refuseLines(c, f, read, err); err != nil {
		return err
	}
	f.Skipped = read.Skipped()
	of := models.RateSheet{Rates: list}
	if f.Ok() {
		if err := a.prepareRates(c.UserContext(), f, &of); err != nil {
			return err
		}
	}
	return a.SendChange(c, f, ratesPath, models.ChangeRates, of, func(c *fiber.Ctx) error { return a.showRates(c, f, page) })
}

// prepareRates adds to new rates what was known before them.
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
		known.Add(r, 0) // later days compare with this rate
	}
	return nil
}

// RequestBase requests a change of the base currency.
func (a *Area) RequestBase(c *fiber.Ctx) error {
	f := web.NewForm(c)
	base, err := models.ParseCurrency(strings.ToUpper(f.Text("base")))
	if err != nil {
		f.Refuse("base", web.Sentence(err.Error()))
	}
	return a.SendChange(c, f, ratesPath, models.ChangeBaseCurrency, base,
		func(c *fiber.Ctx) error { return a.showRates(c, f, &figuresPage{}) })
}

// GameReturns shows the theoretical returns of games, and the form for changing them.
func (a *Area) GameReturns(c *fiber.Ctx) error {
	return a.showReturns(c, web.NewForm(c), &figuresPage{})
}

func (a *Area) showReturns(c *fiber.Ctx, f *web.Form, page *figuresPage) error {
	page.Page = a.Page(c, "")
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

// RequestReturns requests new theoretical returns.
func (a *Area) RequestReturns(c *fiber.Ctx) error {
	f, page := web.NewForm(c), &figuresPage{}
	read, err := typedLines(c, f, sheet.OfReturns)
	if err != nil {
		return err
	}
	returns, bad, err := sheet.ReadGameReturns(c.UserContext(), bytes.NewReader(read.Content))
	read.Refuse(bad)
	if read.Good = len(returns); f.Downloads() && err == nil {
		return a.SendBadLines(c, read)
	}
	// The lines replace all returns. If some lines were skipped, their games would have no return, and the ranking would not
	// show how far those games are off.
	read.Whole = "The lines replace all returns, so nothing is requested until every line is correct."
	if err := page.refuseLines(c, f, read, err); err != nil {
		return err
	}
	if err := returns.Check(); err != nil {
		f.Refuse("lines", web.Sentence(err.Error()))
	}
	return a.SendChange(c, f, returnsPath, models.ChangeGameReturns, returns,
		func(c *fiber.Ctx) error { return a.showReturns(c, f, page) })
}
