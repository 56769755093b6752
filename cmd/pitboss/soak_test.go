package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/cmd/pitboss/demo"
	"pitboss/models/store"
)

// A week in an hour: the platform plays at a fixed rate against two instances behind HAProxy, and staff read pages, upload files
// and download others. Meanwhile the instances are restarted one after the other, faults strike, the ledger is purged and backed
// up. The platform's books decide in the end whether anything was lost, as in TestFaults. Between faults nothing may fail at all:
// an answer other than 200, or none, is a failure unless a fault was striking.

// soak is an arena behind a balancer.
type soak struct {
	*arena
	t        *testing.T
	balancer *balancer
	began    time.Time

	mu       sync.Mutex
	rate     float64   // of calls that the platform starts per second
	attempts int       // of callbacks, without those whose answers the platform threw away
	pages    int       // that were read
	files    int       // pairs of a statement that was uploaded and an export that was downloaded
	failures []failure // of both
	windows  []window
	events   []simulator.Event
	readings []reading
	restarts int
	resent   int // callbacks that HAProxy sent again because of planned restarts
	restores int // backups that were restored and verified
}

// failure is a request without a definite answer.
type failure struct {
	from, to time.Time
	what     string
	page     bool
}

// window is when something happened to the system. Requests may fail only while a fault strikes.
type window struct {
	name     string
	fault    bool
	from, to time.Time
}

// reading is what an instance used at one time.
type reading struct {
	at                time.Time
	goroutines, bytes float64
}

// RoundTrip sends a callback of the platform and records it if there is no definite answer.
func (s *soak) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	answer, body, err := exchanged(s.balancer.transport, r)
	if errors.Is(err, context.Canceled) { // by the platform, which throws some answers away
		return answer, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attempts++
	if err != nil || answer.StatusCode != http.StatusOK {
		s.failures = append(s.failures, failure{began, time.Now(), describe(answer, body, err), false})
	}
	return answer, err
}

// exchanged sends a request and reads the whole answer.
func exchanged(transport http.RoundTripper, r *http.Request) (*http.Response, []byte, error) {
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, body, nil
}

func describe(answer *http.Response, body []byte, err error) string {
	if err != nil {
		return err.Error()
	}
	if !bytes.Contains(body, []byte(`"result"`)) {
		return fmt.Sprintf("status %d of HAProxy's own", answer.StatusCode)
	}
	return fmt.Sprintf("status %d: %.80s", answer.StatusCode, body)
}

// readPages signs in, and reads one page after the other until ctx ends.
func (s *soak) readPages(ctx context.Context) {
	v := newVisitor(s.t, s.balancer.office, "ada", s.balancer.transport)
	every := time.NewTicker(500 * time.Millisecond)
	defer every.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		began, path := time.Now(), pages[n%len(pages)]
		status, page := v.ask(ctx, http.MethodGet, path, nil)
		s.mu.Lock()
		s.pages++
		if status != http.StatusOK && ctx.Err() == nil {
			s.failures = append(s.failures,
				failure{began, time.Now(), fmt.Sprintf("page %s: %d %.80s", path, status, page), true})
		}
		s.mu.Unlock()
	}
}

// measure reads the figures of both instances until ctx ends.
func (s *soak) measure(ctx context.Context, often time.Duration) {
	every := time.NewTicker(often)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		for _, p := range []*process{s.first, s.second} {
			if goroutines, bytes, err := p.usage(); err == nil {
				s.mu.Lock()
				s.readings = append(s.readings, reading{time.Now(), goroutines, bytes})
				s.mu.Unlock()
			}
		}
	}
}

// during calls happen, and returns when HAProxy has sent requests to both instances for some seconds.
func (s *soak) during(name string, fault bool, happen func()) {
	w := window{name: name, fault: fault, from: time.Now()}
	happen()
	require.Eventually(s.t, func() bool { return s.balancer.upFor(3) }, time.Minute, 50*time.Millisecond,
		"HAProxy does not see both instances after: %s", name)
	w.to = time.Now()
	s.mu.Lock()
	s.windows = append(s.windows, w)
	fmt.Print(s.row(w))
	s.mu.Unlock()
}

// strikes returns a function that lets a fault strike for some time.
func (s *soak) strikes(f fault) func() {
	return func() {
		s.during(f.name, true, func() {
			began := time.Now()
			heal := f.strike(s.t, s.arena)
			if f.refuses {
				s.awaitRefusal(s.t)
			}
			s.await(long(40, 200), time.Until(began.Add(long(2*time.Second, 5*time.Second))))
			heal()
			s.probe(s.t)
			for _, p := range []*process{s.first, s.second} {
				becomes(s.t, "http://"+p.value("PITBOSS_ADMIN_ADDR"), http.StatusOK)
			}
		})
	}
}

