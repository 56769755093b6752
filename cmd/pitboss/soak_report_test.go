package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pitboss/callbacks/simulator"
)

// lateBy is how late a callback has to be sent to count as late: all of the platform's players were waiting for answers.
const lateBy = 100 * time.Millisecond

// row returns a line about a window that has just ended.
func (s *soak) row(w window) string {
	answered, failed := 0, 0
	for _, e := range s.events {
		if !e.At.Before(w.from) && e.At.Before(w.to) {
			answered++
		}
	}
	for _, f := range s.failures {
		if f.from.Before(w.to) && f.to.After(w.from) {
			failed++
		}
	}
	return fmt.Sprintf("%8s %-32s %8s %10d %8d\n", w.from.Sub(s.began).Round(time.Second), w.name,
		w.to.Sub(w.from).Round(100*time.Millisecond), answered, failed)
}

// excused reports whether a request failed while a fault struck.
func (s *soak) excused(f failure) bool {
	return slices.ContainsFunc(s.windows, func(w window) bool {
		return w.fault && f.from.Before(w.to) && f.to.After(w.from)
	})
}

// report returns the report that people read at the end.
func (s *soak) report(played simulator.Report, ended time.Time, lost, doubled int) string {
	var out strings.Builder
	faults, excused := 0, 0
	for _, w := range s.windows {
		if w.fault {
			faults++
		}
	}
	for _, f := range s.failures {
		if s.excused(f) {
			excused++
		}
	}
	var all, calm []time.Duration
	late, latest := 0, time.Duration(0)
	for _, e := range s.events {
		all = append(all, e.Took)
		if !slices.ContainsFunc(s.windows,
			func(w window) bool { return e.At.After(w.from) && e.At.Add(-e.Took).Before(w.to) }) {
			calm = append(calm, e.Took)
		}
		if e.Late > lateBy {
			late++
		}
		latest = max(latest, e.Late)
	}
	pages, kinds := 0, map[string]int{}
	for _, f := range s.failures {
		if f.page {
			pages++
		} else {
			kinds[f.what]++
		}
	}
	lasted := ended.Sub(s.began)
	fmt.Fprintf(&out, "\n%d callbacks in %v, %.1f a second; %d were sent more than %v late, the latest %v late\n",
		len(s.events), lasted.Round(time.Second), float64(len(s.events))/lasted.Seconds(), late, lateBy,
		latest.Round(time.Millisecond))
	fmt.Fprintf(&out, "answered, counted from when they were due: half within %v, 99%% within %v; where nothing happened, "+
		"half within %v, 99%% within %v\n", percentile(all, 50), percentile(all, 99), percentile(calm, 50),
		percentile(calm, 99))
	fmt.Fprintf(&out,
		"%d attempts, %d of them without a definite answer; %d pages, %d of them failed; %d of both within the %d faults\n",
		s.attempts, len(s.failures)-pages, s.pages, pages, excused, faults)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(&out, "%8d times %s\n", kinds[kind], kind)
	}
	fmt.Fprintf(&out, "HAProxy sent callbacks again %d times, of which %d were because of the %d planned restarts\n",
		s.balancer.resent(), s.resent, s.restarts)
	fmt.Fprintf(&out, "%d statements uploaded and read, %d exports made, each downloaded %d times\n", s.files, s.files, each)
	fmt.Fprintf(&out, "%d backups restored; %d callbacks lost, %d doubled\n", s.restores, lost, doubled)
	for i, name := range []string{"first", "second", "third", "fourth", "last"} {
		m := s.fifth(i, ended)
		fmt.Fprintf(&out, "%s fifth: %.0f MB and %.0f goroutines for each instance (medians)\n", name, m.bytes/1e6,
			m.goroutines)
	}
	return out.String()
}

func percentile(of []time.Duration, p int) time.Duration {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[min(len(of)-1, len(of)*p/100)].Round(100 * time.Microsecond)
}
