package freespins

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// confirmGrantPath is the page on which a grant is confirmed.
const confirmGrantPath = things.NewGrantPath + "/confirm"

// Free spins for one player, in two steps: the form, with the limits beside it; then one sentence of what will happen.

// spinPresets are the numbers that are granted most.
var spinPresets = []int64{5, 10, 20, 50}

type newGrantPage struct {
	web.Page
	Player, Game, Spins, Reason views.Field
	Presets                     []int64
	Note                        *views.Note
	Pending                     bool // an earlier grant of the game to the player has no known outcome
	Again                       bool // and the reader wants to grant all the same
	Known                       grantKnowledge
	Over                        *things.LimitHelp // the grant exceeds a limit: who can help
	Zone                        string            // whose days limits are of
	AgainWrong                  string
	OOB                         bool // rendered for htmx, which puts what was picked under its field
}

// grantKnowledge is what is known about a grant before it is asked for: whom and what it is about, and how much of the limits
// is taken.
type grantKnowledge struct {
	Player               models.Player
	Game                 models.Game
	HasPlayer, HasGame   bool
	PlayerSays, GameSays []string
	Role                 models.Role
	Rules                models.GrantRules
	Limits               models.GrantLimits // of the reader's role
	Taken                models.GrantTaken
	Left                 int64 // spins left for the player on the game, in grants that are open
	Newest               int64 // the player's newest grant, 0 for none
	Pending              int64 // the grant of the game to the player whose outcome is not known, 0 for none
	Meters               []limitMeter
	Cost                 string // how the cost of spins is counted; empty where it has no limit
	GameSpins            int64  // spins of the latest grants on the game
	GameWon              []views.Money
}

// limitMeter is one of the reader's limits, and how much of it is taken.
type limitMeter struct {
	Label         string
	Taken, Limit  int64
	Meter         views.Meter
	TakenAndLimit string
}

// knowGrant reads what is known about a grant to user on game. Either may be empty or not exist. That the player's data is
// looked at is recorded.
func (a *Area) knowGrant(c *fiber.Ctx, page *web.Page, user, game string) (k grantKnowledge, err error) {
	ctx := c.UserContext()
	who := web.ReaderOf(c)
	k.Role = who.Role
	if k.Rules, err = a.Store.GrantRules(ctx); err != nil {
		return k, err
	}
	k.Limits = k.Rules.Roles[who.Role]
	if user != "" {
		if k.Player, k.HasPlayer, err = a.Store.Player(ctx, models.UserID(user)); err != nil {
			return k, err
		}
	}
	if game != "" {
		if k.Game, k.HasGame, err = a.Store.Game(ctx, models.GameID(game)); err != nil {
			return k, err
		}
	}
	if k.Taken, err = a.Store.GrantTaken(ctx, k.Player.ID, who.Username, who.Role); err != nil {
		return k, err
	}
	if k.HasPlayer {
		if err := a.Viewed(c, "player", k.Player.ID); err != nil {
			return k, err
		}
		if err := a.knowPlayersGrants(ctx, page, &k); err != nil {
			return k, err
		}
	}
	if k.HasGame {
		k.GameSays = []string{k.Game.Name, k.Game.Provider, k.Game.Type, "offered, seen " + page.Time(k.Game.SeenAt).Brief()}
		if k.Game.Gone() {
			k.GameSays[3] = "no longer offered since " + page.Time(k.Game.GoneAt).Brief()
		}
		if err := a.knowCost(ctx, page, &k); err != nil {
			return k, err
		}
	}
	meter := func(label string, taken, limit int64) {
		k.Meters = append(k.Meters,
			limitMeter{label, taken, limit, views.Share(taken, limit), web.Grouped(taken) + " of " + web.Grouped(limit)})
	}
	if k.HasPlayer {
		meter("Spins for "+user+" today", k.Taken.PlayerSpins, k.Limits.PlayerSpinsPerDay)
		meter("Grants for "+user+" today", k.Taken.PlayerGrants, k.Limits.PlayerGrantsPerDay)
	}
	meter("Spins by you today", k.Taken.StaffSpins, k.Limits.StaffSpinsPerDay)
	meter("Grants by you today", k.Taken.StaffGrants, k.Limits.StaffGrantsPerDay)
	meter("Spins by the role "+string(who.Role)+" today", k.Taken.RoleSpins, k.Limits.RoleSpinsPerDay)
	if k.HasPlayer {
		k.knowCostLimits()
	}
	return k, nil
}

