package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Settings > Free-spin limits. Everybody who reads free spins reads them, since a refusal leads here; administrators change
// them, two at a time.

const (
	grantLimitsPath = "/settings/free-spins"
	newCurrencies   = 1 // empty blocks for more currencies
)

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

// costBlock is what limits the cost of spins in one currency.
type costBlock struct {
	Currency, Spin views.Field
	Table          limitTable
}

type grantLimitsPage struct {
	Page
	Table     limitTable
	Costs     []costBlock
	Wrong     string
	Zone      string
	MayChange bool
	Waiting   *changeLine // a change of these that waits
	Reason    views.Field
	Password  *views.Field
}

// grantLimitFields are the limits on grants and spins: the field's name, its words, and where its value is.
var grantLimitFields = []struct {
	name, word string
	of         func(*models.GrantLimits) *int64
}{
	{"grant", "Spins in one grant", func(l *models.GrantLimits) *int64 { return &l.SpinsPerGrant }},
	{"player-grants", "Grants to one player a day", func(l *models.GrantLimits) *int64 { return &l.PlayerGrantsPerDay }},
	{"player-spins", "Spins to one player a day", func(l *models.GrantLimits) *int64 { return &l.PlayerSpinsPerDay }},
	{"staff-grants", "Grants by one person a day", func(l *models.GrantLimits) *int64 { return &l.StaffGrantsPerDay }},
	{"staff-spins", "Spins by one person a day", func(l *models.GrantLimits) *int64 { return &l.StaffSpinsPerDay }},
	{"role-spins", "Spins by the whole role a day", func(l *models.GrantLimits) *int64 { return &l.RoleSpinsPerDay }},
}

// costFields are the limits on cost.
var costFields = []struct {
	name, word string
	of         func(*models.GrantCost) *models.Amount
}{
	{"grant", "One grant", func(c *models.GrantCost) *models.Amount { return &c.Grant }},
	{"player", "One player a day", func(c *models.GrantCost) *models.Amount { return &c.PlayerPerDay }},
	{"role", "The whole role a day", func(c *models.GrantCost) *models.Amount { return &c.RolePerDay }},
}

func (a *App) grantLimits(c *fiber.Ctx) error {
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	return a.showGrantLimits(c, newForm(c), rules)
}

func (a *App) showGrantLimits(c *fiber.Ctx, f *form, rules models.GrantRules) error {
	page := &grantLimitsPage{Page: a.page(c, "Free-spin limits"), Wrong: f.wrong["limits"]}
	page.Crumbs = []views.Crumb{{Word: "Settings"}, {Word: "Free-spin limits"}}
	var err error
	if page.MayChange, err = page.Can(changeSettings); err != nil {
		return err
	}
	if mayRead, err := page.Can(readSettings); err != nil {
		return err
	} else if mayRead {
		page.Crumbs[0].Href = "/settings"
	}
	if page.Zone, err = a.Store.ReportZone(c.UserContext()); err != nil {
		return err
	}
	page.Table = limitTable{Caption: "Limits on grants and spins by role", Roles: models.GrantingRoles,
		MayChange: page.MayChange}
	field := func(name, label, value string) views.Field {
		return f.field(views.Field{ID: "f-" + name, Label: label, Name: name, Value: value, InputMode: "numeric",
			Autocomplete: "off"})
	}
	// What is read is grouped like every other figure; what is typed is not.
	number, amount := grouped, models.Amount.Grouped
	if page.MayChange {
		number, amount = func(n int64) string { return strconv.FormatInt(n, 10) }, models.Amount.String
	}
	for _, l := range grantLimitFields {
		line := limitLine{Word: l.word}
		for _, role := range models.GrantingRoles {
			limits := rules.Roles[role]
			line.Cells = append(line.Cells,
				field(string(role)+"-"+l.name, l.word+", "+string(role), number(*l.of(&limits))))
		}
		page.Table.Lines = append(page.Table.Lines, line)
	}
	currencies := slices.Sorted(maps.Keys(rules.SpinCost))
	if page.MayChange {
		currencies = append(currencies, make([]models.Currency, newCurrencies)...)
	}
	for i, currency := range currencies {
		block := newCostBlock(field, i, rules, currency, amount)
		block.Table.MayChange = page.MayChange
		page.Costs = append(page.Costs, block)
	}
	page.Reason = f.field(views.Field{Label: "Reason", Name: "reason", Required: true, Autocomplete: "off",
		Hint: "For your colleagues and the audit log."})
	if page.MayChange {
		if page.Password, err = a.confirmField(c, f); err != nil {
			return err
		}
	}
	waiting, err := a.Store.WaitingChanges(c.UserContext())
	if err != nil {
		return err
	}
	for _, line := range page.changeLines(waiting) {
		if line.Subject == models.ChangeGrantLimits {
			page.Waiting = &line
		}
	}
	if !f.ok() {
		return a.refused(c, "settings/free-spins", page)
	}
	return a.render(c, "settings/free-spins", page)
}

