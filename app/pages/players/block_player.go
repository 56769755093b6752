package players

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/views"
)

type playerDeedPage struct {
	web.Page
	Deed   views.Deed
	Fields []views.Field
}

// showBlock is the second step of blocking and unblocking.
func (a *Area) showBlock(c *fiber.Ctx, f *web.Form, block bool) error {
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
		Action: things.PlayerPath(p.ID) + "/unblock",
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
			Action: things.PlayerPath(p.ID) + "/block", Destroys: true,
		}
	}
	page := &playerDeedPage{Page: a.Page(c, title), Deed: deed}
	page.Crumbs = []views.Crumb{{Word: "Players", Href: "/players"}, {Word: user, Href: things.PlayerPath(p.ID)}, {Word: title}}
	if p.Wallet.Blocked == block {
		return a.Flash(c, things.PlayerPath(p.ID),
			views.Note{Kind: "wait", Icon: "info",
				Text: user + " is " + map[bool]string{true: "blocked", false: "not blocked"}[block] +
					" already. Somebody else was quicker, or this page was open for long."})
	}
	page.Deed.Button, page.Deed.Back = verb+" "+user, views.Link{Word: "Back", Href: things.PlayerPath(p.ID)}
	page.Fields = []views.Field{
		f.Field(views.Field{Label: "Reason", Name: "reason", Required: true, Autocomplete: "off",
			Hint: "For your colleagues and the audit log."}),
	}
	if !f.Ok() {
		return a.Refused(c, "players/deed", page)
	}
	return a.Render(c, "players/deed", page)
}

func (a *Area) BlockPlayerForm(c *fiber.Ctx) error { return a.showBlock(c, web.NewForm(c), true) }

func (a *Area) UnblockPlayerForm(c *fiber.Ctx) error { return a.showBlock(c, web.NewForm(c), false) }

func (a *Area) BlockPlayer(c *fiber.Ctx) error { return a.setBlocked(c, true) }

func (a *Area) UnblockPlayer(c *fiber.Ctx) error { return a.setBlocked(c, false) }

func (a *Area) setBlocked(c *fiber.Ctx, block bool) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	reason := f.Text("reason")
	switch {
	case reason == "":
		f.Refuse("reason", "Say why.")
	case len([]rune(reason)) > web.MaxReason:
		f.Refuse("reason", "Say it in 500 characters.")
	}
	if !f.Ok() || p.Wallet.Blocked == block {
		return a.Again(c, f, c.Path())
	}
	if err := a.Store.SetBlocked(c.UserContext(), a.Actor(c), p.UserID, block, reason); err != nil {
		return err
	}
	if block {
		return a.Done(c, things.PlayerPath(p.ID), string(p.UserID)+" is blocked. Bets are refused from now on.")
	}
	return a.Done(c, things.PlayerPath(p.ID), string(p.UserID)+" may bet again.")
}
