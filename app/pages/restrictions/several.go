package restrictions

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Restricting the players of a list, such as those whom a register of self-exclusions names. The list is typed or a file. A page shows
// whom it will restrict, and which IDs are left out.

const (
	severalPath  = "/restrictions/several"
	maxSeveral   = 500 // players of one list, so that the answer takes seconds
	shownLeftOut = 100
)

type severalPage struct {
	web.Page
	terms
	Players, File views.Field
	Most          int
}

// line is an ID of a list that is left out.
type line struct{ ID, Why string }

// unknown is why most IDs are left out.
const unknown = "no player has this ID"

// Particular returns the reason why the ID is left out, unless nothing is known about it.
func (l line) Particular() string {
	if l.Why == unknown {
		return ""
	}
	return l.Why
}

// SeveralForm shows the form that restricts several players, such as those who are selected in the list of players.
func (a *Area) SeveralForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &severalPage{Page: a.Page(c, ""), terms: termsOf(f), Most: maxSeveral,
		Players: f.Field(views.Field{Name: "players", Max: 100 * maxSeveral}), File: f.Field(views.Field{Name: "file", Type: "file"})}
	if !f.Typed() {
		page.Players.Value = strings.Join(page.Params["chosen"], "\n")
	}
	return a.RenderForm(c, !f.Ok(), "restrictions/several", page)
}

// RestrictSeveral restricts several players once that is confirmed, each in a transaction of its own. Players who are restricted in this
// way already are left out, so a form whose answer was lost can be sent again.
func (a *Area) RestrictSeveral(c *fiber.Ctx) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	r, end := a.described(f)
	r.PlayerID, r.Until = 1, end(time.UTC) // any number and zone: what is wrong with the terms is wrong for each player
	if err := r.Check(a.Now()); err != nil && !f.RefusedOtherThan("password") && !refused(f, err) {
		return err
	}
	list, err := a.listed(c, f)
	if err != nil {
		return err
	}
	if f.RefusedOtherThan("password") {
		return a.ShowAgain(c, f, severalPath)
	}
	page := &confirmPage{Restriction: r, Path: severalPath, Several: true, List: strings.Join(list, "\n"), Ends: momentIn(r.Until, time.UTC)}
	var toSet []models.Restriction
	for _, id := range list {
		p, found, err := a.Store.Player(ctx, models.UserID(id))
		if err != nil {
			return err
		}
		if !found {
			why := unknown
			for _, other := range models.InOtherCase(models.UserID(id)) {
				if _, there, err := a.Store.Player(ctx, other); err != nil {
					return err
				} else if there {
					why = "no player has this ID, but there is " + string(other)
				}
			}
			page.LeftOut = append(page.LeftOut, line{id, why})
			continue
		}
		if r.Kind == models.AccountClosed && p.Wallet.Funds() != 0 {
			page.LeftOut = append(page.LeftOut, line{id, "the account is not empty, so it is not closed"})
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
	page.Known = len(toSet)
	switch f.Text("confirmed") {
	case "file":
		return sendLeftOut(c, page.LeftOut)
	case "yes":
		if f.Ok() {
			return a.setSeveral(c, toSet, page.Standing, len(page.LeftOut))
		}
	}
	page.More = max(0, len(page.LeftOut)-shownLeftOut)
	page.LeftOut = page.LeftOut[:len(page.LeftOut)-page.More]
	return a.showConfirm(c, f, page)
}

func (a *Area) setSeveral(c *fiber.Ctx, list []models.Restriction, stood, leftOut int) error {
	for i, r := range list {
		_, err := a.Store.Restrict(c.UserContext(), a.Signer(c), r)
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
	if leftOut > 0 {
		said += " " + views.Several(int64(leftOut), "ID was left out.", "IDs were left out.")
	}
	return a.Done(c, "/restrictions", said)
}

// sendLeftOut answers with the IDs that are left out, and why, as a file.
func sendLeftOut(c *fiber.Ctx, list []line) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"user_id", "reason"}}
	for _, l := range list {
		if strings.ContainsAny(l.ID[:1], "=+-@") { // a spreadsheet would take it for a formula
			l.ID = "'" + l.ID
		}
		rows = append(rows, []string{l.ID, l.Why})
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	c.Attachment("left-out.csv")
	return c.Send(b.Bytes())
}

// listed returns the IDs that a form lists, one per line or in a file, each once. It adds those of the file to those that were typed.
func (a *Area) listed(c *fiber.Ctx, f *web.Form) (ids []string, err error) {
	seen := map[string]bool{}
	add := func(id string) {
		if id = strings.TrimSpace(id); id != "" && !seen[id] {
			seen[id], ids = true, append(ids, id)
		}
	}
	for line := range strings.Lines(f.Text("players")) {
		add(line)
	}
	inFile, err := idsOfFile(c)
	var unreadable fileError
	if errors.As(err, &unreadable) {
		f.Refuse("file", web.Sentence(unreadable.Error()))
	} else if err != nil {
		return nil, err
	}
	for _, id := range inFile {
		add(id)
	}
	switch {
	case len(ids) > maxSeveral:
		f.Refuse("players", fmt.Sprintf("Enter at most %d players at a time.", maxSeveral))
	case len(ids) == 0:
		f.Refuse("players", "Enter the IDs of players, one per line, or choose a file.")
	}
	return ids, nil
}

// fileError says why a file cannot be read.
type fileError string

func (e fileError) Error() string { return string(e) }

// idsOfFile returns the IDs in the file of a form, or none if it has no file.
func idsOfFile(c *fiber.Ctx) ([]string, error) {
	sent, err := c.FormFile("file")
	if err != nil || sent.Size == 0 {
		return nil, nil
	}
	const most = 1 << 20
	if sent.Size > most {
		return nil, fileError("the file is larger than 1 MB")
	}
	file, err := sent.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	ids, bad, err := sheet.ReadPlayerIDs(c.UserContext(), bytes.NewReader(content))
	switch {
	case err != nil:
	case len(bad) > 1:
		err = fmt.Errorf("%w, and %s like it. Nobody is restricted until the file can be read whole", bad[0],
			views.Several(int64(len(bad)-1), "more line", "more lines"))
	case len(bad) > 0:
		err = bad[0]
	}
	if cause := context.Cause(c.UserContext()); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, fileError(err.Error())
	}
	return ids, nil
}
