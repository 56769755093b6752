// Package exports has the pages of exports: lists and packs that are written to files.
package exports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net"
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
	_, chips, wrong, err := list.List(c.UserContext(), page)
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
	return a.ask(c, e, back, "Nothing was exported: ")
}

// ask requests an export and shows it. If it is refused, it goes back with a message.
func (a *Area) ask(c *fiber.Ctx, e models.Export, back, refused string) error {
	made, err := a.Exports.Ask(c.UserContext(), a.Actor(c), e)
	if errors.Is(err, models.ErrExportsWaiting) || errors.Is(err, models.ErrExportsFull) {
		return a.Flash(c, back, views.Warning("", refused+web.Sentence(err.Error()), yours))
	}
	if err != nil {
		return err
	}
	return c.Redirect(pages.ExportPath(made.ID), fiber.StatusSeeOther)
}

// Contents returns what the file of an export has, for the account that requested it. It needs no request, because any instance
// may write the file.
func (a *Area) Contents(ctx context.Context, e models.Export) (list export.List, err error) {
	who, found, err := a.Store.Staff(ctx, e.StaffID)
	if err != nil {
		return list, err
	}
	zone, err := time.LoadLocation(e.Zone)
	if err != nil {
		zone = time.UTC
	}
	page, err := a.PageOf(who, zone, e.At, e.List, e.Query)
	if err != nil {
		return list, err
	}
	if !found || who.Disabled || !a.MayExport(&page, e.List) {
		return list, export.Error("The account that requested this export may no longer export this list.")
	}
	if player, isPack := e.PackOf(); isPack {
		return a.pack(ctx, page, e, player)
	}
	exportable, _ := a.ExportableAt(e.List)
	list, _, wrong, err := exportable.List(ctx, page)
	if err == nil && wrong != nil {
		err = export.Error(wrong.Text)
	}
	return list, err
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

func exportBadge(s models.JobState) views.Badge {
	switch s {
	case models.JobWaiting:
		return views.Plain("Waiting its turn")
	case models.JobRunning:
		return views.Active("Being written")
	case models.JobFinished:
		return views.Quiet("Ready")
	case models.JobFailed:
		return views.Waiting("Failed")
	case models.JobExpired:
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
	if e.State == models.JobFinished && !a.Now().Before(e.ExpiresAt) {
		row.Badge = exportBadge(models.JobExpired)
	}
	if e.Altered {
		row.Title, row.Badge = "Export "+strconv.FormatInt(e.ID, 10), views.Refused("Altered")
	}
	if e.Rows > 0 || e.State == models.JobFinished {
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
	if e.State != models.JobFinished || !a.Now().Before(e.ExpiresAt) {
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
}

func (a *Area) List(c *fiber.Ctx) error {
	page := &exportsPage{Page: a.Page(c, "")}
	page.All = page.Can(web.AllExports)
	f := models.ExportSelection{StaffID: page.Reader.ID}
	if page.All {
		f.StaffID = 0
	}
	f.Span = page.Period(&page.Page)
	page.Instead = page.Unread()
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed,
		models.List(f, exportRows, a.Store.Exports, models.Export.Place))
	if err != nil {
		return err
	}
	for _, e := range found.Rows {
		row := a.ExportRow(&page.Page, e)
		page.Rows = append(page.Rows, row)
		page.Under = page.Under || e.State.Open()
	}
	page.Live = page.Under
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
	web.Progress
	Export exportRow
	Again  bool   // the reader may request it again
	Remake string // the address of the pack form, filled in like this pack
}

func (a *Area) Detail(c *fiber.Ctx, e models.Export) error {
	page := &exportPageOf{Page: a.Page(c, ""),
		Progress: web.NewProgress(pages.ExportPath(e.ID), e.State, views.Share(int64(e.Permille), 1000))}
	if page.Reload(c) {
		return nil
	}
	page.Export = a.ExportRow(&page.Page, e)
	page.Badges = []views.Badge{page.Export.Badge}
	page.Again = a.MayExport(&page.Page, e.List)
	if _, isPack := e.PackOf(); isPack && page.Again {
		page.Remake = web.WithQuery("/packs/new", e.Query)
	}
	return a.Render(c, "exports/export", page)
}

// Ready reports whether the file can be downloaded.
func (p *exportPageOf) Ready() bool { return p.Export.State == models.JobFinished }

// ExportFile records the download and sends the file.
func (a *Area) ExportFile(c *fiber.Ctx, e models.Export) error {
	page := web.Page{Reader: web.ReaderOf(c)}
	if !a.mayDownload(&page, e) {
		return web.Problem{Status: fiber.StatusNotFound, Is: "no-file", About: e.ID}
	}
	if err := a.Store.NoteDownload(c.UserContext(), a.Actor(c), e); err != nil {
		return err
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
	c.Context().Response.SetBodyStream(&download{a.Store.ExportFile(context.Background(), e), c.Context().Conn(), sha256.New(), e},
		int(e.Bytes))
	return nil
}

// patience is how long a browser may take for each piece of a download. A whole download has no time limit.
const patience = time.Minute

// download is a file that is sent to a slow browser: each Read gives the connection a new write deadline. If the file was changed
// in the database, it ends before its last piece, so that the browser does not take it for the whole.
type download struct {
	*io.SectionReader
	to     net.Conn
	read   hash.Hash
	export models.Export
}

// Read reads the next piece.
func (d *download) Read(b []byte) (int, error) {
	if err := d.to.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	n, err := d.SectionReader.Read(b)
	d.read.Write(b[:n])
	if at, _ := d.Seek(0, io.SeekCurrent); at == d.Size() && hex.EncodeToString(d.read.Sum(nil)) != d.export.Digest {
		return 0, models.TamperedError{Object: "export", ObjectID: strconv.FormatInt(d.export.ID, 10)}
	}
	return n, err
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
	return a.Done(c, "/exports", "The export of "+strings.ToLower(e.Title)+" is deleted.")
}
