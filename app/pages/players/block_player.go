package players

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type blockPage struct {
	web.Page
	Player models.Player
	Block  bool
	Reason views.Field
}

// showBlock shows the confirmation page for blocking or unblocking a player.
func (a *Area) showBlock(c *fiber.Ctx, f *web.Form, block bool) error {
	p, err := a.LoadPlayer(c)
	if err != nil {
		return err
	}
	if p.Wallet.Blocked == block {
		state := " is not blocked."
		if block {
			state = " is already blocked."
		}
		return a.Flash(c, pages.PlayerPath(p.ID), views.Info("",
			string(p.UserID)+state+" A colleague may have changed it while this page was open."))
	}
	page := &blockPage{Page: a.Page(c, ""), Player: p, Block: block,
		Reason: f.Field(views.Field{Name: "reason", Required: true, Autocomplete: "off"})}
	return a.RenderForm(c, !f.Ok(), "players/block", page)
}

func (a *Area) BlockPlayerForm(c *fiber.Ctx) error { return a.showBlock(c, web.NewForm(c), true) }

func (a *Area) UnblockPlayerForm(c *fiber.Ctx) error { return a.showBlock(c, web.NewForm(c), false) }

func (a *Area) BlockPlayer(c *fiber.Ctx) error { return a.setBlocked(c, true) }

func (a *Area) UnblockPlayer(c *fiber.Ctx) error { return a.setBlocked(c, false) }

func (a *Area) setBlocked(c *fiber.Ctx, block bool) error {
	p, err := a.LoadPlayer(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	reason := f.Text("reason")
	switch {
	case reason == "":
		f.Refuse("reason", "Enter a reason.")
	case len([]rune(reason)) > web.MaxReason:
		f.Refuse("reason", "A reason has at most 500 characters.")
	}
	if !f.Ok() || p.Wallet.Blocked == block {
		return a.ShowAgain(c, f, c.Path())
	}
	if err := a.Store.SetBlocked(c.UserContext(), a.Actor(c), p.UserID, block, reason); err != nil {
		return err
	}
	if block {
		return a.Done(c, pages.PlayerPath(p.ID), string(p.UserID)+" is blocked. Bets are refused from now on.")
	}
	return a.Done(c, pages.PlayerPath(p.ID), string(p.UserID)+" can bet again.")
}
