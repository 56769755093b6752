// Package atonce runs independent reads of a page at the same time.
package atonce

import (
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// readsAtOnce is how many reads of one page run at the same time, so that one page does not take all of the pool's connections.
const readsAtOnce = 4

// Read runs the reads and returns the first error. A page made of many reads then waits only for the longest of them. The reads
// may use the request's context and its reader, but must neither search its header nor change the request. If one panics, the
// error has its stack.
func Read(reads ...func() error) error {
	var group errgroup.Group
	group.SetLimit(readsAtOnce)
	for _, read := range reads {
		group.Go(func() error { return Recovering(read) })
	}
	return group.Wait()
}

// Recovering returns what run returns, or an error if it panics: outside a handler, a panic would end the program.
func Recovering(run func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return run()
}
