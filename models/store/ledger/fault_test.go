package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/ledger"
)

// Whatever happens to the commit and its answer, the operation is applied once. Its caller is told that it was applied, never
// that it is a duplicate of itself.
func TestCommitInDoubt(t *testing.T) {
	storetest.OnFaultyConnections(t, func(t *testing.T, x *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		storetest.CreatePlayer(t, via, "anna", 100000)
		storetest.CreatePlayer(t, via, "bert", 100000)
		struck := storetest.Releaser(t, p)
		round := 0
		for name, fault := range storetest.CommitFaults {
			for _, times := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s %d times", name, times), func(t *testing.T) {
					round++
					id := func(of string) models.TransactionID { return models.TransactionID(fmt.Sprint(of, round)) }
					for _, op := range []models.Operation{storetest.Bet("anna", id("bet"), 100),
						storetest.Win("anna", id("win"), 100),
						storetest.BetWin("anna", id("both"), 100, 100), storetest.FreeSpin("anna", id("spin"), 100)} {
						storetest.Apply(t, via, op)
					}
					for _, row := range []struct {
						op      models.Operation
						want    models.Decline
						after   models.Amount // what the balance gains
						entries int64
					}{
						{storetest.Bet("anna", id("a"), 70), models.None, -70, 1},
						{storetest.Bet("anna", id("b"), 0), models.None, 0, 1},
						{storetest.Win("anna", id("c"), 50), models.None, 50, 1},
						{storetest.BetWin("anna", id("d"), 30, 40), models.None, 10, 2},
						{storetest.FreeSpin("anna", id("e"), 20), models.None, 0, 1},
						{storetest.Rollback("anna", id("bet")), models.None, 100, 1},
						{storetest.Rollback("anna", id("win")), models.None, -100, 1},
						{storetest.Rollback("anna", id("both")), models.None, 0, 2},
						{storetest.Rollback("anna", id("spin")), models.None, 0, 1},
						{storetest.Rollback("anna", id("f")), models.NotFound, 0, 1}, // its tombstone
						{storetest.Bet("anna", id("f"), 10), models.RolledBack, 0, 0},
						{storetest.Bet("anna", id("a"), 70), models.Duplicate, 0, 0},
						{storetest.Bet("anna", id("a"), 71), models.Duplicate, 0, 0}, // it only leaves a mark
						{storetest.Bet("anna", id("g"), 10000000), models.InsufficientFunds, 0, 0},
						{storetest.Rollback("bert", id("a")), models.NotFound, 0, 0},
					} {
						const entries = "SELECT (SELECT COUNT(*) FROM entries) + (SELECT COUNT(*) FROM spin_entries)"
						from, lines := storetest.Balance(t, via, "anna"), x.Number(t, entries)
						faults := struck.Load()
						p.AtCommit(fault, times)
						r := storetest.Apply(t, via, row.op)
						p.AtCommit(0, 0)
						require.Equal(t, row.want, r.Decline, "%s %s", row.op.Kind, row.op.TransactionID)
						require.Equal(t, from+row.after, storetest.Balance(t, via, "anna"), "%s %s", row.op.Kind,
							row.op.TransactionID)
						if row.op.UserID == "anna" {
							require.Equal(t, from+row.after, r.Balance.Amount, "the balance that was answered")
						}
						require.Equal(t, lines+row.entries, x.Number(t, entries))
						require.Eventually(t, func() bool { return struck.Load() > faults }, storetest.Patience,
							time.Millisecond,
							"the fault never struck")
					}
					require.EqualValues(t, 100000, storetest.Balance(t, via, "bert"))
					storetest.RequireWhole(t, via)
				})
			}
		}
	})
}

