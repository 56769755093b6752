package freespins

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/platform"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// One grant: what became of it, asked of the platform again while somebody looks, and the decisions about one of unknown
// outcome.

const (
	storyLines   = 100 // of each kind
	observations = 20
	// askEvery is how old the platform's last word is before a page that is looked at asks again, and askFor how long it waits.
	askEvery = 10 * time.Second
	askFor   = 4 * time.Second
)

type grantPage struct {
	web.Page
	Row          things.GrantRow
	Note         *views.Note
	Used         int64
	Left         int64
	Meter        views.Meter
	Asked        string
	Story        []views.Event
	Facts        []views.Fact
	Observations []observationRow
	Signs        []views.Check
	Cases        things.ThingCases
	Decision     *decisionForm
	Open         bool   // what the page shows may change by itself
	Asks         bool   // the platform is asked again while the page is looked at
	Changed      bool   // what the story and the facts tell is not what the page shows
	Version      string // of what the story and the facts tell
	State        string // of the grant, by number
	OOB          bool   // rendered for htmx, which puts each part in its place
}

type observationRow struct {
	models.Observation
	Word string // where there are no counts: what the platform said instead
}

// decisionForm is what a person found out about a grant of unknown outcome.
type decisionForm struct {
	Found      string // "found", "not" or "again"; empty until somebody chooses
	Wrong      string
	FreeSpinID views.Field
	Note       views.Field
	Twice      int64 // spins that the player may end up with
}

// theGrant reads the grant that the address names.
func (a *Area) theGrant(c *fiber.Ctx) (models.Grant, error) {
	id, err := web.Number(c, "id")
	if err != nil {
		return models.Grant{}, web.NotFound("grant")
	}
	g, found, err := a.Store.Grant(c.UserContext(), id)
	if err == nil && !found {
		err = web.NotFound("grant")
	}
	return g, err
}

// watched reports whether what becomes of a grant is still being found out without a person.
func watched(g models.Grant) bool {
	return g.State == models.GrantRequested || g.State == models.GrantSent || g.State == models.GrantActive ||
		!g.NextPollAt.IsZero()
}

func (a *Area) Detail(c *fiber.Ctx) error {
	g, err := a.theGrant(c)
	if err != nil {
		return err
	}
	if c.Get("HX-Target") != "used" {
		if err := a.Viewed(c, "grant", g.ID); err != nil {
			return err
		}
		return a.showGrant(c, web.NewForm(c), g)
	}
	if g, err = a.askWhileWatched(c, g); err != nil {
		return err
	}
	if state := c.Query("state"); state != strconv.Itoa(int(g.State)) {
		c.Set("HX-Refresh", "true") // its head and what may be done are other than those the page shows
		return c.SendStatus(fiber.StatusNoContent)
	}
	return a.showGrant(c, web.NewForm(c), g)
}

// askWhileWatched asks the platform about a grant that somebody is looking at, unless it was asked just now. When there is no
// answer the page shows what is known.
func (a *Area) askWhileWatched(c *fiber.Ctx, g models.Grant) (models.Grant, error) {
	if !web.May(web.ReaderOf(c).Role, web.AskPlatform) || !watched(g) || g.FreeSpinID == "" ||
		a.Now().Sub(g.ObservedAt) < askEvery {
		return g, nil
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), askFor)
	defer cancel()
	if asked, err := a.Bonus.Status(ctx, g.ID); err == nil {
		return asked, nil
	}
	again, _, err := a.Store.Grant(c.UserContext(), g.ID)
	return again, err
}

func (a *Area) showGrant(c *fiber.Ctx, f *web.Form, g models.Grant) error {
	ctx := c.UserContext()
	page := &grantPage{Page: a.Page(c, web.Several(g.Spins, "spin", "spins")+" for "+string(g.UserID)),
		OOB: c.Get("HX-Target") == "used"}
	wins, err := a.Store.SpinWins(ctx, g.ID)
	if err != nil {
		return err
	}
	page.Row = things.NewGrantRow(g, wins)
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "Grant " + strconv.FormatInt(g.ID, 10)}}
	page.Badges = []views.Badge{page.Row.Badge}
	if g.FreeSpinID != "" {
		page.HeadID = &views.ID{Text: string(g.FreeSpinID), Kind: "free-spin ID"}
	}
	page.Lede = fmt.Sprintf("On %s, asked for %s by %s.", g.Game.Title(), page.Time(g.At).Brief(), g.Actor)
	if err := a.actOnGrant(page, g); err != nil {
		return err
	}
	page.Used, page.Left = things.UsedOf(g), max(0, g.Spins-things.UsedOf(g))
	page.Meter = views.Pieces(page.Used, g.Spins, fmt.Sprintf("%d of %d spins used", page.Used, g.Spins))
	page.Open, page.State = watched(g), strconv.Itoa(int(g.State))
	page.Version = fmt.Sprintf("%d.%d.%d.%s.%d", g.State, g.Used, g.Ours, wins.Won, wins.Rounds)
	page.Asks = page.Can(web.AskPlatform)
	page.Asks = page.Asks && page.Open && g.FreeSpinID != ""
	page.Changed = page.OOB && c.Query("seen") != page.Version
	page.Asked = page.askedWords(g)
	page.Note = page.grantNote(g)
	if err := a.tellGrant(ctx, page, g); err != nil {
		return err
	}
	page.Facts = page.grantFacts(g, wins)
	if !page.OOB {
		if page.Cases, err = a.CasesOf(ctx, &page.Page, models.CaseFilter{GrantID: g.ID},
			"grant="+strconv.FormatInt(g.ID, 10)); err != nil {
			return err
		}
	}
	if g.Unresolved() {
		if err := a.unknownGrant(ctx, page, f, g); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.Refused(c, "free-spins/grant", page)
	}
	return a.Render(c, "free-spins/grant", page)
}

