package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/jobs"
	"pitboss/app/reconcile"
	"pitboss/callbacks/simulator"
	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/mariadb"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// The platform plays hard against the whole server over real HTTP, and afterwards its books and ours match to the cent.
func TestPlatformPlays(t *testing.T) {
	for _, setting := range []string{"PITBOSS_WIRE=spec", "PITBOSS_WIRE=gitslotpark"} {
		t.Run(setting, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, url string) {
				environ := environment(url, setting, "PITBOSS_CALLBACK_PATH=/wallet/v1")
				server := boot(t, environ)
				s := open(t, url)
				platform := newPlatform(t, server.CallbackURL())
				report, err := platform.Play(t.Context(), simulator.PlayOptions{
					Players: players(t, s, 12), Seed: rand.Uint64(), Rounds: long(250, 20000), Workers: 8, LostAnswers: 0.05,
				})
				require.NoError(t, err)
				require.NoError(t, report.Err())
				v := requireWhole(t, s)
				require.Greater(t, v.Tombstones, int64(0), "the plan has rollbacks that come first")
				require.Greater(t, v.SpinEntries, int64(0))
				lines, found := reconciled(t, url, platform)
				require.Greater(t, lines, 300)
				require.Empty(t, found, "the platform's statement matches in every line")
			})
		})
	}
}

// reconciled compares the platform's own statement with our transactions, and returns how many lines it has and the
// differences: each with its bucket, kind, state there and here, and remedy.
func reconciled(t *testing.T, url string, platform *simulator.Simulator) (lines int, found []string) {
	t.Helper()
	lines, rows := differences(t, url, platform)
	for _, d := range rows {
		there, here := "", ""
		if d.Theirs.There {
			there = d.Theirs.Standing.String()
		}
		if d.Ours.There {
			here = d.Ours.Standing.String()
		}
		found = append(found, strings.Join([]string{d.Name(), d.Kind.String(), there, here, d.Remedy.String()}, ", "))
	}
	return lines, found
}

// differences is like reconciled, with everything about each difference.
func differences(t *testing.T, url string, platform *simulator.Simulator) (lines int, found []models.Difference) {
	t.Helper()
	now := time.Now().UTC()
	var statement bytes.Buffer
	require.NoError(t, platform.WriteStatement(&statement, now.AddDate(0, 0, -1), now.AddDate(0, 0, 1)))
	s := open(t, url)
	service := reconcile.New(reconcile.Config{Store: s})
	st, err := service.Keep(t.Context(), models.System, 0, "statement.csv", bytes.NewReader(statement.Bytes()))
	require.NoError(t, err)
	st.Since, st.Until = now.AddDate(0, 0, -1).Truncate(time.Second), now.AddDate(0, 0, 1).Truncate(time.Second)
	run, err := s.BeginStatementRun(t.Context(), models.System, st)
	require.NoError(t, err)
	require.Eventually(t, func() bool { // a running server may have begun it: only the holder of the lease works
		held, err := jobs.Hold(t.Context(), s, service.Comparisons().Name, "test", 30*time.Second, func(ctx context.Context) (err error) {
			run, err = service.Compare(ctx, run.ID, nil)
			return err
		})
		require.NoError(t, err)
		return held
	}, time.Minute, 100*time.Millisecond)
	require.Equal(t, models.JobFinished, run.State, run.Failure)
	require.Zero(t, run.BadLines)
	list := models.List(models.DifferenceFilter{RunID: run.ID}, s.Differences, models.Difference.Place)
	for page, err := range list.Pages(t.Context(), 1000) {
		require.NoError(t, err)
		found = append(found, page.Rows...)
	}
	return int(run.Lines), found
}

// oddRounds are rounds that no platform should send.
var oddRounds = []string{"rollback of nothing", "free spin of no grant", "other content", "stranded bet"}

// Callbacks that no platform should send open cases within seconds, while play goes on.
func TestOddPlayOpensCases(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		environ := environment(url)
		server := boot(t, environ)
		s := open(t, url)
		platform := newPlatform(t, server.CallbackURL())
		report, err := platform.Play(t.Context(),
			simulator.PlayOptions{Players: players(t, s, 5), Seed: rand.Uint64(), Rounds: 15, Gentle: true, First: oddRounds})
		require.NoError(t, err)
		require.NoError(t, report.Err())
		require.Eventually(t, func() bool {
			open, err := s.CaseBacklogs(t.Context())
			require.NoError(t, err)
			found := map[models.CaseRule]int64{}
			for _, o := range open {
				found[o.Rule] = o.N
			}
			delete(found, models.CaseUnknownRollback) // it waits a minute for the original
			return maps.Equal(found, map[models.CaseRule]int64{models.CaseUnexplainedSpin: 1, models.CaseOtherContents: 1})
		}, time.Minute, 50*time.Millisecond)
		_, found := reconciled(t, url, platform)
		require.Equal(t, []string{"state differs, bet, failed, applied, refund"}, found,
			"the stranded bet, which only the platform's statement shows")
	})
}

// disturbed plays against callbackURL while disturb happens again and again, and checks every balance and the ledger.
func disturbed(t *testing.T, url, callbackURL string, disturb func()) {
	s := open(t, url)
	users := players(t, s, 16)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	type result struct {
		report simulator.Report
		err    error
	}
	answered := make(chan struct{}, 1)
	played := make(chan result, 1)
	go func() {
		report, err := newPlatform(t, callbackURL).Play(ctx, simulator.PlayOptions{
			Players: users, Seed: rand.Uint64(), Workers: 16, RetryFor: 2 * time.Minute, Drain: time.Minute, LostAnswers: 0.01,
			OnEvent: func(simulator.Event) {
				select {
				case answered <- struct{}{}:
				default:
				}
			},
		})
		played <- result{report, err}
	}()
	// Each disturbance comes while callbacks are being answered, the next one once they are answered again.
	for range long(2, 20) {
		for range 150 {
			select {
			case <-answered:
			case <-time.After(time.Minute):
				t.Fatal("no callback was answered for a minute")
			}
		}
		disturb()
	}
	for range 150 {
		<-answered
	}
	cancel()
	end := <-played
	require.NoError(t, end.err)
	require.NoError(t, end.report.Err())
	require.Empty(t, end.report.Unsettled)
	requireWhole(t, s)
}

