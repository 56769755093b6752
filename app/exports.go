package app

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/models"
	"pitboss/views"
)

const exportRows = 50

// mayExport reports whether the reader may export the list at a path.
func (a *App) mayExport(p *Page, path string) (bool, error) {
	list, known := a.exportableAt(path)
	if !known {
		return false, nil
	}
	for _, needed := range []Permission{exportData, list.needs} {
		if allowed, err := p.Can(needed); err != nil || !allowed {
			return false, err
		}
	}
	return true, nil
}

// elsewhere is a page of another address, by which that one's filters are read.
func (a *App) elsewhere(c *fiber.Ctx, path, query string) (Page, error) {
	p := a.page(c, "")
	values, err := url.ParseQuery(query)
	if err != nil || len(query) > 4096 {
		return p, badAddress("The filters of the list cannot be read.")
	}
	for _, name := range placeNames {
		values.Del(name)
	}
	p.Path, p.params, p.Query = path, values, without(values)
	return p, nil
}

// askExport asks for a list as a file, with the filters that its page had.
func (a *App) askExport(c *fiber.Ctx) error {
	f := newForm(c)
	list, known := a.exportableAt(f.text("list"))
	format := models.ExportFormat(f.text("format"))
	if !known || !format.Known() {
		return badAddress("It asks for a list or a format that cannot be exported.")
	}
	page, err := a.elsewhere(c, list.path, f.text("query"))
	if err != nil {
		return err
	}
	allowed, err := a.mayExport(&page, list.path)
	if err != nil {
		return err
	}
	if !allowed {
		return forbidden(reader(c).Role, list.needs)
	}
	rows, chips, wrong, err := list.list(c, page)
	if err != nil {
		return err
	}
	back := withQuery(list.path, page.Query)
	if wrong != nil {
		return a.flash(c, back, views.Note{Kind: "wait", Icon: "warning", Text: "Nothing was exported. " + wrong.Text})
	}
	e := models.Export{StaffID: reader(c).ID, List: list.path, Title: list.title, Query: page.Query,
		Zone: reader(c).Zone.String(), Format: format}
	for _, chip := range chips {
		e.Filters = append(e.Filters, models.ExportFilter{Label: chip.Label, Value: chip.Value})
	}
	made, err := a.Exports.Ask(c.UserContext(), a.actor(c), e, rows)
	if errors.Is(err, models.ErrExportsWaiting) || errors.Is(err, export.ErrBusy) {
		return a.flash(c, back,
			views.Note{Kind: "wait", Icon: "warning", Text: "Nothing was exported: " + sentence(err.Error()),
				Links: []views.Link{{Word: "Your exports", Href: "/exports"}}})
	}
	if err != nil {
		return err
	}
	return c.Redirect(exportPath(made.ID), fiber.StatusSeeOther)
}

// exportRow is an export as pages show it.
type exportRow struct {
	models.Export
	Href, ListHref string
	Badge          views.Badge
	Count, Size    string
	Filter         string // in words
	Mine           bool
	Gets           bool // the reader may download it now
	Moment         views.Moment
	Until          views.Moment
}

func exportBadge(s models.ExportState) views.Badge {
	switch s {
	case models.ExportWaiting:
		return views.Plain("Waiting its turn")
	case models.ExportRunning:
		return views.Active("Being written")
	case models.ExportReady:
		return views.Quiet("Ready")
	case models.ExportFailed:
		return views.Waiting("Failed")
	case models.ExportExpired:
		return views.Gone("Expired")
	}
	return views.Gone("Deleted")
}

