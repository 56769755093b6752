package main

import (
	"context"
	"reflect"
)

type serveCommand struct{}

// everySetting are the groups of settings that any command reads.
var everySetting = []reflect.Type{reflect.TypeFor[serverSettings](), reflect.TypeFor[simulatorSettings]()}

// Run serves until ctx ends.
func (serveCommand) Run(ctx context.Context, con *console) error {
	settings, err := load[serverSettings](con.environ)
	if err != nil {
		return err
	}
	log := newLog(con, settings.LogFormat)
	for _, name := range unknownVariables(con.environ, everySetting...) {
		log.Warn("This variable is no setting of Pitboss; is it misspelt?", "name", name)
	}
	server, err := NewServer(ctx, settings, log)
	if err != nil {
		return err
	}
	return server.Serve(ctx)
}
