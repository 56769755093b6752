package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// buildNames are the names of the two builds, and of their folders.
var buildNames = [2]string{"old", "new"}

// comparison is a run with two builds. In every pair, the first is the old build's and the second the new build's.
type comparison struct {
	options
	builds   [2]*build // those of the current rounds
	order    [2]int    // in which they start
	failed   [2]int    // callbacks with a wrong answer or none
	verified []string  // what the verifications of the ledgers said
	readings map[cell]*[2][]sample
	storage  [2]storage
}

// cell is one workload on a number of connections.
type cell struct {
	name        string // in -only and in the table
	workload    workload
	hot         bool // everything goes to one player
	connections int
}

// cells are the workloads, without their connections.
var cells = []cell{{name: "play", workload: play}, {name: "bets", workload: bets}, {name: "one-player", workload: play, hot: true},
	{name: "balance", workload: balances}}

// measure puts load on the build's callbacks.
func (b *build) measure(ctx context.Context, j job) (sample, error) {
	s, err := j.run()
	if err != nil {
		return s, fmt.Errorf("load of the %s build, %s at %d connections: %w", b.name, j.Workload, j.Connections, err)
	}
	if b.failed += s.Failed; s.Failed > 0 {
		fmt.Fprintf(os.Stderr, "  %d FAILED: %s\n", s.Failed, s.Failure)
	}
	return s, ctx.Err()
}

// compareBuilds compares the programs o.against and o.build, keeps their data in dir and writes the result to out.
//
// Both builds get new databases and servers every few rounds, and take turns in starting first. A server is faster or slower
// than another one of the same build, for as long as it runs, and the second one to start is usually slower: when servers lived
// as long as the comparison, a build reached 0.92 to 1.03 of its own rate at 64 connections.
func compareBuilds(ctx context.Context, o options, dir string, out io.Writer) error {
	c := &comparison{options: o, readings: map[cell]*[2][]sample{}}
	for from := 0; from < o.rounds; from += newServers {
		if err := c.run(ctx, dir, from, min(from+newServers, o.rounds)); err != nil {
			return err
		}
	}
	c.print(out)
	io.WriteString(out, strings.Join(c.verified, ""))
	if failed := c.failed[0] + c.failed[1]; failed > 0 {
		return fmt.Errorf("%d requests had a wrong answer or none", failed)
	}
	fmt.Fprintln(out, "every answer was right")
	return nil
}

// newServers is how many rounds are measured with the same servers. A multiple of twice as many rounds gives both builds the
// first turn equally often.
const newServers = 2

