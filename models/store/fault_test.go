package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/ledger"
	"pitboss/models/store/storetest"
)

// onFaultyWay runs fn, with batches and without, on a MariaDB that a second store reaches through a proxy that breaks
// connections.
func onFaultyWay(t *testing.T, fn func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store)) {
	for name, unbatched := range map[string]bool{"batched": false, "unbatched": true} {
		t.Run(name, func(t *testing.T) {
			x := newSite(t, storetest.MariaDB, unbatched)
			p := storetest.NewFaultProxy(t, strings.TrimPrefix(x.cfg.URL, "mysql://"))
			cfg := x.cfg
			cfg.Idle = time.Hour // a delayed commit waits for the test, however busy the machine is
			cfg.URL = "mysql://" + p.DSN()
			fn(t, x, p, storetest.Open(t, cfg))
		})
	}
}

// commitFaults are the faults after which nobody knows whether the transaction was committed.
var commitFaults = map[string]storetest.CommitFault{
	"the commit is lost":        storetest.LoseCommit,
	"the commit is torn":        storetest.TearCommit,
	"its answer is lost":        storetest.LoseAnswer,
	"the commit comes too late": storetest.DelayCommit,
}

// releaser releases delayed commits as soon as their client is cut off, so that each reaches the server before or after the
// client's next try begins.
func releaser(t *testing.T, p *storetest.FaultProxy) (struck *atomic.Int64) {
	struck = new(atomic.Int64)
	ended := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-p.Struck():
				struck.Add(1)
				p.Release()
			case <-ended:
				return
			}
		}
	})
	t.Cleanup(func() { close(ended); watching.Wait() })
	return struck
}

// Whatever happens to the commit and its answer, the operation is applied once. Its caller is told that it was applied, never
// that it is a duplicate of itself.
func TestCommitInDoubt(t *testing.T) {
	onFaultyWay(t, func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store) {
		create(t, via, "anna", 100000)
		create(t, via, "bert", 100000)
		struck := releaser(t, p)
		round := 0
		for name, fault := range commitFaults {
			for _, times := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s %d times", name, times), func(t *testing.T) {
					round++
					id := func(of string) models.TransactionID { return models.TransactionID(fmt.Sprint(of, round)) }
					for _, op := range []models.Operation{bet("anna", id("bet"), 100), win("anna", id("win"), 100),
						betWin("anna", id("both"), 100, 100), freeSpin("anna", id("spin"), 100)} {
						apply(t, via, op)
					}
					for _, row := range []struct {
						op      models.Operation
						want    models.Decline
						after   models.Amount // what the balance gains
						entries int64
					}{
						{bet("anna", id("a"), 70), models.None, -70, 1},
						{bet("anna", id("b"), 0), models.None, 0, 1},
						{win("anna", id("c"), 50), models.None, 50, 1},
						{betWin("anna", id("d"), 30, 40), models.None, 10, 2},
						{freeSpin("anna", id("e"), 20), models.None, 0, 1},
						{rollback("anna", id("bet")), models.None, 100, 1},
						{rollback("anna", id("win")), models.None, -100, 1},
						{rollback("anna", id("both")), models.None, 0, 2},
						{rollback("anna", id("spin")), models.None, 0, 1},
						{rollback("anna", id("f")), models.NotFound, 0, 1}, // its tombstone
						{bet("anna", id("f"), 10), models.RolledBack, 0, 0},
						{bet("anna", id("a"), 70), models.Duplicate, 0, 0},
						{bet("anna", id("a"), 71), models.Duplicate, 0, 0}, // it only leaves a mark
						{bet("anna", id("g"), 10000000), models.InsufficientFunds, 0, 0},
						{rollback("bert", id("a")), models.NotFound, 0, 0},
					} {
						const entries = "SELECT (SELECT COUNT(*) FROM entries) + (SELECT COUNT(*) FROM spin_entries)"
						from, lines := balance(t, via, "anna"), x.number(t, entries)
						faults := struck.Load()
						p.AtCommit(fault, times)
						r := apply(t, via, row.op)
						p.AtCommit(0, 0)
						require.Equal(t, row.want, r.Decline, "%s %s", row.op.Kind, row.op.TransactionID)
						require.Equal(t, from+row.after, balance(t, via, "anna"), "%s %s", row.op.Kind, row.op.TransactionID)
						if row.op.UserID == "anna" {
							require.Equal(t, from+row.after, r.Balance.Amount, "the balance that was answered")
						}
						require.Equal(t, lines+row.entries, x.number(t, entries))
						require.Eventually(t, func() bool { return struck.Load() > faults }, patience, time.Millisecond,
							"the fault never struck")
					}
					require.EqualValues(t, 100000, balance(t, via, "bert"))
					requireWhole(t, via)
					requireReceipts(t, x.db)
				})
			}
		}
	})
}

