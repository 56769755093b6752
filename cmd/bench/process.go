package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// On Linux, /proc has what a process has used. Elsewhere these functions return errNoProc, and the report leaves out the rows
// that need them.

var errNoProc = errors.New("this system does not report what a process has used")

// tick is the unit of times in /proc/PID/stat (USER_HZ), the same on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// cpuTime returns the processor time that a process has used with all its threads.
func cpuTime(pid int) (time.Duration, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, errNoProc
	}
	// The second field is the program's name in parentheses, which may have spaces. The times are fields 14 and 15.
	fields := bytes.Fields(content[bytes.LastIndexByte(content, ')')+1:])
	if len(fields) < 13 {
		return 0, errNoProc
	}
	user, err := strconv.ParseInt(string(fields[11]), 10, 64)
	if err != nil {
		return 0, errNoProc
	}
	system, err := strconv.ParseInt(string(fields[12]), 10, 64)
	if err != nil {
		return 0, errNoProc
	}
	return time.Duration(user+system) * tick, nil
}

// peakMemory returns the peak resident memory of a process, in bytes.
func peakMemory(pid int) (int64, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, errNoProc
	}
	for line := range bytes.Lines(content) {
		if value, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			kilobytes, err := strconv.ParseInt(string(bytes.TrimSuffix(bytes.TrimSpace(value), []byte(" kB"))), 10, 64)
			if err != nil {
				return 0, errNoProc
			}
			return kilobytes << 10, nil
		}
	}
	return 0, errNoProc
}

// used is the processor time of a build's server and of its database server.
type used struct{ server, database time.Duration }

func (u used) minus(v used) used { return used{u.server - v.server, u.database - v.database} }

// settle waits until both processes are idle, for five seconds at most, and returns what they have used.
func (b *build) settle(ctx context.Context) (used, error) {
	last, err := b.used()
	for range 50 {
		if err != nil {
			break
		}
		select {
		case <-ctx.Done():
			return used{}, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
		var now used
		now, err = b.used()
		if spent := now.minus(last); spent.server+spent.database <= tick {
			return now, err
		}
		last = now
	}
	return last, err
}

func (b *build) used() (u used, err error) {
	if u.server, err = cpuTime(b.server.Process.Pid); err != nil {
		return used{}, err
	}
	if pid := b.engine.pid(); pid > 0 {
		u.database, err = cpuTime(pid)
	}
	return u, err
}