// The same in large batches, with duplicates and rollbacks of each other's transactions.
func TestCommitInDoubtInBatches(t *testing.T) {
	storetest.OnFaultyConnections(t, func(t *testing.T, x *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		var players []models.UserID
		for i := range 8 {
			players = append(players, models.UserID(fmt.Sprint("player", i)))
			storetest.CreatePlayer(t, via, players[i], 100000)
		}
		struck := storetest.Releaser(t, p)
		want := map[models.UserID]models.Amount{}
		for round := range storetest.Scaled(3, 100) {
			for name, fault := range storetest.CommitFaults {
				var ops []models.Operation
				for i := range 64 {
					user, id := players[i%len(players)], models.TransactionID(fmt.Sprint(name, round, "-", i))
					ops = append(ops, storetest.Bet(user, id, 10), storetest.Bet(user, id, 10),
						storetest.BetWin(user, "both-"+id, 4, 7),
						storetest.Rollback(user, "early-"+id))
					want[user] += -10 - 4 + 7
				}
				faults := struck.Load()
				p.AtCommit(fault, 5)
				all := storetest.ApplyTogether(t, storetest.Patience, ops, via)
				p.AtCommit(0, 0)
				require.Equal(t, map[models.Decline]int{models.None: 128, models.Duplicate: 64, models.NotFound: 64},
					tally(t, all), name)
				require.Greater(t, struck.Load(), faults, "the fault never struck")
			}
		}
		for _, user := range players {
			require.Equal(t, 100000+want[user], storetest.Balance(t, via, user), user)
		}
		storetest.RequireWhole(t, via)
	})
}

// Connections break at any moment, in every statement: each operation ends with a definite answer, and is booked once.
func TestConnectionsCutAtAnyTime(t *testing.T) {
	storetest.OnFaultyConnections(t, func(t *testing.T, x *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		const opening = models.Amount(10000000)
		for _, user := range storetest.CrashPlayers {
			storetest.CreatePlayer(t, via, user, opening)
		}
		plays := &storetest.Platform{S: via, Applied: map[models.TransactionID]models.Operation{}}
		stop := plays.Play(t, storetest.CrashPlayers, 16)
		for i := range storetest.Scaled(40, 2000) {
			plays.Await(t, int64(i%17))
			p.Cut()
		}
		stop()
		plays.RequireBooks(t, x.DB, storetest.CrashPlayers, opening)
	})
}

// The server has committed, but its answer hangs while the connection stays open. The caller has no definite answer at the
// deadline, and the committer goes on.
func TestAnswerOfCommitHangs(t *testing.T) {
	t.Parallel() // it waits most of the time
	storetest.OnFaultyConnections(t, func(t *testing.T, x *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		storetest.CreatePlayer(t, via, "anna", 1000)
		p.AtCommit(storetest.HoldAnswer, 1)
		short, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := via.Apply(short, storetest.Bet("anna", "a", 100))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, storetest.HoldAnswer, <-p.Struck())

		require.Equal(t, models.None, storetest.Apply(t, via, storetest.Bet("anna", "b", 100)).Decline,
			"while the first answer still hangs")
		require.Equal(t, models.Duplicate, storetest.Apply(t, via, storetest.Bet("anna", "a", 100)).Decline,
			"it had been committed")
		require.EqualValues(t, 800, storetest.Balance(t, via, "anna"))
		p.Release()
		storetest.RequireWhole(t, via)
	})
}

// While the answer to one player's COMMIT hangs, the others play on.
func TestOthersPlayWhileAnAnswerHangs(t *testing.T) {
	t.Parallel() // it waits most of the time
	storetest.OnFaultyConnections(t, func(t *testing.T, x *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		users := []models.UserID{"anna", "bert", "carl", "dora", "emil"}
		for _, user := range users {
			storetest.CreatePlayer(t, via, user, 1000)
		}
		p.AtCommit(storetest.HoldAnswer, 1)
		hanging := make(chan []storetest.Answered, 1)
		go func() {
			hanging <- storetest.ApplyTogether(t, storetest.Patience, []models.Operation{storetest.Bet("anna", "anna", 100)},
				via)
		}()
		require.Equal(t, storetest.HoldAnswer, <-p.Struck())
		for _, user := range users[1:] {
			require.Equal(t, models.None, storetest.Apply(t, via, storetest.Bet(user, models.TransactionID(user), 100)).Decline)
		}
		require.Equal(t, models.Duplicate, storetest.Apply(t, via, storetest.Bet("anna", "anna", 100)).Decline,
			"it is committed")
		require.Empty(t, hanging, "her first answer still hangs")
		p.Release()
		require.Equal(t, map[models.Decline]int{models.None: 1}, tally(t, <-hanging))
		storetest.RequireWhole(t, via)
	})
}

