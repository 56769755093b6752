package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// purge is the time in which a build archived and deleted its whole ledger while players played.
type purge struct {
	rows    int // lines of the archives; 0 if the purge was left out
	seconds float64
	play    float64 // callbacks per second meanwhile
	size    int64   // bytes on disk afterwards
}

// rate is in rows per second, or 0 if the purge was left out.
func (p purge) rate() float64 {
	if p.rows == 0 {
		return 0
	}
	return float64(p.rows) / p.seconds
}

const (
	purgeConnections = 16
	purgeTimeout     = time.Hour
)

// keepNothing asks for a purge of everything. A build that keeps at least a year refuses that. -env may name other settings.
const keepNothing = "PITBOSS_KEEP_LEDGER_YEARS=0"

// measurePurge purges both ledgers, one after the other.
func (c *comparison) measurePurge(ctx context.Context) error {
	for i, b := range c.builds {
		fmt.Fprintf(os.Stderr, "purging the %s ledger\n", b.name)
		p, refusal, err := b.purge(ctx)
		if err != nil {
			return fmt.Errorf("purge of the %s build: %w", b.name, err)
		}
		if refusal != "" {
			c.remarks = append(c.remarks, fmt.Sprintf("the %s build's purge is left out: %s", b.name, refusal))
		}
		c.purges[i] = p
	}
	return nil
}

// purge runs the build's purge while players play. If there was nothing to measure, refusal is the last line that the build
// printed.
func (b *build) purge(ctx context.Context) (p purge, refusal string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, purgeTimeout, fmt.Errorf("it takes longer than %s", purgeTimeout))
	defer cancel()
	dir := filepath.Join(b.dir, "archive")
	var output string
	var failure error
	done := make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(done)
		output, failure = b.command(ctx, []string{keepNothing}, "purge", "run", "--archive", dir)
		p.seconds = time.Since(begin).Seconds()
	}()
	rate, err := b.playUntil(ctx, done)
	<-done
	if ctx.Err() != nil {
		return purge{}, "", context.Cause(ctx)
	}
	if err != nil {
		return purge{}, "", err
	}
	if failure != nil {
		output = failure.Error()
	} else if p.rows, err = archived(dir); err != nil {
		return purge{}, "", err
	}
	if p.rows == 0 {
		output = strings.TrimSpace(output)
		return purge{}, output[strings.LastIndexByte(output, '\n')+1:], nil
	}
	p.play = rate
	return p, "", nil
}

// playUntil lets players play until done is closed and returns the callbacks per second.
func (b *build) playUntil(ctx context.Context, done <-chan struct{}) (rate float64, err error) {
	j := b.job(b.addr, play, purgeConnections)
	j.Count = purgeConnections * requestCap
	var requests int
	var seconds float64
	for {
		s, err := j.run(ctx)
		if err != nil {
			return 0, err
		}
		requests, seconds, b.failed = requests+s.Requests, seconds+s.Seconds, b.failed+s.Failed
		select {
		case <-done:
			return float64(requests) / seconds, nil
		default:
		}
	}
}

// archived counts the lines of all archives in dir.
func archived(dir string) (rows int, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.gz"))
	if err != nil {
		return 0, err
	}
	for _, path := range paths {
		n, err := countLines(path)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
		rows += n
	}
	return rows, nil
}

func countLines(path string) (n int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		return 0, err
	}
	buffer := make([]byte, 64<<10)
	for {
		read, err := z.Read(buffer)
		n += bytes.Count(buffer[:read], []byte("\n"))
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
}
