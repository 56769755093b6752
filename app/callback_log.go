package app

import (
	"context"
	"net/netip"
	"slices"
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

type callbackPage struct {
	Page
	Sentence    string
	Tell        string // what support can send to the player about a refused bet
	Facts       []views.Fact
	Notes       []views.Note
	Events      []views.Event
	Compared    []views.Change // the first's contents and these, where they differ
	Curl        string
	Definitions []definition
	Neighbours  []neighbour
}

func (a *App) callback(c *fiber.Ctx) error {
	ctx := c.UserContext()
	place, err := models.ParseCursor(c.Params("id"))
	if err != nil {
		return notFound("callback")
	}
	line, found, err := a.Store.Callback(ctx, place)
	if err != nil {
		return err
	}
	if !found {
		return notFound("callback")
	}
	if line.PlayerID != 0 && !isPoll(c) {
		if err := a.Store.NoteView(ctx, a.actor(c), "callback", place.String()); err != nil {
			return err
		}
	}
	page := &callbackPage{Page: a.page(c, callbackWord(line))}
	page.Crumbs = []views.Crumb{{Word: "Callbacks", Href: "/callbacks"}, {Word: callbackWord(line)}}
	page.Badges = []views.Badge{callbackBadge(line)}
	page.HeadID = &views.ID{Text: line.Request.String(), Kind: "request ID"}
	page.Sentence = page.callbackSentence(line)
	page.Facts = page.callbackFacts(line)
	if isRefusedBet(line) {
		page.Tell = page.tellPlayer(line)
	}
	page.Events = page.callbackEvents(line)
	page.Definitions = callbackDefinitions(line)
	page.Curl = curlOf(a.AgentID, line)
	if page.Notes, err = a.callbackNotes(ctx, line); err != nil {
		return err
	}
	if err := a.compare(ctx, page, line); err != nil {
		return err
	}
	if page.Neighbours, err = a.callbackNeighbours(ctx, &page.Page, line); err != nil {
		return err
	}
	return a.render(c, "callbacks/callback", page)
}

// callbackSentence says all of a callback in one sentence.
func (p *Page) callbackSentence(c models.Callback) string {
	if c.Verdict == models.LeftOutRefused {
		return counted(c.LeftOut, "request was", "requests were") +
			" refused here without being kept one by one, because too many came at once. Whoever sent them could not show a " +
			"valid sign, or there was no room."
	}
	if c.Verdict == models.LeftOutAnswers {
		return "The answers of " + counted(c.LeftOut, "callback", "callbacks") +
			" were not kept, because the database did not take them in time. The receipts of those callbacks are in the log."
	}
	s := callbackWord(c)
	switch money := p.callbackMoney(c); {
	case c.Kind == models.BetWinCallback && c.WinAmount != "":
		s += " of bet " + c.Amount + " and win " + c.WinAmount
	case c.Amount != "":
		s += " of " + c.Amount
		if money.Currency != "" {
			s += " " + money.Currency
		}
	}
	if c.FreeSpin {
		s += " in a free spin"
	}
	if c.UserID != "" {
		s += " for " + string(c.UserID)
	}
	s += ", received from " + addressWords(c.Address)
	switch {
	case c.Answered == nil:
		s += "; what was answered is not in the log"
	case c.Answered.Status != fiber.StatusOK:
		s += ", answered with HTTP status " + strconv.Itoa(c.Answered.Status) + " in " + latencyWords(c.Answered.Latency)
	default:
		s += ", answered " + platform.ResultWords(c.Answered.Result) + ", in " + latencyWords(c.Answered.Latency)
	}
	if c.Before != nil && c.After != nil && c.Verdict == models.Applied {
		s += ". The balance went from " + c.Before.Grouped() + " to " + c.After.Grouped()
	}
	return s + "."
}

func (p *Page) callbackFacts(c models.Callback) []views.Fact {
	if c.LeftOut > 0 {
		return []views.Fact{{Label: "Left out", Value: grouped(c.LeftOut), Big: true},
			{Label: "From", Moment: p.Time(c.Request.Received)}, {Label: "To", Moment: p.Time(c.At)}}
	}
	answer := views.Fact{Label: "Answered", Value: answerWords(c), Big: true}
	facts := []views.Fact{answer}
	if c.Answered != nil {
		facts = append(facts, views.Fact{Label: "Took", Value: latencyWords(c.Answered.Latency),
			Note: "from receipt to answer"})
	}
	if c.Before != nil && c.After != nil {
		facts = append(facts, views.Fact{Label: "Balance", Value: c.Before.Grouped() + " → " + c.After.Grouped(),
			Note: string(c.Currency)})
	}
	if c.Had != nil {
		facts = append(facts, views.Fact{Label: "Balance then", Value: c.Had.Grouped() + " " + string(c.Currency),
			Note: refusalNote(c)})
	}
	from := views.Fact{Label: "From", Value: addressWords(c.Address)}
	if c.Address.IsValid() {
		from.Href = "/callbacks?address=" + escapeQuery(c.Address.String())
	}
	return append(facts, from,
		views.Fact{Label: "Received", Moment: p.Time(c.Request.Received), Note: age(p.now.Sub(c.Request.Received)) + " ago"})
}

// callbackEvents are receipt, decision and answer.
func (p *Page) callbackEvents(c models.Callback) []views.Event {
	if c.LeftOut > 0 {
		return nil
	}
	var events []views.Event
	if c.Answered != nil {
		events = append(events, views.Event{
			At: p.Time(c.Request.Received.Add(c.Answered.Latency)), Node: "none", Who: "Answered",
			Text: " " + answerWords(c) + ", after " + latencyWords(c.Answered.Latency),
		})
	}
	if c.PlayerID != 0 {
		decided := views.Event{At: p.Time(c.At), Node: "none", Who: "Decided:", Text: " " + c.Verdict.String(),
			Detail: "Written down in the same database transaction as its effect.", Effect: "no effect"}
		if c.Seq != 0 && !c.Spin {
			decided.Link, decided.Href = "ledger line "+strconv.FormatInt(c.Seq, 10),
				ledgerPath(models.Entry{PlayerID: c.PlayerID, Seq: c.Seq})
		}
		if c.Before != nil && c.After != nil && *c.Before != *c.After {
			decided.Node, decided.Effect, decided.After = "money", (*c.After - *c.Before).Signed(),
				c.Before.Grouped()+" → "+c.After.Grouped()
		} else if c.Spin {
			decided.Effect = "1 free spin"
		}
		events = append(events, decided)
	} else if c.Verdict != models.VerdictNoAnswer {
		events = append(events,
			views.Event{At: p.Time(c.At), Node: "none", Who: "Refused:", Text: " " + c.Verdict.String(),
				Detail: firstUpper(c.Cause), Effect: "no effect"})
	} else {
		events = append(events,
			views.Event{At: p.Time(c.At), Node: "risk", Who: "No definite answer",
				Text: " came back from the database in time", Detail: firstUpper(c.Cause)})
	}
	events = append(events,
		views.Event{At: p.Time(c.Request.Received), Node: "none", Who: callbackWord(c) + " received",
			Text: " from " + addressWords(c.Address)})
	slices.SortStableFunc(events, func(a, b views.Event) int { return strings.Compare(b.At.Machine(), a.At.Machine()) })
	return events
}

// callbackDefinitions are the fields as they came, without the sign, which is not kept.
func callbackDefinitions(c models.Callback) []definition {
	var list []definition
	add := func(label, value string) {
		if value != "" {
			list = append(list, definition{Label: label, Value: value})
		}
	}
	id := func(label, value, kind string) {
		if value != "" {
			list = append(list, definition{Label: label, ID: &views.ID{Text: value, Kind: kind}})
		}
	}
	if c.Kind != models.NotACallback {
		add("Endpoint", "/"+c.Kind.String())
	}
	id("userID", string(c.UserID), "user ID")
	amount := "amount"
	if c.Kind == models.BetWinCallback {
		amount = "betAmount"
	}
	add(amount, c.Amount)
	add("winAmount", c.WinAmount)
	id("transactionID", string(c.TransactionID), "transaction ID")
	id("roundID", string(c.RoundID), "round ID")
	if c.FreeSpin {
		add("freeSpin", "true")
	}
	add("Why", firstUpper(c.Cause))
	if c.Answered != nil {
		add("HTTP status", strconv.Itoa(c.Answered.Status))
	}
	add("Received, UTC", c.Request.Received.UTC().Format("2006-01-02 15:04:05.000000"))
	decided := "Decided, UTC"
	if c.LeftOut > 0 {
		decided = "Told, UTC"
	}
	add(decided, c.At.UTC().Format("2006-01-02 15:04:05.000000"))
	return list
}

// callbackNotes are what needs a word: an answer that tells of nothing, and a sender whom nobody knows.
func (a *App) callbackNotes(ctx context.Context, c models.Callback) ([]views.Note, error) {
	switch {
	case c.Verdict == models.VerdictNoAnswer:
		all, err := a.Store.CallbacksByRequest(ctx, c.Request)
		if err != nil {
			return nil, err
		}
		for _, other := range all {
			if other.Verdict != models.VerdictNoAnswer {
				return []views.Note{{
					Kind: "wait", Icon: "warning", Title: "It was decided nevertheless: " + other.Verdict.String(),
					Text: "The decision was committed, and the answer could not tell of it. The platform repeats such a " +
						"callback and is then told by its transactionID.",
					Links: []views.Link{{Word: "Open the receipt", Href: callbackPath(other)}},
				}}, nil
			}
		}
		note := views.Note{
			Kind: "wait", Icon: "warning", Title: "Nothing was booked by this request",
			Text: "It has no receipt, and a receipt is written together with every effect. The platform repeats such a " +
				"callback; look for its transactionID.",
		}
		if c.TransactionID != "" {
			note.Links = []views.Link{
				{Word: "All of this transaction", Href: "/callbacks?id=" + escapeQuery(string(c.TransactionID))},
			}
		}
		return []views.Note{note}, nil
	case c.Verdict == models.VerdictOtherContents:
		return []views.Note{{
			Kind: "wait", Icon: "warning", Title: "The same ID came before with other contents",
			Text: "The first stands, and this one changed nothing. Ask the platform which of the two it means.",
		}}, nil
	case c.Verdict == models.VerdictSignReused:
		return []views.Note{{
			Kind: "risk", Icon: "warning", Title: "The signature was used before, for other values",
			Text: "It is valid, because the protocol joins values without separators, but the platform does not send the " +
				"same text twice with other values. Nothing was booked. See the case.",
		}}, nil
	case c.Verdict == models.VerdictInvalidSign:
		return []views.Note{{
			Icon: "warning", Title: "Nobody knows who sent this",
			Text: "Its sign does not hold, so whom and what it names is a stranger's word, and long texts are shortened. If " +
				"the address is the platform's, the secret keys differ.",
		}}, nil
	}
	return nil, nil
}

// compare sets a callback with other contents beside the transaction that stands.
func (a *App) compare(ctx context.Context, page *callbackPage, c models.Callback) error {
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
		{What: "Endpoint", Before: callbackOf[t.Kind], After: c.Kind.String()},
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

// callbackNeighbours are the things that a callback names, and those of the same player around it.
func (a *App) callbackNeighbours(ctx context.Context, p *Page, c models.Callback) ([]neighbour, error) {
	var list []neighbour
	if c.PlayerID != 0 {
		list = append(list, neighbour{Label: "Player", Text: string(c.UserID), Href: playerPath(c.PlayerID)})
	}
	if c.Transaction != 0 {
		list = append(list, neighbour{Label: "Transaction", ID: &views.ID{Text: string(c.TransactionID), Short: true},
			Href: transactionPath(c.Transaction)})
	}
	if c.TransactionID != "" {
		list = append(list, neighbour{Label: "Its callbacks", Text: "All that name this transaction",
			Href: "/callbacks?id=" + escapeQuery(string(c.TransactionID))})
	}
	if c.UserID == "" {
		return list, nil
	}
	list = append(list, neighbour{Label: "Callbacks", Text: "All that name this player",
		Href: "/callbacks?player=" + escapeQuery(string(c.UserID))})
	for _, side := range []struct {
		label string
		newer bool
	}{{"Before", false}, {"After", true}} {
		f := models.CallbackFilter{UserID: c.UserID, Page: c.Cursor(), Limit: 1}
		f.Page.Newer = side.newer
		found, err := a.Store.Callbacks(ctx, f)
		if err != nil {
			return nil, err
		}
		if len(found.Rows) == 0 {
			continue
		}
		other := found.Rows[0]
		moment := p.Time(other.Request.Received)
		list = append(list, neighbour{
			Label: side.label, Text: callbackWord(other) + ", " + other.Verdict.String(), Href: callbackPath(other),
			Note: strings.TrimSpace(moment.Day() + " " + moment.Clock()),
		})
	}
	return list, nil
}

// curlOf writes a callback that the platform sent as a command that sends it again. The sign is made where the command runs, by
// whoever has the secret key there. There is none for what did not come from the platform, or would not arrive at a shell as it
// is.
func curlOf(agentID string, c models.Callback) string {
	if c.Kind == models.NotACallback || !c.Verdict.Proven() || c.Verdict == models.VerdictOtherAgent || c.LeftOut > 0 {
		return ""
	}
	return platform.CallbackCommand(`"$CALLBACK_URL/`+c.Kind.String()+`"`, agentID, c)
}

// transactionCallbacks are the events of a transaction's timeline about the callbacks that named it.
func (a *App) transactionCallbacks(ctx context.Context, p *Page, t models.TransactionLine) (events []views.Event, err error) {
	if t.Source != models.SourcePlatform {
		return nil, nil
	}
	found, err := a.Store.Callbacks(ctx, models.CallbackFilter{TransactionID: t.TransactionID, Limit: callbackRows})
	if err != nil {
		return nil, err
	}
	for _, c := range found.Rows {
		event := views.Event{At: p.Time(c.Request.Received), Node: "none", Who: callbackWord(c) + " received",
			Text: " from " + addressWords(c.Address), Link: "callback", Href: callbackPath(c)}
		switch {
		case c.Answered == nil:
			event.Text += "; its answer is not in the log,"
		case c.Answered.Status != fiber.StatusOK:
			event.Text += ", answered with HTTP status " + strconv.Itoa(c.Answered.Status) + " in " +
				latencyWords(c.Answered.Latency) + ","
		default:
			event.Text += ", answered " + platform.ResultWords(c.Answered.Result) + ", in " +
				latencyWords(c.Answered.Latency) + ","
		}
		switch c.Verdict {
		case models.Applied:
		case models.VerdictOtherContents:
			event.Who, event.Detail, event.Effect = callbackWord(c)+" came again with other contents",
				"Another player, kind, round or amount. The first stands.", "no effect"
		case models.VerdictDuplicate:
			event.Who, event.Effect = callbackWord(c)+" repeated", "no effect"
		case models.VerdictNoAnswer:
			event.Node = "risk"
		default:
			event.Effect = "no effect"
			if !c.Verdict.Proven() {
				event.Detail = "Nobody knows who sent this."
			}
		}
		events = append(events, event)
	}
	return events, nil
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