func (a *App) exportRow(p *Page, e models.Export) (exportRow, error) {
	row := exportRow{
		Export: e, Href: exportPath(e.ID), ListHref: withQuery(e.List, e.Query), Badge: exportBadge(e.State),
		Mine:   e.StaffID == p.Reader.ID,
		Moment: p.Time(e.At), Until: p.Time(e.ExpiresAt),
	}
	if e.State == models.ExportReady && !a.Now().Before(e.ExpiresAt) {
		row.Badge = exportBadge(models.ExportExpired)
	}
	if e.Rows > 0 || e.State == models.ExportReady {
		row.Count = grouped(e.Rows)
	}
	if e.Bytes > 0 {
		row.Size = sizeWords(e.Bytes)
	}
	var filters []string
	for _, f := range e.Filters {
		filters = append(filters, f.Label+" "+f.Value)
	}
	row.Filter = strings.Join(filters, ", ")
	if row.Filter == "" {
		row.Filter = "the whole list"
	}
	var err error
	row.Gets, err = a.mayDownload(p, e)
	return row, err
}

// mayDownload reports whether the reader may download an export now: the file is there, it is theirs or they may have
// colleagues', and they may still read the list.
func (a *App) mayDownload(p *Page, e models.Export) (bool, error) {
	if e.State != models.ExportReady || !a.Now().Before(e.ExpiresAt) {
		return false, nil
	}
	if allowed, err := p.Can(allExports); err != nil || !allowed && e.StaffID != p.Reader.ID {
		return false, err
	}
	return a.mayExport(p, e.List)
}

