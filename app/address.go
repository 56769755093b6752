package app

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
)

// address returns where a request came from, for the audit log and for limits; it is empty if that cannot be known.
func (a *App) address(c *fiber.Ctx) string {
	at, _ := listener.Client(listener.Peer(c.Context().RemoteAddr()), &c.Request().Header, a.TrustedProxies)
	if !at.IsValid() {
		return ""
	}
	return at.String()
}
