package web

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
)

// Address returns where a request came from, for the audit log and for limits; it is empty if that cannot be known. It is looked
// up once, since parts of a page that are read at the same time must not search the header: fasthttp does that in one buffer.
func (s *Site) Address(c *fiber.Ctx) string {
	if known, ok := c.Locals(addressKey).(string); ok {
		return known
	}
	address := ""
	if at, _ := listener.Client(listener.Peer(c.Context().RemoteAddr()), &c.Request().Header, s.TrustedProxies); at.IsValid() {
		address = at.String()
	}
	c.Locals(addressKey, address)
	return address
}