// Whatever was acknowledged before a kill -9 of the app is there afterwards, once.
func TestKillServer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		p := start(t, environment(url, ports(t)...))
		disturbed(t, url, p.callbackURL(), func() {
			p.kill()
			p.launch(t)
		})
	})
}

// A kill -9 of the database loses nothing that was acknowledged, and the server recovers by itself once the database is back.
func TestKillDatabase(t *testing.T) {
	alongside(t)
	database, err := mariadb.Start(filepath.Join(t.TempDir(), "mariadb"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, database.Stop()) })
	admin, err := sql.Open("mysql", database.DSN(""))
	require.NoError(t, err)
	_, err = admin.Exec("CREATE DATABASE pitboss")
	require.NoError(t, err)
	require.NoError(t, admin.Close())
	url := "mysql://" + database.DSN("pitboss")
	server := boot(t, environment(url))
	disturbed(t, url, server.CallbackURL(), func() {
		require.NoError(t, database.Kill())
		ready := func() bool {
			r, err := http.Get(server.AdminURL() + "/readyz")
			if err != nil {
				return false
			}
			r.Body.Close()
			return r.StatusCode == http.StatusOK
		}
		require.False(t, ready(), "ready without a database")
		require.NoError(t, database.Restart())
		require.Eventually(t, ready, time.Minute, 20*time.Millisecond)
	})
}

// call sends one signed callback and returns its result, or -1 when there was no definite answer.
func call(t *testing.T, base string, e wire.Endpoint, r wire.Request) (result int) {
	t.Helper()
	r.AgentID = testAgent
	r.Sign = wire.Sign(testSecret, r.SignedValues(e, nil)...)
	body, err := json.Marshal(r)
	require.NoError(t, err)
	answer, err := http.Post(base+e.Path(), "application/json", bytes.NewReader(body))
	if err != nil {
		return -1
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return -1
	}
	var got struct{ Result int }
	require.NoError(t, json.Unmarshal(content, &got), "%s", content)
	return got.Result
}

// Two processes on one database, the same transactionIDs at both under several players: each is applied once.
func TestTwoInstances(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		first := start(t, environment(url, ports(t)...))
		second := start(t, environment(url, ports(t)...))
		s := open(t, url)
		users := players(t, s, 4)
		const ids = 60
		var mu sync.Mutex
		applied := map[string]int{}
		taken := map[string]int{}
		var group sync.WaitGroup
		for worker := range 16 {
			group.Go(func() {
				base := []string{first.callbackURL(), second.callbackURL()}[worker%2]
				order := rand.Perm(ids)
				for _, n := range order {
					user, id := users[rand.IntN(len(users))], fmt.Sprintf("tx-%d", n)
					result := -1
					for result == -1 {
						result = call(t, base, wire.Withdraw,
							wire.Request{UserID: user, Amount: "1.00", TransactionID: id, RoundID: "r"})
					}
					mu.Lock()
					if result == 0 {
						applied[id]++
						taken[user]++
					} else if result != 11 {
						t.Errorf("%s as %s: result %d", id, user, result)
					}
					mu.Unlock()
				}
			})
		}
		group.Wait()
		require.Len(t, applied, ids)
		for id, n := range applied {
			require.Equal(t, 1, n, id)
		}
		for _, user := range users {
			p, ok, err := s.Player(t.Context(), models.UserID(user))
			require.NoError(t, err)
			require.True(t, ok)
			require.EqualValues(t, 50000-100*taken[user], p.Wallet.Balance, user)
		}
		requireWhole(t, s)
	})
}

// SIGTERM lets callbacks in progress finish and ends the program with status 0; nothing that was acknowledged is lost.
func TestTerminate(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		p := start(t, environment(url, ports(t)...))
		s := open(t, url)
		users := players(t, s, 8)
		begun := make(chan struct{}, 1000)
		applied := make(chan string, 100000)
		var group sync.WaitGroup
		for i, user := range users {
			group.Go(func() {
				for n := 0; ; n++ {
					id := fmt.Sprintf("%d-%d", i, n)
					result := call(t, p.callbackURL(), wire.Deposit,
						wire.Request{UserID: user, Amount: "0.01", TransactionID: id, RoundID: "r"})
					if result == -1 {
						return // the listener is closed
					}
					require.Zero(t, result)
					applied <- user
					select {
					case begun <- struct{}{}:
					default:
					}
				}
			})
		}
		for range 50 {
			<-begun
		}
		require.NoError(t, p.Process.Signal(syscall.SIGTERM))
		require.NoError(t, p.Wait(), "status 0")
		group.Wait()
		close(applied)
		wins := map[string]int64{}
		for user := range applied {
			wins[user]++
		}
		for _, user := range users {
			player, _, err := s.Player(t.Context(), models.UserID(user))
			require.NoError(t, err)
			require.GreaterOrEqual(t, int64(player.Wallet.Balance), 50000+wins[user], "acknowledged and lost")
			require.LessOrEqual(t, int64(player.Wallet.Balance), 50000+wins[user]+1, "at most the one whose answer was cut off")
		}
		requireWhole(t, s)
	})
}
