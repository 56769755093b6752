package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"pitboss/callbacks/wire"
)

// job is one measurement.
type job struct {
	Address     string // of the callbacks
	Workload    workload
	Connections int
	Duration    time.Duration
	Players     int
	Hot         bool // everything goes to one player
	Most        int  // more callbacks per second than can be reached; that many are prepared before the clock starts
	AgentID     string
	SecretKey   string
}

// randomID returns the ID of a transaction or a round: 24 to 36 letters and digits.
func randomID(r *rand.Rand) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	id := make([]byte, 24+r.IntN(13))
	for i := range id {
		id[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(id)
}

// playerID returns the user ID of the benchmark's i-th player. All have the same length.
func playerID(i int) string { return fmt.Sprintf("p%06d", i) }

// newRand returns a source of random numbers that differ from run to run, so that no transaction ID is sent twice.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }

// workload says which operations are sent.
type workload string

const (
	play     workload = "play"    // a realistic mix: bets, wins, BetWins, free spins, rollbacks, repeats
	bets     workload = "bets"    // bets alone
	balances workload = "balance" // GetBalance alone
)

// sample is the result of one measurement.
type sample struct {
	Requests int
	Seconds  float64
	P50, P99 time.Duration
	Failed   int    // requests with a wrong answer or none
	Failure  string // the first of them
}

// rate returns the operations per second.
func (s sample) rate() float64 { return float64(s.Requests) / s.Seconds }

// requestCap limits how many requests one connection sends in one measurement.
const requestCap = 200_000

// counter adds up the results of all connections.
type counter struct {
	mu        sync.Mutex
	latencies []time.Duration
	seconds   float64
	failed    int
	failure   string
}

func (c *counter) add(latencies []time.Duration, failed int, failure string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latencies = append(c.latencies, latencies...)
	c.failed += failed
	if c.failure == "" {
		c.failure = failure
	}
}

func (c *counter) sample() sample {
	s := sample{Requests: len(c.latencies), Seconds: c.seconds, Failed: c.failed, Failure: c.failure}
	if len(c.latencies) > 0 {
		slices.Sort(c.latencies)
		s.P50, s.P99 = c.latencies[len(c.latencies)/2], c.latencies[len(c.latencies)*99/100]
	}
	return s
}

// request is one prepared callback.
type request struct {
	bytes []byte
	want  []byte // how its answer's body begins
}

// script writes one connection's callbacks.
type script struct {
	job  job
	rand *rand.Rand
	last []step // applied bets that may be repeated or rolled back
}

// step is a bet that was sent.
type step struct{ player, id, round string }

func (s *script) next() request {
	player := playerID(s.rand.IntN(s.job.Players))
	if s.job.Hot {
		player = playerID(0)
	}
	if s.job.Workload == balances {
		return s.request(wire.GetBalance, 0, wire.Request{UserID: player})
	}
	id, round := randomID(s.rand), randomID(s.rand)
	kind := 0
	if s.job.Workload == play {
		kind = s.rand.IntN(100)
	}
	switch {
	case kind >= 97 && len(s.last) > 0: // the same bet again
		old := s.last[len(s.last)-1]
		again := wire.Request{UserID: old.player, Amount: "1.00", TransactionID: old.id, RoundID: old.round}
		return s.request(wire.Withdraw, 11, again)
	case kind >= 94 && len(s.last) > 0: // a voided round
		old := s.last[len(s.last)-1]
		s.last = s.last[:len(s.last)-1]
		return s.request(wire.RollbackTransaction, 0, wire.Request{UserID: old.player, TransactionID: old.id})
	case kind >= 89:
		spin := wire.Request{UserID: player, Amount: "0.20", TransactionID: id, RoundID: round, FreeSpin: true}
		return s.request(wire.Withdraw, 0, spin)
	case kind >= 76:
		both := wire.Request{UserID: player, BetAmount: "1.00", WinAmount: "0.90", TransactionID: id, RoundID: round}
		return s.request(wire.BetWin, 0, both)
	case kind >= 52:
		return s.request(wire.Deposit, 0, wire.Request{UserID: player, Amount: "2.10", TransactionID: id, RoundID: round})
	}
	if s.last = append(s.last, step{player, id, round}); len(s.last) > 64 {
		s.last = s.last[1:]
	}
	return s.request(wire.Withdraw, 0, wire.Request{UserID: player, Amount: "1.00", TransactionID: id, RoundID: round})
}

// request returns one callback as it goes over the wire. want is the result that its answer must have.
func (s *script) request(e wire.Endpoint, want int, r wire.Request) request {
	r.AgentID = s.job.AgentID
	r.Sign = wire.Sign(s.job.SecretKey, r.SignedValues(e, nil)...)
	body, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and a boolean
	}
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		e.Path(), s.job.Address, len(body))
	return request{append([]byte(head), body...), []byte(`{"result":` + strconv.Itoa(want))}
}

