package freespins

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// confirmGrantPath is the address of a grant's confirmation page.
const confirmGrantPath = pages.NewGrantPath + "/confirm"

// Granting free spins to one player takes two steps: a form with the limits beside it, then a page that says in one sentence
// what will happen.

// spinPresets are the numbers of spins that are granted most often.
var spinPresets = []int64{5, 10, 20, 50}

type newGrantPage struct {
	web.Page
	Player, Game, Spins, Reason views.Field
	Campaign                    views.Filter // to which the grant may belong
	Presets                     []int64
	Again                       bool // the reader grants although the outcome of an earlier grant of the game is unknown
	AgainWrong                  string
	Known                       grantInfo
	Over                        *pages.LimitHelp // who can help, if the grant exceeds limits
	Zone                        string           // the time zone in which the days of limits begin
	OOB                         bool             // rendered for htmx, which puts what was picked under its field
}

// grantInfo is what is known about a grant before it is requested: its player and game, and how much of the limits is
// used.
type grantInfo struct {
	Player             models.Player
	Game               models.Game
	HasPlayer, HasGame bool
	Open               []openGrant // the player's grants with spins left
	Role               models.Role
	Rules              models.GrantRules
	Limits             models.GrantLimits // of the reader's role
	Taken              models.GrantTaken
	Left               int64       // spins left for the player on the game, in grants that are open
	Newest             int64       // the player's newest grant, 0 for none
	Pending            int64       // the player's grant of the game with an unknown outcome, 0 for none
	Cost               *grantCosts // nil if cost has no limit

	player, game views.Field // in which they were named
}

// openGrant is a grant with spins left.
type openGrant struct {
	models.Grant
	Left int64
}

// grantCosts are the limits on cost in the player's currency, and how much of them is used.
type grantCosts struct {
	models.GrantCost
	Currency     models.Currency
	Spin         models.Amount // the cost of one spin, for these limits
	Player, Role models.Amount // used today
}

// loadGrantInfo reads the player and the game from the form, and what is known about a grant. Either may be empty or unknown. It
// records that the reader has seen the player's data.
func (a *Area) loadGrantInfo(c *fiber.Ctx, f *web.Form) (k grantInfo, err error) {
	ctx := c.UserContext()
	who := web.ReaderOf(c)
	if k.player, k.Player, k.HasPlayer, err = a.PlayerFinder().Field(f, "player"); err != nil {
		return k, err
	}
	if k.game, k.Game, k.HasGame, err = a.GameFinder().Field(f, "game"); err != nil {
		return k, err
	}
	if err := a.loadTaken(ctx, &k, who.Username, who.Role); err != nil {
		return k, err
	}
	if k.HasPlayer {
		if err := a.Viewed(c, "player", k.Player.ID); err != nil {
			return k, err
		}
		currency := k.Player.Wallet.Currency
		if cost, limited := k.Limits.Cost[currency]; limited {
			k.Cost = &grantCosts{GrantCost: cost, Currency: currency, Spin: k.Rules.SpinCost[currency],
				Player: k.Rules.CostOf(currency, k.Taken.PlayerSpins),
				Role:   k.Rules.CostOf(currency, k.Taken.RoleSpinsInCurrency)}
		}
	}
	return k, nil
}

// loadTaken reads the limits of the granter's role, how much of them is used, and the player's grants.
func (a *Area) loadTaken(ctx context.Context, k *grantInfo, granter string, role models.Role) (err error) {
	k.Role = role
	if k.Rules, err = a.Store.GrantRules(ctx); err != nil {
		return err
	}
	k.Limits = k.Rules.Roles[role]
	if k.Taken, err = a.Store.GrantTaken(ctx, k.Player.ID, granter, role); err != nil || !k.HasPlayer {
		return err
	}
	return a.loadPlayersGrants(ctx, k)
}

