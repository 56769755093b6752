// Package restrictions has the pages of restrictions of players, and of freezes of the house, a provider or a game.
package restrictions

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/answers"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

// row is a restriction as a row of a list.
type row struct {
	models.Restriction
	Href      string
	Badge     views.Badge
	Permanent bool
}

func newRow(p *web.Page, r models.Restriction) row {
	return row{r, pages.RestrictionPath(r.ID), badge(r, p.Now), r.Until.Equal(models.Permanent)}
}

func badge(r models.Restriction, at time.Time) views.Badge {
	switch {
	case r.State == models.ApprovalApproved && r.Kind == models.SelfExclusion:
		return views.Gone("Ended as a mistake")
	case !r.Active(at) && r.State == models.ApprovalApproved:
		return views.Gone("Ended early")
	case !r.Active(at):
		return views.Gone("Ended")
	case r.State == models.ApprovalWaiting:
		return views.Waiting("End requested")
	}
	return views.Refused("In effect")
}

var states = []web.Option[models.RestrictionFilter]{
	{Word: "All"},
	web.Offer("active", "In effect", models.RestrictionFilter{Active: new(true)}),
	web.Offer("waiting", "End requested", models.RestrictionFilter{Waiting: true}),
	web.Offer("ended", "Ended", models.RestrictionFilter{Active: new(false)}),
}

// List lists restrictions, newest first.
func (a *Area) List(c *fiber.Ctx) error {
	return a.Restrictions().Serve(a.Site.Site, c, "restrictions/list")
}

type restriction = models.Restriction

// Restrictions is the list of restrictions.
func (a *Area) Restrictions() web.List[web.ListPage, restriction] {
	return web.List[web.ListPage, restriction]{
		Path: "/restrictions", Title: "Restrictions", Needs: web.ReadRestrictions, Select: a.selected,
		Columns: []web.Column[web.ListPage, restriction]{
			{Name: "Number", Kind: export.Number, Value: func(r restriction) any { return r.ID }},
			{Head: "Set", Kind: export.Time, Order: web.ByTime, Value: func(r restriction) any { return r.At }},
			{Head: "Of", Class: "c-what wrap", Block: "of", Value: func(r restriction) any { return cmp.Or(string(r.UserID), r.About) }},
			{Head: "Kind", Value: func(r restriction) any {
				if r.PlayerID == 0 {
					return "Freeze"
				}
				return web.FirstUpper(r.Kind.String())
			}},
			{Head: "Stops", Block: "stops"},
			{Head: "Until", Block: "until"},
			{Name: "Until", Kind: export.Time, Value: func(r restriction) any {
				if r.Until.Equal(models.Permanent) {
					return time.Time{}
				}
				return r.Until
			}},
			{Head: "Reason", Class: "wrap", Value: func(r restriction) any { return r.Reason }},
			{Head: "By", Value: func(r restriction) any { return r.Setter.Username }},
			{Head: "State", Badge: func(p *web.ListPage, r restriction) views.Badge { return badge(r, p.Now) }},
		},
	}
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *web.ListPage) (list models.Listing[restriction], err error) {
	filter := web.Choose(&page.Page, "state", "State", states)
	filter.Subject = web.Choose(&page.Page, "subject", "Of", web.OptionsOf("Everything", models.RestrictionSubjects))
	filter.Kind = web.Choose(&page.Page, "kind", "Kind", web.OptionsOf("All kinds", models.RestrictionKinds))
	player, err := a.PlayerFilter(ctx, &page.Page)
	filter.PlayerID, filter.Span = player.ID, page.Period(&page.Page)
	return models.List(filter, a.Store.Restrictions, models.Restriction.Place), err
}

// terms are the fields of a restriction for one or more players.
type terms struct {
	Until, Reason     views.Field
	Kind, Scope, Term views.Select
}

// Terms without a name in models.RestrictionTerms.
const noEnd, untilDay = "no end", "until a day"