// Nothing gets through and no connection ends, as when a network is lost: callers reach their deadlines, and afterwards
// everything continues automatically.
func TestNetworkStalls(t *testing.T) {
	t.Parallel() // it waits most of the time
	storetest.OnFaultyConnections(t, func(t *testing.T, x *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		storetest.CreatePlayer(t, via, "anna", 10000)
		ops := make([]models.Operation, 20)
		for i := range ops {
			ops[i] = storetest.Bet("anna", models.TransactionID(fmt.Sprint("t", i)), 100)
		}
		for range storetest.Scaled(2, 20) {
			func() {
				resume := p.Stall()
				defer resume()
				for _, o := range storetest.ApplyTogether(t, 300*time.Millisecond, ops, via) {
					require.ErrorIs(t, o.Err, context.DeadlineExceeded)
				}
				short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer cancel()
				_, _, err := via.Balance(short, "anna")
				require.ErrorIs(t, err, context.DeadlineExceeded)
			}()
			for _, o := range storetest.ApplyTogether(t, storetest.Patience, ops, via) {
				require.NoError(t, o.Err)
				require.Contains(t, []models.Decline{models.None, models.Duplicate}, o.Decline)
			}
			require.EqualValues(t, 8000, storetest.Balance(t, via, "anna"))
		}
		storetest.RequireWhole(t, via)
	})
}

// Callers reach their deadline between two statements of their transaction: all of it is rolled back, and its locks block
// nobody afterwards.
func TestDeadlineBetweenStatements(t *testing.T) {
	t.Parallel() // it waits most of the time
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		var late atomic.Pointer[time.Time]
		x.Config.Now = func() time.Time {
			if deadline := late.Swap(nil); deadline != nil {
				// on a busy machine the transaction's own timer is late
				<-time.After(time.Until(*deadline) + 100*time.Millisecond)
			}
			return time.Now()
		}
		x.Config.MaxConns = 3
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		for i := range 8 { // more often than there are connections
			deadline := time.Now().Add(20 * time.Millisecond)
			late.Store(&deadline) // the store reads the clock once the transaction has begun
			short, cancel := context.WithDeadline(t.Context(), deadline)
			_, err := s.Apply(short, storetest.Bet("anna", models.TransactionID(fmt.Sprint("late", i)), 1))
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, models.None, storetest.Apply(t, s,
				storetest.Bet("anna", models.TransactionID(fmt.Sprint("t", i)), 1)).Decline)
		}
		require.EqualValues(t, 992, storetest.Balance(t, s, "anna"))
		storetest.RequireWhole(t, s)
	})
}

// The commit is still on its way when its operation is tried again: the second try waits for the first to end, and finds it.
func TestLateCommitMeetsItsRetry(t *testing.T) {
	storetest.OnFaultyConnections(t, func(t *testing.T, x *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		storetest.CreatePlayer(t, via, "anna", 1000)
		storetest.CreatePlayer(t, via, "bert", 1000)
		p.AtCommit(storetest.DelayCommit, 1)
		answers := make(chan []storetest.Answered, 2)
		apply := func(ops ...models.Operation) { answers <- storetest.ApplyTogether(t, storetest.Patience, ops, via) }
		go apply(storetest.Bet("anna", "a", 100))
		require.Equal(t, storetest.DelayCommit, <-p.Struck()) // before the others: only Anna's wallet may stay locked
		go apply(storetest.FreeSpin("anna", "b", 100), storetest.Bet("bert", "c", 100))
		x.AwaitLockWaits(t, 1)
		p.Release()
		require.Equal(t, map[models.Decline]int{models.None: 3}, tally(t, append(<-answers, <-answers...)))
		require.EqualValues(t, 900, storetest.Balance(t, via, "anna"))
		require.EqualValues(t, 900, storetest.Balance(t, via, "bert"))
		storetest.RequireWhole(t, via)
	})
}

