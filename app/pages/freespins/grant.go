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

	"pitboss/app/answers"
	"pitboss/app/pages"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page of one grant. If its outcome is unknown, people record on this page what they found out.

const storyLines = 100 // of each kind

type grantPage struct {
	web.Page
	Row        pages.GrantRow
	Moment     views.Moment
	Headline   string // the first sentence of the message about an unknown outcome
	Refusal    string // the platform's result with its meaning, if it refused
	Used, Left int64
	Meter      views.Meter
	Story      []storyLine
	Signs      *grantSigns
	Cases      pages.ThingCases
	Tell       *pages.Answer
	Remark     *pages.Remark
	Decision   *decisionForm
	Open       bool   // the grant may still change by itself
	Again      bool   // it can be granted once more
	Version    string // changes with everything that the page shows of an open grant
}

type observationRow struct {
	models.Observation
	Word string // if there are no counts, the platform's result with its meaning
}

// storyLine is one event of a grant's story: what the platform said, a spin, a win, or one of the grant's own steps.
type storyLine struct {
	At       views.Moment
	Node     string
	Grant    models.Grant
	Observed *observationRow
	Spin     *models.AttributedSpin
	Win      *models.SpinWin
	Step     string       // "asked", "sent", "granted", "refused", "not granted", "unknown", "resolved" or "finished"
	Took     string       // how long the platform took to answer
	Word     string       // the platform's refusal, or the state in which the grant ended
	Equal    int64        // how many more lines of the day, one after the other, say the same as Spin
	First    views.Moment // the time of the oldest of them
	at       time.Time
}

// grantSigns suggest whether a grant of unknown outcome was granted.
type grantSigns struct{ Ours, Unexplained, Others int64 }

// decisionForm is the form for what a person found out about a grant of unknown outcome.
type decisionForm struct {
	Found      string // "found", "not" or "unclear"; empty until the reader chooses
	Wrong      string
	FreeSpinID views.Field
	Note       views.Field
}

// LoadGrant reads the grant that the address names.
func (a *Area) LoadGrant(c *fiber.Ctx) (models.Grant, error) {
	return web.Find(c, "grant", a.Store.Grant)
}

// watched reports whether Pitboss still follows a grant by itself.
func watched(g models.Grant) bool {
	return g.State == models.GrantRequested || g.State == models.GrantSent || g.State == models.GrantActive ||
		!g.NextPollAt.IsZero()
}

// Detail shows a grant. The page of a grant that may still change asks whether it has, and then loads again.
func (a *Area) Detail(c *fiber.Ctx, g models.Grant) (err error) {
	wins, err := a.Store.SpinWins(c.UserContext(), g.ID)
	if err != nil {
		return err
	}
	version := fmt.Sprintf("%d.%d.%d.%d.%d.%s", g.State, g.Used, g.Ours, g.Apart, g.ObservedAt.UnixMicro(), wins.Won)
	if c.Get("HX-Target") == "used" {
		if c.Query("seen") != version || !watched(g) {
			c.Set("HX-Refresh", "true")
		}
		return c.SendStatus(fiber.StatusNoContent)
	}
	if err := a.Viewed(c, "grant", g.ID, g.PlayerID); err != nil {
		return err
	}
	return a.showGrant(c, g, wins, version)
}

func (a *Area) showGrant(c *fiber.Ctx, g models.Grant, wins models.SpinWins, version string) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	page := &grantPage{Page: a.Page(c, ""), Moment: views.NewMoment(g.At, a.Now(), web.ReaderOf(c).Zone),
		Row: pages.NewGrantRow(g, wins), Open: watched(g), Version: version, Headline: firstSentence(g.Message)}
	page.Badges = []views.Badge{page.Row.Badge}
	if g.FreeSpinID != "" {
		page.HeadID = &views.ID{Text: string(g.FreeSpinID), Kind: "free-spin ID"}
	}
	page.Again = page.Can(web.GrantFreeSpins) && !g.Unresolved() && g.State != models.GrantRequested &&
		g.State != models.GrantSent
	page.Used, page.Left = g.UsedSpins(), max(0, g.Spins-g.UsedSpins())
	page.Meter = views.Pieces(page.Used, g.Spins, fmt.Sprintf("%d of %d spins used", page.Used, g.Spins))
	if g.State == models.GrantRefused && g.Result != models.NoResult {
		page.Refusal = platform.ResultWords(g.Result)
	}
	if err := a.tellGrant(ctx, page, g); err != nil {
		return err
	}
	player, _, err := a.Store.PlayerByID(ctx, g.PlayerID)
	if err != nil {
		return err
	}
	about := models.Case{Finding: models.Finding{GrantID: g.ID}}
	if page.Tell, err = a.NewAnswer(c, &page.Page, player, answers.Grant(g, wins), about); err != nil {
		return err
	}
	if page.Remark, err = a.NewRemark(c, &page.Page, "grant", strconv.FormatInt(g.ID, 10)); err != nil {
		return err
	}
	if page.Cases, err = a.CasesOf(ctx, &page.Page, models.CaseFilter{GrantID: g.ID}, "grant="+strconv.FormatInt(g.ID, 10)); err != nil {
		return err
	}
	if g.Unresolved() {
		if err := a.unknownGrant(ctx, page, f, g); err != nil {
			return err
		}
	}
	return a.RenderForm(c, !f.Ok(), "free-spins/grant", page)
}

