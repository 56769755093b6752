package imports

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Free spins for many, from a sheet: the list of imports, and the page that follows the lines of one. How a sheet becomes an
// import is in import_sheet.go.

const (
	importRows      = 20
	importLineRows  = 20
	outcomesAtATime = 1000
)

func importState(s models.ImportState) views.Badge {
	switch s {
	case models.ImportRunning:
		return views.Active("Running")
	case models.ImportPaused:
		return views.Waiting("Paused")
	case models.ImportStopped:
		return views.Gone("Stopped")
	case models.ImportWaiting:
		return views.Waiting("Waiting for approval")
	case models.ImportDeclined:
		return views.Refused("Not approved")
	}
	return views.Quiet("Finished")
}

type importsPage struct {
	web.Page
	States []views.Choice
	Rows   []importRow
	Paging views.Paging
	Empty  views.Empty
}

type importRow struct {
	models.GrantImport
	Href  string
	Badge views.Badge
	Done  int64
	Meter views.Meter
}

var importStates = map[string]models.ImportState{
	"running": models.ImportRunning, "paused": models.ImportPaused, "stopped": models.ImportStopped,
	"finished": models.ImportFinished,
	"waiting":  models.ImportWaiting, "declined": models.ImportDeclined,
}

// newImportRow is an import with its bar. What waits for a person or was refused is seen however little of the whole it is.
func newImportRow(imp models.GrantImport) importRow {
	row := importRow{GrantImport: imp, Href: web.PathOf("/free-spins/imports", imp.ID), Badge: importState(imp.State),
		Done: imp.Lines - imp.ToGo.Lines}
	// Thousandths of the bar: a part of one line is three of them at least.
	at, width := int64(0), max(imp.Lines, 1)
	row.Meter = views.Meter{
		Width: 1000, Tall: true, Parts: []views.MeterPart{{Kind: "bg", Width: 1000}},
		Label: fmt.Sprintf("%d granted, %d refused, %d unknown, %d to go", imp.Granted.Lines, imp.Refused.Lines,
			imp.Unknown.Lines, imp.ToGo.Lines),
	}
	for _, part := range []struct {
		kind string
		n    int64
	}{{"u", imp.Granted.Lines}, {"q", imp.Refused.Lines}, {"r", imp.Unknown.Lines}} {
		if part.n > 0 {
			wide := max(part.n*1000/width, 3)
			row.Meter.Parts = append(row.Meter.Parts, views.MeterPart{Kind: part.kind, X: at, Width: wide})
			at += wide
		}
	}
	return row
}

func (a *Area) GrantImports(c *fiber.Ctx) error {
	page := &importsPage{Page: a.Page(c, "Free spins from files")}
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports"}}
	page.Lede = "Files of grants, and how far each has come. Newest first."
	if page.Can(web.GrantFreeSpins) {
		page.Actions = []views.Link{{Word: "Grant from a file", Href: "/free-spins/imports/new", Icon: "upload", Main: true}}
	}
	page.Exportable = a.MayExport(&page.Page, page.Path)
	filter, wrong := page.filters()
	if wrong != nil {
		page.Empty = *wrong
		return a.Render(c, "free-spins/imports", page)
	}
	at, err := page.Place()
	if err != nil {
		return err
	}
	filter.Page = at
	list, more, err := a.Store.GrantImports(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, imp := range list {
		page.Rows = append(page.Rows, newImportRow(imp))
	}
	if n := len(list); n > 0 {
		page.Paging = page.Around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	page.Empty = views.Empty{Title: "No file of grants",
		Text: "Spins for many players are granted from a CSV file with the columns user_id, game_id and spins."}
	if page.Can(web.GrantFreeSpins) {
		page.Empty.Links = []views.Link{{Word: "Grant from a file", Href: "/free-spins/imports/new", Main: true}}
	}
	return a.Render(c, "free-spins/imports", page)
}

// filters reads the filters from the address.
func (page *importsPage) filters() (models.ImportFilter, *views.Empty) {
	states := []string{"", "All", "running", "Running", "paused", "Paused", "stopped", "Stopped", "finished", "Finished",
		"waiting", "Waiting for approval", "declined", "Not approved"}
	var state string
	state, page.States = page.Choice("state", "State", states)
	return models.ImportFilter{State: importStates[state], Limit: importRows}, page.Unread()
}

// importsAtOnce is how many imports an export reads together: the lines of each are counted.
const importsAtOnce = 50

// ExportImports reads imports of grants for a file; see web.Exportable.
func (a *Area) ExportImports(_ *fiber.Ctx, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &importsPage{Page: p}
	f, wrong := page.filters()
	f.Limit = importsAtOnce
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "File"},
			{Name: "SHA-256 of the file"}, {Name: "By"}, {Name: "Role"}, {Name: "Reason"},
			{Name: "Although granted before", Kind: export.Flag}, {Name: "State"}, {Name: "Ended", Kind: export.Time},
			{Name: "Lines", Kind: export.Number}, {Name: "Spins", Kind: export.Number},
			{Name: "Lines granted", Kind: export.Number}, {Name: "Spins granted", Kind: export.Number},
			{Name: "Lines refused", Kind: export.Number}, {Name: "Spins refused", Kind: export.Number},
			{Name: "Lines of unknown outcome", Kind: export.Number}, {Name: "Spins of unknown outcome", Kind: export.Number},
			{Name: "Lines to go", Kind: export.Number}, {Name: "Spins to go", Kind: export.Number},
		},
		Read: export.NewestFirst(time.Time{},
			func(ctx context.Context, at models.Cursor) (models.Page[models.GrantImport], error) {
				f := f
				f.Page = at
				return export.Looked(a.Store.GrantImports(ctx, f))
			}, func(i models.GrantImport) models.Cursor { return models.Cursor{At: i.At, ID: i.ID} },
			export.Each(func(i models.GrantImport) export.Row {
				return export.Row{
					i.ID, i.At, i.FileName, i.Digest, i.Actor, string(i.Role), i.Reason, i.Again, importState(i.State).Word,
					i.FinishedAt, i.Lines, i.Spins,
					i.Granted.Lines, i.Granted.Spins, i.Refused.Lines, i.Refused.Spins, i.Unknown.Lines, i.Unknown.Spins,
					i.ToGo.Lines, i.ToGo.Spins,
				}
			})),
	}, page.Chips, wrong, nil
}

