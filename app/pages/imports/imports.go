// Package imports has the pages of imports, which grant free spins to many players: the sheet in which lines are prepared, and
// the import that grants them.
package imports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Bonus *bonus.Service // grants free spins
}

// Imports grant free spins to many players, from a sheet. This file has the list of imports, and the page that follows the
// lines of one. sheet.go turns a sheet into an import.

const (
	importRows      = 20
	importLineRows  = 20
	outcomesAtATime = 1000
)

func importState(s models.JobState) views.Badge {
	switch s {
	case models.JobRunning:
		return views.Active("Running")
	case models.JobPaused:
		return views.Waiting("Paused")
	case models.JobStopped:
		return views.Gone("Stopped")
	case models.JobHeld:
		return views.Waiting("Waiting for approval")
	case models.JobDeclined:
		return views.Refused("Not approved")
	}
	return views.Quiet("Finished")
}

type importsPage struct {
	web.Page
	web.Listed
	Rows []importRow
}

type importRow struct {
	models.GrantImport
	Href  string
	Badge views.Badge
	Done  int64
	Meter views.Meter
}

var importStates = []web.Option[models.JobState]{
	{Word: "All"},
	web.Offer("running", "Running", models.JobRunning),
	web.Offer("paused", "Paused", models.JobPaused),
	web.Offer("stopped", "Stopped", models.JobStopped),
	web.Offer("finished", "Finished", models.JobFinished),
	web.Offer("waiting", "Waiting for approval", models.JobHeld),
	web.Offer("declined", "Not approved", models.JobDeclined),
}

// newImportRow returns an import with its progress bar. Even a few refused lines, or lines of unknown outcome, are visible in
// the bar.
func newImportRow(imp models.GrantImport) importRow {
	row := importRow{GrantImport: imp, Href: web.PathOf("/free-spins/imports", imp.ID), Badge: importState(imp.State),
		Done: imp.Lines - imp.ToGo.Lines}
	// Widths are thousandths of the bar. Every part has at least three.
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

// GrantImports lists imports.
func (a *Area) GrantImports(c *fiber.Ctx) error {
	page := &importsPage{Page: a.Page(c, "")}
	page.Exportable = a.MayExport(&page.Page, page.Path)
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, a.listing(page))
	if err != nil {
		return err
	}
	for _, imp := range found.Rows {
		page.Rows = append(page.Rows, newImportRow(imp))
	}
	return a.Render(c, "imports/list", page)
}

// listing reads the filters from the address. If one cannot be read, a message replaces the list.
func (a *Area) listing(page *importsPage) models.Listing[models.GrantImport] {
	filter := models.ImportFilter{State: web.Choose(&page.Page, "state", "State", importStates)}
	page.Instead = page.Unread()
	return models.List(filter, importRows, a.Store.GrantImports, models.GrantImport.Place)
}

// importsAtOnce is how many imports an export reads at once. It is small because the lines of each import are counted.
const importsAtOnce = 50

// ExportImports reads imports of grants for a file; see web.Exportable.
func (a *Area) ExportImports(_ context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &importsPage{Page: p}
	list := a.listing(page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "File"},
			{Name: "SHA-256 of the file"}, {Name: "By"}, {Name: "Role"}, {Name: "Reason"},
			{Name: "Granted again", Kind: export.Flag}, {Name: "State"}, {Name: "Ended", Kind: export.Time},
			{Name: "Lines", Kind: export.Number}, {Name: "Spins", Kind: export.Number},
			{Name: "Lines granted", Kind: export.Number}, {Name: "Spins granted", Kind: export.Number},
			{Name: "Lines refused", Kind: export.Number}, {Name: "Spins refused", Kind: export.Number},
			{Name: "Unconfirmed lines", Kind: export.Number}, {Name: "Unconfirmed spins", Kind: export.Number},
			{Name: "Lines to go", Kind: export.Number}, {Name: "Spins to go", Kind: export.Number},
		},
		Read: export.NewestFirst(list, importsAtOnce,
			export.Each(func(i models.GrantImport) export.Row {
				return export.Row{
					i.ID, i.At, i.FileName, i.Digest, i.Actor, string(i.Role), i.Reason, i.Again, importState(i.State).Word,
					i.FinishedAt, i.Lines, i.Spins,
					i.Granted.Lines, i.Granted.Spins, i.Refused.Lines, i.Refused.Spins, i.Unknown.Lines, i.Unknown.Spins,
					i.ToGo.Lines, i.ToGo.Spins,
				}
			})),
	}, page.Chips, page.Instead, nil
}

