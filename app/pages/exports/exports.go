// Package exports sends lists and packs as files.
package exports

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

// Export sends a list as a file, with the filters and order of the list's page.
func (a *Area) Export(c *fiber.Ctx) error {
	f := web.NewForm(c)
	list, known := a.ExportableAt(f.Text("list"))
	format := export.Format(f.Text("format"))
	if !known {
		return web.BadForm("The form names a list that does not exist or cannot be exported.")
	}
	page, err := a.PageAt(c, list.Path, f.Text("query"))
	if err != nil {
		return err
	}
	if !a.MayExport(&page, list.Path) {
		return web.Forbidden(web.ReaderOf(c).Role, list.Needs)
	}
	contents, chips, wrong, err := list.List(c.UserContext(), page)
	if err != nil {
		return err
	}
	refused := func(why string) error {
		return a.Flash(c, web.WithQuery(list.Path, page.Query), views.Warning("", "Nothing was exported"+why))
	}
	switch {
	case !format.Known():
		return refused(": this file format does not exist. Choose one under Export.")
	case wrong != nil:
		return refused(". " + wrong.Text)
	}
	d := web.Download{Name: a.fileName(list.Path, string(format)), Type: format.Type(), What: "export",
		About: map[string]string{"list": list.Path}}
	if d.Object, d.ID, err = a.about(c.UserContext(), page); err != nil {
		return err
	}
	head := export.Head{Title: list.Title, Filters: remarks(chips), About: contents.About, Actor: web.ReaderOf(c).Username,
		At: a.Now(), Zone: page.Zone}
	for _, filter := range head.Filters {
		d.About[filter.Name] = filter.Text
	}
	d.Make = func(ctx context.Context, to io.Writer) (int64, error) {
		return export.Write(ctx, to, format, head, contents)
	}
	var why export.Error
	if err := a.Send(c, d); errors.As(err, &why) {
		return refused(": " + string(why))
	} else if err != nil {
		return err
	}
	return nil
}

// remarks returns the filters in the form that files and audit events use.
func remarks(chips []views.Chip) (list []export.Remark) {
	for _, chip := range chips {
		list = append(list, export.Remark{Name: chip.Label, Text: chip.Value})
	}
	return list
}

// fileName returns the name of a download, made from the list's path and the time in UTC.
func (a *Area) fileName(path, ending string) string {
	return "pitboss-" + strings.ReplaceAll(strings.Trim(path, "/"), "/", "-") + "-" + a.Now().UTC().Format("20060102-150405") + "." + ending
}

// about returns the object for an export's audit events: the player in its filters, the object that its list belongs to, or
// else the list itself.
func (a *Area) about(ctx context.Context, page web.Page) (object, id string, err error) {
	for _, list := range []struct{ pattern, object string }{{web.LedgerList, "player"}, {web.StatementList, "player"},
		{web.CampaignList, "campaign"}, {web.DifferenceList, "statement"}} {
		if id, is := web.Matched(list.pattern, page.Path); is {
			return list.object, id, nil
		}
	}
	player, err := a.PlayerFilter(ctx, &page)
	if err != nil || player.ID == 0 {
		return "list", page.Path, err
	}
	return "player", strconv.FormatInt(player.ID, 10), nil
}
