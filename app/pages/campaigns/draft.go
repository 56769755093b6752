package campaigns

import (
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

	"pitboss/app/bonus"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/sheet"
	"pitboss/app/typed"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// A campaign is prepared as a draft, which is kept for the person who made it: what the form says, and its lines from a file, from
// pasted cells, from a saved view of the list of players, or from an earlier campaign. The page of the draft lists the lines with
// errors, to be corrected in the file. A draft without errors becomes a campaign when that person confirms one sentence that says
// what will happen.

const newPath = "/campaigns/new"

type newPage struct {
	web.Page
	Name, Game, Spins, Starts, Ends, BudgetSpins, File, Paste views.Field
	Budgets                                                   []views.Field // in the currencies in which a spin counts
	View                                                      views.Filter  // of the list of players
	Repeats                                                   *models.Campaign
	Limits                                                    models.GrantLimits
	Taken                                                     models.GrantTaken
}

// budgetField is the name of the field for a budget in a currency.
func budgetField(currency models.Currency) string { return "budget-" + string(currency) }

// New shows the form of a campaign, with what was typed or what the address has.
func (a *Area) New(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newPage{Page: a.Page(c, "")}
	if err := a.fromDraft(c, page); err != nil {
		return err
	}
	page.Paste = f.Field(views.Field{Name: "paste", Value: page.Params.Get("paste")})
	field := func(name, kind string) views.Field {
		return f.Field(views.Field{Name: name, Type: kind, Value: page.Params.Get(name), Autocomplete: "off"})
	}
	page.Name, page.Spins, page.BudgetSpins = field("name", ""), field("spins", ""), field("budget-spins", "")
	page.Starts, page.Ends = field("starts", "datetime-local"), field("ends", "datetime-local")
	page.Name.Required, page.Spins.InputMode, page.BudgetSpins.InputMode = true, "numeric", "numeric"
	page.File = views.Field{ID: "f-file", Name: "file", Wrong: web.Sentence(f.Wrong["file"])}
	var err error
	if page.Game, _, _, err = a.GameFinder().Field(f, "game"); err != nil {
		return err
	}
	page.Game.Required = false
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
	if page.Repeats, err = a.repeated(c, f); err != nil {
		return err
	}
	if page.Limits, page.Taken, err = a.limits(c); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "campaigns/new", page)
}

// pastedAgain is how many pasted lines a form shows again, so that it stays a page.
const pastedAgain = 2000

// fromDraft fills in what the draft in the address says, so that the reader can correct it.
func (a *Area) fromDraft(c *fiber.Ctx, page *newPage) error {
	draft, err := a.Store.CampaignDraft(c.UserContext(), page.Reader.ID, c.Query("from"))
	if errors.Is(err, models.ErrDraftGone) {
		return nil
	}
	if err != nil {
		return err
	}
	page.Params.Set("name", draft.Name)
	for name, at := range map[string]time.Time{"starts": draft.StartsAt, "ends": draft.EndsAt} {
		if !at.IsZero() {
			page.Params.Set(name, at.In(page.Zone).Format("2006-01-02T15:04"))
		}
	}
	if draft.BudgetSpins > 0 {
		page.Params.Set("budget-spins", strconv.FormatInt(draft.BudgetSpins, 10))
	}
	for currency, amount := range draft.BudgetCost {
		page.Params.Set(budgetField(currency), amount.String())
	}
	if draft.FileName == models.PastedLines && len(draft.Rows) <= pastedAgain {
		var lines strings.Builder
		for _, r := range draft.Rows {
			fmt.Fprintf(&lines, "%s\t%s\t%s\n", r.Player, r.Game, r.Spins)
		}
		page.Params.Set("paste", lines.String())
	}
	return nil
}

// viewField returns the choice between the views of the list of players that the reader may use.
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
	text := c.Query("repeat")
	if f.Typed() {
		text = f.Text("repeat")
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, nil
	}
	campaign, found, err := a.Store.Campaign(c.UserContext(), id)
	if !found {
		return nil, err
	}
	return &campaign, err
}

// limits returns the limits of the reader's role, and how much of them is used today.
func (a *Area) limits(c *fiber.Ctx) (models.GrantLimits, models.GrantTaken, error) {
	who := web.ReaderOf(c)
	return a.limitsOf(c.UserContext(), who.Username, who.Role)
}

