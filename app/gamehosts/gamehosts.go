// Package gamehosts decides on which hosts a game may be opened, and what else pages may load.
package gamehosts

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Policy returns the Content-Security-Policy of our pages. The hosts of games are in form-action because a launch is a POST
// that redirects to them, and Chromium checks redirects against this list.
func Policy(gameHosts []string) (string, error) {
	forms := []string{"'self'"}
	for _, host := range gameHosts {
		u, err := url.Parse("https://" + host)
		if err != nil || u.Host != host || strings.ContainsAny(host, " ;,'\"*") || host == "" {
			return "", fmt.Errorf("%q is not a host that games may be opened on", host)
		}
		forms = append(forms, "https://"+host)
		if isLoopback(u.Hostname()) {
			forms = append(forms, "http://"+host)
		}
	}
	return strings.Join([]string{
		"default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'", "font-src 'self'",
		"connect-src 'self'",
		"form-action " + strings.Join(forms, " "), "frame-ancestors 'none'", "base-uri 'none'",
	}, "; "), nil
}

func isLoopback(host string) bool { return host == "127.0.0.1" || host == "localhost" || host == "::1" }

// Allow reports whether a launch may redirect to an address: over https to one of the hosts, or over http to one on this
// machine.
func Allow(hosts []string, u *url.URL) bool {
	return u.User == nil && slices.Contains(hosts, u.Host) &&
		(u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()))
}
