// Package gamehosts decides on which hosts a game may be opened, and what else pages may load.
package gamehosts

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Policy returns the Content-Security-Policy of our pages. The hosts of games are in form-action because a launch is a POST
// that redirects to them, and Chromium checks redirects against this list. Browsers load pictures of games from the hosts of
// thumbnails, and from no others, whatever the platform's list of games says.
func Policy(gameHosts, thumbnailHosts []string) (string, error) {
	forms, err := sources(gameHosts, "games may be opened on")
	if err != nil {
		return "", err
	}
	pictures, err := sources(thumbnailHosts, "pictures of games may be loaded from")
	if err != nil {
		return "", err
	}
	return strings.Join([]string{
		"default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src " + pictures, "font-src 'self'",
		"connect-src 'self'",
		"form-action " + forms, "frame-ancestors 'none'", "base-uri 'none'",
	}, "; "), nil
}

// sources returns the value of a directive that allows this site and the hosts.
func sources(hosts []string, purpose string) (string, error) {
	list := []string{"'self'"}
	for _, host := range hosts {
		u, err := url.Parse("https://" + host)
		if err != nil || u.Host != host || strings.ContainsAny(host, " ;,'\"*") || host == "" {
			return "", fmt.Errorf("%q is not a host that %s, such as images.platform.example or 127.0.0.1:8090", host, purpose)
		}
		list = append(list, "https://"+host)
		if isLoopback(u.Hostname()) {
			list = append(list, "http://"+host)
		}
	}
	return strings.Join(list, " "), nil
}

func isLoopback(host string) bool { return host == "127.0.0.1" || host == "localhost" || host == "::1" }

// Allow reports whether a launch may redirect to an address, or a page may show a picture: over https to one of the hosts, or
// over http to one on this machine.
func Allow(hosts []string, u *url.URL) bool {
	return u.User == nil && slices.Contains(hosts, u.Host) &&
		(u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()))
}