type importPage struct {
	web.Page
	Import  importRow
	Facts   []views.Fact
	Tabs    []views.Tab
	Outcome string
	Rows    []importLineRow
	Paging  views.Paging
	Rate    string
	Open    bool
	State   string
	OOB     bool
}

type importLineRow struct {
	models.ImportLine
	PlayerHref, GrantHref string
	Badge                 views.Badge
}

func newImportLineRow(l models.ImportLine) importLineRow {
	row := importLineRow{ImportLine: l, PlayerHref: web.PathOf("/players", l.PlayerID), Badge: views.Quiet("Granted")}
	if l.GrantID != 0 {
		row.GrantHref = web.PathOf("/free-spins", l.GrantID)
	}
	switch {
	case l.State == models.GrantRefused:
		row.Badge = views.Refused("Refused")
	case l.State == models.GrantUnknown:
		row.Badge = views.AtRisk("Outcome unknown")
	case !l.State.Granted():
		row.Badge = views.Active("Being sent")
		if l.State == 0 {
			row.Badge = views.Plain("To go")
		}
	}
	return row
}

// theImport reads the import that the address names.
func (a *Area) theImport(c *fiber.Ctx) (models.GrantImport, error) {
	id, err := web.Number(c, "id")
	if err != nil {
		return models.GrantImport{}, web.NotFound("import")
	}
	imp, found, err := a.Store.GrantImport(c.UserContext(), id)
	if err == nil && !found {
		err = web.NotFound("import")
	}
	return imp, err
}

func (a *Area) GrantImport(c *fiber.Ctx) error {
	imp, err := a.theImport(c)
	if err != nil {
		return err
	}
	page := &importPage{Page: a.Page(c, "Grants from a file"), Import: newImportRow(imp),
		OOB: c.Get("HX-Target") == "progress", State: strconv.Itoa(int(imp.State))}
	if page.OOB && c.Query("state") != page.State {
		c.Set("HX-Refresh", "true")
		return c.SendStatus(fiber.StatusNoContent)
	}
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"},
		{Word: strconv.FormatInt(imp.ID, 10)},
	}
	page.Badges = []views.Badge{page.Import.Badge}
	page.Open = imp.State == models.ImportRunning
	page.Lede = fmt.Sprintf("%s, confirmed %s by %s.", imp.FileName, page.Time(imp.At).Brief(), imp.Actor)
	if page.Open {
		page.Lede += " You can leave this page, it goes on."
	}
	if imp.Exception != 0 {
		page.Actions = append(page.Actions,
			views.Link{Word: "Open exception " + strconv.FormatInt(imp.Exception, 10),
				Href: things.ExceptionPath(imp.Exception)})
	}
	if err := a.actOnImport(page, imp); err != nil {
		return err
	}
	page.Facts = []views.Fact{
		{Label: "Granted", Value: web.Grouped(imp.Granted.Lines), Note: web.Several(imp.Granted.Spins, "spin", "spins"),
			Big: true},
		{Label: "Refused", Value: web.Grouped(imp.Refused.Lines), Note: web.Several(imp.Refused.Spins, "spin", "spins"),
			Big: true},
		{Label: "Outcome unknown", Value: web.Grouped(imp.Unknown.Lines), Note: web.Several(imp.Unknown.Spins, "spin", "spins"),
			Big: true},
		{Label: "To go", Value: web.Grouped(imp.ToGo.Lines), Note: web.Several(imp.ToGo.Spins, "spin", "spins"), Big: true},
	}
	if err := a.importLines(c, page, imp); err != nil {
		return err
	}
	return a.Render(c, "free-spins/import", page)
}