// run makes both databases in a new folder in dir, and measures the given rounds. After the last round, it also measures the
// space that bets take.
func (c *comparison) run(ctx context.Context, dir string, from, to int) (err error) {
	dir = filepath.Join(dir, strconv.Itoa(from))
	first := from / newServers % 2
	c.order = [2]int{first, 1 - first}
	c.builds = [2]*build{}
	defer func() {
		for i, b := range c.builds {
			if b != nil {
				err = errors.Join(err, b.close())
				c.failed[i] += b.failed
			}
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}()
	fmt.Fprintln(os.Stderr, "creating two databases with players")
	programs, variables := [2]string{c.against, c.build}, [2][]string{nil, c.env}
	for _, i := range c.order {
		c.builds[i], err = newBuild(ctx, c.options, filepath.Join(dir, buildNames[i]), programs[i], variables[i])
		if err != nil {
			return err
		}
	}
	for _, i := range c.order {
		if err := c.builds[i].start(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintln(os.Stderr, "warming up")
	for _, i := range c.order { // a database's first seconds are not typical
		if _, err := c.builds[i].measure(ctx, c.builds[i].job(c.builds[i].addr, play, 64)); err != nil {
			return err
		}
	}
	for round := from; round < to; round++ {
		if err := c.measureRates(ctx, round); err != nil {
			return err
		}
	}
	if to == c.rounds && c.fill > 0 {
		if err := c.measureStorage(ctx); err != nil {
			return err
		}
	}
	if err := c.stop(func(int, int64) {}); err != nil {
		return err
	}
	return c.verify(ctx, from, to)
}

// measureAlone measures build i while the other build's servers are halted. After its last answer a build still works, for
// example on its case rules, and that must not slow down the other.
func (c *comparison) measureAlone(ctx context.Context, i int, j job) (s sample, err error) {
	other := c.builds[1-i]
	if err := other.signal(syscall.SIGSTOP); err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, other.signal(syscall.SIGCONT)) }()
	return c.builds[i].measure(ctx, j)
}

// measureRates measures every cell on both builds, one right after the other.
func (c *comparison) measureRates(ctx context.Context, round int) error {
	for _, connections := range c.connections {
		for _, cell := range c.cells {
			cell.connections = connections
			pair := c.readings[cell]
			if pair == nil {
				pair = &[2][]sample{}
				c.readings[cell] = pair
			}
			for i := range c.builds {
				i = (i + round) % 2 // the new build goes first in every second round
				b := c.builds[i]
				j := b.job(b.addr, cell.workload, connections)
				j.Hot = cell.hot
				r, err := c.measureAlone(ctx, i, j)
				if err != nil {
					return err
				}
				pair[i] = append(pair[i], r)
			}
			fmt.Fprintf(os.Stderr, "round %d of %d, %d connections, %s: %.0f → %.0f per second\n",
				round+1, c.rounds, connections, cell.name, pair[0][round].rate(), pair[1][round].rate())
		}
	}
	return nil
}

// verify has both builds verify their own ledgers of these rounds.
func (c *comparison) verify(ctx context.Context, from, to int) error {
	for _, b := range c.builds {
		out, err := b.command(ctx, nil, "verify")
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(out, "\n")
		c.verified = append(c.verified, fmt.Sprintf("%s ledger of rounds %d to %d verified: %s\n", b.name, from+1, to, first))
	}
	return nil
}

// fillConnections is how many connections fill the ledgers.
const fillConnections = 64

// storage is the space that the bets of -fill took.
type storage struct {
	sent          int
	before, after int64 // bytes on disk
}

// perBet returns the space on disk that one bet took, in bytes.
func (s storage) perBet() float64 { return float64(s.after-s.before) / float64(s.sent) }

// measureStorage sends at least c.fill bets to each build, in turns of one measurement, and compares the sizes of the files before and
// after. Both servers are stopped for that, so that everything is on disk and SQLite has moved its log into the database.
func (c *comparison) measureStorage(ctx context.Context) error {
	if err := c.restart(ctx, func(i int, size int64) { c.storage[i].before = size }); err != nil {
		return err
	}
	for min(c.storage[0].sent, c.storage[1].sent) < c.fill {
		for i, b := range c.builds {
			s := &c.storage[i]
			if s.sent >= c.fill {
				continue
			}
			r, err := c.measureAlone(ctx, i, b.job(b.addr, bets, fillConnections))
			if err != nil {
				return err
			}
			if r.Requests == r.Failed {
				return fmt.Errorf("the %s build applies no bets: %s", b.name, r.Failure)
			}
			s.sent += r.Requests
			fmt.Fprintf(os.Stderr, "%s ledger: %d of %d bets\n", b.name, s.sent, c.fill)
		}
	}
	return c.restart(ctx, func(i int, size int64) { c.storage[i].after = size })
}

// restart stops both servers, reports the sizes of their databases and starts them again.
func (c *comparison) restart(ctx context.Context, report func(i int, size int64)) error {
	if err := c.stop(report); err != nil {
		return err
	}
	for _, i := range c.order {
		if err := c.builds[i].start(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stop stops both servers and reports the sizes of their databases.
func (c *comparison) stop(report func(i int, size int64)) error {
	for i, b := range c.builds {
		if err := b.stop(); err != nil {
			return err
		}
		size, err := b.engine.bytes(databaseName)
		if err != nil {
			return err
		}
		report(i, size)
	}
	return nil
}
