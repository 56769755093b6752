package app

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Work is assigned to colleagues, found by whose it is, counted in one way wherever it is counted, and gone through with keys.

// manyCases is up to where cases are counted for every page.
const manyCases = 10_000

// mostColleagues is how many are offered to choose from.
const mostColleagues = 500

// countOf counts the cases that f selects: the number is the same on every page.
func (a *App) countOf(ctx context.Context, f models.CaseFilter) (n int64, words string, err error) {
	f.Page, f.Limit = models.Cursor{}, 0
	if n, err = a.Store.CountCases(ctx, f, manyCases+1); n > manyCases {
		return manyCases, "over " + grouped(manyCases), err
	}
	return n, grouped(n), err
}

// shownOf says below a list how many of how many it shows.
func shownOf(shown int, all string) string {
	if words := grouped(int64(shown)); words != all {
		return words + " shown of " + all
	}
	return all + " shown"
}

// colleagues are the usernames of those who may do something, by name.
func (a *App) colleagues(ctx context.Context, what Permission) (names []string, err error) {
	list, _, err := a.Store.ListStaff(ctx, models.StaffFilter{State: "enabled", Limit: mostColleagues})
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		allowed, err := may(one.Role, what)
		if err != nil {
			return nil, err
		}
		if allowed {
			names = append(names, one.Username)
		}
	}
	return names, nil
}

// ownerWords are the choices of a filter by whose work it is.
func ownerWords(reader, chosen string, names []string) []string {
	words := []string{"", "Anybody", reader, "You", nobodys, "Nobody"}
	known := chosen == "" || chosen == nobodys || chosen == reader
	for _, name := range names {
		if name != reader {
			words, known = append(words, name, name), known || name == chosen
		}
	}
	if !known { // somebody who has left, or does other work now
		words = append(words, chosen, chosen)
	}
	return words
}

// assignment is the form that assigns a case or a correction.
type assignment struct {
	Path, Seen string
	CSRF       string
	Choices    []views.Choice
}

// newAssignment offers whom to assign something to that belongs to an owner.
func newAssignment(p *Page, path, owner string, names []string) *assignment {
	words := []string{nobodys, "Nobody"}
	for _, name := range names {
		word := name
		if name == p.Reader.Username {
			word += " (you)"
		}
		words = append(words, name, word)
	}
	return &assignment{Path: path, Seen: owner, CSRF: p.CSRF, Choices: choices(orWord(owner, nobodys), words...)}
}

// assignee reads whom the reader has chosen; chosen is false where the form has no such choice. A name that is none of names is
// refused.
func assignee(c *fiber.Ctx, names []string) (name string, chosen bool, err error) {
	name = posted(c, "assignee")
	switch {
	case name == "":
		return "", false, nil
	case name == nobodys:
		return "", true, nil
	}
	for _, known := range names {
		if known == name {
			return name, true, nil
		}
	}
	return "", true, badAddress("It names nobody who can do this.")
}

// queueKey is a key that a page with a queue explains.
type queueKey struct{ Key, Word string }

// caseQueue is where a case is in the list that its reader came from.
type caseQueue struct{ Previous, Next, List string }

// caseQueue finds the neighbors of a case in the queue that the address describes: without filters that of all open cases.
func (a *App) caseQueue(c *fiber.Ctx, p Page, found models.Case) (q caseQueue, err error) {
	page := &casesPage{Page: p}
	f, wrong, err := a.caseFilter(c, page)
	if err != nil || wrong != nil {
		return q, err
	}
	q.List = withQuery("/cases", p.Query)
	for _, to := range []struct {
		newer bool
		path  *string
	}{{true, &q.Previous}, {false, &q.Next}} {
		f.Limit, f.Page = 1, models.Cursor{At: found.FoundAt, ID: found.ID, Newer: to.newer}
		list, _, err := a.Store.Cases(c.UserContext(), f)
		if err != nil {
			return q, err
		}
		if len(list) > 0 {
			*to.path = withQuery(casePath(list[0].ID), p.Query)
		}
	}
	return q, nil
}

