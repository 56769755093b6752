package money

import (
	"context"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type transactionPage struct {
	web.Page
	Facts       []views.Fact
	Notes       []views.Note
	Meaning     roundMeaning // of its round, where a bet has no win
	Events      []views.Event
	Definitions []web.Definition
	Neighbours  []web.Neighbour
	History     []web.HistoryLine
}

// lingers is for how long before a transaction the opening of a game may explain it.
const lingers = 24 * time.Hour

func (a *Area) Transaction(c *fiber.Ctx) error {
	ctx := c.UserContext()
	id, err := web.Number(c, "id")
	if err != nil {
		return web.NotFound("transaction")
	}
	t, found, err := a.Store.Transaction(ctx, id)
	if err == nil && !found {
		err = web.NotFound("transaction")
	}
	if err != nil {
		return err
	}
	if err := a.Viewed(c, "transaction", t.ID); err != nil {
		return err
	}
	word := things.TransactionWord(t.Transaction)
	size := t.Size().Grouped() + " " + string(t.Currency)
	page := &transactionPage{Page: a.Page(c, word+" of "+size)}
	page.Crumbs = []views.Crumb{{Word: "Transactions", Href: "/transactions"}, {Word: word}}
	page.Badges = []views.Badge{things.TransactionState(t.Transaction)}
	page.HeadID = &views.ID{Text: string(t.TransactionID), Kind: "transaction ID"}

	player, _, err := a.Store.PlayerByID(ctx, t.PlayerID)
	if err != nil {
		return err
	}
	entries, err := a.Store.TransactionEntries(ctx, t)
	if err != nil {
		return err
	}
	round, inRound, err := a.Store.Round(ctx, t.PlayerID, t.RoundID)
	if err != nil {
		return err
	}
	page.Facts = transactionFacts(&page.Page, t, player, entries)
	if inRound && t.State == models.Processed && t.Kind == models.Bet && round.Wins == 0 {
		state := things.RoundState(round)
		state.Word = "Round: " + round.State().String()
		page.Badges = append(page.Badges, state)
		page.Meaning = newRoundMeaning(round)
	}
	if !t.OtherContents.IsZero() {
		page.Notes = append(page.Notes, views.Note{
			Kind: "wait", Icon: "warning", Title: "The same ID came again with other contents",
			Text: "The first stands, and what came later changed nothing. Ask the platform which of the two it means.",
		})
	}
	for _, e := range entries {
		if !e.Holds {
			page.Notes = append(page.Notes, views.Note{
				Kind: "risk", Icon: "warning",
				Title: "Ledger line " + strconv.FormatInt(e.Seq, 10) + " does not follow from the one before",
				Text: "One of the two was altered after it was written. Verify the ledger, and trust no balance of this " +
					"player until it is explained.",
			})
		}
		page.Events = append(page.Events, entryEvent(&page.Page, e))
	}
	if t.FreeSpin {
		if err := a.spinEvents(ctx, page, t); err != nil {
			return err
		}
	}
	session, launched, err := a.sessionBefore(ctx, t.Transaction)
	if err != nil {
		return err
	}
	if launched {
		page.Events = append(page.Events, views.Event{
			At: page.Time(session.At), Node: "none", Who: "Game opened",
			Text:   ": " + session.Game.Name + ", in " + things.LanguageNames[session.Language],
			Detail: "The session that this most likely belongs to. The platform does not say.",
		})
	}
	callbacks, err := a.TransactionCallbacks(ctx, &page.Page, t)
	if err != nil {
		return err
	}
	page.Events = append(page.Events, callbacks...)
	if page.History, _, err = a.History(ctx, &page.Page, "transaction", t.ID, models.Cursor{}, 20); err != nil {
		return err
	}
	for _, e := range page.History {
		if !e.IsView() {
			page.Events = append(page.Events,
				views.Event{At: page.Time(e.At), Node: "staff", Who: e.Actor.Name, Text: ": " + e.Action, Quote: e.Reason})
		}
	}
	a.offerRequest(page, t)
	if err := a.tellCorrections(ctx, page, t, entries); err != nil {
		return err
	}
	cases, err := a.CaseEvents(ctx, &page.Page, models.CaseFilter{Transactions: []int64{t.ID}})
	if err != nil {
		return err
	}
	page.Events = append(page.Events, cases...)
	web.SortEvents(page.Events)
	page.Definitions = transactionDefinitions(&page.Page, t, entries)
	before, after, err := a.Store.NeighbouringTransactions(ctx, t.Transaction)
	if err != nil {
		return err
	}
	page.Neighbours = transactionNeighbours(&page.Page, player, t, before, after)
	if inRound {
		page.Neighbours = slices.Insert(page.Neighbours, 1, web.Neighbour{
			Label: "Round", Href: things.RoundPath(round.ID), ID: &views.ID{Text: string(round.RoundID), Short: true},
			Note: round.State().String(),
		})
	}
	if launched {
		page.Neighbours = slices.Insert(page.Neighbours, len(page.Neighbours)-bools(before != nil, after != nil),
			web.Neighbour{Label: "Game", Text: session.Game.Name, Href: "/games/" + strconv.FormatInt(session.Game.ID, 10),
				Note: "inferred"})
	}
	return a.Render(c, "transactions/transaction", page)
}

// bools counts those that are true.
func bools(all ...bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

// sessionBefore is the last game opened for the player within a day before a transaction.
func (a *Area) sessionBefore(ctx context.Context, t models.Transaction) (models.GameSession, bool, error) {
	list, _, err := a.Store.GameSessions(ctx, models.GameSessionFilter{
		PlayerID: t.PlayerID, State: models.GameSessionOpened, Page: models.Cursor{At: t.At, ID: math.MaxInt64}, Limit: 1,
	})
	if err != nil || len(list) == 0 || t.At.Sub(list[0].At) > lingers || t.RoundID == "" {
		return models.GameSession{}, false, err
	}
	return list[0], true, nil
}

func transactionFacts(p *web.Page, t models.TransactionLine, player models.Player, entries []models.LinkedEntry) []views.Fact {
	currency := " " + string(t.Currency)
	amount := views.Fact{Label: "Amount", Value: things.TransactionAmount(p, t).Text + currency,
		Note: strings.ToLower(things.TransactionWord(t.Transaction)) + ", real money", Big: true}
	balance := views.Fact{Label: "Balance", Value: "untouched", Note: "now " + player.Wallet.Balance.Grouped() + currency}
	switch {
	case t.FreeSpin:
		amount.Note = "a figure: the spin was free"
	case t.Kind == models.BetWin:
		amount.Note = "bet " + t.Bet.Grouped() + ", win " + t.Win.Grouped()
	}
	if len(entries) > 0 && t.After != nil {
		balance.Value = entries[0].Before.Grouped() + " → " + t.After.Grouped()
	}
	facts := []views.Fact{amount, balance}
	if t.State == models.Reversed {
		facts = append(facts, views.Fact{Label: "Rolled back", Moment: p.Time(t.ReversedAt),
			Note: web.Age(t.ReversedAt.Sub(t.At)) + " later"})
	}
	since := string(t.Currency) + ", since " + p.Time(player.CreatedAt).Date()
	if t.Test {
		since = "test player, " + since
	}
	return append(facts,
		views.Fact{Label: "Player", Value: string(t.UserID), Href: things.PlayerPath(t.PlayerID), Note: since},
		views.Fact{Label: "Booked", Moment: p.Time(t.At), Note: web.Age(p.Now.Sub(t.At)) + " ago"},
	)
}

func entryEvent(p *web.Page, e models.LinkedEntry) views.Event {
	event := views.Event{
		At: p.Time(e.At), Node: "money", Who: things.EntryDeed(e.Kind), Text: ",",
		Link: "ledger line " + strconv.FormatInt(e.Seq, 10), Href: things.LedgerPath(e.Entry),
		Detail: "Its hash follows from the line before it.", Effect: e.Amount.Signed(),
		After: e.Before.Grouped() + " → " + e.After.Grouped(),
	}
	if e.Kind == models.EntryBetReversed || e.Kind == models.EntryWinReversed {
		event.Text = " by a rollback,"
	}
	if !e.Holds {
		event.Node, event.Detail = "risk", "Its hash does not follow from the line before it."
	}
	return event
}

// spinEvents adds the lines of the free-spin ledger, with the grant that each is attributed to.
func (a *Area) spinEvents(ctx context.Context, page *transactionPage, t models.TransactionLine) error {
	spins, err := a.Store.TransactionSpins(ctx, t.Transaction)
	if err != nil {
		return err
	}
	for _, s := range spins {
		event := views.Event{
			At: page.Time(s.At), Node: "none", Who: things.EntryDeed(s.Kind),
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

// spinWord is what a line of the free-spin ledger did: "1 spin", "−1 spin".
func spinWord(n int64) string {
	if n < 0 {
		return "−" + web.Several(-n, "spin", "spins")
	}
	return web.Several(n, "spin", "spins")
}

func transactionDefinitions(p *web.Page, t models.TransactionLine, entries []models.LinkedEntry) []web.Definition {
	callback := things.CallbackOf[t.Kind]
	if t.Source == models.SourceOwn {
		callback = "none: booked here"
	}
	money := "Real money"
	if t.FreeSpin {
		money = "Free spin"
	}
	list := []web.Definition{{Label: "Callback", Value: callback}, {Label: "Played with", Value: money}}
	if t.Kind == models.Bet || t.Kind == models.BetWin {
		list = append(list, web.Definition{Label: "Bet", Value: t.Bet.Grouped() + " " + string(t.Currency)})
	}
	switch t.Kind {
	case models.Win, models.BetWin:
		list = append(list, web.Definition{Label: "Win", Value: t.Win.Grouped() + " " + string(t.Currency)})
	case models.Opening, models.Adjustment:
		list = append(list, web.Definition{Label: "Amount", Value: t.Effect().Signed() + " " + string(t.Currency)})
	}
	if t.RoundID != "" {
		list = append(list, web.Definition{Label: "Round",
			ID: &views.ID{Text: string(t.RoundID), Kind: "round ID", Short: true}})
	}
	for _, e := range entries {
		hash := hex.EncodeToString(e.Hash[:])
		list = append(list,
			web.Definition{Label: "Ledger line", Value: strconv.FormatInt(e.Seq, 10) + ", " + e.Kind.String(),
				Href: things.LedgerPath(e.Entry)},
			web.Definition{Label: "Its hash", ID: &views.ID{Text: hash, Kind: "hash", Short: true}})
	}
	list = append(list, web.Definition{Label: "UTC", Value: t.At.UTC().Format(views.Proof)})
	if t.State == models.Reversed {
		list = append(list, web.Definition{Label: "Rolled back, UTC",
			Value: t.ReversedAt.UTC().Format(views.Proof)})
	}
	return append(list, web.Definition{Label: "Our number", Value: strconv.FormatInt(t.ID, 10)})
}

func transactionNeighbours(p *web.Page, player models.Player, t models.TransactionLine,
	before, after *models.TransactionLine) []web.Neighbour {
	list := []web.Neighbour{{Label: "Player", Text: string(t.UserID), Href: things.PlayerPath(t.PlayerID),
		Note: player.Wallet.Balance.Grouped() + " " + string(t.Currency)}}
	for _, side := range []struct {
		label string
		line  *models.TransactionLine
	}{{"Before", before}, {"After", after}} {
		if side.line == nil {
			continue
		}
		moment := p.Time(side.line.At)
		list = append(list, web.Neighbour{
			Label: side.label, Text: things.TransactionWord(side.line.Transaction) + " of " + side.line.Size().Grouped(),
			Href: things.TransactionPath(side.line.ID),
			Note: strings.TrimSpace(moment.Day() + " " + moment.Clock()),
		})
	}
	return list
}