// actOnImport adds what may be done with an import that has not ended.
func (a *Area) actOnImport(page *importPage, imp models.GrantImport) error {
	if !page.Can(web.GrantFreeSpins) {
		return nil
	}
	switch imp.State {
	case models.ImportRunning:
		page.Actions = append(page.Actions,
			views.Link{Word: "Pause", Href: page.Import.Href + "/pause", Icon: "pause", Post: true})
	case models.ImportPaused:
		page.Actions = append(page.Actions,
			views.Link{Word: "Go on", Href: page.Import.Href + "/resume", Icon: "play", Post: true, Main: true})
	default:
		return nil
	}
	page.Actions = append(page.Actions, views.Link{Word: "Stop for good", Href: page.Import.Href + "/stop", Destroys: true})
	return nil
}

var importOutcomes = map[string]models.GrantState{"granted": models.GrantActive, "refused": models.GrantRefused,
	"unknown": models.GrantUnknown}

// importLines reads the lines that the page shows: the last that were taken in hand, or those of one outcome.
func (a *Area) importLines(c *fiber.Ctx, page *importPage, imp models.GrantImport) error {
	page.Outcome = page.Params.Get("outcome")
	filter := models.ImportLineFilter{ImportID: imp.ID, Limit: importLineRows, State: importOutcomes[page.Outcome],
		ToGo: page.Outcome == "to-go", Last: page.Outcome == ""}
	if text := page.Params.Get("after"); text != "" {
		after, err := strconv.Atoi(text)
		if err != nil || after < 0 {
			return web.BadAddress("It names a line that does not exist.")
		}
		filter.After = after
	}
	lines, more, err := a.Store.ImportLines(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, l := range lines {
		page.Rows = append(page.Rows, newImportLineRow(l))
	}
	path := page.Import.Href
	tab := func(word, outcome string, n int64) {
		t := views.Tab{Word: word, Href: path, Current: page.Outcome == outcome}
		if outcome != "" {
			t.Href += "?outcome=" + outcome
			t.Count = web.Grouped(n)
		}
		page.Tabs = append(page.Tabs, t)
	}
	tab("Newest", "", 0)
	tab("Granted", "granted", imp.Granted.Lines)
	tab("Refused", "refused", imp.Refused.Lines)
	tab("Unknown", "unknown", imp.Unknown.Lines)
	tab("To go", "to-go", imp.ToGo.Lines)
	if page.Outcome == "" {
		page.Paging.Note = fmt.Sprintf("Newest %d of %s", len(lines), web.Grouped(page.Import.Done))
		page.Rate = rateWords(lines, imp, page.Now)
		return nil
	}
	page.Paging = views.Paging{Note: strconv.Itoa(len(lines)) + " shown, in the order of the file", NewerWord: "First",
		OlderWord: "Next"}
	if more {
		page.Paging.Older = path + "?outcome=" + page.Outcome + "&after=" + strconv.Itoa(lines[len(lines)-1].Line)
	}
	if filter.After != 0 {
		page.Paging.Newer = path + "?outcome=" + page.Outcome
	}
	return nil
}

// rateWords says how quickly a running import gets on, by the last lines, the newest first.
func rateWords(lines []models.ImportLine, imp models.GrantImport, now time.Time) string {
	if imp.State != models.ImportRunning || len(lines) < 2 {
		return ""
	}
	took := now.Sub(lines[len(lines)-1].At)
	if took <= 0 {
		return ""
	}
	perSecond := float64(len(lines)) / took.Seconds()
	words := fmt.Sprintf("%.0f a second", perSecond)
	if perSecond < 1 {
		words = fmt.Sprintf("%.0f a minute", perSecond*60)
	}
	left := time.Duration(float64(imp.ToGo.Lines)/perSecond) * time.Second
	switch {
	case left < time.Minute:
		return words + ", less than a minute to go"
	case left < time.Hour:
		return fmt.Sprintf("%s, about %d min to go", words, int(left.Minutes())+1)
	}
	return fmt.Sprintf("%s, about %d h to go", words, int(left.Hours())+1)
}

func (a *Area) PauseImport(c *fiber.Ctx) error {
	return a.changeImport(c, models.ImportPaused, "The import is paused. The line under way is finished first.")
}

func (a *Area) ResumeImport(c *fiber.Ctx) error {
	return a.changeImport(c, models.ImportRunning, "The import goes on.")
}

func (a *Area) StopImport(c *fiber.Ctx) error {
	return a.changeImport(c, models.ImportStopped, "The import is stopped. The lines to go are not sent any more.")
}

func (a *Area) changeImport(c *fiber.Ctx, to models.ImportState, message string) error {
	imp, err := a.theImport(c)
	if err != nil {
		return err
	}
	change := map[models.ImportState]func() error{
		models.ImportPaused:  func() error { return a.Bonus.Pause(c.UserContext(), a.Actor(c), imp.ID, "") },
		models.ImportRunning: func() error { return a.Bonus.Resume(c.UserContext(), a.Actor(c), imp.ID, "") },
		models.ImportStopped: func() error {
			return a.Bonus.Stop(c.UserContext(), a.Actor(c), imp.ID,
				web.NewForm(c).Text("reason"))
		},
	}[to]
	path := web.PathOf("/free-spins/imports", imp.ID)
	if err := change(); errors.Is(err, models.ErrImportEnded) {
		return a.Flash(c, path,
			views.Note{Kind: "wait", Icon: "info", Text: "This import has ended meanwhile. Nothing was changed."})
	} else if err != nil {
		return err
	}
	return a.Done(c, path, message)
}

func (a *Area) StopImportForm(c *fiber.Ctx) error {
	imp, err := a.theImport(c)
	if err != nil {
		return err
	}
	path := web.PathOf("/free-spins/imports", imp.ID)
	if imp.State == models.ImportStopped || imp.State == models.ImportFinished {
		return a.Flash(c, path, views.Note{Kind: "wait", Icon: "info", Text: "This import has ended already."})
	}
	page := &web.DeedPage{Page: a.Page(c, "Stop the import")}
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"},
		{Word: strconv.FormatInt(imp.ID, 10), Href: path}, {Word: "Stop"},
	}
	page.Deed = views.Deed{
		Sentence: "Stop granting " + imp.FileName + " for good.",
		Consequences: "The " + web.Several(imp.ToGo.Lines, "line", "lines") +
			" to go are never sent. What was granted stays granted: the platform has no way to take spins back.",
		Changes: []views.Change{
			{What: "Granted", Before: web.Several(imp.Granted.Spins, "spin", "spins"),
				After: web.Several(imp.Granted.Spins, "spin", "spins")},
			{What: "To go", Before: web.Several(imp.ToGo.Spins, "spin", "spins"), After: "0 spins"},
		},
		Action: path + "/stop", Button: "Stop import " + strconv.FormatInt(imp.ID, 10) + " for good", Destroys: true,
		Back: views.Link{Word: "Back", Href: path},
	}
	return a.Render(c, "free-spins/confirm", page)
}

