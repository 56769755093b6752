// Package atonce runs the independent reads of a page at the same time.
package atonce

import (
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// readsAtOnce limits the reads of one page that run at the same time, so that the page does not take all of the pool's
// connections.
const readsAtOnce = 4

// Read runs the reads and returns the first error. A page with many reads then waits only for the slowest one. The reads may
// use the request's context and its reader, but must not search its header or change the request. If a read panics, the error
// has the stack.
func Read(reads ...func() error) error {
	var group errgroup.Group
	group.SetLimit(readsAtOnce)
	for _, read := range reads {
		group.Go(func() error { return Recovering(read) })
	}
	return group.Wait()
}

// Recovering calls run and returns its error, or an error if run panics. Outside a handler, a panic would end the program.
func Recovering(run func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return run()
}
