package app

import "github.com/gofiber/fiber/v2"

// Health checks for monitors and load balancers.

// healthz answers as long as the program runs.
func (a *App) healthz(c *fiber.Ctx) error { return c.SendString("alive\n") }

// readyz answers with status 200 if callbacks and pages can be served, or 503 if they cannot.
func (a *App) readyz(c *fiber.Ctx) error {
	if a.ready != nil {
		return a.ready(c)
	}
	if err := a.Store.Ping(c.UserContext()); err != nil {
		return c.Status(fiber.StatusServiceUnavailable).SendString("the database does not answer\n")
	}
	return c.SendString("ready\n")
}
