package app

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// clientAddress is where a request came from. Behind trusted proxies it is the rightmost address of X-Forwarded-For that is none
// of theirs: what stands left of it was written by the client and may be anything.
func clientAddress(c *fiber.Ctx, trusted []netip.Prefix) string {
	peer, ok := netip.AddrFromSlice(c.Context().RemoteIP())
	if !ok {
		return ""
	}
	peer = peer.Unmap()
	isTrusted := func(at netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(at) })
	}
	if !isTrusted(peer) {
		return peer.String()
	}
	var hops []string
	for _, header := range c.Request().Header.PeekAll(fiber.HeaderXForwardedFor) {
		hops = append(hops, strings.Split(string(header), ",")...)
	}
	for _, hop := range slices.Backward(hops) {
		at, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		peer = at.Unmap()
		if !isTrusted(peer) {
			break
		}
	}
	return peer.String()
}