// knowCostLimits adds the limits on cost in the player's currency.
func (k *grantKnowledge) knowCostLimits() {
	currency := k.Player.Wallet.Currency
	limit, limited := k.Limits.Cost[currency]
	if !limited {
		return
	}
	meter := func(label string, spins int64, limit models.Amount) {
		taken := k.Rules.CostOf(currency, spins)
		words := taken.Grouped() + " of " + limit.Grouped() + "\u00a0" + string(currency)
		k.Meters = append(k.Meters,
			limitMeter{label, int64(taken), int64(limit), views.Share(int64(taken), int64(limit)), words})
	}
	meter("Cost for "+string(k.Player.UserID)+" today", k.Taken.PlayerSpins, limit.PlayerPerDay)
	meter("Cost of the role’s grants today", k.Taken.RoleSpinsInCurrency, limit.RolePerDay)
	k.Cost = fmt.Sprintf("One spin counts as %s %s, one grant may cost up to %s %s.", k.Rules.SpinCost[currency].Grouped(),
		currency, limit.Grant.Grouped(), currency)
}

// knowPlayersGrants reads what the player has been granted.
func (a *Area) knowPlayersGrants(ctx context.Context, page *web.Page, k *grantKnowledge) error {
	open, _, err := a.Store.Grants(ctx, models.GrantFilter{PlayerID: k.Player.ID, Limit: grantListRows})
	if err != nil {
		return err
	}
	if len(open) > 0 {
		k.Newest = open[0].ID // the newest by time may not be the highest number: two clocks
	}
	k.PlayerSays = []string{string(k.Player.Wallet.Currency) + ", balance " + k.Player.Wallet.Balance.Grouped(), "may play"}
	if k.Player.Wallet.Blocked {
		k.PlayerSays[1] = "blocked"
	}
	if k.Player.Test {
		k.PlayerSays = append(k.PlayerSays, "test player")
	}
	for _, g := range open {
		k.Newest = max(k.Newest, g.ID)
		sameGame := k.HasGame && g.Game.ID == k.Game.ID
		switch {
		case g.State == models.GrantActive:
			left := g.Spins - things.UsedOf(g)
			k.PlayerSays = append(k.PlayerSays,
				fmt.Sprintf("%s left on %s from a grant at %s", web.Several(left, "spin", "spins"), g.Game.Title(),
					page.Time(g.At).Brief()))
			if sameGame {
				k.Left += left
			}
		case sameGame && (g.Unresolved() || g.State == models.GrantSent || g.State == models.GrantRequested):
			k.Pending = g.ID
		}
	}
	return nil
}

// knowCost reads what the latest grants on the game have won.
func (a *Area) knowCost(ctx context.Context, page *web.Page, k *grantKnowledge) error {
	list, _, err := a.Store.Grants(ctx,
		models.GrantFilter{GameID: k.Game.ID, Limit: grantListRows,
			States: []models.GrantState{models.GrantCompleted, models.GrantExpired}})
	if err != nil {
		return err
	}
	rows, err := a.GrantRows(ctx, list)
	if err != nil {
		return err
	}
	won := map[models.Currency]models.Sum{}
	for _, row := range rows {
		k.GameSpins += row.Spins
		won[row.Currency] = won[row.Currency].Plus(row.Wins.Won)
	}
	k.GameWon = things.Sums(page, won)
	return nil
}

