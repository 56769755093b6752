package reports

import (
	"cmp"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/typed"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// A threshold opens a case for each row in a ranking of one day that reaches it. Before a threshold is requested, its page
// shows which cases it would have opened.

const (
	thresholdPath = rankedPath + "/threshold"
	triedDays     = 30
)

type thresholdPage struct {
	web.Page
	pages.ChangeForm
	Ranking  models.Ranking
	Choices  []views.Choice // the rankings
	Least    views.Field
	NewLeast views.Field // the value to request
	Currency views.Field
	Now      string         // the threshold in effect
	Tried    *table         // the days on which a threshold would have opened cases; nil if none was tried
	Sum      int            // the number of these cases
	All      []views.Change // every threshold in effect
	Changed  *pages.LastChange
}

// readThreshold reads a threshold from the values of a form or of an address.
func (a *Area) readThreshold(f *web.Form, value func(string) string) (t models.Threshold) {
	t.Ranking = cmp.Or(models.Ranking(value("of")), models.RankWins)
	if !t.Ranking.OpensCases() {
		f.Refuse("of", "Choose a ranking.")
		return t
	}
	text := value("least")
	if text == "" {
		return t
	}
	var err error
	if t.Ranking.InMoney() {
		if t.Currency, err = models.ParseCurrency(value("currency")); err != nil {
			f.Refuse("currency", "Enter a currency such as EUR.")
			return t
		}
		var least models.Amount
		least, err = typed.Amount(text, a.DecimalComma)
		t.Least = int64(least)
	} else {
		t.Least, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil || t.Least < 0 {
		f.Refuse("least", "Enter a number, or an amount such as 500.00 for wins. 0 switches the threshold off.")
	}
	return t
}

// Threshold shows a threshold and the cases that it would have opened.
func (a *Area) Threshold(c *fiber.Ctx) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	value := func(name string) string { return c.Query(name) }
	if c.Method() == fiber.MethodPost {
		value = f.Text
	}
	t := a.readThreshold(f, value)
	page := &thresholdPage{Page: a.Page(c, ""), Ranking: t.Ranking}
	for _, r := range models.Rankings {
		if r.OpensCases() {
			page.Choices = append(page.Choices, views.Choice{Value: string(r), Word: r.Title(), Chosen: r == t.Ranking})
		}
	}
	field := func(name, mode string) views.Field {
		return f.Field(views.Field{Name: name, Value: value(name), InputMode: mode, Autocomplete: "off"})
	}
	page.Least, page.Currency = field("least", "decimal"), field("currency", "")
	page.NewLeast = page.Least
	page.NewLeast.ID = "f-new-least"
	list, err := a.Store.Thresholds(ctx)
	if err != nil {
		return err
	}
	for _, one := range list {
		page.All = append(page.All,
			views.Change{What: one.Ranking.Title(), Before: string(one.Currency), After: pages.ThresholdWords(one)})
	}
	if page.Changed, err = a.LastChange(c, &page.Page, string(models.ChangeThresholds)); err != nil {
		return err
	}
	page.Now = pages.ThresholdWords(list.Of(t))
	page.MadeFrom = f.MadeFrom(list)
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, models.ChangeThresholds)
	if err == nil && t.Least > 0 && f.Wrong["least"] == "" && f.Wrong["currency"] == "" {
		err = a.try(c, page, t)
	}
	if err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "reports/threshold", page)
}

// try counts the cases that the threshold would have opened on each of the last days.
func (a *Area) try(c *fiber.Ctx, page *thresholdPage, t models.Threshold) error {
	days, err := a.Store.TryThreshold(c.UserContext(), t, triedDays)
	page.Tried = &table{Title: "Cases by day, newest first", Columns: []column{text("Day"), number("Cases")}}
	for _, day := range days {
		href := rankedPath + "?from=" + string(day.Day) + "&to=" + string(day.Day)
		if t.Ranking == models.RankWins { // the ranking that needs no filter
			href += "&currency=" + string(t.Currency)
		} else {
			href += "&of=" + string(t.Ranking)
		}
		if n := len(day.Found); n > 0 {
			page.Tried.Rows = append(page.Tried.Rows, []cell{{day.Day.Format("Mon, 2 Jan 2006"), href}, {Value: int64(n)}})
			page.Sum += n
		}
	}
	return err
}

// RequestThreshold requests a threshold, or the end of one.
func (a *Area) RequestThreshold(c *fiber.Ctx) error {
	f := web.NewForm(c)
	t := a.readThreshold(f, f.Text)
	if f.Text("least") == "" {
		f.Refuse("least", "Enter a number, or an amount such as 500.00 for wins. 0 switches the threshold off.")
	}
	list, err := a.Store.Thresholds(c.UserContext())
	if err != nil {
		return err
	}
	if outdated, err := a.Outdated(c, f, thresholdPath+"?of="+string(t.Ranking), list); outdated || err != nil {
		return err
	}
	return a.SendChange(c, f, thresholdPath+"?of="+string(t.Ranking), models.ChangeThresholds, list.With(t), a.Threshold)
}
