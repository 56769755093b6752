package imports

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page of a sheet shows its lines with errors, to be corrected there, or the sentence to confirm.

const sheetRows = 50 // lines with errors shown at a time

type sheetPage struct {
	web.Page
	Sheet     models.GrantSheet
	Path      string
	ValidOnly bool // the lines with errors are left out
	Sums      sheetSums
	Earlier   *models.GrantImport // the import that granted these lines before; there is no form until the reader asks for it
	EarlierAt views.Moment
	Again     bool // the only errors are repeated grants, and earlier grants of unknown outcome
	Rows      []sheetRow
	More      int // lines with errors that are not shown
	Valid     validLines
	File      views.Field
	Paste     views.Field
	Grant     *sheetGrant
	Over      *pages.LimitHelp // who can help, if lines exceed limits
	Covers    sheetCovers
}

// sheetSums has the totals of a sheet.
type sheetSums struct {
	Good, Bad               int64 // lines
	Players, Repeated       int64 // players, and how many of them have several lines
	Games, Spins            int64
	Numbers                 []numberOfSpins // lines by their number of spins; empty if there are more than three numbers
	Costs                   []string        // of the valid lines, in each currency
	SpinsPerDay, SpinsToday int64           // the reader's limit, and their spins today with these lines
}

// numberOfSpins counts lines with a number of spins.
type numberOfSpins struct{ Lines, Spins int64 }

// sheetCovers is what an exception would cover, and how many lines with other errors it would leave out.
type sheetCovers struct{ Lines, Spins, LeftOut int64 }

// sheetRow is a line with errors and its cells.
type sheetRow struct {
	Line  int
	Cells []sheetCell
	Whole []string // what is wrong with the whole line
}

// sheetCell is a cell that can be corrected.
type sheetCell struct {
	ID, Kind, Name, Value string // Kind is "player", "game" or "spins"
	Wrong                 []string
	DidYouMean            []pages.Suggestion
}

// Sheet shows a sheet: what is wrong with it, or what it would grant.
func (a *Area) Sheet(c *fiber.Ctx, sheet models.GrantSheet) error {
	if sheet.ImportID != 0 {
		return a.Flash(c, web.PathOf("/free-spins/imports", sheet.ImportID), views.Info("Nothing was granted a second time",
			"This sheet became import "+strconv.FormatInt(sheet.ImportID, 10)+"."))
	}
	f := web.NewForm(c)
	again := c.Query("again") == "yes" || f.Text("again") == "yes"
	checked, err := a.checkSheet(c, sheet, again)
	if err != nil {
		return err
	}
	page := &sheetPage{Page: a.Page(c, ""), Sheet: sheet, Path: sheetPath(sheet.ID)}
	if err := a.sumUp(c, page, checked); err != nil {
		return err
	}
	if err := a.validLines(c, page, checked); err != nil {
		return err
	}
	earlier, found, err := a.Store.GrantImportOf(c.UserContext(), bonus.Digest(checked.All))
	if err != nil {
		return err
	}
	switch {
	case found && !again && (page.Sums.Bad == 0 || checked.Again):
		page.Badges = []views.Badge{views.Waiting("Granted before")}
		page.Earlier, page.EarlierAt = &earlier, page.Time(earlier.At)
	case page.Sums.Bad > 0:
		err = a.sheetErrors(c, page, checked, f)
	default:
		if page.Grant, err = a.newSheetGrant(c, f, checked); err == nil {
			page.Grant.Again, page.Grant.Earlier = again, earlier.ID
		}
	}
	if err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "imports/sheet", page)
}

