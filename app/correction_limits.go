package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

type correctionLimitsPage struct {
	Page
	Rows      []limitRow
	MayChange bool
	Wrong     string
	Reason    views.Field
	Password  *views.Field
}

// limitRow is one role's limit in one currency.
type limitRow struct {
	N                              int // makes its fields' IDs
	Currency, Amount, PerDay, Role string
	Roles                          []views.Choice
}

// limitLines says what a role may book alone.
func limitLines(limits models.AloneLimits, role models.Role) (lines []string) {
	for _, row := range limitRows(limits) {
		if row.Role == string(role) {
			l := limits[role][models.Currency(row.Currency)]
			lines = append(lines, l.Amount.Grouped()+" "+row.Currency+" at once, "+l.PerDay.Grouped()+" "+row.Currency+" a day")
		}
	}
	return lines
}

// limitRows are the limits in the order of roles and then currencies.
func limitRows(limits models.AloneLimits) (rows []limitRow) {
	for _, role := range models.Roles {
		for _, currency := range slices.Sorted(maps.Keys(limits[role])) {
			l := limits[role][currency]
			rows = append(rows, limitRow{Role: string(role), Currency: string(currency), Amount: l.Amount.String(),
				PerDay: l.PerDay.String()})
		}
	}
	return rows
}

func (a *App) correctionLimits(c *fiber.Ctx) error {
	limits, err := a.Store.CorrectionLimits(c.UserContext())
	if err != nil {
		return err
	}
	return a.showCorrectionLimits(c, newForm(c), limitRows(limits))
}

// signingRoles are those that can ask for corrections.
func signingRoles() []models.Role { return grants[askCorrections] }

func (a *App) showCorrectionLimits(c *fiber.Ctx, f *form, rows []limitRow) error {
	page := &correctionLimitsPage{Page: a.page(c, "Corrections without a checker"), Wrong: f.wrong["limits"]}
	page.Crumbs = []views.Crumb{{Word: "Settings", Href: "/settings"}, {Word: "Corrections"}}
	page.Lede = "How much one person of a role may book alone. Without a line here: nothing, in any currency. A change " +
		"takes effect when another administrator approves it."
	var err error
	if page.MayChange, err = page.Can(changeSettings); err != nil {
		return err
	}
	if page.MayChange {
		rows = append(rows, limitRow{})
	}
	for i, row := range rows {
		row.N = i
		pairs := []string{"", "No role"}
		for _, role := range signingRoles() {
			pairs = append(pairs, string(role), string(role))
		}
		row.Roles = choices(row.Role, pairs...)
		page.Rows = append(page.Rows, row)
	}
	page.Reason = f.field(views.Field{Label: "Reason", Name: "reason", Required: true, Autocomplete: "off",
		Hint: "For your colleagues and the audit log."})
	if page.MayChange {
		if page.Password, err = a.confirmField(c, f); err != nil {
			return err
		}
	}
	if !f.ok() {
		return a.refused(c, "corrections/limits", page)
	}
	return a.render(c, "corrections/limits", page)
}

func (a *App) saveCorrectionLimits(c *fiber.Ctx) error {
	f := newForm(c)
	roles, currencies, amounts, days := postedAll(c, "role"), postedAll(c, "currency"), postedAll(c, "amount"),
		postedAll(c, "per_day")
	if len(currencies) != len(roles) || len(amounts) != len(roles) || len(days) != len(roles) {
		return badAddress("The form did not arrive whole.")
	}
	limits := models.AloneLimits{}
	var rows []limitRow
	for i := range roles {
		row := limitRow{Role: strings.TrimSpace(roles[i]), Currency: strings.ToUpper(strings.TrimSpace(currencies[i])),
			Amount: strings.TrimSpace(amounts[i]), PerDay: strings.TrimSpace(days[i])}
		if row.Role == "" {
			continue // a line is removed by taking its role away
		}
		rows = append(rows, row)
		role, err := models.ParseRole(row.Role)
		currency, err2 := models.ParseCurrency(row.Currency)
		amount, err3 := typedAmount(row.Amount, a.DecimalComma)
		perDay, err4 := typedAmount(row.PerDay, a.DecimalComma)
		if wrong := errors.Join(err, err2, err3, err4); wrong != nil {
			f.refuse("limits", fmt.Sprintf("Line %d: %s", len(rows), sentence(strings.SplitN(wrong.Error(), "\n", 2)[0])))
			continue
		}
		if may, err := may(role, askCorrections); err != nil {
			return err
		} else if !may {
			f.refuse("limits", fmt.Sprintf("Line %d: the role %s asks for no corrections.", len(rows), role))
		}
		if amount > perDay {
			f.refuse("limits", fmt.Sprintf("Line %d: more at once than in a day.", len(rows)))
		}
		if _, twice := limits[role][currency]; twice {
			f.refuse("limits", fmt.Sprintf("Line %d: %s has a line for %s already.", len(rows), role, currency))
		}
		if limits[role] == nil {
			limits[role] = map[models.Currency]models.AloneLimit{}
		}
		limits[role][currency] = models.AloneLimit{Amount: amount, PerDay: perDay}
	}
	f.requireReason("reason")
	if f.ok() {
		if err := a.confirm(c, f); err != nil {
			return err
		}
	}
	if !f.ok() {
		return a.showCorrectionLimits(c, f, rows)
	}
	return a.requestChange(c, "/settings/corrections", models.ChangeCorrectionLimits, limits, f.text("reason"))
}
