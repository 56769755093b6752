package app

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// viewed records that the reader looks at a player's data. A page that asks for itself again records nothing anew.
func (a *App) viewed(c *fiber.Ctx, object string, id int64) error {
	if isPoll(c) {
		return nil
	}
	return a.Store.NoteView(c.UserContext(), a.actor(c), object, strconv.FormatInt(id, 10))
}

// definition is one of a thing's facts.
type definition struct {
	Label, Value, Href string
	ID                 *views.ID
}

// neighbour is a thing beside this one.
type neighbour struct {
	Label, Text, Href, Note string
	ID                      *views.ID
}

type transactionPage struct {
	Page
	Facts       []views.Fact
	Notes       []views.Note
	Meaning     roundMeaning // of its round, where a bet has no win
	Events      []views.Event
	Definitions []definition
	Neighbours  []neighbour
	History     []historyLine
}

// lingers is for how long before a transaction the opening of a game may explain it.
const lingers = 24 * time.Hour

func (a *App) transaction(c *fiber.Ctx) error {
	ctx := c.UserContext()
	id, err := number(c, "id")
	if err != nil {
		return notFound("transaction")
	}
	t, found, err := a.Store.Transaction(ctx, id)
	if err == nil && !found {
		err = notFound("transaction")
	}
	if err != nil {
		return err
	}
	if err := a.viewed(c, "transaction", t.ID); err != nil {
		return err
	}
	word := transactionWord(t.Transaction)
	size := t.Size().Grouped() + " " + string(t.Currency)
	page := &transactionPage{Page: a.page(c, word+" of "+size)}
	page.Crumbs = []views.Crumb{{Word: "Transactions", Href: "/transactions"}, {Word: word}}
	page.Badges = []views.Badge{transactionState(t.Transaction)}
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
	page.Facts = page.transactionFacts(t, player, entries)
	if inRound && t.State == models.Processed && t.Kind == models.Bet && round.Wins == 0 {
		state := roundState(round)
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
		page.Events = append(page.Events, page.entryEvent(e))
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
			Text:   ": " + session.Game.Name + ", in " + languageNames[session.Language],
			Detail: "The session that this most likely belongs to. The platform does not say.",
		})
	}
	callbacks, err := a.transactionCallbacks(ctx, &page.Page, t)
	if err != nil {
		return err
	}
	page.Events = append(page.Events, callbacks...)
	if page.History, _, err = a.history(ctx, &page.Page, "transaction", t.ID, models.Cursor{}, 20); err != nil {
		return err
	}
	for _, e := range page.History {
		if !e.IsView() {
			page.Events = append(page.Events,
				views.Event{At: page.Time(e.At), Node: "staff", Who: e.Actor.Name, Text: ": " + e.Action, Quote: e.Reason})
		}
	}
	if err := errors.Join(a.offerRequest(page, t), a.tellCorrections(ctx, page, t, entries)); err != nil {
		return err
	}
	cases, err := a.caseEvents(ctx, &page.Page, models.CaseFilter{Transactions: []int64{t.ID}})
	if err != nil {
		return err
	}
	page.Events = append(page.Events, cases...)
	sortEvents(page.Events)
	page.Definitions = page.transactionDefinitions(t, entries)
	before, after, err := a.Store.NeighbouringTransactions(ctx, t.Transaction)
	if err != nil {
		return err
	}
	page.Neighbours = page.transactionNeighbours(player, t, before, after)
	if inRound {
		page.Neighbours = slices.Insert(page.Neighbours, 1, neighbour{
			Label: "Round", Href: roundPath(round.ID), ID: &views.ID{Text: string(round.RoundID), Short: true},
			Note: round.State().String(),
		})
	}
	if launched {
		page.Neighbours = slices.Insert(page.Neighbours, len(page.Neighbours)-bools(before != nil, after != nil),
			neighbour{Label: "Game", Text: session.Game.Name, Href: "/games/" + strconv.FormatInt(session.Game.ID, 10),
				Note: "inferred"})
	}
	return a.render(c, "transactions/transaction", page)
}

