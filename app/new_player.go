package app

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

type newPlayerPage struct {
	Page
	UserID, Currency views.Field
	Test             bool
}

func (a *App) newPlayerForm(c *fiber.Ctx) error { return a.showNewPlayer(c, newForm(c)) }

func (a *App) showNewPlayer(c *fiber.Ctx, f *form) error {
	page := &newPlayerPage{Page: a.page(c, "New player")}
	page.Lede = "The wallet opens with 0.00. Money comes by correction, which two people sign."
	page.Crumbs = []views.Crumb{{Word: "Players", Href: "/players"}, {Word: "New"}}
	page.UserID = f.field(views.Field{Label: "User ID", Name: "user", Required: true, Autocomplete: "off",
		Hint: "As the platform is told it. Every letter counts, and it cannot be changed later."})
	page.Currency = f.field(views.Field{Label: "Currency", Name: "currency", Required: true, Autocomplete: "off",
		Hint: "A code such as EUR. It cannot be changed later."})
	page.Test = f.text("test") == "yes"
	if !f.ok() {
		return a.refused(c, "players/new", page)
	}
	return a.render(c, "players/new", page)
}

func (a *App) createPlayer(c *fiber.Ctx) error {
	f := newForm(c)
	user := f.text("user")
	if err := models.CheckID(user); err != nil {
		f.refuse("user", err.Error())
	}
	currency, err := models.ParseCurrency(f.text("currency"))
	if err != nil {
		f.refuse("currency", err.Error())
	}
	if !f.ok() {
		return a.again(c, f, "/players/new")
	}
	p, err := a.Store.CreatePlayer(c.UserContext(), a.actor(c),
		models.NewPlayer{UserID: models.UserID(user), Currency: currency, Test: f.text("test") == "yes"})
	if errors.Is(err, models.ErrPlayerExists) {
		f.refuse("user", "There is a player with this user ID already.")
		return a.again(c, f, "/players/new")
	}
	if err != nil {
		return err
	}
	return a.done(c, playerPath(p.ID), string(p.UserID)+" has a wallet in "+string(p.Wallet.Currency)+", with 0.00.")
}