// loadPlayersGrants reads the player's latest grants, and those that are active or may have been granted, however old.
func (a *Area) loadPlayersGrants(ctx context.Context, k *grantInfo) error {
	latest, err := a.Store.Grants(ctx, models.GrantFilter{PlayerID: k.Player.ID, Span: models.Span{Limit: grantListRows}})
	if err != nil {
		return err
	}
	for _, g := range latest.Rows {
		k.Newest = max(k.Newest, g.ID) // clocks differ: the newest by time may not have the highest number
	}
	list, err := a.Store.Grants(ctx, models.GrantFilter{PlayerID: k.Player.ID,
		Span: models.Span{Limit: grantListRows}, SpinsLeft: true,
		States: []models.GrantState{models.GrantActive, models.GrantRequested, models.GrantSent, models.GrantUnknown}})
	if err != nil {
		return err
	}
	for _, g := range list.Rows {
		sameGame := k.HasGame && g.Game.ID == k.Game.ID
		switch {
		case g.State == models.GrantActive:
			open := openGrant{g, g.Spins - g.UsedSpins()}
			k.Open = append(k.Open, open)
			if sameGame {
				k.Left += open.Left
			}
		case sameGame && (g.Unresolved() || g.State == models.GrantSent || g.State == models.GrantRequested):
			k.Pending = g.ID
		}
	}
	return nil
}

// NewGrantForm shows the form, with what was typed or what the address names.
func (a *Area) NewGrantForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newGrantPage{Page: a.Page(c, ""), OOB: c.Get("HX-Target") == "known"}
	page.Spins = f.Field(views.Field{Name: "spins", Value: page.Params.Get("spins"), Required: true})
	page.Reason = f.Field(views.Field{Name: "reason", Value: page.Params.Get("reason"), Autocomplete: "off", Required: true})
	if preset := f.Text("preset"); preset != "" {
		page.Spins.Value = preset
	}
	var err error
	if page.Campaign, err = a.campaignField(c.UserContext(), f); err != nil {
		return err
	}
	page.Again, page.AgainWrong = f.Text("again") == "yes", web.Sentence(f.Wrong["again"])
	k, err := a.loadGrantInfo(c, f)
	if err != nil {
		return err
	}
	page.Known, page.Player, page.Game = k, k.player, k.game
	if page.Zone, err = a.Store.ReportZone(c.UserContext()); err != nil {
		return err
	}
	spins, err := strconv.ParseInt(page.Spins.Value, 10, 64)
	if err == nil && k.HasPlayer && k.HasGame && spins > 0 && spins <= models.MaxSpins {
		var over []string
		for _, limit := range k.exceeded(spins) {
			over = append(over, limitWords(limit, k.Player.UserID))
		}
		if len(over) > 0 {
			if page.Over, err = a.LimitHelp(c.UserContext(), &page.Page, over, pages.BeyondLimitsPath); err != nil {
				return err
			}
		}
	}
	for _, n := range spinPresets {
		if n <= k.Limits.SpinsPerGrant {
			page.Presets = append(page.Presets, n)
		}
	}
	return a.RenderForm(c, !f.Ok(), "free-spins/new", page)
}

// campaignField returns the choice between the campaigns to which a grant may belong.
func (a *Area) campaignField(ctx context.Context, f *web.Form) (views.Filter, error) {
	field := views.Filter{Field: f.Field(views.Field{Name: "campaign"}), Choices: []views.Choice{{Word: "None"}}}
	open, err := a.Store.OpenCampaigns(ctx)
	for _, campaign := range open {
		id := strconv.FormatInt(campaign.ID, 10)
		field.Choices = append(field.Choices, views.Choice{Value: id, Word: campaign.Name + " (" + id + ")", Chosen: id == field.Value})
	}
	return field, err
}

// How far a grant may go: within the limits, or beyond them as a campaign that a second person approves.
const (
	withinLimits = false
	beyondLimits = true
)

// exceeded returns the limits that a grant of this many spins would exceed.
func (k grantInfo) exceeded(spins int64) models.LimitErrors {
	return k.Rules.Exceeded(k.Role, k.Taken, k.Player.Wallet.Currency, spins)
}