// actOnGrant adds what may be done with a grant.
func (a *Area) actOnGrant(page *grantPage, g models.Grant) error {
	ask := page.Can(web.AskPlatform)
	grant := page.Can(web.GrantFreeSpins)
	if ask && g.FreeSpinID != "" {
		page.Actions = append(page.Actions,
			views.Link{Word: "Ask the platform now", Href: page.Row.Href + "/observations", Icon: "again", Post: true})
	}
	if grant && !g.Unresolved() && g.State != models.GrantRequested && g.State != models.GrantSent {
		to := "/free-spins/new?player=" + web.EscapeQuery(string(g.UserID)) + "&game=" +
			web.EscapeQuery(string(g.Game.GameID)) +
			"&spins=" + strconv.FormatInt(g.Spins, 10)
		page.Actions = append(page.Actions, views.Link{Word: "Grant again", Href: to, Icon: "plus", Main: true})
	}
	return nil
}

// askedWords says when the platform was last asked, and when it is next.
func (p *grantPage) askedWords(g models.Grant) string {
	var words []string
	if g.ObservedAt.IsZero() {
		words = append(words, "Not asked yet")
	} else {
		words = append(words, "Asked "+p.Time(g.ObservedAt).Clock())
	}
	if p.Asks {
		words = append(words, fmt.Sprintf("again every %d s while you look", int(askEvery.Seconds())))
	}
	if g.PollError != "" {
		words = append(words, "the last question had no answer")
	}
	if !p.Asks && !g.NextPollAt.IsZero() {
		words = append(words, "next on schedule "+p.Time(g.NextPollAt).Brief())
	}
	return strings.Join(words, ", ")
}

// grantNote is what needs a reader's attention about a grant.
func (p *grantPage) grantNote(g models.Grant) *views.Note {
	switch {
	case g.Unresolved():
		return &views.Note{
			Kind: "risk", Icon: "unknown", Title: firstSentence(g.Message),
			Text: fmt.Sprintf("The spins may or may not have been granted. Do not grant again before you have checked: if "+
				"they were, the player would have %d.", 2*g.Spins),
		}
	case g.State == models.GrantUnknown:
		return &views.Note{Icon: "info", Title: "Nobody could tell, and it was granted again",
			Text: "Whether this one arrived was never found out. " + g.ResolvedBy + " noted: " + g.ResolutionNote}
	case g.State == models.GrantRefused && g.Result != models.NoResult:
		return &views.Note{Kind: "wait", Icon: "warning", Title: "The platform refused with " + platform.ResultWords(g.Result),
			Text: "Nothing was granted, and it counts towards no limit. " + says(g)}
	case g.State == models.GrantRefused && g.Resolution != models.Unresolved:
		return &views.Note{Icon: "info", Title: "It was not granted",
			Text: g.ResolvedBy + " checked with the platform and noted: “" + g.ResolutionNote + "” It counts towards no limit."}
	case g.State == models.GrantRefused:
		return &views.Note{Kind: "wait", Icon: "warning", Title: "It was not granted",
			Text: web.Sentence(g.Message) + " It counts towards no limit."}
	case !g.DisownedAt.IsZero():
		return &views.Note{
			Kind: "wait", Icon: "warning", Title: "The platform no longer knows this grant",
			Text: "Since " + p.Time(g.DisownedAt).Brief() +
				" it answers that there is no grant with this free-spin ID. Its case says what to ask the platform. The " +
				"player may be unable to use the spins that are left.",
		}
	case g.Disagrees():
		return &views.Note{
			Kind: "wait", Icon: "warning", Title: "The platform’s count and ours differ",
			Text: fmt.Sprintf("The platform says %d used; we attribute %d free-spin bets to this grant. A bet names no "+
				"grant, so ours is inferred over all open grants of the player. Look at the player’s free spins; a bet may "+
				"not have reached us.", g.Used, g.Ours),
		}
	}
	return nil
}

