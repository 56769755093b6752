package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is this program's version. A release sets it when it is built: -ldflags "-X main.version=1.2.3", or make
// VERSION=1.2.3.
var version = "0.1.0-dev"

type versionCommand struct{}

// Run prints the version, the revision if the build knows it, the Go version and the platform, in one line.
func (versionCommand) Run(con *console) error {
	_, err := fmt.Fprintf(con.out, "pitboss %s%s, %s %s/%s\n", version, revision(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	return err
}

// revision returns the commit that the program was built from, or "" if it was built with -buildvcs=false.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	of, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			of = fmt.Sprintf(" (%.12s", s.Value)
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed"
		}
	}
	if of == "" {
		return ""
	}
	return of + changed + ")"
}
