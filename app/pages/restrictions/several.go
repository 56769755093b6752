package restrictions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Restricting the players of a list, such as those whom a register of self-exclusions names.

const (
	severalPath = "/restrictions/several"
	maxSeveral  = 500 // players of one list, so that the answer takes seconds
)

type severalPage struct {
	web.Page
	terms
	Players views.Field
	Most    int
}

// SeveralForm shows the form that restricts several players, such as those who are selected in the list of players.
func (a *Area) SeveralForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &severalPage{Page: a.Page(c, ""), terms: termsOf(f), Most: maxSeveral,
		Players: f.Field(views.Field{Name: "players", Required: true, Max: 100 * maxSeveral})}
	if !f.Typed() {
		page.Players.Value = strings.Join(page.Params["chosen"], "\n")
	}
	return a.RenderForm(c, !f.Ok(), "restrictions/several", page)
}

// RestrictSeveral restricts several players, each in a transaction of its own, but none of them if one is unknown. Players who
// are restricted in this way already are left out, so a form whose answer was lost can be sent again.
func (a *Area) RestrictSeveral(c *fiber.Ctx) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	r := described(c, f)
	r.PlayerID = 1 // any number: what is wrong with the terms is wrong for each of them
	if err := r.Check(a.Now()); err != nil && !refused(f, err) {
		return err
	}
	players, err := a.listed(ctx, f)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, severalPath)
	}
	var set, stood int64
	for _, id := range players {
		r.PlayerID = id
		standing, err := a.Store.StandingRestriction(ctx, r)
		if err != nil {
			return err
		}
		if standing != 0 {
			stood++
			continue
		}
		if _, err := a.Store.Restrict(ctx, a.Signer(c), r); err != nil {
			return err
		}
		set++
	}
	said := views.Several(set, "player is restricted.", "players are restricted.")
	if stood > 0 {
		said += " " + views.Several(stood, "player was restricted in this way already.",
			"players were restricted in this way already.")
	}
	return a.Done(c, "/restrictions", said)
}

// listed returns the numbers of the players whose IDs a form lists, one per line, each once. It refuses the form if one of them
// is unknown.
func (a *Area) listed(ctx context.Context, f *web.Form) (players []int64, err error) {
	var unknown []string
	for line := range strings.Lines(f.Text("players")) {
		id := strings.TrimSpace(line)
		if id == "" {
			continue
		}
		p, found, err := a.Store.Player(ctx, models.UserID(id))
		switch {
		case err != nil:
			return nil, err
		case !found:
			unknown = append(unknown, id)
		case !slices.Contains(players, p.ID):
			players = append(players, p.ID)
		}
		if len(players)+len(unknown) > maxSeveral {
			f.Refuse("players", fmt.Sprintf("Enter at most %d players at a time.", maxSeveral))
			return nil, nil
		}
	}
	switch {
	case len(unknown) > 0:
		const named = 10
		text := "No player was restricted, because these IDs are unknown: " + strings.Join(unknown[:min(named, len(unknown))], ", ")
		if more := len(unknown) - named; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		f.Refuse("players", text+". IDs are case-sensitive. Correct or remove these lines.")
	case len(players) == 0:
		f.Refuse("players", "Enter the IDs of players, one per line.")
	}
	return players, nil
}