// NewGrantForm shows the form, with what was typed or what the address names.
func (a *Area) NewGrantForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newGrantPage{Page: a.Page(c, "Grant free spins"), OOB: c.Get("HX-Target") == "known"}
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "New grant"}}
	page.Lede = "To one player, on one game. You will see what happens before it happens."
	page.Actions = []views.Link{{Word: "Grant to many from a file", Href: "/free-spins/imports/new", Icon: "upload"}}
	page.Player = f.Field(views.Field{Label: "Player", Name: "player", Value: page.Params.Get("player"), Required: true,
		Picker: "player"})
	page.Game = f.Field(views.Field{Label: "Game", Name: "game", Value: page.Params.Get("game"), Required: true,
		Picker: "game"})
	page.Spins = f.Field(views.Field{Label: "Number of spins", Name: "spins", Value: page.Params.Get("spins"),
		InputMode: "numeric", Autocomplete: "off", Required: true})
	page.Reason = f.Field(views.Field{Label: "Reason", Name: "reason", Value: page.Params.Get("reason"), Autocomplete: "off",
		Required: true, Hint: "For your colleagues and the audit log. The player does not see it."})
	if preset := f.Text("preset"); preset != "" {
		page.Spins.Value = preset
	}
	page.Again, page.AgainWrong = f.Text("again") == "yes", web.Sentence(f.Wrong["again"])
	k, err := a.knowGrant(c, &page.Page, strings.TrimSpace(page.Player.Value), strings.TrimSpace(page.Game.Value))
	if err != nil {
		return err
	}
	page.Known, page.Pending = k, k.Pending != 0
	if page.Zone, err = a.Store.ReportZone(c.UserContext()); err != nil {
		return err
	}
	if spins, err := strconv.ParseInt(page.Spins.Value, 10, 64); err == nil && k.HasPlayer && k.HasGame && spins > 0 &&
		spins <= models.MaxSpins {
		if why := limitWords(k.Rules.Allow(k.Role, k.Taken, k.Player.Wallet.Currency, spins), k); why != "" {
			if page.Over, err = a.LimitHelp(c.UserContext(), &page.Page, why, things.NewExceptionPath); err != nil {
				return err
			}
		}
	}
	for _, n := range spinPresets {
		if n <= k.Limits.SpinsPerGrant {
			page.Presets = append(page.Presets, n)
		}
	}
	if page.Pending {
		page.Note = &views.Note{
			Kind: "risk", Icon: "unknown", Title: fmt.Sprintf("The outcome of grant %d is not known", k.Pending),
			Text: "It is of this game to this player. Find out first: if it was granted, the player would have the spins " +
				"of both.",
			Links: []views.Link{{Word: "Open grant " + strconv.FormatInt(k.Pending, 10),
				Href: web.PathOf("/free-spins", k.Pending)}},
		}
	}
	if !f.Ok() {
		return a.Refused(c, "free-spins/new", page)
	}
	return a.Render(c, "free-spins/new", page)
}

// How far a grant may go: within the limits, or beyond them with an exception.
const (
	withinLimits = false
	beyondLimits = true
)

