package config

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"pitboss/callbacks/listener"
)

// Listeners are closed by default: other than on loopback, pitboss serve only starts if the settings say who may connect and
// how data is protected in transit. An operator can accept less with separate settings, and is warned as long as they are set:
// in the log, at /readyz, on the platform's page and by `pitboss golive`.

// allowList is a list of networks, or "any" for everybody.
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
			return fmt.Errorf("%s includes all or nearly all addresses; if you mean that, write any", n)
		}
	}
	return nil
}

// tooWide reports whether a network is so large that a few of them include everybody: larger than 10.0.0.0/8 and fc00::/7, the
// largest private networks.
func tooWide(n netip.Prefix) bool { return n.Bits() < 7 || n.Addr().Is4() && n.Bits() < 8 }

// String returns the networks, or any.
func (l allowList) String() string {
	if l.Any {
		return "any"
	}
	return strings.Trim(fmt.Sprint(l.Networks), "[]")
}

// MarshalText returns the same, for the digests of settings.
func (l allowList) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// onLoopback reports whether an address can only be reached from this machine. Names other than "localhost" are not looked up,
// because their meaning may change.
func onLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return true // the check of the address refuses it
	}
	return IsLoopback(host)
}

// IsLoopback reports whether a host can only be this machine.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// inTheClear reports whether callbacks from other machines use plain HTTP, as far as the settings show.
func (s Callbacks) inTheClear() bool {
	return !onLoopback(s.Addr) && len(s.Proxy) == 0
}

func (s Site) inTheClear() bool { return !onLoopback(s.Addr) && len(s.AdminProxy) == 0 }

func (s Clients) inTheClear() bool {
	return s.Addr != "" && !onLoopback(s.Addr) && len(s.APIProxy) == 0
}

func (s API) inTheClear() bool {
	u, err := url.Parse(s.URL)
	return err == nil && u.Scheme != "https" && !IsLoopback(u.Hostname())
}

// checkProxies refuses a list of proxies that includes everybody, because then anybody could forge their address.
func checkProxies(variable string, list listener.Networks) (problems []error) {
	for _, n := range list {
		if tooWide(n) {
			problems = append(problems,
				fmt.Errorf("%s: %s includes all or nearly all addresses, and a trusted proxy can claim any address; "+
					"name the proxy", variable, n))
		}
	}
	return problems
}

func (s Callbacks) checkExposure() (problems []error) {
	problems = checkProxies("PITBOSS_CALLBACK_PROXY", s.Proxy)
	if len(s.Allow.Networks) == 0 && !s.Allow.Any {
		from := ""
		switch {
		case !onLoopback(s.Addr):
			from = "other machines can reach " + s.Addr
		case len(s.Proxy) > 0: // the listener is on loopback; everybody comes through the proxy
			from = "other machines call through the proxy in PITBOSS_CALLBACK_PROXY"
		}
		if from != "" {
			problems = append(problems,
				errors.New("PITBOSS_CALLBACK_ALLOW is not set, and "+from+". Name the networks from which "+
					"the platform calls, such as 192.0.2.0/24; or write any, if any address may call"))
		}
	}
	if s.inTheClear() && !bool(s.PlainHTTP) {
		problems = append(problems,
			fmt.Errorf("callbacks on %s would come over plain HTTP. Name the TLS proxy in front in "+
				"PITBOSS_CALLBACK_PROXY, or accept this with PITBOSS_CALLBACK_PLAIN_HTTP=on", s.Addr))
	}
	return problems
}

func (s Site) checkExposure() (problems []error) {
	problems = checkProxies("PITBOSS_ADMIN_PROXY", s.AdminProxy)
	if s.inTheClear() && !bool(s.AdminPlainHTTP) {
		problems = append(problems,
			errors.New("passwords of staff would come over plain HTTP to "+s.Addr+". Listen on 127.0.0.1, "+
				"name the TLS proxy in front in PITBOSS_ADMIN_PROXY, or accept this with PITBOSS_ADMIN_PLAIN_HTTP=on"))
	}
	return problems
}

func (s Clients) checkExposure() (problems []error) {
	problems = checkProxies("PITBOSS_API_PROXY", s.APIProxy)
	if s.inTheClear() && !bool(s.APIPlainHTTP) {
		problems = append(problems,
			errors.New("tokens of API clients would come over plain HTTP to "+s.Addr+". Listen on 127.0.0.1, "+
				"name the TLS proxy in front in PITBOSS_API_PROXY, or accept this with PITBOSS_API_PLAIN_HTTP=on"))
	}
	return problems
}

// Warnings returns which accepted settings are less safe than they could be.
func (s Server) Warnings() []string {
	list := append(s.Callbacks.Warnings(), s.API.Warnings()...)
	if s.Site.inTheClear() {
		list = append(list, "The back office is served over plain HTTP to other machines (PITBOSS_ADMIN_PLAIN_HTTP): "+
			"anyone on the network path can read passwords. Put a TLS proxy in front and name it in PITBOSS_ADMIN_PROXY.")
	}
	if s.Clients.inTheClear() {
		list = append(list, "The API is served over plain HTTP to other machines (PITBOSS_API_PLAIN_HTTP): anyone on the network "+
			"path can read the clients' tokens and use them. Put a TLS proxy in front and name it in PITBOSS_API_PROXY.")
	}
	return list
}

func (s Callbacks) Warnings() (list []string) {
	if s.Allow.Any {
		list = append(list, "Any address may send callbacks (PITBOSS_CALLBACK_ALLOW=any): only the secret key keeps strangers "+
			"out. Name the platform's networks instead.")
	}
	if s.inTheClear() {
		list = append(list, "Callbacks come over plain HTTP (PITBOSS_CALLBACK_PLAIN_HTTP): anyone on the network path can "+
			"read, copy and replay them. Put a TLS proxy in front and name it in PITBOSS_CALLBACK_PROXY.")
	}
	return list
}

func (s API) Warnings() []string {
	if !s.inTheClear() {
		return nil
	}
	return []string{"The platform is called over plain HTTP (PITBOSS_PLATFORM_PLAIN_HTTP): anyone on the network path can " +
		"read the API token and change answers. Use an https address in PITBOSS_PLATFORM_URL."}
}
