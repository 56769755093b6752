package callbacks

import (
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// client is the address a request comes from: the connection's other end, or, where that is a proxy of ours, the first address
// in X-Forwarded-For, read from the right, that is not a proxy of ours. Everything to the left of that one was written by
// somebody whom we have no reason to believe. Where a proxy of ours names something that is no address, the client is unknown:
// the zero Addr, which no network contains.
func (s *Server) client(f *fiber.Ctx) netip.Addr {
	at := peer(f.Context().RemoteAddr())
	if len(s.config.Proxies) == 0 || !s.config.Proxies.Contains(at) {
		return at
	}
	headers := f.Request().Header.PeekAll(fiber.HeaderXForwardedFor)
	for i := len(headers) - 1; i >= 0; i-- {
		list := string(headers[i])
		for list != "" {
			item := list
			if comma := strings.LastIndexByte(list, ','); comma >= 0 {
				item, list = list[comma+1:], list[:comma]
			} else {
				list = ""
			}
			next, ok := forwardedAddr(strings.TrimSpace(item))
			if !ok {
				return netip.Addr{}
			}
			if at = next; !s.config.Proxies.Contains(at) {
				return at
			}
		}
	}
	return at
}

// forwardedAddr reads an address as proxies write them: bare, or with a port behind it.
func forwardedAddr(item string) (netip.Addr, bool) {
	if addr, err := netip.ParseAddr(item); err == nil {
		return addr.Unmap().WithZone(""), true
	}
	if withPort, err := netip.ParseAddrPort(item); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	return netip.Addr{}, false
}

// allowed reports whether callbacks from this address are answered.
func (s *Server) allowed(client netip.Addr) bool {
	return len(s.config.Allow) == 0 || s.config.Allow.Contains(client)
}