// A change by staff is looked for until its transaction has ended, however late its COMMIT is, and its outcome is reported.
func TestLateChange(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := storetest.NewDatabase(t, storetest.MariaDB)
	p := storetest.NewFaultProxy(t, strings.TrimPrefix(x.Config.URL, "mysql://"))
	cfg := x.Config
	cfg.URL = "mysql://" + p.DSN()
	via := storetest.Open(t, cfg)
	anna, sofia := storetest.CreatePlayer(t, via, "anna", 1000), storetest.SignerNamed(t, via, "sofia", models.Support)
	events := x.Number(t, "SELECT COUNT(*) FROM audit_events")
	change := func(fault storetest.CommitFault, reason string) chan error {
		done := make(chan error)
		p.AtCommit(fault, 1)
		go func() {
			_, err := via.Restrict(context.WithoutCancel(t.Context()), sofia, models.Restriction{Subject: models.OfPlayer,
				PlayerID: anna.ID, Kind: models.CoolOff, Scope: models.FromPlay, Until: models.Permanent, Reason: reason})
			done <- err
		}()
		require.Equal(t, fault, <-p.Struck())
		return done
	}
	stands := func(restrictions int64) {
		t.Helper()
		require.Equal(t, restrictions, x.Number(t, "SELECT COUNT(*) FROM restrictions"))
		require.Equal(t, events+2*restrictions, x.Number(t, "SELECT COUNT(*) FROM audit_events"))
	}
	late := change(storetest.DelayCommit, "late")
	x.AwaitLockWaits(t, 1)
	p.Release()
	require.NoError(t, <-late)
	stands(1)

	require.Error(t, <-change(storetest.LoseCommit, "lost"))
	stands(1)
	require.NoError(t, <-change(storetest.LoseAnswer, "not answered"))
	stands(2)

	// A COMMIT that is still on its way when the server has given up on the transaction (idle_write_transaction_timeout) changes
	// nothing, and that is certain.
	err := <-change(storetest.DelayCommit, "too late")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "may have been saved")
	p.Release()
	stands(2)
	storetest.RequireWhole(t, via)
}

// Each COMMIT is executed, and each of its answers is lost. The second attempt finds what the first has written, and needs no
// answer to its own COMMIT to say so.
func TestFoundCommitIsAnsweredAtOnce(t *testing.T) {
	storetest.OnFaultyConnections(t, func(t *testing.T, x *storetest.Database, p *storetest.FaultProxy, via *store.Store) {
		direct := x.Open(t)
		storetest.CreatePlayer(t, direct, "anna", 1000)
		p.AtCommit(storetest.LoseAnswer, 1<<20)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for i := range 3 {
			r, err := via.Apply(ctx, storetest.Bet("anna", models.TransactionID(fmt.Sprint("t", i)), 100))
			require.NoError(t, err)
			require.Equal(t, models.None, r.Decline)
		}
		require.EqualValues(t, 700, storetest.Balance(t, direct, "anna"))
		storetest.RequireWhole(t, direct)
	})
}

// An instance vanishes in the middle of a transaction, and the server is not told: it ends the transaction after some seconds,
// so that the player plays on, and staff work on, over another instance.
func TestVanishedInstanceLetsGo(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := storetest.NewDatabase(t, storetest.MariaDB)
	p := storetest.NewFaultProxy(t, strings.TrimPrefix(x.Config.URL, "mysql://"))
	cfg := x.Config
	cfg.URL = "mysql://" + p.DSN()
	vanished, s := storetest.Open(t, cfg), storetest.Open(t, x.Config)
	storetest.CreatePlayer(t, s, "anna", 1000)
	p.AtCommit(storetest.DelayCommit, 1)
	short, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, err := vanished.Apply(short, storetest.Bet("anna", "a", 100))
	require.Error(t, err)
	require.Equal(t, storetest.DelayCommit, <-p.Struck())
	require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "b", 100)).Decline)
	p.Release()
	require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "a", 100)).Decline)
	require.EqualValues(t, 800, storetest.Balance(t, s, "anna"))

	// The same in a change by staff, which holds the head of the audit log.
	p.AtCommit(storetest.DelayCommit, 1)
	short, cancel = context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, err = vanished.CreatePlayer(short, storetest.Tester, models.NewPlayer{UserID: "bert", Currency: "EUR"})
	require.Error(t, err)
	require.Equal(t, storetest.DelayCommit, <-p.Struck())
	storetest.CreatePlayer(t, s, "carl", 1000)
	p.Release()
	storetest.RequireWhole(t, s)
}