// sheetErrors adds the lines with errors.
func (a *Area) sheetErrors(c *fiber.Ctx, page *sheetPage, s checkedSheet, f *web.Form) (err error) {
	page.Badges = []views.Badge{views.Waiting(web.Several(page.Sums.Bad, "line has an error", "lines have errors"))}
	page.File, page.Paste, page.Again = fileField(f), f.Field(views.Field{Name: "paste"}), s.Again
	if len(s.Over) > 0 {
		if page.Over, err = a.LimitHelp(c.UserContext(), &page.Page, s.exceeded(), page.Path+"/exception"); err != nil {
			return err
		}
		page.Over.Link = true
		page.Covers = sheetCovers{int64(len(s.Excepting)), spinsOf(s.Excepting), int64(s.leftOut())}
	}
	games, err := a.Games(c.UserContext())
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

// newSheetRow returns a line with errors. Only IDs that no player or game has get suggestions.
func (a *Area) newSheetRow(ctx context.Context, row models.GrantRow, wrong []lineError, games pages.Games) (sheetRow, error) {
	line := strconv.Itoa(row.Line)
	shown := sheetRow{Line: row.Line}
	for _, cell := range []sheetCell{
		{Kind: "player", Value: row.Player}, {Kind: "game", Value: row.Game}, {Kind: "spins", Value: row.Spins},
	} {
		cell.Name, cell.ID = cell.Kind+"-"+line, "f-"+cell.Kind+"-"+line
		unknown := false
		for _, w := range wrong {
			if w.Field == cell.Kind {
				cell.Wrong = append(cell.Wrong, w.Text)
				unknown = unknown || w.Unknown
			}
		}
		switch {
		case unknown && cell.Kind == "player":
			found, err := a.suggestPlayers(ctx, row.Player)
			if err != nil {
				return shown, err
			}
			cell.DidYouMean = found
		case unknown && cell.Kind == "game":
			cell.DidYouMean = games.Like(row.Game)
		}
		cell.DidYouMean = slices.DeleteFunc(cell.DidYouMean, func(s pages.Suggestion) bool { return s.Value == cell.Value })
		for i := range cell.DidYouMean {
			cell.DidYouMean[i].Use = line + ":" + cell.Kind + ":" + cell.DidYouMean[i].Value
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

// sumUp fills in the totals of a sheet.
func (a *Area) sumUp(c *fiber.Ctx, page *sheetPage, s checkedSheet) error {
	players, games, numbers := map[models.UserID]int{}, map[models.GameID]bool{}, map[int64]int64{}
	sums := sheetSums{Good: int64(len(s.Valid)), Bad: int64(len(s.Wrong)), Spins: spinsOf(s.Valid)}
	for _, l := range s.Valid {
		players[l.UserID]++
		if players[l.UserID] == 2 {
			sums.Repeated++
		}
		games[l.GameID] = true
		numbers[l.Spins]++
	}
	sums.Players, sums.Games = int64(len(players)), int64(len(games))
	if len(numbers) <= 3 {
		for n, lines := range numbers {
			sums.Numbers = append(sums.Numbers, numberOfSpins{lines, n})
		}
		slices.SortFunc(sums.Numbers, func(a, b numberOfSpins) int { return cmp.Compare(b.Spins, a.Spins) })
	}
	var err error
	if sums.Costs, err = a.costs(c.UserContext(), s.Valid); err != nil {
		return err
	}
	limits, taken, err := a.limits(c)
	sums.SpinsPerDay, sums.SpinsToday = limits.StaffSpinsPerDay, taken.StaffSpins+sums.Spins
	page.Sums = sums
	return err
}

// costs returns what lines cost in each currency of their players, by the amounts that the operator has set for a spin.
func (a *Area) costs(ctx context.Context, lines []models.GrantLine) (list []string, err error) {
	rules, err := a.Store.GrantRules(ctx)
	if err != nil {
		return nil, err
	}
	spins := map[models.Currency]int64{}
	for chunk := range slices.Chunk(lines, playersAtOnce) {
		users := make([]models.UserID, len(chunk))
		for i, l := range chunk {
			users[i] = l.UserID
		}
		players, err := a.Store.PlayersNamed(ctx, users)
		if err != nil {
			return nil, err
		}
		for _, l := range chunk {
			spins[players[l.UserID].Wallet.Currency] += l.Spins
		}
	}
	for _, currency := range slices.Sorted(maps.Keys(spins)) {
		text := web.Several(spins[currency], "spin", "spins") + " in " + string(currency) + ", whose cost is not set"
		if rules.SpinCost[currency] != 0 {
			text = rules.CostOf(currency, spins[currency]).Grouped() + " " + string(currency)
		}
		list = append(list, text)
	}
	return list, nil
}

// playersAtOnce is how many players are read at once.
const playersAtOnce = 500