// firstSentence is a text up to its first full stop, as a title.
func firstSentence(text string) string {
	first, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(first, ".")
}

// says quotes the platform's message, where it gave one beside its result.
func says(g models.Grant) string {
	if g.Message == "" {
		return ""
	}
	return "Its answer: " + g.Message + "."
}

// tellGrant writes a grant's story, the newest first, and lists what the platform said.
func (a *Area) tellGrant(ctx context.Context, page *grantPage, g models.Grant) error {
	seen, _, err := a.Store.Observations(ctx, g.ID, models.Cursor{}, storyLines)
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
	var story []timed
	for i, o := range seen {
		if i < observations {
			page.Observations = append(page.Observations, newObservationRow(o))
		}
		// Of questions with the same answer the story tells the first.
		if i+1 < len(seen) && seen[i+1].Status == o.Status && seen[i+1].Used == o.Used && seen[i+1].Result == o.Result {
			continue
		}
		story = append(story, timed{o.At, page.observed(g, o)})
	}
	for _, s := range spins {
		story = append(story, timed{s.At, page.spun(g, s)})
	}
	for _, w := range wins {
		if w.Won == 0 {
			continue // the end of a round that won nothing
		}
		story = append(story, timed{w.At, views.Event{
			Node: "money", Who: "Win of " + w.Won.Grouped() + " " + string(g.Currency), Text: " from a free spin,",
			Link: "transaction", Href: web.PathOf("/transactions", w.ID),
			Detail: "Paid to the player’s balance.", Effect: w.Won.Signed(), After: string(g.Currency),
		}})
	}
	story = append(story, page.ownStory(g)...)
	slices.SortStableFunc(story, func(a, b timed) int { return b.at.Compare(a.at) })
	for _, t := range story {
		t.event.At = page.Time(t.at)
		page.Story = append(page.Story, t.event)
	}
	return nil
}

// timed is an event with the time by which it is put in order.
type timed struct {
	at    time.Time
	event views.Event
}

func newObservationRow(o models.Observation) observationRow {
	row := observationRow{Observation: o}
	if o.Status == "" {
		row.Word = platform.ResultWords(o.Result)
	}
	return row
}

func (p *grantPage) observed(g models.Grant, o models.Observation) views.Event {
	event := views.Event{Node: "none", Who: "Platform says"}
	switch {
	case o.Status == "":
		if event.Text = " nothing about it: it refused with " + platform.ResultWords(o.Result); o.Result ==
			models.ResultUnknownGrant {
			event.Node, event.Text = "case", " that it does not know this grant"
		}
		return event
	case o.Used == models.NoCount:
		event.Text = " " + o.Status + ", without counts"
		return event
	}
	event.Text = fmt.Sprintf(" %s: %d used, %d left", o.Status, o.Used, o.Remaining)
	event.Detail = fmt.Sprintf("Ours then: %d.", o.Ours)
	event.After = fmt.Sprintf("%d of %d", o.Used, g.Spins)
	return event
}

// spun tells of a line of the free-spin ledger that is attributed to the grant.
func (p *grantPage) spun(g models.Grant, s models.AttributedSpin) views.Event {
	event := views.Event{
		Node: "none", Who: "Free-spin bet", Text: " worth " + s.Stake.Grouped() + " " + string(g.Currency) + ",",
		Link: "transaction",
		Href: "/search?q=" + web.EscapeQuery(string(s.TransactionID)), Detail: web.Sentence(s.Rule.String()), Effect: "+1",
		After: "spin used",
	}
	if s.Kind == models.EntrySpinReversed {
		event.Who, event.Effect, event.After = "Rollback of a free-spin bet", "−1", "spin given back"
	}
	return event
}

