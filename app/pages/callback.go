package pages

import (
	"context"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// CallbackSentence describes everything about a callback in a sentence.
func CallbackSentence(p *web.Page, c models.Callback) string {
	if c.LeftOut > 0 {
		return web.Several(c.LeftOut, "request was", "requests were") + " only counted, because too many came without a valid " +
			"signature, or the database did not take the log in time. What they booked is in the ledger."
	}
	s := CallbackWord(c)
	switch money := callbackMoney(p, c); {
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
	s += ", received from " + AddressWords(c.Address)
	s += answeredWords(c)
	if c.Before != nil && c.After != nil && c.Verdict == models.Applied {
		s += ". The balance went from " + c.Before.Grouped() + " to " + c.After.Grouped()
	}
	return s + "."
}

// answeredWords returns the part of a sentence that says how a callback was answered.
func answeredWords(c models.Callback) string {
	if c.Answered.Status != fiber.StatusOK {
		return ", answered with HTTP status " + strconv.Itoa(c.Answered.Status)
	}
	return ", answered " + platform.ResultWords(c.Answered.Result)
}

// CallbackEvents returns a callback's timeline, newest first: its receipt, its decision and its answer.
func CallbackEvents(p *web.Page, c models.Callback) []views.Event {
	if c.LeftOut > 0 {
		return nil
	}
	events := []views.Event{{
		At: p.Time(c.At), Node: "none", Who: "Answered", Text: " " + AnswerWords(c),
	}}
	if c.PlayerID != 0 {
		decided := views.Event{At: p.Time(c.At), Node: "none", Who: "Decided:", Text: " " + c.Verdict.String(),
			Effect: "no effect"}
		if c.Seq != 0 {
			decided.Link, decided.Href = "ledger line "+strconv.FormatInt(c.Seq, 10),
				LedgerPath(models.Entry{PlayerID: c.PlayerID, Seq: c.Seq})
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
				Detail: web.FirstUpper(c.Cause), Effect: "no effect"})
	} else {
		events = append(events,
			views.Event{At: p.Time(c.At), Node: "risk", Who: "No definite answer",
				Text: " came back from the database in time", Detail: web.FirstUpper(c.Cause)})
	}
	events = append(events,
		views.Event{At: p.Time(c.Request.Received), Node: "none", Who: CallbackWord(c) + " received",
			Text: " from " + AddressWords(c.Address)})
	SortEvents(events)
	return events
}

// TransactionCallbacks returns the events for a transaction's timeline about the callbacks that named it.
func (s *Site) TransactionCallbacks(ctx context.Context, p *web.Page,
	t models.TransactionLine) (events []views.Event, err error) {
	if t.Source != models.SourcePlatform {
		return nil, nil
	}
	found, err := s.Store.Callbacks(ctx, models.CallbackFilter{TransactionID: t.TransactionID,
		Span: models.Span{Limit: CallbackRows}})
	if err != nil {
		return nil, err
	}
	for _, c := range found.Rows {
		event := views.Event{At: p.Time(c.Request.Received), Node: "none", Who: CallbackWord(c) + " received",
			Text: " from " + AddressWords(c.Address), Link: "callback", Href: CallbackPath(c)}
		event.Text += answeredWords(c) + ","
		switch c.Verdict {
		case models.Applied:
		case models.VerdictOtherContents:
			event.Who, event.Detail, event.Effect = CallbackWord(c)+" resent with different data",
				"Another player, kind, round or amount. The first one counts.", "no effect"
		case models.VerdictDuplicate:
			event.Who, event.Effect = CallbackWord(c)+" repeated", "no effect"
		case models.VerdictNoAnswer:
			event.Node = "risk"
		default:
			event.Effect = "no effect"
			if !c.Verdict.Proven() {
				event.Detail = "The sender is unknown."
			}
		}
		events = append(events, event)
	}
	return events, nil
}

// CallbackRows limits how many callbacks a page shows.
const CallbackRows = 50

// CallbackWord returns a callback's endpoint, or says that a line stands for callbacks that are not in the log.
func CallbackWord(c models.Callback) string {
	switch {
	case c.LeftOut > 0:
		return "Not in the log"
	case c.Kind == models.NotACallback:
		return "No callback"
	}
	return c.Kind.String()
}

// CallbackBadge returns the badge of a callback's outcome.
func CallbackBadge(c models.Callback) views.Badge {
	word := web.FirstUpper(c.Verdict.String())
	switch c.Verdict {
	case models.Applied:
		return views.Quiet(word)
	case models.VerdictNoAnswer, models.VerdictFault:
		return views.AtRisk(word)
	case models.VerdictOtherContents:
		return views.Waiting(word)
	case models.VerdictLeftOut:
		return views.Plain(web.Grouped(c.LeftOut) + " left out")
	}
	return views.Refused(word)
}

// AnswerWords returns the answer in words, such as "6, insufficient funds".
func AnswerWords(c models.Callback) string {
	switch {
	case c.LeftOut > 0:
		return ""
	case c.Answered.Status != fiber.StatusOK:
		return "HTTP " + strconv.Itoa(c.Answered.Status)
	}
	return platform.ResultWords(c.Answered.Result)
}

// answerCode returns the answer without the words for its result, which the badge has.
func answerCode(c models.Callback) string {
	if c.LeftOut > 0 || c.Answered.Status != fiber.StatusOK {
		return AnswerWords(c)
	}
	return strconv.Itoa(c.Answered.Result)
}

// AddressWords returns an address as part of a sentence, or says that it is unknown.
func AddressWords(a netip.Addr) string {
	if !a.IsValid() {
		return "an unknown address"
	}
	return a.String()
}

// callbackMoney returns the amount in a callback, with the sign that its endpoint implies. Text that is not an amount is
// returned as it came.
func callbackMoney(p *web.Page, c models.Callback) views.Money {
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

// CallbackRow is a callback in a table.
type CallbackRow struct {
	models.Callback
	Href, PlayerHref, Word, Answer, From string
	Moment                               views.Moment
	Amount                               views.Money
	Badge                                views.Badge
	Note                                 string // why the bet was refused
	Refused                              bool   // it is a refused bet: its page has an answer for the player
}

// NewCallbackRow returns the row of a callback.
func NewCallbackRow(p *web.Page, c models.Callback) CallbackRow {
	row := CallbackRow{
		Callback: c, Href: CallbackPath(c), Word: CallbackWord(c), Answer: answerCode(c), Moment: p.Time(c.Request.Received),
		Amount: callbackMoney(p, c), Badge: CallbackBadge(c),
	}
	if c.PlayerID != 0 {
		row.PlayerHref = PlayerPath(c.PlayerID)
	}
	if row.Refused = IsRefusedBet(c); row.Refused {
		row.Note = RefusalNote(c)
	}
	if c.Address.IsValid() {
		row.From = c.Address.String()
	}
	return row
}

// SortEvents sorts a timeline's events, newest first.
func SortEvents(events []views.Event) {
	slices.SortStableFunc(events, func(a, b views.Event) int { return strings.Compare(b.At.Machine(), a.At.Machine()) })
}