// The same in large batches, with duplicates and rollbacks of each other's transactions.
func TestCommitInDoubtInBatches(t *testing.T) {
	onFaultyWay(t, func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store) {
		var players []models.UserID
		for i := range 8 {
			players = append(players, models.UserID(fmt.Sprint("player", i)))
			create(t, via, players[i], 100000)
		}
		struck := releaser(t, p)
		want := map[models.UserID]models.Amount{}
		for round := range scaled(3, 100) {
			for name, fault := range commitFaults {
				var ops []models.Operation
				for i := range 64 {
					user, id := players[i%len(players)], models.TransactionID(fmt.Sprint(name, round, "-", i))
					ops = append(ops, bet(user, id, 10), bet(user, id, 10), betWin(user, "both-"+id, 4, 7),
						rollback(user, "early-"+id))
					want[user] += -10 - 4 + 7
				}
				faults := struck.Load()
				p.AtCommit(fault, 5)
				all := applyTogether(t, patience, ops, via)
				p.AtCommit(0, 0)
				require.Equal(t, map[models.Decline]int{models.None: 128, models.Duplicate: 64, models.NotFound: 64},
					tally(t, all), name)
				require.Greater(t, struck.Load(), faults, "the fault never struck")
			}
		}
		for _, user := range players {
			require.Equal(t, 100000+want[user], balance(t, via, user), user)
		}
		requireWhole(t, via)
		requireReceipts(t, x.db)
	})
}

// Connections break at any moment, in every statement: each operation ends with a definite answer, and is booked once.
func TestConnectionsCutAtAnyTime(t *testing.T) {
	onFaultyWay(t, func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store) {
		const opening = models.Amount(10000000)
		for _, user := range crashPlayers {
			create(t, via, user, opening)
		}
		plays := &platform{s: via, applied: map[models.TransactionID]models.Operation{}}
		stop := plays.load(t, crashPlayers, 16)
		for i := range scaled(40, 2000) {
			plays.await(t, int64(i%17))
			p.Cut()
		}
		stop()
		plays.requireBooks(t, x.db, crashPlayers, opening)
	})
}

// The server has committed, but its answer hangs while the connection stays open. The caller has no definite answer at the
// deadline, and the committer goes on.
func TestAnswerOfCommitHangs(t *testing.T) {
	t.Parallel() // it waits most of the time
	onFaultyWay(t, func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store) {
		create(t, via, "anna", 1000)
		p.AtCommit(storetest.HoldAnswer, 1)
		short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		_, err := via.Apply(short, bet("anna", "a", 100))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, storetest.HoldAnswer, <-p.Struck())

		require.Equal(t, models.None, apply(t, via, bet("anna", "b", 100)).Decline, "while the first answer still hangs")
		require.Equal(t, models.Duplicate, apply(t, via, bet("anna", "a", 100)).Decline, "it had been committed")
		require.EqualValues(t, 800, balance(t, via, "anna"))
		p.Release()
		requireWhole(t, via)
	})
}

// While the answer to one player's COMMIT hangs, the others play on.
func TestOthersPlayWhileAnAnswerHangs(t *testing.T) {
	t.Parallel() // it waits most of the time
	onFaultyWay(t, func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store) {
		users := []models.UserID{"anna", "bert", "carl", "dora", "emil"}
		for _, user := range users {
			create(t, via, user, 1000)
		}
		p.AtCommit(storetest.HoldAnswer, 1)
		hanging := make(chan []answered, 1)
		go func() { hanging <- applyTogether(t, patience, []models.Operation{bet("anna", "anna", 100)}, via) }()
		require.Equal(t, storetest.HoldAnswer, <-p.Struck())
		for _, user := range users[1:] {
			require.Equal(t, models.None, apply(t, via, bet(user, models.TransactionID(user), 100)).Decline)
		}
		require.Equal(t, models.Duplicate, apply(t, via, bet("anna", "anna", 100)).Decline, "it is committed")
		require.Empty(t, hanging, "her first answer still hangs")
		p.Release()
		require.Equal(t, map[models.Decline]int{models.None: 1}, tally(t, <-hanging))
		requireWhole(t, via)
	})
}