// plan prepares one connection's callbacks.
func (j job) plan() []request {
	s := &script{job: j, rand: newRand()}
	list := make([]request, min(requestCap, 2*int(j.Duration.Seconds()*float64(j.Most))/(j.Connections+1)+1))
	for i := range list {
		list[i] = s.next()
	}
	return list
}

// run sends callbacks on all connections until the time is over.
func (j job) run() (sample, error) {
	var total counter
	conns := make([]net.Conn, j.Connections)
	plans := make([][]request, j.Connections)
	for i := range conns {
		conn, err := net.Dial("tcp", j.Address)
		if err != nil {
			return sample{}, err
		}
		defer conn.Close()
		conns[i], plans[i] = conn, j.plan()
	}
	// Garbage from preparing the callbacks must not be collected while the clock runs: that would take processor time from the
	// servers. Sending them allocates hardly anything.
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var group sync.WaitGroup
	var exhausted atomic.Bool
	begin := time.Now()
	end := begin.Add(j.Duration)
	for i := range conns {
		group.Go(func() {
			latencies, failed, failure := send(conns[i], plans[i], end)
			if len(latencies) == len(plans[i]) {
				exhausted.Store(true)
			}
			total.add(latencies, failed, failure)
		})
	}
	group.Wait()
	total.seconds = time.Since(begin).Seconds()
	if exhausted.Load() {
		return sample{}, errors.New("a connection ran out of prepared callbacks before the end, so the measurement is void")
	}
	return total.sample(), nil
}

// send sends one connection's callbacks, each after the answer to the one before. It checks that each answer
// begins with the expected result.
func send(conn net.Conn, plan []request, end time.Time) (latencies []time.Duration, failed int, failure string) {
	in := bufio.NewReaderSize(conn, 4096)
	latencies = make([]time.Duration, 0, len(plan))
	conn.SetDeadline(end.Add(30 * time.Second))
	for _, r := range plan {
		sent := time.Now()
		if sent.After(end) {
			break
		}
		if _, err := conn.Write(r.bytes); err != nil {
			return latencies, failed + 1, err.Error()
		}
		body, err := readAnswer(in)
		if err != nil {
			return latencies, failed + 1, err.Error()
		}
		latencies = append(latencies, time.Since(sent))
		if !bytes.HasPrefix(body, r.want) {
			failed++
			if failure == "" {
				failure = fmt.Sprintf("want %s, got %s for %s", r.want, body, r.bytes[bytes.IndexByte(r.bytes, '{'):])
			}
		}
	}
	return latencies, failed, failure
}

// readAnswer reads one HTTP answer that has a Content-Length, and returns its body, which is valid until the next read.
func readAnswer(in *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if name, value, ok := bytes.Cut(line, []byte(": ")); ok && bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return nil, err
			}
		}
	}
	body, err := in.Peek(length)
	if err != nil {
		return nil, err
	}
	_, err = in.Discard(length)
	return body, err
}
