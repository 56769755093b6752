package players

import (
	"errors"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/typed"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// limitRow is a limit on the player's page.
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
	Zone   *views.Field // nil if a limit stands
	Reason views.Field
	Wrong  string
}

// limitFields are the fields for the limits of a kind.
type limitFields struct {
	Kind   string
	Fields []views.Field
}

// asked is what was asked for last of a limit: what it is, or what it will be. nil is none.
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

// LimitsForm shows the form that changes a player's limits.
func (a *Area) LimitsForm(c *fiber.Ctx, p models.Player) error {
	f := web.NewForm(c)
	page := &limitsPage{Page: a.Page(c, ""), Player: p, Wrong: f.Wrong["limits"]}
	page.Limits = limitRows(&page.Page, p)
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

// SetLimits changes a player's limits, of which the form has all.
func (a *Area) SetLimits(c *fiber.Ctx, p models.Player) error {
	f := web.NewForm(c)
	page := a.Page(c, "")
	rows := limitRows(&page, p)
	r := models.LimitsRequest{Zone: f.Text("zone"), Reason: f.Text("reason")}
	for _, kind := range models.LimitKinds {
		for _, period := range models.LimitPeriods {
			name := limitField(kind, period)
			change := models.LimitChange{Kind: kind, Period: period}
			if text := f.Text(name); text != "" {
				amount, err := typed.Amount(text, a.DecimalComma)
				if none := strings.Trim(text, "0.,") == ""; err != nil && !none {
					f.Refuse(name, err.Error())
				}
				change.To = &amount
			}
			if had := asked(rows, kind, period); (had == nil) != (change.To == nil) || had != nil && *had != *change.To {
				r.Changes = append(r.Changes, change)
			}
		}
	}
	if len(r.Changes) == 0 {
		f.Refuse("limits", "Change at least one limit.")
	}
	form := pages.PlayerPath(p.ID) + "/limits"
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
	return a.Done(c, pages.PlayerPath(p.ID), "The limits are changed. Those that were raised or removed change 24 hours later.")
}

// SetLanguage chooses the language and the time zone of answers to a player, from a page with an answer.
func (a *Area) SetLanguage(c *fiber.Ctx, p models.Player) error {
	f, back := web.NewForm(c), web.Local(web.Posted(c, "back"), pages.PlayerPath(p.ID))
	err := a.Store.SetLanguage(c.UserContext(), a.Actor(c), p.ID, f.Text("language"), f.Text("zone"))
	for _, refusal := range []error{models.ErrPlayerLanguage, models.ErrLimitZone} {
		if errors.Is(err, refusal) {
			return a.Flash(c, back, views.Warning("The answer is as it was", web.Sentence(refusal.Error())))
		}
	}
	if err != nil {
		return err
	}
	return c.Redirect(back+"#answer", fiber.StatusSeeOther)
}
