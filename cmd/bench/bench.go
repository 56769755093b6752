package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"slices"
	"text/tabwriter"
	"time"

	"pitboss/callbacks"
	"pitboss/models"
	"pitboss/models/store"
)

const (
	agentID   = "bench"
	secretKey = "the benchmark's secret key"
	ledgerKey = "the benchmark's ledger key" // chains are keyed, as in production

	openingBalance models.Amount = 1_000_000_00
)

// bench is the measuring process.
type bench struct {
	options
	mysqlDSN string // empty on SQLite
	stores   []*store.Store
	servers  []*callbacks.Server
	addrs    map[variant]string // of each variant's callbacks
}

// variant is one way to answer callbacks; the package comment explains them.
type variant string

const (
	ceiling   variant = "ceiling"
	batched   variant = "batched"
	unbatched variant = "unbatched"
	unlogged  variant = "batched without callback log"
	sqlAlone  variant = "raw SQL"
)

// newBench makes a database with the benchmark's players and serves all variants of the callbacks on it.
func newBench(ctx context.Context, o options, e *engine, name string) (*bench, error) {
	b := &bench{options: o, addrs: map[variant]string{}}
	url, dsn, err := e.database(ctx, name)
	if err != nil {
		return nil, err
	}
	b.mysqlDSN = dsn
	for _, v := range []variant{batched, unbatched} {
		cfg := store.Config{URL: url, LedgerKey: []byte(ledgerKey), Unbatched: v == unbatched, MaxConns: 300}
		s, err := store.Open(ctx, cfg)
		if err != nil {
			return nil, err
		}
		b.stores = append(b.stores, s)
		if _, err := s.Migrate(ctx); err != nil {
			return nil, err
		}
		if err := s.BeginLedger(ctx); err != nil {
			return nil, err
		}
		if err := b.serve(v, s, s); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(b.serve(ceiling, nothing{}, nil), b.serve(unlogged, withoutLog{b.stores[0]}, nil)); err != nil {
		return nil, err
	}
	if err := b.importPlayers(ctx); err != nil {
		return nil, err
	}
	return b, b.prepareRawSQL(ctx)
}

func (b *bench) importPlayers(ctx context.Context) error {
	var file models.PlayerFile
	for i := range b.players {
		p := models.NewPlayer{UserID: models.UserID(playerID(i)), Currency: "EUR", Balance: openingBalance}
		file.Players = append(file.Players, p)
		file.Lines = append(file.Lines, i)
	}
	bad, err := b.stores[0].ImportPlayers(ctx, models.System, file, nil)
	if err == nil && len(bad) > 0 {
		err = errors.New("the database already has players; the benchmark needs an empty one")
	}
	return err
}

// nothing answers without a database, so that only HTTP, JSON and signatures are measured.
type nothing struct{}

// Apply answers that op was applied.
func (nothing) Apply(context.Context, models.Operation) (models.Result, error) {
	return models.Result{Balance: models.Balance{Amount: 99900, Currency: "EUR"}}, nil
}

// Balance answers the same for every player.
func (nothing) Balance(context.Context, models.UserID) (models.Balance, bool, error) {
	return models.Balance{Amount: 99900, Currency: "EUR"}, true, nil
}

// withoutLog is a store that writes no callback log.
type withoutLog struct{ *store.Store }

// Apply applies op without a receipt.
func (s withoutLog) Apply(ctx context.Context, op models.Operation) (models.Result, error) {
	op.Receipt = nil
	return s.Store.Apply(ctx, op)
}

func (b *bench) serve(v variant, s callbacks.Store, j callbacks.Journal) error {
	server, err := callbacks.New(callbacks.Config{
		AgentID: agentID, SecretKey: secretKey, Deadline: 30 * time.Second, OutageStatus: 503,
		LogRate: 20, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), LogLevel: slog.LevelWarn, Journal: j,
	}, s)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	b.servers = append(b.servers, server)
	b.addrs[v] = l.Addr().String()
	go server.Listen(l)
	return nil
}

func (b *bench) close() {
	for _, s := range b.servers {
		s.Shutdown(context.Background())
	}
	for _, s := range b.stores {
		s.Close()
	}
}

// measurement is one line of the comparison: a variant under a workload.
type measurement struct {
	variant  variant
	workload workload
	hot      bool
}

func (m measurement) String() string {
	name := fmt.Sprintf("%s, %s", m.variant, m.workload)
	if m.variant == sqlAlone {
		name = "raw SQL, bets"
	}
	if m.hot {
		name += ", one player"
	}
	return name
}

// measure loads one variant.
func (b *bench) measure(ctx context.Context, m measurement, connections int) (sample, error) {
	j := b.job(b.addrs[m.variant], m.workload, connections)
	j.Hot = m.hot
	if m.variant == ceiling {
		j.AnyResult, j.Most = true, fastest
	}
	if m.variant == sqlAlone {
		j.Address, j.Workload, j.DSN = "", rawSQL, b.mysqlDSN
	}
	s, err := j.run(ctx)
	if err != nil {
		return sample{}, fmt.Errorf("load of %s at %d connections: %w", m, connections, err)
	}
	return s, nil
}

// Rates that no machine reaches, in callbacks per second: without writes, and with a write for each.
const (
	fastest       = 150_000
	fastestWrites = 45_000
)

// job returns a measurement of the callbacks at addr.
func (o options) job(addr string, w workload, connections int) job {
	j := job{
		Address: addr, Workload: w, Connections: connections, Duration: o.duration, Players: o.players, Most: fastestWrites,
		IDs: o.ids, AgentID: agentID, SecretKey: secretKey,
	}
	if w == balances {
		j.Most = fastest
	}
	return j
}

