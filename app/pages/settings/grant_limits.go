package settings

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/typed"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page Free-spin limits. A change takes two administrators.

// newCurrencies is how many empty blocks the form has for more currencies.
const newCurrencies = 1

// costBlock has the limits on the cost of spins in one currency.
type costBlock struct {
	Currency, Spin views.Field
	Limits         []views.Field
	MayChange      bool
}

type grantLimitsPage struct {
	web.Page
	pages.ChangeForm
	Limits    []views.Field
	Costs     []costBlock
	MayChange bool
	Wrong     string
	Zone      string
	Changed   *pages.LastChange
}

func (a *Area) GrantLimits(c *fiber.Ctx) error {
	f := web.NewForm(c)
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	page := &grantLimitsPage{Page: a.Page(c, ""), Wrong: f.Wrong["limits"]}
	page.MadeFrom = f.MadeFrom(rules)
	if c.Method() == fiber.MethodPost {
		rules = a.readGrantLimits(f)
	}
	mayChange := page.Can(web.ChangeSettings)
	page.MayChange = mayChange
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, models.ChangeGrantLimits)
	if err != nil {
		return err
	}
	if page.Changed, err = a.LastChange(c, &page.Page, string(models.ChangeGrantLimits)); err != nil {
		return err
	}
	if page.Zone, err = a.Store.ReportZone(c.UserContext()); err != nil {
		return err
	}
	field := func(name, label, value string) views.Field {
		return f.Field(views.Field{ID: "f-" + name, Label: label, Name: name, Value: value, InputMode: "numeric",
			Autocomplete: "off"})
	}
	// Numbers have thousands separators if they are only displayed, and none if they can be edited.
	number, amount := web.Grouped, models.Amount.Grouped
	if mayChange {
		number, amount = func(n int64) string { return strconv.FormatInt(n, 10) }, models.Amount.String
	}
	for _, l := range pages.GrantLimitFields {
		page.Limits = append(page.Limits, field(l.Name, l.Word, number(*l.Of(&rules.Limits))))
	}
	currencies := slices.Sorted(maps.Keys(rules.SpinCost))
	if mayChange {
		currencies = append(currencies, make([]models.Currency, newCurrencies)...)
	}
	for i, currency := range currencies {
		block := newCostBlock(field, i, rules, currency, amount)
		block.MayChange = mayChange
		page.Costs = append(page.Costs, block)
	}
	return a.RenderForm(c, !f.Ok(), "settings/grant-limits", page)
}

func newCostBlock(field func(name, label, value string) views.Field, i int, rules models.GrantRules,
	currency models.Currency, text func(models.Amount) string) costBlock {
	n := strconv.Itoa(i)
	spin := ""
	if cost := rules.SpinCost[currency]; cost != 0 {
		spin = text(cost)
	}
	block := costBlock{Currency: field("currency-"+n, "", string(currency)),
		Spin: field("spin-"+n, "", spin)}
	block.Currency.InputMode, block.Currency.Placeholder = "", "EUR"
	block.Spin.InputMode, block.Spin.Placeholder = "decimal", "0.20"
	for _, l := range pages.CostFields {
		value := ""
		if cost, limited := rules.Limits.Cost[currency]; limited {
			value = text(*l.Of(&cost))
		}
		limit := field("cost-"+n+"-"+l.Name, l.Word, value)
		limit.InputMode = "decimal"
		block.Limits = append(block.Limits, limit)
	}
	return block
}

// SaveGrantLimits requests a change, which another administrator approves.
func (a *Area) SaveGrantLimits(c *fiber.Ctx) error {
	f := web.NewForm(c)
	now, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	if outdated, err := a.Outdated(c, f, pages.GrantLimitsPath, now); outdated || err != nil {
		return err
	}
	rules := a.readGrantLimits(f)
	if f.Ok() {
		if err := rules.Check(); err != nil {
			f.Refuse("limits", web.Sentence(err.Error()))
		}
	}
	return a.SendChange(c, f, pages.GrantLimitsPath, models.ChangeGrantLimits, rules, a.GrantLimits)
}

// readGrantLimits reads the form and marks the fields that are not numbers.
func (a *Area) readGrantLimits(f *web.Form) models.GrantRules {
	rules := models.GrantRules{SpinCost: map[models.Currency]models.Amount{}}
	for _, l := range pages.GrantLimitFields {
		n, err := strconv.ParseInt(f.Text(l.Name), 10, 64)
		if err != nil {
			f.Refuse(l.Name, "Enter a whole number. 0 allows nothing.")
		}
		*l.Of(&rules.Limits) = n
	}
	for i := 0; f.Raw("currency-"+strconv.Itoa(i)) != "" || f.Raw("spin-"+strconv.Itoa(i)) != ""; i++ {
		a.readCosts(f, strconv.Itoa(i), &rules)
	}
	return rules
}

// readCosts reads the cost limits in one currency. If its fields were cleared, the currency has no limits.
func (a *Area) readCosts(f *web.Form, n string, rules *models.GrantRules) {
	if f.Text("currency-"+n) == "" && f.Text("spin-"+n) == "" {
		return
	}
	currency, err := models.ParseCurrency(strings.ToUpper(f.Text("currency-" + n)))
	if err != nil {
		f.Refuse("currency-"+n, "Enter a currency such as EUR.")
		return
	}
	if _, twice := rules.SpinCost[currency]; twice {
		f.Refuse("currency-"+n, string(currency)+" already has limits.")
		return
	}
	spin, err := typed.Amount(f.Text("spin-"+n), a.DecimalComma)
	if err != nil {
		f.Refuse("spin-"+n, "Enter an amount such as 0.20.")
	}
	rules.SpinCost[currency] = spin
	var cost models.GrantCost
	given := 0
	for _, l := range pages.CostFields {
		name := "cost-" + n + "-" + l.Name
		if f.Text(name) == "" {
			continue
		}
		given++
		if *l.Of(&cost), err = typed.Amount(f.Text(name), a.DecimalComma); err != nil {
			f.Refuse(name, "Enter an amount such as 100.00.")
		}
	}
	switch given {
	case 0:
	case len(pages.CostFields):
		if rules.Limits.Cost == nil {
			rules.Limits.Cost = map[models.Currency]models.GrantCost{}
		}
		rules.Limits.Cost[currency] = cost
	default:
		f.Refuse("cost-"+n+"-grant", "Fill in all three limits, or none.")
	}
}
