package storetest

import (
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// OnFaultyConnections runs fn on MariaDB with a second store, via, whose connections go through a proxy that breaks them.
func OnFaultyConnections(t *testing.T, fn func(t *testing.T, x *Database, p *FaultProxy, via *store.Store)) {
	x := NewDatabase(t, MariaDB)
	p := NewFaultProxy(t, strings.TrimPrefix(x.Config.URL, "mysql://"))
	cfg := x.Config
	cfg.Idle = time.Hour // so that a delayed commit waits for the test, however busy the machine is
	cfg.URL = "mysql://" + p.DSN()
	fn(t, x, p, Open(t, cfg))
}

// CommitFaults are the faults that leave the outcome of a commit unknown.
var CommitFaults = map[string]CommitFault{
	"the commit is lost":        LoseCommit,
	"the commit is torn":        TearCommit,
	"its answer is lost":        LoseAnswer,
	"the commit comes too late": DelayCommit,
}

// Releaser releases each delayed commit as soon as its client has been cut off, so that the commit may reach the server before
// or after the client's next attempt begins.
func Releaser(t *testing.T, p *FaultProxy) (struck *atomic.Int64) {
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

// HoldWallet locks a player's wallet from outside, as another program or a forgotten client could, until the test calls letGo.
// On SQLite it locks the whole database.
func (x *Database) HoldWallet(t testing.TB, user models.UserID) (letGo func()) {
	t.Helper()
	tx, err := x.DB.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	if x.Engine == MariaDB {
		var id int64
		require.NoError(t, tx.QueryRowContext(t.Context(),
			"SELECT player_id FROM wallets WHERE player_id = (SELECT id FROM players WHERE user_id = ?) FOR UPDATE",
			string(user)).Scan(&id))
	}
	return sync.OnceFunc(func() { require.NoError(t, tx.Rollback()) })
}

// lockAwaited matches a lock in MariaDB's status that a transaction waits for, and captures the table's name.
var lockAwaited = regexp.MustCompile("of table `([^`]+)`\\.`[^`]+` trx id \\d+ lock.mode .* waiting")

// AwaitLockWaits waits until at least this many transactions wait for locks in the site's database on MariaDB. It does not read
// information_schema.innodb_trx, which stays out of date as long as somebody keeps querying it.
func (x *Database) AwaitLockWaits(t testing.TB, n int) {
	t.Helper()
	var database string
	require.NoError(t, x.DB.QueryRowContext(t.Context(), "SELECT DATABASE()").Scan(&database))
	require.Eventually(t, func() bool {
		var engine, name, status string
		if err := x.DB.QueryRowContext(t.Context(), "SHOW ENGINE INNODB STATUS").Scan(&engine, &name, &status); err != nil {
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
	}, Patience, 20*time.Millisecond)
}