// sortEvents orders a story, the newest first.
func sortEvents(events []views.Event) {
	slices.SortStableFunc(events, func(a, b views.Event) int { return strings.Compare(b.At.Machine(), a.At.Machine()) })
}

func bools(all ...bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

// age is a length of time as people say it, in its two largest units: "3 h 25 min".
func age(d time.Duration) string {
	d = max(d, 0)
	n := func(d time.Duration, unit string) string { return strconv.Itoa(int(d)) + " " + unit }
	switch {
	case d < time.Minute:
		return n(d/time.Second, "s")
	case d < time.Hour:
		return n(d/time.Minute, "min")
	case d < 24*time.Hour:
		return n(d/time.Hour, "h") + " " + n(d%time.Hour/time.Minute, "min")
	}
	return n(d/(24*time.Hour), "d") + " " + n(d%(24*time.Hour)/time.Hour, "h")
}

// sessionBefore is the last game opened for the player within a day before a transaction.
func (a *App) sessionBefore(ctx context.Context, t models.Transaction) (models.GameSession, bool, error) {
	list, _, err := a.Store.GameSessions(ctx, models.GameSessionFilter{
		PlayerID: t.PlayerID, State: models.GameSessionOpened, Page: models.Cursor{At: t.At, ID: math.MaxInt64}, Limit: 1,
	})
	if err != nil || len(list) == 0 || t.At.Sub(list[0].At) > lingers || t.RoundID == "" {
		return models.GameSession{}, false, err
	}
	return list[0], true, nil
}

func (p *Page) transactionFacts(t models.TransactionLine, player models.Player, entries []models.LinkedEntry) []views.Fact {
	currency := " " + string(t.Currency)
	amount := views.Fact{Label: "Amount", Value: p.transactionAmount(t).Text + currency,
		Note: strings.ToLower(transactionWord(t.Transaction)) + ", real money", Big: true}
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
			Note: age(t.ReversedAt.Sub(t.At)) + " later"})
	}
	since := string(t.Currency) + ", since " + p.Time(player.CreatedAt).Date()
	if t.Test {
		since = "test player, " + since
	}
	return append(facts,
		views.Fact{Label: "Player", Value: string(t.UserID), Href: playerPath(t.PlayerID), Note: since},
		views.Fact{Label: "Booked", Moment: p.Time(t.At), Note: age(p.now.Sub(t.At)) + " ago"},
	)
}

var entryDeeds = map[models.EntryKind]string{
	models.EntryOpening: "Wallet opened", models.EntryBet: "Bet taken", models.EntryWin: "Win paid",
	models.EntryBetReversed: "Bet given back",
	models.EntryWinReversed: "Win taken back", models.EntryTombstone: "Rollback before its original",
	models.EntrySpin:         "Free spin used",
	models.EntrySpinReversed: "Free spin given back", models.EntryAdjustment: "Adjusted",
}

// entryDeed is what a ledger line records, as a deed.
func entryDeed(kind models.EntryKind) string {
	if deed, ok := entryDeeds[kind]; ok {
		return deed
	}
	return firstUpper(kind.String())
}

func ledgerPath(e models.Entry) string {
	return playerPath(e.PlayerID) + "/ledger?after=" + strconv.FormatInt(e.Seq+1, 10)
}

