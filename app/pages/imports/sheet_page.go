package imports

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page of a sheet: its lines with errors, to be corrected there, or the sentence that is confirmed.

const (
	sheetRows  = 50   // at most so many lines with errors are shown at a time
	gamesKnown = 5000 // among so many games a misspelt one is looked for
)

type sheetPage struct {
	web.Page
	FileName string
	Facts    []views.Fact
	Note     *views.Note
	Rows     []sheetRow
	More     int // lines with errors that are not shown
	Bad      int
	Good     int
	Path     string
	Paste    views.Field
	Wrong    string // what is wrong with the corrected lines as a whole
	Deed     *views.Deed
	Over     *things.LimitHelp // lines exceed limits: who can help
}

// sheetRow is a line with errors and its cells.
type sheetRow struct {
	Line  int
	Cells []sheetCell
	Whole []string // what is wrong with the whole line
}

// sheetCell is a cell that can be corrected.
type sheetCell struct {
	ID, Name, Label, Value, InputMode string
	Wrong                             []string
	DidYouMean                        []Suggestion
}

// Sheet shows a sheet: what is wrong with it, or what it would grant.
func (a *Area) Sheet(c *fiber.Ctx) error {
	sheet, err := a.sheetOf(c)
	if err != nil {
		return err
	}
	if sheet.ImportID != 0 {
		return a.Flash(c, web.PathOf("/free-spins/imports", sheet.ImportID), views.Note{
			Kind: "wait", Icon: "info", Title: "Nothing was granted a second time",
			Text: "Import " + strconv.FormatInt(sheet.ImportID, 10) + " was made of this sheet.",
		})
	}
	f := web.NewForm(c)
	again := c.Query("again") == "yes" || f.Text("again") == "yes"
	checked, err := a.checkSheet(c, sheet, again)
	if err != nil {
		return err
	}
	page := &sheetPage{Page: a.Page(c, "Grant spins from "+sheet.FileName), FileName: sheet.FileName, Bad: len(checked.Wrong),
		Good: len(checked.Valid), Path: sheetPath(sheet.ID)}
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"}, {Word: "New"},
	}
	page.Lede = web.Several(int64(len(sheet.Rows)), "line", "lines") + ". Nothing has been sent."
	if err := a.sheetFacts(c, page, checked); err != nil {
		return err
	}
	earlier, found, err := a.Store.GrantImportOf(c.UserContext(), bonus.Digest(checked.All))
	if err != nil {
		return err
	}
	switch {
	case found && !again && (page.Bad == 0 || checked.Pending):
		page.Badges = []views.Badge{views.Waiting("Granted before")}
		page.Note = &views.Note{
			Kind: "wait", Icon: "warning", Title: "These very lines were granted before",
			Text: fmt.Sprintf("They are import %d, of %s by %s.", earlier.ID, page.Time(earlier.At).Brief(), earlier.Actor),
			Links: []views.Link{
				{Word: "Open import " + strconv.FormatInt(earlier.ID, 10), Href: web.PathOf("/free-spins/imports", earlier.ID)},
				{Word: "Grant all of them once more", Href: page.Path + "?again=yes"},
			},
		}
	case page.Bad > 0:
		if err := a.sheetErrors(c, page, checked, f); err != nil {
			return err
		}
	default:
		if err := a.sheetDeed(c, f, page, sheetGrant{checked, again, earlier.ID, false}); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.Refused(c, "free-spins/import-sheet", page)
	}
	return a.Render(c, "free-spins/import-sheet", page)
}

// sheetErrors adds the lines with errors.
func (a *Area) sheetErrors(c *fiber.Ctx, page *sheetPage, s checkedSheet, f *web.Form) error {
	page.Badges = []views.Badge{views.Waiting(web.Several(int64(page.Bad), "line has errors", "lines have errors"))}
	page.Paste = f.Field(views.Field{Label: "Corrected lines", Name: "paste", Hint: "They replace the lines with errors."})
	page.Wrong = web.Sentence(f.Wrong["sheet"])
	if s.Pending {
		page.Note = &views.Note{
			Kind: "wait", Icon: "warning", Title: "Earlier grants have an unknown outcome",
			Text:  "Find out first what became of them: if they were granted, these players would have the spins of both.",
			Links: []views.Link{{Word: "Grant all the same", Href: page.Path + "?again=yes"}},
		}
	}
	if s.Limited {
		over, err := a.LimitHelp(c.UserContext(), &page.Page,
			web.Several(int64(page.Bad), "line exceeds a limit.", "lines exceed a limit."), page.Path+"/exception")
		if err != nil {
			return err
		}
		over.Link = true
		page.Over = over
	}
	games, _, err := a.Store.Games(c.UserContext(), models.GameFilter{State: models.GamesOffered, Limit: gamesKnown})
	if err != nil {
		return err
	}
	for _, row := range s.Rows {
		wrong := s.Wrong[row.Line]
		if len(wrong) == 0 {
			continue
		}
		if len(page.Rows) == sheetRows {
			page.More++
			continue
		}
		shown, err := a.newSheetRow(c.UserContext(), row, wrong, games)
		if err != nil {
			return err
		}
		page.Rows = append(page.Rows, shown)
	}
	return nil
}

