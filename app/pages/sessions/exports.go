package sessions

import (
	"context"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ExportGameSessions reads sessions for a file; see web.Exportable.
func (a *Area) ExportGameSessions(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &sessionsPage{Page: p}
	list, err := a.listing(ctx, page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Player"}, {Name: "Game ID"},
			{Name: "Game"}, {Name: "Language"}, {Name: "Opened by", Audience: export.Arbiter},
			{Name: "Reason", Audience: export.Arbiter},
			{Name: "State"}, {Name: "Failure"}, {Name: "Answer took, ms", Kind: export.Number},
			{Name: "Address given, redacted"},
		},
		Read: web.Rows(&page.Page, &page.Listed, list, web.ExportPage,
			export.Each(func(s models.GameSession) export.Row {
				return export.Row{
					s.ID, s.At, string(s.UserID), string(s.Game.GameID), s.Game.Name, s.Language, s.Actor, s.Reason,
					s.State.String(), s.Failure, s.Latency.Milliseconds(), s.GameURL,
				}
			})),
	}, page.Chips, page.Instead, err
}
