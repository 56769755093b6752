package players

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type newPlayerPage struct {
	web.Page
	UserID, Currency views.Field
	Zone             views.Field
	Test             bool
	Doubts           []string // possible mistakes about the player, in sentences
	DoubtsWrong      string   // the error at the tick that confirms the doubts; empty if there is none
}

// doubts returns possible mistakes in a new player's data, in sentences.
func (a *Area) doubts(ctx context.Context, user string, currency models.Currency) (list []string, err error) {
	found, err := a.Store.DoubtfulPlayers(ctx, models.PlayerFile{Lines: []int{1},
		Players: []models.NewPlayer{{UserID: models.UserID(user), Currency: currency}}})
	for _, d := range found {
		list = append(list, d.Err.Error())
	}
	return list, err
}

func (a *Area) NewPlayerForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newPlayerPage{Page: a.Page(c, ""),
		UserID:   f.Field(views.Field{Name: "user", Required: true, Autocomplete: "off"}),
		Currency: f.Field(views.Field{Name: "currency", Required: true, Autocomplete: "off"}),
		Zone:     f.Field(views.Field{Name: "zone", Autocomplete: "off"})}
	page.Test = f.Text("test") == "yes"
	if page.DoubtsWrong = web.Sentence(f.Wrong["sure"]); page.DoubtsWrong != "" {
		currency, err := models.ParseCurrency(f.Text("currency"))
		if err == nil {
			page.Doubts, err = a.doubts(c.UserContext(), f.Text("user"), currency)
		}
		if err != nil {
			return err
		}
	}
	return a.RenderForm(c, !f.Ok(), "players/new", page)
}

func (a *Area) CreatePlayer(c *fiber.Ctx) error {
	f := web.NewForm(c)
	user := f.Text("user")
	if err := models.CheckUserID(user); err != nil {
		f.Refuse("user", err.Error())
	}
	currency, err := models.ParseCurrency(f.Text("currency"))
	if err != nil {
		f.Refuse("currency", err.Error())
	}
	zone := f.Text("zone")
	if zone != "" && models.CheckZone(zone) != nil {
		f.Refuse("zone", models.ErrLimitZone.Error())
	}
	if f.Ok() && f.Text("sure") != "yes" {
		found, err := a.doubts(c.UserContext(), user, currency)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			f.Refuse("sure", "Check this, then tick it to create the player.")
		}
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, "/players/new")
	}
	p, err := a.Store.CreatePlayer(c.UserContext(), a.Actor(c),
		models.NewPlayer{UserID: models.UserID(user), Currency: currency, Test: f.Text("test") == "yes", Zone: zone})
	if errors.Is(err, models.ErrPlayerExists) {
		f.Refuse("user", "A player with this ID already exists.")
		return a.ShowAgain(c, f, "/players/new")
	}
	if err != nil {
		return err
	}
	return a.Done(c, pages.PlayerPath(p.ID), string(p.UserID)+" now has a wallet of 0.00 "+string(p.Wallet.Currency)+".")
}
