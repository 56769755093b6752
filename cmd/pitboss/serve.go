package main

import (
	"context"
	"fmt"
	"runtime"
)

type serveCommand struct {
	Check bool `help:"Only check the settings and the database. Exits with 0 if pitboss serve could start."`
}

// Run checks the settings, then serves until ctx ends.
func (c serveCommand) Run(ctx context.Context, con *console) error {
	settings, found := checkServer(ctx, con.environ, c.Check)
	if err := found.problems.Err(); err != nil {
		return err
	}
	if c.Check {
		for _, remark := range append(found.remarks, settings.Warnings()...) {
			fmt.Fprintln(con.out, remark)
		}
		fmt.Fprintln(con.out, "No problem was found: pitboss serve can start.")
		return nil
	}
	headroom := make([]byte, garbage)
	defer runtime.KeepAlive(headroom)
	log := newLog(con, settings.LogFormat)
	for _, remark := range found.remarks {
		log.Warn(remark)
	}
	server, err := NewServer(ctx, settings, log)
	if err != nil {
		return err
	}
	return server.Serve(ctx)
}

// garbage is the size of a block of memory that lets the heap grow further between two garbage collections. Go collects when
// the heap has doubled. This heap is small, so at a thousand callbacks per second that would be every second. The block counts
// as part of the heap, but nothing writes to it, so it takes no physical memory. A larger GOGC would multiply the whole heap.
const garbage = 64 << 20
