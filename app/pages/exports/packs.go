package exports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pack"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Packs are about one player, for a dispute or a data-access request. They have a form of their own, and are then written,
// listed and downloaded like exports.

const packDays = 30 // the length of the period that the form proposes

type newPackPage struct {
	web.Page
	Player, Since, Until, Reference, Why views.Field
	Purpose                              views.Field // its value is one of pack.Purposes
}

func (a *Area) NewPackForm(c *fiber.Ctx) error { return a.showNewPack(c, web.NewForm(c)) }

// showNewPack shows the form. The address may name a player or a complaint, or have all values of an earlier pack.
func (a *Area) showNewPack(c *fiber.Ctx, f *web.Form) error {
	page := &newPackPage{Page: a.Page(c, "")}
	now := a.Now().In(page.Zone)
	proposed := map[string]string{"purpose": string(pack.Dispute), "since": now.AddDate(0, 0, -packDays).Format(time.DateOnly),
		"until": now.Format(time.DateOnly)}
	if err := a.proposeFromCase(c, &page.Page, proposed); err != nil {
		return err
	}
	field := func(v views.Field) views.Field {
		if v.Value = proposed[v.Name]; page.Params.Has(v.Name) {
			v.Value = page.Params.Get(v.Name)
		}
		return f.Field(v)
	}
	var err error
	if page.Player, _, _, err = a.PlayerFinder().Field(f, "player"); err != nil {
		return err
	}
	page.Since = field(views.Field{Name: "since", Type: "date", Required: true})
	page.Until = field(views.Field{Name: "until", Type: "date", Required: true})
	page.Reference = field(views.Field{Name: "reference", Autocomplete: "off"})
	page.Why = field(views.Field{Name: "why", Required: true})
	page.Purpose = field(views.Field{Name: "purpose"})
	return a.RenderForm(c, !f.Ok(), "exports/pack-new", page)
}

// purposeWords are the words for purposes among the filters of an export.
var purposeWords = map[pack.Purpose]string{pack.Dispute: "A dispute", pack.DataAccess: "A data-access request"}

// proposeFromCase adds values from the case that the address names.
func (a *Area) proposeFromCase(c *fiber.Ctx, page *web.Page, proposed map[string]string) error {
	id, err := strconv.ParseInt(page.Params.Get("case"), 10, 64)
	if err != nil {
		return nil
	}
	found, _, there, err := a.Store.Case(c.UserContext(), id)
	if err != nil || !there {
		return err
	}
	proposed["reference"] = found.Reference
	proposed["why"] = web.FirstUpper(found.Rule.String()) + ", case " + strconv.FormatInt(found.ID, 10)
	proposed["since"] = found.FoundAt.In(page.Zone).AddDate(0, 0, -packDays).Format(time.DateOnly)
	return nil
}

// packRequest is a pack that somebody asks for.
type packRequest struct {
	pack.Manifest
	player models.Player
}

// packRequest reads the form, and marks the fields that are wrong.
func (a *Area) packRequest(c *fiber.Ctx, f *web.Form) (r packRequest, err error) {
	who := web.ReaderOf(c)
	r.Manifest = pack.Manifest{Purpose: pack.Purpose(f.Text("purpose")), By: a.Actor(c).Name, Why: f.Text("why"),
		Reference: f.Text("reference"), Made: a.Now().UTC().Truncate(time.Microsecond)}
	if !slices.Contains(pack.Purposes, r.Purpose) {
		f.Refuse("purpose", "Choose what the pack is for.")
	}
	since, wrong := time.ParseInLocation(time.DateOnly, f.Text("since"), who.Zone)
	if wrong != nil {
		f.Refuse("since", "Enter the first day, such as 2026-11-01.")
	}
	last, wrong := time.ParseInLocation(time.DateOnly, f.Text("until"), who.Zone)
	if wrong != nil {
		f.Refuse("until", "Enter the last day, such as 2026-11-30.")
	}
	r.Since, r.Until = since.UTC(), last.AddDate(0, 0, 1).UTC()
	switch {
	case r.Since.After(r.Made):
		f.Refuse("since", "The first day is in the future.")
	case !r.Since.Before(r.Until):
		f.Refuse("until", "The last day is before the first.")
	}
	switch n := utf8.RuneCountInString(r.Why); {
	case n == 0:
		f.Refuse("why", "Enter the reason.")
	case n > web.MaxReason:
		f.Refuse("why", "A reason has at most 500 characters.")
	}
	if utf8.RuneCountInString(r.Reference) > models.MaxComplaintReference {
		f.Refuse("reference", "A reference has at most 100 characters.")
	}
	_, p, found, err := a.PlayerFinder().Field(f, "player")
	if err == nil && !found {
		f.Refuse("player", "There is no player with this ID. IDs are case-sensitive.")
	}
	r.player, r.Player, r.Number = p, string(p.UserID), p.ID
	return r, err
}

