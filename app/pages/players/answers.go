package players

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// SetLanguage sets the language and time zone of answers to a player, or of only the answer on the page.
func (a *Area) SetLanguage(c *fiber.Ctx, p models.Player) error {
	f, back := web.NewForm(c), web.Local(web.Posted(c, "back"), pages.PlayerPath(p.ID))
	language, zone := f.Text("language"), f.Text("zone")
	unknownZone, saved := zone != "" && models.CheckZone(zone) != nil, ""
	if unknownZone { // the language may still be right
		zone = p.Zone
	}
	if f.Text("once") != "" {
		back += pages.AnswerQuery(language, zone)
	} else if err := a.Store.SetLanguage(c.UserContext(), a.Actor(c), p.ID, language, zone); errors.Is(err, models.ErrPlayerLanguage) {
		return a.Flash(c, back, views.Warning("The answer was not changed", web.Sentence(models.ErrPlayerLanguage.Error())))
	} else if err != nil {
		return err
	} else {
		saved = "The language is saved. "
	}
	if unknownZone {
		return a.Flash(c, back+"#answer", views.Warning("The time zone was not changed", fmt.Sprintf(
			"%s“%.60s” is not a time zone. %s", saved, f.Text("zone"), web.Sentence(models.ErrLimitZone.Error()))))
	}
	return c.Redirect(back+"#answer", fiber.StatusSeeOther)
}

// Tell records what the reader has told a player, with one of the player's cases if the reader chose one.
func (a *Area) Tell(c *fiber.Ctx, p models.Player) error {
	f, back := web.NewForm(c), web.Local(web.Posted(c, "back"), pages.PlayerPath(p.ID))
	id, err := strconv.ParseInt(f.Text("case"), 10, 64)
	if err != nil {
		id = 0
	}
	if role := web.ReaderOf(c).Role; id != 0 && !web.May(role, web.WorkCases) {
		return web.Forbidden(role, web.WorkCases)
	}
	switch err := a.Store.TellPlayer(c.UserContext(), a.Actor(c), p.ID, id, f.Text("told")); {
	case errors.Is(err, models.ErrPlayerTold):
		f.Refuse("told", models.ErrPlayerTold.Error())
		return a.ShowAgain(c, f, back)
	case errors.Is(err, models.ErrCaseUnknown):
		return web.NotFound("case")
	case err != nil:
		return err
	}
	where := "in the history of " + string(p.UserID)
	if id != 0 {
		where = "with case " + f.Text("case") + ", and " + where
	}
	return a.Done(c, back, "What the player was told is kept "+where+".")
}
