package money

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/platform"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type transactionRequestPage struct {
	web.Page
	Back    string
	Replays []platform.Replay
}

// offerRequest leads from a transaction's page to its callbacks as commands.
func (a *Area) offerRequest(page *transactionPage, t models.TransactionLine) {
	if page.Can(web.CopyCallbacks) && a.Replays != nil && t.Source == models.SourcePlatform {
		page.Actions = append(page.Actions,
			views.Link{Word: "Copy as curl", Href: things.TransactionPath(t.ID) + "/request", Icon: "copy"})
	}
}

// TransactionRequest shows the callbacks of a transaction as commands that send them again. The commands sign where they run,
// with a key that the reader must have; no sign is shown. Each look is recorded.
func (a *Area) TransactionRequest(c *fiber.Ctx) error {
	id, err := web.Number(c, "id")
	if err != nil || a.Replays == nil {
		return web.NotFound("transaction")
	}
	t, found, err := a.Store.Transaction(c.UserContext(), id)
	if err != nil {
		return err
	}
	if !found {
		return web.NotFound("transaction")
	}
	replays := a.Replays.Of(t)
	if len(replays) == 0 {
		return web.NotFound("callback")
	}
	if err := a.Store.NoteRequestShown(c.UserContext(), a.Actor(c), t.ID); err != nil {
		return err
	}
	page := &transactionRequestPage{Page: a.Page(c, "The callback as curl"), Back: things.TransactionPath(t.ID),
		Replays: replays}
	page.Lede = "Sends this transaction's request again. It has been processed, so sending it changes nothing."
	page.Crumbs = []views.Crumb{
		{Word: "Transactions", Href: "/transactions"}, {Word: things.TransactionWord(t.Transaction), Href: page.Back},
		{Word: "Request"},
	}
	return a.Render(c, "transactions/request", page)
}