// readGrant reads the form of a grant and refuses what is known to be refused later.
func (a *Area) readGrant(c *fiber.Ctx, page *web.Page, f *web.Form, beyond bool) (models.GrantRequest, grantKnowledge, error) {
	r := models.GrantRequest{
		UserID: models.UserID(f.Text("player")), GameID: models.GameID(f.Text("game")), Reason: f.Text("reason"),
		Role: web.ReaderOf(c).Role, Again: f.Text("again") == "yes",
	}
	k, err := a.knowGrant(c, page, string(r.UserID), string(r.GameID))
	if err != nil {
		return r, k, err
	}
	switch {
	case !k.HasPlayer:
		f.Refuse("player", "There is no player with this user ID. IDs are compared letter for letter.")
	case k.Player.Wallet.Blocked:
		f.Refuse("player", "This player is blocked. Unblock the player first.")
	}
	switch {
	case !k.HasGame:
		f.Refuse("game", "There is no game with this ID. Choose one from the list that appears as you type.")
	case k.Game.Gone():
		f.Refuse("game", "The platform no longer offers this game.")
	}
	switch n := len([]rune(r.Reason)); {
	case n == 0:
		f.Refuse("reason", "Say why.")
	case n > 500:
		f.Refuse("reason", "A reason has at most 500 characters.")
	}
	if r.Spins, err = strconv.ParseInt(f.Text("spins"), 10, 64); err != nil || r.Spins < 1 || r.Spins > models.MaxSpins {
		f.Refuse("spins", "Enter a whole number of spins, from 1.")
	} else if why := limitWords(k.Rules.Allow(k.Role, k.Taken, k.Player.Wallet.Currency, r.Spins), k); why != "" && !beyond {
		f.Refuse("spins", why)
	}
	if f.Ok() && k.Pending != 0 && !r.Again {
		f.Refuse("again", "Find out what became of the earlier grant, or tick that you grant all the same.")
	}
	return r, k, nil
}

// limitWords says in words which limit a grant would pass, and what would be within it.
func limitWords(err error, k grantKnowledge) string {
	var limit models.LimitError
	if !errors.As(err, &limit) {
		return ""
	}
	left := max(0, limit.Allowed-limit.Taken)
	switch {
	case limit.Allowed == 0:
		return "Your role may grant nothing here. The limit on the " + limit.Limit + " is 0."
	case limit.Limit == models.LimitSpinsPerGrant:
		return fmt.Sprintf("%s is more than your limit of %s in one grant. Enter 1 to %s.", web.Grouped(limit.Asked),
			web.Several(limit.Allowed, "spin", "spins"), web.Grouped(limit.Allowed))
	case limit.Limit == models.LimitPlayerSpins && left > 0:
		return fmt.Sprintf("Today %s has had %s of %s spins. Enter 1 to %s.", k.Player.UserID, web.Grouped(limit.Taken),
			web.Grouped(limit.Allowed), web.Grouped(left))
	case limit.Limit == models.LimitPlayerGrants:
		return fmt.Sprintf("Today %s has had %s of %s.", k.Player.UserID, web.Grouped(limit.Taken),
			web.Several(limit.Allowed, "grant", "grants"))
	case limit.Limit == models.LimitStaffSpins && left > 0:
		return fmt.Sprintf("You have granted %s of your %s spins today. Enter 1 to %s.", web.Grouped(limit.Taken),
			web.Grouped(limit.Allowed), web.Grouped(left))
	case limit.Currency != "":
		return fmt.Sprintf("These spins count as %s. The limit on the %s is %s, and %s is used.", limit.Words(limit.Asked),
			limit.Limit, limit.Words(limit.Allowed), limit.Words(limit.Taken))
	}
	return fmt.Sprintf("The limit on the %s is %s, and %s is used.", limit.Limit, web.Grouped(limit.Allowed),
		web.Grouped(limit.Taken))
}

// PreviewGrant leads to the page that says what a grant would do, or back to the form.
func (a *Area) PreviewGrant(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if f.Text("preset") != "" { // a preset was pressed where there is no script
		return a.Again(c, f, things.NewGrantPath)
	}
	page := a.Page(c, "Confirm the grant")
	_, k, err := a.readGrant(c, &page, f, withinLimits)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.Again(c, f, things.NewGrantPath)
	}
	return a.Again(c, f, confirmGrantPath, views.Hidden{Name: "seen", Value: strconv.FormatInt(k.Newest, 10)})
}