// Nothing gets through and no connection ends, as when a network is lost: callers reach their deadlines, and afterwards
// everything continues automatically.
func TestNetworkStalls(t *testing.T) {
	t.Parallel() // it waits most of the time
	onFaultyWay(t, func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store) {
		create(t, via, "anna", 10000)
		ops := make([]models.Operation, 20)
		for i := range ops {
			ops[i] = bet("anna", models.TransactionID(fmt.Sprint("t", i)), 100)
		}
		for range scaled(2, 20) {
			func() {
				resume := p.Stall()
				defer resume()
				for _, o := range applyTogether(t, 300*time.Millisecond, ops, via) {
					require.ErrorIs(t, o.err, context.DeadlineExceeded)
				}
				short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer cancel()
				_, _, err := via.Balance(short, "anna")
				require.ErrorIs(t, err, context.DeadlineExceeded)
			}()
			for _, o := range applyTogether(t, patience, ops, via) {
				require.NoError(t, o.err)
				require.Contains(t, []models.Decline{models.None, models.Duplicate}, o.Decline)
			}
			require.EqualValues(t, 8000, balance(t, via, "anna"))
		}
		requireWhole(t, via)
	})
}

// Callers reach their deadline between two statements of their transaction: all of it is rolled back, and its locks block
// nobody afterwards.
func TestDeadlineBetweenStatements(t *testing.T) {
	t.Parallel() // it waits most of the time
	onBoth(t, func(t *testing.T, x *site) {
		var late atomic.Pointer[time.Time]
		x.cfg.Now = func() time.Time {
			if deadline := late.Swap(nil); deadline != nil {
				// on a busy machine the transaction's own timer is late
				<-time.After(time.Until(*deadline) + 100*time.Millisecond)
			}
			return time.Now()
		}
		x.cfg.MaxConns = 3
		s := x.open(t)
		create(t, s, "anna", 1000)
		for i := range 8 { // more often than there are connections
			deadline := time.Now().Add(20 * time.Millisecond)
			late.Store(&deadline) // the store reads the clock once the transaction has begun
			short, cancel := context.WithDeadline(t.Context(), deadline)
			_, err := s.Apply(short, bet("anna", models.TransactionID(fmt.Sprint("late", i)), 1))
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, models.None, apply(t, s, bet("anna", models.TransactionID(fmt.Sprint("t", i)), 1)).Decline)
		}
		require.EqualValues(t, 992, balance(t, s, "anna"))
		requireWhole(t, s)
	})
}

// holdWallet locks a player's wallet from outside, as another program or a forgotten client would, until letGo is called. On
// SQLite it locks the whole database.
func (x *site) holdWallet(t testing.TB, user models.UserID) (letGo func()) {
	t.Helper()
	tx, err := x.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	if x.engine == storetest.MariaDB {
		var id int64
		require.NoError(t, tx.QueryRowContext(t.Context(),
			"SELECT player_id FROM wallets WHERE player_id = (SELECT id FROM players WHERE user_id = ?) FOR UPDATE",
			string(user)).Scan(&id))
	}
	return sync.OnceFunc(func() { require.NoError(t, tx.Rollback()) })
}

// lockAwaited is how MariaDB's status names a lock that a transaction waits for: by its table.
var lockAwaited = regexp.MustCompile("of table `([^`]+)`\\.`[^`]+` trx id \\d+ lock.mode .* waiting")

// awaitLockWaits waits until this number of transactions wait for locks in the site's database on MariaDB, or more.
// information_schema.innodb_trx would not do: it is out of date for as long as somebody queries it all the time.
func (x *site) awaitLockWaits(t testing.TB, n int) {
	t.Helper()
	var database string
	require.NoError(t, x.db.QueryRowContext(t.Context(), "SELECT DATABASE()").Scan(&database))
	require.Eventually(t, func() bool {
		var engine, name, status string
		if err := x.db.QueryRowContext(t.Context(), "SHOW ENGINE INNODB STATUS").Scan(&engine, &name, &status); err != nil {
			t.Error(err)
			return true
		}
		waits := 0
		for _, lock := range lockAwaited.FindAllStringSubmatch(status, -1) {
			if lock[1] == database {
				waits++
			}
		}
		return waits >= n
	}, patience, 20*time.Millisecond)
}