// queue finds the neighbors of the open correction among those that wait, in the order of the page. Behind one that is decided
// the first follows that still waits.
func (p *correctionsPage) queue() {
	p.Keys = append(p.Keys, queueKey{"j", "Next correction that waits"}, queueKey{"k", "Previous correction that waits"},
		queueKey{"y", "Approve: goes to the button, and books nothing"}, queueKey{"n", "Refuse: opens the page that asks why"})
	var waiting []correctionItem
	for _, g := range p.Groups {
		if g.ID == "g-assigned" || g.ID == "g-waiting" {
			waiting = append(waiting, g.Items...)
		}
	}
	at := slices.IndexFunc(waiting, func(i correctionItem) bool { return i.Current })
	if at > 0 {
		p.Previous = waiting[at-1].Href
	}
	if at+1 < len(waiting) {
		p.Next = waiting[at+1].Href
	}
}

// correctionCounts are how many corrections wait, by what the reader has to do with them.
type correctionCounts struct{ forReader, tied, own int64 }

func (a *App) waitingCorrections(ctx context.Context, who *Reader, check bool) (n correctionCounts, err error) {
	waiting, err := a.Store.WaitingByMaker(ctx)
	if err != nil || len(waiting) == 0 {
		return n, err
	}
	var ties models.Ties
	if check {
		if ties, err = a.Store.Ties(ctx); err != nil {
			return n, err
		}
	}
	for maker, asked := range waiting {
		switch {
		case maker == who.ID:
			n.own += asked
		case check && ties.Between(maker, who.ID) != nil:
			n.tied += asked
		default:
			n.forReader += asked
		}
	}
	return n, nil
}

// correctionDeciders are those to whom a waiting correction can be assigned: not its maker, and nobody who is tied to them.
func (a *App) correctionDeciders(ctx context.Context, found models.Correction) (names []string, err error) {
	list, _, err := a.Store.ListStaff(ctx, models.StaffFilter{State: "enabled", Limit: mostColleagues})
	if err != nil {
		return nil, err
	}
	ties, err := a.Store.Ties(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		allowed, err := may(one.Role, checkCorrections)
		if err != nil {
			return nil, err
		}
		if allowed && one.ID != found.Maker.StaffID && ties.Between(found.Maker.StaffID, one.ID) == nil {
			names = append(names, one.Username)
		}
	}
	return names, nil
}

// assignCorrection makes somebody the one who is to decide a correction.
func (a *App) assignCorrection(c *fiber.Ctx) error {
	found, err := a.aCorrection(c)
	if err != nil {
		return err
	}
	names, err := a.correctionDeciders(c.UserContext(), found)
	if err != nil {
		return err
	}
	name, chosen, err := assignee(c, names)
	if err != nil {
		return err
	}
	if !chosen {
		return c.Redirect(correctionPath(found.ID), fiber.StatusSeeOther)
	}
	err = a.Store.AssignCorrection(c.UserContext(), a.signer(c), found.ID, posted(c, "seen"), name)
	var decided models.CorrectionDecidedError
	if errors.Is(err, models.ErrCorrectionTaken) || errors.As(err, &decided) {
		return a.flash(c, correctionPath(found.ID),
			views.Note{Kind: "wait", Icon: "info", Title: "A colleague was quicker",
				Text: "The correction has changed since you looked. You changed nothing."})
	}
	if err != nil {
		return a.decisionFailed(c, newForm(c), found, err)
	}
	return a.done(c, correctionPath(found.ID), assignedWords("Correction "+strconv.FormatInt(found.ID, 10), name))
}

// assignedWords says what an assignment has done.
func assignedWords(what, name string) string {
	if name == "" {
		return what + " is back in the queue."
	}
	return what + " is assigned to " + name + "."
}
