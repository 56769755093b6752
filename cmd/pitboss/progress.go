package main

import (
	"fmt"
	"time"
)

// progress prints a command's progress, one line every progressInterval.
type progress struct {
	con  *console
	what string
	next time.Time // when the next line is due
}

const progressInterval = 10 * time.Second

// unknownTotal is the total of a command that cannot tell how much there is to do.
const unknownTotal = -1

func newProgress(con *console, what string) *progress {
	return &progress{con, what, time.Now().Add(progressInterval)}
}

// show reports how many of total are done. total may be unknownTotal.
func (p *progress) show(done, total int64) {
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(progressInterval)
	if total == unknownTotal {
		fmt.Fprintf(p.con.err, "%s: %d\n", p.what, done)
		return
	}
	fmt.Fprintf(p.con.err, "%s: %d of %d\n", p.what, done, total)
}