func termsOf(f *web.Form) terms {
	kinds := []string{"", "Choose a kind"}
	for _, k := range models.RestrictionKinds {
		kinds = append(kinds, k.String(), k.String())
	}
	lasts := []string{"", "Choose a term"}
	for _, t := range models.RestrictionTerms {
		lasts = append(lasts, t.Name, t.Name)
	}
	lasts = append(lasts, untilDay, "Until the day below", noEnd, "No end")
	scope := f.Text("scope")
	if !f.Typed() {
		scope = models.FromPlay.String()
	}
	return terms{
		Kind: views.Select{ID: "f-kind", Name: "kind", Wrong: f.Wrong["kind"], Choices: web.Choices(f.Text("kind"), kinds...)},
		Scope: views.Select{ID: "f-scope", Name: "scope", Wrong: f.Wrong["scope"], Choices: web.Choices(scope,
			models.FromPlay.String(), "Play, deposits and bonuses", models.FromDeposits.String(), "Deposits only",
			models.FromBonuses.String(), "Bonuses only")},
		Term:   views.Select{ID: "f-term", Name: "term", Wrong: f.Wrong["term"], Choices: web.Choices(f.Text("term"), lasts...)},
		Until:  f.Field(views.Field{Name: "until", Type: "date"}),
		Reason: f.Field(views.Field{Name: "reason", Required: true, Max: models.MaxDecisionText}),
	}
}

// described returns the restriction that a form describes, without its player, and a function that returns its end in a
// player's zone.
func (a *Area) described(f *web.Form) (r models.Restriction, end func(zone *time.Location) time.Time) {
	r = models.Restriction{Subject: models.OfPlayer, Kind: web.ByWord(models.RestrictionKinds, f.Text("kind")),
		Scope: web.ByWord(models.RestrictionScopes, f.Text("scope")), Reason: f.Text("reason")}
	term, last := f.Text("term"), f.Text("until")
	end = func(*time.Location) time.Time { return models.Permanent }
	i := slices.IndexFunc(models.RestrictionTerms, func(t models.RestrictionTerm) bool { return t.Name == term })
	switch {
	case term == untilDay:
		day, err := models.ParseDay(last)
		if err != nil {
			f.Refuse("until", "Enter the last day, such as 2026-12-31.")
			break
		}
		end = day.End
	case last != "":
		f.Refuse("until", "Choose “Until the day below”, or leave this empty.")
	case i >= 0:
		end = func(zone *time.Location) time.Time { return models.RestrictionTerms[i].End(a.Now(), zone) }
	case term != noEnd:
		f.Refuse("term", "Choose how long the restriction lasts.")
	}
	return r, end
}

// zoneOf returns the zone of a player's days: the player's own, or the casino's if that is not known.
func (a *Area) zoneOf(ctx context.Context, p models.Player) (*time.Location, error) {
	if name, _ := p.TimeZone(a.Now()); name != "" {
		return time.LoadLocation(name)
	}
	return a.CasinoZone(ctx)
}

// confirmPage shows the effect of a self-exclusion, of a restriction without an end, or of restrictions of several players
// before they are set.
type confirmPage struct {
	web.Page
	models.Restriction
	Path     string
	Kept     []views.Hidden
	Player   models.Player // if it is about a single player
	Several  bool
	Known    int             // how many players will be restricted
	Standing int             // how many players are already restricted in this way
	LeftOut  *views.BadLines // the lines that are left out
	Ends     string          // empty if it has no end
	Zone     string          // the zone of the end; empty if each player has their own
}

// showConfirm shows the confirmation page, whose form sends again what was typed.
func (a *Area) showConfirm(c *fiber.Ctx, f *web.Form, page *confirmPage) error {
	page.Page = a.Page(c, "")
	for _, name := range []string{"player", "kind", "scope", "term", "until", "reason"} {
		page.Kept = append(page.Kept, views.Hidden{Name: name, Value: f.Text(name)})
	}
	return a.RenderForm(c, !f.Ok(), "restrictions/confirm", page)
}

// momentIn returns the last moment of a restriction in words, or "" if it has no end.
func momentIn(until time.Time, zone *time.Location) string {
	if until.Equal(models.Permanent) {
		return ""
	}
	return until.In(zone).Format("2 Jan 2006 15:04")
}

type newPage struct {
	web.Page
	terms
	Player views.Field
}

// NewForm shows the form that restricts a player.
func (a *Area) NewForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newPage{Page: a.Page(c, ""), terms: termsOf(f)}
	var err error
	if page.Player, _, _, err = a.PlayerFinder().Field(f, "player"); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "restrictions/new", page)
}