type importPage struct {
	web.Page
	web.Progress
	Import  importRow
	Moment  views.Moment
	Outcome string // the outcome of the lines shown; empty for the latest lines
	Rows    []importLineRow
	Newer   string // the address of the first lines of the outcome
	Older   string // the address of the next lines
	Rate    *importRate
	OOB     bool
}

// importRate is how fast an import proceeds.
type importRate struct {
	Lines     int64 // a second, or a minute
	PerMinute bool
	Minutes   int64 // to go; 0 if less than one, or if Hours is set
	Hours     int64 // to go; 0 if less than one
}

type importLineRow struct {
	models.ImportLine
	Badge views.Badge
}

func newImportLineRow(l models.ImportLine) importLineRow {
	row := importLineRow{l, views.Quiet("Granted")}
	switch {
	case l.State == models.GrantRefused:
		row.Badge = views.Refused("Refused")
	case l.State == models.GrantUnknown:
		row.Badge = views.AtRisk("Unconfirmed")
	case !l.State.Granted():
		row.Badge = views.Active("Being sent")
		if l.State == 0 {
			row.Badge = views.Plain("To go")
		}
	}
	return row
}

// LoadImport reads the import that the address names.
func (a *Area) LoadImport(c *fiber.Ctx) (models.GrantImport, error) {
	return web.Find(c, "import", a.Store.GrantImport)
}

// GrantImport shows one import and its progress.
func (a *Area) GrantImport(c *fiber.Ctx, imp models.GrantImport) error {
	page := &importPage{Page: a.Page(c, ""), Import: newImportRow(imp), OOB: c.Get("HX-Target") == "progress"}
	page.Progress = web.NewProgress(page.Import.Href, imp.State, page.Import.Meter)
	if page.Reload(c) {
		return nil
	}
	page.Badges, page.Moment = []views.Badge{page.Import.Badge}, page.Time(imp.At)
	if err := a.importLines(c, page, imp); err != nil {
		return err
	}
	return a.Render(c, "imports/import", page)
}

var importOutcomes = map[string]models.GrantState{"granted": models.GrantActive, "refused": models.GrantRefused,
	"unknown": models.GrantUnknown}

