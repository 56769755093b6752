package freespins

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pitboss/app/pages"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// What a grant's page says about it: a note at the top, and the grant's history.

// attention returns the note at the top of a grant's page, or nil if it needs none.
func attention(p *web.Page, g models.Grant) *views.Note {
	const noLimit = " The grant does not count toward any limit."
	note := views.Note{Icon: "info"}
	switch {
	case g.Unresolved():
		first, _, _ := strings.Cut(g.Message, ". ")
		note = views.Note{Kind: "risk", Icon: "unknown", Title: strings.TrimSuffix(first, "."),
			Text: fmt.Sprintf("The spins may or may not have been granted. Check before you grant them again: if they were granted, "+
				"the player would have %s.", views.Grouped(2*g.Spins))}
	case g.State == models.GrantUnknown:
		note.Title = "The outcome cannot be found out"
		note.Text = "Whether this grant went through was never confirmed. " + g.ResolvedBy + " noted: " + g.ResolutionNote
	case g.State == models.GrantRefused && g.Result != models.NoResult:
		note = views.Warning("The platform refused with "+platform.ResultWords(g.Result), "Nothing was granted."+noLimit)
		if g.Message != "" {
			note.Text += " The platform’s answer: " + web.Sentence(g.Message)
		}
	case g.State == models.GrantRefused && g.Resolution != models.Unresolved:
		note.Title = "It was not granted"
		note.Text = g.ResolvedBy + " checked with the platform and noted: “" + g.ResolutionNote + "”" + noLimit
	case g.State == models.GrantRefused:
		note = views.Warning("It was not granted", web.Sentence(g.Message)+noLimit)
	case !g.DisownedAt.IsZero():
		note = views.Warning("The platform no longer knows this grant", "Since "+p.Time(g.DisownedAt).Brief()+" the platform has "+
			"answered that no grant has this free-spin ID. Its case says what to ask the platform. The player may be unable to use "+
			"the spins that are left.")
	case g.Disagrees():
		note = views.Warning("The platform’s count and ours differ", fmt.Sprintf("The platform says that %s are used. We attribute "+
			"%s to this grant. A bet does not name its grant, so we infer it from all open grants of the player. Compare with the "+
			"player’s free spins: a bet may not have reached us.", views.Grouped(g.Used),
			views.Several(g.Ours, "free-spin bet", "free-spin bets")),
			views.Link{Word: "Player’s free spins", Href: pages.PlayerPath(g.PlayerID) + "/free-spins"})
	default:
		return nil
	}
	return &note
}

const storyLines = 100 // lines of each kind

// storyLine is a line of a grant's history. A line about a spin can stand for several spins, if the lines before it on the same
// day are alike.
type storyLine struct {
	at    time.Time
	event views.Event
	spin  *models.AttributedSpin
}

// tellGrant fills in the grant's history, newest first.
func (a *Area) tellGrant(ctx context.Context, page *grantPage, g models.Grant) error {
	seen, err := a.Store.Observations(ctx, g.ID, models.Span{Limit: storyLines})
	if err != nil {
		return err
	}
	spins, err := a.Store.AttributedSpins(ctx, g.ID, storyLines)
	if err != nil {
		return err
	}
	wins, err := a.Store.ListSpinWins(ctx, g.ID, storyLines)
	if err != nil {
		return err
	}
	var story []storyLine
	for i, o := range seen.Rows {
		// Of several equal answers in a row, the history has only the first.
		if i+1 < len(seen.Rows) && seen.Rows[i+1].Status == o.Status && seen.Rows[i+1].Used == o.Used &&
			seen.Rows[i+1].Result == o.Result {
			continue
		}
		story = append(story, storyLine{at: o.At, event: observed(o, g.Spins)})
	}
	for _, s := range spins {
		story = append(story, storyLine{at: s.At, spin: &s})
	}
	for _, w := range wins {
		story = append(story, storyLine{at: w.At, event: views.Event{Node: "money",
			Who: "Win of " + w.Won.Grouped() + " " + string(g.Currency), Text: " from a free spin,", Link: "transaction",
			Href: pages.TransactionPath(w.ID), Detail: "Paid to the player’s balance.", Effect: w.Won.Signed(), After: string(g.Currency)}})
	}
	story = append(story, ownStory(g)...)
	slices.SortStableFunc(story, func(a, b storyLine) int { return b.at.Compare(a.at) })
	for i := 0; i < len(story); {
		line, n := story[i], 1
		for line.spin != nil && i+n < len(story) && page.sameDay(line, story[i+n]) && repeats(line.spin, story[i+n].spin) {
			n++
		}
		if line.spin != nil {
			line.event = spun(*line.spin, g.Currency, int64(n), page.Time(story[i+n-1].at))
		}
		line.event.At = page.Time(line.at)
		page.Story = append(page.Story, line.event)
		i += n
	}
	return nil
}

func (p *grantPage) sameDay(a, b storyLine) bool {
	return p.Time(a.at).DayWord() == p.Time(b.at).DayWord()
}