func (p *Page) entryEvent(e models.LinkedEntry) views.Event {
	event := views.Event{
		At: p.Time(e.At), Node: "money", Who: entryDeed(e.Kind), Text: ",",
		Link: "ledger line " + strconv.FormatInt(e.Seq, 10), Href: ledgerPath(e.Entry),
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
func (a *App) spinEvents(ctx context.Context, page *transactionPage, t models.TransactionLine) error {
	spins, err := a.Store.TransactionSpins(ctx, t.Transaction)
	if err != nil {
		return err
	}
	for _, s := range spins {
		event := views.Event{
			At: page.Time(s.At), Node: "none", Who: entryDeed(s.Kind),
			Text:   ", free-spin ledger line " + strconv.FormatInt(s.Seq, 10),
			Detail: firstUpper(s.Rule.String()) + ".", Effect: spinWord(s.Spins), After: "worth " + s.Stake.Grouped(),
		}
		if s.GrantID != 0 {
			event.Text += ", attributed to"
			event.Link, event.Href = "grant "+strconv.FormatInt(s.GrantID, 10), pathOf("/free-spins", s.GrantID)
		}
		page.Events = append(page.Events, event)
	}
	return nil
}

// spinWord is what a line of the free-spin ledger did: "1 spin", "−1 spin".
func spinWord(n int64) string {
	if n < 0 {
		return "−" + several(-n, "spin", "spins")
	}
	return several(n, "spin", "spins")
}

var callbackOf = map[models.OperationKind]string{models.Bet: "Withdraw", models.Win: "Deposit", models.BetWin: "BetWin"}

func (p *Page) transactionDefinitions(t models.TransactionLine, entries []models.LinkedEntry) []definition {
	callback := callbackOf[t.Kind]
	if t.Source == models.SourceOwn {
		callback = "none: booked here"
	}
	money := "Real money"
	if t.FreeSpin {
		money = "Free spin"
	}
	list := []definition{{Label: "Callback", Value: callback}, {Label: "Played with", Value: money}}
	if t.Kind == models.Bet || t.Kind == models.BetWin {
		list = append(list, definition{Label: "Bet", Value: t.Bet.Grouped() + " " + string(t.Currency)})
	}
	switch t.Kind {
	case models.Win, models.BetWin:
		list = append(list, definition{Label: "Win", Value: t.Win.Grouped() + " " + string(t.Currency)})
	case models.Opening, models.Adjustment:
		list = append(list, definition{Label: "Amount", Value: t.Effect().Signed() + " " + string(t.Currency)})
	}
	if t.RoundID != "" {
		list = append(list, definition{Label: "Round", ID: &views.ID{Text: string(t.RoundID), Kind: "round ID", Short: true}})
	}
	for _, e := range entries {
		hash := hexText(e.Hash)
		list = append(list,
			definition{Label: "Ledger line", Value: strconv.FormatInt(e.Seq, 10) + ", " + e.Kind.String(),
				Href: ledgerPath(e.Entry)},
			definition{Label: "Its hash", ID: &views.ID{Text: hash, Kind: "hash", Short: true}})
	}
	list = append(list, definition{Label: "UTC", Value: t.At.UTC().Format("2006-01-02 15:04:05.000000")})
	if t.State == models.Reversed {
		list = append(list, definition{Label: "Rolled back, UTC",
			Value: t.ReversedAt.UTC().Format("2006-01-02 15:04:05.000000")})
	}
	return append(list, definition{Label: "Our number", Value: strconv.FormatInt(t.ID, 10)})
}

func (p *Page) transactionNeighbours(player models.Player, t models.TransactionLine,
	before, after *models.TransactionLine) []neighbour {
	list := []neighbour{{Label: "Player", Text: string(t.UserID), Href: playerPath(t.PlayerID),
		Note: player.Wallet.Balance.Grouped() + " " + string(t.Currency)}}
	for _, side := range []struct {
		label string
		line  *models.TransactionLine
	}{{"Before", before}, {"After", after}} {
		if side.line == nil {
			continue
		}
		moment := p.Time(side.line.At)
		list = append(list, neighbour{
			Label: side.label, Text: transactionWord(side.line.Transaction) + " of " + side.line.Size().Grouped(),
			Href: transactionPath(side.line.ID),
			Note: strings.TrimSpace(moment.Day() + " " + moment.Clock()),
		})
	}
	return list
}
