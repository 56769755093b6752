package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pitboss/models/store"
)

const (
	purgeConnections = 16
	purgeTimeout     = time.Hour
	// filledYearsAgo is how old the bets are that the purge deletes, because it keeps only keptYears.
	filledYearsAgo = 3
	keptYears      = "PITBOSS_KEEP_LEDGER_YEARS=1"
)

// measurePurge fills a ledger with o.purge bets of some years ago, and has the program o.build purge it while players play. The
// store that fills the ledger has a clock that is that many years behind, so its chains and sums are of that time.
func measurePurge(ctx context.Context, o options, dir string, out io.Writer) (err error) {
	b, err := emptyBuild(ctx, o, filepath.Join(dir, "new"), o.build)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if _, err := b.command(ctx, nil, "migrate", "up"); err != nil {
		return err
	}
	if err := fillYearsAgo(ctx, o, b.url); err != nil {
		return err
	}
	before, err := b.engine.bytes(databaseName)
	if err != nil {
		return err
	}
	if err := b.start(ctx); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "purging")
	idle, procErr := b.used()
	rows, seconds, play, cpu, err := b.purge(ctx)
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	busy, busyErr := b.used()
	if err := b.stop(); err != nil {
		return err
	}
	after, err := b.engine.bytes(databaseName)
	if err != nil {
		return err
	}
	verified, err := b.command(ctx, nil, "verify")
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(verified, "\n")
	fmt.Fprintf(out, "purge of %d rows of %d players on %s, while %d connections play\n\n", rows, o.players, o.engine,
		purgeConnections)
	fmt.Fprintf(out, "rows per second: %.0f\ncallbacks per second meanwhile: %.0f\n", float64(rows)/seconds, play)
	if procErr == nil && busyErr == nil {
		used := busy.minus(idle)
		fmt.Fprintf(out, "processor seconds: %.1f of the purge, %.1f of the server and %.1f of its database; the last two "+
			"include play\n",
			cpu.Seconds(), used.server.Seconds(), used.database.Seconds())
	}
	fmt.Fprintf(out, "size on disk before and after, MB: %d and %d\n", before>>20, after>>20)
	fmt.Fprintf(out, "%d requests had a wrong answer or none\nledger verified: %s\n", b.failed, first)
	if b.failed > 0 {
		return fmt.Errorf("%d requests had a wrong answer or none", b.failed)
	}
	return nil
}

// fillYearsAgo makes the players and the ledger, and brings its sums of days up to date, as they always are before a purge.
func fillYearsAgo(ctx context.Context, o options, url string) error {
	then := func() time.Time { return time.Now().UTC().AddDate(-filledYearsAgo, 0, 0).Truncate(time.Microsecond) }
	s, err := store.Open(ctx, store.Config{URL: url, LedgerKey: []byte(ledgerKey), MaxConns: 300, Now: then})
	if err != nil {
		return err
	}
	defer s.Close()
	b := &bench{options: o, stores: []*store.Store{s}}
	if err := errors.Join(s.BeginLedger(ctx), b.importPlayers(ctx), b.fill(ctx, o.purge)); err != nil {
		return err
	}
	for _, follow := range []func(context.Context) (time.Time, error){s.FollowDays, s.FollowMoney} {
		if _, err := follow(ctx); err != nil {
			return err
		}
	}
	return nil
}

// purge runs the build's purge while players play. It returns how many rows went to the archive, the seconds that it took, the
// callbacks per second meanwhile, and its processor time.
func (b *build) purge(ctx context.Context) (rows int, seconds, play float64, cpu time.Duration, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, purgeTimeout, fmt.Errorf("it takes longer than %s", purgeTimeout))
	defer cancel()
	dir := filepath.Join(b.dir, "archive")
	var output []byte
	var failure error
	done := make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(done)
		cmd := b.prepare(ctx, []string{keptYears}, "purge", "run", "--archive", dir)
		output, failure = cmd.CombinedOutput()
		seconds = time.Since(begin).Seconds()
		if cmd.ProcessState != nil {
			cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
	}()
	play, err = b.playUntil(ctx, done)
	<-done
	if ctx.Err() != nil {
		return 0, 0, 0, 0, context.Cause(ctx)
	}
	if failure != nil {
		failure = fmt.Errorf("%w\n%s", failure, output)
	}
	if err = errors.Join(err, failure); err == nil {
		rows, err = archived(dir)
	}
	if err == nil && rows < b.options.purge {
		err = fmt.Errorf("only %d of %d rows were archived: %s", rows, b.options.purge, output)
	}
	return rows, seconds, play, cpu, err
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
