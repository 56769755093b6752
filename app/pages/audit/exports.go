package audit

import (
	"context"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ExportAudit reads audit events for a file; see web.Exportable.
func (a *Area) ExportAudit(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &auditPage{Page: p}
	filter, err := a.auditFilter(ctx, page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Who"}, {Name: "What"},
			{Name: "On"}, {Name: "Its number"}, {Name: "Reason"},
			{Name: "Before"}, {Name: "After"}, {Name: "Address", Audience: export.Staff},
			{Name: "Session", Audience: export.Staff}, {Name: "Channel", Audience: export.Staff}, {Name: "System user", Audience: export.Staff},
		},
		Read: web.Rows(&page.Page, &page.Listed, a.listing(filter), web.ExportPage, export.Each(func(e models.AuditEvent) export.Row {
			return export.Row{e.ID, e.At, e.Actor.Name, e.Action, e.Object, e.ObjectID, e.Reason, e.Before, e.After,
				e.Actor.Address, e.Actor.Session, e.Actor.Channel.String(), e.Actor.OSUser}
		})),
	}, page.Chips, page.Instead, err
}
