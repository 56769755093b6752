package staff

import (
	"fmt"
	"slices"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/credentials"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The quarterly review of accounts. models/account_review.go has its rules.

type reviewPage struct {
	web.Page
	pages.ChangeForm
	Rows    []models.Staff
	Last    *models.ChangeRequest // nil before the first review
	Due     views.Moment
	Overdue bool
	Since   []views.Change // changes since the last review
	Seen    string         // identifies the list that the reader signs
}

func (a *Area) ReviewForm(c *fiber.Ctx) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	page := &reviewPage{Page: a.Page(c, "")}
	var err error
	if page.Rows, err = a.Store.UsableAccounts(ctx); err != nil {
		return err
	}
	page.Seen = seen(page.Rows)
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
		before, err := models.ParseAccountReview(last.After)
		if err != nil {
			return err
		}
		page.Last, page.Since = &last, slices.DeleteFunc(pages.ReviewChanges(before, reviewed(page.Rows)), views.Change.Same)
	}
	if page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, models.ChangeAccounts); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "staff/review", page)
}

func reviewed(accounts []models.Staff) (list []models.ReviewedAccount) {
	for _, s := range accounts {
		list = append(list, s.Reviewed())
	}
	return list
}

// seen identifies a list of accounts, so that nobody signs for an account that their page did not show.
func seen(accounts []models.Staff) string {
	return credentials.Sha256Text(fmt.Sprint(reviewed(accounts)))
}

// Review asks a second administrator to confirm the review.
func (a *Area) Review(c *fiber.Ctx) error {
	accounts, err := a.Store.UsableAccounts(c.UserContext())
	if err != nil {
		return err
	}
	const path = "/staff/review"
	f := web.NewForm(c)
	if f.Text("seen") != seen(accounts) {
		f.Refuse("reason", "An account has changed since you opened this page. Look at the list again.")
	}
	return a.SendChange(c, f, path, models.ChangeAccounts, reviewed(accounts),
		func(c *fiber.Ctx) error { return a.ShowAgain(c, f, path) })
}

// ReviewWaiting reminds administrators that the review of accounts is overdue.
func (a *Area) ReviewWaiting(c *fiber.Ctx) (views.Todo, error) {
	due, err := a.Store.ReviewDue(c.UserContext())
	todo := views.Todo{One: "Review of accounts overdue", Note: "since " + a.Clock(c, due), Href: "/staff/review"}
	if err == nil && due.Before(a.Now()) {
		todo.N = 1
	}
	return todo, err
}
