package cases

import (
	"context"
	"strings"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ExportCases reads cases for a file; see web.Exportable.
func (a *Area) ExportCases(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &casesPage{Page: p}
	filter, err := a.caseFilter(ctx, page)
	if p.Params.Get("state") == "" {
		page.Chips = append(page.Chips, views.Chip{Label: "State", Value: "Open"}) // the default of the list
	}
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Found", Kind: export.Time}, {Name: "Rule"},
			{Name: "Happened", Kind: export.Time}, {Name: "Player"},
			{Name: "Transaction ID"}, {Name: "Transaction", Kind: export.Number}, {Name: "Grant", Kind: export.Number},
			{Name: "Statement", Kind: export.Number},
			{Name: "Verification", Kind: export.Number}, {Name: "At stake", Kind: export.Money}, {Name: "Currency"},
			{Name: "Evidence"}, {Name: "Owner", Audience: export.Arbiter}, {Name: "State"},
			{Name: "Closed", Kind: export.Time}, {Name: "Closed by", Audience: export.Arbiter},
			{Name: "Findings", Audience: export.Arbiter},
			{Name: "Reference"}, {Name: "Answer by", Kind: export.Day},
		},
		Read: web.Rows(&page.Page, &page.Listed, a.listing(filter), web.ExportPage,
			export.Each(func(c models.Case) export.Row {
				due := "" // if there is no deadline
				if !c.Due.IsZero() {
					due = string(models.DueDay(c.Due))
				}
				var atStake any // empty if nothing is at stake, or if the amount is not known
				if c.Amount != 0 {
					atStake = c.Amount
				}
				var evidence []string
				for _, fact := range c.Facts {
					evidence = append(evidence, fact.Label+": "+fact.Value)
				}
				return export.Row{
					c.ID, c.FoundAt, c.Rule.String(), c.At, string(c.UserID), string(c.TransactionID),
					export.NumberOrNone(c.Transaction),
					export.NumberOrNone(c.GrantID), export.NumberOrNone(c.StatementID),
					export.NumberOrNone(c.Verification), atStake, string(c.Currency), strings.Join(evidence, "; "), c.Owner,
					c.State.String(), c.DecidedAt, c.DecidedBy, c.Reason, c.Reference, due,
				}
			})),
	}, page.Chips, page.Instead, err
}
