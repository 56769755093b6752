package sessions

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// After a launch, the form's tab waits until the new tab has opened the session. Then it shows the session's page, on which the
// game's callbacks appear as they arrive. Only the new tab ever gets the game's address.

// sessionStream has the callbacks about the player during the session, newest first.
type sessionStream struct {
	Rows []pages.CallbackRow
	More string // the address of the list of all of them; empty if Rows has all
	Open bool   // more callbacks may come
}

const streamRows = 30

func (a *Area) sessionStream(c *fiber.Ctx, p *web.Page, s models.GameSession, until time.Time) (*sessionStream, error) {
	if !a.Opens(c, "/callbacks") {
		return nil, nil
	}
	found, err := a.Store.Callbacks(c.UserContext(),
		models.CallbackFilter{UserID: s.UserID, Span: models.Span{Since: s.At, Until: until, Limit: streamRows}})
	if err != nil {
		return nil, err
	}
	stream := &sessionStream{Open: p.Now.Before(until)}
	for _, one := range found.Rows {
		stream.Rows = append(stream.Rows, pages.NewCallbackRow(p, one))
	}
	if found.More || !found.Stopped.IsZero() {
		at := func(t time.Time) string { return web.EscapeQuery(t.UTC().Format(time.RFC3339Nano)) }
		stream.More = "/callbacks?" + pages.PlayerOf(s.PlayerID) + "&since=" + at(s.At) + "&until=" + at(until)
	}
	return stream, nil
}

type launchedPage struct{ web.Page }

// LaunchedSession redirects to the session that the reader launched with a form. Until the platform has answered, it shows a
// page that waits.
func (a *Area) LaunchedSession(c *fiber.Ctx) error {
	launch := c.Params("launch")
	if !models.CheckLaunch(launch) {
		return web.NotFound("session")
	}
	s, found, err := a.Store.LaunchedSession(c.UserContext(), web.ReaderOf(c).Username, launch)
	if err != nil {
		return err
	}
	switch {
	case found && web.IsPoll(c):
		c.Set("HX-Redirect", web.PathOf("/sessions", s.ID))
		return c.SendStatus(fiber.StatusNoContent)
	case found:
		return c.Redirect(web.PathOf("/sessions", s.ID), fiber.StatusSeeOther)
	}
	return a.Render(c, "sessions/launched", &launchedPage{a.Page(c, "")})
}