// firstSentence returns a text up to its first period, for a title.
func firstSentence(text string) string {
	first, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(first, ".")
}

// tellGrant fills in the grant's story, newest first.
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
		row := newObservationRow(o)
		// If several answers in a row are equal, the story has only the first.
		if i+1 < len(seen.Rows) && seen.Rows[i+1].Status == o.Status && seen.Rows[i+1].Used == o.Used &&
			seen.Rows[i+1].Result == o.Result {
			continue
		}
		line := storyLine{at: o.At, Node: "none", Observed: &row}
		if o.Status == "" && o.Result == models.ResultUnknownGrant {
			line.Node = "case"
		}
		story = append(story, line)
	}
	for _, s := range spins {
		story = append(story, storyLine{at: s.At, Node: "none", Spin: &s})
	}
	for _, w := range wins {
		story = append(story, storyLine{at: w.At, Node: "money", Win: &w})
	}
	story = append(story, ownStory(g)...)
	slices.SortStableFunc(story, func(a, b storyLine) int { return b.at.Compare(a.at) })
	for _, line := range story {
		line.At, line.Grant = page.Time(line.at), g
		if n := len(page.Story); n > 0 && page.Story[n-1].repeats(line) {
			page.Story[n-1].Equal, page.Story[n-1].First = page.Story[n-1].Equal+1, line.At
			continue
		}
		page.Story = append(page.Story, line)
	}
	return nil
}

// Count returns how many lines l stands for.
func (l storyLine) Count() int64 { return 1 + l.Equal }

// repeats reports whether an older line of the same day says the same.
func (l storyLine) repeats(older storyLine) bool {
	return l.Spin != nil && older.Spin != nil && l.Spin.Kind == older.Spin.Kind && l.Spin.Stake == older.Spin.Stake &&
		l.Spin.Rule == older.Spin.Rule && l.At.DayWord() == older.At.DayWord()
}

func newObservationRow(o models.Observation) observationRow {
	row := observationRow{Observation: o}
	if o.Status == "" {
		row.Word = platform.ResultWords(o.Result)
	}
	return row
}

// ownStory returns our actions and those of our staff, newest first.
func ownStory(g models.Grant) []storyLine {
	story := []storyLine{{at: g.At, Node: "staff", Step: "asked"}}
	if !g.SentAt.IsZero() {
		story = append(story, storyLine{at: g.SentAt, Node: "none", Step: "sent"})
	}
	if !g.AnsweredAt.IsZero() {
		story = append(story, answered(g))
	}
	if g.Resolution != models.Unresolved {
		story = append(story, storyLine{at: g.ResolvedAt, Node: "staff", Step: "resolved"})
	}
	if !g.FinishedAt.IsZero() && (g.State == models.GrantCompleted || g.State == models.GrantExpired) {
		story = append(story, storyLine{at: g.FinishedAt, Node: "none", Step: "finished",
			Word: web.FirstUpper(g.State.String())})
	}
	slices.Reverse(story) // of two steps at the same time, the later one comes first
	return story
}

// answered returns the story line for the platform's answer to the grant.
func answered(g models.Grant) storyLine {
	line := storyLine{at: g.AnsweredAt, Node: "none"}
	if g.Latency > 0 {
		line.Took = web.Lasted(g.Latency)
	}
	switch {
	case g.State == models.GrantUnknown || g.Resolution != models.Unresolved:
		line.Node, line.Step = "risk", "unknown"
	case g.State == models.GrantRefused && g.Result != models.NoResult:
		line.Step, line.Word = "refused", platform.ResultWords(g.Result)
	case g.State == models.GrantRefused:
		line.Step = "not granted"
	default:
		line.Node, line.Step = "money", "granted"
	}
	return line
}

// AskAboutGrant asks the platform about a grant now.
func (a *Area) AskAboutGrant(c *fiber.Ctx, g models.Grant) error {
	to := web.PathOf("/free-spins", g.ID)
	after, err := a.Bonus.Status(c.UserContext(), g.ID)
	var e *platform.Error
	switch {
	case errors.Is(err, models.ErrGrantNotActive):
		return a.Flash(c, to, views.Warning("", "The platform has not granted this, so there is nothing to ask about."))
	case errors.As(err, &e):
		return a.Flash(c, to, views.Warning("No answer about this grant",
			pages.FailureWords(err)+" The page shows its last answer."))
	case err != nil:
		return err
	}
	if after.Used == models.NoCount {
		return a.Done(c, to, fmt.Sprintf("The platform says: %s, without counts.", after.State))
	}
	return a.Done(c, to, fmt.Sprintf("The platform says: %s, %d used of %d.", after.State, after.Used, after.Spins))
}
