package campaigns

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/sheet"
	"pitboss/app/typed"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Free spins are granted in two steps, to one player or to many. The form says who gets them: a player, pasted cells, a file, a
// saved view of the list of players, or the players of an earlier campaign. The next page (confirm.go) lists the lines with
// errors, or asks the reader to confirm one sentence about what will happen. Nothing is stored in between: the confirmation
// sends the form again.

const (
	newPath     = pages.NewGrantPath
	confirmPath = newPath + "/confirm"
)

type newPage struct {
	web.Page
	Name, Player, Game, Spins, Starts, Ends, BudgetSpins, File, Paste views.Field
	Budgets                                                           []views.Field // by currency, if spins have a value
	View                                                              views.Filter  // the saved view of the list of players
	Repeats                                                           *models.Campaign
	RepeatTo                                                          repeat
	Limits                                                            models.GrantLimits
	Taken                                                             models.GrantTaken
}

// BudgetsTyped reports whether any budget in a currency was typed or is wrong.
func (p *newPage) BudgetsTyped() bool {
	return slices.ContainsFunc(p.Budgets, func(f views.Field) bool { return f.Value != "" || f.Wrong != "" })
}

// budgetField is the name of the field for a budget in a currency.
func budgetField(currency models.Currency) string { return "budget-" + string(currency) }

// New shows the form, filled in from what was typed or from the address.
func (a *Area) New(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newPage{Page: a.Page(c, "")}
	field := func(name, kind string) views.Field {
		return f.Field(views.Field{Name: name, Type: kind, Value: page.Params.Get(name), Autocomplete: "off"})
	}
	page.Name, page.Spins, page.BudgetSpins, page.Paste = field("name", ""), field("spins", ""), field("budget-spins", ""), field("paste", "")
	page.Starts, page.Ends = field("starts", "datetime-local"), field("ends", "datetime-local")
	page.Name.Required, page.Spins.InputMode, page.BudgetSpins.InputMode = true, "numeric", "numeric"
	page.File = views.Field{ID: "f-file", Name: "file", Wrong: web.Sentence(f.Wrong["file"])}
	var err error
	if page.Player, _, _, err = a.PlayerFinder().Field(f, "player"); err != nil {
		return err
	}
	if page.Game, _, _, err = a.GameFinder().Field(f, "game"); err != nil {
		return err
	}
	page.Player.Required, page.Game.Required = false, false
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	for _, currency := range slices.Sorted(maps.Keys(rules.SpinCost)) {
		in := field(budgetField(currency), "")
		in.InputMode = "decimal"
		page.Budgets = append(page.Budgets, in.As("Budget in "+string(currency),
			fmt.Sprintf("A spin counts as %s.", rules.SpinCost[currency].Grouped())))
	}
	if page.View, err = a.viewField(c, f); err != nil {
		return err
	}
	page.RepeatTo = repeatOf(f)
	if page.Repeats, err = a.repeated(c, f); err != nil {
		return err
	}
	if page.Limits, page.Taken, err = a.limits(c); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "campaigns/new", page)
}

// viewField returns the choice among the views of the list of players that the reader may use.
func (a *Area) viewField(c *fiber.Ctx, f *web.Form) (views.Filter, error) {
	field := views.Filter{Field: f.Field(views.Field{Name: "view"}), Choices: []views.Choice{{Word: "None"}}}
	saved, err := a.Store.Views(c.UserContext(), playersPath, web.ReaderOf(c).ID)
	for _, v := range saved {
		id := strconv.FormatInt(v.ID, 10)
		field.Choices = append(field.Choices, views.Choice{Value: id, Word: v.Name, Chosen: id == field.Value})
	}
	return field, err
}

// repeated returns the campaign whose players the form repeats, or nil.
func (a *Area) repeated(c *fiber.Ctx, f *web.Form) (*models.Campaign, error) {
	id, err := strconv.ParseInt(f.Text("repeat"), 10, 64)
	if err != nil {
		return nil, nil
	}
	campaign, found, err := a.Store.Campaign(c.UserContext(), id)
	if !found {
		return nil, err
	}
	return &campaign, err
}

