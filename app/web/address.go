package web

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
)

// Address returns where a request came from, for the audit log and for limits, or an empty string if that is unknown. It is
// looked up once, because parts of a page that are read at the same time must not search the header: fasthttp uses one buffer
// for that.
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
