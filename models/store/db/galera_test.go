package db_test

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store/db"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// onCluster opens a database as an instance on a Galera node does.
func onCluster(t *testing.T, url string) *db.DB {
	t.Helper()
	d := onServer(t, url)
	d.BeGalera()
	return d
}

// An audited change that has read data from before another node's change starts again, and then reads what that change has
// written.
func TestChangesOfTwoNodesFollowOneAnother(t *testing.T) {
	url := storetest.URL(t, storetest.MariaDB)
	one, other := onCluster(t, url), onCluster(t, url)
	require.NoError(t, one.BeginLedger(t.Context()))
	const name = "limit"
	count := func(d *db.DB, before func()) error {
		return d.Change(t.Context(), func(tx *gorm.DB) error {
			var used int64
			if err := tx.Raw("SELECT COUNT(*) FROM audit_events WHERE action = ?", name).Scan(&used).Error; err != nil {
				return err
			}
			before()
			return d.Record(tx, models.AuditEvent{Actor: models.System, Action: name, Object: "test",
				ObjectID: strconv.FormatInt(used, 10)})
		})
	}
	runs := 0
	require.NoError(t, count(one, func() {
		if runs++; runs == 1 {
			require.NoError(t, count(other, func() {}))
		}
	}))
	require.Equal(t, 2, runs)
	var seen []string
	require.NoError(t, one.Read.Raw("SELECT object_id FROM audit_events WHERE action = ? ORDER BY id", name).Scan(&seen).Error)
	require.Equal(t, []string{"0", "1"}, seen, "each counted what came before it")
}

// The cluster's lock lets one instance migrate at a time, although named locks belong to one node.
func TestMigrateClusterConcurrently(t *testing.T) {
	url := storetest.EmptyURL(t, storetest.MariaDB)
	var applied atomic.Int64
	var group sync.WaitGroup
	instances := make([]*db.DB, 4)
	for i := range instances {
		instances[i] = onCluster(t, url)
	}
	for _, d := range instances {
		group.Go(func() {
			done, err := d.Migrate(t.Context())
			if err != nil {
				t.Error(err)
			}
			applied.Add(int64(len(done)))
		})
	}
	group.Wait()
	all, err := instances[0].Migrations(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, len(all), applied.Load())
	var locked bool
	require.NoError(t, instances[0].Read.Raw("SELECT locked FROM migration_lock").Scan(&locked).Error)
	require.False(t, locked)
	again, err := instances[1].Migrate(t.Context())
	require.NoError(t, err)
	require.Empty(t, again)
}
