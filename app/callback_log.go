package app

import (
	"context"
	"net/netip"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/platform"
	"pitboss/models"
	"pitboss/views"
)

const callbackRows = 50

// callbackPath is a callback's page. Its name is its place in the log, which is made of nothing that came from outside.
func callbackPath(c models.Callback) string { return "/callbacks/" + c.Cursor().String() }

// callbackWord is what was called, or that a line is about what is not in the log.
func callbackWord(c models.Callback) string {
	switch {
	case c.LeftOut > 0:
		return "Not in the log"
	case c.Kind == models.NotACallback:
		return "No callback"
	}
	return c.Kind.String()
}

// callbackBadge says what became of a callback.
func callbackBadge(c models.Callback) views.Badge {
	word := firstUpper(c.Verdict.String())
	switch c.Verdict {
	case models.Applied:
		return views.Quiet(word)
	case models.VerdictNoAnswer, models.VerdictFault:
		return views.AtRisk(word)
	case models.VerdictOtherContents:
		return views.Waiting("Came again, changed")
	case models.VerdictUnknownPlayer:
		return views.Refused("Unknown player")
	case models.LeftOutRefused, models.LeftOutAnswers:
		return views.Plain(grouped(c.LeftOut) + " left out")
	}
	return views.Refused(word)
}

// answerWords is what was answered: "6, insufficient funds".
func answerWords(c models.Callback) string {
	switch {
	case c.LeftOut > 0:
		return ""
	case c.Answered == nil:
		return "not known"
	case c.Answered.Status != fiber.StatusOK:
		return "HTTP " + strconv.Itoa(c.Answered.Status)
	}
	return platform.ResultWords(c.Answered.Result)
}

// answerCode is what was answered, without the words: those of the badge say as much.
func answerCode(c models.Callback) string {
	if c.LeftOut > 0 || c.Answered == nil || c.Answered.Status != fiber.StatusOK {
		return answerWords(c)
	}
	return strconv.Itoa(c.Answered.Result)
}

func addressWords(a netip.Addr) string {
	if !a.IsValid() {
		return "an unknown address"
	}
	return a.String()
}

// callbackMoney is what a callback asked to move, as it came: signed by its endpoint where that is known to be an amount.
func (p *Page) callbackMoney(c models.Callback) views.Money {
	m := views.Money{Text: c.Amount, Currency: string(c.Currency), Void: c.Verdict != models.Applied}
	a, err := models.ParseAmount(c.Amount)
	if err != nil {
		return m
	}
	switch {
	case c.Kind == models.BetWinCallback:
		win, err := models.ParseAmount(c.WinAmount)
		if err != nil {
			return m
		}
		m.Text = (win - a).Signed()
	case c.Kind == models.Deposit:
		m.Text = a.Signed()
	case c.FreeSpin:
		m.Text = a.Grouped()
	default:
		m.Text = (-a).Signed()
	}
	return m
}

// callbackRow is a callback in a table.
type callbackRow struct {
	models.Callback
	Href, PlayerHref, Word, Answer, Took, From string
	Moment                                     views.Moment
	Amount                                     views.Money
	Badge                                      views.Badge
}

func (p *Page) callbackRow(c models.Callback) callbackRow {
	row := callbackRow{
		Callback: c, Href: callbackPath(c), Word: callbackWord(c), Answer: answerCode(c), Moment: p.Time(c.Request.Received),
		Amount: p.callbackMoney(c), Badge: callbackBadge(c),
	}
	if c.PlayerID != 0 {
		row.PlayerHref = playerPath(c.PlayerID)
	}
	if c.Answered != nil && c.LeftOut == 0 {
		row.Took = latencyWords(c.Answered.Latency)
	}
	if c.Address.IsValid() {
		row.From = c.Address.String()
	}
	return row
}

type callbacksPage struct {
	Page
	Player, Transaction, Address, Since, Until views.Field
	Kinds, Outcomes                            []views.Choice
	Rows                                       []callbackRow
	Paging                                     views.Paging
	Empty                                      views.Empty
}

var callbackKindWords = func() []string {
	words := []string{"", "All endpoints"}
	for _, k := range models.CallbackKinds() {
		words = append(words, strings.ToLower(k.String()), k.String())
	}
	return words
}()

func callbackKindOf(word string) models.CallbackKind {
	for _, k := range models.CallbackKinds() {
		if strings.ToLower(k.String()) == word {
			return k
		}
	}
	return 0
}