// Restrict restricts a player. A self-exclusion, or a restriction without an end, has to be confirmed first.
func (a *Area) Restrict(c *fiber.Ctx) error {
	const form = "/restrictions/new"
	f := web.NewForm(c)
	r, end := a.described(f)
	_, player, found, err := a.PlayerFinder().Field(f, "player")
	if err != nil {
		return err
	}
	if r.PlayerID = player.ID; !found {
		f.Refuse("player", pages.NoSuchPlayer)
	}
	zone, err := a.zoneOf(c.UserContext(), player)
	if err != nil {
		return err
	}
	r.Until = end(zone)
	forGood := r.Kind == models.SelfExclusion || r.Until.Equal(models.Permanent)
	if !forGood || f.RefusedOtherThan("password") || refused(f, r.Check(a.Now())) || f.Ok() && f.Text("confirmed") == "yes" {
		return a.set(c, f, r, form)
	}
	return a.showConfirm(c, f, &confirmPage{Restriction: r, Path: "/restrictions", Player: player, Known: 1, Ends: momentIn(r.Until, zone),
		Zone: zone.String()})
}

// fields maps the errors of a restriction to the fields that show them.
var fields = map[error]string{models.ErrDecisionText: "reason", models.ErrRestrictionUntil: "until",
	models.ErrRestrictionKind: "kind", models.ErrSelfExcludedScope: "scope", models.ErrRestrictionSubject: "what",
	models.ErrRestrictionStands: "what", models.ErrClosedOpenEnd: "until", models.ErrCloseNotEmpty: "player",
	models.ErrRestrictedMany: "player"}

// set sets the restriction that a form describes, or shows the form again with its errors.
func (a *Area) set(c *fiber.Ctx, f *web.Form, r models.Restriction, form string) error {
	if !f.Ok() {
		return a.ShowAgain(c, f, form)
	}
	made, err := a.Store.Restrict(c.UserContext(), a.Signer(c), r)
	if refused(f, err) {
		return a.ShowAgain(c, f, form)
	}
	if err != nil {
		return err
	}
	return a.Done(c, pages.RestrictionPath(made.ID), "The restriction is in effect.")
}

// refused marks the field that shows why the store refused a restriction, and reports whether there is such a field.
func refused(f *web.Form, err error) bool {
	for refusal, field := range fields {
		if errors.Is(err, refusal) {
			f.Refuse(field, web.Sentence(refusal.Error()))
			return true
		}
	}
	return false
}

type freezePage struct {
	web.Page
	Game, Reason   views.Field
	What, Provider views.Select
}

// FreezeForm shows the form that freezes the house, a provider or a game.
func (a *Area) FreezeForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &freezePage{Page: a.Page(c, "")}
	var err error
	if page.Game, _, _, err = a.GameFinder().Field(f, "game"); err != nil {
		return err
	}
	what := f.Text("what")
	if !f.Typed() && page.Game.Value != "" {
		what = models.OfGame.String()
	}
	page.What = views.Select{ID: "f-what", Name: "what", Wrong: f.Wrong["what"], Choices: web.Choices(what,
		models.OfHouse.String(), "All play", models.OfProvider.String(), "A provider’s games", models.OfGame.String(), "One game")}
	for i, more := range []string{"Bets are refused. No game is opened, and no free spins are granted.",
		"They are not opened, and no free spins are granted on them.", "It is not opened, and no free spins are granted on it."} {
		page.What.Choices[i].More = more
	}
	providers, _, err := a.Store.GameKinds(c.UserContext())
	if err != nil {
		return err
	}
	pairs := []string{"", "Choose a provider"}
	for _, p := range providers {
		if p != "" {
			pairs = append(pairs, p, p)
		}
	}
	page.Provider = views.Select{ID: "f-provider", Name: "provider", Wrong: f.Wrong["provider"],
		Choices: web.Choices(f.Text("provider"), pairs...)}
	page.Reason = f.Field(views.Field{Name: "reason", Required: true, Max: models.MaxDecisionText})
	return a.RenderForm(c, !f.Ok(), "restrictions/freeze", page)
}

// Freeze freezes the house, a provider or a game.
func (a *Area) Freeze(c *fiber.Ctx) error {
	f := web.NewForm(c)
	r := models.Restriction{Subject: web.ByWord(models.RestrictionSubjects[1:], f.Text("what")), Kind: models.OtherRestriction,
		Scope: models.FromPlay, Until: models.Permanent, Reason: f.Text("reason")}
	switch r.Subject {
	case models.OfProvider:
		providers, _, err := a.Store.GameKinds(c.UserContext())
		if err != nil {
			return err
		}
		if r.About = f.Text("provider"); r.About == "" || !slices.Contains(providers, r.About) {
			f.Refuse("provider", "Choose a provider.")
		}
	case models.OfGame:
		_, game, found, err := a.GameFinder().Field(f, "game")
		if err != nil {
			return err
		}
		if !found {
			f.Refuse("game", "There is no game with this name or ID.")
		}
		r.About = string(game.GameID)
	}
	return a.set(c, f, r, "/restrictions/freeze")
}