// GrantConfirmation shows what the grant in the draft would do.
func (a *Area) GrantConfirmation(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if !f.Typed() {
		return c.Redirect(things.NewGrantPath, fiber.StatusSeeOther)
	}
	page := &web.DeedPage{Page: a.Page(c, "Confirm the grant")}
	back, err := a.Unchanged(c, f, things.NewGrantPath)
	if err != nil {
		return err
	}
	page.Back = back
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "New grant", Href: page.Back}, {Word: "Confirm"},
	}
	r, k, err := a.readGrant(c, &page.Page, f, withinLimits)
	if err != nil {
		return err
	}
	if seen, err := strconv.ParseInt(f.Text("seen"), 10, 64); err == nil && k.HasPlayer && seen != k.Newest {
		note, err := a.grantedMeanwhile(c, k.Newest)
		if err != nil {
			return err
		}
		page.Note = &note
		return a.Render(c, "free-spins/confirm", page)
	}
	if f.RefusedBeside("password") {
		return a.Again(c, f, things.NewGrantPath)
	}
	if page.Deed, err = a.grantDeed(c, f, r, k); err != nil {
		return err
	}
	page.Deed.Back = views.Link{Word: "Change", Href: page.Back}
	if !f.Ok() {
		return a.Refused(c, "free-spins/confirm", page)
	}
	return a.Render(c, "free-spins/confirm", page)
}

// grantDeed is what the reader is asked to confirm.
func (a *Area) grantDeed(c *fiber.Ctx, f *web.Form, r models.GrantRequest, k grantKnowledge) (deed views.Deed, err error) {
	spins := web.Several(r.Spins, "spin", "spins")
	balance := k.Player.Wallet.Balance.Grouped() + "\u00a0" + string(k.Player.Wallet.Currency)
	deed = views.Deed{
		Sentence: "Grant " + spins + " on " + k.Game.Ref().Title() + " to " + string(r.UserID) + ".",
		Consequences: "The spins are there at once. What " + string(r.UserID) +
			" wins with them is paid in real money, and the platform has no way to take spins back.",
		Changes: []views.Change{
			{What: "Spins left for " + string(r.UserID) + ", " + k.Game.Ref().Title(), Before: web.Grouped(k.Left),
				After: web.Grouped(k.Left + r.Spins)},
			{What: "Spins granted to " + string(r.UserID) + " today",
				Before: web.Grouped(k.Taken.PlayerSpins) + " of " + web.Grouped(k.Limits.PlayerSpinsPerDay),
				After:  web.Grouped(k.Taken.PlayerSpins+r.Spins) + " of " + web.Grouped(k.Limits.PlayerSpinsPerDay)},
			{What: "Grants to " + string(r.UserID) + " today",
				Before: web.Grouped(k.Taken.PlayerGrants) + " of " + web.Grouped(k.Limits.PlayerGrantsPerDay),
				After:  web.Grouped(k.Taken.PlayerGrants+1) + " of " + web.Grouped(k.Limits.PlayerGrantsPerDay)},
			{What: "Balance of " + string(r.UserID), Before: balance, After: balance},
		},
		Notes: []string{"Reason: " + r.Reason}, Action: "/free-spins", Button: "Grant " + spins + " to " + string(r.UserID),
		Hidden: []views.Hidden{
			{Name: "player", Value: string(r.UserID)}, {Name: "game", Value: string(r.GameID)},
			{Name: "spins", Value: strconv.FormatInt(r.Spins, 10)}, {Name: "reason", Value: r.Reason},
			{Name: "seen", Value: strconv.FormatInt(k.Newest, 10)},
		},
	}
	if r.Again {
		deed.Hidden = append(deed.Hidden, views.Hidden{Name: "again", Value: "yes"})
	}
	if k.Pending != 0 {
		deed.Checks = append(deed.Checks,
			views.Check{Warn: true,
				Text: fmt.Sprintf("The outcome of grant %d, of this game to this player, is not known. If it was granted, "+
					"the player will have the spins of both.", k.Pending)})
	}
	deed.Password, err = a.ConfirmField(c, f)
	return deed, err
}

