package main

import (
	"fmt"
	"log/slog"
	"net/url"

	"pitboss/app/thumbnails"
)

// thumbnailSettings say where pictures of games may come from and where they are kept; see thumbnails.Config.
type thumbnailSettings struct {
	Hosts   []string `env:"PITBOSS_THUMBNAIL_HOSTS"` // the platform's by default
	Private onOff    `env:"PITBOSS_THUMBNAIL_PRIVATE" envDefault:"off"`
	Dir     string   `env:"PITBOSS_THUMBNAIL_DIR" envDefault:"var/thumbnails"`
}

func (s thumbnailSettings) check() (problems []error) {
	for _, host := range s.Hosts {
		if u, err := url.Parse("https://" + host); err != nil || u.Host != host || u.Hostname() == "" {
			problems = append(problems,
				fmt.Errorf("PITBOSS_THUMBNAIL_HOSTS: %q is not a host such as images.platform.example or 127.0.0.1:8090", host))
		}
	}
	return problems
}

// service returns the service that fetches thumbnails. Without a list of hosts, they may be on the platform's host.
func (s thumbnailSettings) service(platformURL string, log *slog.Logger) *thumbnails.Service {
	hosts := s.Hosts
	if base, err := url.Parse(platformURL); len(hosts) == 0 && err == nil {
		hosts = []string{base.Host}
	}
	return thumbnails.New(thumbnails.Config{Hosts: hosts, Private: bool(s.Private), Dir: s.Dir, Log: log})
}