// readGrant reads the form of a grant, and marks the fields that would be refused later.
func (a *Area) readGrant(c *fiber.Ctx, page *web.Page, f *web.Form, beyond bool) (models.GrantRequest, grantInfo, error) {
	k, err := a.loadGrantInfo(c, f)
	r := models.GrantRequest{UserID: k.Player.UserID, GameID: k.Game.GameID, Reason: f.Text("reason"),
		Role: web.ReaderOf(c).Role, Again: f.Text("again") == "yes"}
	if err != nil {
		return r, k, err
	}
	switch {
	case !k.HasPlayer:
		f.Refuse("player", "There is no player with this ID. IDs are case-sensitive.")
	case !k.Player.Wallet.MayGetBonuses(page.Now):
		f.Refuse("player", "This player may not get bonuses now. Support or compliance can say more.")
	}
	switch {
	case !k.HasGame:
		f.Refuse("game", pages.NoGame)
	case k.Game.Gone():
		f.Refuse("game", "The platform no longer offers this game.")
	}
	switch n := len([]rune(r.Reason)); {
	case n == 0:
		f.Refuse("reason", "Enter a reason.")
	case n > web.MaxReason:
		f.Refuse("reason", "A reason has at most 500 characters.")
	}
	if r.Spins, err = strconv.ParseInt(f.Text("spins"), 10, 64); err != nil || r.Spins < 1 {
		f.Refuse("spins", "Enter a whole number of spins, from 1.")
	} else if r.Spins > models.MaxSpins {
		f.Refuse("spins", "One grant has at most "+web.Grouped(models.MaxSpins)+" spins.")
	} else if !beyond {
		refuseLimits(f, k.exceeded(r.Spins), r.UserID, r.Spins)
	}
	if text := f.Text("campaign"); text != "" {
		if r.CampaignID, err = strconv.ParseInt(text, 10, 64); err != nil {
			f.Refuse("campaign", "Choose a campaign from the list.")
		} else if beyond {
			f.Refuse("campaign", "A grant beyond the limits is a campaign of its own.")
		}
	}
	if f.Ok() && k.Pending != 0 && !r.Again {
		f.Refuse("again", findOutFirst)
	}
	return r, k, nil
}

const findOutFirst = "Find out the outcome of the earlier grant first, or tick the box to grant anyway."

// refuseLimits marks the field that has to change: the player if nothing is left for them today, or else the number of spins.
// The message at a field names all the limits that it exceeds, and then the numbers of spins that all of them allow.
func refuseLimits(f *web.Form, over models.LimitErrors, user models.UserID, asked int64) {
	words := map[string][]string{}
	most := over.AllowedSpins(asked)
	for _, limit := range over {
		field := "spins"
		switch limit.Limit {
		case models.LimitPlayerGrants:
			field = "player"
		case models.LimitPlayerSpins, models.LimitPlayerCost:
			if limit.Allowed <= limit.Taken {
				field = "player"
			}
		}
		words[field] = append(words[field], limitWords(limit, user))
	}
	if len(words["spins"]) > 0 && most > 0 {
		words["spins"] = append(words["spins"], "Enter 1 to "+web.Grouped(most)+".")
	}
	for field, list := range words {
		f.Refuse(field, strings.Join(list, " "))
	}
}

// limitWords says which limit a grant would exceed, and how much of it is used.
func limitWords(limit models.LimitError, user models.UserID) string {
	allowed, taken := web.Grouped(limit.Allowed), web.Grouped(limit.Taken)
	switch {
	case limit.Allowed == 0:
		return "Your role may grant nothing here: the limit on the " + limit.Limit + " is 0."
	case limit.Limit == models.LimitSpinsPerGrant:
		return fmt.Sprintf("%s is more than your limit of %s in one grant.", web.Grouped(limit.Asked),
			web.Several(limit.Allowed, "spin", "spins"))
	case limit.Limit == models.LimitPlayerSpins:
		return fmt.Sprintf("Today %s has already had %s of %s spins.", user, taken, allowed)
	case limit.Limit == models.LimitPlayerGrants:
		return fmt.Sprintf("Today %s has already had %s of %s.", user, taken, web.Several(limit.Allowed, "grant", "grants"))
	case limit.Limit == models.LimitStaffSpins:
		return fmt.Sprintf("You have granted %s of your %s spins today.", taken, allowed)
	case limit.Currency != "":
		return fmt.Sprintf("These spins count as %s. The limit on the %s is %s, of which %s is used.",
			limit.Words(limit.Asked), limit.Limit, limit.Words(limit.Allowed), limit.Words(limit.Taken))
	}
	return fmt.Sprintf("The limit on the %s is %s, of which %s is used.", limit.Limit, allowed, taken)
}

