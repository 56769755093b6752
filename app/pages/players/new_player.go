package players

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

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
	Doubts           doubts
	DoubtsWrong      string // why the player was not created in spite of them; empty if nobody asked
}

// doubts are what may be wrong about a new player, whose ID and currency can never be changed.
type doubts struct {
	Odd      []string        // characters that IDs rarely have, such as "a space" and "U+00E9 'é'"
	Like     models.UserID   // a player whose ID differs only in case
	Currency models.Currency // that no other player has
}

func (d doubts) any() bool { return len(d.Odd) > 0 || d.Like != "" || d.Currency != "" }

// doubt returns what may be wrong about a new player.
func (a *Area) doubt(ctx context.Context, user string, currency models.Currency) (d doubts, err error) {
	for _, r := range user {
		plain := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("-_.@:", r)
		odd := fmt.Sprintf("%#U", r)
		if r == ' ' {
			odd = "a space"
		}
		if !plain && !slices.Contains(d.Odd, odd) {
			d.Odd = append(d.Odd, odd)
		}
	}
	alike, err := a.Store.SearchPlayers(ctx, user, alikeSearched)
	if err != nil {
		return d, err
	}
	for _, p := range alike.Rows {
		if string(p.UserID) == user {
			return doubts{}, nil // the database refuses it
		}
		if strings.EqualFold(string(p.UserID), user) {
			d.Like = p.UserID
		}
	}
	currencies, err := a.Store.WalletCurrencies(ctx)
	if len(currencies) > 0 && !slices.Contains(currencies, currency) {
		d.Currency = currency
	}
	return d, err
}

// alikeSearched is how many players with a similar ID are compared.
const alikeSearched = 20

func (a *Area) NewPlayerForm(c *fiber.Ctx) error { return a.showNewPlayer(c, web.NewForm(c)) }

func (a *Area) showNewPlayer(c *fiber.Ctx, f *web.Form) error {
	page := &newPlayerPage{Page: a.Page(c, ""),
		UserID:   f.Field(views.Field{Name: "user", Required: true, Autocomplete: "off"}),
		Currency: f.Field(views.Field{Name: "currency", Required: true, Autocomplete: "off"})}
	page.Test = f.Text("test") == "yes"
	if page.DoubtsWrong = web.Sentence(f.Wrong["sure"]); page.DoubtsWrong != "" {
		currency, err := models.ParseCurrency(f.Text("currency"))
		if err == nil {
			page.Doubts, err = a.doubt(c.UserContext(), f.Text("user"), currency)
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
	if err := a.Store.CheckUserID(models.UserID(user)); err != nil {
		f.Refuse("user", err.Error())
	}
	currency, err := models.ParseCurrency(f.Text("currency"))
	if err != nil {
		f.Refuse("currency", err.Error())
	}
	if f.Ok() && f.Text("sure") != "yes" {
		found, err := a.doubt(c.UserContext(), user, currency)
		if err != nil {
			return err
		}
		if found.any() {
			f.Refuse("sure", "Check this, then tick it to create the player.")
		}
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