// limits returns the limits, and how much of them is used up today.
func (a *Area) limits(c *fiber.Ctx) (models.GrantLimits, models.GrantTaken, error) {
	return a.limitsOf(c.UserContext(), web.ReaderOf(c).Username)
}

func (a *Area) limitsOf(ctx context.Context, who string) (limits models.GrantLimits, taken models.GrantTaken, err error) {
	rules, err := a.Store.GrantRules(ctx)
	if err != nil {
		return limits, taken, err
	}
	taken, err = a.Store.GrantTaken(ctx, 0, who)
	return rules.Limits, taken, err
}

// Preview redirects to the page that confirms the form, or back to the form if something is wrong or the reader wants to change
// it.
func (a *Area) Preview(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if f.Text("change") != "" {
		return a.ShowAgain(c, f, newPath)
	}
	d, err := a.readDraft(c, f)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, newPath)
	}
	if f.Downloads() {
		d.Skips = false
		s, err := a.check(c, d, f.Text("again") == "yes")
		if err != nil {
			return err
		}
		return a.SendBadLines(c, s.read())
	}
	return a.ShowAgain(c, f, confirmPath, d.File.Kept()...)
}

// Repeat shows the page that confirms the terms and players of a campaign again, without its start and end.
func (a *Area) Repeat(c *fiber.Ctx) error {
	campaign, err := a.Load(c)
	if err != nil {
		return err
	}
	fields := []views.Hidden{{Name: "repeat", Value: strconv.FormatInt(campaign.ID, 10)}, {Name: "name", Value: campaign.Name},
		{Name: "repeat-to", Value: web.NewForm(c).Text("repeat-to")}}
	if campaign.BudgetSpins > 0 {
		fields = append(fields, views.Hidden{Name: "budget-spins", Value: strconv.FormatInt(campaign.BudgetSpins, 10)})
	}
	for currency, amount := range campaign.BudgetCost {
		fields = append(fields, views.Hidden{Name: budgetField(currency), Value: amount.String()})
	}
	return a.ShowAgain(c, web.NewForm(c), confirmPath, fields...)
}

// draft is a campaign as the form describes it. Nothing is granted yet.
type draft struct {
	models.CampaignTerms
	FileName string // the source of the players
	File     web.ReadFile
	Rows     []models.GrantRow
	Notes    []string // how the file was read, in sentences
	Skips    bool     // lines with errors are skipped
}

// readDraft reads a form, and marks the fields that are wrong.
func (a *Area) readDraft(c *fiber.Ctx, f *web.Form) (d draft, err error) {
	if d.CampaignTerms, err = a.readTerms(c, f); err != nil {
		return d, err
	}
	d.Skips = f.Text("skip") != "" // the confirmed digest covers the lines that remain
	given := models.GrantRow{Line: 1, Spins: f.Text("spins")}
	if _, game, there, err := a.GameFinder().Field(f, "game"); err != nil {
		return d, err
	} else if there {
		given.Game = string(game.GameID)
	} else if given.Game = f.Text("game"); given.Game != "" { // otherwise the lines would be blamed for a missing game
		f.Refuse("game", pages.NoGame)
	}
	_, player, known, err := a.PlayerFinder().Field(f, "player")
	if err != nil {
		return d, err
	}
	repeats, err := a.repeated(c, f)
	if err != nil {
		return d, err
	}
	if d.File, err = web.Upload(c, f, maxFile); err != nil {
		return d, err
	}
	file := d.File.Content
	d.FileName, d.File.About = d.File.Name, sheet.OfGrants
	switch pasted := f.Raw("paste"); {
	case f.Text("player") != "" && !known:
		f.Refuse("player", pages.NoSuchPlayer)
	case known && (len(file) > 0 || pasted != ""):
		f.Refuse("player", "Enter one player, or many below, but not both.")
	case known:
		forEach(f, given)
		given.Player, d.FileName = string(player.UserID), "One player"
		d.Rows = []models.GrantRow{given}
	case len(file) > 0:
		readSheet(c.UserContext(), f, "file", bytes.NewReader(file), given, &d)
	case strings.TrimSpace(pasted) != "":
		d.FileName, d.File.Content = "Pasted lines", []byte(pasted)
		readSheet(c.UserContext(), f, "paste", strings.NewReader(pasted), given, &d)
	case f.Text("view") != "":
		forEach(f, given)
		err = a.readView(c, f, given, &d)
	case repeats != nil:
		err = a.readCampaign(c.UserContext(), f, *repeats, given, &d)
	default:
		f.Refuse("player", "Enter a player, paste some lines, or choose a file or a saved view.")
	}
	return d, err
}