// importLines reads the lines that the page shows: the last ones that were started, or those of one outcome.
func (a *Area) importLines(c *fiber.Ctx, page *importPage, imp models.GrantImport) error {
	if page.Outcome = page.Params.Get("outcome"); page.Outcome != "" {
		page.Poll += "&outcome=" + web.EscapeQuery(page.Outcome)
	}
	filter := models.ImportLineFilter{ImportID: imp.ID, Span: models.Span{Limit: importLineRows}, State: importOutcomes[page.Outcome],
		ToGo: page.Outcome == "to-go", Last: page.Outcome == ""}
	var err error
	if filter.Page, err = page.Place(); err != nil {
		return err
	}
	lines, err := a.Store.ImportLines(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, l := range lines.Rows {
		page.Rows = append(page.Rows, newImportLineRow(l))
		// A line that is being sent ends even if the import is paused or stopped.
		page.Open = page.Open || l.State == models.GrantRequested || l.State == models.GrantSent
	}
	if page.Outcome == "" {
		page.Rate = rateOf(lines.Rows, imp, page.Now)
		return nil
	}
	path := page.Import.Href + "?outcome=" + web.EscapeQuery(page.Outcome)
	if lines.More {
		page.Older = path + "&after=" + lines.Next(models.ImportLine.Place).String()
	}
	if !filter.Page.IsZero() {
		page.Newer = path
	}
	return nil
}

// rateOf returns how fast a running import proceeds, or nil if that is not known. lines are its last lines, newest first.
func rateOf(lines []models.ImportLine, imp models.GrantImport, now time.Time) *importRate {
	if imp.State != models.JobRunning || len(lines) < 2 {
		return nil
	}
	took := now.Sub(lines[len(lines)-1].At)
	if took <= 0 {
		return nil
	}
	perSecond := float64(len(lines)) / took.Seconds()
	rate := &importRate{Lines: int64(math.Round(perSecond))}
	if perSecond < 1 {
		rate.Lines, rate.PerMinute = int64(math.Round(perSecond*60)), true
	}
	switch left := float64(imp.ToGo.Lines) / perSecond / 60; {
	case left >= 60:
		rate.Hours = int64(left/60) + 1
	case left >= 1:
		rate.Minutes = int64(left) + 1
	}
	return rate
}

// PauseImport pauses an import.
func (a *Area) PauseImport(c *fiber.Ctx) error {
	return a.changeImport(c, models.JobPaused, "The import is paused. The line that is being sent is finished first.")
}

// ResumeImport continues an import.
func (a *Area) ResumeImport(c *fiber.Ctx) error {
	return a.changeImport(c, models.JobRunning, "The import is running again.")
}

// StopImport ends an import.
func (a *Area) StopImport(c *fiber.Ctx) error {
	return a.changeImport(c, models.JobStopped, "The import is stopped. The lines to go will not be sent.")
}

func (a *Area) changeImport(c *fiber.Ctx, to models.JobState, message string) error {
	imp, err := a.LoadImport(c)
	if err != nil {
		return err
	}
	change := map[models.JobState]func() error{
		models.JobPaused:  func() error { return a.Bonus.Pause(c.UserContext(), a.Actor(c), imp.ID, "") },
		models.JobRunning: func() error { return a.Bonus.Resume(c.UserContext(), a.Actor(c), imp.ID, "") },
		models.JobStopped: func() error {
			return a.Bonus.Stop(c.UserContext(), a.Actor(c), imp.ID,
				web.NewForm(c).Text("reason"))
		},
	}[to]
	path := web.PathOf("/free-spins/imports", imp.ID)
	if err := change(); errors.Is(err, models.ErrImportEnded) {
		return a.Flash(c, path, views.Info("", "This import has already ended. Nothing was changed."))
	} else if err != nil {
		return err
	}
	return a.Done(c, path, message)
}

// StopImportForm shows the confirmation page for stopping an import.
func (a *Area) StopImportForm(c *fiber.Ctx, imp models.GrantImport) error {
	path := web.PathOf("/free-spins/imports", imp.ID)
	if imp.State == models.JobStopped || imp.State == models.JobFinished {
		return a.Flash(c, path, views.Info("", "This import has already ended."))
	}
	return a.Render(c, "imports/stop", &importPage{Page: a.Page(c, ""), Import: newImportRow(imp)})
}

// ImportOutcomesFile answers with a CSV of the outcome of each line, to keep or to correct and upload again.
func (a *Area) ImportOutcomesFile(c *fiber.Ctx, imp models.GrantImport) error {
	var b bytes.Buffer
	w := export.NewCSV(&b)
	w.Write([]string{"line", "user_id", "game_id", "spins", "outcome", "free_spin_id", "message", "at_utc"})
	list := models.List(models.ImportLineFilter{ImportID: imp.ID}, 0, a.Store.ImportLines, models.ImportLine.Place)
	for lines, err := range list.Pages(c.UserContext(), outcomesAtATime) {
		if err != nil {
			return err
		}
		for _, l := range lines.Rows {
			at := ""
			if !l.At.IsZero() {
				at = l.At.UTC().Format("2006-01-02 15:04:05")
			}
			w.Write([]string{
				strconv.Itoa(l.Line), export.Cell(string(l.UserID)), export.Cell(string(l.GameID)),
				strconv.FormatInt(l.Spins, 10), lineOutcome(l.State),
				export.Cell(string(l.FreeSpinID)), export.Cell(l.Message), at,
			})
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="free-spins-import-%d.csv"`, imp.ID))
	return c.Send(b.Bytes())
}

// lineOutcome returns the word for a line's outcome in the file of outcomes. A line that the platform granted is "granted",
// even after its spins are used or expired.
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
