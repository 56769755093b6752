package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"

	"pitboss/callbacks/wire"
)

// loadArgument makes this program the loading process, which reads a job from its standard input.
const loadArgument = "load"

// job is one measurement.
type job struct {
	Address     string // of the callbacks; empty for raw SQL
	DSN         string // of the database, for raw SQL
	Workload    workload
	Connections int
	Duration    time.Duration
	Players     int
	Hot         bool   // everything goes to one player
	AnyResult   bool   // answers are not compared: nothing is behind them
	Most        int    // callbacks a second that this road cannot pass; so many are prepared before the clock starts
	Run         string // makes the transactionIDs its own
	AgentID     string
	SecretKey   string
}

// workload is what is sent.
type workload string

const (
	play     workload = "play"    // as it comes in play: bets, wins, BetWins, free spins, rollbacks, repeats
	bets     workload = "bets"    // bets alone
	balances workload = "balance" // GetBalance alone
	rawSQL   workload = "raw SQL" // bets alone, as SQL
)

// sample is what one measurement gave.
type sample struct {
	Requests int
	Seconds  float64
	P50, P99 time.Duration
	Failed   int    // requests without the answer that they must have
	Failure  string // the first of them
}

// rate is in operations per second.
func (s sample) rate() float64 { return float64(s.Requests) / s.Seconds }

// requestCap bounds what one connection sends in one measurement.
const requestCap = 200_000

// runLoad is the loading process: it carries out the job and writes the sample.
func runLoad(ctx context.Context, in io.Reader, out io.Writer) error {
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return err
	}
	if j.Connections < 1 || j.Connections > 1024 || j.Duration <= 0 || j.Duration > time.Minute {
		return errors.New("a job is bounded to 1024 connections and a minute")
	}
	var total counter
	var err error
	if j.Workload == rawSQL {
		err = loadSQL(ctx, j, &total)
	} else {
		err = loadHTTP(j, &total)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(total.sample())
}

// counter gathers what the connections saw.
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

// script writes one connection's callbacks. It is deterministic, so that repeats and rollbacks name what was sent before.
type script struct {
	job  job
	name string
	rand *rand.Rand
	n    int
	last []step // applied bets that may be repeated or rolled back
}

// step is a bet that was sent.
type step struct{ player, id, round string }

func (s *script) next() request {
	s.n++
	player := "p" + strconv.Itoa(s.rand.IntN(s.job.Players))
	if s.job.Hot {
		player = "p0"
	}
	id := s.name + "-" + strconv.Itoa(s.n)
	round := id + "-r"
	if s.job.Workload == balances {
		return s.request(wire.GetBalance, 0, wire.Request{UserID: player})
	}
	kind := 0
	if s.job.Workload == play {
		kind = s.rand.IntN(100)
	}
	switch {
	case kind >= 97 && len(s.last) > 0: // the same bet again
		old := s.last[len(s.last)-1]
		return s.request(wire.Withdraw, 11, wire.Request{UserID: old.player, Amount: "1.00", TransactionID: old.id, RoundID: old.round})
	case kind >= 94 && len(s.last) > 0: // a voided round
		old := s.last[len(s.last)-1]
		s.last = s.last[:len(s.last)-1]
		return s.request(wire.RollbackTransaction, 0, wire.Request{UserID: old.player, TransactionID: old.id})
	case kind >= 89:
		return s.request(wire.Withdraw, 0, wire.Request{UserID: player, Amount: "0.20", TransactionID: id, RoundID: round, FreeSpin: true})
	case kind >= 76:
		return s.request(wire.BetWin, 0, wire.Request{UserID: player, BetAmount: "1.00", WinAmount: "0.90", TransactionID: id, RoundID: round})
	case kind >= 52:
		return s.request(wire.Deposit, 0, wire.Request{UserID: player, Amount: "2.10", TransactionID: id, RoundID: round})
	}
	if s.last = append(s.last, step{player, id, round}); len(s.last) > 64 {
		s.last = s.last[1:]
	}
	return s.request(wire.Withdraw, 0, wire.Request{UserID: player, Amount: "1.00", TransactionID: id, RoundID: round})
}

// request writes one callback as it goes over the wire. want is its result.
func (s *script) request(e wire.Endpoint, want int, r wire.Request) request {
	r.AgentID = s.job.AgentID
	r.Sign = wire.Sign(s.job.SecretKey, r.SignedValues(e, nil)...)
	body, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and a boolean
	}
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", e.Path(), s.job.Address, len(body))
	return request{append([]byte(head), body...), []byte(`{"result":` + strconv.Itoa(want))}
}