func (a *Area) limitsOf(ctx context.Context, who string, role models.Role) (limits models.GrantLimits, taken models.GrantTaken,
	err error) {
	rules, err := a.Store.GrantRules(ctx)
	if err != nil {
		return limits, taken, err
	}
	taken, err = a.Store.GrantTaken(ctx, 0, who, role)
	return rules.Roles[role], taken, err
}

// CreateDraft saves a draft and redirects to its page.
func (a *Area) CreateDraft(c *fiber.Ctx) error {
	f := web.NewForm(c)
	made := models.CampaignDraft{StaffID: web.ReaderOf(c).ID}
	var err error
	if made.CampaignTerms, err = a.readTerms(c, f); err != nil {
		return err
	}
	given := models.GrantRow{Spins: f.Text("spins")}
	if _, game, there, err := a.GameFinder().Field(f, "game"); err != nil {
		return err
	} else if there {
		given.Game = string(game.GameID)
	} else if given.Game = f.Text("game"); given.Game != "" { // or the lines would be blamed for having no game
		f.Refuse("game", pages.NoGame)
	}
	if err := a.readPlayers(c, f, given, &made); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, newPath)
	}
	id, err := a.Store.AddCampaignDraft(c.UserContext(), made)
	if err != nil {
		return err
	}
	return c.Redirect(pages.DraftPath(id), fiber.StatusSeeOther)
}

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

// readPlayers reads the lines of a draft: the uploaded file, the pasted cells, a saved view, or an earlier campaign. given has the
// game and the spins of lines without their own. If there are no lines, it says why at their field.
func (a *Area) readPlayers(c *fiber.Ctx, f *web.Form, given models.GrantRow, made *models.CampaignDraft) error {
	repeats, err := a.repeated(c, f)
	if err != nil {
		return err
	}
	pasted := f.Raw("paste")
	chosen, fileErr := c.FormFile("file")
	switch {
	case fileErr == nil && chosen.Size > 0:
		file, err := chosen.Open()
		if err != nil {
			return err
		}
		defer file.Close()
		made.FileName = web.FileName(chosen.Filename)
		readSheet(f, "file", file, given, made)
	case strings.TrimSpace(pasted) != "":
		made.FileName = models.PastedLines
		readSheet(f, "paste", strings.NewReader(pasted), given, made)
	case f.Text("view") != "":
		return a.readView(c, f, given, made)
	case repeats != nil:
		return a.readCampaign(c.UserContext(), *repeats, given, made)
	default:
		f.Refuse("file", "Paste some lines, or choose a file or a saved view.")
	}
	return nil
}

func readSheet(f *web.Form, field string, from io.ReadSeeker, given models.GrantRow, made *models.CampaignDraft) {
	grants, wrong := sheet.ReadGrants(from, given)
	if wrong != nil {
		f.Refuse(field, wrong.Error())
	}
	made.Rows, made.Notes = grants.Rows, grants.Notes
}

// playersPath is the list of players, which has views.
const playersPath = "/players"

// readView makes a line for each player whom a view of the list of players shows now.
func (a *Area) readView(c *fiber.Ctx, f *web.Form, given models.GrantRow, made *models.CampaignDraft) error {
	for name, text := range map[string]string{"game": given.Game, "spins": given.Spins} {
		if text == "" {
			f.Refuse(name, "A saved view needs the "+name+" that its players get.")
		}
	}
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
	made.FileName = "View: " + saved[at].Name
	err = list.Read(c.UserContext(), func(p export.Page) error {
		for _, row := range p.Rows {
			given.Line, given.Player = len(made.Rows)+1, row[column].(string)
			made.Rows = append(made.Rows, given)
		}
		if len(made.Rows) > sheet.MaxGrants {
			return errTooMany
		}
		return nil
	})
	switch {
	case errors.Is(err, errTooMany):
		f.Refuse("view", err.Error())
		return nil
	case err == nil && len(made.Rows) == 0:
		f.Refuse("view", "No players match this view.")
	}
	return err
}

var errTooMany = fmt.Errorf("the view has more than %d players; a campaign has at most that many", sheet.MaxGrants)

// readCampaign makes a line for each player of a campaign. given replaces its game and spins.
func (a *Area) readCampaign(ctx context.Context, campaign models.Campaign, given models.GrantRow, made *models.CampaignDraft) error {
	made.Repeats, made.FileName = campaign.ID, fmt.Sprintf("The players of campaign %d", campaign.ID)
	list := models.List(models.CampaignLineFilter{CampaignID: campaign.ID}, 0, a.Store.CampaignLines, models.CampaignLine.Place)
	for lines, err := range list.Pages(ctx, web.ExportPage) {
		if err != nil {
			return err
		}
		for _, l := range lines.Rows {
			made.Rows = append(made.Rows, models.GrantRow{Line: l.Line, Player: string(l.UserID), Game: cmp.Or(given.Game, string(l.GameID)),
				Spins: cmp.Or(given.Spins, strconv.FormatInt(l.Spins, 10))})
		}
	}
	return nil
}

