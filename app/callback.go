package app

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/platform"
	"pitboss/models"
	"pitboss/views"
)

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
		return several(c.LeftOut, "request was", "requests were") +
			" refused here without being kept one by one, because too many came at once. Whoever sent them could not show a " +
			"valid sign, or there was no room."
	}
	if c.Verdict == models.LeftOutAnswers {
		return "The answers of " + several(c.LeftOut, "callback", "callbacks") +
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
