package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a command has come: as a bar on a terminal; anywhere else as a line every progressInterval, so that a
// log file of a long run shows that it is alive.
type progress struct {
	con  *console
	what string
	bar  *progressbar.ProgressBar // nil without a terminal
	next time.Time                // when the next line is due
}

const progressInterval = 30 * time.Second

// unknownTotal is the total of a command that cannot tell how much there is to do.
const unknownTotal = -1

func newProgress(con *console, what string) *progress {
	p := &progress{con: con, what: what, next: time.Now().Add(progressInterval)}
	if f, ok := con.err.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(unknownTotal, progressbar.OptionSetWriter(con.err),
			progressbar.OptionSetDescription(what),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	}
	return p
}

// show reports how many of total are done. total may be unknownTotal.
func (p *progress) show(done, total int64) {
	if p.bar != nil {
		p.bar.ChangeMax64(total)
		p.bar.Set64(done)
		return
	}
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

// finish clears the bar.
func (p *progress) finish() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