func newCostBlock(field func(name, label, value string) views.Field, i int, rules models.GrantRules,
	currency models.Currency, text func(models.Amount) string) costBlock {
	n := strconv.Itoa(i)
	spin := ""
	if cost := rules.SpinCost[currency]; cost != 0 {
		spin = text(cost)
	}
	block := costBlock{Currency: field("currency-"+n, "Currency", string(currency)),
		Spin: field("spin-"+n, "One spin counts as", spin)}
	block.Currency.InputMode, block.Currency.Placeholder = "", "EUR"
	block.Spin.InputMode, block.Spin.Placeholder = "decimal", "0.20"
	block.Table = limitTable{Caption: "Limits on cost by role", Roles: models.GrantingRoles}
	for _, l := range costFields {
		line := limitLine{Word: l.word}
		for _, role := range models.GrantingRoles {
			value := ""
			if cost, limited := rules.Roles[role].Cost[currency]; limited {
				value = text(*l.of(&cost))
			}
			label := l.word + ", " + string(role) + ", " + string(currency)
			cell := field("cost-"+n+"-"+string(role)+"-"+l.name, strings.TrimSuffix(label, ", "), value)
			cell.InputMode = "decimal"
			line.Cells = append(line.Cells, cell)
		}
		block.Table.Lines = append(block.Table.Lines, line)
	}
	return block
}

// saveGrantLimits asks for a change that a second administrator approves.
func (a *App) saveGrantLimits(c *fiber.Ctx) error {
	f := newForm(c)
	rules := a.readGrantLimits(f)
	if f.ok() {
		if err := rules.Check(); err != nil {
			f.refuse("limits", sentence(err.Error()))
		}
	}
	f.requireReason("reason")
	if f.ok() {
		if err := a.confirm(c, f); err != nil {
			return err
		}
	}
	if !f.ok() {
		return a.showGrantLimits(c, f, rules)
	}
	return a.requestChange(c, grantLimitsPath, models.ChangeGrantLimits, rules, f.text("reason"))
}

// readGrantLimits reads the form, and refuses what is no number.
func (a *App) readGrantLimits(f *form) models.GrantRules {
	rules := models.GrantRules{Roles: map[models.Role]models.GrantLimits{}, SpinCost: map[models.Currency]models.Amount{}}
	for _, role := range models.GrantingRoles {
		var limits models.GrantLimits
		for _, l := range grantLimitFields {
			name := string(role) + "-" + l.name
			n, err := strconv.ParseInt(f.text(name), 10, 64)
			if err != nil {
				f.refuse(name, "Enter a whole number. 0 allows nothing.")
			}
			*l.of(&limits) = n
		}
		rules.Roles[role] = limits
	}
	for i := 0; f.raw("currency-"+strconv.Itoa(i)) != "" || f.raw("spin-"+strconv.Itoa(i)) != ""; i++ {
		a.readCosts(f, strconv.Itoa(i), &rules)
	}
	return rules
}