// PreviewGrant redirects to the confirmation page of a grant, or back to the form if something in it is wrong.
func (a *Area) PreviewGrant(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if f.Text("preset") != "" { // a preset was pressed in a browser without scripts
		return a.ShowAgain(c, f, pages.NewGrantPath)
	}
	page := a.Page(c, "")
	_, k, err := a.readGrant(c, &page, f, withinLimits)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, pages.NewGrantPath)
	}
	return a.ShowAgain(c, f, confirmGrantPath, views.Hidden{Name: "seen", Value: strconv.FormatInt(k.Newest, 10)})
}

// BeyondLimits makes a grant beyond the limits the draft of a campaign, which a second person can approve.
func (a *Area) BeyondLimits(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := a.Page(c, "")
	r, _, err := a.readGrant(c, &page, f, beyondLimits)
	if err != nil {
		return err
	}
	if utf8.RuneCountInString(r.Reason) > models.MaxCampaignName {
		f.Refuse("reason", fmt.Sprintf("Beyond the limits, a reason has at most %d characters.", models.MaxCampaignName))
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, pages.NewGrantPath)
	}
	id, err := a.Store.AddCampaignDraft(c.UserContext(), models.CampaignDraft{StaffID: page.Reader.ID,
		CampaignTerms: models.CampaignTerms{Name: r.Reason}, FileName: models.PastedLines, Rows: []models.GrantRow{
			{Line: 1, Player: string(r.UserID), Game: string(r.GameID), Spins: strconv.FormatInt(r.Spins, 10)}}})
	if err != nil {
		return err
	}
	to := pages.DraftPath(id)
	if r.Again {
		to += "?again=yes"
	}
	return c.Redirect(to, fiber.StatusSeeOther)
}

// confirmGrantPage is the confirmation page for a grant.
type confirmGrantPage struct {
	web.Page
	Request   models.GrantRequest
	Known     grantInfo
	Meanwhile *grantMeanwhile // replaces the form if the player got another grant after the reader opened it
	Back      string
	Password  *views.Field
}

// grantMeanwhile is a grant that the player got after the reader opened the form.
type grantMeanwhile struct {
	models.Grant
	Moment views.Moment
}

// GrantConfirmation shows what the grant in the draft would do.
func (a *Area) GrantConfirmation(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if !f.Typed() {
		return c.Redirect(pages.NewGrantPath, fiber.StatusSeeOther)
	}
	page, err := a.confirmGrant(c, f)
	if err != nil {
		return err
	}
	k := page.Known
	if seen, err := strconv.ParseInt(f.Text("seen"), 10, 64); err == nil && k.HasPlayer && seen != k.Newest {
		if page.Meanwhile, err = a.grantedMeanwhile(c, k.Newest); err != nil {
			return err
		}
		return a.Render(c, "free-spins/confirm", page)
	}
	if f.RefusedOtherThan("password") {
		return a.ShowAgain(c, f, pages.NewGrantPath)
	}
	return a.RenderForm(c, !f.Ok(), "free-spins/confirm", page)
}

// confirmGrant reads the draft for its confirmation page.
func (a *Area) confirmGrant(c *fiber.Ctx, f *web.Form) (page *confirmGrantPage, err error) {
	page = &confirmGrantPage{Page: a.Page(c, "")}
	if page.Back, err = a.Unchanged(c, f, pages.NewGrantPath); err != nil {
		return nil, err
	}
	if page.Request, page.Known, err = a.readGrant(c, &page.Page, f, withinLimits); err != nil {
		return nil, err
	}
	page.Password, err = a.ConfirmField(c, f)
	return page, err
}

// Grant sends the grant that the reader has confirmed.
func (a *Area) Grant(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := a.Page(c, "")
	r, _, err := a.readGrant(c, &page, f, withinLimits)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, pages.NewGrantPath)
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	seen, err := strconv.ParseInt(f.Text("seen"), 10, 64)
	if err != nil || !f.Ok() {
		return a.ShowAgain(c, f, confirmGrantPath) // this includes forms that no page of ours sends
	}
	r.Seen = &seen
	g, err := a.Bonus.Grant(c.UserContext(), a.Actor(c), r)
	if err != nil && g.ID == 0 {
		return a.refuseGrant(c, f, r, err)
	}
	return a.afterGrant(c, g, err)
}

