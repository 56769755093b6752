package pages

import (
	"context"
	"maps"
	"slices"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// GrantRow is a grant as a row of a list.
type GrantRow struct {
	models.Grant
	Href, PlayerHref, GameHref string
	Words                      string // such as "20 spins"
	UsedWords                  string // such as "8 of 20"
	ByOurs                     bool   // UsedWords has our own count, because the platform's is missing or behind
	Badge                      views.Badge
	Wins                       models.SpinWins
}

// GrantState returns the badge for a grant's state.
func GrantState(g models.Grant) views.Badge {
	if g.UsedUp() {
		return views.Quiet("Used up")
	}
	switch g.State {
	case models.GrantRequested, models.GrantSent:
		return views.Active("Being sent")
	case models.GrantActive:
		return views.Active("Active")
	case models.GrantExpired:
		return views.Refused("Expired")
	case models.GrantRefused:
		return views.Refused("Refused")
	}
	if g.Resolution == models.ResolvedUnclear {
		return views.Gone("Unclear")
	}
	return views.AtRisk("Unconfirmed")
}

// GrantRows returns the rows of grants, each with its wins so far.
func (s *Site) GrantRows(ctx context.Context, list []models.Grant) ([]GrantRow, error) {
	ids := make([]int64, len(list))
	for i, g := range list {
		ids[i] = g.ID
	}
	wins, err := s.Store.SpinWinsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]GrantRow, len(list))
	for i, g := range list {
		rows[i] = NewGrantRow(g, wins[g.ID])
	}
	return rows, nil
}

// NewGrantRow returns the row of a grant with these wins.
func NewGrantRow(g models.Grant, wins models.SpinWins) GrantRow {
	row := GrantRow{
		Grant: g, Href: web.PathOf("/free-spins", g.ID), PlayerHref: web.PathOf("/players", g.PlayerID),
		GameHref: web.PathOf("/games", g.Game.ID),
		Words:    web.Several(g.Spins, "spin", "spins"), Badge: GrantState(g), Wins: wins,
	}
	if g.State.Granted() {
		row.UsedWords, row.ByOurs = web.Grouped(g.UsedSpins())+" of "+web.Grouped(g.Spins), g.UsedSpins() > g.Used
	}
	return row
}

// Sums returns amounts in several currencies, sorted by currency.
func Sums(p *web.Page, of map[models.Currency]models.Amount) []views.Money {
	var list []views.Money
	for _, currency := range slices.Sorted(maps.Keys(of)) {
		list = append(list, p.Money(of[currency], currency))
	}
	return list
}

// LimitHelp says which limits a campaign exceeds and who can help.
type LimitHelp struct {
	Limits   []string // the exceeded limits, in words
	Renewed  string   // when daily limits reset
	Settings string
}

// LimitHelp returns the help for exceeded limits.
func (s *Site) LimitHelp(ctx context.Context, p *web.Page, limits []string) (*LimitHelp, error) {
	_, until, err := s.Store.GrantDay(ctx)
	if err != nil {
		return nil, err
	}
	return &LimitHelp{Limits: limits, Renewed: p.Time(until).Brief(), Settings: GrantLimitsPath}, nil
}
