// Package exports has the pages of exports: lists and packs that are written to files.
package exports

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Exports *export.Service // writes lists to files; nil if none can be requested
	Lists   []web.Exportable
}

const exportRows = 50

// RequestExport requests a list as a file, with the filters of its page.
func (a *Area) RequestExport(c *fiber.Ctx) error {
	f := web.NewForm(c)
	list, known := a.ExportableAt(f.Text("list"))
	format := models.ExportFormat(f.Text("format"))
	if !known {
		return web.BadForm("The form names a list that cannot be exported.")
	}
	page, err := a.PageAt(c, list.Path, f.Text("query"))
	if err != nil {
		return err
	}
	allowed := a.MayExport(&page, list.Path)
	if !allowed {
		return web.Forbidden(web.ReaderOf(c).Role, list.Needs)
	}
	rows, chips, wrong, err := list.List(c.UserContext(), page)
	if err != nil {
		return err
	}
	back := web.WithQuery(list.Path, page.Query)
	if !format.Known() {
		return a.Flash(c, back, views.Warning("",
			"Nothing was exported: there is no such file format. Choose one under Export."))
	}
	if wrong != nil {
		return a.Flash(c, back, views.Warning("", "Nothing was exported. "+wrong.Text))
	}
	e := models.Export{StaffID: web.ReaderOf(c).ID, List: list.Path, Title: list.Title, Query: page.Query,
		Zone: web.ReaderOf(c).Zone.String(), Format: format}
	for _, chip := range chips {
		e.Filters = append(e.Filters, models.ExportFilter{Label: chip.Label, Value: chip.Value})
	}
	made, err := a.Exports.Ask(c.UserContext(), a.Actor(c), e, rows)
	if errors.Is(err, models.ErrExportsWaiting) || errors.Is(err, export.ErrBusy) {
		return a.Flash(c, back, views.Warning("", "Nothing was exported: "+web.Sentence(err.Error()), yours))
	}
	if err != nil {
		return err
	}
	return c.Redirect(pages.ExportPath(made.ID), fiber.StatusSeeOther)
}

// yours links a refusal because of waiting exports to them.
var yours = views.Link{Word: "Your exports", Href: "/exports"}

// exportRow is an export as pages show it.
type exportRow struct {
	models.Export
	Href, ListHref string
	Badge          views.Badge
	Count, Size    string
	Filter         string // in words; empty for the whole list
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

// ExportRow returns an export as the reader sees it.
func (a *Area) ExportRow(p *web.Page, e models.Export) exportRow {
	row := exportRow{
		Export: e, Href: pages.ExportPath(e.ID), ListHref: web.WithQuery(e.List, e.Query), Badge: exportBadge(e.State),
		Mine:   e.StaffID == p.Reader.ID,
		Moment: p.Time(e.At), Until: p.Time(e.ExpiresAt),
	}
	if player, isPack := e.PackOf(); isPack {
		row.ListHref = pages.PlayerPath(player)
	}
	if e.State == models.ExportReady && !a.Now().Before(e.ExpiresAt) {
		row.Badge = exportBadge(models.ExportExpired)
	}
	if e.Altered {
		row.Title, row.Badge = "Export "+strconv.FormatInt(e.ID, 10), views.Refused("Altered")
	}
	if e.Rows > 0 || e.State == models.ExportReady {
		row.Count = web.Grouped(e.Rows)
	}
	if e.Bytes > 0 {
		row.Size = web.SizeWords(e.Bytes)
	}
	var filters []string
	for _, f := range e.Filters {
		filters = append(filters, f.Label+" "+f.Value)
	}
	row.Filter = strings.Join(filters, ", ")
	row.Gets = a.mayDownload(p, e)
	return row
}

// mayDownload reports whether the reader may download an export now: the file is ready, the export is theirs or they may
// download colleagues' exports, and they may still read the list.
func (a *Area) mayDownload(p *web.Page, e models.Export) bool {
	if e.State != models.ExportReady || !a.Now().Before(e.ExpiresAt) {
		return false
	}
	if !p.Can(web.AllExports) && e.StaffID != p.Reader.ID {
		return false
	}
	return a.MayExport(p, e.List)
}

type exportsPage struct {
	web.Page
	web.Listed
	All   bool // colleagues' exports too
	Rows  []exportRow
	Under bool
	Lists []web.Exportable // suggestions, if nothing was exported yet
	Hours int
}

func (a *Area) List(c *fiber.Ctx) error {
	page := &exportsPage{Page: a.Page(c, "")}
	var err error
	page.All = page.Can(web.AllExports)
	if page.Hours, err = a.Store.ExportHours(c.UserContext()); err != nil {
		return err
	}
	f := models.ExportSelection{StaffID: page.Reader.ID}
	if page.All {
		f.StaffID = 0
	}
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, models.Listing[models.Export]{
		Span: models.Span{Limit: exportRows},
		Read: func(ctx context.Context, s models.Span) (models.Page[models.Export], error) {
			f.Page, f.Limit = s.Page, s.Limit
			return models.Paged(a.Store.Exports(ctx, f))
		},
		Place: func(e models.Export) models.Cursor { return models.Cursor{At: e.At, ID: e.ID} },
	})
	if err != nil {
		return err
	}
	for _, e := range found.Rows {
		row := a.ExportRow(&page.Page, e)
		page.Rows = append(page.Rows, row)
		page.Under = page.Under || e.State.Under()
	}
	page.Live = page.Under
	for _, e := range a.Lists {
		if e.Path != "/transactions" && e.Path != "/free-spins" && e.Path != "/reports" {
			continue
		}
		if a.MayExport(&page.Page, e.Path) {
			page.Lists = append(page.Lists, e)
		}
	}
	return a.Render(c, "exports/list", page)
}

