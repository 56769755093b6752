package callbacks

import (
	"context"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/platform"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type callbackPage struct {
	web.Page
	Sentence    string
	Tell        string // what support can send to the player about a refused bet
	Facts       []views.Fact
	Notes       []views.Note
	Events      []views.Event
	Compared    []views.Change // the first's contents and these, where they differ
	Curl        string
	Definitions []web.Definition
	Neighbours  []web.Neighbour
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
		if err := a.Store.NoteView(ctx, a.Actor(c), "callback", place.String()); err != nil {
			return err
		}
	}
	page := &callbackPage{Page: a.Page(c, things.CallbackWord(line))}
	page.Crumbs = []views.Crumb{{Word: "Callbacks", Href: "/callbacks"}, {Word: things.CallbackWord(line)}}
	page.Badges = []views.Badge{things.CallbackBadge(line)}
	page.HeadID = &views.ID{Text: line.Request.String(), Kind: "request ID"}
	page.Sentence = things.CallbackSentence(&page.Page, line)
	page.Facts = callbackFacts(&page.Page, line)
	if things.IsRefusedBet(line) {
		page.Tell = things.TellPlayer(&page.Page, line)
	}
	page.Events = things.CallbackEvents(&page.Page, line)
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
	return a.Render(c, "callbacks/callback", page)
}

func callbackFacts(p *web.Page, c models.Callback) []views.Fact {
	if c.LeftOut > 0 {
		return []views.Fact{{Label: "Left out", Value: web.Grouped(c.LeftOut), Big: true},
			{Label: "From", Moment: p.Time(c.Request.Received)}, {Label: "To", Moment: p.Time(c.At)}}
	}
	answer := views.Fact{Label: "Answered", Value: things.AnswerWords(c), Big: true}
	facts := []views.Fact{answer}
	if c.Answered != nil {
		facts = append(facts, views.Fact{Label: "Took", Value: web.LatencyWords(c.Answered.Latency),
			Note: "from receipt to answer"})
	}
	if c.Before != nil && c.After != nil {
		facts = append(facts, views.Fact{Label: "Balance", Value: c.Before.Grouped() + " → " + c.After.Grouped(),
			Note: string(c.Currency)})
	}
	if c.Had != nil {
		facts = append(facts, views.Fact{Label: "Balance then", Value: c.Had.Grouped() + " " + string(c.Currency),
			Note: things.RefusalNote(c)})
	}
	from := views.Fact{Label: "From", Value: things.AddressWords(c.Address)}
	if c.Address.IsValid() {
		from.Href = "/callbacks?address=" + web.EscapeQuery(c.Address.String())
	}
	return append(facts, from,
		views.Fact{Label: "Received", Moment: p.Time(c.Request.Received),
			Note: web.Age(p.Now.Sub(c.Request.Received)) + " ago"})
}

// callbackDefinitions are the fields as they came, without the sign, which is not kept.
func callbackDefinitions(c models.Callback) []web.Definition {
	var list []web.Definition
	add := func(label, value string) {
		if value != "" {
			list = append(list, web.Definition{Label: label, Value: value})
		}
	}
	id := func(label, value, kind string) {
		if value != "" {
			list = append(list, web.Definition{Label: label, ID: &views.ID{Text: value, Kind: kind}})
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
	add("Why", web.FirstUpper(c.Cause))
	if c.Answered != nil {
		add("HTTP status", strconv.Itoa(c.Answered.Status))
	}
	add("Received, UTC", c.Request.Received.UTC().Format(views.Proof))
	decided := "Decided, UTC"
	if c.LeftOut > 0 {
		decided = "Told, UTC"
	}
	add(decided, c.At.UTC().Format(views.Proof))
	return list
}

// callbackNotes are what needs a word: an answer that tells of nothing, and a sender whom nobody knows.
func (a *Area) callbackNotes(ctx context.Context, c models.Callback) ([]views.Note, error) {
	switch {
	case c.Verdict == models.VerdictNoAnswer:
		all, err := a.Store.CallbacksByRequest(ctx, c.Request)
		if err != nil {
			return nil, err
		}
		for _, other := range all {
			if other.Verdict != models.VerdictNoAnswer {
				return []views.Note{{
					Kind: "wait", Icon: "warning", Title: "The callback was decided: " + other.Verdict.String(),
					Text: "The decision was committed, but our answer did not contain it. The platform repeats such a " +
						"callback, and then learns the outcome by its transactionID.",
					Links: []views.Link{{Word: "Open the receipt", Href: things.CallbackPath(other)}},
				}}, nil
			}
		}
		note := views.Note{
			Kind: "wait", Icon: "warning", Title: "Nothing was booked by this request",
			Text: "It has no receipt, and every booking is saved together with a receipt. The platform repeats such a " +
				"callback; look for its transactionID.",
		}
		if c.TransactionID != "" {
			note.Links = []views.Link{
				{Word: "All for this transaction", Href: "/callbacks?id=" + web.EscapeQuery(string(c.TransactionID))},
			}
		}
		return []views.Note{note}, nil
	case c.Verdict == models.VerdictOtherContents:
		return []views.Note{{
			Kind: "wait", Icon: "warning", Title: "The same ID came before with other contents",
			Text: "The first one counts, and this one changed nothing. Ask the platform which of the two it means.",
		}}, nil
	case c.Verdict == models.VerdictSignReused:
		return []views.Note{{
			Kind: "risk", Icon: "warning", Title: "The signature was used before, for other values",
			Text: "It is valid, because the protocol joins values without separators, but the platform does not send the " +
				"same text twice with other values. Nothing was booked. See the case.",
		}}, nil
	case c.Verdict == models.VerdictInvalidSign:
		return []views.Note{{
			Icon: "warning", Title: "The sender is unknown",
			Text: "Its signature is invalid, so nothing in it can be trusted. Long texts are shortened. If " +
				"the address is the platform's, the secret keys differ.",
		}}, nil
	}
	return nil, nil
}

// compare sets a callback with other contents beside the transaction that stands.
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
		{What: "Endpoint", Before: things.CallbackOf[t.Kind], After: c.Kind.String()},
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
func (a *Area) callbackNeighbours(ctx context.Context, p *web.Page, c models.Callback) ([]web.Neighbour, error) {
	var list []web.Neighbour
	if c.PlayerID != 0 {
		list = append(list, web.Neighbour{Label: "Player", Text: string(c.UserID), Href: things.PlayerPath(c.PlayerID)})
	}
	if c.Transaction != 0 {
		list = append(list, web.Neighbour{Label: "Transaction", ID: &views.ID{Text: string(c.TransactionID), Short: true},
			Href: things.TransactionPath(c.Transaction)})
	}
	if c.TransactionID != "" {
		list = append(list, web.Neighbour{Label: "Its callbacks", Text: "All for this transaction",
			Href: "/callbacks?id=" + web.EscapeQuery(string(c.TransactionID))})
	}
	if c.UserID == "" {
		return list, nil
	}
	list = append(list, web.Neighbour{Label: "Callbacks", Text: "All for this player",
		Href: "/callbacks?player=" + web.EscapeQuery(string(c.UserID))})
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
		list = append(list, web.Neighbour{
			Label: side.label, Text: things.CallbackWord(other) + ", " + other.Verdict.String(),
			Href: things.CallbackPath(other),
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