func (a *Area) newSheetRow(ctx context.Context, row models.GrantRow, wrong []models.RowError,
	games []models.Game) (sheetRow, error) {
	line := strconv.Itoa(row.Line)
	shown := sheetRow{Line: row.Line}
	for _, cell := range []sheetCell{
		{Name: "player", Label: "Player", Value: row.Player}, {Name: "game", Label: "Game ID", Value: row.Game},
		{Name: "spins", Label: "Spins", Value: row.Spins, InputMode: "numeric"},
	} {
		name := cell.Name
		cell.Name, cell.ID = name+"-"+line, "f-"+name+"-"+line
		for _, w := range wrong {
			if w.Field == name {
				cell.Wrong = append(cell.Wrong, w.Text)
			}
		}
		switch {
		case len(cell.Wrong) == 0:
		case name == "player":
			found, err := a.suggestPlayers(ctx, row.Player)
			if err != nil {
				return shown, err
			}
			cell.DidYouMean = found
		case name == "game":
			cell.DidYouMean = suggestGames(games, row.Game)
		}
		cell.DidYouMean = slices.DeleteFunc(cell.DidYouMean, func(s Suggestion) bool { return s.Value == cell.Value })
		for i := range cell.DidYouMean {
			cell.DidYouMean[i].Use = line + ":" + name + ":" + cell.DidYouMean[i].Value
		}
		shown.Cells = append(shown.Cells, cell)
	}
	for _, w := range wrong {
		if w.Field == "" {
			shown.Whole = append(shown.Whole, w.Text)
		}
	}
	return shown, nil
}

// sheetFacts sums a sheet up.
func (a *Area) sheetFacts(c *fiber.Ctx, page *sheetPage, s checkedSheet) error {
	players, games, numbers := map[models.UserID]int{}, map[models.GameID]bool{}, map[int64]int{}
	spins, repeated := int64(0), 0
	for _, l := range s.Valid {
		spins += l.Spins
		players[l.UserID]++
		if players[l.UserID] == 2 {
			repeated++
		}
		games[l.GameID] = true
		numbers[l.Spins]++
	}
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	taken, err := a.Store.GrantTaken(c.UserContext(), 0, web.ReaderOf(c).Username, web.ReaderOf(c).Role)
	if err != nil {
		return err
	}
	limit := rules.Roles[web.ReaderOf(c).Role].StaffSpinsPerDay
	page.Facts = []views.Fact{
		{Label: "Valid lines", Value: web.Grouped(int64(len(s.Valid))),
			Note: map[bool]string{true: web.Grouped(int64(len(s.Wrong))) + " with errors",
				false: "no errors"}[len(s.Wrong) > 0]},
		{Label: "Players", Value: web.Grouped(int64(len(players))),
			Note: map[bool]string{true: web.Grouped(int64(repeated)) + " of them several times"}[repeated > 0]},
		{Label: "Games", Value: web.Grouped(int64(len(games)))},
		{Label: "Spins, valid lines", Value: web.Grouped(spins), Note: breakdown(numbers)},
		{Label: "Your limit today", Value: web.Grouped(taken.StaffSpins+spins) + " of " + web.Grouped(limit),
			Note: web.Grouped(max(0, limit-taken.StaffSpins-spins)) + " would be left"},
	}
	return nil
}

// breakdown says how many lines have which number of spins, where that is short.
func breakdown(numbers map[int64]int) string {
	if len(numbers) == 0 || len(numbers) > 3 {
		return ""
	}
	var parts []string
	for n, lines := range numbers {
		parts = append(parts, fmt.Sprintf("%s × %s", web.Grouped(int64(lines)), web.Grouped(n)))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