var outcomeWords = []string{
	"", "All results", "refused", "Only refused", "0", "0, applied", "1", "1, general error", "2", "2, wrong input", "3",
	"3, invalid sign", "6", "6, insufficient funds",
	"8", "8, transaction not found", "9", "9, already rolled back", "11", "11, duplicate", "changed", "11, changed contents",
	"none", "No definite answer",
	"strange", "No callback, or not allowed",
}

// outcomes are the verdicts behind a choice, by the result that they are usually answered with (specification, Errors 2).
var outcomes = map[string][]models.Verdict{
	"0":       {models.Applied},
	"1":       {models.VerdictPlayerBlocked, models.VerdictBalanceOverflow, models.VerdictFault},
	"2":       {models.VerdictWrongInput, models.VerdictOtherAgent, models.VerdictUnknownPlayer},
	"3":       {models.VerdictInvalidSign, models.VerdictSignReused},
	"6":       {models.VerdictInsufficientFunds},
	"8":       {models.VerdictNotFound},
	"9":       {models.VerdictRolledBack},
	"11":      {models.VerdictDuplicate, models.VerdictOtherContents},
	"changed": {models.VerdictOtherContents},
	"none":    {models.VerdictNoAnswer},
	"strange": {models.VerdictNotACallback, models.VerdictForbidden},
}

func (a *App) callbacks(c *fiber.Ctx) error {
	page := &callbacksPage{Page: a.page(c, "Callbacks")}
	page.Lede = "What the platform asked and what it was told, refused callbacks too; successful GetBalance calls are only " +
		"counted. Newest first."
	page.Saveable = true
	filter, wrong, err := a.callbackFilter(c, page)
	if err != nil {
		return err
	}
	if wrong != nil {
		page.Empty = *wrong
		return a.render(c, "callbacks/list", page)
	}
	found, err := a.Store.Callbacks(c.UserContext(), filter)
	if err != nil {
		return err
	}
	var first, last models.Cursor
	for i, line := range found.Rows {
		page.Rows = append(page.Rows, page.callbackRow(line))
		if last = line.Cursor(); i == 0 {
			first = last
		}
	}
	page.Paging = page.lookedAround(filter.Page, first, last, found.More, found.Stopped, strconv.Itoa(len(page.Rows))+" shown")
	switch {
	case !found.Stopped.IsZero():
		page.Empty = soFar(page.Paging)
	case len(page.Chips) > 0:
		page.Empty = views.Empty{Title: "No callback is such",
			Text:  "Nothing in the log passes all of these filters. IDs are compared letter for letter.",
			Links: []views.Link{{Word: "Show all", Href: page.Path, Main: true}}}
	default:
		page.Empty = views.Empty{Title: "No callback has come yet",
			Text: "Callbacks appear here as soon as the platform sends them. Open a game as a test player to see the first."}
	}
	return a.render(c, "callbacks/list", page)
}

// callbackFilter reads the filters from the address. What cannot be read is said in place of the list. A player need not exist:
// strangers name whom they like.
func (a *App) callbackFilter(c *fiber.Ctx, page *callbacksPage) (f models.CallbackFilter, wrong *views.Empty, err error) {
	page.Player, page.Transaction, page.Address = page.filterField("player", "Player"),
		page.filterField("id", "Transaction ID"), page.filterField("address", "From address")
	page.Player.Picker = "player"
	page.Since, page.Until = page.filterField("since", "Since"), page.filterField("until", "Until")
	page.Kinds = choices(page.params.Get("endpoint"), callbackKindWords...)
	page.Outcomes = choices(page.params.Get("result"), outcomeWords...)

	id, several, manyIDs, err := a.idFilter(c.UserContext(), &page.Page)
	if err != nil {
		return f, nil, err
	}
	f = models.CallbackFilter{
		Kind:   callbackKindOf(page.filter("endpoint", "Endpoint", wordOf(callbackKindWords))),
		UserID: models.UserID(page.filter("player", "Player", nil)), TransactionID: id, TransactionIDs: several,
		Limit: callbackRows,
	}
	result := page.filter("result", "Result", wordOf(outcomeWords))
	f.Verdicts, f.Refused = outcomes[result], result == "refused"
	refuse := func(err error) {
		if err != nil && wrong == nil {
			e := unread(err, &page.Page)
			wrong = &e
		}
	}
	refuse(manyIDs)
	var bad error
	if text := page.filter("address", "From", nil); text != "" {
		f.Address, bad = netip.ParseAddr(text)
		if bad != nil {
			bad = errFilterAddress
		}
		f.Address = f.Address.Unmap()
		refuse(bad)
	}
	f.Since, bad = page.timeFilter("since", "Since")
	refuse(bad)
	f.Until, bad = page.timeFilter("until", "Until")
	refuse(bad)
	if f.Page, err = page.place(); err != nil || f.UserID == "" {
		return f, wrong, err
	}
	player, known, err := a.Store.Player(c.UserContext(), f.UserID)
	if err == nil && known {
		err = a.viewed(c, "player", player.ID)
	}
	return f, wrong, err
}

