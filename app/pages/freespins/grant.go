package freespins

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/answers"
	"pitboss/app/pages"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page of a single grant. If its outcome is unknown, people record here what they found out.

type grantPage struct {
	web.Page
	Row        pages.GrantRow
	Moment     views.Moment
	Attention  *views.Note // what the reader has to know first; nil if there is nothing
	Used, Left int64
	Meter      views.Meter
	Story      []views.Event
	Signs      *grantSigns
	Cases      pages.ThingCases
	Tell       *pages.Answer
	Remark     *pages.Remark
	Decision   *decisionForm
	Open       bool   // the grant may still change without the reader
	Again      bool   // the same spins can be granted again
	Version    string // differs if anything changed that the page shows about an open grant
}

// grantSigns are counts that suggest whether a grant of unknown outcome was made.
type grantSigns struct{ Ours, Unexplained, Others int64 }

// decisionForm is the form in which a person records what they found out about a grant of unknown outcome.
type decisionForm struct {
	Found      string // "found", "not" or "unclear"; empty until the reader has chosen
	Wrong      string
	FreeSpinID views.Field
	Note       views.Field
}

// LoadGrant reads the grant whose number is in the address.
func (a *Area) LoadGrant(c *fiber.Ctx) (models.Grant, error) {
	return web.Find(c, "grant", a.Store.Grant)
}

// watched reports whether Pitboss still asks the platform about a grant.
func watched(g models.Grant) bool {
	return g.State == models.GrantRequested || g.State == models.GrantSent || g.State == models.GrantActive ||
		!g.NextPollAt.IsZero()
}

// Detail shows a grant. As long as the grant may change, its page asks whether it has, and then loads again.
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
		Row: pages.NewGrantRow(g, wins), Open: watched(g), Version: version}
	page.Attention = attention(&page.Page, g)
	page.Badges = []views.Badge{page.Row.Badge}
	if g.FreeSpinID != "" {
		page.HeadID = &views.ID{Text: string(g.FreeSpinID), Kind: "free-spin ID"}
	}
	page.Again = page.Can(web.GrantFreeSpins) && !g.Unresolved() && g.State != models.GrantRequested &&
		g.State != models.GrantSent
	page.Used, page.Left = g.UsedSpins(), max(0, g.Spins-g.UsedSpins())
	page.Meter = views.Pieces(page.Used, g.Spins, fmt.Sprintf("%d of %d spins used", page.Used, g.Spins))
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