// Somebody else has locked one wallet's row. Callers for this wallet have no definite answer at their deadlines; nobody else
// notices.
func TestForeignLockHarmsNobodyElse(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := storetest.NewDatabase(t, storetest.MariaDB)
	s := x.Open(t)
	var ops []models.Operation
	for i := range 32 {
		user := models.UserID(fmt.Sprint("player", i))
		storetest.CreatePlayer(t, s, user, 1000)
		ops = append(ops, storetest.Bet(user, models.TransactionID(fmt.Sprint("a", i)), 100))
	}
	letGo := x.HoldWallet(t, "player7")
	defer letGo()
	for _, o := range storetest.ApplyTogether(t, 4*time.Second, ops, s) {
		if o.UserID == "player7" {
			require.Error(t, o.Err)
		} else {
			require.NoError(t, o.Err, "%s", o.UserID)
			require.Equal(t, models.None, o.Decline)
		}
	}
	letGo()
	require.Contains(t, []models.Decline{models.None, models.Duplicate}, storetest.Apply(t, s, ops[7]).Decline)
	require.EqualValues(t, 900, storetest.Balance(t, s, "player7"))
	storetest.RequireWhole(t, s)
}

// A forgotten client has locked more wallets than there are connections, for longer than anybody waits. All other players play
// on.
func TestManyForeignLocksHarmNobodyElse(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := storetest.NewDatabase(t, storetest.MariaDB)
	x.Config.MaxConns = 8
	s := x.Open(t)
	const held, free = 40, 8
	for i := range held + free {
		storetest.CreatePlayer(t, s, models.UserID(fmt.Sprint("player", i)), 1000)
	}
	bets := func(round string, from, to int) (ops []models.Operation) {
		for i := from; i < to; i++ {
			id := models.TransactionID(fmt.Sprint(round, i))
			ops = append(ops, storetest.Bet(models.UserID(fmt.Sprint("player", i)), id, 100))
		}
		return ops
	}
	tx, err := x.DB.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelReadCommitted}) // it locks no gaps
	require.NoError(t, err)
	defer tx.Rollback()
	_, err = tx.ExecContext(t.Context(), "UPDATE wallets SET play_from_us = play_from_us WHERE player_id <= ?", held)
	require.NoError(t, err)
	waited := make(chan []storetest.Answered)
	go func() { waited <- storetest.ApplyTogether(t, 3*time.Second, bets("held", 0, held), s) }()
	x.AwaitLockWaits(t, 1)
	for round := range 20 {
		for _, o := range storetest.ApplyTogether(t, 2*time.Second, bets(fmt.Sprint("r", round, "-"), held, held+free),
			s) {
			require.NoError(t, o.Err, "%s", o.UserID)
		}
	}
	for _, o := range <-waited {
		require.Error(t, o.Err)
	}
	require.NoError(t, tx.Rollback())
	for _, o := range storetest.ApplyTogether(t, storetest.Patience, bets("held", 0, held), s) {
		require.NoError(t, o.Err)
		require.EqualValues(t, 900, storetest.Balance(t, s, o.UserID))
	}
	storetest.RequireWhole(t, s)
}

// A wallet on which every operation fails does not delay operations in the same batch.
func TestBrokenWalletHarmsNobodyElse(t *testing.T) {
	t.Parallel() // it waits most of the time
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		var ops []models.Operation
		for i := range 32 {
			user := models.UserID(fmt.Sprint("player", i))
			storetest.CreatePlayer(t, s, user, 1000)
			ops = append(ops, storetest.Bet(user, models.TransactionID(fmt.Sprint("a", i)), 100))
		}
		player := x.Number(t, "SELECT id FROM players WHERE user_id = ?", "player7")
		refuse := fmt.Sprintf("CREATE TRIGGER held BEFORE INSERT ON postings WHEN NEW.player_id = %d BEGIN SELECT "+
			"RAISE(ABORT, 'held'); END", player)
		if x.Engine == storetest.MariaDB {
			refuse = fmt.Sprintf("CREATE TRIGGER held BEFORE INSERT ON postings FOR EACH ROW BEGIN IF NEW.player_id = %d "+
				"THEN SIGNAL SQLSTATE '45000'; END IF; END", player)
		}
		_, err := x.DB.ExecContext(t.Context(), refuse)
		require.NoError(t, err)
		for _, o := range storetest.ApplyTogether(t, 4*time.Second, ops, s) {
			if o.UserID == "player7" {
				require.Error(t, o.Err)
			} else {
				require.NoError(t, o.Err, "%s", o.UserID)
				require.Equal(t, models.None, o.Decline)
			}
		}
		_, err = x.DB.ExecContext(t.Context(), "DROP TRIGGER held")
		require.NoError(t, err)
		storetest.RequireWhole(t, s)
	})
}