func (a *App) exportCallbacks(c *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &callbacksPage{Page: p}
	f, wrong, err := a.callbackFilter(c, page)
	f.Limit = exportPage
	return export.List{
		Columns: []export.Column{
			{Name: "Time", Kind: export.Time}, {Name: "Received", Kind: export.Time}, {Name: "Endpoint"},
			{Name: "What became of it"}, {Name: "Cause"}, {Name: "Result", Kind: export.Number},
			{Name: "HTTP status", Kind: export.Number}, {Name: "Answer took, µs", Kind: export.Number}, {Name: "From address"},
			{Name: "Player"}, {Name: "Transaction ID"}, {Name: "Round ID"},
			{Name: "Amount", Kind: export.Money}, {Name: "Win of a BetWin", Kind: export.Money},
			{Name: "Sent in place of an amount"}, {Name: "Free spin", Kind: export.Flag},
			{Name: "Balance before", Kind: export.Money}, {Name: "Balance after", Kind: export.Money}, {Name: "Currency"},
			{Name: "Ledger line", Kind: export.Number},
			{Name: "Left out of the log", Kind: export.Number}, {Name: "Request ID"},
		},
		Read: newestFirst(f.Since, func(ctx context.Context, at models.Cursor) (models.Page[models.Callback], error) {
			f := f
			f.Page = at
			return a.Store.Callbacks(ctx, f)
		}, func(line models.Callback) models.Cursor { return line.Cursor() }, each(callbackCells)),
	}, page.Chips, wrong, err
}

// callbackCells is a callback as a file has it.
func callbackCells(c models.Callback) export.Row {
	var result, status, took any // nothing where the answer is not known
	if c.Answered != nil && c.LeftOut == 0 {
		result, status, took = int64(c.Answered.Result), int64(c.Answered.Status), c.Answered.Latency.Microseconds()
	}
	from := ""
	if c.Address.IsValid() {
		from = c.Address.String()
	}
	var unread []string
	amount := func(text string) any {
		a, err := models.ParseAmount(text)
		if err == nil {
			return a
		}
		if text != "" {
			unread = append(unread, text)
		}
		return nil
	}
	bet, win := amount(c.Amount), amount(c.WinAmount)
	return export.Row{
		c.At, c.Request.Received, callbackWord(c), c.Verdict.String(), c.Cause, result, status, took, from, string(c.UserID),
		string(c.TransactionID), string(c.RoundID),
		bet, win, strings.Join(unread, ", "), c.FreeSpin, amountOrNone(c.Before), amountOrNone(c.After), string(c.Currency),
		numberOrNone(c.Seq), numberOrNone(c.LeftOut), c.Request.String(),
	}
}

// findCallbacks finds a callback by its request ID, as logs and answers carry it, and refused ones by the ID of the transaction
// that they name.
func (a *App) findCallbacks(ctx context.Context, text string, limit int) (found models.Found[hit], err error) {
	if id, err := models.ParseRequestID(text); err == nil {
		list, err := a.Store.CallbacksByRequest(ctx, id)
		if err != nil || len(list) > 0 {
			return hitsOf(models.Found[models.Callback]{Rows: list, Total: len(list)}, func(c models.Callback) hit {
				h := callbackHit(c, text)
				h.ID, h.Exact = views.ID{Text: text, Kind: "request ID"}, true
				return h
			}), err
		}
	}
	refused, err := a.Store.SearchRefused(ctx, text, limit)
	return hitsOf(refused, func(c models.Callback) hit { return callbackHit(c, text) }), err
}

func callbackHit(c models.Callback, text string) hit {
	state, what, amount := callbackBadge(c), callbackWord(c), c.Amount
	if isRefusedBet(c) {
		what = "Refused bet"
		if bet, err := models.ParseAmount(amount); err == nil {
			amount = bet.Grouped()
		}
	}
	if amount != "" {
		what += " of " + amount
		if c.Currency != "" {
			what += " " + string(c.Currency)
		}
	}
	if c.UserID != "" {
		what += ", " + string(c.UserID)
	}
	return hit{
		Text: what, ID: views.ID{Text: string(c.TransactionID), Kind: "transaction ID", Short: true},
		Value: string(c.TransactionID),
		Href:  callbackPath(c), State: &state, Exact: text != "" && string(c.TransactionID) == text,
	}
}