// readCosts reads the limits on cost in one currency. A currency that was taken away has no limits.
func (a *App) readCosts(f *form, n string, rules *models.GrantRules) {
	if f.text("currency-"+n) == "" && f.text("spin-"+n) == "" {
		return
	}
	currency, err := models.ParseCurrency(strings.ToUpper(f.text("currency-" + n)))
	if err != nil {
		f.refuse("currency-"+n, "Enter a currency such as EUR.")
		return
	}
	if _, twice := rules.SpinCost[currency]; twice {
		f.refuse("currency-"+n, string(currency)+" is there already.")
		return
	}
	spin, err := typedAmount(f.text("spin-"+n), a.DecimalComma)
	if err != nil {
		f.refuse("spin-"+n, "Enter an amount such as 0.20.")
	}
	rules.SpinCost[currency] = spin
	for role, limits := range rules.Roles {
		var cost models.GrantCost
		given := 0
		for _, l := range costFields {
			name := "cost-" + n + "-" + string(role) + "-" + l.name
			if f.text(name) == "" {
				continue
			}
			given++
			if *l.of(&cost), err = typedAmount(f.text(name), a.DecimalComma); err != nil {
				f.refuse(name, "Enter an amount such as 100.00.")
			}
		}
		switch given {
		case 0:
		case len(costFields):
			if limits.Cost == nil {
				limits.Cost = map[models.Currency]models.GrantCost{}
			}
			limits.Cost[currency] = cost
			rules.Roles[role] = limits
		default:
			f.refuse("cost-"+n+"-"+string(role)+"-grant", "Fill in all three limits of "+string(role)+", or none.")
		}
	}
}

// grantLimitChanges are the limits that a change request changes.
func grantLimitChanges(r models.ChangeRequest) []views.Change {
	before, after := models.DefaultGrantRules, models.GrantRules{}
	if r.Before != "" {
		before = models.GrantRules{}
	}
	if err := errors.Join(unmarshalled(r.Before, &before), unmarshalled(r.After, &after)); err != nil {
		return []views.Change{{What: changeTitle(r.Subject), Before: r.Before, After: r.After}}
	}
	var rows []views.Change
	add := func(what, was, is string) {
		if was != is {
			rows = append(rows, views.Change{What: what, Before: was, After: is})
		}
	}
	currencies := map[models.Currency]bool{}
	for _, rules := range []models.GrantRules{before, after} {
		for currency := range rules.SpinCost {
			currencies[currency] = true
		}
	}
	amount := func(n models.Amount, set bool) string {
		if !set {
			return "no limit"
		}
		return n.Grouped()
	}
	for _, role := range models.GrantingRoles {
		was, is := before.Roles[role], after.Roles[role]
		for _, l := range grantLimitFields {
			add(firstUpper(string(role))+": "+strings.ToLower(l.word), grouped(*l.of(&was)), grouped(*l.of(&is)))
		}
	}
	for _, currency := range slices.Sorted(maps.Keys(currencies)) {
		add("One spin counts as, "+string(currency), before.SpinCost[currency].Grouped(), after.SpinCost[currency].Grouped())
		for _, role := range models.GrantingRoles {
			was, wasSet := before.Roles[role].Cost[currency]
			is, isSet := after.Roles[role].Cost[currency]
			for _, l := range costFields {
				add(fmt.Sprintf("%s: cost of %s, %s", firstUpper(string(role)), lowerFirst(l.word), currency),
					amount(*l.of(&was), wasSet), amount(*l.of(&is), isSet))
			}
		}
	}
	return rows
}

// unmarshalled reads a value that may be empty.
func unmarshalled(text string, into any) error {
	if text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), into)
}