// packLists are the lists of a pack, by the names of their files. The ledger and free spins are whole: in the ledger, each
// balance follows from the line before, and spins are used long after they were granted.
var packLists = []struct {
	name, path string
	whole      bool // not only the period
	dispute    bool // says what staff did: not in a data-access pack
}{
	{name: "ledger", path: web.LedgerList, whole: true},
	{name: "transactions", path: "/transactions"},
	{name: "rounds", path: "/rounds"},
	{name: "callbacks", path: "/callbacks"},
	{name: "free-spins", path: "/free-spins", whole: true},
	{name: "corrections", path: "/corrections/all"},
	{name: "sessions", path: "/sessions", dispute: true},
	{name: "cases", path: "/cases", dispute: true},
	{name: "staff-actions", path: "/audit", dispute: true},
}

// lists returns the lists of a pack: those that staff can export, for one player and between two days.
func (a *Area) lists(c *fiber.Ctx, r packRequest, first, last string) (lists []pack.List, err error) {
	for _, l := range packLists {
		if l.dispute && r.Purpose == pack.DataAccess {
			continue
		}
		path, filters := l.path, url.Values{"player-number": {strconv.FormatInt(r.Number, 10)}}
		switch path {
		case web.LedgerList:
			path, filters = strings.Replace(path, ":id", strconv.FormatInt(r.Number, 10), 1), nil
		case "/cases":
			filters.Set("state", "all") // closed cases too
		}
		if !l.whole {
			filters.Set("from", first)
			filters.Set("to", last)
		}
		list, known := a.ExportableAt(path)
		if !known {
			return nil, fmt.Errorf("packs: there is no list at %s", path)
		}
		page, err := a.PageAt(c, path, filters.Encode())
		if err != nil {
			return nil, err
		}
		rows, chips, wrong, err := list.List(c.UserContext(), page)
		if err != nil {
			return nil, err
		}
		if wrong != nil {
			return nil, fmt.Errorf("packs: %s: %s", path, wrong.Text)
		}
		one := pack.List{Name: l.name, Title: list.Title, List: rows}
		for _, chip := range chips {
			one.Filters = append(one.Filters, models.ExportFilter{Label: chip.Label, Value: chip.Value})
		}
		lists = append(lists, one)
	}
	return lists, nil
}

// RequestPack requests a pack, which is written like an export.
func (a *Area) RequestPack(c *fiber.Ctx) error {
	f := web.NewForm(c)
	r, err := a.packRequest(c, f)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, "/packs/new")
	}
	lists, err := a.lists(c, r, f.Text("since"), f.Text("until"))
	if err != nil {
		return err
	}
	again := url.Values{}
	again.Set("player-number", strconv.FormatInt(r.Number, 10))
	for _, name := range []string{"purpose", "since", "until", "reference", "why"} {
		again.Set(name, f.Text(name))
	}
	who := web.ReaderOf(c)
	e := models.Export{StaffID: who.ID, List: models.PackList(r.player.ID), Title: r.Purpose.Title(), Query: again.Encode(),
		Zone: who.Zone.String(), Format: models.PackZIP, Filters: []models.ExportFilter{
			{Label: "Player", Value: r.Player}, {Label: "From", Value: f.Text("since")},
			{Label: "To", Value: f.Text("until")}, {Label: "For", Value: purposeWords[r.Purpose]},
		}}
	if r.Reference != "" {
		e.Filters = append(e.Filters, models.ExportFilter{Label: "Reference", Value: r.Reference})
	}
	e.Filters = append(e.Filters, models.ExportFilter{Label: models.WhyLabel, Value: r.Why})
	key := a.Store.Chain().PackKey()
	made, err := a.Exports.Ask(c.UserContext(), a.Actor(c), e, export.List{
		File: func(ctx context.Context, to io.Writer, _ string, note func(models.ExportProgress) error) error {
			_, err := pack.Make(ctx, r.Manifest, lists, who.Zone, key, to, note)
			return err
		},
	})
	if errors.Is(err, models.ErrExportsWaiting) || errors.Is(err, export.ErrBusy) {
		return a.Flash(c, "/packs/new?"+e.Query, views.Warning("", "No pack was made: "+web.Sentence(err.Error()), yours))
	}
	if err != nil {
		return err
	}
	return c.Redirect(pages.ExportPath(made.ID), fiber.StatusSeeOther)
}
