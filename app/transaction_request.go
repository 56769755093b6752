package app

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/platform"
	"pitboss/models"
	"pitboss/views"
)

type transactionRequestPage struct {
	Page
	Back    string
	Replays []platform.Replay
}

// offerRequest leads from a transaction's page to its callbacks as commands.
func (a *App) offerRequest(page *transactionPage, t models.TransactionLine) error {
	may, err := page.Can(copyCallbacks)
	if may && a.Replays != nil && t.Source == models.SourcePlatform {
		page.Actions = append(page.Actions,
			views.Link{Word: "Copy as curl", Href: transactionPath(t.ID) + "/request", Icon: "copy"})
	}
	return err
}

// transactionRequest shows the callbacks of a transaction as commands that send them again. The commands sign where they run,
// with a key that the reader must have; no sign is shown. Each look is recorded.
func (a *App) transactionRequest(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil || a.Replays == nil {
		return notFound("transaction")
	}
	t, found, err := a.Store.Transaction(c.UserContext(), id)
	if err != nil {
		return err
	}
	if !found {
		return notFound("transaction")
	}
	replays := a.Replays.Of(t)
	if len(replays) == 0 {
		return notFound("callback")
	}
	if err := a.Store.NoteRequestShown(c.UserContext(), a.actor(c), t.ID); err != nil {
		return err
	}
	page := &transactionRequestPage{Page: a.page(c, "The callback as curl"), Back: transactionPath(t.ID), Replays: replays}
	page.Lede = "Sends this transaction's request again. It has been processed, so sending it changes nothing."
	page.Crumbs = []views.Crumb{
		{Word: "Transactions", Href: "/transactions"}, {Word: transactionWord(t.Transaction), Href: page.Back},
		{Word: "Request"},
	}
	return a.render(c, "transactions/request", page)
}
