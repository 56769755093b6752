// Package settings has the pages of settings and limits, changes that a second administrator approves, and notices.
package settings

import (
	"context"

	"pitboss/app/notices"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store   Store
	Notices *notices.Service // sends notices; nil if none are sent
}

// Administrators returns colleagues who can approve a change that the reader requests, or administrators if the reader is none.
func (a *Area) Administrators(ctx context.Context, p *web.Page) (*web.People, error) {
	if p.Can(web.ChangeSettings) {
		return a.ReaderApproves(ctx, p, models.ChangeRule)
	}
	return a.WhoMay(ctx, p, web.ChangeSettings)
}
