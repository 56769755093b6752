package players

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type newPlayerPage struct {
	web.Page
	UserID, Currency views.Field
	Test             bool
}

func (a *Area) NewPlayerForm(c *fiber.Ctx) error { return a.showNewPlayer(c, web.NewForm(c)) }

func (a *Area) showNewPlayer(c *fiber.Ctx, f *web.Form) error {
	page := &newPlayerPage{Page: a.Page(c, ""),
		UserID:   f.Field(views.Field{Name: "user", Required: true, Autocomplete: "off"}),
		Currency: f.Field(views.Field{Name: "currency", Required: true, Autocomplete: "off"})}
	page.Test = f.Text("test") == "yes"
	return a.RenderForm(c, !f.Ok(), "players/new", page)
}

func (a *Area) CreatePlayer(c *fiber.Ctx) error {
	f := web.NewForm(c)
	user := f.Text("user")
	if err := models.CheckID(user); err != nil {
		f.Refuse("user", err.Error())
	}
	currency, err := models.ParseCurrency(f.Text("currency"))
	if err != nil {
		f.Refuse("currency", err.Error())
	}
	if !f.Ok() {
		return a.Again(c, f, "/players/new")
	}
	p, err := a.Store.CreatePlayer(c.UserContext(), a.Actor(c),
		models.NewPlayer{UserID: models.UserID(user), Currency: currency, Test: f.Text("test") == "yes"})
	if errors.Is(err, models.ErrPlayerExists) {
		f.Refuse("user", "A player with this ID already exists.")
		return a.Again(c, f, "/players/new")
	}
	if err != nil {
		return err
	}
	return a.Done(c, things.PlayerPath(p.ID), string(p.UserID)+" now has a wallet of 0.00 "+string(p.Wallet.Currency)+".")
}