// run carries out the job in a process of its own.
func (j job) run(ctx context.Context) (sample, error) {
	in, err := json.Marshal(j)
	if err != nil {
		return sample{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return sample{}, err
	}
	cmd := exec.CommandContext(ctx, self, loadArgument)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return sample{}, err
	}
	var s sample
	return s, json.Unmarshal(out, &s)
}

// key names one cell of the table.
type key struct {
	measurement
	connections int
}

// compareVariants measures all variants in interleaved rounds and prints medians and ratios.
func (b *bench) compareVariants(ctx context.Context) error {
	lines := []measurement{
		{ceiling, play, false}, {batched, play, false}, {batched, play, true}, {batched, bets, false},
		{unlogged, play, false}, {unbatched, play, false}, {sqlAlone, bets, false},
		{ceiling, balances, false}, {batched, balances, false},
	}
	if b.mysqlDSN == "" {
		lines = slices.DeleteFunc(lines, func(m measurement) bool { return m.variant == sqlAlone })
	}
	samples := map[key][]sample{}
	failed := 0
	fmt.Fprintln(os.Stderr, "warming up")
	for _, m := range lines { // a database's first seconds are not typical
		if _, err := b.measure(ctx, m, 64); err != nil {
			return err
		}
	}
	for round := range b.rounds {
		for _, c := range b.connections {
			for _, m := range lines {
				fmt.Fprintf(os.Stderr, "round %d of %d, %d connections: %s\n", round+1, b.rounds, c, m)
				s, err := b.measure(ctx, m, c)
				if err != nil {
					return err
				}
				if failed += s.Failed; s.Failed > 0 {
					fmt.Fprintf(os.Stderr, "  %d FAILED: %s\n", s.Failed, s.Failure)
				}
				samples[key{m, c}] = append(samples[key{m, c}], s)
			}
		}
	}
	get := func(m measurement, c int) (float64, bool) {
		list, ok := samples[key{m, c}]
		return median(list, sample.rate), ok
	}
	fmt.Printf("\n%s, %d players, medians of %d interleaved rounds of %s each: per second, p50, p99 in ms\n\n",
		b.engine, b.players, b.rounds, b.duration)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "connections\t")
	for _, c := range b.connections {
		fmt.Fprintf(table, "%d\tp50\tp99\t", c)
	}
	fmt.Fprintln(table)
	for _, m := range lines {
		fmt.Fprintf(table, "%s\t", m)
		for _, c := range b.connections {
			list := samples[key{m, c}]
			ms := func(get func(sample) time.Duration) float64 {
				return median(list, func(s sample) float64 { return float64(get(s)) / float64(time.Millisecond) })
			}
			p50, p99 := ms(func(s sample) time.Duration { return s.P50 }), ms(func(s sample) time.Duration { return s.P99 })
			fmt.Fprintf(table, "%.0f\t%.2f\t%.2f\t", median(list, sample.rate), p50, p99)
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	fmt.Printf("\nratios\n\n")
	ratio := func(name string, connections int, above, below measurement) {
		a, ok1 := get(above, connections)
		z, ok2 := get(below, connections)
		if ok1 && ok2 && z > 0 {
			fmt.Fprintf(table, "%s\t%.2f\t\n", fmt.Sprintf(name, connections), a/z)
		}
	}
	table = tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	spread, ceil := measurement{batched, play, false}, measurement{ceiling, play, false}
	plain := measurement{unbatched, play, false}
	ratio("play at %d against the ceiling", 256, spread, ceil)
	ratio("play at %d against unbatched", 256, spread, plain)
	ratio("play at %d against unbatched", 64, spread, plain)
	ratio("bets at %d against raw SQL", 64, measurement{batched, bets, false}, measurement{sqlAlone, bets, false})
	ratio("play at %d, one player against many", 64, measurement{batched, play, true}, spread)
	ratio("play at %d against unbatched", 1, spread, plain)
	ratio("play at %d against the same without callback log", 256, spread, measurement{unlogged, play, false})
	ratio("GetBalance at %d against the ceiling", 64, measurement{batched, balances, false},
		measurement{ceiling, balances, false})
	if list := samples[key{spread, 64}]; len(list) > 0 {
		tail := median(list, func(s sample) float64 { return float64(s.P99) / float64(s.P50) })
		fmt.Fprintf(table, "play at 64, p99 against p50\t%.2f\t\n", tail)
	}
	table.Flush()
	fmt.Printf("\n%d requests had a wrong answer or none\n", failed)
	return b.verify(ctx)
}

// verify checks the ledger after the load.
func (b *bench) verify(ctx context.Context) error {
	v, err := b.stores[0].Verify(ctx, nil)
	if err != nil {
		return err
	}
	if !v.OK() {
		return fmt.Errorf("verification found faults in %d wallets after the load", len(v.Faulty))
	}
	fmt.Printf("ledger verified: %d entries and %d free-spin entries of %d wallets\n", v.Entries, v.SpinEntries, v.Wallets)
	return nil
}

// median returns the median of get over the list, or 0 if the list is empty.
func median[T any](list []T, get func(T) float64) float64 {
	if len(list) == 0 {
		return 0
	}
	values := make([]float64, len(list))
	for i, v := range list {
		values[i] = get(v)
	}
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 0 {
		return (values[middle-1] + values[middle]) / 2
	}
	return values[middle]
}
