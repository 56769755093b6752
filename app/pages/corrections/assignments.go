package corrections

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// queue adds the shortcut keys, and finds the waiting corrections before and after the open one in the order of the page. If
// the open correction is already decided, the next one is the first that waits.
func (p *correctionsPage) queue() {
	p.Keys = append(p.Keys, web.QueueKey{Key: "j", Word: "Next waiting correction"},
		web.QueueKey{Key: "k", Word: "Previous waiting correction"},
		web.QueueKey{Key: "y", Word: "Approve: moves to the button, books nothing"},
		web.QueueKey{Key: "n", Word: "Refuse: opens the page that asks for a reason"})
	var waiting []correctionItem
	for _, g := range p.Groups {
		if g.Name == "assigned" || g.Name == "waiting" {
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

// correctionCounts are the numbers of waiting corrections: those that the reader can decide, those of makers tied to the
// reader, and the reader's own.
type correctionCounts struct{ forReader, tied, own int64 }

func (a *Area) waitingCorrections(ctx context.Context, who *web.Reader, check bool) (n correctionCounts, err error) {
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

// correctionDeciders returns the usernames of the colleagues to whom a waiting correction can be assigned. Its maker and people
// tied to its maker are not among them.
func (a *Area) correctionDeciders(ctx context.Context, found models.Correction) (names []string, err error) {
	list, err := a.Store.ListStaff(ctx, models.StaffFilter{State: "enabled", Span: models.Span{Limit: pages.MaxColleagues}})
	if err != nil {
		return nil, err
	}
	ties, err := a.Store.Ties(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range list.Rows {
		allowed := web.May(one.Role, web.CheckCorrections)
		if allowed && one.ID != found.Maker.StaffID && ties.Between(found.Maker.StaffID, one.ID) == nil {
			names = append(names, one.Username)
		}
	}
	return names, nil
}

// AssignCorrection assigns a correction to the person who should decide it.
func (a *Area) AssignCorrection(c *fiber.Ctx, found models.Correction) error {
	names, err := a.correctionDeciders(c.UserContext(), found)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	name, chosen := pages.Assignee(f, names)
	if !f.Ok() {
		return a.showCorrection(c, f, nil)
	}
	if !chosen {
		return c.Redirect(pages.CorrectionPath(found.ID), fiber.StatusSeeOther)
	}
	err = a.Store.AssignCorrection(c.UserContext(), a.Signer(c), found.ID, web.Posted(c, "seen"), name)
	var decided models.DecidedError
	if errors.Is(err, models.ErrCorrectionTaken) || errors.As(err, &decided) {
		return a.Flash(c, pages.CorrectionPath(found.ID), views.Info("A colleague was quicker",
			"The correction changed after you opened it. Your change was not saved."))
	}
	if err != nil {
		return a.decisionFailed(c, f, found, err)
	}
	return a.Done(c, pages.CorrectionPath(found.ID), pages.AssignedWords("Correction "+strconv.FormatInt(found.ID, 10), name))
}
