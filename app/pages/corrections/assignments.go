package corrections

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// correctionDeciders returns the usernames of the colleagues who can be asked to decide a waiting correction. Its maker is not
// among them.
func (a *Area) correctionDeciders(ctx context.Context, found models.Correction) (names []string, err error) {
	list, err := a.Store.ListStaff(ctx, models.StaffFilter{State: "enabled", Span: models.Span{Limit: pages.MaxColleagues}})
	if err != nil {
		return nil, err
	}
	for _, one := range list.Rows {
		if web.May(one.Role, web.CheckCorrections) && one.ID != found.Maker.StaffID {
			names = append(names, one.Username)
		}
	}
	return names, nil
}

// AssignCorrection assigns a correction to the colleague who should decide it.
func (a *Area) AssignCorrection(c *fiber.Ctx, found models.Correction) error {
	names, err := a.correctionDeciders(c.UserContext(), found)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	name, why, chosen := pages.Assignee(f, names)
	if !f.Ok() {
		return a.show(c, f, &found)
	}
	if !chosen {
		return c.Redirect(pages.CorrectionPath(found.ID), fiber.StatusSeeOther)
	}
	err = a.Store.AssignCorrection(c.UserContext(), a.Signer(c), found.ID, web.Posted(c, "seen"), name, why)
	var decided models.DecidedError
	if errors.Is(err, models.ErrCorrectionTaken) || errors.As(err, &decided) {
		return a.Flash(c, pages.CorrectionPath(found.ID), views.Info("A colleague was quicker",
			"The correction changed after you opened it. Your change was not saved."))
	}
	if err != nil {
		return a.DecisionFailed(c, pages.CorrectionPath(found.ID), err)
	}
	return a.Done(c, pages.CorrectionPath(found.ID), pages.AssignedWords("Correction "+strconv.FormatInt(found.ID, 10), name))
}
