package integrity

import (
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// restoreRow is a declared restore in the list, and on its page.
type restoreRow struct{ models.Restore }

// Badge returns the restore's state.
func (r restoreRow) Badge() views.Badge {
	if r.Unconfirmed() {
		return views.AtRisk("Not confirmed")
	}
	return views.Quiet("Confirmed")
}

// restores reads the restores that were declared.
func (a *Area) restores(ctx context.Context, page *integrityPage) error {
	list, err := a.Store.Restores(ctx)
	for _, r := range list {
		page.Restores = append(page.Restores, restoreRow{r})
	}
	return err
}

type restorePage struct {
	web.Page
	pages.Decision
	Restore models.Restore
	Wallets []models.RestoreWallet // the first ones
}

// MoreWallets returns how many wallets are not listed.
func (p *restorePage) MoreWallets() int64 { return p.Restore.Wallets - int64(len(p.Wallets)) }

// maxRestored is the most wallets that the page lists.
const maxRestored = 100

// LoadRestore reads the restore that the address names.
func (a *Area) LoadRestore(c *fiber.Ctx) (models.Restore, error) {
	return web.Find(c, "restore", func(ctx context.Context, id int64) (found models.Restore, there bool, err error) {
		list, err := a.Store.Restores(ctx)
		for _, r := range list {
			if r.ID == id {
				found, there = r, true
			}
		}
		return found, there, err
	})
}

func (a *Area) Restore(c *fiber.Ctx, r models.Restore) error {
	return a.showRestore(c, web.NewForm(c), r)
}

func (a *Area) showRestore(c *fiber.Ctx, f *web.Form, r models.Restore) (err error) {
	page := &restorePage{Page: a.Page(c, ""), Restore: r, Decision: pages.Decision{Approval: r.Approval}}
	page.Badges = []views.Badge{restoreRow{r}.Badge()}
	if page.Wallets, err = a.Store.RestoreWallets(c.UserContext(), r.ID, 0, maxRestored); err != nil {
		return err
	}
	if err := a.Decide(c, &page.Page, f, &page.Decision, models.RestoreRule); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "integrity/restore", page)
}

// ConfirmRestore confirms a declared restore in the reader's name.
func (a *Area) ConfirmRestore(c *fiber.Ctx, r models.Restore) error {
	return a.MakeDecision(c, pages.Deciding{State: r.State, Path: pages.RestorePath(r.ID),
		Show: func(f *web.Form) error { return a.showRestore(c, f, r) }}, func(by models.Signer, _ *web.Form) (string, error) {
		_, err := a.Store.ConfirmRestore(c.UserContext(), by, r.ID)
		return "The restore is confirmed. Verifications use it to explain what only newer checkpoints have, and keep listing it.", err
	})
}

// RestoresWaiting returns the declared restores that are not confirmed.
func (a *Area) RestoresWaiting(c *fiber.Ctx) (views.Todo, error) {
	todo := views.Todo{Of: "restores", Href: "/integrity", Risk: true}
	list, err := a.Store.Restores(c.UserContext())
	for _, r := range list {
		if r.Unconfirmed() {
			todo.N++
			todo.By, todo.At, todo.Href = r.Maker.Username, a.Clock(c, r.At), pages.RestorePath(r.ID)
		}
	}
	return todo, err
}

// restoreLines returns the declared restores as a verification's page shows them.
func restoreLines(list []models.DeclaredRestore) (lines []faultLine) {
	for _, r := range list {
		lines = append(lines, faultLine{Text: web.Sentence(r.String()), Href: pages.RestorePath(r.ID),
			Link: "Restore " + strconv.FormatInt(r.ID, 10)})
	}
	return lines
}
