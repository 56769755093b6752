package callbacks

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/answers"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type callbackPage struct {
	web.Page
	C                            models.Callback
	Word, Answer, From, Sentence string
	Refusal                      string        // why the wallet's rules declined it
	Note                         *views.Note   // about the verdict; nil if it needs none
	Tell                         *pages.Answer // for the player, about a refused bet
	Remark                       *pages.Remark
	Events                       []views.Event
	Compared                     []views.Change // the contents of the first callback and of this one
}

func (a *Area) Detail(c *fiber.Ctx) error {
	ctx := c.UserContext()
	place, err := models.ParseCursor(c.Params("id"))
	if err != nil {
		return web.NotFound("callback")
	}
	line, found, err := a.Store.Callback(ctx, place)
	if err != nil {
		return err
	}
	if !found {
		return web.NotFound("callback")
	}
	if line.PlayerID != 0 && !web.IsPoll(c) {
		if err := a.Store.NoteView(ctx, a.Actor(c), "callback", place.String(), line.PlayerID); err != nil {
			return err
		}
	}
	page := &callbackPage{Page: a.Page(c, ""), C: line, Word: pages.CallbackWord(line), Answer: pages.AnswerWords(line),
		From: pages.AddressWords(line.Address)}
	page.Badges, page.Note = []views.Badge{pages.CallbackBadge(line)}, noteOf(line)
	page.HeadID = &views.ID{Text: line.Request.String(), Kind: "request ID"}
	page.Sentence = pages.CallbackSentence(&page.Page, line)
	if line.Had != nil {
		page.Refusal = pages.RefusalNote(line)
	}
	if pages.IsRefusedBet(line) {
		player, _, err := a.Store.PlayerByID(ctx, line.PlayerID)
		if err != nil {
			return err
		}
		if page.Tell, err = a.NewAnswer(c, &page.Page, player, answers.Refused(line), models.Case{}); err != nil {
			return err
		}
	}
	if page.Remark, err = a.NewRemark(c, &page.Page, "callback", place.String()); err != nil {
		return err
	}
	comments, err := a.Comments(ctx, &page.Page, "callback", place.String())
	if err != nil {
		return err
	}
	page.Events = append(comments, pages.CallbackEvents(&page.Page, line)...)
	if err := a.compare(ctx, page, line); err != nil {
		return err
	}
	return a.Render(c, "callbacks/callback", page)
}

// notes explain verdicts to the reader of a callback.
var notes = map[models.Verdict]views.Note{
	models.VerdictNoAnswer: views.Warning("Nothing is booked for this transactionID", "The platform repeats the callback."),
	models.VerdictOtherContents: views.Warning("Transaction ID reused with different details",
		"The first one counts, and this one changed nothing. Ask the platform which of the two is right."),
	models.VerdictSignReused: {Kind: "risk", Icon: "warning", Title: "The signature was used before, for different values",
		Text: "The signature is valid, because it covers neither the endpoint nor the boundaries between values. But the platform " +
			"never signs the same text for two different callbacks. Nothing was booked."},
	models.VerdictInvalidSign: {Icon: "warning", Title: "The sender is unknown",
		Text: "The signature is invalid, so nothing in the request can be trusted. Long texts are shortened. If the address belongs " +
			"to the platform, the secret keys differ."},
}

// noteOf returns the note about a callback's verdict, or nil if it needs none.
func noteOf(c models.Callback) *views.Note {
	note, there := notes[c.Verdict]
	switch {
	case !there:
		return nil
	case c.Verdict == models.VerdictNoAnswer && c.Transaction != 0:
		note = views.Warning("The transaction is in the ledger",
			"This request booked it after the deadline for the answer, or another request did. The "+
				"platform repeats the callback and then gets the outcome.",
			views.Link{Word: "Open the transaction", Href: pages.TransactionPath(c.Transaction)})
	case (c.Verdict == models.VerdictNoAnswer || c.Verdict == models.VerdictSignReused) && c.TransactionID != "":
		note.Links = []views.Link{{Word: "All for this transaction",
			Href: "/callbacks?id=" + web.EscapeQuery(string(c.TransactionID))}}
	}
	return &note
}

// compare compares a callback that reuses a transaction ID with the transaction that was applied under this ID.
func (a *Area) compare(ctx context.Context, page *callbackPage, c models.Callback) error {
	if c.Verdict != models.VerdictOtherContents || c.Transaction == 0 {
		return nil
	}
	t, found, err := a.Store.Transaction(ctx, c.Transaction)
	if err != nil || !found {
		return err
	}
	bet, win := t.Bet.String(), t.Win.String()
	came, cameWin := c.Amount, c.WinAmount
	if c.Kind == models.Deposit {
		came, cameWin = "", c.Amount
	}
	if t.Kind == models.Win {
		bet = ""
	}
	if t.Kind == models.Bet {
		win = ""
	}
	yes := map[bool]string{true: "true", false: "false"}
	for _, row := range []views.Change{
		{What: "Endpoint", Before: models.CallbackKind(t.Kind).String(), After: c.Kind.String()},
		{What: "userID", Before: string(t.UserID), After: string(c.UserID)},
		{What: "Bet", Before: bet, After: came}, {What: "Win", Before: win, After: cameWin},
		{What: "roundID", Before: string(t.RoundID), After: string(c.RoundID)},
		{What: "freeSpin", Before: yes[t.FreeSpin], After: yes[c.FreeSpin]},
	} {
		if row.Before != "" || row.After != "" {
			page.Compared = append(page.Compared, row)
		}
	}
	return nil
}