// The commit is still on its way when its operation is tried again: the second try waits for the first to end, and finds it.
func TestLateCommitMeetsItsRetry(t *testing.T) {
	onFaultyWay(t, func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store) {
		create(t, via, "anna", 1000)
		create(t, via, "bert", 1000)
		p.AtCommit(storetest.DelayCommit, 1)
		answers := make(chan []answered)
		go func() {
			answers <- applyTogether(t, patience,
				[]models.Operation{bet("anna", "a", 100), freeSpin("anna", "b", 100), bet("bert", "c", 100)}, via)
		}()
		require.Equal(t, storetest.DelayCommit, <-p.Struck())
		x.awaitLockWaits(t, 1)
		p.Release()
		require.Equal(t, map[models.Decline]int{models.None: 3}, tally(t, <-answers))
		require.EqualValues(t, 900, balance(t, via, "anna"))
		require.EqualValues(t, 900, balance(t, via, "bert"))
		requireWhole(t, via)
	})
}

// A change by staff is looked for until its transaction has ended, however late its COMMIT is, and its outcome is reported.
func TestLateChange(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := newSite(t, storetest.MariaDB, false)
	p := storetest.NewFaultProxy(t, strings.TrimPrefix(x.cfg.URL, "mysql://"))
	cfg := x.cfg
	cfg.URL = "mysql://" + p.DSN()
	via := storetest.Open(t, cfg)
	create(t, via, "anna", 1000)
	events := x.number(t, "SELECT COUNT(*) FROM audit_events")
	change := func(fault storetest.CommitFault, blocked bool) chan error {
		done := make(chan error)
		p.AtCommit(fault, 1)
		go func() {
			done <- via.SetBlocked(context.WithoutCancel(t.Context()), tester, "anna", blocked, "asked for it")
		}()
		require.Equal(t, fault, <-p.Struck())
		return done
	}
	stands := func(blocked bool, changes int64) {
		t.Helper()
		anna, _, err := via.Player(t.Context(), "anna")
		require.NoError(t, err)
		require.Equal(t, blocked, anna.Wallet.Blocked)
		require.Equal(t, events+changes, x.number(t, "SELECT COUNT(*) FROM audit_events"))
	}
	late := change(storetest.DelayCommit, true)
	x.awaitLockWaits(t, 1)
	p.Release()
	require.NoError(t, <-late)
	stands(true, 1)

	require.Error(t, <-change(storetest.LoseCommit, false))
	stands(true, 1)
	require.NoError(t, <-change(storetest.LoseAnswer, false))
	stands(false, 2)

	// A COMMIT that is still on its way when the server has given up on the transaction (idle_write_transaction_timeout) changes
	// nothing, and that is certain.
	err := <-change(storetest.DelayCommit, true)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "may have been saved")
	p.Release()
	stands(false, 2)
	requireWhole(t, via)
}

// Each COMMIT is executed, and each of its answers is lost. The second attempt finds what the first has written, and needs no
// answer to its own COMMIT to say so.
func TestFoundCommitIsAnsweredAtOnce(t *testing.T) {
	onFaultyWay(t, func(t *testing.T, x *site, p *storetest.FaultProxy, via *store.Store) {
		direct := x.open(t)
		create(t, direct, "anna", 1000)
		p.AtCommit(storetest.LoseAnswer, 1<<20)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		for i := range 3 {
			r, err := via.Apply(ctx, bet("anna", models.TransactionID(fmt.Sprint("t", i)), 100))
			require.NoError(t, err)
			require.Equal(t, models.None, r.Decline)
		}
		require.EqualValues(t, 700, balance(t, direct, "anna"))
		requireWhole(t, direct)
	})
}

