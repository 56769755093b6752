package app

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/views"
)

type playerDeedPage struct {
	Page
	Deed   views.Deed
	Fields []views.Field
}

// showBlock is the second step of blocking and unblocking.
func (a *App) showBlock(c *fiber.Ctx, f *form, block bool) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	user := string(p.UserID)
	title, verb := "Unblock", "Unblock"
	deed := views.Deed{
		Sentence:     "Let " + user + " bet again.",
		Consequences: "Bets are taken again from the next callback on. The balance stays as it is.",
		Changes: []views.Change{
			{What: "Bets", Before: "refused", After: "taken"},
			{What: "Wins and rollbacks", Before: "settled", After: "settled"},
		},
		Action: playerPath(p.ID) + "/unblock",
	}
	if block {
		title, verb = "Block", "Block"
		deed = views.Deed{
			Sentence: "Keep " + user + " from betting.",
			Consequences: "Bets are refused with 1, general error, from the next callback on. Wins and rollbacks still " +
				"settle, so that rounds under way end properly. The balance stays as it is.",
			Changes: []views.Change{
				{What: "Bets", Before: "taken", After: "refused"},
				{What: "Wins and rollbacks", Before: "settled", After: "settled"},
			},
			Action: playerPath(p.ID) + "/block", Destroys: true,
		}
	}
	page := &playerDeedPage{Page: a.page(c, title), Deed: deed}
	page.Crumbs = []views.Crumb{{Word: "Players", Href: "/players"}, {Word: user, Href: playerPath(p.ID)}, {Word: title}}
	if p.Wallet.Blocked == block {
		return a.flash(c, playerPath(p.ID),
			views.Note{Kind: "wait", Icon: "info",
				Text: user + " is " + map[bool]string{true: "blocked", false: "not blocked"}[block] +
					" already. Somebody else was quicker, or this page was open for long."})
	}
	page.Deed.Button, page.Deed.Back = verb+" "+user, views.Link{Word: "Back", Href: playerPath(p.ID)}
	page.Fields = []views.Field{
		f.field(views.Field{Label: "Reason", Name: "reason", Required: true, Autocomplete: "off",
			Hint: "For your colleagues and the audit log."}),
	}
	if !f.ok() {
		return a.refused(c, "players/deed", page)
	}
	return a.render(c, "players/deed", page)
}

func (a *App) blockPlayerForm(c *fiber.Ctx) error { return a.showBlock(c, newForm(c), true) }

func (a *App) unblockPlayerForm(c *fiber.Ctx) error { return a.showBlock(c, newForm(c), false) }

func (a *App) blockPlayer(c *fiber.Ctx) error { return a.setBlocked(c, true) }

func (a *App) unblockPlayer(c *fiber.Ctx) error { return a.setBlocked(c, false) }

// maxReason is how many characters of a reason are kept.
const maxReason = 500

func (a *App) setBlocked(c *fiber.Ctx, block bool) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	reason := f.text("reason")
	switch {
	case reason == "":
		f.refuse("reason", "Say why.")
	case len([]rune(reason)) > maxReason:
		f.refuse("reason", "Say it in 500 characters.")
	}
	if !f.ok() || p.Wallet.Blocked == block {
		return a.again(c, f, c.Path())
	}
	if err := a.Store.SetBlocked(c.UserContext(), a.actor(c), p.UserID, block, reason); err != nil {
		return err
	}
	if block {
		return a.done(c, playerPath(p.ID), string(p.UserID)+" is blocked. Bets are refused from now on.")
	}
	return a.done(c, playerPath(p.ID), string(p.UserID)+" may bet again.")
}
