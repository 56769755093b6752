package freespins

import (
	"context"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ExportGrants reads grants for a file; see web.Exportable.
func (a *Area) ExportGrants(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &freeSpinsPage{Page: p}
	filter, err := a.grantFilter(ctx, page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Player"}, {Name: "Game ID"},
			{Name: "Game"}, {Name: "Spins", Kind: export.Number},
			{Name: "Used, according to the platform", Kind: export.Number},
			{Name: "Remaining, according to the platform", Kind: export.Number},
			{Name: "Used, by our ledger", Kind: export.Number},
			{Name: "Won", Kind: export.Money}, {Name: "Currency"}, {Name: "State"}, {Name: "Free-spin ID"},
			{Name: "Granted by", Audience: export.Arbiter}, {Name: "Reason", Audience: export.Arbiter}, {Name: "Message"},
			{Name: "Sent", Kind: export.Time}, {Name: "Answered", Kind: export.Time}, {Name: "Finished", Kind: export.Time},
			{Name: "Resolved by", Audience: export.Arbiter}, {Name: "Resolution", Audience: export.Arbiter},
			{Name: "Campaign", Kind: export.Number}, {Name: "Line", Kind: export.Number},
		},
		Read: web.Rows(&page.Page, &page.Listed, a.listing(filter), web.ExportPage,
			func(ctx context.Context, list []models.Grant) ([]export.Row, error) {
				ids := make([]int64, len(list))
				for i, g := range list {
					ids[i] = g.ID
				}
				wins, err := a.Store.SpinWinsOf(ctx, ids)
				rows := make([]export.Row, len(list))
				for i, g := range list {
					state := g.State
					if g.UsedUp() { // as its badge says
						state = models.GrantCompleted
					}
					rows[i] = export.Row{
						g.ID, g.At, string(g.UserID), string(g.Game.GameID), g.Game.Name, g.Spins, export.CountOrNone(g.Used),
						export.CountOrNone(g.Remaining), g.Ours,
						wins[g.ID].Won, string(g.Currency), state.String(), string(g.FreeSpinID), g.Actor, g.Reason,
						g.Message,
						g.SentAt, g.AnsweredAt, g.FinishedAt,
						g.ResolvedBy, g.ResolutionNote, export.NumberOrNone(g.CampaignID),
						export.NumberOrNone(int64(g.CampaignLine)),
					}
				}
				return rows, err
			}),
	}, page.Chips, page.Instead, err
}
