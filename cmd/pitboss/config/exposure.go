package config

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"pitboss/callbacks/listener"
)

// Listeners are closed by default: if a listener is not on loopback, pitboss serve only starts if the settings say who may connect
// and how data is protected in transit. With PITBOSS_PLAIN_HTTP, an operator can accept less protection. As long as it is set, the
// log, /readyz, the platform's page and `pitboss golive` warn about it.

// allowList is a list of networks, or "any" for every address.
type allowList struct {
	Any bool
	listener.Networks
}

// UnmarshalText reads networks, or any.
func (l *allowList) UnmarshalText(text []byte) error {
	*l = allowList{}
	if string(bytes.TrimSpace(text)) == "any" {
		l.Any = true
		return nil
	}
	if err := l.Networks.UnmarshalText(text); err != nil {
		return fmt.Errorf("%w, nor is it the word any", err)
	}
	for _, n := range l.Networks {
		if tooWide(n) {
			return fmt.Errorf("%s includes all or nearly all addresses; if you mean that, set it to any", n)
		}
	}
	return nil
}

// tooWide reports whether a network is so large that a few like it cover all addresses: larger than 10.0.0.0/8 or fc00::/7, the
// largest private networks.
func tooWide(n netip.Prefix) bool { return n.Bits() < 7 || n.Addr().Is4() && n.Bits() < 8 }

// String returns the networks, or any.
func (l allowList) String() string {
	if l.Any {
		return "any"
	}
	return strings.Trim(fmt.Sprint(l.Networks), "[]")
}

// MarshalText returns the same text as String, for the digests of settings.
func (l allowList) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// onLoopback reports whether only this machine can reach an address. It does not look up names other than "localhost", because
// their addresses may change.
func onLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return true // Check refuses such an address
	}
	return IsLoopback(host)
}

// IsLoopback reports whether a host can only mean this machine.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// plain returns a warning, with its remedy, for each kind of data that the settings let cross the network in plain HTTP.
func (s Server) plain() (list []string) {
	for _, l := range []struct {
		what, addr, proxy string
		proxies           listener.Networks
	}{
		{"callbacks, which others could read and replay,", s.Callbacks.Addr, "PITBOSS_CALLBACK_PROXY", s.Callbacks.Proxy},
		{"passwords of staff", s.Site.Addr, "PITBOSS_ADMIN_PROXY", s.Site.AdminProxy},
		{"tokens of API clients", s.Clients.Addr, "PITBOSS_API_PROXY", s.Clients.APIProxy},
	} {
		if !onLoopback(l.addr) && len(l.proxies) == 0 {
			list = append(list, fmt.Sprintf("%s come over plain HTTP to %s: put a TLS proxy in front and name it in %s", l.what, l.addr,
				l.proxy))
		}
	}
	if u, err := url.Parse(s.API.URL); err == nil && u.Scheme == "http" && !IsLoopback(u.Hostname()) {
		list = append(list, "PITBOSS_PLATFORM_URL is not https: anyone on the network path can read the API token and change answers")
	}
	return list
}

// checkExposure returns a problem for each listener that is more open than the settings explicitly allow.
func (s Server) checkExposure() (p Problems) {
	for variable, list := range map[string]listener.Networks{"PITBOSS_CALLBACK_PROXY": s.Callbacks.Proxy,
		"PITBOSS_ADMIN_PROXY": s.Site.AdminProxy, "PITBOSS_API_PROXY": s.Clients.APIProxy} {
		for _, n := range list { // with such a proxy, anybody could forge an address
			p.must(!tooWide(n), "%s: %s includes all or nearly all addresses, and a trusted proxy can claim any address; name the proxy",
				variable, n)
		}
	}
	c := s.Callbacks
	p.must(len(c.Allow.Networks) > 0 || c.Allow.Any || onLoopback(c.Addr) && len(c.Proxy) == 0,
		"PITBOSS_CALLBACK_ALLOW is not set, and other machines can reach %s, or call through the proxy in PITBOSS_CALLBACK_PROXY. Name "+
			"the networks from which the platform calls, such as 192.0.2.0/24; or set it to any if every address may call", c.Addr)
	for _, what := range s.plain() {
		p.must(bool(s.PlainHTTP), "%s, or accept this with PITBOSS_PLAIN_HTTP=on", what)
	}
	return p
}

// Warnings describes the accepted settings that are less safe than they could be.
func (s Server) Warnings() (list []string) {
	if s.Callbacks.Allow.Any {
		list = append(list, "Any address may send callbacks (PITBOSS_CALLBACK_ALLOW=any): only the secret key keeps strangers "+
			"out. Name the platform's networks instead.")
	}
	for _, what := range s.plain() {
		list = append(list, strings.ToUpper(what[:1])+what[1:]+". PITBOSS_PLAIN_HTTP allows this.")
	}
	return list
}