// An instance vanishes in the middle of a transaction, and the server is not told: it ends the transaction after some seconds,
// so that the player plays on, and staff work on, over another instance.
func TestVanishedInstanceLetsGo(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := newSite(t, storetest.MariaDB, false)
	p := storetest.NewFaultProxy(t, strings.TrimPrefix(x.cfg.URL, "mysql://"))
	cfg := x.cfg
	cfg.URL = "mysql://" + p.DSN()
	vanished, s := storetest.Open(t, cfg), storetest.Open(t, x.cfg)
	create(t, s, "anna", 1000)
	p.AtCommit(storetest.DelayCommit, 1)
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := vanished.Apply(short, bet("anna", "a", 100))
	require.Error(t, err)
	require.Equal(t, storetest.DelayCommit, <-p.Struck())
	require.Equal(t, models.None, apply(t, s, bet("anna", "b", 100)).Decline)
	p.Release()
	require.Equal(t, models.None, apply(t, s, bet("anna", "a", 100)).Decline)
	require.EqualValues(t, 800, balance(t, s, "anna"))

	// The same in a change by staff, which holds the head of the audit log.
	p.AtCommit(storetest.DelayCommit, 1)
	short, cancel = context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err = vanished.CreatePlayer(short, tester, models.NewPlayer{UserID: "bert", Currency: "EUR"})
	require.Error(t, err)
	require.Equal(t, storetest.DelayCommit, <-p.Struck())
	create(t, s, "carl", 1000)
	p.Release()
	requireWhole(t, s)
}

// Somebody else has locked one wallet's row. Callers for this wallet have no definite answer at their deadlines; nobody else
// notices.
func TestForeignLockHarmsNobodyElse(t *testing.T) {
	t.Parallel() // it waits most of the time
	for name, unbatched := range map[string]bool{"batched": false, "unbatched": true} {
		t.Run(name, func(t *testing.T) {
			x := newSite(t, storetest.MariaDB, unbatched)
			s := x.open(t)
			var ops []models.Operation
			for i := range 32 {
				user := models.UserID(fmt.Sprint("player", i))
				create(t, s, user, 1000)
				ops = append(ops, bet(user, models.TransactionID(fmt.Sprint("a", i)), 100))
			}
			letGo := x.holdWallet(t, "player7")
			defer letGo()
			for _, o := range applyTogether(t, 4*time.Second, ops, s) {
				if o.UserID == "player7" {
					require.Error(t, o.err)
				} else {
					require.NoError(t, o.err, "%s", o.UserID)
					require.Equal(t, models.None, o.Decline)
				}
			}
			letGo()
			require.Contains(t, []models.Decline{models.None, models.Duplicate}, apply(t, s, ops[7]).Decline)
			require.EqualValues(t, 900, balance(t, s, "player7"))
			requireWhole(t, s)
		})
	}
}

// A forgotten client has locked more wallets than there are connections, for longer than anybody waits. All other players play
// on.
func TestManyForeignLocksHarmNobodyElse(t *testing.T) {
	t.Parallel() // it waits most of the time
	for name, unbatched := range map[string]bool{"batched": false, "unbatched": true} {
		t.Run(name, func(t *testing.T) {
			x := newSite(t, storetest.MariaDB, unbatched)
			x.cfg.MaxConns = 8
			s := x.open(t)
			const held, free = 40, 8
			for i := range held + free {
				create(t, s, models.UserID(fmt.Sprint("player", i)), 1000)
			}
			bets := func(round string, from, to int) (ops []models.Operation) {
				for i := from; i < to; i++ {
					id := models.TransactionID(fmt.Sprint(round, i))
					ops = append(ops, bet(models.UserID(fmt.Sprint("player", i)), id, 100))
				}
				return ops
			}
			tx, err := x.db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelReadCommitted}) // it locks no gaps
			require.NoError(t, err)
			defer tx.Rollback()
			_, err = tx.ExecContext(t.Context(), "UPDATE wallets SET blocked = blocked WHERE player_id <= ?", held)
			require.NoError(t, err)
			waited := make(chan []answered)
			go func() { waited <- applyTogether(t, 3*time.Second, bets("held", 0, held), s) }()
			x.awaitLockWaits(t, 1)
			for round := range 20 {
				for _, o := range applyTogether(t, 2*time.Second, bets(fmt.Sprint("r", round, "-"), held, held+free), s) {
					require.NoError(t, o.err, "%s", o.UserID)
				}
			}
			for _, o := range <-waited {
				require.Error(t, o.err)
			}
			require.NoError(t, tx.Rollback())
			for _, o := range applyTogether(t, patience, bets("held", 0, held), s) {
				require.NoError(t, o.err)
				require.EqualValues(t, 900, balance(t, s, o.UserID))
			}
			requireWhole(t, s)
		})
	}
}

