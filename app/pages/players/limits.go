package players

import (
	"errors"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/typed"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// limitRow is a limit as a row on the player's page.
type limitRow struct {
	models.LimitState
	Resets, Raised views.Moment
}

func limitRows(p *web.Page, player models.Player) (rows []limitRow) {
	for _, s := range models.ParseLimits(player.Wallet.Limits, player.Wallet.LimitSums).States(p.Now) {
		row := limitRow{LimitState: s, Resets: p.Time(s.Until)}
		if s.Next != nil {
			row.Raised = p.Time(s.Next.At)
		}
		rows = append(rows, row)
	}
	return rows
}

type limitsPage struct {
	web.Page
	Player models.Player
	Kinds  []limitFields
	Limits []limitRow
	Zone   *views.Field // nil while any limit is set
	Reason views.Field
	Wrong  string
}

// limitFields are the fields for one kind of limit.
type limitFields struct {
	Kind   string
	Fields []views.Field
}

// asked returns the last amount requested for a limit, in effect or not; nil means no limit.
func asked(rows []limitRow, kind models.LimitKind, period models.LimitPeriod) *models.Amount {
	for _, row := range rows {
		switch {
		case row.Kind != kind || row.Period != period:
		case row.Next != nil:
			return row.Next.To
		default:
			return &row.Amount
		}
	}
	return nil
}

func limitField(kind models.LimitKind, period models.LimitPeriod) string {
	return kind.String() + "-" + period.String()
}

// LimitsForm shows the form for changing a player's limits.
func (a *Area) LimitsForm(c *fiber.Ctx, p models.Player) error {
	f := web.NewForm(c)
	page := &limitsPage{Page: a.Page(c, ""), Player: p, Wrong: f.Wrong["limits"]}
	page.Limits, page.MadeFrom = limitRows(&page.Page, p), f.MadeFrom(p.Wallet.Limits)
	for _, kind := range models.LimitKinds {
		fields := limitFields{Kind: kind.String()}
		for _, period := range models.LimitPeriods {
			v := views.Field{Name: limitField(kind, period), InputMode: "decimal", Label: "Per " + period.String()}
			if amount := asked(page.Limits, kind, period); amount != nil {
				v.Value = amount.Grouped()
			}
			fields.Fields = append(fields.Fields, f.Field(v))
		}
		page.Kinds = append(page.Kinds, fields)
	}
	if len(page.Limits) == 0 {
		zone, err := p.Zone, error(nil)
		if zone == "" {
			zone, err = a.Store.ReportZone(c.UserContext())
		}
		if err != nil {
			return err
		}
		page.Zone = new(f.Field(views.Field{Name: "zone", Value: zone}))
	}
	page.Reason = f.Field(views.Field{Name: "reason", Required: true, Max: models.MaxDecisionText})
	return a.RenderForm(c, !f.Ok(), "players/limits", page)
}

// SetLimits changes those of the player's limits that differ from the values with which the form was shown.
func (a *Area) SetLimits(c *fiber.Ctx, p models.Player) error {
	f, form := web.NewForm(c), pages.PlayerPath(p.ID)+"/limits"
	if outdated, err := a.Outdated(c, f, form, p.Wallet.Limits); outdated || err != nil {
		return err
	}
	page := a.Page(c, "")
	rows := limitRows(&page, p)
	var done []string
	r := models.LimitsRequest{Zone: f.Text("zone"), Reason: f.Text("reason")}
	for _, kind := range models.LimitKinds {
		for _, period := range models.LimitPeriods {
			name := limitField(kind, period)
			change := models.LimitChange{Kind: kind, Period: period}
			if text := f.Text(name); text != "" {
				amount, err := typed.Amount(text, a.DecimalComma)
				if err == nil && amount == 0 {
					err = models.ErrLimitAmount
				}
				if err != nil {
					f.Refuse(name, web.Sentence(err.Error()))
				}
				change.To = &amount
			}
			if had := asked(rows, kind, period); (had == nil) != (change.To == nil) || had != nil && *had != *change.To {
				r.Changes = append(r.Changes, change)
				done = append(done, changed(&page, p, change, rows))
			}
		}
	}
	if len(r.Changes) == 0 {
		f.Refuse("limits", "Change at least one limit.")
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, form)
	}
	err := a.Store.SetLimits(c.UserContext(), a.Signer(c), p.ID, r)
	for refusal, field := range map[error]string{models.ErrLimitZone: "zone", models.ErrLimitZoneIs: "limits",
		models.ErrDecisionText: "reason"} {
		if errors.Is(err, refusal) {
			f.Refuse(field, web.Sentence(refusal.Error()))
			return a.ShowAgain(c, f, form)
		}
	}
	if err != nil {
		return err
	}
	return a.Done(c, pages.PlayerPath(p.ID), strings.Join(done, " "))
}

// changed returns a sentence about what becomes of a changed limit, such as "Weekly loss limit raised to 80.00 EUR; it takes
// effect on 29 Nov 2026 14:10."
func changed(p *web.Page, player models.Player, change models.LimitChange, rows []limitRow) string {
	name := map[models.LimitPeriod]string{models.LimitDay: "Daily", models.LimitWeek: "Weekly", models.LimitMonth: "Monthly"}[change.Period] +
		" " + change.Kind.String() + " limit "
	i := slices.IndexFunc(rows, func(row limitRow) bool { return row.Kind == change.Kind && row.Period == change.Period })
	later := "; it takes effect on " + p.Time(p.Now.Add(models.LimitRaiseAfter)).Full() + "."
	switch {
	case change.To == nil && i >= 0:
		return name + "removed" + later
	case change.To == nil:
		return name + "removed."
	case i >= 0 && *change.To > rows[i].Amount:
		return name + "raised to " + change.To.Grouped() + " " + string(player.Wallet.Currency) + later
	}
	return name + "set to " + change.To.Grouped() + " " + string(player.Wallet.Currency) + ", in effect now."
}