// ownStory tells what we and our staff did.
func (p *grantPage) ownStory(g models.Grant) []timed {
	asked := views.Event{Node: "staff", Who: g.Actor,
		Text: ", " + string(g.Role) + ", confirmed " + web.Several(g.Spins, "spin", "spins"), Quote: g.Reason}
	if g.RepeatOf != 0 {
		asked.Text += ", in place of"
		asked.Link, asked.Href = "grant "+strconv.FormatInt(g.RepeatOf, 10), web.PathOf("/free-spins", g.RepeatOf)
	}
	if g.ImportID != 0 {
		asked.Text += fmt.Sprintf(", line %d of", g.ImportLine)
		asked.Link, asked.Href = "import "+strconv.FormatInt(g.ImportID, 10), web.PathOf("/free-spins/imports", g.ImportID)
	}
	story := []timed{{g.At, asked}}
	if !g.SentAt.IsZero() {
		story = append(story, timed{g.SentAt, views.Event{Node: "none", Who: "Sent to the platform", Text: ", once"}})
	}
	if !g.AnsweredAt.IsZero() {
		story = append(story, timed{g.AnsweredAt, p.answered(g)})
	}
	if g.Resolution != models.Unresolved {
		story = append(story, timed{g.ResolvedAt,
			views.Event{Node: "staff", Who: g.ResolvedBy, Text: " looked: " + g.Resolution.String(), Quote: g.ResolutionNote}})
	}
	if !g.FinishedAt.IsZero() && (g.State == models.GrantCompleted || g.State == models.GrantExpired) {
		story = append(story, timed{g.FinishedAt,
			views.Event{Node: "none", Who: web.Sentence(g.State.String())[:len(g.State.String())],
				Text:  ", as the platform says",
				After: fmt.Sprintf("%d of %d", things.UsedOf(g), g.Spins)}})
	}
	slices.Reverse(story) // of two at the same time, the later deed stands above
	return story
}

// answered tells what the platform said when it was sent the grant.
func (p *grantPage) answered(g models.Grant) views.Event {
	took := ""
	if g.Latency > 0 {
		took = " in " + web.Lasted(g.Latency)
	}
	switch {
	case g.State == models.GrantUnknown || g.Resolution != models.Unresolved:
		return views.Event{Node: "risk", Who: "Outcome unknown", Detail: g.Message + " It will not be sent again by itself.",
			Effect: "unknown", After: fmt.Sprintf("0 or %d", g.Spins)}
	case g.State == models.GrantRefused && g.Result != models.NoResult:
		return views.Event{Node: "none", Who: "Refused",
			Text: " by the platform" + took + ": " + platform.ResultWords(g.Result)}
	case g.State == models.GrantRefused:
		return views.Event{Node: "none", Who: "Not granted", Detail: web.Sentence(g.Message)}
	}
	return views.Event{Node: "money", Who: "Granted", Text: " by the platform" + took,
		Detail: "It named the grant " + string(g.FreeSpinID) + ".", Effect: web.Grouped(g.Spins), After: "spins"}
}

func (p *grantPage) grantFacts(g models.Grant, wins models.SpinWins) []views.Fact {
	facts := []views.Fact{
		{Label: "Grant", Value: strconv.FormatInt(g.ID, 10)},
		{Label: "Player", Value: string(g.UserID), Href: p.Row.PlayerHref},
		{Label: "Game", Value: g.Game.Title(), Href: p.Row.GameHref},
		{Label: "Spins", Value: web.Grouped(g.Spins)},
		{Label: "Asked for", Value: p.Time(g.At).Brief() + ", " + g.Actor},
	}
	if g.State.Granted() || g.Ours > 0 {
		counts := "Agree"
		if g.Disagrees() {
			counts = "Differ"
		}
		facts = append(facts,
			views.Fact{Label: "Value of the spins used", Value: wins.Stake.Grouped() + " " + string(g.Currency),
				Note: "free-spin ledger"},
			views.Fact{Label: "Won so far", Value: wins.Won.Grouped() + " " + string(g.Currency),
				Note: "in " + web.Several(wins.Rounds, "round", "rounds") + ", real money"},
			views.Fact{Label: "Counts", Value: counts, Note: fmt.Sprintf("%d attributed here, inferred", g.Ours)},
		)
	}
	if g.FreeSpinID == "" {
		facts = append(facts, views.Fact{Label: "Free-spin ID", Value: "not known"})
	}
	return facts
}

// AskAboutGrant asks the platform about a grant at once.
func (a *Area) AskAboutGrant(c *fiber.Ctx) error {
	g, err := a.theGrant(c)
	if err != nil {
		return err
	}
	to := web.PathOf("/free-spins", g.ID)
	after, err := a.Bonus.Status(c.UserContext(), g.ID)
	var e *platform.Error
	switch {
	case errors.Is(err, models.ErrGrantNotActive):
		return a.Flash(c, to, views.Note{Kind: "wait", Icon: "warning",
			Text: "The platform has named no grant, so there is nothing to ask about."})
	case errors.As(err, &e):
		return a.Flash(c, to, views.Note{Kind: "wait", Icon: "warning", Title: "No answer about this grant",
			Text: things.FailureWords(err) + " What stands here is what it said before."})
	case err != nil:
		return err
	}
	return a.Done(c, to, fmt.Sprintf("The platform says: %s, %d used of %d.", after.State, things.UsedOf(after), after.Spins))
}
