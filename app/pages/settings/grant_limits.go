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

// Settings > Free-spin limits. A change takes two administrators.

// newCurrencies is how many empty blocks there are for more currencies.
const newCurrencies = 1

// limitLine is one limit for every granting role.
type limitLine struct {
	Word  string
	Cells []views.Field
}

// limitTable has a line per limit and a column per role.
type limitTable struct {
	Caption   string
	Roles     []models.Role
	Lines     []limitLine
	MayChange bool
}

// costBlock has the limits on the cost of spins in one currency.
type costBlock struct {
	Currency, Spin views.Field
	Table          limitTable
}

type grantLimitsPage struct {
	web.Page
	pages.ChangeForm
	Table limitTable
	Costs []costBlock
	Wrong string
	Zone  string
}

func (a *Area) GrantLimits(c *fiber.Ctx) error {
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	return a.showGrantLimits(c, web.NewForm(c), rules)
}

func (a *Area) showGrantLimits(c *fiber.Ctx, f *web.Form, rules models.GrantRules) error {
	page := &grantLimitsPage{Page: a.Page(c, ""), Wrong: f.Wrong["limits"]}
	mayChange := page.Can(web.ChangeSettings)
	var err error
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, web.ChangeSettings, models.ChangeGrantLimits)
	if err != nil {
		return err
	}
	if page.Zone, err = a.Store.ReportZone(c.UserContext()); err != nil {
		return err
	}
	page.Table = limitTable{Caption: "Limits on grants and spins by role", Roles: models.GrantingRoles,
		MayChange: mayChange}
	field := func(name, label, value string) views.Field {
		return f.Field(views.Field{ID: "f-" + name, Label: label, Name: name, Value: value, InputMode: "numeric",
			Autocomplete: "off"})
	}
	// Figures are grouped if they can only be read, and not if they can be changed.
	number, amount := web.Grouped, models.Amount.Grouped
	if mayChange {
		number, amount = func(n int64) string { return strconv.FormatInt(n, 10) }, models.Amount.String
	}
	for _, l := range pages.GrantLimitFields {
		line := limitLine{Word: l.Word}
		for _, role := range models.GrantingRoles {
			limits := rules.Roles[role]
			line.Cells = append(line.Cells,
				field(string(role)+"-"+l.Name, l.Word+", "+string(role), number(*l.Of(&limits))))
		}
		page.Table.Lines = append(page.Table.Lines, line)
	}
	currencies := slices.Sorted(maps.Keys(rules.SpinCost))
	if mayChange {
		currencies = append(currencies, make([]models.Currency, newCurrencies)...)
	}
	for i, currency := range currencies {
		block := newCostBlock(field, i, rules, currency, amount)
		block.Table.MayChange = mayChange
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
	block.Table = limitTable{Caption: "Limits on cost by role", Roles: models.GrantingRoles}
	for _, l := range pages.CostFields {
		line := limitLine{Word: l.Word}
		for _, role := range models.GrantingRoles {
			value := ""
			if cost, limited := rules.Roles[role].Cost[currency]; limited {
				value = text(*l.Of(&cost))
			}
			label := l.Word + ", " + string(role) + ", " + string(currency)
			cell := field("cost-"+n+"-"+string(role)+"-"+l.Name, strings.TrimSuffix(label, ", "), value)
			cell.InputMode = "decimal"
			line.Cells = append(line.Cells, cell)
		}
		block.Table.Lines = append(block.Table.Lines, line)
	}
	return block
}

// SaveGrantLimits requests a change, which a second administrator approves.
func (a *Area) SaveGrantLimits(c *fiber.Ctx) error {
	f := web.NewForm(c)
	rules := a.readGrantLimits(f)
	if f.Ok() {
		if err := rules.Check(); err != nil {
			f.Refuse("limits", web.Sentence(err.Error()))
		}
	}
	return a.SendChange(c, f, pages.GrantLimitsPath, "reason", models.ChangeGrantLimits, rules,
		func() error { return a.showGrantLimits(c, f, rules) })
}

// readGrantLimits reads the form, and marks fields that are not numbers.
func (a *Area) readGrantLimits(f *web.Form) models.GrantRules {
	rules := models.GrantRules{Roles: map[models.Role]models.GrantLimits{}, SpinCost: map[models.Currency]models.Amount{}}
	for _, role := range models.GrantingRoles {
		var limits models.GrantLimits
		for _, l := range pages.GrantLimitFields {
			name := string(role) + "-" + l.Name
			n, err := strconv.ParseInt(f.Text(name), 10, 64)
			if err != nil {
				f.Refuse(name, "Enter a whole number. 0 allows nothing.")
			}
			*l.Of(&limits) = n
		}
		rules.Roles[role] = limits
	}
	for i := 0; f.Raw("currency-"+strconv.Itoa(i)) != "" || f.Raw("spin-"+strconv.Itoa(i)) != ""; i++ {
		a.readCosts(f, strconv.Itoa(i), &rules)
	}
	return rules
}

// readCosts reads the limits on cost in one currency. A currency whose fields were cleared has no limits.
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
		f.Refuse("currency-"+n, string(currency)+" is there already.")
		return
	}
	spin, err := typed.Amount(f.Text("spin-"+n), a.DecimalComma)
	if err != nil {
		f.Refuse("spin-"+n, "Enter an amount such as 0.20.")
	}
	rules.SpinCost[currency] = spin
	for role, limits := range rules.Roles {
		var cost models.GrantCost
		given := 0
		for _, l := range pages.CostFields {
			name := "cost-" + n + "-" + string(role) + "-" + l.Name
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
			if limits.Cost == nil {
				limits.Cost = map[models.Currency]models.GrantCost{}
			}
			limits.Cost[currency] = cost
			rules.Roles[role] = limits
		default:
			f.Refuse("cost-"+n+"-"+string(role)+"-grant", "Fill in all three limits of "+string(role)+", or none.")
		}
	}
}