// ImportOutcomesFile is what has become of each line, to be kept or mended and granted anew.
func (a *Area) ImportOutcomesFile(c *fiber.Ctx) error {
	imp, err := a.theImport(c)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"line", "user_id", "game_id", "spins", "outcome", "free_spin_id", "message", "at_utc"}}
	for after := 0; ; {
		lines, more, err := a.Store.ImportLines(c.UserContext(),
			models.ImportLineFilter{ImportID: imp.ID, After: after, Limit: outcomesAtATime})
		if err != nil {
			return err
		}
		for _, l := range lines {
			at := ""
			if !l.At.IsZero() {
				at = l.At.UTC().Format("2006-01-02 15:04:05")
			}
			rows = append(rows, []string{
				strconv.Itoa(l.Line), export.Cell(string(l.UserID)), export.Cell(string(l.GameID)),
				strconv.FormatInt(l.Spins, 10), lineOutcome(l.State),
				export.Cell(string(l.FreeSpinID)), export.Cell(l.Message), at,
			})
			after = l.Line
		}
		if !more {
			break
		}
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="free-spins-import-%d.csv"`, imp.ID))
	return c.Send(b.Bytes())
}

// lineOutcome is a line's outcome as the file of outcomes writes it. What the platform granted counts as granted, used or not.
func lineOutcome(s models.GrantState) string {
	switch {
	case s.Granted():
		return "granted"
	case s == models.GrantRefused:
		return "refused"
	case s == models.GrantUnknown:
		return "unknown"
	}
	return "to go"
}