// Somebody else locks a wallet for a while, and releases it in time: everybody is served.
func TestForeignLockIsWaitedFor(t *testing.T) {
	t.Parallel() // it waits most of the time
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		x.Config.LockWait = 50 * time.Millisecond // on MariaDB a second, the minimum
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 10000)
		letGo := x.HoldWallet(t, "anna")
		defer letGo()
		short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		_, err := s.Apply(short, storetest.Bet("anna", "first", 100))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "to wallet 1: context deadline exceeded")
		require.Regexp(t, "the last attempt ended with: |before an attempt ended", err.Error())

		answers := make(chan []storetest.Answered)
		go func() {
			answers <- storetest.ApplyTogether(t, storetest.Patience, repeat(storetest.Bet("anna", "a", 100), 8), s)
		}()
		letGo()
		require.Equal(t, map[models.Decline]int{models.None: 1, models.Duplicate: 7}, tally(t, <-answers))
		storetest.RequireWhole(t, s)
	})
}

// If more callers wait than fit into the queue, the others are refused at once, while those in the queue still wait. Nothing is
// written for those who are refused.
func TestFullQueue(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 100000000)
		letGo := x.HoldWallet(t, "anna")
		defer letGo()
		const callers = 10000 // of one wallet: more than fit into a queue and can be set aside
		ctx, cancel := context.WithTimeout(t.Context(), storetest.Patience)
		defer cancel()
		busy, served := make(chan models.TransactionID, callers), make(chan models.TransactionID, callers)
		var done sync.WaitGroup
		for i := range callers {
			done.Go(func() {
				op := storetest.Bet("anna", models.TransactionID(fmt.Sprint("t", i)), 1)
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
		require.EqualValues(t, len(served)+1, x.Number(t, "SELECT COUNT(*) FROM entries"),
			"those told that the queue is full wrote nothing")
		require.EqualValues(t, callers, len(busy)+1+len(served))
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", first, 1)).Decline, "it may come again")
		storetest.RequireWhole(t, s)
	})
}

// A caller that gives up stops neither its own operation nor others in the batch.
func TestCancelledCallerDoesNotStopItsBatch(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 10000)
		letGo := x.HoldWallet(t, "anna")
		defer letGo()
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan error)
		go func() {
			_, err := s.Apply(ctx, storetest.Bet("anna", "given up", 100))
			given <- err
		}()
		others := make(chan []storetest.Answered)
		go func() {
			var ops []models.Operation
			for i := range 8 {
				ops = append(ops, storetest.Bet("anna", models.TransactionID(fmt.Sprint("t", i)), 100))
			}
			others <- storetest.ApplyTogether(t, storetest.Patience, ops, s)
		}()
		cancel()
		require.ErrorIs(t, <-given, context.Canceled)
		letGo()
		require.Equal(t, map[models.Decline]int{models.None: 8}, tally(t, <-others))
		r := storetest.Apply(t, s, storetest.Bet("anna", "given up", 100))
		require.Contains(t, []models.Decline{models.None, models.Duplicate}, r.Decline)
		require.EqualValues(t, 10000-900, storetest.Balance(t, s, "anna"))
		storetest.RequireWhole(t, s)
	})
}

