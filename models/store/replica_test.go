package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
	"pitboss/models/store/storetest/mariadb"
)

// replicated is a primary, its replica, and a store on both with a clock that tests move.
type replicated struct {
	*store.Store
	t                *testing.T
	cfg              store.Config
	primary, replica *mariadb.Server
	ahead            atomic.Int64
}

func newReplicated(t *testing.T) *replicated {
	t.Helper()
	dir, err := mariadb.TempDir("pitboss-test-replica-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	r := &replicated{t: t}
	r.primary, r.replica, err = mariadb.StartReplicated(dir)
	require.NoError(t, err)
	t.Cleanup(func() { r.replica.Kill(); r.primary.Kill() })
	require.NoError(t, r.primary.Run("CREATE DATABASE pitboss"))
	r.cfg = store.Config{
		URL: "mysql://" + r.primary.DSN("pitboss"), Replica: "mysql://" + r.replica.DSN("pitboss"), LedgerKey: ledgerKey,
		ReplicaLag: 240 * time.Hour,
		Now:        func() time.Time { return time.Now().Add(time.Duration(r.ahead.Load())) },
	}
	r.Store = storetest.Open(t, r.cfg)
	return r
}

// caughtUp waits until the replica has everything from before now.
func (r *replicated) caughtUp() {
	r.t.Helper()
	now := r.cfg.Now()
	require.Eventually(r.t, func() bool {
		state := r.Replicas()[0]
		return state.Why == "" && state.At.After(now)
	}, patience, 10*time.Millisecond, "%+v", r.Replicas())
}

// unused waits until the replica is unused for this reason.
func (r *replicated) unused(why string) {
	r.t.Helper()
	require.Eventually(r.t, func() bool { return r.Replicas()[0].Why == why }, patience, 10*time.Millisecond, why)
}

// known lists the players that a read through FromReplica finds, and reports whether they came from the replica.
func (r *replicated) known(since time.Time) (names []string, replica bool) {
	r.t.Helper()
	err := r.FromReplica(r.t.Context(), since, 0, func(ctx context.Context) error {
		_, replica = r.AsOf(ctx)
		list, _, err := r.Players(ctx, models.PlayerFilter{Limit: 10})
		names = nil
		for _, p := range list {
			names = append(names, string(p.UserID))
		}
		return err
	})
	require.NoError(r.t, err)
	return names, replica
}

func TestReplica(t *testing.T) {
	t.Parallel() // it waits most of the time
	r := newReplicated(t)
	ctx := t.Context()
	create(t, r.Store, "anna", 10000)
	r.caughtUp()
	stop := func() { require.NoError(t, r.replica.Run("STOP SLAVE SQL_THREAD")) }
	start := func() { require.NoError(t, r.replica.Run("START SLAVE SQL_THREAD")); r.caughtUp() }

	t.Run("a list is read from the replica", func(t *testing.T) {
		names, replica := r.known(time.Time{})
		require.True(t, replica)
		require.Equal(t, []string{"anna"}, names)
	})

	t.Run("nothing can be written to the replica, and a change is made on the primary", func(t *testing.T) {
		tried := 0
		err := r.FromReplica(ctx, time.Time{}, 0, func(ctx context.Context) error {
			if _, replica := r.AsOf(ctx); !replica {
				return nil // it is called again on the primary
			}
			tried++
			for _, statement := range []string{"UPDATE players SET test = 1", "CREATE TABLE t (a INT)",
				"INSERT INTO leases (name, holder, until_us, position) VALUES ('x', '', 0, 0)"} {
				require.ErrorContains(t, r.ExecWhereRead(ctx, statement), "Error 1792", statement)
			}
			return r.SetExportHours(ctx, tester, 7)
		})
		require.NoError(t, err)
		require.Equal(t, 1, tried)
		hours, err := r.ExportHours(ctx)
		require.NoError(t, err)
		require.Equal(t, 7, hours)
		r.caughtUp()
	})

	t.Run("a reader that must see a change does not read from a replica without it", func(t *testing.T) {
		stop()
		create(t, r.Store, "bert", 10000)
		names, replica := r.known(time.Time{})
		require.True(t, replica)
		require.Equal(t, []string{"anna"}, names)
		names, replica = r.known(r.cfg.Now())
		require.False(t, replica)
		require.ElementsMatch(t, []string{"anna", "bert"}, names)
		start()
		names, replica = r.known(time.Time{})
		require.True(t, replica)
		require.ElementsMatch(t, []string{"anna", "bert"}, names)
	})

	t.Run("what the replica does not have yet is looked for on the primary", func(t *testing.T) {
		stop()
		carl := create(t, r.Store, "carl", 0)
		found := false
		err := r.FromReplica(ctx, time.Time{}, 0, func(ctx context.Context) (err error) {
			if _, found, err = r.PlayerByID(ctx, carl.ID); err == nil && !found {
				err = errors.New("there is no such player")
			}
			return err
		})
		require.NoError(t, err)
		require.True(t, found)
		start()
	})

	t.Run("rules look no further than the replica has come", func(t *testing.T) {
		rules := models.CaseRulesConfig{OpenRound: time.Hour}
		find := func() (opened int) {
			opened, err := r.FindCases(ctx, rules)
			require.NoError(t, err)
			return opened
		}
		require.Zero(t, find())
		settled := bet("anna", "settled", 100)
		settled.RoundID = "settled"
		apply(t, r.Store, settled)
		r.caughtUp()
		stop()
		won := win("anna", "won", 50)
		won.RoundID = "settled"
		apply(t, r.Store, won)
		for _, id := range []models.TransactionID{"w1", "w2", "w3"} {
			unbacked := win("anna", id, 50)
			unbacked.RoundID = models.RoundID(id)
			apply(t, r.Store, unbacked)
		}
		r.ahead.Add(int64(2 * time.Hour)) // the bet would be an open round, were it not for its win
		require.Zero(t, find())
		require.Zero(t, find())
		start()
		require.Equal(t, 3, find())
		list, _, err := r.Cases(ctx, models.CaseFilter{Limit: 10})
		require.NoError(t, err)
		for _, c := range list {
			require.Equal(t, models.CaseWinWithoutBet, c.Rule)
		}
		require.Zero(t, find())
	})

	t.Run("a verification says how recent the data was", func(t *testing.T) {
		file := checkpoint(t, r.Store)
		r.caughtUp()
		v, asked := r.verify(file)
		require.Equal(t, 1, asked)
		require.True(t, v.OK(), faultText(v))
		require.False(t, v.AsOf.IsZero())
		require.NotZero(t, v.AuditHead)
		require.EqualValues(t, 1, v.Held)
	})

	t.Run("a checkpoint that the replica does not have yet is compared with the primary", func(t *testing.T) {
		stop()
		apply(t, r.Store, bet("anna", "after", 100))
		v, asked := r.verify(checkpoint(t, r.Store))
		require.Equal(t, 2, asked)
		require.True(t, v.OK(), faultText(v))
		require.True(t, v.AsOf.IsZero())
		require.EqualValues(t, 2, v.Held)
		start()
	})

	t.Run("a checkpoint is written from the primary", func(t *testing.T) {
		stop()
		apply(t, r.Store, bet("anna", "sealed", 100))
		want, _, err := r.Player(ctx, "anna")
		require.NoError(t, err)
		require.NoError(t, r.FromReplica(ctx, time.Time{}, 0, func(ctx context.Context) error {
			_, replica := r.AsOf(ctx)
			require.True(t, replica)
			var file bytes.Buffer
			if _, err := r.WriteCheckpoint(ctx, &file); err != nil {
				return err
			}
			cp, err := r.OpenCheckpoint(bytes.NewReader(file.Bytes()))
			if err != nil {
				return err
			}
			w, _, err := cp.Wallet()
			require.Equal(t, want.Wallet.Seq, w.Seq)
			return err
		}))
		start()
	})

	t.Run("a view is recorded once, however far behind the replica is", func(t *testing.T) {
		stop()
		require.NoError(t, r.FromReplica(ctx, time.Time{}, 0, func(ctx context.Context) error {
			return errors.Join(r.NoteView(ctx, tester, "player", "1"), r.NoteView(ctx, tester, "player", "1"))
		}))
		events, _, err := r.AuditEvents(ctx,
			models.AuditFilter{Object: "player", ObjectID: "1", Action: "player" + models.Viewed,
				Limit: 9})
		require.NoError(t, err)
		require.Len(t, events, 1)
		start()
	})

	t.Run("a replica with an older schema is not used", func(t *testing.T) {
		last := "(SELECT * FROM (SELECT MAX(version_id) FROM pitboss.goose_db_version) v)"
		require.NoError(t, r.replica.Run("UPDATE pitboss.goose_db_version SET version_id = 0 WHERE version_id = "+last))
		require.Eventually(t, func() bool { return r.Replicas()[0].Why != "" }, patience, 10*time.Millisecond)
		require.Contains(t, r.Replicas()[0].Why, "its schema is older")
		problems, err := r.CheckReplicas(ctx, r.cfg)
		require.NoError(t, err)
		require.Len(t, problems, 1)
		require.ErrorContains(t, problems[0], "its schema is older")
		migrations, err := r.Migrations(ctx)
		require.NoError(t, err)
		require.NoError(t, r.replica.Run("UPDATE pitboss.goose_db_version SET version_id = "+
			string(rune('0'+migrations[len(migrations)-1].Number))+" WHERE id = (SELECT * FROM (SELECT MAX(id) FROM "+
			"pitboss.goose_db_version) v)"))
		r.caughtUp()
		problems, err = r.CheckReplicas(ctx, r.cfg)
		require.NoError(t, err)
		require.Empty(t, problems)
	})

	t.Run("a read is stopped if the replica turns into another database", func(t *testing.T) {
		calls := 0
		require.NoError(t, r.FromReplica(ctx, time.Time{}, 0, func(ctx context.Context) error {
			if calls++; calls > 1 {
				return nil
			}
			stop()
			require.NoError(t, r.replica.Run("RENAME TABLE pitboss.leases TO pitboss.away"))
			select {
			case <-ctx.Done():
			case <-time.After(patience):
			}
			return ctx.Err()
		}))
		require.Equal(t, 2, calls)
		require.NoError(t, r.replica.Run("RENAME TABLE pitboss.away TO pitboss.leases"))
		start()
	})

	t.Run("the loss of a replica does not fail its readers", func(t *testing.T) {
		begun, lost := make(chan struct{}), make(chan error, 2)
		go func() { // reads for a long time
			calls := 0
			lost <- r.FromReplica(ctx, time.Time{}, 0, func(ctx context.Context) error {
				if calls++; calls == 1 {
					close(begun)
					<-ctx.Done()
				}
				_, _, err := r.Players(ctx, models.PlayerFilter{Limit: 10})
				return err
			})
		}()
		<-begun
		require.NoError(t, r.replica.Kill())
		names, replica := r.known(time.Time{})
		require.False(t, replica)
		require.Len(t, names, 3)
		require.NoError(t, <-lost)
		r.unused("it does not answer")
		require.NoError(t, r.replica.Restart())
		r.caughtUp()
	})

	t.Run("another database is not used", func(t *testing.T) {
		cfg := r.cfg
		cfg.Replica = storetest.URL(t, storetest.MariaDB)
		other := storetest.Open(t, cfg)
		require.Eventually(t, func() bool { return other.Replicas()[0].Why == "it is not a replica of this database" },
			patience,
			10*time.Millisecond)
		problems, err := other.CheckReplicas(ctx, cfg)
		require.NoError(t, err)
		require.Len(t, problems, 1)
		require.ErrorIs(t, problems[0], store.ErrOtherHistory)
	})

	t.Run("the first replica that can be used is read", func(t *testing.T) {
		gone := newRelay(t, r.replica.Addr())
		gone.close()
		cfg := r.cfg
		cfg.Replica = "mysql://root@tcp(" + gone.addr + "," + r.replica.Addr() + ")/pitboss"
		cfg.ReplicaLag = 10 * time.Second
		via := &replicated{Store: storetest.Open(t, cfg), t: t, cfg: cfg}
		require.Eventually(t, func() bool { return via.Replicas()[1].Why == "" }, patience, 10*time.Millisecond)
		_, replica := via.known(time.Time{})
		require.True(t, replica)
		// A replica that is too far behind is not used.
		stop()
		r.ahead.Add(int64(time.Minute))
		require.Eventually(t, func() bool { return via.Replicas()[1].Why == "it is too far behind" }, patience,
			10*time.Millisecond)
		_, replica = via.known(time.Time{})
		require.False(t, replica)
		require.NoError(t, r.replica.Run("START SLAVE SQL_THREAD"))
		require.Eventually(t, func() bool { return via.Replicas()[1].Why == "" }, patience, 10*time.Millisecond)
	})
}

// verify verifies against a checkpoint's file through FromReplica, and returns how many databases were asked.
func (r *replicated) verify(file []byte) (v models.Verification, asked int) {
	r.t.Helper()
	require.NoError(r.t, r.FromReplica(r.t.Context(), time.Time{}, 0, func(ctx context.Context) error {
		asked++
		cp, err := r.OpenCheckpoint(bytes.NewReader(file))
		if err == nil {
			v, err = r.VerifyAgainst(ctx, cp, nil)
		}
		return err
	}))
	return v, asked
}
