package pages

import (
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// RoundState returns the badge of a round's state.
func RoundState(r models.Round) views.Badge {
	word := web.FirstUpper(r.State().String())
	switch r.State() {
	case models.RoundInPlay, models.RoundNoWinYet:
		return views.Active(word)
	case models.RoundNoWin:
		return views.Plain(word)
	case models.RoundReversed:
		return views.Undone(word)
	case models.RoundInterrupted, models.RoundUnstaked:
		return views.Waiting(word)
	}
	return views.Quiet(word)
}

// RoundRow is a round in a list.
type RoundRow struct {
	models.Round
	Href, PlayerHref string
	Moment           views.Moment
	Age              string
	Staked, Won, Net views.Money
	Badge            views.Badge
}

func roundRow(p *web.Page, r models.Round) RoundRow {
	row := RoundRow{
		Round: r, Href: RoundPath(r.ID), PlayerHref: PlayerPath(r.PlayerID), Moment: p.Time(r.At),
		Badge:  RoundState(r),
		Staked: p.Money(r.Staked, ""), Won: p.Money(r.Won, ""), Net: RoundNet(p, r), Age: RoundAge(p, r),
	}
	row.Staked.Second, row.Won.Second = true, true
	return row
}

// RoundNet returns what a round moved.
func RoundNet(p *web.Page, r models.Round) views.Money {
	m := p.Signed(r.Net(), r.Currency)
	m.Void = r.State() == models.RoundReversed
	return m
}

// RoundAge returns how old a round is that has no result yet, or is interrupted.
func RoundAge(p *web.Page, r models.Round) string {
	if r.State().Pending() || r.State() == models.RoundInterrupted {
		return web.Age(p.Now.Sub(r.At))
	}
	return ""
}

// RoundRows returns the rows of rounds.
func RoundRows(p *web.Page, list []models.Round) []RoundRow {
	rows := make([]RoundRow, len(list))
	for i, r := range list {
		rows[i] = roundRow(p, r)
	}
	return rows
}