// A single restriction, and its early end.

type restrictionPage struct {
	web.Page
	pages.Decision
	Row                        row
	SetAt, RestrictedUntil     views.Moment
	Requestable, NeverEndEarly bool
	Mistake                    views.Moment // until when a self-exclusion can be ended as a mistake
	EndReason                  views.Field
	Game                       string // the name of the frozen game
	Tell                       *pages.Answer
}

// Requests is the kind of request for ending a restriction early.
func (a *Area) Requests() pages.RequestKind {
	return pages.RequestKind{Name: "restriction", Word: "End of restriction", Path: "/restrictions", List: "/restrictions?state=waiting",
		Waits: views.Todo{One: "Restriction to end", Many: "Restrictions to end", Note: "early, as a colleague requests"},
		Reads: web.ReadRestrictions, Decides: web.EndRestrictions, Withdraws: web.EndRestrictions, Show: a.show,
		Known: endRefusals, Said: map[models.ApprovalState]string{
			models.ApprovalApproved:  "The restriction has ended.",
			models.ApprovalRefused:   "The request is refused. The restriction stays in effect.",
			models.ApprovalWithdrawn: "The request is withdrawn. The restriction stays in effect."}}
}

// endRefusals are the reasons why an early end is neither requested nor decided.
var endRefusals = []error{models.ErrRestrictionEnded, models.ErrNeverEndsEarly, models.ErrEndRequested}

// show shows a restriction and what the reader may do about it.
func (a *Area) show(c *fiber.Ctx, f *web.Form, asked models.Requested) (err error) {
	r := *asked.(*models.Restriction)
	if r.PlayerID != 0 {
		if err := a.Viewed(c, "player", r.PlayerID, r.PlayerID); err != nil {
			return err
		}
	}
	page := &restrictionPage{Page: a.Page(c, "")}
	page.Row = newRow(&page.Page, r)
	page.Badges = []views.Badge{page.Row.Badge}
	page.SetAt, page.RestrictedUntil = page.Time(r.At), page.Time(r.Until)
	page.Requestable = r.MayEnd(a.Signer(c), page.Now) == nil
	page.NeverEndEarly = errors.Is(r.EndsEarly(page.Now), models.ErrNeverEndsEarly)
	if r.Kind == models.SelfExclusion {
		page.Mistake = page.Time(r.At.Add(models.MistakeFor))
	}
	if r.State != 0 {
		page.Decision, err = a.NewDecision(c, &page.Page, f, pages.RestrictionPath(r.ID), "End of the restriction", asked)
		page.Decision.Reason, page.Button = r.EndReason, "End the restriction"
		if r.EndsEarly(page.Now) != nil {
			page.Decidable, page.Approvable, page.Withdrawable = false, false, false
		}
	}
	if page.Requestable && err == nil {
		page.EndReason = f.Field(views.Field{Name: "why", Required: true, Max: models.MaxDecisionText})
	}
	if err != nil {
		return err
	}
	if r.PlayerID != 0 {
		player, _, err := a.Store.PlayerByID(c.UserContext(), r.PlayerID)
		if err != nil {
			return err
		}
		if page.Tell, err = a.NewAnswer(c, &page.Page, player, answers.Restriction(r, page.Now), models.Case{}); err != nil {
			return err
		}
	}
	if r.Subject == models.OfGame {
		game, _, err := a.Store.Game(c.UserContext(), models.GameID(r.About))
		if err != nil {
			return err
		}
		page.Game = game.Ref().Title()
	}
	return a.RenderForm(c, !f.Ok(), "restrictions/restriction", page)
}

// RequestEnd requests that a restriction ends early.
func (a *Area) RequestEnd(c *fiber.Ctx) error {
	r, err := web.Find(c, "restriction", a.Store.Restriction)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	if models.CheckDecisionText(f.Text("why")) != nil {
		f.Refuse("why", web.Sentence(models.ErrDecisionText.Error()))
	}
	if !f.Ok() {
		return a.show(c, f, &r)
	}
	if err := a.Store.RequestEnd(c.UserContext(), a.Signer(c), r.ID, f.Text("why")); err != nil {
		return a.DecisionFailed(c, pages.RestrictionPath(r.ID), err, endRefusals...)
	}
	return a.Done(c, pages.RestrictionPath(r.ID),
		"The end of the restriction is requested. It stays in effect until a second person approves the request.")
}
