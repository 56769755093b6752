package account

import (
	"errors"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/credentials"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The reader's passkeys, which a script creates and uses (static/src/js/passkey.js).

type newPasskeyPage struct {
	web.Page
	Required, Replaces bool
	Question           string // the challenge for the browser
	Name               views.Field
	Password           *views.Field
	Old                views.Field // for a code from the second factor that the reader has now
}

func (a *Area) NewPasskeyForm(c *fiber.Ctx) error {
	if a.Passkeys == nil {
		return web.NotFound("page")
	}
	return a.showNewPasskey(c, web.NewForm(c))
}

func (a *Area) showNewPasskey(c *fiber.Ctx, f *web.Form) error {
	who := web.ReaderOf(c)
	question, kept, err := a.Passkeys.AskToCreate(who.Staff)
	if err != nil {
		return err
	}
	if err := a.SetValue(c, web.ValueCreate, kept); err != nil {
		return err
	}
	page := &newPasskeyPage{Page: a.Page(c, ""), Required: who.Stage == web.Arriving, Replaces: who.HasSecondFactor(), Question: question,
		Name: f.Field(views.Field{Name: "name", Autocomplete: "off", Required: true})}
	if page.Password = page.Confirm; page.Replaces {
		password := f.Field(web.ConfirmPassword)
		page.Password = &password
		if page.Old, err = a.oldCodeField(c, f); err != nil {
			return err
		}
	}
	return a.RenderForm(c, !f.Ok(), "account/passkey", page)
}

func (a *Area) AddPasskey(c *fiber.Ctx) error {
	if a.Passkeys == nil {
		return web.NotFound("page")
	}
	f, who := web.NewForm(c), web.ReaderOf(c)
	made, err := a.Passkeys.Created(who.Staff, who.Value(web.ValueCreate), web.Posted(c, "passkey"))
	if err != nil {
		a.Log.Info("A passkey was not added.", "username", who.Username, "err", err)
		f.Refuse("name", "The browser did not create a passkey for this page. Try again.")
	}
	if made.Name = f.Text("name"); made.Name == "" || utf8.RuneCountInString(made.Name) > 60 {
		f.Refuse("name", models.ErrPasskeyName.Error())
	}
	if f.Ok() && who.HasSecondFactor() {
		if err := a.CheckPasswordAndCode(c, f, "password", "old"); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.showNewPasskey(c, f)
	}
	codes, hashes := credentials.NewRecoveryCodes()
	err = a.Store.AddPasskey(c.UserContext(), a.Actor(c), made, hashes, who.Row.Hash)
	if errors.Is(err, models.ErrPasskeys) {
		f.Refuse("name", err.Error())
		return a.showNewPasskey(c, f)
	}
	if err != nil {
		return err
	}
	if err := a.SetValue(c, web.ValueCreate, ""); err != nil {
		return err
	}
	if who.HasSecondFactor() {
		return a.Done(c, "/account", "The passkey "+made.Name+" was added. Your other sessions have ended.")
	}
	return a.showCodes(c, codes)
}

func (a *Area) loadPasskey(c *fiber.Ctx) (models.Passkey, error) {
	id, err := web.Number(c, "id")
	if err != nil {
		return models.Passkey{}, err
	}
	p, found := web.ReaderOf(c).Passkey(id)
	if !found {
		return p, web.NotFound("passkey")
	}
	return p, nil
}

func (a *Area) RemovePasskeyForm(c *fiber.Ctx) error {
	p, err := a.loadPasskey(c)
	if err != nil {
		return err
	}
	return a.confirmOwnChange(c, web.NewForm(c), p)
}

func (a *Area) RemovePasskey(c *fiber.Ctx) error {
	p, err := a.loadPasskey(c)
	if err != nil {
		return err
	}
	f, who := web.NewForm(c), web.ReaderOf(c)
	if err := a.CheckPasswordAndCode(c, f, "password", "old"); err != nil {
		return err
	}
	if !f.Ok() {
		return a.confirmOwnChange(c, f, p)
	}
	err = a.Store.RemovePasskey(c.UserContext(), a.Actor(c), who.ID, p.ID, who.Row.Hash)
	if errors.Is(err, models.ErrOnlyFactor) || errors.Is(err, models.ErrPasskeyLost) {
		return a.Flash(c, "/account", views.Warning("", web.Sentence(err.Error())))
	}
	if err != nil {
		return err
	}
	return a.Done(c, "/account", "The passkey "+p.Name+" was removed.")
}