// LoadExport reads the export that the address names. A colleague's export is not found if the reader may not see it.
func (a *Area) LoadExport(c *fiber.Ctx) (models.Export, error) {
	e, err := web.Find(c, "export of yours", a.Store.Export)
	if err == nil && e.StaffID != web.ReaderOf(c).ID && !web.ReaderOf(c).May(web.AllExports) {
		err = web.NotFound("export of yours")
	}
	return e, err
}

type exportPageOf struct {
	web.Page
	Export exportRow
	Meter  views.Meter
	Under  bool
	State  string
	Again  bool   // the reader may request it again
	Remake string // the address of the pack form, filled in like this pack
}

func (a *Area) Detail(c *fiber.Ctx, e models.Export) error {
	page := &exportPageOf{Page: a.Page(c, ""), State: strconv.Itoa(int(e.State)),
		Under: e.State.Under()}
	if c.Get("HX-Target") == "progress" && c.Query("state") != page.State {
		c.Set("HX-Refresh", "true") // the rest of the page has changed too
		return c.SendStatus(fiber.StatusNoContent)
	}
	page.Export = a.ExportRow(&page.Page, e)
	page.Badges = []views.Badge{page.Export.Badge}
	page.Meter = views.Share(int64(e.Permille), 1000)
	page.Again = a.MayExport(&page.Page, e.List)
	if _, isPack := e.PackOf(); isPack && page.Again {
		page.Remake = web.WithQuery("/packs/new", e.Query)
	}
	return a.Render(c, "exports/export", page)
}

// Ready reports whether the file can be downloaded.
func (p *exportPageOf) Ready() bool { return p.Export.State == models.ExportReady }

// Took returns how long writing the file took, or 0 if the file is not ready.
func (p *exportPageOf) Took() time.Duration {
	if e := p.Export; p.Ready() && !e.FinishedAt.IsZero() && !e.StartedAt.IsZero() {
		return e.FinishedAt.Sub(e.StartedAt)
	}
	return 0
}

// ExportFile records the download and sends the file.
func (a *Area) ExportFile(c *fiber.Ctx, e models.Export) error {
	page := web.Page{Reader: web.ReaderOf(c)}
	if !a.mayDownload(&page, e) {
		return web.Problem{Status: fiber.StatusNotFound, Is: "no-file", About: e.ID}
	}
	f, err := a.Exports.Open(e)
	if errors.Is(err, export.ErrElsewhere) || errors.Is(err, fs.ErrNotExist) {
		return web.Problem{Status: fiber.StatusNotFound, Is: "file-elsewhere", About: e.ID}
	}
	if err != nil {
		return err
	}
	if err := a.Store.NoteDownload(c.UserContext(), a.Actor(c), e); err != nil {
		return errors.Join(err, f.Close())
	}
	kind := "text/csv; charset=utf-8"
	switch e.Format {
	case models.XLSX:
		kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case models.PackZIP:
		kind = "application/zip"
	}
	c.Set(fiber.HeaderContentType, kind)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+e.FileName()+`"`)
	c.Context().Response.SetBodyStream(&patient{f, c.Context().Conn()}, int(e.Bytes))
	return nil
}

// patience is how long a browser may take for each piece of a download. A whole download has no time limit.
const patience = time.Minute

// patient is a file that is sent to a slow browser: each Read gives the connection a new write deadline.
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

// DeleteExport deletes one of the reader's own exports, or stops it if it is not finished.
func (a *Area) DeleteExport(c *fiber.Ctx, e models.Export) error {
	if e.StaffID != web.ReaderOf(c).ID {
		return web.Problem{Status: fiber.StatusForbidden, Is: "not-your-export"}
	}
	deleted, err := a.Store.DeleteExport(c.UserContext(), a.Actor(c), e.ID)
	if err != nil {
		return err
	}
	if !deleted {
		return a.Done(c, "/exports", "The export was already deleted.")
	}
	if err := a.Exports.Remove(e); err != nil {
		a.Log.Error("the file of a deleted export could not be removed", "export", e.ID, "error", err)
	}
	return a.Done(c, "/exports", "The export of "+strings.ToLower(e.Title)+" is deleted.")
}
