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
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"pitboss/callbacks/wire"
)

// workload names the operations that a measurement sends.
type workload string

const (
	play      workload = "play"       // a realistic mix: bets, wins, BetWins, free spins, rollbacks, repeats
	bets      workload = "bets"       // bets alone
	onePlayer workload = "one player" // play of one player
	balances  workload = "balance"    // GetBalance alone
)

// mostPerSecond is a rate that no machine reaches. Enough callbacks for this rate are prepared before the clock starts.
const mostPerSecond = 60_000

// sample is the result of one measurement.
type sample struct {
	requests, failed int // failed ones got a wrong answer or none
	seconds          float64
	p50, p99         time.Duration
	failure          string // an example
}

// playerID returns the ID of the i-th player. All IDs have the same length.
func playerID(i int) string { return fmt.Sprintf("p%06d", i) }

// request is one prepared callback.
type request struct {
	bytes []byte
	want  []byte // the answer must begin with this
}

// script prepares the callbacks of one connection.
type script struct {
	bench
	workload
	rand *rand.Rand
	last []wire.Request // applied bets that may be repeated or rolled back
}

// randomID returns a transaction ID or round ID of 24 to 36 letters and digits.
func (s *script) randomID() string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	id := make([]byte, 24+s.rand.IntN(13))
	for i := range id {
		id[i] = alphabet[s.rand.IntN(len(alphabet))]
	}
	return string(id)
}

func (s *script) next() request {
	r := wire.Request{UserID: playerID(s.rand.IntN(s.players)), TransactionID: s.randomID(), RoundID: s.randomID()}
	kind := 0
	switch s.workload {
	case balances:
		return s.request(wire.GetBalance, 0, wire.Request{UserID: r.UserID})
	case onePlayer:
		r.UserID = playerID(0)
		fallthrough
	case play:
		kind = s.rand.IntN(100)
	}
	switch {
	case kind >= 97 && len(s.last) > 0: // the same bet again
		return s.request(wire.Withdraw, 11, s.last[len(s.last)-1])
	case kind >= 94 && len(s.last) > 0: // a voided round
		old := s.last[len(s.last)-1]
		s.last = s.last[:len(s.last)-1]
		return s.request(wire.RollbackTransaction, 0, wire.Request{UserID: old.UserID, TransactionID: old.TransactionID})
	case kind >= 89:
		r.Amount, r.FreeSpin = "0.20", true
		return s.request(wire.Withdraw, 0, r)
	case kind >= 76:
		r.BetAmount, r.WinAmount = "1.00", "0.90"
		return s.request(wire.BetWin, 0, r)
	case kind >= 52:
		r.Amount = "2.10"
		return s.request(wire.Deposit, 0, r)
	}
	r.Amount = "1.00"
	s.last = append(s.last[max(0, len(s.last)-63):], r)
	return s.request(wire.Withdraw, 0, r)
}

// request returns one callback as it goes over the wire. want is the result that the answer must have.
func (s *script) request(e wire.Endpoint, want int, r wire.Request) request {
	r.AgentID = agentID
	r.Sign = wire.Sign(secretKey, r.SignedValues(e, nil)...)
	body, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and a boolean
	}
	return request{fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		e.Path(), callbacks, len(body), body), fmt.Appendf(nil, `{"result":%d,`, want)}
}

// measure sends callbacks on all connections for b.duration and returns what they measured.
func (b bench) measure(w workload, connections int) (total sample, err error) {
	conns, plans := make([]net.Conn, connections), make([][]request, connections)
	for i := range conns {
		if conns[i], err = net.Dial("tcp", callbacks); err != nil {
			return total, err
		}
		defer conns[i].Close()
		s := &script{bench: b, workload: w, rand: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))}
		plans[i] = make([]request, 500+2*int(b.duration.Seconds()*mostPerSecond)/connections)
		for j := range plans[i] {
			plans[i][j] = s.next()
		}
	}
	// Preparing the callbacks leaves garbage. Collecting it while the clock runs would take processor time from the server;
	// sending allocates hardly anything.
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var group sync.WaitGroup
	var mu sync.Mutex
	var latencies []time.Duration
	begin := time.Now()
	for i := range conns {
		group.Go(func() {
			list, failed, failure := send(conns[i], plans[i], begin.Add(b.duration))
			mu.Lock()
			defer mu.Unlock()
			latencies = append(latencies, list...)
			if total.failed += failed; failed > 0 {
				total.failure = failure
			}
			if len(list) == len(plans[i]) {
				err = errors.New("a connection ran out of prepared callbacks, so the measurement is invalid")
			}
		})
	}
	group.Wait()
	total.requests, total.seconds = len(latencies), time.Since(begin).Seconds()
	if slices.Sort(latencies); len(latencies) > 0 {
		total.p50, total.p99 = latencies[len(latencies)/2], latencies[len(latencies)*99/100]
	}
	return total, err
}

// send sends the callbacks of one connection one after the other, each after the answer to the one before. Each answer must
// begin with the expected result.
func send(conn net.Conn, plan []request, end time.Time) (latencies []time.Duration, failed int, failure string) {
	in := bufio.NewReader(conn)
	var answer fasthttp.Response
	conn.SetDeadline(end.Add(30 * time.Second))
	for _, r := range plan {
		sent := time.Now()
		if sent.After(end) {
			break
		}
		if _, err := conn.Write(r.bytes); err != nil {
			return latencies, failed + 1, err.Error()
		}
		if err := answer.Read(in); err != nil {
			return latencies, failed + 1, err.Error()
		}
		if latencies = append(latencies, time.Since(sent)); !bytes.HasPrefix(answer.Body(), r.want) {
			failed++
			failure = fmt.Sprintf("want %s, got %s for %s", r.want, answer.Body(), r.bytes[bytes.IndexByte(r.bytes, '{'):])
		}
	}
	return latencies, failed, failure
}