// grantedMeanwhile reads the grant that the player got after the reader opened the form.
func (a *Area) grantedMeanwhile(c *fiber.Ctx, id int64) (*grantMeanwhile, error) {
	other, there, err := a.Store.Grant(c.UserContext(), id)
	if err == nil && !there {
		err = fmt.Errorf("grant %d does not exist", id)
	}
	return &grantMeanwhile{other, views.NewMoment(other.At, a.Now(), web.ReaderOf(c).Zone)}, err
}

// refuseGrant shows why a grant was refused before it was sent, because something changed after the form was checked.
func (a *Area) refuseGrant(c *fiber.Ctx, f *web.Form, r models.GrantRequest, err error) error {
	var over models.LimitErrors
	var pending models.PendingGrantError
	var frozen models.FrozenError
	var meanwhile models.GrantMeanwhileError
	switch {
	case errors.As(err, &meanwhile):
		other, err := a.grantedMeanwhile(c, meanwhile.ID)
		if err != nil {
			return err
		}
		return a.Flash(c, web.PathOf("/free-spins", meanwhile.ID), views.Info(
			"Nothing was granted a second time",
			fmt.Sprintf("%s made this grant after you opened the form (%s). Yours was not sent.", other.Actor,
				other.Moment.Brief())))
	case errors.As(err, &over):
		refuseLimits(f, over, r.UserID, r.Spins)
	case errors.As(err, &pending):
		f.Refuse("again", findOutFirst)
	case errors.As(err, new(models.BudgetError)), errors.Is(err, models.ErrCampaignHeld), errors.Is(err, models.ErrCampaignOver),
		errors.Is(err, models.ErrCampaignEarly), errors.Is(err, models.ErrCampaignUnknown):
		f.Refuse("campaign", web.Sentence(errors.Unwrap(err).Error()))
	case errors.Is(err, models.ErrPlayerRestricted):
		f.Refuse("player", "This player may not get bonuses any more.")
	case errors.As(err, &frozen):
		f.Refuse("game", web.Sentence(frozen.Error())+" Support or compliance can say more.")
	case errors.Is(err, models.ErrGameGone):
		f.Refuse("game", "The platform has just withdrawn this game.")
	default:
		return err
	}
	return a.ShowAgain(c, f, pages.NewGrantPath)
}

// afterGrant redirects to the page of a grant and says what its outcome is. err is not nil if the grant could not be sent, or
// its outcome could not be recorded: bonus.Service.Grant says which.
func (a *Area) afterGrant(c *fiber.Ctx, g models.Grant, err error) error {
	to := web.PathOf("/free-spins", g.ID)
	if err != nil && g.State == models.GrantRequested {
		if errors.As(err, new(models.TamperedError)) {
			return err
		}
		a.Log.Error("a grant was not sent", "grant", g.ID, "err", err)
		return a.Flash(c, to, views.Note{
			Kind: "risk", Icon: "unknown", Title: "The grant was not sent",
			Text: "Within a few minutes it is closed: as refused, or as unconfirmed for a person to look up. " +
				"Do not grant again before that.",
		})
	}
	if err != nil {
		a.Log.Error("the outcome of a grant is not recorded", "grant", g.ID, "err", err)
		return a.Flash(c, to, views.Note{
			Kind: "risk", Icon: "unknown", Title: "The outcome could not be recorded",
			Text: "The grant was sent, but the platform’s answer could not be saved. Do not grant again. Within a few " +
				"minutes the grant is listed as unconfirmed, for a person to look up.",
		})
	}
	switch {
	case g.State.Granted():
		return a.Done(c, to, fmt.Sprintf("%s now has %s on %s.", g.UserID,
			web.Several(g.Spins, "free spin", "free spins"), g.Game.Title()))
	case g.State == models.GrantRefused:
		return a.Flash(c, to, views.Warning("Nothing was granted",
			"The platform refused the grant. It counts toward no limit, and granting again is safe."))
	}
	return c.Redirect(to, fiber.StatusSeeOther) // the page itself says that the outcome is unknown
}
