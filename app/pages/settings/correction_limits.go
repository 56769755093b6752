package settings

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/typed"
	"pitboss/app/web"
	"pitboss/models"
)

type correctionLimitsPage struct {
	web.Page
	pages.ChangeForm
	Rows  []pages.LimitRow
	Wrong string
}

func (a *Area) CorrectionLimits(c *fiber.Ctx) error {
	limits, err := a.Store.CorrectionLimits(c.UserContext())
	if err != nil {
		return err
	}
	return a.showCorrectionLimits(c, web.NewForm(c), limits, pages.LimitRows(limits))
}

// showCorrectionLimits shows the form with rows, which are those of the limits in effect or were sent.
func (a *Area) showCorrectionLimits(c *fiber.Ctx, f *web.Form, limits models.AloneLimits, rows []pages.LimitRow) error {
	page := &correctionLimitsPage{Page: a.Page(c, ""), Wrong: f.Wrong["limits"]}
	page.MadeFrom = f.MadeFrom(limits)
	var err error
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, web.ChangeSettings, models.ChangeCorrectionLimits)
	if err != nil {
		return err
	}
	if page.Can(web.ChangeSettings) {
		rows = append(rows, pages.LimitRow{})
	}
	for i, row := range rows {
		row.N = i
		pairs := []string{"", "No role"}
		for _, role := range models.CorrectionRule.Makers {
			pairs = append(pairs, string(role), string(role))
		}
		row.Roles = web.Choices(row.Role, pairs...)
		page.Rows = append(page.Rows, row)
	}
	return a.RenderForm(c, !f.Ok(), "settings/correction-limits", page)
}

func (a *Area) SaveCorrectionLimits(c *fiber.Ctx) error {
	f := web.NewForm(c)
	now, err := a.Store.CorrectionLimits(c.UserContext())
	if err != nil {
		return err
	}
	if outdated, err := a.Outdated(c, f, "/settings/corrections", now); outdated || err != nil {
		return err
	}
	roles, currencies, amounts, days := web.PostedAll(c, "role"), web.PostedAll(c, "currency"), web.PostedAll(c, "amount"),
		web.PostedAll(c, "per_day")
	if len(currencies) != len(roles) || len(amounts) != len(roles) || len(days) != len(roles) {
		f.Refuse("limits", "A line was incomplete: each has a role, a currency and two amounts. These are the current limits.")
		return a.showCorrectionLimits(c, f, now, pages.LimitRows(now))
	}
	limits := models.AloneLimits{}
	var rows []pages.LimitRow
	for i := range roles {
		row := pages.LimitRow{Role: strings.TrimSpace(roles[i]), Currency: strings.ToUpper(strings.TrimSpace(currencies[i])),
			Amount: strings.TrimSpace(amounts[i]), PerDay: strings.TrimSpace(days[i])}
		if row.Role == "" {
			continue // choosing no role removes the line
		}
		rows = append(rows, row)
		role, err := models.ParseRole(row.Role)
		currency, err2 := models.ParseCurrency(row.Currency)
		amount, err3 := typed.Amount(row.Amount, a.DecimalComma)
		perDay, err4 := typed.Amount(row.PerDay, a.DecimalComma)
		if cmp.Or(err, err2, err3, err4) != nil {
			var wrong []string
			for i, err := range []error{err, err2, err3, err4} {
				if err != nil {
					column := [...]string{"role", "currency", "per correction", "per day"}[i]
					wrong = append(wrong, fmt.Sprintf("Line %d, %s: %s", len(rows), column, web.Sentence(err.Error())))
				}
			}
			f.Refuse("limits", strings.Join(wrong, " "))
			continue
		}
		if !web.May(role, web.RequestCorrections) {
			f.Refuse("limits", fmt.Sprintf("Line %d: the role %s cannot request corrections.", len(rows), role))
		}
		if amount > perDay {
			f.Refuse("limits", fmt.Sprintf("Line %d: the limit for one correction is above the limit for a day.", len(rows)))
		}
		if _, twice := limits[role][currency]; twice {
			f.Refuse("limits", fmt.Sprintf("Line %d: %s has a line for %s already.", len(rows), role, currency))
		}
		if limits[role] == nil {
			limits[role] = map[models.Currency]models.AloneLimit{}
		}
		limits[role][currency] = models.AloneLimit{Amount: amount, PerDay: perDay}
	}
	return a.SendChange(c, f, "/settings/corrections", models.ChangeCorrectionLimits, limits,
		func() error { return a.showCorrectionLimits(c, f, now, rows) })
}
