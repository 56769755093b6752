package app

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/views"
)

type overviewPage struct {
	Page
	Ways []views.Link // the pages that the reader may open
}

func (a *App) overview(c *fiber.Ctx) error {
	page := &overviewPage{Page: a.page(c, "Overview")}
	page.Lede = page.now.In(page.zone).Format("Monday 2 January, 15:04") + "."
	for _, group := range page.Menu {
		for _, item := range group.Items {
			if item.Path != "/" {
				page.Ways = append(page.Ways, views.Link{Word: item.Word, Href: item.Path, Icon: item.Icon})
			}
		}
	}
	return a.render(c, "overview/overview", page)
}

// healthz answers while the program runs; whether it can work is readyz's to say.
func (a *App) healthz(c *fiber.Ctx) error { return c.SendString("alive\n") }

func (a *App) metrics(c *fiber.Ctx) error {
	if a.Metrics == nil {
		return notFound("page")
	}
	return a.Metrics(c)
}

func (a *App) readyz(c *fiber.Ctx) error {
	if a.Ready != nil {
		return a.Ready(c)
	}
	if err := a.Store.Ping(c.UserContext()); err != nil {
		return c.Status(fiber.StatusServiceUnavailable).SendString("the database does not answer\n")
	}
	return c.SendString("ready\n")
}
