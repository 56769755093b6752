package main

import (
	"fmt"
	"runtime"
)

// version is this program's version. A release sets it when it is built: -ldflags "-X main.version=1.2.3", or make
// VERSION=1.2.3.
var version = "0.1.0"

type versionCommand struct{}

// Run prints the version, the Go version and the platform, in one line.
func (versionCommand) Run(con *console) error {
	_, err := fmt.Fprintf(con.out, "pitboss %s, %s %s/%s\n", version, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	return err
}
