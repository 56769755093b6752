package reports

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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

// Figures from outside that reports are calculated with: exchange rates, and theoretical returns of games. Both are typed as lines,
// checked, shown with their doubts, and requested; a second person confirms them.

const (
	ratesPath   = "/reports/rates"
	returnsPath = "/reports/returns"
	ratesShown  = 31 // days
	errorsShown = 5
	maxTyped    = 60_000 // bytes of typed lines
)

// figuresPage is the page of a form of lines.
type figuresPage struct {
	web.Page
	pages.ChangeForm
	Lines   views.Field
	Checked string         // the digest of the lines, once they were checked; empty before
	Preview []views.Change // what the lines say, with what was before
	Doubts  int            // rates that differ much, or that have none before

	InBase     models.Currency
	NewBase    views.Field
	BaseReason views.Field
	Rates      table // of the latest days
	Games      int   // how many games have a theoretical return
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

// requestFigures requests a value that was shown before, or shows it. lines is its text in the form.
func (a *Area) requestFigures(c *fiber.Ctx, f *web.Form, path, lines string, subject models.ChangeSubject, value any,
	show func(checked string) error) error {
	digest := sha256.Sum256([]byte(lines))
	checked := hex.EncodeToString(digest[:])
	if !f.Ok() {
		return show("")
	}
	if f.Text("checked") != checked {
		return show(checked)
	}
	return a.SendChange(c, f, path, "reason", subject, value, func() error { return show(checked) })
}

// Rates shows the exchange rates of the latest days, and the form for new ones.
func (a *Area) Rates(c *fiber.Ctx) error {
	return a.showRates(c, web.NewForm(c), "", "", models.RateSheet{})
}

func (a *Area) showRates(c *fiber.Ctx, f *web.Form, lines, checked string, of models.RateSheet) error {
	ctx := c.UserContext()
	page := &figuresPage{Page: a.Page(c, "")}
	var err error
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, web.SetFigures, models.ChangeRates, models.ChangeBaseCurrency)
	if err != nil {
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
	page.NewBase.Value = cmp.Or(page.NewBase.Value, string(rates.Base)) // the form with rates does not send it
	page.BaseReason = page.Reason
	page.BaseReason.ID = "f-base-reason"
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
	page.Lines.Value, page.Checked = cmp.Or(lines, page.Lines.Value, empty), checked
	if checked != "" {
		page.Preview = pages.RateChanges(of)
		for _, r := range of.Rates {
			if r.Doubtful() {
				page.Doubts++
			}
		}
	}
	return a.RenderForm(c, !f.Ok(), "reports/rates", page)
}

// RequestRates checks rates and shows them, or requests them if they were shown.
func (a *Area) RequestRates(c *fiber.Ctx) error {
	f := web.NewForm(c)
	lines := f.Text("lines")
	list, bad, err := sheet.ReadRates(strings.NewReader(lines))
	refuseLines(f, bad, err)
	of := models.RateSheet{Rates: list}
	if f.Ok() {
		if lines, err = a.prepareRates(c.UserContext(), f, &of); err != nil {
			return err
		}
	}
	return a.requestFigures(c, f, ratesPath, lines, models.ChangeRates, of, func(checked string) error {
		return a.showRates(c, f, lines, checked, of)
	})
}

// prepareRates adds to rates what was known before them, and returns their lines.
func (a *Area) prepareRates(ctx context.Context, f *web.Form, of *models.RateSheet) (string, error) {
	today, err := a.Store.ReportToday(ctx)
	if err != nil {
		return "", err
	}
	first := today
	lines := "day,currency,rate\n"
	for _, r := range of.Rates {
		first = min(first, r.Day)
		lines += fmt.Sprintf("%s,%s,%s\n", r.Day, r.Currency, r.Rate)
		if r.Day > today {
			f.Refuse("lines", fmt.Sprintf("%s has not begun. A rate is known on its day at the earliest.", r.Day))
		}
	}
	known, err := a.Store.Rates(ctx, first.Add(-ratesShown), today)
	if err != nil {
		return "", err
	}
	if of.Base = known.Base; known.Base == "" {
		f.Refuse("lines", "Name the base currency first.")
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
	return lines, nil
}

// RequestBase requests another base currency.
func (a *Area) RequestBase(c *fiber.Ctx) error {
	f := web.NewForm(c)
	base, err := models.ParseCurrency(strings.ToUpper(f.Text("base")))
	if err != nil {
		f.Refuse("base", web.Sentence(err.Error()))
	}
	return a.SendChange(c, f, ratesPath, "reason", models.ChangeBaseCurrency, base,
		func() error { return a.showRates(c, f, "", "", models.RateSheet{}) })
}

// GameReturns shows the theoretical returns of games, and the form to change them.
func (a *Area) GameReturns(c *fiber.Ctx) error { return a.showReturns(c, web.NewForm(c), "", "", nil) }

func (a *Area) showReturns(c *fiber.Ctx, f *web.Form, lines, checked string, after models.GameReturns) error {
	page := &figuresPage{Page: a.Page(c, "")}
	var err error
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, web.SetFigures, models.ChangeGameReturns)
	if err != nil {
		return err
	}
	now, err := a.Store.GameReturns(c.UserContext())
	if err != nil {
		return err
	}
	page.Games = len(now)
	page.Lines = f.Field(views.Field{Name: "lines", Required: true, Max: maxTyped})
	page.Lines.Value, page.Checked = cmp.Or(lines, page.Lines.Value, now.Lines()), checked
	if checked != "" {
		page.Preview = pages.ValueChanges(now, after)
	}
	return a.RenderForm(c, !f.Ok(), "reports/returns", page)
}

// RequestReturns checks the theoretical returns and shows them, or requests them if they were shown.
func (a *Area) RequestReturns(c *fiber.Ctx) error {
	f := web.NewForm(c)
	returns, bad, err := sheet.ReadGameReturns(strings.NewReader(f.Text("lines")))
	refuseLines(f, bad, err)
	if err := returns.Check(); err != nil {
		f.Refuse("lines", web.Sentence(err.Error()))
	}
	lines := ""
	if f.Ok() {
		lines = returns.Lines()
	}
	return a.requestFigures(c, f, returnsPath, lines, models.ChangeGameReturns, returns, func(checked string) error {
		return a.showReturns(c, f, lines, checked, returns)
	})
}