// sizeWords is a size of a file for people.
func sizeWords(bytes int64) string {
	switch {
	case bytes < 1000:
		return strconv.FormatInt(bytes, 10) + " bytes"
	case bytes < 1_000_000:
		return fmt.Sprintf("%.0f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

type exportsPage struct {
	Page
	All    bool // colleagues' too
	Rows   []exportRow
	Under  bool
	Paging views.Paging
	Empty  views.Empty
	Hours  int
}

func (a *App) exports(c *fiber.Ctx) error {
	page := &exportsPage{Page: a.page(c, "Exports")}
	var err error
	if page.All, err = page.Can(allExports); err != nil {
		return err
	}
	if page.Hours, err = a.Store.ExportHours(c.UserContext()); err != nil {
		return err
	}
	page.Lede = "Lists as files. Only you and compliance can download yours; each is deleted " +
		several(int64(page.Hours), "hour", "hours") + " after it is ready."
	if page.All {
		page.Lede = "Lists as files, yours and your colleagues’. Each is deleted " +
			several(int64(page.Hours), "hour", "hours") + " after it is ready."
	}
	f := models.ExportSelection{StaffID: page.Reader.ID, Limit: exportRows}
	if page.All {
		f.StaffID = 0
	}
	if f.Page, err = page.place(); err != nil {
		return err
	}
	list, more, err := a.Store.Exports(c.UserContext(), f)
	if err != nil {
		return err
	}
	for _, e := range list {
		row, err := a.exportRow(&page.Page, e)
		if err != nil {
			return err
		}
		page.Rows = append(page.Rows, row)
		page.Under = page.Under || e.State.Under()
	}
	page.Live = page.Under
	if n := len(list); n > 0 {
		page.Paging = page.around(f.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	page.Empty = views.Empty{Title: "Nothing has been exported yet",
		Text: "Filter a list until it shows what you need, then press Export there. The file holds the filters, who asked " +
			"and when."}
	for _, e := range a.lists {
		if e.path != "/transactions" && e.path != "/free-spins" && e.path != "/reports" {
			continue
		}
		if allowed, err := a.mayExport(&page.Page, e.path); err != nil {
			return err
		} else if allowed {
			page.Empty.Links = append(page.Empty.Links, views.Link{Word: e.title, Href: e.path})
		}
	}
	return a.render(c, "exports/list", page)
}

// anExport reads the export that the address names. One that is somebody else's is not there for those who may not see it.
func (a *App) anExport(c *fiber.Ctx) (models.Export, error) {
	id, err := number(c, "id")
	if err != nil {
		return models.Export{}, notFound("export")
	}
	e, found, err := a.Store.Export(c.UserContext(), id)
	if err != nil {
		return e, err
	}
	all, err := may(reader(c).Role, allExports)
	if err != nil {
		return e, err
	}
	if !found || !all && e.StaffID != reader(c).ID {
		return e, notFound("export of yours")
	}
	return e, nil
}

type exportPageOf struct {
	Page
	Export  exportRow
	Meter   views.Meter
	Under   bool
	State   string
	Reached string
	Facts   []views.Fact
	Details []definition
	Note    *views.Note
	Again   bool // the reader may ask for it again
}

func (a *App) export(c *fiber.Ctx) error {
	e, err := a.anExport(c)
	if err != nil {
		return err
	}
	page := &exportPageOf{Page: a.page(c, e.Title+" as "+e.Format.Word()), State: strconv.Itoa(int(e.State)),
		Under: e.State.Under()}
	if c.Get("HX-Target") == "progress" && c.Query("state") != page.State {
		c.Set("HX-Refresh", "true") // the rest of the page has changed with it
		return c.SendStatus(fiber.StatusNoContent)
	}
	if page.Export, err = a.exportRow(&page.Page, e); err != nil {
		return err
	}
	page.Crumbs = []views.Crumb{{Word: "Exports", Href: "/exports"}, {Word: strconv.FormatInt(e.ID, 10)}}
	page.Badges = []views.Badge{page.Export.Badge}
	page.Lede = "Asked for " + page.Time(e.At).Brief() + " by " + e.Actor + "."
	if page.Under {
		page.Lede += " You can leave this page, it goes on."
	}
	page.Meter = views.Share(int64(e.Permille), 1000)
	if !e.Reached.IsZero() {
		page.Reached = "back to " + page.Time(e.Reached).Brief()
	}
	if page.Again, err = a.mayExport(&page.Page, e.List); err != nil {
		return err
	}
	a.exportActions(page)
	page.exportFacts()
	return a.render(c, "exports/export", page)
}

// exportActions adds what may be done with an export.
func (a *App) exportActions(page *exportPageOf) {
	e := page.Export
	switch {
	case e.Mine && page.Under:
		page.Actions = append(page.Actions,
			views.Link{Word: "Stop and delete", Href: e.Href + "/removal", Post: true, Destroys: true})
	case e.Mine && e.State == models.ExportReady:
		page.Actions = append(page.Actions, views.Link{Word: "Delete", Href: e.Href + "/removal", Post: true, Destroys: true})
	}
	if e.Gets {
		page.Actions = append(page.Actions,
			views.Link{Word: "Download " + e.Size, Href: e.Href + "/file", Icon: "download", Main: true})
	}
	switch e.State {
	case models.ExportFailed:
		page.Note = &views.Note{Kind: "wait", Icon: "warning", Title: "There is no file", Text: e.Failure}
	case models.ExportExpired:
		page.Note = &views.Note{Icon: "clock", Title: "The file was deleted",
			Text: "Its time was over. Ask for it again, and it is written anew from what the list holds then."}
	}
}

func (p *exportPageOf) exportFacts() {
	e := p.Export
	p.Details = exportDetails(e)
	if e.State == models.ExportFailed {
		return
	}
	p.Facts = []views.Fact{{Label: "Rows", Value: orDash(e.Count), Big: true},
		{Label: "Size", Value: orDash(e.Size), Big: true}}
	if !e.FinishedAt.IsZero() && !e.StartedAt.IsZero() && e.State == models.ExportReady {
		p.Facts = append(p.Facts, views.Fact{Label: "Written in", Value: lasted(e.FinishedAt.Sub(e.StartedAt)), Big: true})
	}
	if e.State == models.ExportReady {
		p.Facts = append(p.Facts, views.Fact{Label: "Is deleted", Moment: p.Time(e.ExpiresAt), Note: "by itself"})
	}
}

// exportDetails are what an export holds.
func exportDetails(e exportRow) []definition {
	list := []definition{{Label: "List", Value: e.Title, Href: e.ListHref}}
	for _, f := range e.Filters {
		list = append(list, definition{Label: f.Label, Value: f.Value})
	}
	if len(e.Filters) == 0 {
		list = append(list, definition{Label: "Filters", Value: "none, the whole list"})
	}
	list = append(list, definition{Label: "Times in", Value: zonesWords(e.Zone)},
		definition{Label: "File", Value: e.FileName()})
	if e.Digest != "" {
		list = append(list, definition{Label: "SHA-256", ID: &views.ID{Text: e.Digest, Kind: "SHA-256", Short: true}})
	}
	return list
}

func zonesWords(zone string) string {
	if zone == "UTC" {
		return "UTC"
	}
	return zone + " and UTC"
}

// exportFile sends the file, and records that it was sent.
func (a *App) exportFile(c *fiber.Ctx) error {
	e, err := a.anExport(c)
	if err != nil {
		return err
	}
	page := Page{Reader: reader(c)}
	if allowed, err := a.mayDownload(&page, e); err != nil {
		return err
	} else if !allowed {
		return problem{
			Status: fiber.StatusNotFound, Title: "There is no file to download",
			Happened: "The export is not ready, its file was deleted, or your role may no longer read this list.",
			Money:    "Nothing has changed.",
			Do:       "Look at the export, and ask for it again where that is offered.",
			Links:    []views.Link{{Word: "The export", Href: exportPath(e.ID), Main: true}},
		}
	}
	f, err := a.Exports.Open(e)
	if errors.Is(err, export.ErrElsewhere) || errors.Is(err, fs.ErrNotExist) {
		return problem{
			Status: fiber.StatusNotFound, Title: "The file is not on this instance",
			Happened: "Another instance of Pitboss has written this file into a folder of its own, or somebody has deleted " +
				"it there.", Money: "Nothing has changed.",
			Do: "Request the export again. Whoever operates the servers can give all instances one folder " +
				"(PITBOSS_EXPORT_DIR).",
			Links: []views.Link{{Word: "The export", Href: exportPath(e.ID), Main: true}},
		}
	}
	if err != nil {
		return err
	}
	if err := a.Store.NoteDownload(c.UserContext(), a.actor(c), e); err != nil {
		return errors.Join(err, f.Close())
	}
	kind := "text/csv; charset=utf-8"
	if e.Format == models.XLSX {
		kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	c.Set(fiber.HeaderContentType, kind)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+e.FileName()+`"`)
	c.Context().Response.SetBodyStream(&patient{f, c.Context().Conn()}, int(e.Bytes))
	return nil
}

// patience is how long a browser may take for each piece of a download, however long the whole takes.
const patience = time.Minute

// patient is a file on its way to a slow browser: with each piece read, the time for writing it begins anew.
type patient struct {
	*os.File
	to net.Conn
}

// Read reads the next piece.
func (p *patient) Read(b []byte) (int, error) {
	if err := p.to.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	return p.File.Read(b)
}

// isDownload reports a request for a file, which goes as it is: packing it anew would cost more than it saves.
func isDownload(c *fiber.Ctx) bool {
	if strings.HasPrefix(c.Path(), "/statements/") && strings.HasSuffix(c.Path(), "/report.csv") {
		return true
	}
	return (strings.HasPrefix(c.Path(), "/exports/") || strings.HasPrefix(c.Path(), "/integrity/checkpoints/")) &&
		strings.HasSuffix(c.Path(), "/file")
}

// deleteExport deletes an export of the reader's own, or stops it.
func (a *App) deleteExport(c *fiber.Ctx) error {
	e, err := a.anExport(c)
	if err != nil {
		return err
	}
	if e.StaffID != reader(c).ID {
		return problem{
			Status: fiber.StatusForbidden, Title: "This export is a colleague’s",
			Happened: "Only who has asked for an export can delete it.",
			Money:    "Nothing has changed.", Do: "Wait: it is deleted by itself.",
			Links: []views.Link{{Word: "Exports", Href: "/exports", Main: true}},
		}
	}
	deleted, err := a.Store.DeleteExport(c.UserContext(), a.actor(c), e.ID)
	if err != nil {
		return err
	}
	if !deleted {
		return a.done(c, "/exports", "There was nothing left to delete.")
	}
	if err := a.Exports.Remove(e); err != nil {
		a.Log.Error("The file of a deleted export is still there.", "export", e.ID, "error", err)
	}
	return a.done(c, "/exports", "The export of "+strings.ToLower(e.Title)+" is deleted.")
}
