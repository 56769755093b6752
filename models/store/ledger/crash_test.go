package ledger_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/mariadb"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// applyInto is the environment variable that makes this test program an instance to be killed. roundOf is the one with the
// prefix of its transactions.
const (
	applyInto = "PITBOSS_TEST_APPLY_INTO"
	roundOf   = "PITBOSS_TEST_ROUND"
)

// applyUntilKilled applies bets as quickly as it can, and prints a line for each one that was acknowledged.
func applyUntilKilled(url string) {
	s, err := store.Open(context.Background(), store.Config{URL: url, LedgerKey: storetest.LedgerKey})
	if err != nil {
		panic(err)
	}
	for worker := range 8 {
		go func() {
			for i := 0; ; i++ {
				op := storetest.Bet(storetest.CrashPlayers[i%len(storetest.CrashPlayers)],
					models.TransactionID(fmt.Sprintf("%s-%d-%d", os.Getenv(roundOf), worker, i)), 1)
				if r, err := s.Apply(context.Background(), op); err != nil || r.Decline != models.None {
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
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		const opening = models.Amount(1000000)
		s := x.Open(t)
		for _, p := range storetest.CrashPlayers {
			storetest.CreatePlayer(t, s, p, opening)
		}
		require.NoError(t, s.Close())
		acknowledged := map[models.TransactionID]models.UserID{}
		for round := range storetest.Scaled(3, 50) {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), applyInto+"="+x.Config.URL, fmt.Sprintf("%s=%d", roundOf, round))
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
		require.Greater(t, len(acknowledged), 200*storetest.Scaled(3, 50))

		s = x.Open(t)
		v := storetest.RequireWhole(t, s)
		booked := int(v.Transactions) - len(storetest.CrashPlayers)
		require.GreaterOrEqual(t, booked, len(acknowledged))
		require.LessOrEqual(t, booked, len(acknowledged)+8*storetest.Scaled(3, 50),
			"at most what was under way when it was killed")
		for id, user := range acknowledged {
			require.Equal(t, models.Duplicate, storetest.Apply(t, s, storetest.Bet(user, id, 1)).Decline, "%s was acknowledged",
				id)
		}
		var total models.Amount
		for _, p := range storetest.CrashPlayers {
			total += storetest.Balance(t, s, p)
		}
		require.Equal(t, opening*models.Amount(len(storetest.CrashPlayers))-models.Amount(booked), total)
	})
}

// The database is killed in the middle of batches: what was acknowledged is booked exactly once, and work continues
// automatically.
func TestKilledDatabase(t *testing.T) {
	t.Parallel() // it waits most of the time
	server, err := mariadb.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Kill()) })
	admin := storetest.OpenURL(t, "mysql://"+server.DSN(""))
	_, err = admin.ExecContext(t.Context(), "CREATE DATABASE killed")
	require.NoError(t, err)
	url := "mysql://" + server.DSN("killed")
	s := storetest.Open(t, store.Config{URL: url, LedgerKey: storetest.LedgerKey})
	const opening = models.Amount(10000000)
	for _, p := range storetest.CrashPlayers {
		storetest.CreatePlayer(t, s, p, opening)
	}
	p := &storetest.Platform{S: s, Applied: map[models.TransactionID]models.Operation{}}
	stop := p.Play(t, storetest.CrashPlayers, 24)
	for range storetest.Scaled(2, 25) {
		p.Await(t, 300)
		require.NoError(t, server.Kill())
		require.NoError(t, server.Restart())
		p.Await(t, 300)
	}
	stop()
	p.RequireBooks(t, storetest.OpenURL(t, url), storetest.CrashPlayers, opening)
}