// await returns when n more callbacks were answered, or after some time if the fault lets none be answered.
func (s *soak) await(n int, atMost time.Duration) {
	count := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.events)
	}
	for until, end := count()+n, time.Now().Add(atMost); count() < until && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

// restart restarts both instances, one after the other, as systemd does.
func (s *soak) restart() {
	before := s.balancer.resent()
	defer func() { s.resent += s.balancer.resent() - before }()
	s.during("rolling restart", false, func() {
		for _, p := range []*process{s.first, s.second} {
			require.NoError(s.t, p.Process.Signal(syscall.SIGTERM))
			require.NoError(s.t, p.Wait(), "status 0")
			p.launch(s.t)
			require.Eventually(s.t, s.balancer.up, time.Minute, 50*time.Millisecond, "HAProxy does not see the new instance")
			s.restarts++
		}
	})
}

// purge archives and deletes everything from the players' first day, three years ago.
func (s *soak) purge() {
	s.during("purge", false, func() {
		dir := filepath.Join(s.t.TempDir(), "archive")
		c := commander{s.t, environment(s.url, "PITBOSS_KEEP_LEDGER_YEARS=2", "PITBOSS_KEEP_AUDIT_YEARS=2")}
		require.Contains(s.t, c.well("purge", "run", "--archive", dir),
			fmt.Sprintf("%d entries of %d wallets", len(s.users)+1, len(s.users)+1))
		for kind, check := range map[string][]string{"archive": {"purge", "check"}, "checkpoint": {"verify", "--checkpoint"}} {
			files, err := filepath.Glob(filepath.Join(dir, "*"+kind+"-*"))
			require.NoError(s.t, err)
			require.Len(s.t, files, 1)
			c.well(append(check, files[0])...)
		}
	})
}

// backUp copies the database, restores the copy, and verifies it against a checkpoint from before.
func (s *soak) backUp() {
	s.during("backup, restored and verified", false, func() {
		require.Empty(s.t, writeCheckpoint(s.t, s.arena))
		files, err := filepath.Glob(filepath.Join(s.dirs["checkpoints"], "checkpoint-*"))
		require.NoError(s.t, err)
		target := filepath.Join(s.t.TempDir(), "copy")
		copyAway(s.t, s.database, target)
		restored := copyBack(s.t, target)
		c := commander{s.t, environment("mysql://" + restored.DSN("pitboss"))}
		require.Contains(s.t, c.well("verify", "--checkpoint", files[len(files)-1]), "no faults found")
		require.NoError(s.t, restored.Stop())
		s.restores++
	})
}

// work has a checkpoint written.
func (s *soak) work() {
	s.during("checkpoint", false, func() { require.Empty(s.t, writeCheckpoint(s.t, s.arena)) })
}

// program returns what happens, in order: restarts every few minutes, each fault once, a purge and a backup in between.
func (s *soak) program(disks bool) (happen []func()) {
	short := []string{"connections cut", "answer to COMMIT lost", "database killed", "program killed"}
	for i, f := range faults {
		if strings.HasPrefix(f.name, "disk of") && !disks || !long(slices.Contains(short, f.name), true) {
			continue
		}
		happen = append(happen, s.strikes(f))
		if long(false, i%2 == 1) {
			happen = append(happen, s.restart)
		}
	}
	third := len(happen) / 3
	return slices.Concat([]func(){s.restart}, happen[:third], []func(){s.purge, s.work}, happen[third:2*third],
		[]func(){s.backUp}, happen[2*third:])
}