// A wallet on which every operation fails does not delay operations in the same batch.
func TestBrokenWalletHarmsNobodyElse(t *testing.T) {
	t.Parallel() // it waits most of the time
	onBoth(t, func(t *testing.T, x *site) {
		s := x.open(t)
		var ops []models.Operation
		for i := range 32 {
			user := models.UserID(fmt.Sprint("player", i))
			create(t, s, user, 1000)
			ops = append(ops, bet(user, models.TransactionID(fmt.Sprint("a", i)), 100))
		}
		player := x.number(t, "SELECT id FROM players WHERE user_id = ?", "player7")
		refuse := fmt.Sprintf("CREATE TRIGGER held BEFORE INSERT ON postings WHEN NEW.player_id = %d BEGIN SELECT "+
			"RAISE(ABORT, 'held'); END", player)
		if x.engine == storetest.MariaDB {
			refuse = fmt.Sprintf("CREATE TRIGGER held BEFORE INSERT ON postings FOR EACH ROW BEGIN IF NEW.player_id = %d "+
				"THEN SIGNAL SQLSTATE '45000'; END IF; END", player)
		}
		_, err := x.db.ExecContext(t.Context(), refuse)
		require.NoError(t, err)
		for _, o := range applyTogether(t, 4*time.Second, ops, s) {
			if o.UserID == "player7" {
				require.Error(t, o.err)
			} else {
				require.NoError(t, o.err, "%s", o.UserID)
				require.Equal(t, models.None, o.Decline)
			}
		}
		_, err = x.db.ExecContext(t.Context(), "DROP TRIGGER held")
		require.NoError(t, err)
		requireWhole(t, s)
	})
}

// Somebody else locks a wallet for a while, and releases it in time: everybody is served.
func TestForeignLockIsWaitedFor(t *testing.T) {
	t.Parallel() // it waits most of the time
	onBoth(t, func(t *testing.T, x *site) {
		x.cfg.LockWait = 50 * time.Millisecond // on MariaDB a second, the minimum
		s := x.open(t)
		create(t, s, "anna", 10000)
		letGo := x.holdWallet(t, "anna")
		defer letGo()
		short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		_, err := s.Apply(short, bet("anna", "first", 100))
		require.Error(t, err)

		answers := make(chan []answered)
		go func() { answers <- applyTogether(t, patience, repeat(bet("anna", "a", 100), 8), s) }()
		letGo()
		require.Equal(t, map[models.Decline]int{models.None: 1, models.Duplicate: 7}, tally(t, <-answers))
		requireWhole(t, s)
	})
}

// If more callers wait than fit into the queue, the others are refused at once, while those in the queue still wait. Nothing is
// written for those who are refused.
func TestFullQueue(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		s := x.open(t)
		create(t, s, "anna", 100000000)
		letGo := x.holdWallet(t, "anna")
		defer letGo()
		const callers = 10000 // of one wallet: more than fit into a queue and can be set aside
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		busy, served := make(chan models.TransactionID, callers), make(chan models.TransactionID, callers)
		var done sync.WaitGroup
		for i := range callers {
			done.Go(func() {
				op := bet("anna", models.TransactionID(fmt.Sprint("t", i)), 1)
				switch r, err := s.Apply(ctx, op); {
				case errors.Is(err, ledger.ErrBusy):
					busy <- op.TransactionID
				case err != nil || r.Decline != models.None:
					t.Errorf("%s: %v %v", op.TransactionID, r, err)
				default:
					served <- op.TransactionID
				}
			})
		}
		var first models.TransactionID
		select {
		case first = <-busy:
		case <-ctx.Done():
			t.Fatal("nobody was refused because of the full queue")
		}
		require.Empty(t, served, "the wallet is still locked")
		letGo()
		done.Wait()
		close(busy)
		close(served)
		require.EqualValues(t, len(served)+1, x.number(t, "SELECT COUNT(*) FROM entries"),
			"those told that the queue is full wrote nothing")
		require.EqualValues(t, callers, len(busy)+1+len(served))
		require.Equal(t, models.None, apply(t, s, bet("anna", first, 1)).Decline, "it may come again")
		requireWhole(t, s)
	})
}

