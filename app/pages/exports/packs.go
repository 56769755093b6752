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

	"pitboss/app/pack"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Packs are about one player, for a dispute or a data-access request. They have their own form, and are sent like exports.

const packDays = 30 // the period that the form suggests

type newPackPage struct {
	web.Page
	Player, Since, Until, Reference, Why views.Field
	Purpose                              views.Field // its value is one of pack.Purposes
}

// NewPackForm shows the form, which the address may fill in from a player, a case or an earlier pack.
func (a *Area) NewPackForm(c *fiber.Ctx) error {
	f, page := web.NewForm(c), &newPackPage{Page: a.Page(c, "")}
	now := a.Now().In(page.Zone)
	proposed := map[string]string{"purpose": string(pack.Dispute), "since": now.AddDate(0, 0, -packDays).Format(time.DateOnly),
		"until": now.Format(time.DateOnly)}
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

// checkPack reads the form, marks its wrong fields, and returns the player.
func (a *Area) checkPack(c *fiber.Ctx, f *web.Form) (models.Player, error) {
	zone := web.ReaderOf(c).Zone
	if !slices.Contains(pack.Purposes, pack.Purpose(f.Text("purpose"))) {
		f.Refuse("purpose", "Choose what the pack is for.")
	}
	since, wrong := time.ParseInLocation(time.DateOnly, f.Text("since"), zone)
	if wrong != nil {
		f.Refuse("since", "Enter the first day, such as 2026-11-01.")
	}
	last, wrong := time.ParseInLocation(time.DateOnly, f.Text("until"), zone)
	if wrong != nil {
		f.Refuse("until", "Enter the last day, such as 2026-11-30.")
	}
	switch {
	case since.After(a.Now()):
		f.Refuse("since", "The first day is in the future.")
	case since.After(last):
		f.Refuse("until", "The last day is before the first.")
	}
	switch n := utf8.RuneCountInString(f.Text("why")); {
	case n == 0:
		f.Refuse("why", "Enter the reason.")
	case n > web.MaxReason:
		f.Refuse("why", "A reason has at most 500 characters.")
	}
	if utf8.RuneCountInString(f.Text("reference")) > models.MaxComplaintReference {
		f.Refuse("reference", "A reference has at most 100 characters.")
	}
	_, p, found, err := a.PlayerFinder().Field(f, "player")
	if err == nil && !found {
		f.Refuse("player", pages.NoSuchPlayer)
	}
	return p, err
}

// checkLedger refuses a pack if the player's ledger was altered in the database, because the signature would cover a forged
// entry.
func (a *Area) checkLedger(ctx context.Context, f *web.Form, player int64) error {
	faults, err := a.Store.VerifyPlayer(ctx, player)
	for _, fault := range faults {
		a.Fault(ctx, player, "wallet "+strconv.FormatInt(player, 10), fault)
	}
	if len(faults) > 0 {
		f.Refuse("player", "The player’s ledger was altered in the database, so Pitboss does not sign a pack: "+faults[0]+
			". A case is open; for everything else, compliance can look at Integrity.")
	}
	return err
}

// packLists has the lists of a pack with the names of their files. Free spins are not limited to the period, because players
// use them long after they were granted.
var packLists = []struct {
	name, path string
	whole      bool // all rows, not only the period's
	dispute    bool // only in a dispute pack, because it shows what staff did
}{
	{name: pack.Ledger, path: web.LedgerList},
	{name: "transactions", path: "/transactions"},
	{name: "rounds", path: "/rounds"},
	{name: "callbacks", path: "/callbacks"},
	{name: "free-spins", path: "/free-spins", whole: true},
	{name: "corrections", path: "/corrections"},
	{name: "sessions", path: "/sessions", dispute: true},
	{name: "cases", path: "/cases", dispute: true},
	{name: "staff-actions", path: "/audit", dispute: true},
}

// lists returns the lists of a pack as staff can export them, for one player and from the first day to the last.
func (a *Area) lists(ctx context.Context, page web.Page, m pack.Manifest, days [2]string) (lists []pack.List, err error) {
	for _, l := range packLists {
		if l.dispute && m.Purpose == pack.DataAccess {
			continue
		}
		number := strconv.FormatInt(m.Number, 10)
		path, filters := l.path, url.Values{"player-number": {number}}
		switch path {
		case web.LedgerList:
			path, filters = strings.Replace(path, ":id", number, 1), url.Values{}
		case "/cases", "/corrections":
			filters.Set("state", "all") // including those already decided
		}
		if !l.whole {
			filters.Set("from", days[0])
			filters.Set("to", days[1])
		}
		list, known := a.ExportableAt(path)
		if !known {
			return nil, fmt.Errorf("packs: there is no list at %s", path)
		}
		of, err := a.PageOf(page.Reader.Staff, page.Zone, page.Now, path, filters.Encode())
		if err != nil {
			return nil, err
		}
		rows, chips, wrong, err := list.List(ctx, of)
		if err != nil {
			return nil, err
		}
		if wrong != nil {
			return nil, fmt.Errorf("packs: %s: %s", path, wrong.Text)
		}
		lists = append(lists, pack.List{Name: l.name, Title: list.Title, List: rows, Filters: remarks(chips)})
	}
	return lists, nil
}

// MakePack sends a pack.
func (a *Area) MakePack(c *fiber.Ctx) error {
	f := web.NewForm(c)
	player, err := a.checkPack(c, f)
	if err == nil && f.Ok() {
		err = a.checkLedger(c.UserContext(), f, player.ID)
	}
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, "/packs/new")
	}
	if err := a.Viewed(c, "player", player.ID, player.ID); err != nil {
		return err
	}
	page := a.Page(c, "")
	since, wrong := time.ParseInLocation(time.DateOnly, f.Text("since"), page.Zone)
	last, wrongToo := time.ParseInLocation(time.DateOnly, f.Text("until"), page.Zone)
	if err := errors.Join(wrong, wrongToo); err != nil {
		return err
	}
	manifest := pack.Manifest{Purpose: pack.Purpose(f.Text("purpose")), By: page.Reader.Username, Why: f.Text("why"),
		Reference: f.Text("reference"), Made: a.Now(), Since: since.UTC(), Until: last.AddDate(0, 0, 1).UTC(),
		Player: string(player.UserID), Number: player.ID}
	lists, err := a.lists(c.UserContext(), page, manifest, [2]string{f.Text("since"), f.Text("until")})
	if err != nil {
		return err
	}
	number := strconv.FormatInt(player.ID, 10)
	return a.Send(c, web.Download{
		Name: a.fileName("/players/"+number+"/pack", "zip"), Type: "application/zip",
		What: strings.ToLower(manifest.Purpose.Title()), Object: "player", ID: number, Reason: manifest.Why,
		About: map[string]string{"since": f.Text("since"), "until": f.Text("until"), "reference": manifest.Reference},
		Make: func(ctx context.Context, to io.Writer) (int64, error) {
			return pack.Make(ctx, manifest, lists, page.Zone, a.Store.Chain().PackKey(), to)
		},
	})
}
