package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/ledger"
	"pitboss/models/store/storetest"
	"pitboss/models/store/storetest/mariadb"
)

// applyInto is the environment variable that makes this test program an instance to be killed. roundOf is the one with the
// prefix of its transactions.
const (
	applyInto = "PITBOSS_TEST_APPLY_INTO"
	roundOf   = "PITBOSS_TEST_ROUND"
)

var crashPlayers = []models.UserID{"anna", "bert", "carl", "dora"}

// applyUntilKilled applies bets as quickly as it can, and prints a line for each one that was acknowledged.
func applyUntilKilled(url string) {
	s, err := store.Open(context.Background(), store.Config{URL: url, LedgerKey: ledgerKey})
	if err != nil {
		panic(err)
	}
	for worker := range 8 {
		go func() {
			for i := 0; ; i++ {
				op := bet(crashPlayers[i%len(crashPlayers)],
					models.TransactionID(fmt.Sprintf("%s-%d-%d", os.Getenv(roundOf), worker, i)), 1)
				if r, err := s.Apply(context.Background(), received(op)); err != nil || r.Decline != models.None {
					panic(fmt.Sprint(r, err))
				}
				fmt.Println(op.UserID, op.TransactionID)
			}
		}()
	}
	select {}
}

// The program is killed in the middle of its work: what it acknowledged is booked exactly once.
func TestKilledInstance(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		const opening = models.Amount(1000000)
		s := x.open(t)
		for _, p := range crashPlayers {
			create(t, s, p, opening)
		}
		require.NoError(t, s.Close())
		acknowledged := map[models.TransactionID]models.UserID{}
		for round := range scaled(3, 50) {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), applyInto+"="+x.cfg.URL, fmt.Sprintf("%s=%d", roundOf, round))
			child.Stderr = os.Stderr
			stdout, err := child.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, child.Start())
			lines := bufio.NewReader(stdout)
			for n := 0; ; n++ {
				line, err := lines.ReadString('\n')
				if err == io.EOF {
					break // a line that was cut short by the kill is not counted
				}
				require.NoError(t, err)
				var user, id string
				_, err = fmt.Sscan(line, &user, &id)
				require.NoError(t, err)
				_, twice := acknowledged[models.TransactionID(id)] // NotContains would go through all of them, each time
				require.False(t, twice, id)
				acknowledged[models.TransactionID(id)] = models.UserID(user)
				if n == 200 {
					require.NoError(t, child.Process.Kill())
				}
			}
			require.Error(t, child.Wait(), "it was killed")
		}
		require.Greater(t, len(acknowledged), 200*scaled(3, 50))

		s = x.open(t)
		v := requireWhole(t, s)
		requireReceipts(t, x.db)
		booked := int(v.Transactions) - len(crashPlayers)
		require.GreaterOrEqual(t, booked, len(acknowledged))
		require.LessOrEqual(t, booked, len(acknowledged)+8*scaled(3, 50), "at most what was under way when it was killed")
		for id, user := range acknowledged {
			require.Equal(t, models.Duplicate, apply(t, s, bet(user, id, 1)).Decline, "%s was acknowledged", id)
		}
		var total models.Amount
		for _, p := range crashPlayers {
			total += balance(t, s, p)
		}
		require.Equal(t, opening*models.Amount(len(crashPlayers))-models.Amount(booked), total)
	})
}

// platform repeats each operation until it has a definite answer, as the platform does, and counts the answers.
type platform struct {
	s        *store.Store
	mu       sync.Mutex
	applied  map[models.TransactionID]models.Operation
	answers  atomic.Int64
	failures atomic.Int64
}