// A caller that gives up stops neither its own operation nor others in the batch.
func TestCancelledCallerDoesNotStopItsBatch(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		s := x.open(t)
		create(t, s, "anna", 10000)
		letGo := x.holdWallet(t, "anna")
		defer letGo()
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan error)
		go func() {
			_, err := s.Apply(ctx, bet("anna", "given up", 100))
			given <- err
		}()
		others := make(chan []answered)
		go func() {
			var ops []models.Operation
			for i := range 8 {
				ops = append(ops, bet("anna", models.TransactionID(fmt.Sprint("t", i)), 100))
			}
			others <- applyTogether(t, patience, ops, s)
		}()
		cancel()
		require.ErrorIs(t, <-given, context.Canceled)
		letGo()
		require.Equal(t, map[models.Decline]int{models.None: 8}, tally(t, <-others))
		r := apply(t, s, bet("anna", "given up", 100))
		require.Contains(t, []models.Decline{models.None, models.Duplicate}, r.Decline)
		require.EqualValues(t, 10000-900, balance(t, s, "anna"))
		requireWhole(t, s)
	})
}

// Closing answers everybody: callers whose operation was under way get its outcome, and the others are told that nothing was
// done.
func TestCloseWhileOperationsWait(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		direct := x.open(t)
		create(t, direct, "anna", 1000000)
		for round := range scaled(3, 50) {
			s, err := store.Open(t.Context(), x.cfg)
			require.NoError(t, err)
			balance(t, s, "anna") // so that her wallet's number is known
			letGo := x.holdWallet(t, "anna")
			var ops []models.Operation
			for i := range 100 {
				ops = append(ops, bet("anna", models.TransactionID(fmt.Sprint(round, "-", i)), 1))
			}
			answers, closed := make(chan []answered), make(chan error)
			go func() { answers <- applyTogether(t, patience, ops, s) }()
			go func() { closed <- s.Close() }()
			letGo()
			all := <-answers
			require.NoError(t, <-closed)
			after, err := s.Apply(t.Context(), ops[0])
			require.Error(t, err, "%+v", after)
			for _, o := range all {
				r := apply(t, direct, o.Operation)
				switch {
				case o.err == nil:
					require.Equal(t, models.None, o.Decline)
					require.Equal(t, models.Duplicate, r.Decline, "it was acknowledged")
				case errors.Is(o.err, ledger.ErrClosed):
					require.Equal(t, models.None, r.Decline, "nothing was done")
				case x.cfg.Unbatched:
					require.Contains(t, []models.Decline{models.None, models.Duplicate}, r.Decline, "%v", o.err)
				default:
					require.NoError(t, o.err)
				}
			}
		}
		require.EqualValues(t, 1000000-100*scaled(3, 50), balance(t, direct, "anna"))
		requireWhole(t, direct)
	})
}

// Operations whose wallet another transaction has locked are settled outside the committers. Closing waits for them too.
func TestCloseWaitsForThoseSetAside(t *testing.T) {
	x := newSite(t, storetest.MariaDB, false)
	direct := x.open(t)
	create(t, direct, "anna", 1000)
	s, err := store.Open(t.Context(), x.cfg)
	require.NoError(t, err)
	letGo := x.holdWallet(t, "anna")
	defer letGo()
	answer := make(chan answered, 1)
	go func() {
		r, err := s.Apply(t.Context(), bet("anna", "a", 100))
		answer <- answered{Result: r, err: err}
	}()
	x.awaitLockWaits(t, 1)
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		t.Fatal("closed while an operation was waiting", err)
	case <-time.After(100 * time.Millisecond):
	}
	letGo()
	require.NoError(t, <-closed)
	require.EqualValues(t, 1, x.number(t, "SELECT COUNT(*) FROM transactions WHERE transaction_id = 'a'"))
	o := <-answer
	require.NoError(t, o.err)
	require.Equal(t, models.None, o.Decline)
	requireWhole(t, direct)
}

// Unknown names are looked up again each time, so that a player created later, even by another instance, is found.
func TestPlayerMadeLater(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		a, b := x.open(t), x.open(t)
		require.Equal(t, models.UnknownPlayer, apply(t, a, bet("anna", "1", 1)).Decline)
		create(t, b, "anna", 100)
		require.Equal(t, models.None, apply(t, a, bet("anna", "1", 1)).Decline)
	})
}