// Closing answers everybody: callers whose operation was under way get its outcome, and the others are told that nothing was
// done.
func TestCloseWhileOperationsWait(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		direct := x.Open(t)
		storetest.CreatePlayer(t, direct, "anna", 1000000)
		for round := range storetest.Scaled(3, 50) {
			s, err := store.Open(t.Context(), x.Config)
			require.NoError(t, err)
			storetest.Balance(t, s, "anna") // so that her wallet's number is known
			letGo := x.HoldWallet(t, "anna")
			var ops []models.Operation
			for i := range 100 {
				ops = append(ops, storetest.Bet("anna", models.TransactionID(fmt.Sprint(round, "-", i)), 1))
			}
			answers, closed := make(chan []storetest.Answered), make(chan error)
			go func() { answers <- storetest.ApplyTogether(t, storetest.Patience, ops, s) }()
			go func() { closed <- s.Close() }()
			letGo()
			all := <-answers
			require.NoError(t, <-closed)
			after, err := s.Apply(t.Context(), ops[0])
			require.Error(t, err, "%+v", after)
			for _, o := range all {
				r := storetest.Apply(t, direct, o.Operation)
				switch {
				case o.Err == nil:
					require.Equal(t, models.None, o.Decline)
					require.Equal(t, models.Duplicate, r.Decline, "it was acknowledged")
				case errors.Is(o.Err, ledger.ErrClosed):
					require.Equal(t, models.None, r.Decline, "nothing was done")
				default:
					require.NoError(t, o.Err)
				}
			}
		}
		require.EqualValues(t, 1000000-100*storetest.Scaled(3, 50), storetest.Balance(t, direct, "anna"))
		storetest.RequireWhole(t, direct)
	})
}

// Operations whose wallet another transaction has locked are settled outside the committers. Closing waits for them too.
func TestCloseWaitsForThoseSetAside(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.MariaDB)
	direct := x.Open(t)
	storetest.CreatePlayer(t, direct, "anna", 1000)
	s, err := store.Open(t.Context(), x.Config)
	require.NoError(t, err)
	letGo := x.HoldWallet(t, "anna")
	defer letGo()
	answer := make(chan storetest.Answered, 1)
	go func() {
		r, err := s.Apply(t.Context(), storetest.Bet("anna", "a", 100))
		answer <- storetest.Answered{Result: r, Err: err}
	}()
	x.AwaitLockWaits(t, 1)
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		t.Fatal("closed while an operation was waiting", err)
	case <-time.After(100 * time.Millisecond):
	}
	letGo()
	require.NoError(t, <-closed)
	require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM transactions WHERE transaction_id = 'a'"))
	o := <-answer
	require.NoError(t, o.Err)
	require.Equal(t, models.None, o.Decline)
	storetest.RequireWhole(t, direct)
}

// Unknown names are looked up again each time, so that a player created later, even by another instance, is found.
func TestPlayerMadeLater(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		require.Equal(t, models.UnknownPlayer, storetest.Apply(t, a, storetest.Bet("anna", "1", 1)).Decline)
		storetest.CreatePlayer(t, b, "anna", 100)
		require.Equal(t, models.None, storetest.Apply(t, a, storetest.Bet("anna", "1", 1)).Decline)
	})
}

// tally counts answers by decline, and requires that each is definite.
func tally(t testing.TB, all []storetest.Answered) map[models.Decline]int {
	t.Helper()
	n := map[models.Decline]int{}
	for _, a := range all {
		require.NoError(t, a.Err, "%+v", a.Operation)
		n[a.Decline]++
	}
	return n
}

// A panic after the ledger's lines have been sent leaves nothing behind: the next operation on the same connection does not
// commit them. And a caller whose attempts panic gets an error, while others are answered.
func TestPanicLeavesNothing(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		x.Config.MaxConns = 2
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		storetest.CreatePlayer(t, s, "bert", 1000)
		for i := range 3 {
			_, err := s.ApplyWith(t.Context(), storetest.Bet("anna", "broken", 100), func(*gorm.DB, models.Result) error {
				panic("a bug")
			})
			require.ErrorContains(t, err, "internal fault")
			require.Equal(t, models.None,
				storetest.Apply(t, s, storetest.Bet("bert", models.TransactionID(fmt.Sprint("b", i)), 100)).Decline)
		}
		require.EqualValues(t, 1000, storetest.Balance(t, s, "anna"))
		require.EqualValues(t, 700, storetest.Balance(t, s, "bert"))
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", "broken", 100)).Decline)
		storetest.RequireWhole(t, s)
	})
}
