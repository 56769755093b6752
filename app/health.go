package app

import "github.com/gofiber/fiber/v2"

// What machines ask: whether the program runs, and whether it can work.

// healthz answers as long as the program runs; readyz says whether it can work.
func (a *App) healthz(c *fiber.Ctx) error { return c.SendString("alive\n") }

// readyz answers whether callbacks and pages can be served.
func (a *App) readyz(c *fiber.Ctx) error {
	if a.ready != nil {
		return a.ready(c)
	}
	if err := a.Store.Ping(c.UserContext()); err != nil {
		return c.Status(fiber.StatusServiceUnavailable).SendString("the database does not answer\n")
	}
	return c.SendString("ready\n")
}