// forEach refuses a missing game, or missing spins, if no line has its own.
func forEach(f *web.Form, given models.GrantRow) {
	for name, text := range map[string]string{"game": given.Game, "spins": given.Spins} {
		if text == "" {
			f.Refuse(name, "Enter the "+name+" that each player gets.")
		}
	}
}

// maxFile is the size limit of a file, in bytes. The confirmation page sends the file as text, which is a third larger.
const maxFile = 8 << 20

// readTerms reads the terms from the form, and marks the fields that are wrong.
func (a *Area) readTerms(c *fiber.Ctx, f *web.Form) (t models.CampaignTerms, err error) {
	t.Name = f.Text("name")
	for name, at := range map[string]*time.Time{"starts": &t.StartsAt, "ends": &t.EndsAt} {
		text := f.Text(name)
		if text == "" {
			continue
		}
		if *at, err = time.ParseInLocation("2006-01-02T15:04", strings.Replace(text, " ", "T", 1), web.ReaderOf(c).Zone); err != nil {
			f.Refuse(name, "Write a time like 2026-03-14 15:09.")
		}
	}
	if text := f.Text("budget-spins"); text != "" {
		if t.BudgetSpins, err = strconv.ParseInt(text, 10, 64); err != nil || t.BudgetSpins < 1 {
			f.Refuse("budget-spins", "Enter a whole number of spins, from 1, or nothing.")
		}
	}
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return t, err
	}
	for currency := range rules.SpinCost {
		name := budgetField(currency)
		if text := f.Text(name); text != "" {
			amount, wrong := typed.Amount(text, a.DecimalComma)
			if wrong != nil {
				f.Refuse(name, wrong.Error())
				continue
			}
			if t.BudgetCost == nil {
				t.BudgetCost = map[models.Currency]models.Amount{}
			}
			t.BudgetCost[currency] = amount
		}
	}
	switch wrong := t.Check(a.Now()); {
	case errors.Is(wrong, models.ErrCampaignName):
		f.Refuse("name", wrong.Error())
	case errors.Is(wrong, models.ErrCampaignEnd):
		f.Refuse("ends", wrong.Error())
	case wrong != nil:
		f.Refuse("budget-spins", wrong.Error())
	}
	return t, nil
}

func readSheet(ctx context.Context, f *web.Form, field string, from io.ReadSeeker, given models.GrantRow, d *draft) {
	grants, wrong := sheet.ReadGrants(ctx, from, given)
	if wrong != nil {
		f.Refuse(field, wrong.Error())
	}
	d.Rows, d.Notes = grants.Rows, grants.Notes
}

// playersPath is the list of players, which has views.
const playersPath = "/players"