// play applies ops in order. Only a repeated one may be answered as a duplicate, or as rolled back already.
func (p *platform) play(ctx context.Context, ops func(i int) models.Operation) error {
	for i := 0; ctx.Err() == nil; i++ {
		op := ops(i)
		for repeated := false; ; repeated = true {
			wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2500*time.Millisecond)
			r, err := p.s.Apply(wait, received(op))
			cancel()
			if err != nil {
				if errors.Is(err, ledger.ErrClosed) {
					return err
				}
				p.failures.Add(1)
				continue
			}
			again := models.Duplicate
			if op.Kind == models.Rollback {
				again = models.RolledBack
			}
			if r.Decline != models.None && (!repeated || r.Decline != again) {
				return fmt.Errorf("%s %s: %s (repeated: %v)", op.Kind, op.TransactionID, r.Decline, repeated)
			}
			break
		}
		p.mu.Lock()
		if op.Kind == models.Rollback {
			delete(p.applied, op.TransactionID)
		} else {
			p.applied[op.TransactionID] = op
		}
		p.mu.Unlock()
		p.answers.Add(1)
	}
	return nil
}

// load plays a mix of operations for each of the players from several workers, and returns a function that ends it and waits.
// Each worker books bets, wins, bets with wins and free spins, and rolls every fourth back.
func (p *platform) load(t testing.TB, players []models.UserID, workers int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	for w := range workers {
		done.Go(func() {
			user := players[w%len(players)]
			err := p.play(ctx, func(i int) models.Operation {
				id := models.TransactionID(fmt.Sprintf("w%d-%d", w, i))
				switch i % 5 {
				case 0:
					return bet(user, id, 7)
				case 1:
					return win(user, id, 5)
				case 2:
					return betWin(user, id, 3, 4)
				case 3:
					return freeSpin(user, id, 11)
				}
				return rollback(user, models.TransactionID(fmt.Sprintf("w%d-%d", w, i-1-(i/5)%4)))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	return func() {
		cancel()
		done.Wait()
	}
}

// await waits until the platform has had more answers.
func (p *platform) await(t testing.TB, more int64) {
	t.Helper()
	from := p.answers.Load()
	require.Eventually(t, func() bool { return p.answers.Load() >= from+more || t.Failed() }, 3*patience, 5*time.Millisecond,
		"no answers came")
}

// requireBooks compares balances and transactions with what the platform was told.
func (p *platform) requireBooks(t testing.TB, db *sql.DB, players []models.UserID, opening models.Amount) {
	t.Helper()
	want := map[models.UserID]models.Amount{}
	for _, op := range p.applied {
		if !op.FreeSpin {
			want[op.UserID] += op.Win - op.Bet
		}
	}
	for _, user := range players {
		require.Equal(t, opening+want[user], balance(t, p.s, user), user)
	}
	var standing int
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT COALESCE(SUM(3 - 2 * claim), 0) FROM postings WHERE source = 1").
		Scan(&standing))
	require.Equal(t, len(p.applied), standing)
	requireWhole(t, p.s)
	requireReceipts(t, db)
}

// The database is killed in the middle of batches: what was acknowledged is booked exactly once, and work continues
// automatically.
func TestKilledDatabase(t *testing.T) {
	t.Parallel() // it waits most of the time
	server, err := mariadb.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Kill()) })
	admin := openURL(t, "mysql://"+server.DSN(""))
	for name, unbatched := range map[string]bool{"batched": false, "unbatched": true} {
		t.Run(name, func(t *testing.T) {
			_, err := admin.ExecContext(t.Context(), "CREATE DATABASE "+name)
			require.NoError(t, err)
			url := "mysql://" + server.DSN(name)
			s := storetest.Open(t, store.Config{URL: url, LedgerKey: ledgerKey, Unbatched: unbatched})
			const opening = models.Amount(10000000)
			for _, p := range crashPlayers {
				create(t, s, p, opening)
			}
			p := &platform{s: s, applied: map[models.TransactionID]models.Operation{}}
			stop := p.load(t, crashPlayers, 24)
			for range scaled(2, 25) {
				p.await(t, 300)
				require.NoError(t, server.Kill())
				require.NoError(t, server.Restart())
				p.await(t, 300)
			}
			stop()
			p.requireBooks(t, openURL(t, url), crashPlayers, opening)
		})
	}
}
