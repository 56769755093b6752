package pages

import (
	"fmt"
	"slices"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// RoundWords describe a state of rounds. They have no field names where they are set, so that none can be left out.
type RoundWords struct {
	State models.RoundState
	badge func(word string) views.Badge
	Means string
}

const silence = "The platform sends nothing when a bet or a free spin loses"

// RoundStates describes every state.
var RoundStates = []RoundWords{
	{models.RoundInPlay, views.Active,
		"A bet or a free spin was placed less than a minute ago, and no win has come. Nothing to do."},
	{models.RoundNoWinYet, views.Active, "No win has come, but one may still come. " + silence + ", so most rounds stay like this. " +
		"After five minutes, or when the player starts another round, this becomes “No win”. Nothing to do."},
	{models.RoundNoWin, views.Plain, "No win came before the player started another round or five minutes had passed. " + silence +
		", so the round is almost certainly lost. A win that still arrives is booked. Nothing to do."},
	{models.RoundLost, views.Quiet,
		"The platform has confirmed the loss, with a win of 0.00 or in its statement. Nothing to do."},
	{models.RoundInterrupted, views.Waiting, "A case is open: the platform’s statement differs, only part of the round was rolled " +
		"back, or the same ID came twice. Find out what the platform did, then decide the case."},
	{models.RoundWon, views.Quiet, "A win was paid. It may be smaller than the bets: the net says what the player won or lost. " +
		"Nothing to do."},
	{models.RoundReversed, views.Undone, "The bets were refunded and the wins reversed. Nothing to do."},
	{models.RoundUnstaked, views.Waiting, "The round has a win but no bet. Ask the platform what the win was for: a bonus, or a " +
		"bet that was rolled back without its win."},
}

// Name returns the state's name as a heading.
func (w RoundWords) Name() string { return web.FirstUpper(w.State.String()) }

func roundWords(r models.Round) RoundWords {
	i := slices.IndexFunc(RoundStates, func(w RoundWords) bool { return w.State == r.State() })
	return RoundStates[i]
}

// RoundState returns the badge of a round's state.
func RoundState(r models.Round) views.Badge {
	w := roundWords(r)
	return w.badge(w.Name())
}

// RoundNote explains what a round's state means for this round. It returns nil if the figures say everything.
func RoundNote(r models.Round) *views.Note {
	w, funds := roundWords(r), r.Funds().Grouped()+" "+string(r.Currency)
	note := views.Note{Icon: "clock", Title: w.Name(), Text: w.Means}
	switch w.State {
	case models.RoundNoWin:
		note.Text += " If the player says that the game crashed, ask the platform about this round."
		if r.Funds() > 0 {
			note.Text += " If it voided the round, request a correction that refunds " + funds + " to " + string(r.UserID) + "."
		}
	case models.RoundInterrupted:
		note = views.Warning("Interrupted: find out what the platform did", w.Means)
		if r.Funds() > 0 {
			note.Text += " " + string(r.UserID) + " has " + funds + " at stake."
		}
		if r.CaseID != 0 {
			note.Links = []views.Link{{Word: "Open the case", Href: CasePath(r.CaseID)}}
		}
	case models.RoundUnstaked:
		note = views.Warning("A win without a bet", w.Means)
	case models.RoundWon:
		if r.Net() >= 0 {
			return nil
		}
		note.Title = "Win paid, and a net loss"
		note.Text = fmt.Sprintf("The round paid %s %s on bets of %s %[2]s: %[4]s lost %[5]s %[2]s in it. Nothing to do.",
			r.Won.Grouped(), r.Currency, r.Staked.Grouped(), r.UserID, r.Net().Neg().Grouped())
	}
	return &note
}

// RoundRow is a round as a row of a list.
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

// RoundNet returns the round's wins minus its bets.
func RoundNet(p *web.Page, r models.Round) views.Money {
	m := p.Signed(r.Net(), r.Currency)
	m.Void = r.State() == models.RoundReversed
	return m
}

// RoundAge returns the age of a round that has no result yet or is interrupted.
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
