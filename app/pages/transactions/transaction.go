package transactions

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/answers"
	"pitboss/app/atonce"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type transactionPage struct {
	web.Page
	T            models.TransactionLine
	Word         string // the transaction's kind
	FromPlatform bool   // the platform sent it
	Standing     bool   // it was not rolled back, and is not a cash-out that has ended
	Callback     string // the endpoint of its callback
	Amount       views.Money
	Player       models.Player
	Entries      []models.LinkedEntry
	First        *models.LinkedEntry // the first of its entries; nil for a free spin
	InRound      *models.Round
	Meaning      *views.Note         // what its round's state means, if it is a bet without a win
	Session      *models.GameSession // the session in which it was most likely played
	Corrections  []correctionOf
	Events       []views.Event
	Tell         *pages.Answer
	Remark       *pages.Remark
	History      []web.HistoryLine
}

func (a *Area) Detail(c *fiber.Ctx) error {
	ctx := c.UserContext()
	t, err := web.Find(c, "transaction", a.Store.Transaction)
	if err != nil {
		return err
	}
	if err := a.Viewed(c, "transaction", t.ID, t.PlayerID); err != nil {
		return err
	}
	page := &transactionPage{Page: a.Page(c, ""), T: t, Word: pages.TransactionWord(t.Transaction),
		FromPlatform: t.Source == models.SourcePlatform, Standing: t.State == models.Processed,
		Callback: models.CallbackKind(t.Kind).String()}
	page.Amount = pages.TransactionAmount(&page.Page, t)
	page.Badges = []views.Badge{pages.TransactionState(t.Transaction)}
	page.HeadID = &views.ID{Text: string(t.TransactionID), Kind: "transaction ID"}
	var round models.Round
	var inRound bool
	var callbacks, cases []views.Event
	err = atonce.Read(
		func() (err error) {
			page.Player, _, err = a.Store.PlayerByID(ctx, t.PlayerID)
			return err
		},
		func() (err error) {
			page.Entries, err = a.Store.TransactionEntries(ctx, t)
			return err
		},
		func() (err error) {
			round, inRound, err = a.Store.Round(ctx, t.PlayerID, t.RoundID)
			return err
		},
		func() (err error) {
			page.Session, err = a.SessionBefore(ctx, t.Transaction)
			return err
		},
		func() (err error) {
			callbacks, err = a.TransactionCallbacks(ctx, &page.Page, t)
			return err
		},
		func() (err error) {
			var history models.Page[web.HistoryLine]
			history, err = a.History(ctx, &page.Page, models.HistoryOf("transaction", t.ID, 20))
			page.History = history.Rows
			return err
		},
		func() (err error) {
			cases, err = a.CaseEvents(ctx, &page.Page, models.CaseFilter{Transactions: []int64{t.ID}})
			return err
		})
	if err != nil {
		return err
	}
	if len(page.Entries) > 0 && t.After != nil {
		page.First = &page.Entries[0]
	}
	if inRound {
		page.InRound = &round
		if page.Standing && t.Kind == models.Bet && !round.HasResult() {
			page.Meaning = pages.RoundNote(round)
		}
	}
	last, err := a.LastWin(ctx, round)
	if err != nil {
		return err
	}
	about := models.Case{Finding: models.Finding{Transaction: t.ID}}
	if page.Tell, err = a.NewAnswer(c, &page.Page, page.Player, answers.Transaction(t, page.InRound, last), about); err != nil {
		return err
	}
	if page.Remark, err = a.NewRemark(c, &page.Page, "transaction", strconv.FormatInt(t.ID, 10)); err != nil {
		return err
	}
	if page.Meaning != nil {
		state := pages.RoundState(round)
		state.Word = "Round: " + round.State().String()
		page.Badges = append(page.Badges, state)
	}
	for _, e := range page.Entries {
		if !e.Holds {
			a.Fault(ctx, t.PlayerID, "wallet "+strconv.FormatInt(t.PlayerID, 10),
				fmt.Sprintf("entry %d: its hash does not match its contents and the line before it", e.Seq))
		}
		page.Events = append(page.Events, entryEvent(&page.Page, e))
	}
	if t.FreeSpin {
		if err := a.spinEvents(ctx, page, t); err != nil {
			return err
		}
	}
	if session := page.Session; session != nil {
		page.Events = append(page.Events, views.Event{
			At: page.Time(session.At), Node: "none", Who: "Game opened",
			Text:   ": " + session.Game.Name + ", in " + pages.LanguageNames[session.Language],
			Detail: "The session in which this was most likely played. The platform does not say.",
		})
	}
	page.Events = append(page.Events, callbacks...)
	for _, e := range page.History {
		if !e.IsView() {
			page.Events = append(page.Events,
				views.Event{At: page.Time(e.At), Node: "staff", Who: e.Actor.Name, Text: ": " + e.Action, Quote: e.Reason})
		}
	}
	if err := a.tellCorrections(ctx, page); err != nil {
		return err
	}
	page.Events = append(page.Events, cases...)
	pages.SortEvents(page.Events)
	return a.Render(c, "transactions/transaction", page)
}

func entryEvent(p *web.Page, e models.LinkedEntry) views.Event {
	event := views.Event{
		At: p.Time(e.At), Node: "money", Who: pages.EntryWord(e.Kind), Text: ",",
		Link: "ledger line " + strconv.FormatInt(e.Seq, 10), Href: pages.LedgerPath(e.Entry),
		Detail: "The line follows from the line before it.", Effect: e.Amount.Signed(),
		After: e.Before.Grouped() + " → " + e.After.Grouped(),
	}
	if e.Kind == models.EntryBetReversed || e.Kind == models.EntryWinReversed {
		event.Text = " by a rollback,"
	}
	if !e.Holds {
		event.Node, event.Detail = "risk", "The line does not follow from the line before it."
	}
	return event
}

// spinEvents adds the transaction's lines in the free-spin ledger, each with the grant that it is attributed to.
func (a *Area) spinEvents(ctx context.Context, page *transactionPage, t models.TransactionLine) error {
	spins, err := a.Store.TransactionSpins(ctx, t.Transaction)
	if err != nil {
		return err
	}
	for _, s := range spins {
		event := views.Event{
			At: page.Time(s.At), Node: "none", Who: pages.EntryWord(s.Kind),
			Text:   ", free-spin ledger line " + strconv.FormatInt(s.Seq, 10),
			Detail: web.FirstUpper(s.Rule.String()) + ".", Effect: spinWord(s.Spins), After: "worth " + s.Stake.Grouped(),
		}
		if s.GrantID != 0 {
			event.Text += ", attributed to"
			event.Link, event.Href = "grant "+strconv.FormatInt(s.GrantID, 10), web.PathOf("/free-spins", s.GrantID)
		}
		page.Events = append(page.Events, event)
	}
	return nil
}

// spinWord describes a line of the free-spin ledger, such as "1 spin" or "−1 spin".
func spinWord(n int64) string {
	if n < 0 {
		return "−" + web.Several(-n, "spin", "spins")
	}
	return web.Several(n, "spin", "spins")
}