// Repeat makes a draft with the terms and the players of a campaign, without its start and end.
func (a *Area) Repeat(c *fiber.Ctx) error {
	campaign, err := a.Load(c)
	if err != nil {
		return err
	}
	made := models.CampaignDraft{StaffID: web.ReaderOf(c).ID, CampaignTerms: campaign.CampaignTerms}
	made.StartsAt, made.EndsAt = time.Time{}, time.Time{}
	if err := a.readCampaign(c.UserContext(), campaign, models.GrantRow{}, &made); err != nil {
		return err
	}
	id, err := a.Store.AddCampaignDraft(c.UserContext(), made)
	if err != nil {
		return err
	}
	return c.Redirect(pages.DraftPath(id), fiber.StatusSeeOther)
}

// LoadDraft returns the draft in the address, if it is the reader's own.
func (a *Area) LoadDraft(c *fiber.Ctx) (models.CampaignDraft, error) {
	draft, err := a.Store.CampaignDraft(c.UserContext(), web.ReaderOf(c).ID, c.Params("draft"))
	if errors.Is(err, models.ErrDraftGone) {
		return draft, web.Problem{Status: fiber.StatusNotFound, Is: "draft-gone", About: newPath}
	}
	return draft, err
}

// checkedDraft is a draft with the errors of its lines.
type checkedDraft struct {
	models.CampaignDraft
	Lines   []models.GrantLine  // the lines that describe a grant
	LeftOut map[int]bool        // the lines whose players are not eligible
	Wrong   map[int][]lineError // by line
	Over    models.LimitErrors  // the limits that lines exceed, each with the figures of the first line that exceeds it
	Again   bool                // the only errors are repeated grants, and earlier grants of unknown outcome
	Limited bool                // the only errors are limits, so a second person can approve the campaign
}

// checkDraft checks which lines could be granted now. If again is true, neither a repeated grant nor an earlier one of unknown
// outcome is an error. A game is given by its ID, or by its name if no other game has that name.
func (a *Area) checkDraft(c *fiber.Ctx, draft models.CampaignDraft, again bool) (checkedDraft, error) {
	s := checkedDraft{CampaignDraft: draft, Wrong: map[int][]lineError{}, LeftOut: map[int]bool{}}
	var texts []string
	for _, row := range draft.Rows {
		texts = append(texts, row.Game)
	}
	slices.Sort(texts)
	named, err := a.Store.GamesTyped(c.UserContext(), slices.Compact(texts))
	if err != nil {
		return s, err
	}
	for _, row := range draft.Rows {
		row.Game = cmp.Or(string(named[row.Game]), row.Game)
		line, wrong := row.Grant()
		for _, w := range wrong {
			s.Wrong[row.Line] = append(s.Wrong[row.Line], lineError{RowError: w})
		}
		if len(wrong) == 0 {
			s.Lines = append(s.Lines, line)
		}
	}
	var leftOut []int
	var bad []models.LineError
	if len(s.Lines) > 0 {
		leftOut, bad, err = a.Bonus.Check(c.UserContext(), a.Actor(c), bonus.Upload{Lines: s.Lines, Role: web.ReaderOf(c).Role, Again: again})
	}
	if err != nil {
		return s, err
	}
	for _, line := range leftOut {
		s.LeftOut[line] = true
	}
	s.Again, s.Limited = len(s.Wrong) == 0, len(s.Wrong) == 0
	for _, b := range bad {
		wrong := lineWrong(b.Err)
		s.Wrong[b.Line] = append(s.Wrong[b.Line], wrong)
		s.Again, s.Limited = s.Again && wrong.Again, s.Limited && len(wrong.Over) > 0
		s.Over = s.Over.With(wrong.Over)
	}
	s.Limited = s.Limited && len(s.Over) > 0
	return s, nil
}

// granted returns the lines that are not left out.
func (s checkedDraft) granted() []models.GrantLine {
	return slices.DeleteFunc(slices.Clone(s.Lines), func(l models.GrantLine) bool { return s.LeftOut[l.Line] })
}