// Grant does what the reader has confirmed.
func (a *Area) Grant(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := a.Page(c, "Confirm the grant")
	r, _, err := a.readGrant(c, &page, f, withinLimits)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.Again(c, f, things.NewGrantPath)
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	seen, err := strconv.ParseInt(f.Text("seen"), 10, 64)
	if err != nil || !f.Ok() {
		return a.Again(c, f, confirmGrantPath) // also a form that was not made by us: it is looked at once more
	}
	r.Seen = &seen
	g, err := a.Bonus.Grant(c.UserContext(), a.Actor(c), r)
	if err != nil && g.ID == 0 {
		return a.refuseGrant(c, f, err)
	}
	return a.afterGrant(c, g, err)
}

// grantedMeanwhile says that the player was granted something since the reader looked, and leads to it.
func (a *Area) grantedMeanwhile(c *fiber.Ctx, id int64) (views.Note, error) {
	other, there, err := a.Store.Grant(c.UserContext(), id)
	if err == nil && !there {
		err = fmt.Errorf("grant %d is not there", id)
	}
	if err != nil {
		return views.Note{}, err
	}
	at := views.NewMoment(other.At, a.Now(), web.ReaderOf(c).Zone).Brief()
	return views.Note{
		Kind: "wait", Icon: "info", Title: "Nothing was granted a second time",
		Text: fmt.Sprintf("Since you looked, %s granted %s on %s to %s (%s). Yours was not sent. If both are right, start "+
			"again.",
			other.Actor, web.Several(other.Spins, "spin", "spins"), other.Game.Title(), other.UserID, at),
		Links: []views.Link{{Word: "Open grant " + strconv.FormatInt(id, 10), Href: web.PathOf("/free-spins", id)}},
	}, nil
}

// refuseGrant says why a grant was refused before it was sent, where something has changed since the form was read.
func (a *Area) refuseGrant(c *fiber.Ctx, f *web.Form, err error) error {
	var limit models.LimitError
	var pending models.PendingGrantError
	var meanwhile models.GrantMeanwhileError
	switch {
	case errors.As(err, &meanwhile):
		note, err := a.grantedMeanwhile(c, meanwhile.ID)
		if err != nil {
			return err
		}
		note.Links = nil
		return a.Flash(c, web.PathOf("/free-spins", meanwhile.ID), note)
	case errors.As(err, &limit):
		f.Refuse("spins", "By now this is "+limit.Error()+".")
	case errors.As(err, &pending):
		f.Refuse("again", "Find out what became of the earlier grant, or tick that you grant all the same.")
	case errors.Is(err, models.ErrPlayerBlocked):
		f.Refuse("player", "This player was blocked meanwhile.")
	case errors.Is(err, models.ErrGameGone):
		f.Refuse("game", "The platform has withdrawn this game meanwhile.")
	default:
		return err
	}
	return a.Again(c, f, things.NewGrantPath)
}

// afterGrant leads to a grant that was sent, and says what came of it. err is that its outcome could not be recorded.
func (a *Area) afterGrant(c *fiber.Ctx, g models.Grant, err error) error {
	to := web.PathOf("/free-spins", g.ID)
	if err != nil {
		a.Log.Error("the outcome of a grant is not recorded", "grant", g.ID, "err", err)
		return a.Flash(c, to, views.Note{
			Kind: "risk", Icon: "unknown", Title: "The outcome could not be recorded",
			Text: "The grant was sent, and what the platform answered could not be written down here. Do not grant again: " +
				"within some minutes it is listed as of unknown outcome, to be looked up.",
		})
	}
	spins := web.Several(g.Spins, "spin", "spins")
	switch {
	case g.State.Granted():
		return a.Done(c, to, spins+" on "+g.Game.Title()+" are there for "+string(g.UserID)+".")
	case g.State == models.GrantRefused:
		return a.Flash(c, to, views.Note{Kind: "wait", Icon: "warning", Title: "Nothing was granted",
			Text: "The platform refused it. It counts towards no limit; granting again is safe."})
	}
	return c.Redirect(to, fiber.StatusSeeOther) // the page itself says that the outcome is unknown
}