// TestSoak prints what happened, and what it cost.
func TestSoak(t *testing.T) {
	lasts := set("PITBOSS_TEST_DURATION", time.ParseDuration, long(time.Minute, time.Hour))
	rate := set("PITBOSS_TEST_RATE", func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }, long(60.0, 80))
	disks := mayMount(t)
	options := arenaOptions{players: long(60, 200), now: func() time.Time { return time.Now().AddDate(-3, 0, 0) }}
	if disks {
		options.disk = long("300m", "2g")
	}
	s := &soak{t: t, balancer: newBalancer(t)}
	options.settings = func(instance int) []string {
		return append(s.balancer.settings(instance), "PITBOSS_DRAIN_DELAY=5s", "PITBOSS_CALLBACK_LOG_LEVEL=INFO",
			fmt.Sprintf("PITBOSS_CHECKPOINT_EVERY=%v", max(lasts/10, time.Minute)))
	}
	s.arena = newArena(t, options)
	s.first.supervised, s.second.supervised = true, true
	s.balancer.start(t)
	office, err := store.Open(t.Context(), store.Config{URL: s.url, LedgerKey: []byte(testLedger)})
	require.NoError(t, err)
	require.NoError(t, demo.CreateStaff(t.Context(), office))
	require.NoError(t, office.Close())
	s.platform, err = simulator.New(simulator.Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret,
		CallbackURL: s.balancer.callbacks, Seed: 1, Client: &http.Client{Transport: s}})
	require.NoError(t, err)

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var running sync.WaitGroup
	running.Go(func() { s.readPages(ctx) })
	running.Go(func() { s.moveFiles(ctx) })
	running.Go(func() { s.measure(ctx, lasts/300) })
	var report simulator.Report
	fmt.Printf("\n%8s %-32s %8s %10s %8s\n", "after", "what", "took", "callbacks", "failed")
	seed := rand.Uint64()
	s.began, s.rate = time.Now(), rate
	running.Go(func() {
		report, err = s.platform.Play(ctx, simulator.PlayOptions{
			Players: s.users, Seed: seed, Workers: len(s.users), Rate: rate, LostAnswers: 0.002, Relayed: true,
			AttemptTimeout: 6 * time.Second, RetryFor: 2 * time.Minute, Drain: time.Minute,
			OnEvent: func(e simulator.Event) {
				s.mu.Lock()
				s.events = append(s.events, e)
				s.mu.Unlock()
			},
		})
	})
	// Things happen in the middle of it: after a tenth of the time, and before the last fifth, in which nothing happens.
	calm := lasts / 10
	happen := s.program(disks)
	for i, next := range happen {
		s.until(calm + (lasts*7/10)*time.Duration(i)/time.Duration(len(happen)))
		next()
	}
	busy := time.Since(s.began)
	s.until(max(lasts, busy*5/4))
	ended := time.Now()
	stop()
	running.Wait()
	require.NoError(t, err, "seed %d", seed)
	s.judge(report, ended)
}

// until waits until this long after the start.
func (s *soak) until(after time.Duration) {
	s.t.Helper()
	select {
	case <-s.t.Context().Done():
	case <-time.After(time.Until(s.began.Add(after))):
	}
}

// judge compares the books, and prints the report.
func (s *soak) judge(played simulator.Report, ended time.Time) {
	t := s.t
	lost, doubled := s.compare(t)
	lost += len(played.Unsettled)
	fmt.Print(s.report(played, ended, lost, doubled))
	require.NoError(t, played.Err(), "seed %d", played.Seed)
	require.Zero(t, lost+doubled, "seed %d", played.Seed)
	require.Positive(t, s.files, "no file was uploaded and downloaded")
	require.Greater(t, float64(s.attempts), s.rate*ended.Sub(s.began).Seconds()/2, "the platform has hardly called")
	for _, f := range s.failures {
		require.True(t, s.excused(f), "%v after the beginning, while no fault struck, this request failed: %s",
			f.from.Sub(s.began).Round(time.Millisecond), f.what)
	}
	require.Zero(t, s.resent, "callbacks met an instance that was about to stop, and only HAProxy's repetition saved them")
	second, last := s.fifth(1, ended), s.fifth(4, ended)
	require.LessOrEqual(t, last.goroutines, second.goroutines+goroutinesMore)
	most := second.bytes * memoryTimes
	if ended.Sub(s.began) < time.Hour/2 {
		// Until the last fifth, instances are restarted before their heap has grown by the garbage that it may hold.
		most += garbage
	}
	require.LessOrEqual(t, last.bytes, most, "memory grew from %.0f to %.0f MB", second.bytes/1e6,
		last.bytes/1e6)
}

// Memory and goroutines are flat if their medians in the last fifth of the time, in which nothing is restarted, are about those
// of the second fifth.
const (
	// Requests in progress and jobs come and go. Open connections are not counted (process.usage).
	goroutinesMore = 20
	// The medians of the fifths differ by a tenth, by the moment at which Go collects garbage. In an hour, a leak of two
	// kilobytes per callback exceeds a quarter.
	memoryTimes = 1.25
)

// fifth returns the medians of a fifth of the time, counted from 0.
func (s *soak) fifth(n int, ended time.Time) (median reading) {
	length := ended.Sub(s.began) / 5
	from := s.began.Add(time.Duration(n) * length)
	var goroutines, bytes []float64
	for _, one := range s.readings {
		if !one.at.Before(from) && one.at.Before(from.Add(length)) {
			goroutines, bytes = append(goroutines, one.goroutines), append(bytes, one.bytes)
		}
	}
	require.NotEmpty(s.t, bytes)
	slices.Sort(goroutines)
	slices.Sort(bytes)
	return reading{goroutines: goroutines[len(goroutines)/2], bytes: bytes[len(bytes)/2]}
}
