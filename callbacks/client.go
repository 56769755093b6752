package callbacks

import (
	"net/netip"

	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
)

// client returns the address that a request comes from. If a trusted proxy wrote something that is not an address, the client
// is unknown: the zero Addr, which no network contains.
func (s *Server) client(f *fiber.Ctx) netip.Addr {
	at, ok := listener.Client(listener.Peer(f.Context().RemoteAddr()), &f.Request().Header, s.config.Proxies)
	if !ok {
		return netip.Addr{}
	}
	return at
}

// allowed reports whether callbacks from this address are answered.
func (s *Server) allowed(client netip.Addr) bool {
	return len(s.config.Allow) == 0 || s.config.Allow.Contains(client)
}
