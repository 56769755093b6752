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
)

// bench is the measuring process.
type bench struct {
	options
	mysqlDSN string // empty on SQLite
	stores   []*store.Store
	servers  []*callbacks.Server
	roads    map[road]string // address of each road's callbacks
	runs     int
}

// road is one way of answering callbacks.
type road string

const (
	ceiling   road = "ceiling"
	batched   road = "batched"
	unbatched road = "unbatched"
	unlogged  road = "batched without callback log"
	sqlAlone  road = "raw SQL"
)

// newBench makes a database of the benchmark's players and serves all roads to it.
func newBench(ctx context.Context, o options, e *engine, name string) (*bench, error) {
	b := &bench{options: o, roads: map[road]string{}}
	url, dsn, err := e.database(ctx, name)
	if err != nil {
		return nil, err
	}
	b.mysqlDSN = dsn
	for _, r := range []road{batched, unbatched} {
		s, err := store.Open(ctx, store.Config{URL: url, LedgerKey: []byte(ledgerKey), Unbatched: r == unbatched, MaxConns: 300})
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
		if err := b.serve(r, s, s); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(b.serve(ceiling, nothing{}, nil), b.serve(unlogged, withoutLog{b.stores[0]}, nil)); err != nil {
		return nil, err
	}
	var file models.PlayerFile
	for i := range o.players {
		file.Players = append(file.Players, models.NewPlayer{UserID: models.UserID(fmt.Sprintf("p%d", i)), Currency: "EUR", Balance: 1_000_000_00})
		file.Lines = append(file.Lines, i)
	}
	bad, err := b.stores[0].ImportPlayers(ctx, models.System, file, nil)
	if err == nil && len(bad) > 0 {
		err = errors.New("the database holds players already; the benchmark needs an empty one")
	}
	if err != nil {
		return nil, err
	}
	return b, b.prepareRawSQL(ctx)
}

// nothing answers without a database: what is left is HTTP, JSON and signs.
type nothing struct{}

// Apply answers that op was applied.
func (nothing) Apply(context.Context, models.Operation) (models.Result, error) {
	return models.Result{Balance: models.Balance{Amount: 99900, Currency: "EUR"}}, nil
}

// Balance answers the same for everybody.
func (nothing) Balance(context.Context, models.UserID) (models.Balance, bool, error) {
	return models.Balance{Amount: 99900, Currency: "EUR"}, true, nil
}

// withoutLog keeps no receipts of callbacks.
type withoutLog struct{ *store.Store }

// Apply applies op without a receipt.
func (s withoutLog) Apply(ctx context.Context, op models.Operation) (models.Result, error) {
	op.Receipt = nil
	return s.Store.Apply(ctx, op)
}

func (b *bench) serve(r road, s callbacks.Store, j callbacks.Journal) error {
	server, err := callbacks.New(callbacks.Config{
		AgentID: agentID, SecretKey: secretKey, Deadline: 30 * time.Second,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), LogLevel: slog.LevelWarn, Journal: j,
	}, s)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	b.servers = append(b.servers, server)
	b.roads[r] = l.Addr().String()
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

// measurement is one line of the comparison: a road under a workload.
type measurement struct {
	road     road
	workload workload
	hot      bool
}

func (m measurement) String() string {
	name := fmt.Sprintf("%s, %s", m.road, m.workload)
	if m.road == sqlAlone {
		name = "raw SQL, bets"
	}
	if m.hot {
		name += ", one player"
	}
	return name
}

// measure runs one job in a process of its own.
func (b *bench) measure(ctx context.Context, m measurement, connections int) (sample, error) {
	b.runs++
	j := job{
		Address: b.roads[m.road], Workload: m.workload, Connections: connections, Duration: b.duration, Players: b.players, Hot: m.hot,
		AnyResult: m.road == ceiling, Most: 45_000, Run: fmt.Sprintf("b%d", b.runs), AgentID: agentID, SecretKey: secretKey,
	}
	if m.road == ceiling || m.workload == balances {
		j.Most = 150_000
	}
	if m.road == sqlAlone {
		j.Address, j.Workload, j.DSN = "", rawSQL, b.mysqlDSN
	}
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
		return sample{}, fmt.Errorf("load of %s at %d connections: %w", m, connections, err)
	}
	var s sample
	return s, json.Unmarshal(out, &s)
}

// key names one cell of the table.
type key struct {
	measurement
	connections int
}

// compareRoads measures all roads in interleaved rounds and prints medians and ratios.
func (b *bench) compareRoads(ctx context.Context) error {
	lines := []measurement{
		{ceiling, play, false}, {batched, play, false}, {batched, play, true}, {batched, bets, false},
		{unlogged, play, false}, {unbatched, play, false}, {sqlAlone, bets, false}, {ceiling, balances, false}, {batched, balances, false},
	}
	if b.mysqlDSN == "" {
		lines = slices.DeleteFunc(lines, func(m measurement) bool { return m.road == sqlAlone })
	}
	samples := map[key][]sample{}
	failed := 0
	fmt.Fprintln(os.Stderr, "warming up")
	for _, m := range lines { // an engine's first seconds are not those that matter
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
	get := func(r road, w workload, hot bool, c int) (float64, bool) {
		list, ok := samples[key{measurement{r, w, hot}, c}]
		return median(list, sample.rate), ok
	}
	engine := "SQLite"
	if b.mysqlDSN != "" {
		engine = "MariaDB"
	}
	fmt.Printf("\n%s, %d players, medians of %d interleaved rounds of %s each: per second, p50, p99 in ms\n\n", engine, b.players, b.rounds, b.duration)
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
			fmt.Fprintf(table, "%.0f\t%.2f\t%.2f\t", median(list, sample.rate), ms(func(s sample) time.Duration { return s.P50 }), ms(func(s sample) time.Duration { return s.P99 }))
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	fmt.Printf("\nratios\n\n")
	ratio := func(name string, connections int, above, below measurement) {
		a, ok1 := get(above.road, above.workload, above.hot, connections)
		z, ok2 := get(below.road, below.workload, below.hot, connections)
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
	ratio("GetBalance at %d against the ceiling", 64, measurement{batched, balances, false}, measurement{ceiling, balances, false})
	if list := samples[key{spread, 64}]; len(list) > 0 {
		fmt.Fprintf(table, "play at 64, p99 against p50\t%.2f\t\n", median(list, func(s sample) float64 { return float64(s.P99) / float64(s.P50) }))
	}
	table.Flush()
	fmt.Printf("\n%d requests without the answer that they must have\n", failed)
	return b.verify(ctx)
}

// verify checks the ledger that the load has left behind.
func (b *bench) verify(ctx context.Context) error {
	v, err := b.stores[0].Verify(ctx, nil)
	if err != nil {
		return err
	}
	if !v.OK() {
		return fmt.Errorf("%d wallets do not hold after the load", len(v.Faulty))
	}
	fmt.Printf("the ledger holds: %d entries, %d free-spin entries of %d wallets\n", v.Entries, v.SpinEntries, v.Wallets)
	return nil
}

func median(list []sample, get func(sample) float64) float64 {
	if len(list) == 0 {
		return 0
	}
	values := make([]float64, len(list))
	for i, s := range list {
		values[i] = get(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