// readView makes a line for each player in a view of the list of players as it is now.
func (a *Area) readView(c *fiber.Ctx, f *web.Form, given models.GrantRow, d *draft) error {
	saved, err := a.Store.Views(c.UserContext(), playersPath, web.ReaderOf(c).ID)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(saved, func(v models.SavedView) bool { return strconv.FormatInt(v.ID, 10) == f.Text("view") })
	if at < 0 {
		f.Refuse("view", "This view was deleted.")
		return nil
	}
	page, err := a.PageAt(c, playersPath, saved[at].Query)
	if err != nil {
		return err
	}
	of, known := a.ExportableAt(playersPath)
	if !known || !page.Can(of.Needs) {
		f.Refuse("view", "Your role may not read the list of players.")
		return nil
	}
	list, _, unread, err := of.List(c.UserContext(), page)
	if err != nil {
		return err
	}
	if unread != nil {
		f.Refuse("view", unread.Text)
		return nil
	}
	column := slices.IndexFunc(list.Columns, func(c export.Column) bool { return c.Name == "Player" })
	d.FileName = "View: " + saved[at].Name
	err = list.Read(c.UserContext(), func(rows []export.Row) error {
		for _, row := range rows {
			given.Line, given.Player = len(d.Rows)+1, row[column].(string)
			d.Rows = append(d.Rows, given)
		}
		if len(d.Rows) > sheet.MaxGrants {
			return errTooMany
		}
		return nil
	})
	switch {
	case errors.Is(err, errTooMany):
		f.Refuse("view", err.Error())
		return nil
	case err == nil && len(d.Rows) == 0:
		f.Refuse("view", "No players match this view.")
	}
	return err
}

var errTooMany = fmt.Errorf("the view has more than %d players; a campaign has at most that many", sheet.MaxGrants)

// repeat is a choice of players for repeating a campaign, and selects their grants; all of them if it has no filter.
type repeat struct {
	Value, Words string
	Which        string // which of the players, in words
	grants       *models.GrantFilter
}

var repeats = []repeat{
	{"", "the same players", "", nil},
	{"unused", "those who did not use theirs", "who have not used theirs",
		&models.GrantFilter{Unused: true, States: []models.GrantState{models.GrantActive, models.GrantExpired}}},
	{"not-won", "those who used theirs and won nothing", "who used theirs and won nothing",
		&models.GrantFilter{Played: true, NotWon: true}},
	{"winners", "winners", "who won", &models.GrantFilter{Won: true}},
}

// repeatOf returns the choice in a form.
func repeatOf(f *web.Form) repeat {
	return repeats[max(0, slices.IndexFunc(repeats, func(r repeat) bool { return r.Value == f.Text("repeat-to") }))]
}

// readCampaign makes a line for each player of a campaign whom the form selects. given replaces the game and spins of the
// campaign.
func (a *Area) readCampaign(ctx context.Context, f *web.Form, campaign models.Campaign, given models.GrantRow, d *draft) error {
	to, chosen := repeatOf(f), map[int]bool{}
	d.FileName = strings.TrimSpace(fmt.Sprintf("The players of campaign %d %s", campaign.ID, to.Which))
	some := to.grants != nil
	if some {
		which := *to.grants
		which.CampaignID = campaign.ID
		for grants, err := range models.List(which, a.Store.Grants, models.Grant.Place).Pages(ctx, web.ExportPage) {
			if err != nil {
				return err
			}
			for _, g := range grants.Rows {
				chosen[g.CampaignLine] = true
			}
		}
	}
	list := models.List(models.CampaignLineFilter{CampaignID: campaign.ID}, a.Store.CampaignLines, models.CampaignLine.Place)
	for lines, err := range list.Pages(ctx, web.ExportPage) {
		if err != nil {
			return err
		}
		for _, l := range lines.Rows {
			if some && !chosen[l.Line] {
				continue
			}
			d.Rows = append(d.Rows, models.GrantRow{Line: l.Line, Player: string(l.UserID), Game: cmp.Or(given.Game, string(l.GameID)),
				Spins: cmp.Or(given.Spins, strconv.FormatInt(l.Spins, 10))})
		}
	}
	if len(d.Rows) == 0 {
		f.Refuse("player", "No player of this campaign is one of these.")
	}
	return nil
}
