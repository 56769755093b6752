package callbacks

import (
	"net/netip"

	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
)

// client returns the address that a request comes from, and whether callbacks from it are answered. If a trusted proxy wrote
// something that is not an address, the client is unknown: the zero Addr, which no network contains.
func (s *Server) client(f *fiber.Ctx) (at netip.Addr, allowed bool) {
	at, ok := listener.Client(listener.Peer(f.Context().RemoteAddr()), &f.Request().Header, s.config.Proxies)
	if !ok {
		at = netip.Addr{}
	}
	return at, len(s.config.Allow) == 0 || s.config.Allow.Contains(at)
}
