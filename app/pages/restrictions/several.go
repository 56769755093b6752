package restrictions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Restricting the players of a list, such as a register of self-exclusions. The list is typed or uploaded. A page first shows
// the players who will be restricted, and the IDs that are left out.

const (
	severalPath  = "/restrictions/several"
	maxSeveral   = 500 // players in one list, so that the answer takes only seconds
	maxListBytes = 1 << 20
)

type severalPage struct {
	web.Page
	terms
	Players, File views.Field
	Most          int
}

// SeveralForm shows the form that restricts several players, for example those selected in the list of players.
func (a *Area) SeveralForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &severalPage{Page: a.Page(c, ""), terms: termsOf(f), Most: maxSeveral,
		Players: f.Field(views.Field{Name: "players", Max: 100 * maxSeveral}), File: f.Field(views.Field{Name: "file", Type: "file"})}
	if !f.Typed() {
		page.Players.Value = strings.Join(page.Params["chosen"], "\n")
	}
	return a.RenderForm(c, !f.Ok(), "restrictions/several", page)
}

// RestrictSeveral restricts several players after a confirmation, each in a transaction of its own. It skips players who
// already have such a restriction, so a form whose answer was lost can be sent again.
func (a *Area) RestrictSeveral(c *fiber.Ctx) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	r, end := a.described(f)
	r.PlayerID, r.Until = 1, end(time.UTC) // any number and zone will do: wrong terms are wrong for every player
	if err := r.Check(a.Now()); err != nil && !f.RefusedOtherThan("password") && !refused(f, err) {
		return err
	}
	list, read, err := a.listed(c, f)
	if err != nil {
		return err
	}
	if f.RefusedOtherThan("password") {
		return a.ShowAgain(c, f, severalPath)
	}
	page := &confirmPage{Restriction: r, Path: severalPath, Several: true, Ends: momentIn(r.Until, time.UTC)}
	var toSet []models.Restriction
	var leftOut []models.LineError
	for _, listed := range list {
		id := listed.ID
		leaveOut := func(why string) { leftOut = append(leftOut, models.LineError{Line: listed.Line, Err: errors.New(why)}) }
		p, found, err := a.Store.Player(ctx, models.UserID(id))
		if err != nil {
			return err
		}
		if !found {
			why := "no player has this ID"
			for _, other := range models.InOtherCase(models.UserID(id)) {
				if _, there, err := a.Store.Player(ctx, other); err != nil {
					return err
				} else if there {
					why = "no player has this ID, but there is " + string(other)
				}
			}
			leaveOut(why)
			continue
		}
		if r.Kind == models.AccountClosed && p.Wallet.Funds() != 0 {
			leaveOut("the account is not empty, so it is not closed")
			continue
		}
		zone, err := a.zoneOf(ctx, p)
		if err != nil {
			return err
		}
		r.PlayerID, r.Until = p.ID, end(zone)
		standing, err := a.Store.StandingRestriction(ctx, r)
		if err != nil {
			return err
		}
		if standing != 0 {
			page.Standing++
			continue
		}
		toSet = append(toSet, r)
	}
	read.Refuse(leftOut)
	page.Known, read.Good = len(toSet), len(toSet)+page.Standing
	if f.Downloads() {
		return a.SendBadLines(c, read)
	}
	if f.Text("confirmed") == "yes" && f.Ok() && (len(read.Bad) == 0 || read.Skips(f)) {
		return a.setSeveral(c, toSet, page.Standing, read)
	}
	if page.Kept = []views.Hidden{{Name: "players", Value: f.Text("players")}}; read.Lines == nil {
		page.Kept = read.Kept()
	}
	if page.LeftOut, err = read.Shown(ctx, "restrict", severalPath); page.LeftOut != nil {
		page.LeftOut.Skipped = true // the button that confirms says how many remain
		page.Kept = append(page.Kept, views.Hidden{Name: "skip", Value: strconv.Itoa(len(read.Bad))})
	}
	if err != nil {
		return err
	}
	return a.showConfirm(c, f, page)
}

func (a *Area) setSeveral(c *fiber.Ctx, list []models.Restriction, stood int, read web.ReadFile) error {
	signer := a.Signer(c)
	signer.Actor = signer.Skipping(read.Skipped())
	for i, r := range list {
		_, err := a.Store.Restrict(c.UserContext(), signer, r)
		if errors.Is(err, models.ErrRestrictedMany) {
			return a.Flash(c, "/restrictions", views.Warning("Only "+views.Several(int64(i), "player is restricted", "players are restricted"),
				web.Sentence(models.ErrRestrictedMany.Error())+" Sent again, the list restricts those who are not restricted yet."))
		}
		if err != nil {
			return err
		}
	}
	said := views.Several(int64(len(list)), "player is restricted.", "players are restricted.")
	if stood > 0 {
		said += " " + views.Several(int64(stood), "player was restricted in this way already.",
			"players were restricted in this way already.")
	}
	return a.Done(c, "/restrictions", said+read.SkippedWords())
}

// listed returns the IDs in a form, typed one per line or in a file, without duplicates, and the list as it was read.
func (a *Area) listed(c *fiber.Ctx, f *web.Form) (ids []sheet.PlayerID, read web.ReadFile, err error) {
	if read, err = web.Upload(c, f, maxListBytes); err != nil {
		return nil, read, err
	}
	typed, seen := f.Text("players"), map[string]bool{}
	switch {
	case len(read.Content) > 0 && typed != "":
		f.Refuse("players", "Enter IDs, or choose a file, but not both.")
	case len(read.Content) > 0:
		var bad []models.LineError
		read.About = sheet.OfPlayerIDs
		ids, bad, err = sheet.ReadPlayerIDs(c.UserContext(), bytes.NewReader(read.Content))
		if cause := context.Cause(c.UserContext()); cause != nil {
			return nil, read, cause
		}
		if err != nil {
			f.Refuse("file", web.Sentence(err.Error()))
		}
		read.Refuse(bad)
	default:
		read.Name, read.Content = "Typed list.csv", []byte(typed)
		number := 0
		for line := range strings.Lines(typed) {
			number++
			if id := strings.TrimSpace(line); id != "" && !seen[id] {
				seen[id], ids = true, append(ids, sheet.PlayerID{Line: number, ID: id})
			}
		}
		read.Lines = func(wrong map[int]string) (sheet.Table, error) {
			t := sheet.NewTable("user_id")
			for _, id := range ids {
				t.Add(id.Line, wrong[id.Line], id.ID)
			}
			return t, nil
		}
	}
	switch {
	case len(ids) > maxSeveral:
		f.Refuse("players", fmt.Sprintf("Enter at most %d players at a time.", maxSeveral))
	case len(ids) == 0 && len(read.Bad) == 0:
		f.Refuse("players", "Enter the IDs of players, one per line, or choose a file.")
	}
	return ids, read, nil
}