// loadHTTP sends callbacks on all connections until the time is over.
func loadHTTP(j job, total *counter) error {
	conns := make([]net.Conn, j.Connections)
	plans := make([][]request, j.Connections)
	each := min(requestCap, 2*int(j.Duration.Seconds()*float64(j.Most))/(j.Connections+1)+1)
	for i := range conns {
		conn, err := net.Dial("tcp", j.Address)
		if err != nil {
			return err
		}
		defer conn.Close()
		conns[i] = conn
		s := &script{job: j, name: j.Run + "-" + strconv.Itoa(i), rand: rand.New(rand.NewPCG(uint64(i), 7))}
		for range each {
			plans[i] = append(plans[i], s.next())
		}
	}
	var group sync.WaitGroup
	var exhausted atomic.Bool
	begin := time.Now()
	end := begin.Add(j.Duration)
	for i := range conns {
		group.Go(func() {
			latencies, failed, failure := send(conns[i], plans[i], end, j.AnyResult)
			if len(latencies) == len(plans[i]) {
				exhausted.Store(true)
			}
			total.add(latencies, failed, failure)
		})
	}
	group.Wait()
	total.seconds = time.Since(begin).Seconds()
	if exhausted.Load() {
		return errors.New("a connection ran out of prepared callbacks; the measurement would be of the rest only")
	}
	return nil
}

// send plays one connection's plan and compares the beginning of each answer.
func send(conn net.Conn, plan []request, end time.Time, any bool) (latencies []time.Duration, failed int, failure string) {
	in := bufio.NewReaderSize(conn, 4096)
	latencies = make([]time.Duration, 0, len(plan))
	for _, r := range plan {
		sent := time.Now()
		if sent.After(end) {
			break
		}
		conn.SetDeadline(sent.Add(30 * time.Second))
		if _, err := conn.Write(r.bytes); err != nil {
			return latencies, failed + 1, err.Error()
		}
		body, err := readAnswer(in)
		if err != nil {
			return latencies, failed + 1, err.Error()
		}
		latencies = append(latencies, time.Since(sent))
		if !any && !bytes.HasPrefix(body, r.want) {
			failed++
			if failure == "" {
				failure = fmt.Sprintf("want %s, got %s to %s", r.want, body, r.bytes[bytes.IndexByte(r.bytes, '{'):])
			}
		}
	}
	return latencies, failed, failure
}

// readAnswer reads one HTTP answer of a known length; what it returns is valid until the next read.
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

// loadSQL does what a hand-written wallet does for each bet, in a transaction of its own, straight on MySQL or MariaDB.
func loadSQL(ctx context.Context, j job, total *counter) error {
	cfg, err := mysqldriver.ParseDSN(j.DSN)
	if err != nil {
		return errors.New("the DSN cannot be read")
	}
	cfg.InterpolateParams = true
	connector, err := mysqldriver.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	db.SetMaxOpenConns(j.Connections)
	db.SetMaxIdleConns(j.Connections)
	var group sync.WaitGroup
	begin := time.Now()
	end := begin.Add(j.Duration)
	for i := range j.Connections {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 7))
			var latencies []time.Duration
			failed, failure := 0, ""
			for n := 0; n < requestCap; n++ {
				sent := time.Now()
				if sent.After(end) {
					break
				}
				if err := rawBet(ctx, db, r.IntN(j.Players), fmt.Sprintf("%s-%d-%d", j.Run, i, n)); err != nil {
					failed, failure = failed+1, err.Error()
					continue
				}
				latencies = append(latencies, time.Since(sent))
			}
			total.add(latencies, failed, failure)
		})
	}
	group.Wait()
	total.seconds = time.Since(begin).Seconds()
	return nil
}

// rawBet debits 1.00 on the benchmark's own tables.
func rawBet(ctx context.Context, db *sql.DB, player int, id string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var balance, seen int64
	if err := tx.QueryRowContext(ctx, "SELECT balance_minor FROM bench_wallets WHERE user_id = ? FOR UPDATE", "p"+strconv.Itoa(player)).Scan(&balance); err != nil {
		return err
	}
	if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM bench_transactions WHERE transaction_id = ?", id).Scan(&seen); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO bench_transactions (transaction_id, user_id, round_id, amount_minor, before_minor, after_minor, at_us) VALUES (?, ?, ?, ?, ?, ?, ?)",
		id, "p"+strconv.Itoa(player), id+"-r", -100, balance, balance-100, time.Now().UnixMicro()); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE bench_wallets SET balance_minor = ? WHERE user_id = ?", balance-100, "p"+strconv.Itoa(player)); err != nil {
		return err
	}
	return tx.Commit()
}
