package web

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
)

// Address returns where a request came from, for the audit log and for limits; it is empty if that cannot be known.
func (s *Site) Address(c *fiber.Ctx) string {
	at, _ := listener.Client(listener.Peer(c.Context().RemoteAddr()), &c.Request().Header, s.TrustedProxies)
	if !at.IsValid() {
		return ""
	}
	return at.String()
}