// repeats reports whether two lines about spins are alike.
func repeats(a, b *models.AttributedSpin) bool {
	return b != nil && a.Kind == b.Kind && a.Stake == b.Stake && a.Rule == b.Rule
}

// observed returns the line for an answer of the platform about a grant.
func observed(o models.Observation, spins int64) views.Event {
	e := views.Event{Node: "none", Who: "Platform says"}
	switch {
	case o.Status == "" && o.Result == models.ResultUnknownGrant:
		e.Node, e.Text = "case", " that it does not know this grant"
	case o.Status == "":
		e.Text = " nothing: it refused with " + platform.ResultWords(o.Result)
	case o.Used == models.NoCount:
		e.Text = " " + o.Status + ", without counts"
	default:
		e.Text = fmt.Sprintf(" %s: %d used, %d left", o.Status, o.Used, o.Remaining)
		e.Detail = fmt.Sprintf("Our count then: %d.", o.Ours)
		e.After = fmt.Sprintf("%d of %d", o.Used, spins)
	}
	return e
}

// spun returns the line for n free-spin bets, or for n rollbacks of them. first is the time of the oldest.
func spun(s models.AttributedSpin, currency models.Currency, n int64, first views.Moment) views.Event {
	what, what2, sign, after := "Free-spin bet", "free-spin bets", "+", "used"
	if s.Kind == models.EntrySpinReversed {
		what, what2, sign, after = "Rollback of a free-spin bet", "rollbacks of free-spin bets", "−", "returned"
	}
	e := views.Event{Node: "none", Who: what, Text: " worth " + s.Stake.Grouped() + " " + string(currency) + ",", Link: "transaction",
		Href: "/search?q=" + web.EscapeQuery(string(s.TransactionID)), Detail: web.Sentence(s.Rule.String()),
		Effect: sign + views.Grouped(n), After: after}
	if n > 1 {
		e.Who, e.Link = views.Grouped(n)+" "+what2, "the last one"
		e.Text = " worth " + s.Stake.Grouped() + " " + string(currency) + " each, from " + first.Clock() + ","
	}
	return e
}

// ownStory returns what Pitboss and staff did about a grant, newest first.
func ownStory(g models.Grant) []storyLine {
	asked := views.Event{Node: "staff", Who: g.Actor, Quote: g.Reason,
		Text: fmt.Sprintf(", %s, confirmed %s", g.Role, views.Several(g.Spins, "spin", "spins"))}
	if g.CampaignID != 0 {
		asked.Text += ","
		if g.CampaignLine != 0 {
			asked.Text += fmt.Sprintf(" line %d of", g.CampaignLine)
		}
		asked.Link, asked.Href = fmt.Sprintf("campaign %d", g.CampaignID), pages.CampaignPath(g.CampaignID)
	}
	story := []storyLine{{at: g.At, event: asked}}
	if !g.SentAt.IsZero() {
		story = append(story, storyLine{at: g.SentAt, event: views.Event{Node: "none", Who: "Sent to the platform", Text: ", once"}})
	}
	if !g.AnsweredAt.IsZero() {
		story = append(story, storyLine{at: g.AnsweredAt, event: answered(g)})
	}
	if g.Resolution != models.Unresolved {
		story = append(story, storyLine{at: g.ResolvedAt, event: views.Event{Node: "staff", Who: g.ResolvedBy,
			Text: " looked it up: " + g.Resolution.String(), Quote: g.ResolutionNote}})
	}
	if !g.FinishedAt.IsZero() && (g.State == models.GrantCompleted || g.State == models.GrantExpired) {
		used := g.Used
		if used < 0 {
			used = g.Ours
		}
		story = append(story, storyLine{at: g.FinishedAt, event: views.Event{Node: "none", Who: web.FirstUpper(g.State.String()),
			Text: ", according to the platform", After: fmt.Sprintf("%d of %d", used, g.Spins)}})
	}
	slices.Reverse(story) // so that of two steps at the same time, the later one comes first
	return story
}

// answered returns the line for the platform's answer to the request for the grant.
func answered(g models.Grant) views.Event {
	took := ""
	if g.Latency > 0 {
		took = " in " + web.Lasted(g.Latency)
	}
	switch {
	case g.State == models.GrantUnknown || g.Resolution != models.Unresolved:
		return views.Event{Node: "risk", Who: "Unconfirmed", Detail: g.Message + " It is not sent again automatically.",
			Effect: "unknown", After: fmt.Sprintf("0 or %d", g.Spins)}
	case g.State == models.GrantRefused && g.Result != models.NoResult:
		return views.Event{Node: "none", Who: "Refused", Text: " by the platform" + took + ": " + platform.ResultWords(g.Result)}
	case g.State == models.GrantRefused:
		return views.Event{Node: "none", Who: "Not granted", Detail: web.Sentence(g.Message)}
	}
	return views.Event{Node: "money", Who: "Granted", Text: " by the platform" + took,
		Detail: "The platform’s ID of the grant is " + string(g.FreeSpinID) + ".", Effect: views.Grouped(g.Spins), After: "spins"}
}
