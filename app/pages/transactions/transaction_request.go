package transactions

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/platform"
	"pitboss/app/web"
)

type transactionRequestPage struct {
	web.Page
	Word, Back string
	Replays    []platform.Replay
}

// TransactionRequest shows the callbacks of a transaction as commands that send them again. A command signs its callback
// itself, with a secret key that the reader must have, so the page shows no signature. Each view is recorded.
func (a *Area) TransactionRequest(c *fiber.Ctx) error {
	if a.Replays == nil {
		return web.NotFound("transaction")
	}
	t, err := web.Find(c, "transaction", a.Store.Transaction)
	if err != nil {
		return err
	}
	replays := a.Replays.Of(t)
	if len(replays) == 0 {
		return web.NotFound("callback")
	}
	if err := a.Store.NoteRequestShown(c.UserContext(), a.Actor(c), t.ID); err != nil {
		return err
	}
	page := &transactionRequestPage{Page: a.Page(c, ""), Word: pages.TransactionWord(t.Transaction),
		Back: pages.TransactionPath(t.ID), Replays: replays}
	return a.Render(c, "transactions/request", page)
}
