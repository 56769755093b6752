package staff

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The quarterly review of accounts: models/account_review.go.

type reviewPage struct {
	web.Page
	pages.ChangeForm
	Rows    []reviewRow
	Last    *models.ChangeRequest // nil before the first review
	Due     views.Moment
	Overdue bool
	Since   []views.Change // what has changed since the last review
}

type reviewRow struct {
	models.Staff
	Decision views.Select
}

// decisionName returns the name of the field with the decision about an account.
func decisionName(id int64) string { return "account-" + strconv.FormatInt(id, 10) }

func (a *Area) ReviewForm(c *fiber.Ctx) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	page := &reviewPage{Page: a.Page(c, "")}
	accounts, err := a.Store.UsableAccounts(ctx)
	if err != nil {
		return err
	}
	for _, s := range accounts {
		name := decisionName(s.ID)
		page.Rows = append(page.Rows, reviewRow{s, views.Select{ID: "f-" + name, Name: name, Wrong: f.Wrong[name],
			Choices: web.Choices(f.Text(name), "", "Decide", "keep", "Keep", "deactivate", "Deactivate")}})
	}
	due, err := a.Store.ReviewDue(ctx)
	if err != nil {
		return err
	}
	page.Due, page.Overdue = page.Time(due), due.Before(page.Now)
	last, found, err := a.Store.LastReview(ctx)
	if err != nil {
		return err
	}
	if found {
		page.Last, page.Since = &last, sinceReview(last, accounts)
	}
	if page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, web.ManageStaff, models.ChangeAccounts); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "staff/review", page)
}

// sinceReview returns what has changed since a review: accounts that are new, gone, or have another role.
func sinceReview(last models.ChangeRequest, now []models.Staff) (changes []views.Change) {
	before, err := models.ParseAccountReview(last.After)
	if err != nil {
		return []views.Change{{What: "The last review", Before: last.After}}
	}
	was := map[int64]models.ReviewedAccount{}
	for _, a := range before {
		if !a.Deactivate {
			was[a.ID] = a
		}
	}
	for _, s := range now {
		b, known := was[s.ID]
		delete(was, s.ID)
		change := views.Change{What: s.Username, Before: string(b.Role) + ", " + b.SignsIn, After: string(s.Role) + ", " + s.SignsInWith()}
		if !known {
			change.Before = "none"
		}
		if change.Before != change.After {
			changes = append(changes, change)
		}
	}
	for _, a := range before {
		if _, gone := was[a.ID]; gone {
			changes = append(changes, views.Change{What: a.Username, Before: string(a.Role) + ", " + a.SignsIn, After: "deactivated"})
		}
	}
	return changes
}

// Review requests that a second administrator confirms the decisions.
func (a *Area) Review(c *fiber.Ctx) error {
	const path = "/staff/review"
	f := web.NewForm(c)
	accounts, err := a.Store.UsableAccounts(c.UserContext())
	if err != nil {
		return err
	}
	reviewed := make([]models.ReviewedAccount, len(accounts))
	for i, s := range accounts {
		decision := f.Text(decisionName(s.ID))
		if reviewed[i] = s.Reviewed(decision == "deactivate"); decision != "keep" && decision != "deactivate" {
			f.Refuse(decisionName(s.ID), "Decide whether "+s.Username+" stays.")
		}
		if decision == "deactivate" && s.ID == web.ReaderOf(c).ID {
			f.Refuse(decisionName(s.ID), "You cannot deactivate yourself. Another administrator can request that.")
		}
	}
	return a.SendChange(c, f, path, "reason", models.ChangeAccounts, reviewed, func() error { return a.ShowAgain(c, f, path) })
}

// ReviewWaiting tells administrators that the review of accounts is overdue.
func (a *Area) ReviewWaiting(c *fiber.Ctx) (views.Todo, error) {
	due, err := a.Store.ReviewDue(c.UserContext())
	todo := views.Todo{Of: "review", At: a.Clock(c, due), Href: "/staff/review"}
	if err == nil && due.Before(a.Now()) {
		todo.N = 1
	}
	return todo, err
}
